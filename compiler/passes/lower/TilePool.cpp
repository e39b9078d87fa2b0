#include "compiler/passes/lower/TilePool.h"
#include "compiler/passes/lower/TileKernelText.h"

#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/IndexForm.h"

namespace imbrex::lower {

using namespace opmeaning;

namespace {

constexpr int64_t kMostTaps = 7, kMostElems = 1 << 17;

} // namespace

std::optional<TileProduct> tilePoolOf(Program &p, const Def &d, const DimFacts &facts) {
  const Node *fold = d.body, *x = fold->args[1];
  if ((fold->red != Red::Max && fold->red != Red::Min) || fold->vars.size() != 2 ||
      d.vars.size() != 4 || x->kind != TermKind::VRead || x->args.size() != 4)
    return std::nullopt;
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  form.bind(fold->vars, fold->extents);
  const std::vector<DimExpr> &memory = p.typeOf(x->source).dims;
  TileProduct f;
  for (size_t i = 0; i < 2; ++i) {
    auto taps = fold->extents[i].constant(), size = d.type.dims[2 + i].constant(),
         there = memory[2 + i].constant();
    auto slide = slideOf(form.simplify(x->args[2 + i]), d.vars[2 + i], fold->vars[i]);
    if (!taps || !size || !there || !slide || *taps < 2 || *taps > kMostTaps || *size < 2 ||
        slide->start + (*size - 1) * slide->stride + *taps > *there ||
        memory[i] != d.type.dims[i] || form.simplify(x->args[i]) != form.simplify(d.vars[i]))
      return std::nullopt;
    f.window[i].taps = *taps;
    f.window[i].stride = slide->stride;
    f.start[i] = slide->start;
  }
  if (f.window[0].stride != f.window[1].stride ||
      *memory[2].constant() * *memory[3].constant() > kMostElems)
    return std::nullopt;
  f.kind = fold->red == Red::Max ? TileProduct::Kind::Largest : TileProduct::Kind::Smallest;
  f.right = TileProduct::Right::Windows;
  f.a = f.b = x;
  f.outer = f.rows = 1;
  f.columns = 2;
  f.m = d.type.dims[1];
  f.n = d.type.dims[2] * d.type.dims[3];
  return f;
}

std::string tilePoolText(const TileProduct &f, const std::string &x, int64_t height, int64_t width,
                         int64_t memoryWidth) {
  const int64_t stride = f.window[0].stride, rows = (height - 1) * stride + 1;
  const int64_t run = rows * memoryWidth, groups = (rows + 1) / stride;
  const std::string op = f.kind == TileProduct::Kind::Largest ? "maximumf" : "minimumf";
  std::string s, down;
  auto joined = [&](const std::string &so, const std::string &next, const std::string &name,
                    const std::string &shape) {
    if (so.empty())
      return next;
    s += "  " + name + " = arith." + op + " " + so + ", " + next + " : " + shape + "\n";
    return name;
  };
  for (int64_t i = 0; i < f.window[0].taps; ++i) {
    const std::string n = std::to_string(i);
    s += "  %at" + n + " = arith.constant " + std::to_string((f.start[0] + i) * memoryWidth) +
         " : index\n";
    s += "  %x" + n + "_whole = tile.window %x at [%o0, %i, %at" + n + "] : " + x + " -> " +
         tileText({1, 1, run}) + "\n";
    s += "  %x" + n + " = tile.reshape %x" + n + "_whole : " + tileText({1, 1, run}) + " -> " +
         tileText({1, run}) + "\n";
    down = joined(down, "%x" + n, "%d" + n, tileText({1, run}));
  }
  // One row more, which nothing reads, makes pairs of rows and of elements.
  s += "  %rest = arith.constant dense<0.0> : " + tileText({1, memoryWidth}) + "\n";
  s += "  %rows = tile.concat " + down + ", %rest axis 1 : " + tileText({1, run}) + ", " +
       tileText({1, memoryWidth}) + " -> " + tileText({1, run + memoryWidth}) + "\n";
  s += "  %pairs = tile.reshape %rows : " + tileText({1, run + memoryWidth}) + " -> " +
       tileText({1, groups, memoryWidth, stride}) + "\n";
  std::string across;
  for (int64_t j = 0; j < f.window[1].taps; ++j) {
    const std::string n = std::to_string(j);
    const int64_t at = f.start[1] + j;
    s += "  %tap" + n + "_one = tile.slice %pairs from [0, 0, " + std::to_string(at / stride) +
         ", " + std::to_string(at % stride) + "] : " + tileText({1, groups, memoryWidth, stride}) +
         " -> " + tileText({1, height, width, 1}) + "\n";
    s += "  %tap" + n + " = tile.reshape %tap" + n + "_one : " + tileText({1, height, width, 1}) +
         " -> " + tileText({1, height, width}) + "\n";
    across = joined(across, "%tap" + n, "%m" + n, tileText({1, height, width}));
  }
  // The last name is the value that is stored.
  const size_t at = s.rfind("  " + across + " = ");
  return s.replace(at + 2, across.size(), "%sum");
}

} // namespace imbrex::lower
