// The generated code of all operations, relay.open, and the verifiers too small for a file of their
// own.
#include "compiler/ir/relay/Scope.h"
#include "compiler/ir/relay/Syntax.h"

using namespace mlir;

namespace imbrex::relay {

/// Reads `[2]`, or nothing for the one element of a rank 0 tensor.
static ParseResult parseIndex(OpAsmParser &parser, DenseI64ArrayAttr &at) {
  SmallVector<int64_t> index;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalSquare,
                                     [&] { return parser.parseInteger(index.emplace_back()); }))
    return failure();
  at = parser.getBuilder().getDenseI64ArrayAttr(index);
  return success();
}

static void printIndex(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr at) {
  if (!at.empty())
    printer << '[' << at.asArrayRef() << ']';
}

namespace {
/// A relay.open stays though it has no results: types mention its symbol.
struct SymbolScope : SideEffects::Resource::Base<SymbolScope> {
  StringRef getName() final { return "dimension symbols"; }
};
} // namespace

void OpenOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SymbolScope::get());
}

LogicalResult OpenOp::verify() {
  TensorType type = tensorType(getTensor());
  if (!isInteger(type.getDType()))
    return emitOpError() << "takes a size from integers, not from " << type;
  if (type.getRank() > 1 || static_cast<int64_t>(getAt().size()) != type.getRank())
    return emitOpError() << "names one element of a tensor of rank 0 or 1, not [" << getAt()
                         << "] of " << type;
  if (type.isStatic() && !getAt().empty() &&
      (getAt()[0] < 0 || getAt()[0] >= type.staticShape()[0]))
    return emitOpError() << "element " << getAt()[0] << " is outside of " << type;
  StringRef name = getSymbol();
  Result<DimExpr> symbol = DimExpr::parse(std::string_view(name.data(), name.size()));
  if (!symbol || !symbol->asSymbol())
    return emitOpError() << "'" << name << "' is no symbol's name";
  for (Operation *user : getTensor().getUsers()) {
    auto other = dyn_cast<OpenOp>(user);
    if (other && other != *this && other->getBlock() == (*this)->getBlock() &&
        other.getAt() == getAt())
      return emitOpError() << "names an element twice in one block: '" << name << "' and '"
                           << other.getSymbol() << "'; try one name for both";
  }
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto callee = tables.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "there is no relay.func " << getCalleeAttr();
  Result<Substitution> sizes =
      matchTypes(callee.getArgumentTypes(), getInputs().getTypes(), symbolsBoundInside(callee));
  if (!sizes)
    return emitOpError() << "operands do not fit " << getCalleeAttr() << ": "
                         << message(sizes.error());
  // What the callee's results still mention after that is known to its body only: fresh names here.
  SmallVector<Type> results;
  for (Type type : callee.getResultTypes())
    results.push_back(substitute(cast<TensorType>(type), *sizes));
  SmallVector<StringRef> opens = namesOf(getOpens());
  if (Result<Substitution> match = matchTypes(getResultTypes(), results, opens); !match)
    return emitOpError() << "results are not those of " << getCalleeAttr() << ": "
                         << message(match.error());
  return success();
}

static ParseResult parseFusedArgument(OpAsmParser &parser,
                                      SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                 parser.parseOperand(operands.emplace_back()));
}

ParseResult FusedOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&] { return parseFusedArgument(parser, arguments, operands); }) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), start, state.operands))
    return failure();
  for (auto [argument, input] : llvm::zip_equal(arguments, type.getInputs()))
    argument.type = input;
  state.addTypes(type.getResults());
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return success();
}

void FusedOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(
      llvm::zip_equal(entry().getArguments(), getInputs()), printer,
      [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " : ";
  printer.printFunctionalType(getInputs().getTypes(), getResultTypes());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

YieldOp FusedOp::yield() { return cast<YieldOp>(entry().getTerminator()); }

LogicalResult FusedOp::verifyRegions() {
  if (TypeRange(entry().getArgumentTypes()) != TypeRange(getInputs().getTypes()))
    return emitOpError() << "the region's arguments have other types than the operands";
  if (TypeRange(yield().getOperandTypes()) != TypeRange(getResultTypes()))
    return emitOpError() << "the region yields other types than the results";
  for (Operation &op : entry())
    if (!isa<ApplyOp, ConstantOp, YieldOp>(op))
      return op.emitOpError()
             << "cannot be in a fusion group; only relay.apply and relay.constant can";
  return success();
}

} // namespace imbrex::relay

#define GET_OP_CLASSES
#include "compiler/ir/relay/Ops.cpp.inc"
