// tile.kernel and the operations that say where a block is: text form and verifiers.
#include "compiler/ir/tile/Tile.h"

#include <set>

using namespace mlir;

namespace imbrex::tile {

Result<Fact> parseFact(StringRef text) {
  for (StringRef relation : {"==", ">="}) {
    auto [left, right] = text.split(relation);
    if (left.size() == text.size())
      continue;
    Fact fact;
    fact.equal = relation == "==";
    for (auto [side, out] : {std::pair(left, &fact.left), std::pair(right, &fact.right)}) {
      auto parsed = DimExpr::parse(std::string_view(side.trim().data(), side.trim().size()));
      if (!parsed)
        return parsed.takeError();
      *out = parsed.take();
    }
    return fact;
  }
  return badInput(565, "'" + text.str() + "' is no fact about sizes",
                  "a fact is written a == b or a >= b", "one of the two");
}

Result<DimFacts> kernelFacts(KernelOp kernel) {
  DimFacts facts;
  for (auto size : kernel.getSizes().getAsRange<SizeParamAttr>()) {
    StringRef name = size.getName();
    if (auto s = facts.add(std::string_view(name.data(), name.size()),
                           {size.getLo(), size.getHi(), size.getDivisor()});
        !s)
      return s.takeError();
  }
  for (StringRef text : kernel.getAssumptions().getAsValueRange<StringAttr>()) {
    auto fact = parseFact(text);
    if (!fact)
      return fact.takeError();
    if (fact->equal)
      if (auto s = facts.addEquality(fact->left, fact->right); !s)
        return s.takeError();
  }
  return facts;
}

SmallVector<DimExpr> KernelOp::getGridDims() {
  return llvm::map_to_vector(getGrid(), [](Attribute a) { return toDim(a); });
}

std::string KernelOp::viewName(Value view) {
  auto argument = cast<BlockArgument>(view);
  if (auto name = argument.getLoc()->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "argument " + std::to_string(argument.getArgNumber());
}

//===-- Text ----------------------------------------------------------------===//

/// Reads `n: 1 to 64 by 8`; the limits and the divisor may be left out.
static ParseResult parseSizeParam(OpAsmParser &parser, SmallVectorImpl<Attribute> &sizes) {
  StringRef name;
  llvm::SMLoc start = parser.getCurrentLocation();
  int64_t lo = 0, hi = kUsualMaxSize, divisor = 1;
  if (parser.parseKeyword(&name))
    return failure();
  if (succeeded(parser.parseOptionalColon()) &&
      (parser.parseInteger(lo) || parser.parseKeyword("to") || parser.parseInteger(hi)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("by")) && parser.parseInteger(divisor))
    return failure();
  sizes.push_back(
      parser.getChecked<SizeParamAttr>(start, parser.getContext(), name, lo, hi, divisor));
  return success(sizes.back() != nullptr);
}

static ParseResult parseStrings(OpAsmParser &parser, SmallVectorImpl<Attribute> &list) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    list.push_back(parser.getBuilder().getStringAttr(text));
    return success();
  });
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> sizes, assumptions, checks;
  SmallVector<DimExpr> grid;
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name), state.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("sizes")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return parseSizeParam(parser, sizes); }))
    return failure();
  if (parser.parseKeyword("grid") || parseDims(parser, grid))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("assume")) && failed(parseStrings(parser, assumptions)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("checks")) && failed(parseStrings(parser, checks)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("deny_in_kernel_checks")))
    state.addAttribute(getDenyInKernelChecksAttrName(state.name),
                       parser.getBuilder().getUnitAttr());
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Builder &b = parser.getBuilder();
  state.addAttribute(getSizesAttrName(state.name), b.getArrayAttr(sizes));
  state.addAttribute(getGridAttrName(state.name), b.getArrayAttr(toSizes(b.getContext(), grid)));
  state.addAttribute(getAssumptionsAttrName(state.name), b.getArrayAttr(assumptions));
  state.addAttribute(getChecksAttrName(state.name), b.getArrayAttr(checks));
  // The names in the text are those of the diagnostics.
  for (OpAsmParser::Argument &a : arguments)
    a.sourceLoc = NameLoc::get(b.getStringAttr(a.ssaName.name.drop_front()),
                               parser.getEncodedSourceLoc(a.ssaName.location));
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, b, state.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getViews(), printer, [&](BlockArgument a) {
    printer.printRegionArgument(a, {}, /*omitType=*/false);
  });
  printer << ')';
  if (!getSizes().empty()) {
    printer << " sizes (";
    llvm::interleaveComma(getSizes().getAsRange<SizeParamAttr>(), printer, [&](SizeParamAttr s) {
      printer << s.getName();
      if (s.getLo() != 0 || s.getHi() != kUsualMaxSize)
        printer << ": " << s.getLo() << " to " << s.getHi();
      if (s.getDivisor() != 1)
        printer << " by " << s.getDivisor();
    });
    printer << ')';
  }
  printer << " grid ";
  printDims(printer.getStream(), getGrid().getValue());
  if (!getAssumptions().empty())
    printer << " assume " << getAssumptions();
  if (!getChecks().empty())
    printer << " checks " << getChecks();
  if (getDenyInKernelChecks())
    printer << " deny_in_kernel_checks";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSymNameAttrName(), getSizesAttrName(),
                                            getGridAttrName(), getAssumptionsAttrName(),
                                            getChecksAttrName(), getDenyInKernelChecksAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===-- Verifiers -----------------------------------------------------------===//

/// Every symbol of `dim` is a size of the kernel.
static LogicalResult knows(KernelOp kernel, const DimExpr &dim, StringRef what,
                           llvm::function_ref<InFlightDiagnostic()> emit) {
  if (!dim.valid())
    return emit() << what << " leaves the range of 64-bit integers";
  for (const std::string &name : dim.symbols())
    if (!llvm::any_of(kernel.getSizes().getAsRange<SizeParamAttr>(),
                      [&](SizeParamAttr s) { return s.getName() == name; }))
      return emit() << what << " mentions '" << name << "', which is no size of the kernel";
  return success();
}

LogicalResult KernelOp::verify() {
  std::set<StringRef> names;
  for (Attribute a : getSizes()) {
    auto size = dyn_cast<SizeParamAttr>(a);
    if (!size)
      return emitOpError("has a size that is no #tile.size_param: ") << a;
    if (!names.insert(size.getName()).second)
      return emitOpError("names the size '") << size.getName() << "' twice";
  }
  auto emit = [&] { return emitOpError(); };
  for (Attribute a : getGrid()) {
    if (!isa<IntegerAttr, StringAttr>(a))
      return emitOpError("has a grid extent that is no size: ") << a;
    if (failed(knows(*this, toDim(a), "the grid", emit)))
      return failure();
  }
  for (BlockArgument view : getViews()) {
    auto type = dyn_cast<ViewType>(view.getType());
    if (!type)
      return emitOpError("takes views, but ") << viewName(view) << " is of type " << view.getType();
    for (const DimExpr &dim : llvm::concat<const DimExpr>(type.getDims(), type.getStrideDims()))
      if (failed(knows(*this, dim, "the type of " + viewName(view), emit)))
        return failure();
  }
  for (ArrayAttr list : {getAssumptions(), getChecks()})
    for (StringRef text : list.getAsValueRange<StringAttr>()) {
      auto fact = parseFact(text);
      if (!fact)
        return emitOpError(message(fact.error()));
      for (const DimExpr &side : {fact->left, fact->right})
        if (failed(knows(*this, side, "the fact '" + text.str() + "'", emit)))
          return failure();
    }
  auto facts = kernelFacts(*this);
  if (!facts)
    return emitOpError("no launch satisfies its sizes: ") << message(facts.error());
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  // What else stands in a kernel must be free of memory and calls.
  auto result = getBody().walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    bool known = isa<TileDialect>(op->getDialect()) || dialect == "arith" || dialect == "math" ||
                 isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op);
    if (known)
      return WalkResult::advance();
    op->emitOpError("does not belong into a kernel; kernels are made of tile, arith, math, scf.for "
                    "and scf.if");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static KernelOp kernelOf(Operation *op) { return op->getParentOfType<KernelOp>(); }

LogicalResult BlockOp::verify() {
  KernelOp kernel = kernelOf(*this);
  if (!kernel)
    return emitOpError("stands outside a tile.kernel");
  if (getAxis() >= kernel.getGrid().size())
    return emitOpError("asks for axis ")
           << getAxis() << " of a grid of " << kernel.getGrid().size();
  return success();
}

LogicalResult SizeOp::verify() {
  KernelOp kernel = kernelOf(*this);
  if (!kernel)
    return emitOpError("stands outside a tile.kernel");
  StringRef text = getValue();
  auto dim = DimExpr::parse(std::string_view(text.data(), text.size()));
  if (!dim)
    return emitOpError(message(dim.error()));
  return knows(kernel, *dim, "it", [&] { return emitOpError(); });
}

LogicalResult UnravelOp::verify() {
  KernelOp kernel = kernelOf(*this);
  if (!kernel)
    return emitOpError("stands outside a tile.kernel");
  if (getExtents().size() != getNumResults() || getNumResults() == 0)
    return emitOpError("has ") << getExtents().size() << " extents for " << getNumResults()
                               << " coordinates";
  if (getGroup() && getNumResults() != 2)
    return emitOpError("visits groups of rows, which takes two axes, not ") << getNumResults();
  for (StringRef text : getExtents().getAsValueRange<StringAttr>()) {
    auto dim = DimExpr::parse(std::string_view(text.data(), text.size()));
    if (!dim)
      return emitOpError(message(dim.error()));
    if (failed(knows(kernel, *dim, "an extent", [&] { return emitOpError(); })))
      return failure();
  }
  return success();
}

LogicalResult EachPieceOp::verify() {
  KernelOp kernel = kernelOf(*this);
  if (!kernel)
    return emitOpError("stands outside a tile.kernel");
  if (kernel.getGrid().size() != 1)
    return emitOpError("deals pieces out to the blocks of one axis, but the grid has ")
           << kernel.getGrid().size();
  ViewType view = getView().getType();
  if (view.getAccess() != Access::write && view.getAccess() != Access::update)
    return emitOpError("mints pieces of a view that the kernel does not own (")
           << stringifyAccess(view.getAccess()) << ")";
  if (static_cast<int64_t>(getTile().size()) != view.getRank())
    return emitOpError("cuts a view of ")
           << view.getRank() << " axes with a tile of " << getTile().size();
  if (llvm::any_of(getTile(), [](int64_t t) { return t < 1; }))
    return emitOpError("has a tile extent that is not positive");
  if (getGroup() && view.getRank() != 2)
    return emitOpError("visits groups of rows, which takes two axes, not ") << view.getRank();
  Block &body = getBody().front();
  if (static_cast<int64_t>(body.getNumArguments()) != view.getRank() ||
      !llvm::all_of(body.getArgumentTypes(), [](Type t) { return t.isIndex(); }))
    return emitOpError("gives its body one index for each axis of the view");
  for (Operation *parent = (*this)->getParentOp(); parent != kernel; parent = parent->getParentOp())
    return emitOpError("stands within another operation; its pieces would be dealt out again");
  return success();
}

LogicalResult UnsafeOp::verify() {
  if (!kernelOf(*this))
    return emitOpError("stands outside a tile.kernel");
  if (getReason().trim().empty())
    return emitOpError("gives no reason why its accesses are right");
  return success();
}

} // namespace imbrex::tile
