// The functions of a module of kernels, in units that are compiled, and kept, each by itself.
//
// A unit is what belongs together because it refers to each other, a kernel's entry and its body,
// or one tile kernel. Functions that nothing refers to (sizes, plans) make one unit together. A
// unit's text is canonical: it names no kernel, no model and no place in them, so kernels of
// different models that do the same have the same text. Cost: linear in the module's size.
#pragma once

#include "compiler/MlirPch.h"

#include <string>
#include <vector>

namespace imbrex::codegen {

struct KernelUnit {
  std::string text; // a module in MLIR's generic form
  std::string hash; // of the text: 64 hexadecimal digits
  /// The functions that others may call: their names in `text`, and in the module. Several names
  /// in the module where several parts of it have this text.
  std::vector<std::pair<std::string, std::string>> functions;
};

std::vector<KernelUnit> splitUnits(mlir::ModuleOp kernels);

/// The name of a unit's function in its machine code, where units with equal names meet.
std::string unitSymbol(const std::string &hash, llvm::StringRef function);

/// 64 hexadecimal digits of SHA-256 over the parts and their lengths.
std::string digest(llvm::ArrayRef<llvm::StringRef> parts);

} // namespace imbrex::codegen
