# Headers that most files include, read once a build instead of once a file: four fifths of a build's time is reading
# headers. Only where the tests are built; the release build goes without, so that a file that leaves out an include
# shows there.
function(assay_precompiled target base)
  if(TARGET ${base})
    target_link_libraries(${target} PRIVATE fmt::fmt)  # its definitions are part of what was read
    target_precompile_headers(${target} REUSE_FROM ${base})
    target_compile_options(${target} PRIVATE -Winvalid-pch)
  endif()
endfunction()

option(ASSAY_PRECOMPILED "read common headers once a build, where the tests are built" ON)
if(ASSAY_TESTS AND ASSAY_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "")
  set(headers <algorithm> <array> <atomic> <chrono> <cstddef> <cstdint> <functional> <map> <memory> <mutex> <optional>
              <set> <span> <string> <string_view> <thread> <utility> <variant> <vector> <fmt/format.h>)
  add_library(assay_precompiled_std OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(assay_precompiled_std PRIVATE fmt::fmt)
  target_precompile_headers(assay_precompiled_std PRIVATE ${headers})
  find_package(GTest REQUIRED)
  add_library(assay_precompiled_gmock OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(assay_precompiled_gmock PRIVATE fmt::fmt GTest::gmock)
  target_precompile_headers(assay_precompiled_gmock PRIVATE ${headers} <gmock/gmock.h> <gtest/gtest.h> <fstream> <sstream>)
endif()
