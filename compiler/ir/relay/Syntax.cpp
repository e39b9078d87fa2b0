#include "compiler/ir/relay/Syntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace imbrex::relay {

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

} // namespace imbrex::relay
