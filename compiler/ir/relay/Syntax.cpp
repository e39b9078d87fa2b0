#include "compiler/ir/relay/Syntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace imbrex::relay {

/// Takes one token of a dimension; `depth` counts open parentheses. False when the next token is no
/// part.
static bool takeDimToken(AsmParser &parser, int &depth) {
  StringRef word;
  APInt number;
  if (succeeded(parser.parseOptionalKeyword(&word)) || succeeded(parser.parseOptionalPlus()) ||
      succeeded(parser.parseOptionalMinus()) || succeeded(parser.parseOptionalStar()))
    return true;
  if (succeeded(parser.parseOptionalLParen()))
    return ++depth, true;
  if (depth > 0 && succeeded(parser.parseOptionalRParen()))
    return --depth, true;
  if (depth > 0 && succeeded(parser.parseOptionalComma()))
    return true;
  if (auto parsed = parser.parseOptionalDecimalInteger(number); parsed.has_value())
    return succeeded(*parsed);
  // A symbol may be called `i32`, which is a type's token.
  Type type;
  auto parsed = parser.parseOptionalType(type);
  return parsed.has_value() && succeeded(*parsed) && isa<IntegerType>(type);
}

ParseResult parseDim(AsmParser &parser, DimExpr &dim) {
  llvm::SMLoc start = parser.getCurrentLocation();
  int depth = 0;
  while (takeDimToken(parser, depth))
    ;
  const char *end = parser.getCurrentLocation().getPointer();
  StringRef text = StringRef(start.getPointer(), end - start.getPointer()).trim();
  if (text.empty())
    return parser.emitError(start, "expected a dimension: a number or an expression over symbols");
  Result<DimExpr> parsed = DimExpr::parse(std::string_view(text.data(), text.size()));
  if (!parsed)
    return parser.emitError(start) << message(parsed.error());
  dim = parsed.take();
  if (!dim.valid())
    return parser.emitError(start, "the dimension leaves the range of 64-bit integers");
  return success();
}

ParseResult parseNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> list;
  auto one = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    list.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, one))
    return failure();
  names = parser.getBuilder().getArrayAttr(list);
  return success();
}

void printNames(OpAsmPrinter &printer, Operation *, ArrayAttr names) {
  printer << '(';
  llvm::interleaveComma(names.getAsValueRange<StringAttr>(), printer,
                        [&](StringRef name) { printer.printKeywordOrString(name); });
  printer << ')';
}

ParseResult parseOptionalNames(OpAsmParser &parser, OperationState &state, StringRef keyword,
                               StringAttr attribute) {
  ArrayAttr names;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parseNames(parser, names))
    return failure();
  state.addAttribute(attribute, names);
  return success();
}

void printOptionalNames(OpAsmPrinter &printer, StringRef keyword, std::optional<ArrayAttr> names) {
  if (!names)
    return;
  printer << ' ' << keyword;
  printNames(printer, nullptr, *names);
}

ParseResult parseOptionalResultTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                        [&] { return parser.parseType(types.emplace_back()); });
}

void printOptionalResultTypes(OpAsmPrinter &printer, TypeRange types) {
  if (!types.empty())
    printer << " -> (" << types << ')';
}

LogicalResult verifyBoundNames(Operation *op, StringRef what, std::optional<ArrayAttr> names,
                               TypeRange types) {
  llvm::StringSet<> seen;
  for (StringRef name : namesOf(names)) {
    if (!seen.insert(name).second)
      return op->emitOpError() << what << " names '" << name << "' twice";
    bool whole = llvm::any_of(types, [&](Type type) {
      auto tensor = dyn_cast<TensorType>(type);
      return tensor && llvm::any_of(tensor.getSizes(), [&](Attribute size) {
               auto text = dyn_cast<StringAttr>(size);
               return text && text.getValue() == name;
             });
    });
    if (!whole)
      return op->emitOpError()
             << what << " names '" << name
             << "', but no type has it as a whole dimension; its value could not be "
                "read off";
  }
  return success();
}

SmallVector<StringRef> namesOf(std::optional<ArrayAttr> names) {
  SmallVector<StringRef> list;
  if (names)
    for (StringRef name : names->getAsValueRange<StringAttr>())
      list.push_back(name);
  return list;
}

std::string message(const Error &error) {
  std::string text = error.what;
  if (!error.because.empty())
    text += "; because " + error.because;
  if (!error.remedy.empty())
    text += "; try " + error.remedy;
  return text;
}

} // namespace imbrex::relay
