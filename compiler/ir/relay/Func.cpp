// relay.func and relay.return: text form and verifiers.
#include "compiler/ir/relay/Scope.h"
#include "compiler/ir/relay/Syntax.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

namespace imbrex::relay {

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<SymbolAttr> symbols) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (!symbols.empty())
    state.addAttribute(getSymbolsAttrName(state.name),
                       builder.getArrayAttr({symbols.begin(), symbols.end()}));
  auto block = std::make_unique<Block>();
  for (Type input : type.getInputs())
    block->addArgument(input, state.location);
  state.addRegion()->push_back(block.release());
}

/// Reads `n: 1 to 64 by 8`; the limits and the divisor may be left out.
static ParseResult parseSymbol(OpAsmParser &parser, SmallVectorImpl<Attribute> &symbols) {
  StringRef name;
  llvm::SMLoc start = parser.getCurrentLocation();
  SymbolFacts facts;
  if (parser.parseKeyword(&name))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseInteger(facts.lo) || parser.parseKeyword("to"))
      return failure();
    if (failed(parser.parseOptionalStar()) && parser.parseInteger(facts.hi))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("by")) && parser.parseInteger(facts.divisor))
    return failure();
  symbols.push_back(parser.getChecked<SymbolAttr>(start, parser.getContext(), name, facts.lo,
                                                  facts.hi, facts.divisor));
  return success(symbols.back() != nullptr);
}

static ArrayAttr equalityAttr(MLIRContext *context, const DimExpr &lhs, const DimExpr &rhs) {
  return ArrayAttr::get(context,
                        {StringAttr::get(context, lhs.str()), StringAttr::get(context, rhs.str())});
}

static ParseResult parseEquality(OpAsmParser &parser, SmallVectorImpl<Attribute> &equalities) {
  DimExpr lhs = 0, rhs = 0;
  if (parseDim(parser, lhs) || parser.parseEqual() || parseDim(parser, rhs))
    return failure();
  equalities.push_back(equalityAttr(parser.getContext(), lhs, rhs));
  return success();
}

using ParseItem = ParseResult (*)(OpAsmParser &, SmallVectorImpl<Attribute> &);

/// Reads `KEYWORD(item, …)` into an attribute, or nothing.
static ParseResult parseOptionalClause(OpAsmParser &parser, OperationState &state,
                                       StringRef keyword, StringAttr attribute, ParseItem item) {
  SmallVector<Attribute> items;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return item(parser, items); }))
    return failure();
  state.addAttribute(attribute, parser.getBuilder().getArrayAttr(items));
  return success();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<Type> resultTypes;
  StringAttr name;
  bool variadic = false;
  (void)impl::parseOptionalVisibilityKeyword(parser, state.attributes);
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), state.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, variadic, resultTypes, resultAttrs) ||
      parseOptionalClause(parser, state, "symbols", getSymbolsAttrName(state.name), parseSymbol) ||
      parseOptionalClause(parser, state, "where", getEqualitiesAttrName(state.name),
                          parseEquality) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  auto inputs =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &a) { return a.type; });
  state.addAttribute(getFunctionTypeAttrName(state.name),
                     TypeAttr::get(parser.getBuilder().getFunctionType(inputs, resultTypes)));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), state, arguments, resultAttrs,
                                            getArgAttrsAttrName(state.name),
                                            getResAttrsAttrName(state.name));
  return parser.parseRegion(*state.addRegion(), arguments);
}

static void printSymbol(OpAsmPrinter &printer, SymbolAttr symbol) {
  printer << symbol.getName();
  if (symbol.getLo() != 0 || symbol.getHi() != INT64_MAX) {
    printer << ": " << symbol.getLo() << " to ";
    if (symbol.getHi() == INT64_MAX)
      printer << '*';
    else
      printer << symbol.getHi();
  }
  if (symbol.getDivisor() != 1)
    printer << " by " << symbol.getDivisor();
}

void FuncOp::print(OpAsmPrinter &printer) {
  if (auto visibility = getSymVisibility())
    printer << ' ' << *visibility;
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(),
                                                  /*isVariadic=*/false, getResultTypes());
  if (auto symbols = symbolList(); !symbols.empty()) {
    printer << " symbols(";
    llvm::interleaveComma(symbols, printer, [&](SymbolAttr s) { printSymbol(printer, s); });
    printer << ')';
  }
  if (auto equalities = getEqualities()) {
    printer << " where(";
    llvm::interleaveComma(*equalities, printer, [&](Attribute pair) {
      auto sides = cast<ArrayAttr>(pair);
      printer << cast<StringAttr>(sides[0]).getValue() << " = "
              << cast<StringAttr>(sides[1]).getValue();
    });
    printer << ')';
  }
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getSymVisibilityAttrName(), getFunctionTypeAttrName(), getArgAttrsAttrName(),
       getResAttrsAttrName(), getSymbolsAttrName(), getEqualitiesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// The clauses have the form that the text syntax gives them, also when they came in generic form.
static LogicalResult verifyClauses(FuncOp func) {
  for (Attribute symbol :
       func.getSymbolsAttr() ? func.getSymbolsAttr().getValue() : ArrayRef<Attribute>())
    if (!isa<SymbolAttr>(symbol))
      return func.emitOpError() << "has a symbol that is no #relay.symbol: " << symbol;
  for (Attribute pair :
       func.getEqualitiesAttr() ? func.getEqualitiesAttr().getValue() : ArrayRef<Attribute>()) {
    auto sides = dyn_cast<ArrayAttr>(pair);
    if (!sides || sides.size() != 2 || !isa<StringAttr>(sides[0]) || !isa<StringAttr>(sides[1]))
      return func.emitOpError() << "has an equality that is no pair of strings: " << pair;
  }
  return success();
}

LogicalResult FuncOp::verify() {
  if (failed(verifyClauses(*this)))
    return failure();
  for (Type type : llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (!isa<TensorType>(type))
      return emitOpError() << "takes and returns relay tensors, not " << type;
  Result<DimFacts> facts = dimFacts();
  if (!facts)
    return emitOpError() << message(facts.error());
  return verifySymbolsDetermined(*this);
}

LogicalResult FuncOp::verifyRegions() {
  if (getBody().front().empty() || !isa<ReturnOp>(getBody().front().back()))
    return emitOpError() << "must end with relay.return";
  return verifyScopes(*this);
}

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (getResults().size() != func.getResultTypes().size())
    return emitOpError() << "has " << getResults().size() << " values, but @" << func.getSymName()
                         << " returns " << func.getResultTypes().size();
  for (auto [i, value, type] : llvm::enumerate(getResults(), func.getResultTypes()))
    if (value.getType() != type)
      return emitOpError() << "value " << i << " is " << value.getType() << ", but @"
                           << func.getSymName() << " returns " << type;
  return success();
}

/// The `relay.name` in an argument's or result's attributes.
static StringRef nameIn(DictionaryAttr attrs) {
  auto name = attrs ? attrs.getAs<StringAttr>("relay.name") : StringAttr();
  return name ? name.getValue() : StringRef();
}

StringRef FuncOp::argName(unsigned i) { return nameIn(getArgAttrDict(i)); }
StringRef FuncOp::resultName(unsigned i) { return nameIn(getResultAttrDict(i)); }

/// All at once: each change of one argument's attributes makes a new array of all of them.
static SmallVector<DictionaryAttr> namesAsAttrs(MLIRContext *context, ArrayRef<StringRef> names) {
  Builder b(context);
  return llvm::map_to_vector(names, [&](StringRef name) {
    return b.getDictionaryAttr(b.getNamedAttr("relay.name", b.getStringAttr(name)));
  });
}

void FuncOp::setArgNames(ArrayRef<StringRef> names) {
  setAllArgAttrs(namesAsAttrs(getContext(), names));
}
void FuncOp::setResultNames(ArrayRef<StringRef> names) {
  setAllResultAttrs(namesAsAttrs(getContext(), names));
}

SmallVector<SymbolAttr> FuncOp::symbolList() {
  if (!getSymbols())
    return {};
  return llvm::map_to_vector(*getSymbols(), [](Attribute a) { return cast<SymbolAttr>(a); });
}

void FuncOp::addEquality(const DimExpr &lhs, const DimExpr &rhs) {
  SmallVector<Attribute> all;
  if (auto known = getEqualities())
    llvm::append_range(all, *known);
  all.push_back(equalityAttr(getContext(), lhs, rhs));
  setEqualitiesAttr(ArrayAttr::get(getContext(), all));
}

ReturnOp FuncOp::returnOp() { return cast<ReturnOp>(entry().getTerminator()); }

} // namespace imbrex::relay
