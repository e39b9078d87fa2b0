#include "compiler/reference/TileInterpreter.h"

#include "compiler/reference/TileMemory.h"
#include "compiler/reference/TileValues.h"

namespace imbrex::tile {

using namespace mlir;

SmallVector<Operation *> inKernelChecks(KernelOp kernel) {
  SmallVector<Operation *> checks;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto gather = dyn_cast<GatherOp>(op);
    if (isa<CheckOp>(op) || (gather && gather.getChecked()))
      checks.push_back(op);
  });
  return checks;
}

namespace {

/// One run. A failure is kept in `failure` and unwinds through the `bool`s.
class Interpreter {
public:
  Interpreter(KernelOp kernel, const SizeValues &sizes, const TileRunOptions &options)
      : kernel(kernel), sizes(sizes), budget(options.maxSteps), checks(inKernelChecks(kernel)) {}

  Result<TileRun> run(std::vector<ViewBytes> &memory, ArrayRef<int64_t> order);

private:
  bool fail(Error error) {
    if (!failure)
      failure = std::move(error);
    return false;
  }
  bool bad(Operation *op, const Twine &what);
  bool spend(int64_t steps);
  std::optional<int64_t> size(const DimExpr &dim);

  bool runBody(Block &body);
  bool runOp(Operation *op);
  bool runPlace(Operation *op);
  bool runMemory(Operation *op);
  bool runRaw(Operation *op);
  bool runControl(Operation *op);
  bool runElementwise(Operation *op);
  bool eachPiece(EachPieceOp op);
  bool unravel(Operation *op, int64_t flat, ArrayRef<int64_t> extents, std::optional<int64_t> group,
               SmallVectorImpl<int64_t> &at);
  bool gather(GatherOp op);
  bool loop(scf::ForOp op);
  bool checkFailed(Operation *op);

  ViewMemory &view(Value v) { return views[cast<BlockArgument>(v).getArgNumber()]; }
  int64_t whole(Value v) { return values.at(v).data[0].whole; }
  SmallVector<int64_t> wholes(ValueRange range) {
    return llvm::map_to_vector(range, [&](Value v) { return whole(v); });
  }
  void setWhole(Value v, int64_t n) { values[v] = {{}, {wholeElement(v.getType(), n)}}; }
  /// Calls `visit(n, place)` for each element of a tile at `origin` of a view.
  void forEach(RankedTensorType tile, ArrayRef<int64_t> origin,
               function_ref<void(size_t, ArrayRef<int64_t>)> visit);
  /// Where a tile at tile coordinates starts; those out of range are reported.
  SmallVector<int64_t> origin(Operation *op, Value v, RankedTensorType tile, ValueRange indices,
                              bool wholeTiles);
  Element padOf(std::optional<TypedAttr> pad, Type type) {
    return pad ? constantElement(*pad) : Element{};
  }

  KernelOp kernel;
  const SizeValues &sizes;
  int64_t budget;
  SmallVector<Operation *> checks;
  std::vector<ViewMemory> views;
  DenseMap<Value, Elements> values;
  SmallVector<int64_t> block, grid;
  int64_t point = 0;
  bool stopped = false; // a check failed in this block
  TileRun out;
  std::optional<Error> failure;
};

bool Interpreter::bad(Operation *op, const Twine &what) {
  ++out.badAccesses;
  if (out.firstBad.size() < 8) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << op->getName() << " at " << op->getLoc() << " in block " << point << ": " << what;
    out.firstBad.push_back(text);
  }
  return true;
}

bool Interpreter::spend(int64_t steps) {
  budget -= steps;
  return budget >= 0 ||
         fail(badInput(545, "the kernel takes more steps than the interpreter may do"));
}

std::optional<int64_t> Interpreter::size(const DimExpr &dim) {
  auto value = dim.evaluate(sizes);
  if (value)
    return *value;
  fail(value.takeError());
  return std::nullopt;
}

Result<TileRun> Interpreter::run(std::vector<ViewBytes> &memory, ArrayRef<int64_t> order) {
  if (memory.size() != kernel.getViews().size())
    return badInput(545, "the kernel takes " + std::to_string(kernel.getViews().size()) +
                             " views, not " + std::to_string(memory.size()));
  for (auto [argument, bytes] : llvm::zip_equal(kernel.getViews(), memory)) {
    auto view = ViewMemory::make(cast<ViewType>(argument.getType()), sizes, bytes);
    if (!view)
      return view.takeError();
    views.push_back(view.take());
  }
  int64_t points = 1;
  for (const DimExpr &dim : kernel.getGridDims()) {
    auto extent = size(dim);
    if (!extent)
      return *failure;
    grid.push_back(std::max<int64_t>(*extent, 0));
    if (__builtin_mul_overflow(points, grid.back(), &points))
      return badInput(545, "the grid has more than 2^63 blocks");
  }
  if (!order.empty() && static_cast<int64_t>(order.size()) != points)
    return badInput(545, "an order of " + std::to_string(order.size()) + " blocks for a grid of " +
                             std::to_string(points));
  for (int64_t n = 0; n < points; ++n) {
    point = order.empty() ? n : order[static_cast<size_t>(n)];
    block.assign(grid.size(), 0);
    for (int64_t d = static_cast<int64_t>(grid.size()) - 1, rest = point; d >= 0; rest /= grid[d--])
      block[d] = rest % grid[d];
    stopped = false;
    values.clear();
    if (!spend(1) || !runBody(kernel.getBody().front()))
      return *failure;
  }
  for (ViewMemory &view : views)
    out.views.push_back(view.takeUses());
  return std::move(out);
}

bool Interpreter::runBody(Block &body) {
  for (Operation &op : body) {
    if (stopped)
      return true;
    if (!op.hasTrait<OpTrait::IsTerminator>() && !runOp(&op))
      return false;
  }
  return true;
}

bool Interpreter::runOp(Operation *op) {
  for (Value result : op->getResults())
    if (auto tile = dyn_cast<RankedTensorType>(result.getType()))
      if (!spend(tile.getNumElements()))
        return false;
  if (isa<BlockOp, SizeOp, UnravelOp, CheckOp>(op))
    return runPlace(op);
  if (isa<LoadOp, WindowOp, GatherOp, ReadOp, StoreOp, AtomicAddOp>(op))
    return runMemory(op);
  if (isa<RawLoadOp, RawStoreOp>(op))
    return runRaw(op);
  if (isa<EachPieceOp, UnsafeOp, scf::ForOp, scf::IfOp>(op))
    return runControl(op);
  if (isa<TileDialect>(op->getDialect())) {
    auto operands = llvm::map_to_vector(op->getOperands(),
                                        [&](Value v) -> const Elements * { return &values.at(v); });
    if (auto mma = dyn_cast<MmaOp>(op))
      if (!spend(mma.getResult().getType().getNumElements() *
                 mma.getLeft().getType().getDimSize(1)))
        return false;
    auto result = computeTile(op, operands);
    if (!result)
      return fail(unsupported(546, op->getName().getStringRef().str() + " has no meaning here"));
    values[op->getResult(0)] = std::move(*result);
    return true;
  }
  return runElementwise(op);
}

//===-- Where the block is --------------------------------------------------===//

bool Interpreter::checkFailed(Operation *op) {
  stopped = true;
  if (out.failedCheck == 0)
    out.failedCheck = 1 + static_cast<int32_t>(llvm::find(checks, op) - checks.begin());
  return true;
}

/// Coordinates from a flat number: row-major, or in groups of `group` rows, column by column.
bool Interpreter::unravel(Operation *op, int64_t flat, ArrayRef<int64_t> extents,
                          std::optional<int64_t> group, SmallVectorImpl<int64_t> &at) {
  __int128 total = 1;
  for (int64_t e : extents)
    total *= std::max<int64_t>(e, 0);
  at.assign(extents.size(), 0);
  if (flat < 0 || flat >= total)
    return bad(op, Twine(flat) + " is no number of a place");
  if (group) {
    int64_t first = flat / (*group * extents[1]) * *group;
    int64_t rows = std::min(*group, extents[0] - first), within = flat - first * extents[1];
    at[0] = first + within % rows;
    at[1] = within / rows;
    return true;
  }
  for (size_t d = extents.size(); d-- > 0; flat /= extents[d])
    at[d] = flat % extents[d];
  return true;
}

bool Interpreter::runPlace(Operation *op) {
  if (auto b = dyn_cast<BlockOp>(op)) {
    setWhole(b.getResult(), block[b.getAxis()]);
    return true;
  }
  if (auto check = dyn_cast<CheckOp>(op))
    return whole(check.getCondition()) ? true : checkFailed(op);
  auto sizeOf = [&](StringRef text) -> std::optional<int64_t> {
    auto dim = DimExpr::parse(std::string_view(text.data(), text.size()));
    if (dim)
      return size(*dim);
    fail(dim.takeError());
    return std::nullopt;
  };
  if (auto s = dyn_cast<SizeOp>(op)) {
    auto n = sizeOf(s.getValue());
    if (n)
      setWhole(s.getResult(), *n);
    return n.has_value();
  }
  auto u = cast<UnravelOp>(op);
  SmallVector<int64_t> extents, at;
  for (StringRef text : u.getExtents().getAsValueRange<StringAttr>()) {
    auto n = sizeOf(text);
    if (!n)
      return false;
    extents.push_back(*n);
  }
  if (!unravel(op, whole(u.getFlat()), extents, u.getGroup(), at))
    return false;
  for (auto [result, n] : llvm::zip_equal(u.getResults(), at))
    setWhole(result, n);
  return true;
}

bool Interpreter::eachPiece(EachPieceOp op) {
  SmallVector<int64_t> extents, at;
  __int128 total = 1;
  for (auto [extent, tile] : llvm::zip_equal(view(op.getView()).extents(), op.getTile())) {
    extents.push_back((extent + tile - 1) / tile);
    total *= extents.back();
  }
  for (int64_t piece = block[0]; piece < total; piece += grid[0]) {
    if (!spend(1) || !unravel(op, piece, extents, op.getGroup(), at))
      return false;
    for (auto [argument, n] : llvm::zip_equal(op.getBody().getArguments(), at))
      setWhole(argument, n);
    if (!runBody(op.getBody().front()))
      return false;
  }
  return true;
}

bool Interpreter::loop(scf::ForOp op) {
  int64_t lo = whole(op.getLowerBound()), hi = whole(op.getUpperBound()),
          step = whole(op.getStep());
  if (step <= 0)
    return bad(op, "a loop's step of " + Twine(step));
  SmallVector<Elements> carried;
  for (Value v : op.getInitArgs())
    carried.push_back(values.at(v));
  for (int64_t i = lo; i < hi && !stopped;) {
    if (!spend(1))
      return false;
    setWhole(op.getInductionVar(), i);
    for (auto [argument, value] : llvm::zip_equal(op.getRegionIterArgs(), carried))
      values[argument] = value;
    if (!runBody(*op.getBody()))
      return false;
    if (stopped)
      return true;
    for (auto [value, next] :
         llvm::zip_equal(carried, op.getBody()->getTerminator()->getOperands()))
      value = values.at(next);
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    values[result] = value;
  return true;
}

bool Interpreter::runControl(Operation *op) {
  if (auto piece = dyn_cast<EachPieceOp>(op))
    return eachPiece(piece);
  if (auto region = dyn_cast<UnsafeOp>(op))
    return runBody(region.getBody().front());
  if (auto each = dyn_cast<scf::ForOp>(op))
    return loop(each);
  auto choice = cast<scf::IfOp>(op);
  Region &taken = whole(choice.getCondition()) ? choice.getThenRegion() : choice.getElseRegion();
  if (taken.empty())
    return true;
  if (!runBody(taken.front()))
    return false;
  if (!stopped)
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), taken.front().getTerminator()->getOperands())) {
      Elements copy = values.at(value);
      values[result] = std::move(copy);
    }
  return true;
}

//===-- Memory --------------------------------------------------------------===//

void Interpreter::forEach(RankedTensorType tile, ArrayRef<int64_t> origin,
                          function_ref<void(size_t, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> at(origin);
  for (int64_t n = 0; n < tile.getNumElements(); ++n) {
    int64_t rest = n;
    for (int64_t d = tile.getRank() - 1; d >= 0; rest /= tile.getDimSize(d--))
      at[d] = static_cast<int64_t>(uint64_t(origin[d]) + uint64_t(rest % tile.getDimSize(d)));
    visit(static_cast<size_t>(n), at);
  }
}

SmallVector<int64_t> Interpreter::origin(Operation *op, Value v, RankedTensorType tile,
                                         ValueRange indices, bool wholeTiles) {
  SmallVector<int64_t> start;
  for (auto [d, value] : llvm::enumerate(indices)) {
    // The first axes of a gather are not given: the tile's last axes match.
    size_t axis = d + static_cast<size_t>(tile.getRank()) - indices.size();
    int64_t i = whole(value), t = tile.getDimSize(static_cast<unsigned>(axis));
    int64_t extent = view(v).extents()[axis], first;
    bool wraps = __builtin_mul_overflow(i, t, &first);
    if (wraps || i < 0 || i >= (extent + t - 1) / t)
      bad(op, "tile " + Twine(i) + " of axis " + Twine(axis) + ", which has " +
                  Twine((extent + t - 1) / t));
    else if (wholeTiles && extent - first < t)
      bad(op, "tile " + Twine(i) + " of axis " + Twine(axis) + " is not whole");
    start.push_back(wraps ? -kMaxTileElems : first);
  }
  return start;
}

bool Interpreter::gather(GatherOp op) {
  RankedTensorType type = op.getResult().getType();
  ViewMemory &memory = view(op.getView());
  const Elements &rows = values.at(op.getRows());
  if (op.getChecked())
    for (const Element &row : rows.data)
      if (row.whole < 0 || row.whole >= memory.extents()[0])
        return checkFailed(op);
  SmallVector<int64_t> start = origin(op, op.getView(), type, op.getIndices(), false);
  start.insert(start.begin(), 0);
  Elements tile{type.getShape().vec(), {}};
  forEach(type, start, [&](size_t, ArrayRef<int64_t> at) {
    SmallVector<int64_t> place(at);
    place[0] = rows.data[static_cast<size_t>(at[0])].whole;
    tile.data.push_back(memory.contains(place) ? memory.read(place, point)
                                               : padOf(op.getPad(), type.getElementType()));
  });
  values[op.getResult()] = std::move(tile);
  return true;
}

bool Interpreter::runMemory(Operation *op) {
  auto load = [&](Value from, RankedTensorType type, ArrayRef<int64_t> start, Element pad) {
    Elements tile{type.getShape().vec(), {}};
    forEach(type, start, [&](size_t, ArrayRef<int64_t> at) {
      tile.data.push_back(view(from).contains(at) ? view(from).read(at, point) : pad);
    });
    values[op->getResult(0)] = std::move(tile);
    return true;
  };
  if (auto l = dyn_cast<LoadOp>(op)) {
    RankedTensorType type = l.getResult().getType();
    return load(l.getView(), type, origin(op, l.getView(), type, l.getIndices(), l.getWhole()),
                padOf(l.getPad(), type));
  }
  if (auto w = dyn_cast<WindowOp>(op))
    return load(w.getView(), w.getResult().getType(), wholes(w.getOffsets()),
                padOf(w.getPad(), w.getResult().getType()));
  if (auto g = dyn_cast<GatherOp>(op))
    return gather(g);
  if (auto r = dyn_cast<ReadOp>(op)) {
    SmallVector<int64_t> at = wholes(r.getIndices());
    bool inside = view(r.getView()).contains(at);
    if (!inside)
      bad(op, "an element outside the view");
    values[r.getResult()] = {{}, {inside ? view(r.getView()).read(at, point) : Element{}}};
    return true;
  }
  auto store = dyn_cast<StoreOp>(op);
  auto add = dyn_cast<AtomicAddOp>(op);
  Value into = store ? Value(store.getView()) : Value(add.getView());
  Value value = op->getOperand(0);
  auto type = cast<RankedTensorType>(value.getType());
  auto start = origin(op, into, type, store ? store.getIndices() : add.getIndices(), false);
  forEach(type, start, [&](size_t n, ArrayRef<int64_t> at) {
    const Element &element = values.at(value).data[n];
    if (!view(into).contains(at))
      return;
    if (store)
      view(into).write(at, element, point);
    else
      view(into).add(at, element);
  });
  return true;
}

bool Interpreter::runRaw(Operation *op) {
  auto load = dyn_cast<RawLoadOp>(op);
  auto store = dyn_cast<RawStoreOp>(op);
  ViewMemory &memory = view(load ? Value(load.getView()) : Value(store.getView()));
  int64_t first = whole(load ? load.getOffset() : store.getOffset());
  auto type =
      cast<RankedTensorType>(load ? load.getResult().getType() : store.getValue().getType());
  Elements tile{type.getShape().vec(), {}};
  for (int64_t n = 0; n < type.getNumElements(); ++n) {
    auto at = memory.atOffset(static_cast<int64_t>(uint64_t(first) + uint64_t(n)));
    if (!at)
      bad(op, "offset " + Twine(first) + " + " + Twine(n) + " lies outside the view");
    else if (store)
      memory.write(*at, values.at(store.getValue()).data[static_cast<size_t>(n)], point);
    tile.data.push_back(load && at ? memory.read(*at, point) : Element{});
  }
  if (load)
    values[load.getResult()] = std::move(tile);
  return true;
}

//===-- arith and math ------------------------------------------------------===//

bool Interpreter::runElementwise(Operation *op) {
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    values[result] = constantTile(constant.getValue());
    return true;
  }
  Elements tile{type ? type.getShape().vec() : std::vector<int64_t>{}, {}};
  bool undefined = false;
  for (int64_t n = 0, count = type ? type.getNumElements() : 1; n < count; ++n) {
    SmallVector<Element> operands;
    for (Value v : op->getOperands()) {
      const auto &data = values.at(v).data;
      operands.push_back(data[isa<RankedTensorType>(v.getType()) ? static_cast<size_t>(n) : 0]);
    }
    auto element = computeElement(op, operands, undefined);
    if (!element)
      return fail(unsupported(546, op->getName().getStringRef().str() + " has no meaning here"));
    tile.data.push_back(*element);
  }
  values[result] = std::move(tile);
  return !undefined || bad(op, "undefined arithmetic");
}

} // namespace

Result<TileRun> interpret(KernelOp kernel, const SizeValues &sizes, std::vector<ViewBytes> &memory,
                          const TileRunOptions &options) {
  return Interpreter(kernel, sizes, options).run(memory, options.order);
}

} // namespace imbrex::tile
