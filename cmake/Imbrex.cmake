# How a component is declared: imbrex_library, imbrex_test, imbrex_fuzz_target.

add_library(imbrex_options INTERFACE)
target_compile_options(imbrex_options INTERFACE -Wall -Wextra -Wno-unused-parameter
                       -Wno-missing-designated-field-initializers -Werror=return-type)
target_include_directories(imbrex_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
if(IMBREX_CHECKED)
  target_compile_definitions(imbrex_options INTERFACE IMBREX_CHECKED=1)
  target_compile_options(imbrex_options INTERFACE -UNDEBUG)
endif()
if(IMBREX_SANITIZE)
  target_compile_options(imbrex_options INTERFACE -fsanitize=${IMBREX_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(imbrex_options INTERFACE -fsanitize=${IMBREX_SANITIZE})
endif()
if(IMBREX_FUZZ)
  target_compile_options(imbrex_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
add_link_options(-fuse-ld=lld)

find_program(IMBREX_CCACHE ccache)
if(IMBREX_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${IMBREX_CCACHE})
  # The precompiled header hits the cache only with these two settings.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${IMBREX_CCACHE})
endif()

# imbrex_library(name SOURCES a.cpp ... LINK other ...): a static library without LLVM.
function(imbrex_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC imbrex_options ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
endfunction()

# imbrex_test(name SOURCES XTest.cpp ... LINK lib ...): a GoogleTest program, run by ctest. The tests themselves are
# not optimised, which halves the time to compile them; what they test is.
function(imbrex_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE imbrex_options ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O0)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test-bin)
  add_test(NAME ${name} COMMAND ${name})
  if(ARG_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()

# imbrex_fuzz_target(name SOURCES XFuzz.cpp LINK lib CORPUS dir): a libFuzzer harness. Without IMBREX_FUZZ
# the same harness runs as an ordinary test: the corpus and seeded mutations of it, a fixed number of times.
function(imbrex_fuzz_target name)
  cmake_parse_arguments(ARG "" "CORPUS" "SOURCES;LINK" ${ARGN})
  if(IMBREX_FUZZ)
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE imbrex_options ${ARG_LINK})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz-bin)
    # scripts/fuzz starts from these inputs.
    file(WRITE ${PROJECT_BINARY_DIR}/fuzz-bin/${name}.corpus "${ARG_CORPUS}")
  else()
    add_executable(${name} ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/support/fuzz/SeededDriver.cpp)
    target_link_libraries(${name} PRIVATE imbrex_options ${ARG_LINK})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test-bin)
    add_test(NAME ${name} COMMAND ${name} ${ARG_CORPUS})
  endif()
endfunction()
