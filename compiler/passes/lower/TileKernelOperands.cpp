// How a kernel loads the operands of its product: rows, panels or windows.
#include "compiler/passes/lower/TileKernelText.h"

#include "compiler/passes/lower/Compose.h"

namespace imbrex::lower {

using namespace opmeaning;

std::string KernelText::leading(const std::vector<size_t> &outer, std::vector<DimExpr> &dims,
                                std::vector<int64_t> &shape) const {
  std::string at;
  for (size_t i : outer) {
    at += "%o" + n(static_cast<int64_t>(i)) + ", ";
    dims.push_back(out.type.dims[i]);
    shape.push_back(1);
  }
  return at;
}

std::string KernelText::operandLoads(const DimExpr &chunks) {
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

std::string KernelText::panelLoad(const std::string &what, const std::vector<DimExpr> &dims,
                                  std::vector<int64_t> shape) {
  const int64_t panels = sums()[1] / kPanel;
  shape.insert(shape.end(), {panels, sizes.k, kPanel});
  std::string s = load("panels", what, view("b", dims), shape, {panels, sizes.k, kPanel});
  s += "  %lines = tile.transpose %panels [1, 0, 2] : " + tileText({panels, sizes.k, kPanel}) +
       " -> " + tileText({sizes.k, panels, kPanel}) + "\n";
  s += "  %y = tile.reshape %lines : " + tileText({sizes.k, panels, kPanel}) + " -> " +
       tileText({sizes.k, sums()[1]}) + "\n";
  return s;
}

/// %result = a op by.
static std::string indexOp(const std::string &result, const std::string &op, const std::string &a,
                           int64_t by) {
  return "  %" + result + "_by = arith.constant " + std::to_string(by) + " : index\n  %" + result +
         " = arith." + op + " %" + a + ", %" + result + "_by : index\n";
}
static std::string indexSum(const std::string &result, const std::string &a, const std::string &b) {
  return "  %" + result + " = arith.addi %" + a + ", %" + b + " : index\n";
}

std::string KernelText::windowPlace(int64_t chunks, int64_t columns) const {
  const WindowAxis &v = x.window[0], &w = x.window[1];
  std::string s;
  auto op = [&](const char *result, const char *name, const char *a, int64_t by) {
    s += indexOp(result, name, a, by);
  };
  auto add = [&](const char *result, const char *a, const char *b) { s += indexSum(result, a, b); };
  op("tap", "divui", "q", chunks);
  op("part", "remui", "q", chunks);
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
  return s;
}

std::string KernelText::windowLoads(const DimExpr &chunks, const std::string &aAt,
                                    std::vector<DimExpr> aDims, std::vector<int64_t> aShape,
                                    const std::string &bAt, std::vector<DimExpr> bDims,
                                    std::vector<int64_t> bShape) {
  const WindowAxis &v = x.window[0], &w = x.window[1];
  const std::vector<DimExpr> memory = windowAxes();
  std::string s = windowPlace(*chunks.constant(), *memory[1].constant());
  if (x.changedRoles) {
    aDims.insert(aDims.end(), {memory[0] * memory[1], memory[2], memory[3], x.k});
    aShape.insert(aShape.end(), {1, sizes.windowRows, sizes.windowColumns, sizes.k});
    s += load("x", "tile.window %a at [" + aAt + "%phase, %row, %column, %channel]",
              view("a", aDims), aShape, {sums()[0], sizes.k});
    bDims.insert(bDims.end(), {v.taps * w.taps, ceilDiv(x.m, kPanel), x.k, kPanel});
    bShape.push_back(1);
    return s + panelLoad("tile.load %b[" + bAt + "%tap, %i, %part, %zero]", bDims, bShape);
  }
  s += indexOp("rowat", "muli", "row", *memory[3].constant());
  s += indexSum("place", "rowat", "column");
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

std::vector<DimExpr> KernelText::windowAxes() const {
  const std::vector<DimExpr> &memory = p.typeOf((x.changedRoles ? x.a : x.b)->source).dims;
  const auto first = memory.end() - (x.changedRoles ? 5 : 4);
  return {first, first + 4};
}

} // namespace imbrex::lower
