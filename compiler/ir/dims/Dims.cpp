#include "compiler/ir/dims/Dims.h"

using namespace mlir;

namespace imbrex {

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

ParseResult parseDims(AsmParser &parser, SmallVectorImpl<DimExpr> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    dims.push_back(0);
    return parseDim(parser, dims.back());
  });
}

void printDims(llvm::raw_ostream &out, ArrayRef<Attribute> sizes) {
  out << '[';
  llvm::interleaveComma(sizes, out, [&](Attribute size) {
    if (auto constant = dyn_cast<IntegerAttr>(size))
      out << constant.getInt();
    else
      out << cast<StringAttr>(size).getValue();
  });
  out << ']';
}

SmallVector<Attribute> toSizes(MLIRContext *context, ArrayRef<DimExpr> dims) {
  SmallVector<Attribute> sizes;
  for (const DimExpr &dim : dims) {
    if (auto size = dim.constant())
      sizes.push_back(IntegerAttr::get(IntegerType::get(context, 64), *size));
    else
      sizes.push_back(StringAttr::get(context, dim.valid() ? dim.str() : ""));
  }
  return sizes;
}

DimExpr toDim(Attribute size) {
  if (auto constant = dyn_cast<IntegerAttr>(size))
    return constant.getInt();
  StringRef text = cast<StringAttr>(size).getValue();
  Result<DimExpr> dim = DimExpr::parse(std::string_view(text.data(), text.size()));
  // A type that its verifier refuses has such a dimension; nobody computes with it.
  return dim ? dim.take() : DimExpr(INT64_MAX) * DimExpr(INT64_MAX);
}

std::string message(const Error &error) {
  std::string text = error.what;
  if (!error.because.empty())
    text += "; because " + error.because;
  if (!error.remedy.empty())
    text += "; try " + error.remedy;
  return text;
}

} // namespace imbrex
