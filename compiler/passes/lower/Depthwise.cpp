#include "compiler/passes/lower/Depthwise.h"
#include "compiler/passes/lower/TileKernelText.h"

#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

constexpr int64_t kLongRow = 64, kMostTaps = 25, kMostElems = 8192;

} // namespace

std::optional<TileProduct> depthwiseOf(Program &p, const Def &d, const ContractionParts &parts,
                                       const DimFacts &facts) {
  const Node *k = parts.left, *x = parts.right;
  if (parts.leftGuard || parts.rightGuard || d.vars.size() != 4 || d.type.type != DType::F32 ||
      !parts.rows.empty() || parts.columns.size() != 2 || parts.reduced.size() != 2 ||
      k->kind != TermKind::VRead || x->kind != TermKind::VRead || k->type != DType::F32 ||
      x->type != DType::F32 || k->args.size() != 4 || x->args.size() != 4)
    return std::nullopt;
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  for (const Axis &r : parts.reduced)
    form.bind(r.var, r.extent);
  const Node *i = parts.reduced[0].var, *j = parts.reduced[1].var, *c = form.simplify(d.vars[1]);
  auto height = d.type.dims[2].constant(), width = d.type.dims[3].constant(),
       down = parts.reduced[0].extent.constant(), across = parts.reduced[1].extent.constant();
  const std::vector<DimExpr> &weights = p.typeOf(k->source).dims,
                             &memory = p.typeOf(x->source).dims;
  auto rows = memory[2].constant(), columns = memory[3].constant();
  if (!height || !width || !down || !across || !rows || !columns || *width >= kLongRow ||
      *down * *across < 4 || *down * *across > kMostTaps || *rows * *columns > kMostElems)
    return std::nullopt;
  const std::vector<DimExpr> taps = {d.type.dims[1], 1, *down, *across};
  if (weights != taps || form.simplify(k->args[0]) != c || form.simplify(k->args[2]) != i ||
      form.simplify(k->args[3]) != j || memory[0] != d.type.dims[0] ||
      memory[1] != d.type.dims[1] || form.simplify(x->args[0]) != form.simplify(d.vars[0]) ||
      form.simplify(x->args[1]) != c)
    return std::nullopt;
  auto top = slideOf(form.simplify(x->args[2]), d.vars[2], i),
       left = slideOf(form.simplify(x->args[3]), d.vars[3], j);
  if (!top || !left || top->stride != 1 || left->stride != 1 ||
      top->start + *height + *down - 1 > *rows || left->start + *width + *across - 1 > *columns)
    return std::nullopt;
  TileProduct f;
  f.kind = TileProduct::Kind::Depthwise;
  f.right = TileProduct::Right::Windows;
  f.a = k;
  f.b = x;
  f.outer = f.rows = 1;
  f.columns = 2;
  f.m = d.type.dims[1];
  f.n = DimExpr(*height * *width);
  f.window[0].taps = *down;
  f.window[1].taps = *across;
  f.start[0] = top->start;
  f.start[1] = left->start;
  return f;
}

std::string depthwiseText(const TileProduct &f, const std::string &a, const std::string &b,
                          int64_t height, int64_t width, int64_t memoryWidth) {
  const int64_t down = f.window[0].taps, across = f.window[1].taps, taps = down * across;
  const int64_t run = (height - 1) * memoryWidth + width, rest = memoryWidth - width;
  const std::string whole = tileText({1, run});
  std::string s = "  %k = tile.load %a[%i, %zero] : " + a + " -> " + tileText({1, taps}) + "\n",
              sum;
  for (int64_t t = 0; t < taps; ++t) {
    const std::string n = std::to_string(t);
    const int64_t at = (f.start[0] + t / across) * memoryWidth + f.start[1] + t % across;
    s += "  %at" + n + " = arith.constant " + std::to_string(at) + " : index\n";
    s += "  %x" + n + "_whole = tile.window %b at [%o0, %i, %at" + n + "] : " + b + " -> " +
         tileText({1, 1, run}) + "\n";
    s += "  %x" + n + " = tile.reshape %x" + n + "_whole : " + tileText({1, 1, run}) + " -> " +
         whole + "\n";
    s += "  %k" + n + " = tile.slice %k from [0, " + n + "] : " + tileText({1, taps}) + " -> " +
         tileText({1, 1}) + "\n";
    s += "  %b" + n + " = tile.broadcast %k" + n + " : " + tileText({1, 1}) + " -> " + whole + "\n";
    s += "  %p" + n + " = arith.mulf %x" + n + ", %b" + n + " : " + whole + "\n";
    if (t == 0) {
      sum = "%p0";
      continue;
    }
    s += "  %s" + n + " = arith.addf " + sum + ", %p" + n + " : " + whole + "\n";
    sum = "%s" + n;
  }
  // What lies between the last row and the one behind it, so that rows are rows.
  std::string all = sum;
  if (rest > 0) {
    s += "  %rest = arith.constant dense<0.0> : " + tileText({1, rest}) + "\n";
    s += "  %all = tile.concat " + sum + ", %rest axis 1 : " + whole + ", " + tileText({1, rest}) +
         " -> " + tileText({1, run + rest}) + "\n";
    all = "%all";
  }
  s += "  %lines = tile.reshape " + all + " : " + tileText({1, run + rest}) + " -> " +
       tileText({1, height, memoryWidth}) + "\n";
  return s + "  %sum = tile.slice %lines from [0, 0, 0] : " + tileText({1, height, memoryWidth}) +
         " -> " + tileText({1, height, width}) + "\n";
}

} // namespace imbrex::lower
