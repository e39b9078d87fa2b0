// Text form of relay.apply: attributes are read by the kinds that the operator declares.
#include "compiler/ir/relay/Syntax.h"

using namespace mlir;

namespace imbrex::relay {
using opmeaning::AttrDecl;
using opmeaning::AttrKind;

static const opmeaning::Operator *lookup(StringRef name) {
  return opmeaning::findOperator(std::string_view(name.data(), name.size()));
}

static ParseResult parseReal(OpAsmParser &parser, double &value) {
  return parser.parseFloat(value);
}
static ParseResult parseInt(OpAsmParser &parser, int64_t &value) {
  return parser.parseInteger(value);
}

template <class T>
static ParseResult parseList(OpAsmParser &parser, SmallVectorImpl<T> &list,
                             ParseResult (*one)(OpAsmParser &, T &)) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                        [&] { return one(parser, list.emplace_back()); });
}

/// Reads one attribute value of a given kind.
static ParseResult parseValue(OpAsmParser &parser, AttrKind kind, Attribute &attr) {
  mlir::Builder &b = parser.getBuilder();
  int64_t integer = 0;
  double real = 0;
  std::string text;
  SmallVector<int64_t> integers;
  SmallVector<double> reals;
  Type type;
  switch (kind) {
  case AttrKind::Int:
    return parseInt(parser, integer) ? failure() : (attr = b.getI64IntegerAttr(integer), success());
  case AttrKind::Real:
    return parseReal(parser, real) ? failure() : (attr = b.getF64FloatAttr(real), success());
  case AttrKind::String:
    return parser.parseString(&text) ? failure() : (attr = b.getStringAttr(text), success());
  case AttrKind::Ints:
    return parseList(parser, integers, parseInt)
               ? failure()
               : (attr = b.getDenseI64ArrayAttr(integers), success());
  case AttrKind::Reals:
    return parseList(parser, reals, parseReal) ? failure()
                                               : (attr = b.getDenseF64ArrayAttr(reals), success());
  case AttrKind::Type:
    if (succeeded(parser.parseOptionalKeyword("none")))
      return attr = b.getUnitAttr(), success();
    return parser.parseType(type) ? failure() : (attr = TypeAttr::get(type), success());
  }
  return failure();
}

namespace {
struct ValuePrinter {
  OpAsmPrinter &p;
  MLIRContext *context;
  void operator()(int64_t v) { p << v; }
  void operator()(double v) { p.printFloat(APFloat(v)); }
  void operator()(const std::string &v) { p.printString(v); }
  void operator()(const std::vector<int64_t> &v) { list(v); }
  void operator()(const std::vector<double> &v) { list(v); }
  void operator()(DType v) {
    if (v == DType::Invalid)
      p << "none";
    else
      p << toMlirType(context, v);
  }
  template <class T> void list(const std::vector<T> &v) {
    p << '[';
    llvm::interleaveComma(v, p, [&](const T &element) { (*this)(element); });
    p << ']';
  }
};
} // namespace

static ParseResult parseOperatorAttrs(OpAsmParser &parser, const opmeaning::Operator &op,
                                      DictionaryAttr &dictionary) {
  NamedAttrList given;
  llvm::SMLoc start = parser.getCurrentLocation();
  auto entry = [&]() -> ParseResult {
    std::string name;
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    auto decl = llvm::find_if(op.attrs, [&](const AttrDecl &d) { return d.name == name; });
    if (decl == op.attrs.end())
      return parser.emitError(place)
             << "operator '" << op.name << "' has no attribute '" << name << "'";
    Attribute value;
    if (parseValue(parser, decl->kind, value))
      return failure();
    if (given.set(name, value))
      return parser.emitError(place) << "attribute '" << name << "' is given twice";
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalBraces, entry))
    return failure();
  Result<opmeaning::Attrs> attrs = toAttrs(given.getDictionary(parser.getContext()));
  if (!attrs)
    return parser.emitError(start) << message(attrs.error());
  Result<opmeaning::Attrs> complete = opmeaning::completeAttrs(op, attrs.take());
  if (!complete)
    return parser.emitError(start) << message(complete.error());
  dictionary = toDictionary(parser.getContext(), *complete);
  return success();
}

/// Reads `(%x, _, %w)`; positions of `_` go to `absent`.
static ParseResult parseOperands(OpAsmParser &parser,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                                 SmallVectorImpl<int32_t> &absent) {
  int32_t position = 0;
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    int32_t here = position++;
    if (succeeded(parser.parseOptionalKeyword("_"))) {
      absent.push_back(here);
      return success();
    }
    return parser.parseOperand(operands.emplace_back());
  });
}

ParseResult ApplyOp::parse(OpAsmParser &parser, OperationState &state) {
  std::string name;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<int32_t> absent;
  DictionaryAttr attrs;
  FunctionType type;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseString(&name))
    return failure();
  const opmeaning::Operator *op = lookup(name);
  if (!op)
    return parser.emitError(start) << "there is no operator '" << name << "'";
  llvm::SMLoc operandsStart = parser.getCurrentLocation();
  if (parseOperands(parser, operands, absent) || parseOperatorAttrs(parser, *op, attrs) ||
      parseOptionalNames(parser, state, "opens", getOpensAttrName(state.name)) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), operandsStart, state.operands))
    return failure();
  state.addAttribute(getOperatorNameAttrName(state.name), parser.getBuilder().getStringAttr(name));
  state.addAttribute(getOperatorAttrsAttrName(state.name), attrs);
  if (!absent.empty())
    state.addAttribute(getAbsentAttrName(state.name),
                       parser.getBuilder().getDenseI32ArrayAttr(absent));
  state.addTypes(type.getResults());
  return success();
}

static void printOperatorAttrs(OpAsmPrinter &printer, ApplyOp apply) {
  const opmeaning::Operator *op = lookup(apply.getOperatorName());
  Result<opmeaning::Attrs> attrs = toAttrs(apply.getOperatorAttrs());
  if (!op || !attrs)
    return; // not verified; what is there cannot be read back in this form anyway
  for (const AttrDecl &decl : op->attrs)
    if (decl.fallback) {
      auto found = attrs->values.find(decl.name);
      if (found != attrs->values.end() && found->second == *decl.fallback)
        attrs->values.erase(found);
    }
  if (attrs->values.empty())
    return;
  printer << " {";
  llvm::interleaveComma(attrs->values, printer, [&](const auto &entry) {
    printer << entry.first << " = ";
    std::visit(ValuePrinter{printer, apply.getContext()}, entry.second);
  });
  printer << '}';
}

void ApplyOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printString(getOperatorName());
  printer << '(';
  llvm::interleaveComma(operatorOperands(), printer, [&](Value operand) {
    if (operand)
      printer << operand;
    else
      printer << '_';
  });
  printer << ')';
  printOperatorAttrs(printer, *this);
  printOptionalNames(printer, "opens", getOpens());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getOperatorNameAttrName(), getOperatorAttrsAttrName(),
                                            getAbsentAttrName(), getOpensAttrName()});
  printer << " : ";
  printer.printFunctionalType(getInputs().getTypes(), getResults().getTypes());
}

} // namespace imbrex::relay
