// .npy files: one dense array each, as NumPy stores it (format versions 1 to 3).
//
// Errors: E0800 unreadable or unwritable file, E0801 not an .npy file or damaged, E0802 an element
// type or byte order without a form here.
#pragma once

#include "support/tensor/HostTensor.h"

#include <span>
#include <string>

namespace imbrex::npy {

/// Arrays in Fortran order come out row-major. bfloat16, which NumPy has no name for, is stored and
/// read as
/// '<V2'.
Result<HostTensor> read(const std::string &path);
Result<HostTensor> read(std::span<const std::byte> bytes, const std::string &name = "array");

/// Strings are those of ItemHeap::process(). Precondition of encode: a type that NumPy has.
/// The bytes of a version 1 file, row-major; the data starts at a multiple of 64.
std::string encode(const HostTensor &tensor);
Status write(const std::string &path, const HostTensor &tensor);

} // namespace imbrex::npy
