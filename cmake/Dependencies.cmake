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

# JSON for Modern C++ 3.11 (Debian): --json, behind tools/common.
find_package(nlohmann_json REQUIRED)

if(IMBREX_COMPILER)
  # MLIR/LLVM 22.1 (Debian): only the two shared libraries, never libMLIR*.a beside them.
  find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
  include(Mlir)
endif()
