// relay.if and relay.loop: text form and verifiers.
#include "compiler/ir/relay/Syntax.h"

using namespace mlir;

namespace imbrex::relay {

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand condition;
  SmallVector<Type> results;
  Type boolean =
      TensorType::get(parser.getContext(), ArrayRef<DimExpr>(), parser.getBuilder().getI1Type());
  Region *thenRegion = state.addRegion(), *elseRegion = state.addRegion();
  if (parser.parseOperand(condition) || parser.resolveOperand(condition, boolean, state.operands) ||
      parseOptionalNames(parser, state, "opens", getOpensAttrName(state.name)) ||
      parseOptionalResultTypes(parser, results) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*thenRegion) || parser.parseKeyword("else") ||
      parser.parseRegion(*elseRegion))
    return failure();
  state.addTypes(results);
  ensureTerminator(*thenRegion, parser.getBuilder(), state.location);
  ensureTerminator(*elseRegion, parser.getBuilder(), state.location);
  return success();
}

void IfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  printOptionalNames(printer, "opens", getOpens());
  printOptionalResultTypes(printer, getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getOpensAttrName()});
  printer << ' ';
  printer.printRegion(getThenRegion());
  printer << " else ";
  printer.printRegion(getElseRegion());
}

YieldOp IfOp::thenYield() { return cast<YieldOp>(getThenRegion().front().getTerminator()); }
YieldOp IfOp::elseYield() { return cast<YieldOp>(getElseRegion().front().getTerminator()); }

static bool isBoolean(Value value) {
  TensorType type = tensorType(value);
  return type.getDType() == DType::Bool && type.getRank() == 0;
}

LogicalResult IfOp::verify() {
  if (!isBoolean(getCondition()))
    return emitOpError() << "decides by !relay.tensor<[], i1>, not " << getCondition().getType();
  return verifyBoundNames(*this, "'opens'", getOpens(), getResultTypes());
}

LogicalResult IfOp::verifyRegions() {
  SmallVector<StringRef> opens = namesOf(getOpens());
  for (auto [yield, branch] : {std::pair(thenYield(), "then"), std::pair(elseYield(), "else")})
    if (Result<Substitution> match = matchTypes(getResultTypes(), yield.getOperandTypes(), opens);
        !match)
      return emitOpError() << "the " << branch
                           << " branch does not yield the result types: " << message(match.error());
  return success();
}

/// Reads `%i: CARRIED = %a` or `%i: CARRIED = %a: INIT`.
static ParseResult parseCarried(OpAsmParser &parser,
                                SmallVectorImpl<OpAsmParser::Argument> &carried,
                                SmallVectorImpl<Value> &inits) {
  OpAsmParser::UnresolvedOperand init;
  if (parser.parseArgument(carried.emplace_back(), /*allowType=*/true) || parser.parseEqual() ||
      parser.parseOperand(init))
    return failure();
  Type type = carried.back().type;
  if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
    return failure();
  return parser.resolveOperand(init, type, inits);
}

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> carried, inBody;
  SmallVector<Type> results;
  Region *cond = state.addRegion(), *body = state.addRegion();
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&] { return parseCarried(parser, carried, state.operands); }) ||
      parseOptionalNames(parser, state, "entry", getEntryAttrName(state.name)) ||
      parseOptionalNames(parser, state, "opens", getOpensAttrName(state.name)) ||
      parseOptionalResultTypes(parser, results) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) || parser.parseKeyword("while") ||
      parser.parseRegion(*cond, carried) || parser.parseKeyword("do"))
    return failure();
  llvm::SMLoc names = parser.getCurrentLocation();
  if (parser.parseArgumentList(inBody, OpAsmParser::Delimiter::Paren))
    return failure();
  if (inBody.size() != carried.size())
    return parser.emitError(names)
           << "expected a name for each of the " << carried.size() << " carried values";
  for (auto [argument, outer] : llvm::zip_equal(inBody, carried))
    argument.type = outer.type;
  state.addTypes(results);
  return parser.parseRegion(*body, inBody);
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " (";
  Block &cond = getCondRegion().front(), &body = getBodyRegion().front();
  llvm::interleaveComma(llvm::zip(cond.getArguments(), getInits()), printer, [&](auto pair) {
    auto [argument, init] = pair;
    printer << argument << ": " << argument.getType() << " = " << init;
    if (init.getType() != argument.getType())
      printer << ": " << init.getType();
  });
  printer << ')';
  printOptionalNames(printer, "entry", getEntry());
  printOptionalNames(printer, "opens", getOpens());
  printOptionalResultTypes(printer, getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getEntryAttrName(), getOpensAttrName()});
  printer << " while ";
  printer.printRegion(getCondRegion(), /*printEntryBlockArgs=*/false);
  printer << " do (";
  llvm::interleaveComma(body.getArguments(), printer);
  printer << ") ";
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}

YieldOp LoopOp::condYield() { return cast<YieldOp>(getCondRegion().front().getTerminator()); }
YieldOp LoopOp::bodyYield() { return cast<YieldOp>(getBodyRegion().front().getTerminator()); }

LogicalResult LoopOp::verify() {
  if (failed(verifyBoundNames(*this, "'entry'", getEntry(), getCondRegion().getArgumentTypes())))
    return failure();
  return verifyBoundNames(*this, "'opens'", getOpens(), getResultTypes());
}

LogicalResult LoopOp::verifyRegions() {
  TypeRange carried = getCondRegion().getArgumentTypes();
  for (Region *region : {&getCondRegion(), &getBodyRegion()})
    if (region->front().empty() || !isa<YieldOp>(region->front().back()))
      return emitOpError() << "each region must end with relay.yield";
  if (carried != TypeRange(getBodyRegion().getArgumentTypes()))
    return emitOpError() << "both regions carry the same types";
  YieldOp go = condYield();
  if (go->getNumOperands() != 1 || !isBoolean(go->getOperand(0)))
    return emitOpError() << "the while region yields one !relay.tensor<[], i1>";
  SmallVector<StringRef> entry = namesOf(getEntry()), opens = namesOf(getOpens());
  if (auto match = matchTypes(carried, getInits().getTypes(), entry); !match)
    return emitOpError() << "an initial value does not fit what is carried: "
                         << message(match.error());
  if (auto match = matchTypes(carried, bodyYield().getOperandTypes(), entry); !match)
    return emitOpError() << "the body does not yield what is carried: " << message(match.error());
  if (auto match = matchTypes(getResultTypes(), carried, opens); !match)
    return emitOpError() << "the results are not what is carried: " << message(match.error());
  return success();
}

} // namespace imbrex::relay
