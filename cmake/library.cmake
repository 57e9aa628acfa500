# assay_library(harness_chat SOURCES a.cpp b.cpp DEPENDS assay_harness_loop PRIVATE_DEPENDS CURL::libcurl)
# declares the library of one subfolder: target assay_<name>, includes written from the project's root.
# Without SOURCES it is a header-only library.
function(assay_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target assay_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${ARG_DEPENDS} ${ARG_PRIVATE_DEPENDS})
  endif()
endfunction()

# assay_test(harness_chat SOURCES a_test.cpp DEPENDS assay_harness_chat)
# declares one GoogleTest program for one subfolder's tests; LABELS are passed to CTest.
function(assay_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set(target ${name}_test)
  add_executable(${target} ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} GTest::gmock_main)
  target_compile_definitions(${target} PRIVATE ASSAY_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                             ASSAY_PROGRAM="$<TARGET_FILE:assay>")
  add_dependencies(${target} assay)
  gtest_discover_tests(${target} TEST_PREFIX "${name}: " DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
