# Every third-party library, its version and why it is here. Each is included by one component only.

# GoogleTest 1.12 (Debian): unit tests.
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# FlatBuffers 22 or later (Debian): the artifact's metadata. Header-only at run time, behind runtime/module.
find_program(FLATC flatc REQUIRED)

# protobuf 3.21 (Debian): the lite runtime for .onnx files, behind formats/onnx.
find_package(Protobuf REQUIRED)

# CLI11 2.1 (Debian): the command line of the tools, behind tools/common.
find_package(CLI11 REQUIRED)

# JSON for Modern C++ 3.11 (Debian): JSON in and out, behind support/json.
find_package(nlohmann_json REQUIRED)

# Z3 4.8.12 (Debian): the one libLLVM loads too, so that a process holds a single Z3. C API, behind support/smt.
find_path(Z3_INCLUDE_DIR z3.h REQUIRED)
find_library(Z3_LIBRARY z3 REQUIRED)
add_library(imbrex_z3 INTERFACE)
target_include_directories(imbrex_z3 SYSTEM INTERFACE ${Z3_INCLUDE_DIR})
target_link_libraries(imbrex_z3 INTERFACE ${Z3_LIBRARY})

# SQLite 3.40 (Debian): runs counterexamples of the prover, reads tables of studies. Behind support/sqlite.
find_package(SQLite3 REQUIRED)

# Boost.Math 1.81 (Debian, header-only): distributions and their inverses, behind stats/numeric. 1.81 and not
# Debian's default 1.74, which is two years older.
find_package(Boost 1.81 REQUIRED)

# Eigen 3.4 (Debian, header-only): least squares by QR, eigenvalues, behind stats/numeric.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

if(IMBREX_COMPILER)
  # MLIR/LLVM 22.1 (Debian): only the two shared libraries, never libMLIR*.a beside them.
  find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
  include(Mlir)
endif()
