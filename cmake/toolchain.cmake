# Language level, warnings, build types, sanitizers, compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Dev, Release or Debug" FORCE)
endif()
# Dev: assertions on and quick to build, yet fast enough for the crash and soak tests. No cache entries: CMake has made empty
# ones of these names by now, and they would win.
if(NOT CMAKE_CXX_FLAGS_DEV)
  if(ASSAY_SANITIZE)
    # Optimising what sanitizers add takes three times as long as it saves.
    set(CMAKE_CXX_FLAGS_DEV "-O0 -g1")
  else()
    set(CMAKE_CXX_FLAGS_DEV "-O1 -finline-small-functions -g1")
  endif()
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor)

# Two warnings of GCC 12 that are wrong where -O3 inlines std::string (GCC bugs 105651 and 105329).
add_compile_options($<$<CONFIG:Release>:-Wno-restrict> $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)

option(ASSAY_FUZZ "build the libFuzzer programs (clang only)" OFF)
if(ASSAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ASSAY_FUZZ needs clang, which has libFuzzer: use the preset fuzz, or -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ASSAY_CCACHE})
endif()
