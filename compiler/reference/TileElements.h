// Elements of tiles in the interpreter: one number each, and arithmetic on them.
#pragma once

#include "compiler/MlirPch.h"

#include <optional>
#include <vector>

namespace imbrex::tile {

/// One element: `real` for floats (exactly a value of the type), `whole` for integers and indices
/// (sign-extended; i1 is 0 or 1).
struct Element {
  double real = 0;
  int64_t whole = 0;
};

/// A tile or (shape empty) a scalar.
struct Elements {
  std::vector<int64_t> shape;
  std::vector<Element> data;
};

Element realElement(mlir::Type type, double value);   // rounds to the type
Element wholeElement(mlir::Type type, int64_t value); // wraps to the type
Element constantElement(mlir::Attribute value);

/// One element of an arith or math operation. Undefined arithmetic (a division by zero, a shift
/// beyond the width) sets `undefined` and gives 0; an operation that is not known gives nothing.
std::optional<Element> computeElement(mlir::Operation *op, llvm::ArrayRef<Element> operands,
                                      bool &undefined);

/// The element in memory; i1 is a byte.
Element loadElement(mlir::Type type, const std::byte *at);
void storeElement(mlir::Type type, const Element &value, std::byte *at);
int64_t elementBytes(mlir::Type type);

} // namespace imbrex::tile
