# What a translation unit that sees MLIR needs, and the one precompiled header all of them share.
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(imbrex_mlir INTERFACE)
target_link_libraries(imbrex_mlir INTERFACE imbrex_options MLIR LLVM)
target_include_directories(imbrex_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(_llvm_defs NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(imbrex_mlir INTERFACE ${_llvm_defs})
# Debian builds LLVM with RTTI on and exceptions off.
target_compile_options(imbrex_mlir INTERFACE -fno-exceptions "SHELL:-Xclang -fno-pch-timestamp")
# tablegen() reads the directory property, not the target's.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})

file(WRITE ${PROJECT_BINARY_DIR}/pch/MlirPch.cpp "\n")
add_library(imbrex_mlir_pch STATIC ${PROJECT_BINARY_DIR}/pch/MlirPch.cpp)
target_link_libraries(imbrex_mlir_pch PRIVATE imbrex_mlir)
target_precompile_headers(imbrex_mlir_pch PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/compiler/MlirPch.h>")

# imbrex_mlir_library(name SOURCES ... LINK ... DEPENDS tablegen-targets ...)
function(imbrex_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC imbrex_mlir ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_precompile_headers(${name} REUSE_FROM imbrex_mlir_pch)
endfunction()

# imbrex_mlir_test(name SOURCES XTest.cpp ... LINK ...): as imbrex_test, with the precompiled header. Its
# sources are an object library, since the header is compiled -fPIC and executables are not.
function(imbrex_mlir_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name}_objects OBJECT ${ARG_SOURCES})
  target_link_libraries(${name}_objects PUBLIC imbrex_mlir ${ARG_LINK} GTest::gtest)
  target_precompile_headers(${name}_objects REUSE_FROM imbrex_mlir_pch)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_objects GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test-bin)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
