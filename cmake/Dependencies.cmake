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

# libjpeg-turbo 2.1, libpng 1.6, libtiff 4.5, libwebp 1.2, OpenJPEG 2.5 (Debian): ImageDecoder. Behind support/images, in
# a library of its own that is opened when a model needs it.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(TIFF REQUIRED)
foreach(codec webp openjpeg)
  if(codec STREQUAL "webp")
    find_path(IMBREX_${codec}_HEADERS webp/decode.h REQUIRED)
    find_library(IMBREX_${codec}_LIBRARY webp REQUIRED)
  else()
    find_path(IMBREX_${codec}_HEADERS openjpeg.h PATH_SUFFIXES openjpeg-2.5 REQUIRED)
    find_library(IMBREX_${codec}_LIBRARY openjp2 REQUIRED)
  endif()
  add_library(imbrex_${codec} INTERFACE)
  target_include_directories(imbrex_${codec} SYSTEM INTERFACE ${IMBREX_${codec}_HEADERS})
  target_link_libraries(imbrex_${codec} INTERFACE ${IMBREX_${codec}_LIBRARY})
endforeach()

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
