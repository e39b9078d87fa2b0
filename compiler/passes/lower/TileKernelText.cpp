#include "compiler/passes/lower/TileKernelText.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/Depthwise.h"
#include "compiler/passes/lower/TilePool.h"
#include "compiler/passes/lower/Winograd.h"

#include <algorithm>
#include <set>

namespace imbrex::lower {

using namespace opmeaning;

std::string KernelText::write(const std::string &name, KernelRecord &record) {
  findSymbols(record);
  std::string body = blocks() + loop() + epilogueLoads() + store();
  std::string views = list(viewTexts);
  return "tile.kernel @" + name + "(" + views + ")\n  sizes (" + list(sizeTexts) + ") grid [" +
         list(grid) + "] {\n" + body + "}\n";
}

std::string KernelText::list(const std::vector<std::string> &parts) {
  std::string all;
  for (const std::string &s : parts)
    all += (all.empty() ? "" : ", ") + s;
  return all;
}

std::string tileText(const std::vector<int64_t> &shape) {
  std::string s = "tensor<";
  for (int64_t d : shape)
    s += std::to_string(d) + "x";
  return s + "f32>";
}

std::string KernelText::dim(const DimExpr &e) const {
  return e
      .substitute([&](std::string_view s) -> std::optional<DimExpr> {
        auto it = std::find(symbols.begin(), symbols.end(), s);
        return DimExpr::symbol("s" + n(it - symbols.begin()));
      })
      .str();
}

void KernelText::findSymbols(KernelRecord &record) {
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

std::string KernelText::view(const std::string &name, const std::vector<DimExpr> &dims,
                             bool written) {
  std::vector<std::string> extents;
  for (const DimExpr &e : dims)
    extents.push_back(dim(e));
  std::string type = "!tile.view<[" + list(extents) + "], f32" + (written ? ", write>" : ">");
  viewTexts.push_back("%" + name + ": " + type);
  return type;
}

std::string KernelText::load(const std::string &result, const std::string &what,
                             const std::string &type, const std::vector<int64_t> &shape,
                             const std::vector<int64_t> &to, const std::string &mark) {
  std::string s = "  %" + result + (shape == to ? "" : "_whole") + " = " + what +
                  (shape == to ? mark : "") + " : " + type + " -> " + tileText(shape) + "\n";
  if (shape != to)
    s += "  %" + result + " = tile.reshape %" + result + "_whole" + mark + " : " + tileText(shape) +
         " -> " + tileText(to) + "\n";
  return s;
}

std::string KernelText::blocks() {
  std::string s;
  auto axis = [&](const std::string &name, const DimExpr &extent) {
    s += "  %" + name + " = tile.block " + n(static_cast<int64_t>(grid.size())) + "\n";
    grid.push_back(dim(extent));
    gridPoints = gridPoints * extent;
  };
  if (x.kind == TileProduct::Kind::Forward) {
    axis("o0", p.typeOf(x.a->source).dims[0]);
    axis("o1", x.piecesDown);
  } else {
    for (size_t i = 0; i < x.outer; ++i)
      axis("o" + n(static_cast<int64_t>(i)), out.type.dims[i]);
  }
  if (x.kind == TileProduct::Kind::Forward) {
    // All pieces of a row at once.
  } else if (windows) {
    axis("c0", ceilDiv(out.type.dims[out.vars.size() - 2], sizes.windowRows));
    axis("c1", ceilDiv(out.type.dims.back(), sizes.windowColumns));
  } else {
    axis("c0", ceilDiv(x.n, sizes.n));
  }
  axis("i", ceilDiv(x.m, sizes.m));
  s += "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n";
  if (x.kind == TileProduct::Kind::Product)
    s += "  %none = arith.constant dense<0.0> : " + tileText(sums()) + "\n";
  return s;
}

std::string KernelText::step() {
  if (x.kind == TileProduct::Kind::Depthwise) {
    sources = {x.a->source, x.b->source};
    const std::vector<DimExpr> &memory = p.typeOf(x.b->source).dims;
    const std::string a = view("a", {x.m, x.window[0].taps * x.window[1].taps}),
                      b = view("b", {memory[0], x.m, memory[2] * memory[3]});
    return depthwiseText(x, a, b, sizes.windowRows, sizes.windowColumns, *memory[3].constant());
  }
  sources = {x.a->source};
  if (x.kind == TileProduct::Kind::Largest || x.kind == TileProduct::Kind::Smallest) {
    const std::vector<DimExpr> &memory = p.typeOf(x.a->source).dims;
    return tilePoolText(x, view("x", {memory[0], x.m, memory[2] * memory[3]}), sizes.windowRows,
                        sizes.windowColumns, *memory[3].constant());
  }
  const DimExpr &pictures =
      x.kind == TileProduct::Kind::Forward ? p.typeOf(x.a->source).dims[0] : out.type.dims[0];
  if (x.kind == TileProduct::Kind::Forward)
    return winogradForward(
        view("x", {pictures, x.piecesDown + 1, 4, 4 * (x.piecesAcross + 1), x.m}), x.piecesAcross,
        sizes.m);
  return winogradInverse(view("x", {6, 6, pictures, x.piecesDown, x.piecesAcross, x.m}),
                         x.piecesAcross, sizes.m);
}

std::string KernelText::loop() {
  if (x.kind != TileProduct::Kind::Product)
    return step();
  const DimExpr chunks = ceilDiv(x.k, sizes.k);
  const DimExpr steps = windows ? chunks * x.window[0].taps * x.window[1].taps : chunks;
  const std::string sum = tileText(sums());
  std::string s, inner = operandLoads(chunks);
  if (steps.isConstant(1))
    return "  %q = arith.constant 0 : index\n" + inner + multiplied("sum", "none");
  s += "  %steps = tile.size \"" + dim(steps) + "\"\n";
  s += "  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> (" + sum +
       ") {\n" + inner + multiplied("next", "acc") + "  scf.yield %next : " + sum + "\n  }\n";
  return s;
}

std::string KernelText::multiplied(const std::string &result, const std::string &into) const {
  return "  %" + result + " = tile.mma %x, %y, %" + into + " : " + tileText({sums()[0], sizes.k}) +
         ", " + tileText({sizes.k, sums()[1]}) + ", " + tileText(sums()) + "\n";
}

std::vector<int64_t> KernelText::sums() const {
  return x.changedRoles ? std::vector<int64_t>{sizes.n, sizes.m}
                        : std::vector<int64_t>{sizes.m, sizes.n};
}

std::vector<int64_t> KernelText::shape() const {
  return windows ? std::vector<int64_t>{sizes.m, sizes.windowRows, sizes.windowColumns}
                 : std::vector<int64_t>{sizes.m, sizes.n};
}

std::string KernelText::epilogueLoads() {
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

std::string KernelText::store() {
  std::string s, value = "sum";
  if (x.kind == TileProduct::Kind::Forward) {
    storedShape = {6, 6, 1, 1, x.piecesAcross, sizes.m};
    const std::string type = view(
        "y_out", {6, 6, p.typeOf(x.a->source).dims[0], x.piecesDown, x.piecesAcross, x.m}, true);
    return "  tile.store %sum into %y_out[%zero, %zero, %o0, %o1, %zero, %i] : " +
           tileText(storedShape) + ", " + type + "\n";
  }
  const bool isProduct = x.kind == TileProduct::Kind::Product;
  std::vector<int64_t> here = isProduct ? sums() : shape();
  auto step = [&](const std::string &name, const std::string &op, const std::string &how,
                  const std::vector<int64_t> &to) {
    if (to == here)
      return;
    s += "  %" + name + " = tile." + op + " %" + value + how + " : " + tileText(here) + " -> " +
         tileText(to) + "\n";
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
    const int64_t width = x.changedRoles || !isProduct ? sizes.windowColumns
                          : sizes.windowRows == 1      ? sizes.n
                                                       : *windowAxes()[3].constant();
    if (isProduct) {
      step("used", "slice", " from [0, 0]", {sizes.m, sizes.windowRows * width});
      step("places", "reshape", "", {sizes.m, sizes.windowRows, width});
    }
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
  s += "  tile.store %" + value + " into %y_out[" + at + "] : " + tileText(here) + ", " + type +
       "\n";
  storedShape = piece;
  return s;
}

} // namespace imbrex::lower
