// Recognises products in the form that tile kernels compute.
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/Depthwise.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/TileContraction.h"
#include "compiler/passes/lower/TilePool.h"
#include "compiler/passes/lower/Winograd.h"

#include <algorithm>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

class Recogniser {
public:
  Recogniser(Program &p, const Def &d, const DimFacts &facts, const ContractionParts &parts)
      : p(p), d(d), parts(parts), form(p, facts), t{p} {
    form.bind(d.vars, d.type.dims);
    form.bind(d.body->vars, d.body->extents);
  }

  std::optional<TileProduct> recognise() {
    TileProduct x;
    x.a = parts.left;
    x.b = parts.right;
    x.outerOfA = parts.outerOfLeft;
    x.outerOfB = parts.outerOfRight;
    x.outer = parts.outer.size();
    x.rows = parts.rows.size();
    x.columns = parts.columns.size();
    x.m = extentOf(parts.rows);
    x.n = extentOf(parts.columns);
    x.k = d.body->extents.back();
    const std::vector<const Node *> &sum = d.body->vars;
    const Node *k = sum.back(), *m = flat(parts.rows), *n = flat(parts.columns);
    if (sum.size() == 3)
      return windows(x, m, k);
    if (sum.size() == 1 && reads(x.b, x.outerOfB, {x.n, x.k}, {n, k}) &&
        reads(x.a, x.outerOfA, {ceilDiv(x.m, kPanel), x.k, kPanel},
              {t.div(m, kPanel), k, t.mod(m, kPanel)})) {
      x.right = TileProduct::Right::Panels;
      return changed(x);
    }
    if (sum.size() != 1 || !reads(x.a, x.outerOfA, {x.m, x.k}, {m, k}))
      return std::nullopt;
    if (reads(x.b, x.outerOfB, {x.k, x.n}, {k, n})) {
      x.right = TileProduct::Right::Rows;
      return x;
    }
    x.right = TileProduct::Right::Panels;
    if (reads(x.b, x.outerOfB, {ceilDiv(x.n, kPanel), x.k, kPanel},
              {t.div(n, kPanel), k, t.mod(n, kPanel)}))
      return x;
    return std::nullopt;
  }

private:
  const Node *flat(const std::vector<Axis> &axes) {
    std::vector<const Node *> vars;
    std::vector<DimExpr> dims;
    for (const Axis &a : axes) {
      vars.push_back(a.var);
      dims.push_back(a.extent);
    }
    return form.flatten(vars, dims);
  }

  /// `read` is of these extents at these places, behind the leading axes `outer`.
  bool reads(const Node *read, const std::vector<size_t> &outer, std::vector<DimExpr> extents,
             std::vector<const Node *> at) {
    std::vector<DimExpr> dims;
    std::vector<const Node *> place;
    for (size_t x : outer) {
      dims.push_back(d.type.dims[x]);
      place.push_back(d.vars[x]);
    }
    dims.insert(dims.end(), extents.begin(), extents.end());
    place.insert(place.end(), at.begin(), at.end());
    if (p.typeOf(read->source).dims != dims || read->args.size() != place.size())
      return false;
    for (size_t i = 0; i < place.size(); ++i)
      if (form.simplify(read->args[i]) != form.simplify(place[i]))
        return false;
    return true;
  }

  /// What was taken for the right side is the left one.
  static TileProduct changed(TileProduct x) {
    std::swap(x.a, x.b);
    std::swap(x.outerOfA, x.outerOfB);
    x.changedRoles = true;
    return x;
  }

  std::optional<TileProduct> windows(TileProduct x, const Node *m, const Node *k) {
    const size_t axes = x.b->args.size();
    // Channels come first, or last when the sides have changed roles.
    if (axes > 0 && form.simplify(x.b->args.back()) == form.simplify(k) &&
        x.a->args.size() == x.outerOfA.size() + 5)
      return windows(x, m, k, 0);
    return windows(x, m, k, 1);
  }

  std::optional<TileProduct> windows(TileProduct x, const Node *m, const Node *k,
                                     size_t channelsFirst) {
    x.right = TileProduct::Right::Windows;
    const std::vector<DimExpr> &memory = p.typeOf(x.b->source).dims;
    const size_t outer = x.outerOfB.size(), at = outer + channelsFirst;
    if (x.columns != 2 || memory.size() != outer + 5 || !x.k.constant())
      return std::nullopt;
    std::vector<DimExpr> taps, phases, sizes;
    std::vector<const Node *> tapsAt, phasesAt, placesAt;
    for (size_t i = 0; i < 2; ++i) {
      auto count = d.body->extents[i].constant(), size = parts.columns[i].extent.constant(),
           here = memory[at + 2 + i].constant();
      if (!count || !size || !here)
        return std::nullopt;
      x.window[i].taps = *count;
      const Node *tap = d.body->vars[i];
      if (!findSteps(x.window[i], tap, parts.columns[i].var, x.b->args[at + i],
                     x.b->args[at + 2 + i]))
        return std::nullopt;
      const WindowAxis &w = x.window[i];
      const int64_t reach = (w.taps - 1) * w.dilation;
      if (*here < *size + reach / w.stride)
        return std::nullopt;
      taps.push_back(w.taps);
      tapsAt.push_back(tap);
      phases.push_back(std::min(w.stride, reach + 1));
      sizes.push_back(*here);
      phasesAt.push_back(x.b->args[at + i]);
      placesAt.push_back(x.b->args[at + 2 + i]);
    }
    if (channelsFirst) {
      if (reads(x.a, x.outerOfA, {taps[0], taps[1], x.m, x.k}, {tapsAt[0], tapsAt[1], m, k}) &&
          reads(x.b, x.outerOfB, {x.k, phases[0], phases[1], sizes[0], sizes[1]},
                {k, phasesAt[0], phasesAt[1], placesAt[0], placesAt[1]}))
        return x;
      return std::nullopt;
    }
    if (reads(x.a, x.outerOfA, {taps[0], taps[1], ceilDiv(x.m, kPanel), x.k, kPanel},
              {tapsAt[0], tapsAt[1], t.div(m, kPanel), k, t.mod(m, kPanel)}) &&
        reads(x.b, x.outerOfB, {phases[0], phases[1], sizes[0], sizes[1], x.k},
              {phasesAt[0], phasesAt[1], placesAt[0], placesAt[1], k}))
      return changed(x);
    return std::nullopt;
  }

  /// The steps with which a window's phase and place follow from its tap.
  bool findSteps(WindowAxis &w, const Node *tap, const Node *var, const Node *phase,
                 const Node *place) {
    const Node *isPhase = form.simplify(phase), *isPlace = form.simplify(place);
    for (int64_t stride = 1; stride <= 8; ++stride)
      for (int64_t dilation = 1; dilation <= 8; ++dilation) {
        const Node *moved = t.mul(tap, dilation);
        if (form.simplify(t.mod(moved, stride)) == isPhase &&
            form.simplify(t.add(var, t.div(moved, stride))) == isPlace) {
          w.stride = stride;
          w.dilation = dilation;
          return true;
        }
      }
    return false;
  }

  Program &p;
  const Def &d;
  const ContractionParts &parts;
  IndexForm form;
  Terms t;
};

} // namespace

std::optional<TileProduct> tileProductOf(Program &p, const Def &d, const DimFacts &facts) {
  const Node *sum = d.body;
  if (d.type.type != DType::F32 || sum->kind != TermKind::VReduce || sum->type != DType::F32 ||
      sum->args[0]->kind != TermKind::PTrue)
    return std::nullopt;
  if (auto pool = tilePoolOf(p, d, facts))
    return pool;
  if (auto step = winogradStepOf(p, d, facts))
    return step;
  auto parts = contractionParts(p, d);
  if (auto depthwise = parts ? depthwiseOf(p, d, *parts, facts) : std::nullopt)
    return depthwise;
  if (!parts || parts->left->kind != TermKind::VRead || parts->right->kind != TermKind::VRead ||
      parts->left->type != DType::F32 || parts->right->type != DType::F32 ||
      !whyPlainLoop(*parts).empty())
    return std::nullopt;
  return Recogniser(p, d, facts, *parts).recognise();
}

} // namespace imbrex::lower
