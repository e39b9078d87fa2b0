// Views, pieces, loops, and tracing a library.
#include "compiler/edsl/Tracer.h"

#include "compiler/passes/tile/Passes.h"

using namespace mlir;

namespace imbrex::edsl {

//===-- Loads and stores ----------------------------------------------------===//

static SmallVector<mlir::Value> indices(Tracer &t, const Place &place) {
  return llvm::map_to_vector(place, [&](const IndexOperand &i) { return t.index(i); });
}

static TypedAttr padUnlessZero(Tracer &t, DType type, double pad) {
  return pad == 0 ? TypedAttr() : t.padOf(type, pad);
}

Tile Input::load(const Place &place, const Shape &shape, double pad, At at) const {
  return tracer->toTile(
      tile::LoadOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, shape),
                           mlir::Value::getFromOpaquePointer(view), indices(*tracer, place),
                           UnitAttr(), padUnlessZero(*tracer, type, pad), IntegerAttr()),
      type);
}

Tile Input::loadAhead(const Place &place, const Shape &shape, int64_t axis, double pad,
                      At at) const {
  return tracer->toTile(
      tile::LoadOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, shape),
                           mlir::Value::getFromOpaquePointer(view), indices(*tracer, place),
                           UnitAttr(), padUnlessZero(*tracer, type, pad),
                           tracer->b.getI64IntegerAttr(axis)),
      type);
}

Tile Input::load(const Piece &piece, double pad, At at) const {
  Place place;
  for (size_t i = 0; i < piece.shape().size(); ++i)
    place.push_back({piece[i], at});
  return load(place, piece.shape(), pad, at);
}

Tile Input::loadWhole(const Place &place, const Shape &shape, At at) const {
  return tracer->toTile(
      tile::LoadOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, shape),
                           mlir::Value::getFromOpaquePointer(view), indices(*tracer, place),
                           tracer->b.getUnitAttr(), TypedAttr(), IntegerAttr()),
      type);
}

Tile Input::window(const Place &offsets, const Shape &shape, double pad, At at) const {
  return tracer->toTile(
      tile::WindowOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, shape),
                             mlir::Value::getFromOpaquePointer(view), indices(*tracer, offsets),
                             padUnlessZero(*tracer, type, pad)),
      type);
}

Tile Input::gather(const Tile &rows, const Place &place, const Shape &shape, At at) const {
  return tracer->toTile(
      tile::GatherOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, shape),
                             mlir::Value::getFromOpaquePointer(view), tracer->value(rows),
                             indices(*tracer, place), UnitAttr(), TypedAttr()),
      type);
}

Index Input::read(const Place &place, At at) const {
  Location l = tracer->loc(at);
  mlir::Value v =
      tile::ReadOp::create(tracer->b, l, tracer->element(type),
                           mlir::Value::getFromOpaquePointer(view), indices(*tracer, place));
  if (!isa<IntegerType>(v.getType())) {
    tracer->fail(at, "reads an index from a view of " + std::string(name(type)));
    return tracer->toIndex(arith::ConstantIndexOp::create(tracer->b, l, 0));
  }
  return tracer->toIndex(arith::IndexCastOp::create(tracer->b, l, tracer->b.getIndexType(), v));
}

void Piece::store(const Tile &value, At at) const {
  if (value.shape() != tile || value.type() != type) {
    tracer->fail(at, "stores a tile of another shape or type than its piece");
    return;
  }
  SmallVector<mlir::Value> where;
  for (const Index &i : place)
    where.push_back(tracer->value(i));
  tile::StoreOp::create(tracer->b, tracer->loc(at), tracer->value(value),
                        mlir::Value::getFromOpaquePointer(view), where);
}

Tile Piece::load(At at) const {
  SmallVector<mlir::Value> where;
  for (const Index &i : place)
    where.push_back(tracer->value(i));
  return tracer->toTile(tile::LoadOp::create(tracer->b, tracer->loc(at), tracer->tensor(type, tile),
                                             mlir::Value::getFromOpaquePointer(view), where,
                                             UnitAttr(), TypedAttr(), IntegerAttr()),
                        type);
}

//===-- Arguments -----------------------------------------------------------===//

Size Kernel::size(std::string_view name, SizeLimits limits, At at) {
  auto attr = tile::SizeParamAttr::getChecked(
      [&] { return emitError(tracer->loc(at)); }, tracer->b.getContext(),
      StringRef(name.data(), name.size()), limits.least, limits.most, limits.multipleOf);
  if (!attr) {
    tracer->fail(at, "has a size '" + std::string(name) + "' that is none");
    return 1;
  }
  tracer->sizes.push_back(attr);
  return DimExpr::symbol(name);
}

void Kernel::assumeAtLeast(const Size &a, const Size &b) {
  tracer->assumptions.push_back(tracer->b.getStringAttr(a.expr.str() + " >= " + b.expr.str()));
}

static void *addView(Tracer &t, std::string_view name, DType type, const std::vector<Size> &extents,
                     tile::Access access, const At &at, const std::vector<Size> &strides = {}) {
  const auto sizes = [&](const std::vector<Size> &list) {
    return toSizes(t.b.getContext(),
                   llvm::map_to_vector(list, [](const Size &s) { return s.expr; }));
  };
  if (!strides.empty() && strides.size() != extents.size())
    t.fail(at, "has " + std::to_string(strides.size()) + " strides for the " +
                   std::to_string(extents.size()) + " axes of '" + std::string(name) + "'");
  const bool strided = strides.size() == extents.size();
  auto view = tile::ViewType::get(t.b.getContext(), sizes(extents), t.element(type), access,
                                  strided ? sizes(strides) : SmallVector<Attribute>());
  Location l = NameLoc::get(t.b.getStringAttr(StringRef(name.data(), name.size())), t.loc(at));
  return t.kernel.getBody().front().addArgument(view, l).getAsOpaquePointer();
}

Input Kernel::input(std::string_view name, DType type, const std::vector<Size> &extents, At at) {
  return {tracer, addView(*tracer, name, type, extents, tile::Access::read, at), type};
}

Output Kernel::output(std::string_view name, DType type, const std::vector<Size> &extents, At at) {
  return {tracer, addView(*tracer, name, type, extents, tile::Access::write, at), type, extents};
}

Input Kernel::input(std::string_view name, DType type, const std::vector<Size> &extents,
                    const std::vector<Size> &strides, At at) {
  return {tracer, addView(*tracer, name, type, extents, tile::Access::read, at, strides), type};
}

Output Kernel::output(std::string_view name, DType type, const std::vector<Size> &extents,
                      const std::vector<Size> &strides, At at) {
  return {tracer, addView(*tracer, name, type, extents, tile::Access::write, at, strides), type,
          extents};
}

Output Kernel::inOut(std::string_view name, DType type, const std::vector<Size> &extents, At at) {
  return {tracer, addView(*tracer, name, type, extents, tile::Access::update, at), type, extents};
}

//===-- Pieces --------------------------------------------------------------===//

Piece Kernel::own(const Output &out, const Shape &tile, Order order, At at) {
  Tracer &t = *tracer;
  Location l = t.loc(at);
  std::vector<DimExpr> counts;
  for (size_t d = 0; d < tile.size() && d < out.extents.size(); ++d)
    counts.push_back(tiles(out.extents[d], tile[d]).expr);
  std::vector<DimExpr> grid = counts;
  if (order.group) {
    grid = {1};
    for (const DimExpr &c : counts)
      grid[0] = grid[0] * c;
  }
  if (tile.size() != out.extents.size() || (order.group && counts.size() != 2))
    t.fail(at, "cuts an output of " + std::to_string(out.extents.size()) + " axes with a tile of " +
                   std::to_string(tile.size()));
  if (t.hasGrid && t.grid != grid)
    t.fail(at, "cuts two outputs into different grids");
  t.grid = grid;
  t.hasGrid = true;
  std::vector<Index> place;
  if (order.group) {
    mlir::Value flat = tile::BlockOp::create(t.b, l, t.b.getIndexType(), 0);
    SmallVector<Attribute> extents;
    for (const DimExpr &c : counts)
      extents.push_back(t.b.getStringAttr(c.str()));
    auto u =
        tile::UnravelOp::create(t.b, l, SmallVector<Type>(counts.size(), t.b.getIndexType()), flat,
                                t.b.getArrayAttr(extents), t.b.getI64IntegerAttr(order.group));
    for (mlir::Value v : u.getResults())
      place.push_back(t.toIndex(v));
  } else {
    for (size_t d = 0; d < counts.size(); ++d)
      place.push_back(t.toIndex(tile::BlockOp::create(t.b, l, t.b.getIndexType(), d)));
  }
  return {tracer, out.view, out.type, place, tile};
}

void Kernel::eachPiece(const Output &out, const Shape &tile, const Size &blocks, Order order,
                       const std::function<void(const Piece &)> &body, At at) {
  Tracer &t = *tracer;
  t.grid = {blocks.expr};
  t.hasGrid = true;
  auto op = tile::EachPieceOp::create(
      t.b, t.loc(at), mlir::Value::getFromOpaquePointer(out.view), ArrayRef<int64_t>(tile),
      order.group ? t.b.getI64IntegerAttr(order.group) : IntegerAttr());
  OpBuilder::InsertionGuard guard(t.b);
  Block *block = t.b.createBlock(&op.getBody());
  std::vector<Index> place;
  for (size_t d = 0; d < tile.size(); ++d)
    place.push_back(t.toIndex(block->addArgument(t.b.getIndexType(), t.loc(at))));
  t.b.setInsertionPointToEnd(block);
  body({tracer, out.view, out.type, place, tile});
  tile::EndOp::create(t.b, t.loc(at));
}

void Kernel::ownSlices(const Output &out, const Shape &chunk,
                       const std::function<void(const Index &, const SliceStore &)> &body, At at) {
  Tracer &t = *tracer;
  if (out.extents.empty() || chunk.size() != out.extents.size() || chunk[0] != 1 ||
      (t.hasGrid && t.grid != std::vector{out.extents[0].expr})) {
    t.fail(at, "gives each block a slice of an output that is not cut so, or has another grid");
    return;
  }
  t.grid = {out.extents[0].expr};
  t.hasGrid = true;
  Index first = t.toIndex(tile::BlockOp::create(t.b, t.loc(at), t.b.getIndexType(), 0));
  body(first, [&](const std::function<Tile(const std::vector<Index> &)> &make) {
    std::vector<Index> rest;
    const std::function<void()> walk = [&] {
      const size_t axis = rest.size() + 1;
      if (axis < chunk.size()) {
        forEach(
            tiles(out.extents[axis], chunk[axis]),
            [&](Index i) {
              rest.push_back(i);
              walk();
              rest.pop_back();
            },
            at);
        return;
      }
      std::vector<Index> place{first};
      place.insert(place.end(), rest.begin(), rest.end());
      Piece(tracer, out.view, out.type, place, chunk).store(make(rest), at);
    };
    walk();
  });
}

void Kernel::ownRows(const Output &out, int64_t chunk,
                     const std::function<void(const Index &, const RowStore &)> &body, At at) {
  ownSlices(
      out, {1, chunk},
      [&](const Index &row, const SliceStore &store) {
        body(row, [&](const std::function<Tile(Index)> &make) {
          store([&](const std::vector<Index> &place) { return make(place[0]); });
        });
      },
      at);
}

//===-- Values and control --------------------------------------------------===//

Tile Kernel::full(DType type, const Shape &shape, double value, At at) {
  return tracer->constant(type, shape, value, tracer->loc(at));
}

Tile Kernel::iota(DType type, const Shape &shape, int64_t axis, At at) {
  return tracer->toTile(tile::IotaOp::create(tracer->b, tracer->loc(at),
                                             tracer->tensor(type, shape),
                                             static_cast<uint64_t>(axis)),
                        type);
}

Tile Kernel::splat(IndexOperand index, DType type, const Shape &shape, At at) {
  Tracer &t = *tracer;
  mlir::Value v = arith::IndexCastOp::create(t.b, t.loc(at), t.element(type), t.index(index));
  return t.toTile(tile::BroadcastOp::create(t.b, t.loc(at), t.tensor(type, shape), v), type);
}

std::vector<Tile>
Kernel::loop(IndexOperand count, const std::vector<Tile> &init,
             const std::function<std::vector<Tile>(Index, std::vector<Tile>)> &body, At at) {
  Tracer &t = *tracer;
  Location l = t.loc(at);
  mlir::Value zero = arith::ConstantIndexOp::create(t.b, l, 0),
              one = arith::ConstantIndexOp::create(t.b, l, 1);
  auto start = llvm::map_to_vector(init, [&](const Tile &x) { return t.value(x); });
  auto loop = scf::ForOp::create(t.b, l, zero, t.index(count), one, start);
  {
    OpBuilder::InsertionGuard guard(t.b);
    // Without carried values the body has its terminator already.
    if (start.empty())
      t.b.setInsertionPoint(loop.getBody()->getTerminator());
    else
      t.b.setInsertionPointToEnd(loop.getBody());
    std::vector<Tile> carried;
    for (auto [v, first] : llvm::zip_equal(loop.getRegionIterArgs(), init))
      carried.push_back(t.toTile(v, first.type()));
    std::vector<Tile> next = body(t.toIndex(loop.getInductionVar()), carried);
    for (size_t i = 0; i < init.size(); ++i)
      if (next.size() != init.size() || next[i].shape() != init[i].shape() ||
          next[i].type() != init[i].type()) {
        t.fail(at, "carries a tile of one shape and type through its loop and another back");
        next = carried;
      }
    if (!start.empty())
      scf::YieldOp::create(t.b, l,
                           llvm::map_to_vector(next, [&](const Tile &x) { return t.value(x); }));
  }
  std::vector<Tile> results;
  for (auto [v, first] : llvm::zip_equal(loop.getResults(), init))
    results.push_back(t.toTile(v, first.type()));
  return results;
}

Tile Kernel::loop(IndexOperand count, const Tile &init,
                  const std::function<Tile(Index, Tile)> &body, At at) {
  return loop(
             count, std::vector{init},
             [&](Index i, std::vector<Tile> c) { return std::vector{body(i, c[0])}; }, at)
      .front();
}

void Kernel::forEach(IndexOperand count, const std::function<void(Index)> &body, At at) {
  (void)loop(
      count, std::vector<Tile>{},
      [&](Index i, std::vector<Tile>) {
        body(i);
        return std::vector<Tile>{};
      },
      at);
}

void Kernel::when(const Condition &condition, const std::function<void()> &then,
                  const std::function<void()> &otherwise, At at) {
  Tracer &t = *tracer;
  auto op = scf::IfOp::create(t.b, t.loc(at), t.value(condition),
                              /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(t.b);
  t.b.setInsertionPointToStart(op.thenBlock());
  then();
  if (otherwise) {
    t.b.setInsertionPointToStart(op.elseBlock());
    otherwise();
  }
}

//===-- A library -----------------------------------------------------------===//

static std::string placeOf(Location l) {
  if (auto f = l->findInstanceOf<FileLineColLoc>())
    return f.getFilename().str() + ":" + std::to_string(f.getLine()) + ":" +
           std::to_string(f.getColumn()) + ": ";
  return "";
}

static void traceOne(MLIRContext &context, ModuleOp module, const NamedKernel &named,
                     std::vector<std::string> &faults) {
  Tracer t(context, module, named.name);
  Kernel k(t);
  named.function(k);
  tile::EndOp::create(t.b, t.b.getUnknownLoc());
  t.kernel.setSizesAttr(t.b.getArrayAttr(t.sizes));
  t.kernel.setAssumptionsAttr(t.b.getArrayAttr(t.assumptions));
  t.kernel.setGridAttr(t.b.getArrayAttr(toSizes(&context, t.grid)));
  if (!t.hasGrid)
    t.faults.push_back("kernel @" + named.name + " owns no piece of an output");
  faults.insert(faults.end(), t.faults.begin(), t.faults.end());
}

Result<OwningOpRef<ModuleOp>>
traceModule(MLIRContext &context, const std::vector<NamedKernel> &kernels, TraceReport &report) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  std::vector<std::string> faults;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error)
      faults.push_back(placeOf(d.getLocation()) + d.str());
    return success();
  });
  for (const NamedKernel &kernel : kernels)
    traceOne(context, *module, kernel, faults);
  if (faults.empty() && succeeded(mlir::verify(*module)))
    for (tile::KernelOp op : llvm::to_vector(module->getOps<tile::KernelOp>())) {
      auto found = tile::verifyKernel(op);
      if (failed(found))
        continue;
      ++report.kernels;
      report.launchChecks += found->launchChecks;
      report.inKernelChecks += found->inKernelChecks;
      report.unsafeRegions += found->unsafeRegions;
    }
  if (!faults.empty()) {
    std::string text;
    for (const std::string &f : faults)
      text += (text.empty() ? "" : "\n") + f;
    return badInput(566, "kernels that are not safe:\n" + text);
  }
  return std::move(module);
}

Result<std::string> traceKernels(const std::vector<NamedKernel> &kernels, TraceReport &report) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = traceModule(context, kernels, report);
  if (!module)
    return module.takeError();
  std::string out;
  llvm::raw_string_ostream stream(out);
  (**module)->print(stream, OpPrintingFlags().printNameLocAsPrefix(true));
  return out;
}

} // namespace imbrex::edsl
