// Applying an operator: infers result types, opens sizes, inserts relay.apply.
#include "compiler/ir/relay/ApplyMeaning.h"
#include "compiler/ir/relay/Scope.h"

using namespace mlir;

namespace imbrex::relay {

/// The function that the builder inserts into, or null.
static FuncOp functionOf(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  Operation *parent = block ? block->getParentOp() : nullptr;
  if (!parent)
    return {};
  auto func = dyn_cast<FuncOp>(parent);
  return func ? func : parent->getParentOfType<FuncOp>();
}

static bool isBeforeInsertion(OpBuilder &builder, Operation *op) {
  Block *block = builder.getInsertionBlock();
  if (op->getBlock() == block)
    return builder.getInsertionPoint() == block->end() ||
           op->isBeforeInBlock(&*builder.getInsertionPoint());
  Operation *around = op->getBlock()->findAncestorOpInBlock(*block->getParentOp());
  return around && op->isBeforeInBlock(around);
}

/// The symbol of element `at` of `tensor`: an existing one if its relay.open is seen here, else a
/// new one.
static std::string openElement(OpBuilder &builder, mlir::Location location, FuncOp func,
                               Value tensor, ArrayRef<int64_t> at, ArrayRef<std::string> taken) {
  if (OpenOp open = findOpen(tensor, at, builder.getInsertionBlock())) {
    if (isBeforeInsertion(builder, open))
      return open.getSymbol().str();
    if (open->getBlock() == builder.getInsertionBlock()) {
      // One binder a block: the existing one moves up, where it dominates its old uses as well.
      open->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
      return open.getSymbol().str();
    }
  }
  std::string name = freshSymbol(func, "k", taken);
  OpenOp::create(builder, location, tensor, builder.getDenseI64ArrayAttr(at),
                 builder.getStringAttr(name));
  return name;
}

/// Names every open size, and renames the types. Returns the names for the apply's own `opens`.
static SmallVector<std::string> nameOpens(OpBuilder &builder, mlir::Location location, FuncOp func,
                                          ArrayRef<Value> operands, AppliedMeaning &meaning) {
  Substitution rename;
  SmallVector<std::string> own;
  for (const OpenSize &open : meaning.opens) {
    std::string name;
    if (open.operand)
      name =
          openElement(builder, location, func, outerValue(operands[*open.operand]), open.at, own);
    else
      own.push_back(name = freshSymbol(func, "k", own));
    rename.emplace(open.symbol, DimExpr::symbol(name));
  }
  for (opmeaning::TensorType &type : meaning.types)
    for (DimExpr &dim : type.dims)
      dim = substitute(dim, rename);
  return own;
}

static ApplyOp insertApply(OpBuilder &builder, mlir::Location location, StringRef name,
                           ArrayRef<Value> operands, const opmeaning::Attrs &attrs,
                           const AppliedMeaning &meaning, ArrayRef<std::string> own) {
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs;
  SmallVector<int32_t> absent;
  for (auto [i, value] : llvm::enumerate(operands)) {
    if (value)
      inputs.push_back(value);
    else
      absent.push_back(i);
  }
  SmallVector<StringRef> opens(own.begin(), own.end());
  SmallVector<Type> types;
  for (const opmeaning::TensorType &type : meaning.types)
    types.push_back(fromMeaningType(context, type));
  return ApplyOp::create(
      builder, location, types, inputs, builder.getStringAttr(name), toDictionary(context, attrs),
      absent.empty() ? DenseI32ArrayAttr() : builder.getDenseI32ArrayAttr(absent),
      opens.empty() ? ArrayAttr() : builder.getStrArrayAttr(opens));
}

Result<ApplyOp> buildApply(OpBuilder &builder, mlir::Location location, StringRef name,
                           ArrayRef<Value> operands, opmeaning::Attrs attrs,
                           const DimFacts &facts) {
  FuncOp func = functionOf(builder);
  if (!func)
    return internalError(551, "relay.apply must be inserted into a relay.func");
  const opmeaning::Operator *op =
      opmeaning::findOperator(std::string_view(name.data(), name.size()));
  if (!op)
    return unsupported(550, "there is no operator '" + name.str() + "'");
  Result<opmeaning::Attrs> complete = opmeaning::completeAttrs(*op, std::move(attrs));
  if (!complete)
    return complete.takeError();
  while (!operands.empty() && !operands.back())
    operands = operands.drop_back();
  for (Value value : operands)
    if (value && !isa<TensorType>(value.getType()))
      return internalError(551, "an operand of '" + name.str() + "' is no relay tensor");
  Result<AppliedMeaning> meaning = applyMeaning(*op, meaningOperands(operands), *complete, facts);
  if (!meaning)
    return meaning.takeError();
  SmallVector<std::string> own = nameOpens(builder, location, func, operands, *meaning);
  return insertApply(builder, location, name, operands, *complete, *meaning, own);
}

Result<ApplyOp> buildApply(OpBuilder &builder, mlir::Location location, StringRef name,
                           ArrayRef<Value> operands, opmeaning::Attrs attrs) {
  FuncOp func = functionOf(builder);
  return buildApply(builder, location, name, operands, std::move(attrs),
                    func ? factsAt(func) : DimFacts());
}

ApplyOp ApplyOp::create(OpBuilder &builder, mlir::Location location, StringRef name,
                        ArrayRef<Value> operands, opmeaning::Attrs attrs) {
  Result<ApplyOp> apply = buildApply(builder, location, name, operands, std::move(attrs));
  if (!apply)
    llvm::report_fatal_error(Twine("illegal relay.apply: ") + apply.error().str());
  return apply.take();
}

} // namespace imbrex::relay
