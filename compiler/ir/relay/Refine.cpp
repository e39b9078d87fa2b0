// Result types after more became known: an operand turned constant, so a size that was opened has a
// value.
#include "compiler/ir/relay/ApplyMeaning.h"
#include "compiler/ir/relay/Scope.h"
#include "compiler/ir/relay/Syntax.h"

using namespace mlir;

namespace imbrex::relay {

FileLocation toFileLocation(mlir::Location location) {
  FileLocation where;
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    where = {place.getFilename().str(), place.getLine(), place.getColumn()};
  return where;
}

mlir::Location toMlirLocation(MLIRContext *context, const FileLocation &where) {
  if (where.file.empty())
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, where.file, where.line, where.column);
}

/// The values of all relay.open over constants.
static Result<Substitution> knownOpens(FuncOp func) {
  Substitution known;
  std::optional<Error> failure;
  func->walk([&](OpenOp open) {
    ConstantOp constant = definingConstant(open.getTensor());
    if (!constant)
      return;
    Result<HostTensor> tensor = toHostTensor(constant.getValue());
    if (!tensor)
      return;
    int64_t value = tensor->toInt(open.getAt().empty() ? 0 : open.getAt()[0]);
    if (value < 0)
      failure =
          badInput(557, "the size '" + open.getSymbol().str() + "' is " + std::to_string(value),
                   "a size cannot be negative", {}, toFileLocation(open.getLoc()));
    known.emplace(open.getSymbol().str(), value);
  });
  if (failure)
    return *failure;
  return known;
}

/// The IR's names of the meaning's open sizes; own ones keep their old names when their number is
/// the same.
static Result<Substitution> nameOpens(FuncOp func, ApplyOp apply, const AppliedMeaning &meaning,
                                      SmallVectorImpl<std::string> &own) {
  SmallVector<StringRef> old = namesOf(apply.getOpens());
  size_t ownCount = llvm::count_if(meaning.opens, [](const OpenSize &o) { return !o.operand; });
  SmallVector<Value> operands = apply.operatorOperands();
  Substitution rename;
  for (const OpenSize &open : meaning.opens) {
    if (!open.operand) {
      own.push_back(ownCount == old.size() ? old[own.size()].str() : freshSymbol(func, "k", own));
      rename.emplace(open.symbol, DimExpr::symbol(own.back()));
      continue;
    }
    OpenOp found = findOpen(outerValue(operands[*open.operand]), open.at, apply->getBlock());
    if (!found)
      return internalError(558,
                           "a size of '" + apply.getOperatorName().str() + "' lost its relay.open");
    rename.emplace(open.symbol, DimExpr::symbol(std::string_view(found.getSymbol())));
  }
  return rename;
}

/// What the old names of the apply's own sizes are now, as far as they were whole dimensions.
static Substitution closedSizes(ApplyOp apply, ArrayRef<TensorType> types,
                                ArrayRef<std::string> own) {
  Substitution values;
  for (StringRef name : namesOf(apply.getOpens())) {
    if (llvm::is_contained(own, name))
      continue;
    for (auto [type, result] : llvm::zip_equal(types, apply.getResultTypes()))
      for (auto [i, size] : llvm::enumerate(cast<TensorType>(result).getSizes()))
        if (auto text = dyn_cast<StringAttr>(size); text && text.getValue() == name)
          values.emplace(name.str(), type.getDim(i));
  }
  return values;
}

static Result<bool> refineApply(FuncOp func, ApplyOp apply, const DimFacts &facts) {
  Result<AppliedMeaning> meaning =
      applyMeaning(apply.op(), meaningOperands(apply), attrsOf(apply), facts);
  if (!meaning)
    return meaning.takeError();
  SmallVector<std::string> own;
  Result<Substitution> rename = nameOpens(func, apply, *meaning, own);
  if (!rename)
    return rename.takeError();
  SmallVector<TensorType> types;
  for (opmeaning::TensorType &type : meaning->types) {
    for (DimExpr &dim : type.dims)
      dim = substitute(dim, *rename);
    types.push_back(fromMeaningType(apply.getContext(), type));
  }
  if (types.size() != apply.getNumResults())
    return internalError(558,
                         "'" + apply.getOperatorName().str() + "' changed its number of results");
  SmallVector<StringRef> names(own.begin(), own.end());
  if (llvm::equal(types, apply.getResultTypes()) && names == namesOf(apply.getOpens()))
    return false;
  Substitution values = closedSizes(apply, types, own);
  apply.setOpensAttr(names.empty() ? ArrayAttr() : OpBuilder(apply).getStrArrayAttr(names));
  substituteSymbols(func, values);
  for (auto [result, type] : llvm::zip_equal(apply.getResults(), types))
    result.setType(type);
  return true;
}

Result<bool> refineTypes(FuncOp func) {
  Result<Substitution> known = knownOpens(func);
  if (!known)
    return known.takeError();
  bool changed = !known->empty();
  if (changed)
    substituteSymbols(func, *known);
  DimFacts facts = factsAt(func);
  SmallVector<ApplyOp> applies;
  func->walk([&](ApplyOp apply) { applies.push_back(apply); });
  for (ApplyOp apply : applies) {
    Result<bool> refined = refineApply(func, apply, facts);
    if (!refined) {
      Error error = refined.takeError();
      error.where = toFileLocation(apply.getLoc());
      return error;
    }
    changed |= *refined;
  }
  if (changed)
    setResultTypes(func);
  return changed;
}

} // namespace imbrex::relay
