#include "compiler/passes/lower/TileKernel.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/TileEpilogue.h"
#include "compiler/passes/lower/TileSizes.h"
#include "compiler/passes/tile/Passes.h"

#include "mlir/Parser/Parser.h"

#include <set>

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

ProductFusion fuseProducts(Program &p, const DimFacts &facts) {
  const size_t count = p.defs.size();
  ProductFusion f{std::vector<std::optional<TileProduct>>(count),
                  std::vector<std::optional<uint32_t>>(count),
                  std::vector<std::optional<uint32_t>>(count)};
  std::vector<std::set<uint32_t>> readers(count);
  std::vector<bool> kept(count);
  auto keep = [&](const Node *root) {
    walk(root, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        kept[n->source.index] = true;
    });
  };
  for (uint32_t i = 0; i < count; ++i)
    walk(p.defs[i].body, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        readers[n->source.index].insert(i);
    });
  for (uint32_t o : p.outputs)
    kept[o] = true;
  for (const Require &r : p.requirements)
    keep(r.guard);
  for (const OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      kept[o.source.index] = true;
  for (uint32_t i = 0; i < count; ++i) {
    f.products[i] = tileProductOf(p, p.defs[i], facts);
    if (!f.products[i] || kept[i] || readers[i].size() != 1)
      continue;
    const uint32_t reader = *readers[i].begin();
    if (!f.productOf[reader] && epilogueOf(p, facts, i, *f.products[i], p.defs[reader])) {
      f.readerOf[i] = reader;
      f.productOf[reader] = i;
    }
  }
  return f;
}

namespace {

/// The text of one kernel. Sizes are renamed s0, s1, …, which any symbol's name admits.
class KernelText {
public:
  KernelText(Program &p, const Def &out, const TileProduct &x, const DimFacts &facts,
             const std::vector<EpilogueRead> &reads)
      : p(p), out(out), x(x), facts(facts), reads(reads), sizes(chooseTileSizes(x, out)),
        windows(x.right == TileProduct::Right::Windows) {}

  std::string write(const std::string &name, KernelRecord &record) {
    findSymbols(record);
    std::string body = blocks() + loop() + epilogueLoads() + store();
    std::string views = list(viewTexts);
    return "tile.kernel @" + name + "(" + views + ")\n  sizes (" + list(sizeTexts) + ") grid [" +
           list(grid) + "] {\n" + body + "}\n";
  }
  const std::vector<Source> &operands() const { return sources; }
  const TileSizes &tileSizes() const { return sizes; }
  DimExpr gridSize() const { return gridPoints; }

private:
  static std::string list(const std::vector<std::string> &parts) {
    std::string all;
    for (const std::string &s : parts)
      all += (all.empty() ? "" : ", ") + s;
    return all;
  }
  static std::string n(int64_t v) { return std::to_string(v); }
  static std::string tensor(const std::vector<int64_t> &shape) {
    std::string s = "tensor<";
    for (int64_t d : shape)
      s += n(d) + "x";
    return s + "f32>";
  }
  std::string dim(const DimExpr &e) const {
    return e
        .substitute([&](std::string_view s) -> std::optional<DimExpr> {
          auto it = std::find(symbols.begin(), symbols.end(), s);
          return DimExpr::symbol("s" + n(it - symbols.begin()));
        })
        .str();
  }

  void findSymbols(KernelRecord &record) {
    std::set<std::string> seen;
    auto use = [&](const std::vector<DimExpr> &dims) {
      for (const DimExpr &e : dims)
        for (auto &s : e.symbols())
          seen.insert(s);
    };
    use(out.type.dims);
    use(p.typeOf(x.a->source).dims);
    use(p.typeOf(x.b->source).dims);
    for (const EpilogueRead &r : reads)
      use(p.typeOf(r.read->source).dims);
    symbols.assign(seen.begin(), seen.end());
    for (size_t i = 0; i < symbols.size(); ++i) {
      const SymbolFacts f = facts.of(symbols[i]);
      sizeTexts.push_back("s" + n(static_cast<int64_t>(i)) + ": " + n(std::max<int64_t>(f.lo, 0)) +
                          " to " + n(std::min(f.hi, kMostElems)) +
                          (f.divisor > 1 ? " by " + n(f.divisor) : ""));
    }
    record.symbols = symbols;
  }

  /// Adds a view; its type's text.
  std::string view(const std::string &name, const std::vector<DimExpr> &dims,
                   bool written = false) {
    std::vector<std::string> extents;
    for (const DimExpr &e : dims)
      extents.push_back(dim(e));
    std::string type = "!tile.view<[" + list(extents) + "], f32" + (written ? ", write>" : ">");
    viewTexts.push_back("%" + name + ": " + type);
    return type;
  }
  /// A load, reshaped.
  static std::string load(const std::string &result, const std::string &what,
                          const std::string &type, const std::vector<int64_t> &shape,
                          const std::vector<int64_t> &to, const std::string &mark = "") {
    std::string s = "  %" + result + (shape == to ? "" : "_whole") + " = " + what +
                    (shape == to ? mark : "") + " : " + type + " -> " + tensor(shape) + "\n";
    if (shape != to)
      s += "  %" + result + " = tile.reshape %" + result + "_whole" + mark + " : " + tensor(shape) +
           " -> " + tensor(to) + "\n";
    return s;
  }

  /// The grid: leading axes, columns, then rows, so that a piece of the right side stays in the
  /// cache while rows pass by.
  std::string blocks() {
    std::string s;
    auto axis = [&](const std::string &name, const DimExpr &extent) {
      s += "  %" + name + " = tile.block " + n(static_cast<int64_t>(grid.size())) + "\n";
      grid.push_back(dim(extent));
      gridPoints = gridPoints * extent;
    };
    for (size_t i = 0; i < x.outer; ++i)
      axis("o" + n(static_cast<int64_t>(i)), out.type.dims[i]);
    if (windows) {
      axis("c0", ceilDiv(out.type.dims[out.vars.size() - 2], sizes.windowRows));
      axis("c1", ceilDiv(out.type.dims.back(), sizes.windowColumns));
    } else {
      axis("c0", ceilDiv(x.n, sizes.n));
    }
    axis("i", ceilDiv(x.m, sizes.m));
    s += "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n";
    s += "  %none = arith.constant dense<0.0> : " + tensor(sums()) + "\n";
    return s;
  }

  /// Leading coordinates and extents of an operand.
  std::string leading(const std::vector<size_t> &outer, std::vector<DimExpr> &dims,
                      std::vector<int64_t> &shape) const {
    std::string at;
    for (size_t i : outer) {
      at += "%o" + n(static_cast<int64_t>(i)) + ", ";
      dims.push_back(out.type.dims[i]);
      shape.push_back(1);
    }
    return at;
  }

  /// The products, over k in steps.
  std::string loop() {
    const DimExpr chunks = ceilDiv(x.k, sizes.k);
    const DimExpr steps = windows ? chunks * x.window[0].taps * x.window[1].taps : chunks;
    const std::string sum = tensor(sums());
    std::string s, inner = operandLoads(chunks);
    if (steps.isConstant(1))
      return "  %q = arith.constant 0 : index\n" + inner + multiplied("sum", "none");
    s += "  %steps = tile.size \"" + dim(steps) + "\"\n";
    s += "  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> (" + sum +
         ") {\n" + inner + multiplied("next", "acc") + "  scf.yield %next : " + sum + "\n  }\n";
    return s;
  }
  std::string multiplied(const std::string &result, const std::string &into) const {
    return "  %" + result + " = tile.mma %x, %y, %" + into + " : " + tensor({sums()[0], sizes.k}) +
           ", " + tensor({sizes.k, sums()[1]}) + ", " + tensor(sums()) + "\n";
  }
  /// Rows and columns of the product; of the result they are the other way round when the sides
  /// have changed roles.
  std::vector<int64_t> sums() const {
    return x.changedRoles ? std::vector<int64_t>{sizes.n, sizes.m}
                          : std::vector<int64_t>{sizes.m, sizes.n};
  }

  std::string operandLoads(const DimExpr &chunks) {
    std::vector<DimExpr> aDims, bDims;
    std::vector<int64_t> aShape, bShape;
    std::string aAt = leading(x.outerOfA, aDims, aShape), bAt = leading(x.outerOfB, bDims, bShape);
    const std::vector<int64_t> right = {sizes.k, sums()[1]};
    const std::string row = x.changedRoles ? "%c0" : "%i", column = x.changedRoles ? "%i" : "%c0";
    sources = {x.a->source, x.b->source};
    if (windows)
      return windowLoads(chunks, aAt, aDims, aShape, bAt, bDims, bShape);
    const DimExpr columns = x.changedRoles ? x.m : x.n;
    aDims.insert(aDims.end(), {x.changedRoles ? x.n : x.m, x.k});
    aShape.insert(aShape.end(), {sums()[0], sizes.k});
    std::string s = load("x", "tile.load %a[" + aAt + row + ", %q]", view("a", aDims), aShape,
                         {sums()[0], sizes.k});
    if (x.right == TileProduct::Right::Rows) {
      bDims.insert(bDims.end(), {x.k, x.n});
      bShape.insert(bShape.end(), {sizes.k, sizes.n});
      return s + load("y", "tile.load %b[" + bAt + "%q, %c0]", view("b", bDims), bShape, right);
    }
    bDims.insert(bDims.end(), {ceilDiv(columns, kPanel), x.k, kPanel});
    return s + panelLoad("tile.load %b[" + bAt + column + ", %q, %zero]", bDims, bShape);
  }

  std::string panelLoad(const std::string &what, const std::vector<DimExpr> &dims,
                        std::vector<int64_t> shape) {
    const int64_t panels = sums()[1] / kPanel;
    shape.insert(shape.end(), {panels, sizes.k, kPanel});
    std::string s = load("panels", what, view("b", dims), shape, {panels, sizes.k, kPanel});
    s += "  %lines = tile.transpose %panels [1, 0, 2] : " + tensor({panels, sizes.k, kPanel}) +
         " -> " + tensor({sizes.k, panels, kPanel}) + "\n";
    s += "  %y = tile.reshape %lines : " + tensor({sizes.k, panels, kPanel}) + " -> " +
         tensor({sizes.k, sums()[1]}) + "\n";
    return s;
  }

  /// Which tap a step is at, and where its window begins in the rows of a phase, one behind the
  /// other.
  std::string windowLoads(const DimExpr &chunks, const std::string &aAt, std::vector<DimExpr> aDims,
                          std::vector<int64_t> aShape, const std::string &bAt,
                          std::vector<DimExpr> bDims, std::vector<int64_t> bShape) {
    const WindowAxis &v = x.window[0], &w = x.window[1];
    const std::vector<DimExpr> memory = windowAxes();
    const int64_t columns = *memory[1].constant(), width = *memory[3].constant();
    std::string s;
    auto op = [&](const std::string &result, const std::string &name, const std::string &a,
                  int64_t by) {
      s += "  %" + result + "_by = arith.constant " + n(by) + " : index\n  %" + result +
           " = arith." + name + " %" + a + ", %" + result + "_by : index\n";
    };
    auto add = [&](const std::string &result, const std::string &a, const std::string &b) {
      s += "  %" + result + " = arith.addi %" + a + ", %" + b + " : index\n";
    };
    const int64_t count = *chunks.constant();
    op("tap", "divui", "q", count);
    op("part", "remui", "q", count);
    op("ti", "divui", "tap", w.taps);
    op("tj", "remui", "tap", w.taps);
    op("yi", "muli", "ti", v.dilation);
    op("xj", "muli", "tj", w.dilation);
    op("yphase", "remui", "yi", v.stride);
    op("xphase", "remui", "xj", w.stride);
    op("phases", "muli", "yphase", columns);
    add("phase", "phases", "xphase");
    op("ymove", "divui", "yi", v.stride);
    op("xmove", "divui", "xj", w.stride);
    op("yblock", "muli", "c0", sizes.windowRows);
    add("row", "yblock", "ymove");
    op("xblock", "muli", "c1", sizes.windowColumns);
    add("column", "xblock", "xmove");
    op("channel", "muli", "part", sizes.k);
    if (x.changedRoles) {
      aDims.insert(aDims.end(), {memory[0] * memory[1], memory[2], memory[3], x.k});
      aShape.insert(aShape.end(), {1, sizes.windowRows, sizes.windowColumns, sizes.k});
      s += load("x", "tile.window %a at [" + aAt + "%phase, %row, %column, %channel]",
                view("a", aDims), aShape, {sums()[0], sizes.k});
      bDims.insert(bDims.end(), {v.taps * w.taps, ceilDiv(x.m, kPanel), x.k, kPanel});
      bShape.push_back(1);
      return s + panelLoad("tile.load %b[" + bAt + "%tap, %i, %part, %zero]", bDims, bShape);
    }
    op("rowat", "muli", "row", width);
    add("place", "rowat", "column");
    aDims.insert(aDims.end(), {v.taps * w.taps, x.m, x.k});
    aShape.insert(aShape.end(), {1, sizes.m, sizes.k});
    s += load("x", "tile.load %a[" + aAt + "%tap, %i, %part]", view("a", aDims), aShape,
              {sizes.m, sizes.k});
    bDims.insert(bDims.end(), {x.k, memory[0] * memory[1], memory[2] * memory[3]});
    bShape.insert(bShape.end(), {sizes.k, 1, sizes.n});
    s += load("y", "tile.window %b at [" + bAt + "%channel, %phase, %place]", view("b", bDims),
              bShape, {sizes.k, sizes.n});
    return s;
  }

  /// Phases of rows and columns, and rows and columns of a phase, of what windows slide over.
  std::vector<DimExpr> windowAxes() const {
    const std::vector<DimExpr> &memory = p.typeOf((x.changedRoles ? x.a : x.b)->source).dims;
    const auto first = memory.end() - (x.changedRoles ? 5 : 4);
    return {first, first + 4};
  }

  /// The shape in which an epilogue works: rows, and columns as the result has them.
  std::vector<int64_t> shape() const {
    return windows ? std::vector<int64_t>{sizes.m, sizes.windowRows, sizes.windowColumns}
                   : std::vector<int64_t>{sizes.m, sizes.n};
  }

  std::string epilogueLoads() {
    std::string s;
    for (size_t i = 0; i < reads.size(); ++i) {
      if (reads[i].isProduct)
        continue;
      std::vector<DimExpr> dims;
      std::vector<int64_t> extents, to(shape().size(), 1);
      std::vector<std::string> at;
      for (const TileAxis &a : reads[i].axes) {
        const size_t axis = a.kind == TileAxis::Kind::Rows ? 0 : 1 + a.index;
        dims.push_back(a.extent);
        if (a.kind == TileAxis::Kind::Outer) {
          at.push_back("%o" + n(static_cast<int64_t>(a.index)));
          extents.push_back(1);
          continue;
        }
        at.push_back(axis == 0 ? "%i" : "%c" + n(static_cast<int64_t>(a.index)));
        extents.push_back(to[axis] = shape()[axis]);
      }
      if (dims.empty()) {
        dims = {1};
        extents = {1};
        at = {"%zero"};
      }
      const std::string name = "e" + n(static_cast<int64_t>(i));
      s += load(name, "tile.load %" + name + "v[" + list(at) + "]", view(name + "v", dims), extents,
                to, " {operand = " + n(static_cast<int64_t>(i)) + " : i64}");
      sources.push_back(reads[i].read->source);
    }
    return s;
  }

  /// The sum in the result's shape, marked as the store's value.
  std::string store() {
    std::string s, value = "sum";
    std::vector<int64_t> here = sums();
    auto step = [&](const std::string &name, const std::string &op, const std::string &how,
                    const std::vector<int64_t> &to) {
      if (to == here)
        return;
      s += "  %" + name + " = tile." + op + " %" + value + how + " : " + tensor(here) + " -> " +
           tensor(to) + "\n";
      value = name;
      here = to;
    };
    std::vector<DimExpr> dims(out.type.dims.begin(),
                              out.type.dims.begin() + static_cast<int64_t>(x.outer));
    std::vector<int64_t> piece(x.outer, 1);
    std::string at;
    for (size_t i = 0; i < x.outer; ++i)
      at += "%o" + n(static_cast<int64_t>(i)) + ", ";
    dims.push_back(x.m);
    if (x.changedRoles)
      step("turned", "transpose", " [1, 0]", {sizes.m, sizes.n});
    if (windows) {
      const int64_t width = x.changedRoles          ? sizes.windowColumns
                            : sizes.windowRows == 1 ? sizes.n
                                                    : *windowAxes()[3].constant();
      step("used", "slice", " from [0, 0]", {sizes.m, sizes.windowRows * width});
      step("places", "reshape", "", {sizes.m, sizes.windowRows, width});
      step("cut", "slice", " from [0, 0, 0]", {sizes.m, sizes.windowRows, sizes.windowColumns});
      dims.insert(dims.end(), out.type.dims.end() - 2, out.type.dims.end());
      at += "%i, %c0, %c1";
    } else {
      dims.push_back(x.n);
      at += "%i, %c0";
    }
    for (int64_t d : shape())
      piece.push_back(d);
    const std::string type = view("y_out", dims, true);
    s += "  tile.store %" + value + " into %y_out[" + at + "] : " + tensor(here) + ", " + type +
         "\n";
    storedShape = piece;
    return s;
  }

public:
  std::vector<int64_t> storedShape; // of a piece of the result

private:
  static constexpr int64_t kMostElems = (int64_t(1) << 31) - 1;
  Program &p;
  const Def &out;
  const TileProduct &x;
  const DimFacts &facts;
  std::vector<EpilogueRead> reads;
  TileSizes sizes;
  bool windows;
  std::vector<std::string> symbols, viewTexts, sizeTexts, grid;
  std::vector<Source> sources;
  DimExpr gridPoints = 1;
};

/// Puts the epilogue between the sum and its store, and gives the store the shape of the piece.
void finishStore(tile::KernelOp kernel, Program &p, const DimFacts &facts, const Epilogue *epilogue,
                 ArrayRef<int64_t> piece) {
  tile::StoreOp store;
  DenseMap<int64_t, Value> loaded;
  kernel.walk([&](Operation *op) {
    if (auto s = dyn_cast<tile::StoreOp>(op))
      store = s;
    if (auto i = op->getAttrOfType<IntegerAttr>("operand")) {
      loaded[i.getInt()] = op->getResult(0);
      op->removeAttr("operand");
    }
  });
  OpBuilder b(store);
  Value value = store.getValue();
  auto type = cast<RankedTensorType>(value.getType());
  if (epilogue) {
    SmallVector<Value> values;
    for (auto [i, read] : llvm::enumerate(epilogue->reads))
      values.push_back(read.isProduct ? value : loaded.at(static_cast<int64_t>(i)));
    value = emitEpilogue(b, store.getLoc(), p, facts, *epilogue, values, type);
  }
  auto whole = RankedTensorType::get(piece, type.getElementType());
  if (whole != type)
    value = tile::ReshapeOp::create(b, store.getLoc(), whole, value);
  store.getValueMutable().assign(value);
}

} // namespace

Result<KernelRecord> buildTileKernel(ModuleOp module, Program &p, uint32_t product,
                                     const TileProduct &form, std::optional<uint32_t> reader,
                                     const DimFacts &facts, StringRef name) {
  KernelRecord record;
  record.name = name.str();
  const uint32_t result = reader.value_or(product);
  record.results = {result};
  record.isTile = true;
  const Def out = p.defs[product];
  std::optional<Epilogue> epilogue;
  if (reader)
    epilogue = epilogueOf(p, facts, product, form, p.defs[*reader]);
  const std::vector<EpilogueRead> reads = epilogue ? epilogue->reads : std::vector<EpilogueRead>();
  KernelText text(p, out, form, facts, reads);
  const std::string source = text.write(record.name, record);
  record.operands = text.operands();
  record.grid = text.gridSize();
  const TileSizes &t = text.tileSizes();
  DimExpr points = form.n * form.m;
  for (size_t i = 0; i < form.outer; ++i)
    points = points * out.type.dims[i];
  record.work = points * form.k * form.window[0].taps * form.window[1].taps * 2;
  record.flops = record.work.constant().value_or(0);
  record.form = "contraction: tile kernel, " + std::to_string(t.m) + "x" + std::to_string(t.n) +
                "x" + std::to_string(t.k);

  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (first.empty())
      first = d.str();
  });
  // The store fits its view once the epilogue stands before it.
  auto parsed = parseSourceString<ModuleOp>(
      source, ParserConfig(module.getContext(), /*verifyAfterParse=*/false));
  if (!parsed)
    return internalError(601, "the kernel " + record.name + " cannot be read: " + first);
  auto kernel = *parsed->getOps<tile::KernelOp>().begin();
  finishStore(kernel, p, facts, epilogue ? &*epilogue : nullptr, text.storedShape);
  if (failed(mlir::verify(*parsed)))
    return internalError(601, "the kernel " + record.name + " is not valid: " + first);
  auto report = tile::verifyKernel(kernel);
  if (failed(report))
    return internalError(601, "the kernel " + record.name + " is not proven: " + first);
  if (report->launchChecks || report->inKernelChecks || report->unsafeRegions)
    return internalError(601, "the kernel " + record.name + " is proven under conditions only");
  kernel->remove();
  module.push_back(kernel);
  return record;
}

} // namespace imbrex::lower
