#include "compiler/passes/lower/TransposedWindows.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>
#include <set>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

/// Fewer products than this are not worth a kernel for the reordering.
constexpr int64_t kLeastWork = 8192;

using Substitution = std::unordered_map<const Node *, const Node *>;

class Splitting {
public:
  Splitting(Program &p, const DimFacts &facts, const Def &d) : p(p), t{p}, form(p, facts), def(d) {
    form.bind(d.vars, d.type.dims);
    form.bind(d.body->vars, d.body->extents);
  }

  /// The kernels by phases, their product, and the result in order; the first two become
  /// definitions `first` and `first` + 1. Nothing when `def` is no such convolution or it does not
  /// pay.
  std::vector<Def> make(uint32_t first) {
    if (!findFactors() || !findAxes() || !pays())
      return {};
    Def kernels = phasesOfKernels(), sums = phasesOfResult(first);
    if (!isClosed(sums))
      return {};
    return {std::move(kernels), std::move(sums), inOrder(first + 1)};
  }

private:
  /// j + before = stride * (q - skipped) + r, and k * dilation = r + stride * t for a t below taps.
  struct Phased {
    const Node *offset; // j + before - k * dilation, simplified
    size_t ofResult = 0, ofSum = 0, ofPicture = 0, ofKernel = 0; // axes
    int64_t before = 0, stride = 1, dilation = 1, extent = 1, taps = 1, skipped = 0;
  };

  bool findFactors() {
    const Node *sum = def.body;
    if (sum->kind != TermKind::VReduce || sum->red != Red::Sum || def.type.type != DType::F32 ||
        sum->type != DType::F32 || sum->accumulator != DType::F32)
      return false;
    const Node *product = sum->args[1];
    if (product->kind != TermKind::VApply || product->fn != FnId::Mul)
      return false;
    picture = product->args[0];
    kernel = product->args[1];
    return picture->kind == TermKind::VRead && kernel->kind == TermKind::VRead &&
           picture->type == DType::F32 && kernel->type == DType::F32;
  }

  /// An axis for each guard (j + before - k * dilation) mod stride = 0. Its bounds are those of the
  /// picture; other guards stay.
  bool findAxes() {
    std::vector<const Node *> guards;
    conjuncts(def.body->args[0], guards);
    for (const Node *g : guards)
      if (g->kind == TermKind::PCmp && g->cmp == Cmp::Eq && g->args[0]->kind == TermKind::IxMod) {
        if (!isZero(g->args[1]) || !findAxis(g->args[0]))
          return false;
      }
    for (const Node *g : guards)
      if (!isExplained(g))
        others.push_back(g);
    return !axes.empty();
  }

  bool isZero(const Node *index) { return form.simplify(index) == form.constant(0); }

  bool findAxis(const Node *mod) {
    Phased x{.offset = form.simplify(mod->args[0])};
    auto at = affineOf(x.offset);
    auto stride = mod->dim.constant();
    if (!at || !stride || *stride < 2 || at->parts.size() != 2 || at->constant < 0)
      return false;
    x.stride = *stride;
    x.before = at->constant % x.stride;
    x.skipped = at->constant / x.stride;
    const Node *place = nullptr, *tap = nullptr;
    for (const auto &[var, by] : at->parts)
      if (by == 1)
        place = var;
      else if (by <= -1)
        tap = var, x.dilation = -by;
    auto find = [](const std::vector<const Node *> &list, const Node *n, size_t &found) {
      found = static_cast<size_t>(std::find(list.begin(), list.end(), n) - list.begin());
      return found < list.size();
    };
    if (!find(def.vars, place, x.ofResult) || !find(def.body->vars, tap, x.ofSum) ||
        !find(kernel->args, tap, x.ofKernel))
      return false;
    auto isSource = [&](const Node *index) {
      return index->kind == TermKind::IxFloorDiv && index->dim.isConstant(x.stride) &&
             form.simplify(index->args[0]) == x.offset;
    };
    const auto source = std::find_if(picture->args.begin(), picture->args.end(), isSource);
    auto extent = def.body->extents[x.ofSum].constant();
    if (source == picture->args.end() || !extent || *extent < 1 ||
        p.typeOf(kernel->source).dims[x.ofKernel] != DimExpr(*extent))
      return false;
    x.ofPicture = static_cast<size_t>(source - picture->args.begin());
    x.extent = *extent;
    x.taps = (x.extent - 1) * x.dilation / x.stride + 1;
    axes.push_back(x);
    return true;
  }

  /// Is the hit of an axis, or says that its place in the picture is one.
  bool isExplained(const Node *g) {
    return g->kind == TermKind::PCmp && std::any_of(axes.begin(), axes.end(), [&](const Phased &x) {
             const DimExpr &size = p.typeOf(picture->source).dims[x.ofPicture];
             switch (g->cmp) {
             case Cmp::Eq:
               return g->args[0]->kind == TermKind::IxMod && g->args[0]->dim.isConstant(x.stride) &&
                      isZero(g->args[1]) && form.simplify(g->args[0]->args[0]) == x.offset;
             case Cmp::Le:
               return isZero(g->args[0]) && form.simplify(g->args[1]) == x.offset;
             case Cmp::Lt:
               return form.simplify(g->args[0]) == x.offset &&
                      form.simplify(g->args[1]) == form.size(size * DimExpr(x.stride));
             default:
               return false;
             }
           });
  }

  bool pays() const {
    int64_t before = 1, after = 1;
    for (const Phased &x : axes) {
      before *= x.extent;
      after *= x.taps;
    }
    DimExpr work = 1;
    for (const auto *sizes : {&def.type.dims, &def.body->extents})
      for (const DimExpr &e : *sizes)
        work = work * e;
    return after < before && work.constant().value_or(kLeastWork) >= kLeastWork;
  }

  const Phased *phasedBy(size_t Phased::*axis, size_t at) const {
    auto it =
        std::find_if(axes.begin(), axes.end(), [&](const Phased &x) { return x.*axis == at; });
    return it == axes.end() ? nullptr : &*it;
  }
  static const Node *newVar(Program &p, Def &d, const DimExpr &extent) {
    d.vars.push_back(p.variable());
    d.type.dims.push_back(extent);
    return d.vars.back();
  }
  const Node *compare(Cmp how, const Node *a, const Node *b) {
    Node n{.kind = TermKind::PCmp};
    n.cmp = how;
    n.args = {a, b};
    return p.intern(std::move(n));
  }

  /// v[…, r, u, …] = the kernels' element at the tap u of phase r, 0 where there is none. The first
  /// tap reads the last place.
  Def phasesOfKernels() {
    Def d;
    d.name = def.name + ".kernels";
    d.type.type = DType::F32;
    const std::vector<DimExpr> &dims = p.typeOf(kernel->source).dims;
    Node read = *kernel;
    const Node *inside = nullptr;
    for (size_t i = 0; i < dims.size(); ++i) {
      const Phased *x = phasedBy(&Phased::ofKernel, i);
      if (!x) {
        read.args[i] = newVar(p, d, dims[i]);
        continue;
      }
      const Node *phase = newVar(p, d, x->stride), *tap = newVar(p, d, x->taps);
      const Node *back = t.add(t.mul(tap, -1), t.size(x->taps - 1));
      const Node *moved = t.add(phase, t.mul(back, x->stride));
      if (x->dilation > 1)
        inside = t.both(inside, compare(Cmp::Eq, t.mod(moved, x->dilation), form.constant(0)));
      read.args[i] = x->dilation > 1 ? t.div(moved, x->dilation) : moved;
      if ((x->extent - 1) * x->dilation + 1 < x->stride * x->taps)
        inside = t.both(inside, t.less(read.args[i], x->extent));
    }
    const Node *value = p.intern(std::move(read));
    d.body = inside ? t.select(inside, value) : value;
    return d;
  }

  /// z[…, r…, q…]: the sums of each phase, spatial axes last.
  Def phasesOfResult(uint32_t kernels) {
    Def d;
    d.name = def.name + ".phases";
    d.type.type = DType::F32;
    Substitution vars;
    std::vector<const Node *> phase(axes.size()), quotient(axes.size()), tap(axes.size());
    const size_t spatial = firstSpatial();
    for (size_t i = 0; i < spatial; ++i)
      vars[def.vars[i]] = newVar(p, d, def.type.dims[i]);
    for (size_t i = spatial; i < def.vars.size(); ++i)
      if (const Phased *x = phasedBy(&Phased::ofResult, i))
        phase[indexOf(x)] = newVar(p, d, x->stride);
    for (size_t i = spatial; i < def.vars.size(); ++i)
      if (const Phased *x = phasedBy(&Phased::ofResult, i))
        quotient[indexOf(x)] = newVar(p, d, quotients(*x));
      else
        vars[def.vars[i]] = newVar(p, d, def.type.dims[i]);

    Node sum = *def.body;
    for (size_t i = 0; i < sum.vars.size(); ++i) {
      const Phased *x = phasedBy(&Phased::ofSum, i);
      const Node *fresh = p.variable();
      if (x) {
        tap[indexOf(x)] = fresh;
        sum.extents[i] = x->taps;
      } else {
        vars[sum.vars[i]] = fresh;
      }
      sum.vars[i] = fresh;
    }
    auto renamed = [&](const Node *term) {
      return rewriteTerm(p, term, vars, [&](const Node *r, std::vector<const Node *> at) {
        Node copy = *r;
        copy.args = std::move(at);
        return p.intern(std::move(copy));
      });
    };
    Node moved = *picture, weights = *kernel;
    weights.source = {Source::Kind::Def, kernels};
    weights.args.clear();
    const Node *guard = nullptr;
    for (size_t i = 0; i < moved.args.size(); ++i) {
      const Phased *x = phasedBy(&Phased::ofPicture, i);
      if (!x) {
        moved.args[i] = renamed(moved.args[i]);
        continue;
      }
      const Node *at =
          t.add(t.add(quotient[indexOf(x)], tap[indexOf(x)]), t.size(x->skipped - (x->taps - 1)));
      guard = t.both(guard, compare(Cmp::Le, form.constant(0), at));
      guard = t.both(guard, t.less(at, p.typeOf(picture->source).dims[i]));
      moved.args[i] = at;
    }
    for (size_t i = 0; i < kernel->args.size(); ++i)
      if (const Phased *x = phasedBy(&Phased::ofKernel, i))
        weights.args.insert(weights.args.end(), {phase[indexOf(x)], tap[indexOf(x)]});
      else
        weights.args.push_back(renamed(kernel->args[i]));
    for (const Node *g : others)
      guard = t.both(guard, renamed(g));
    Node product = *def.body->args[1];
    product.args = {p.intern(std::move(moved)), p.intern(std::move(weights))};
    sum.args = {guard, p.intern(std::move(product))};
    d.body = p.intern(std::move(sum));
    return d;
  }

  /// y[…, j, …] = z[…, (j + before) mod stride, …, (j + before) div stride, …]
  Def inOrder(uint32_t sums) {
    Def d = def;
    std::vector<const Node *> at, places;
    const size_t spatial = firstSpatial();
    for (const Node *&v : d.vars)
      v = p.variable();
    at.assign(d.vars.begin(), d.vars.begin() + static_cast<std::ptrdiff_t>(spatial));
    for (size_t i = spatial; i < d.vars.size(); ++i) {
      const Phased *x = phasedBy(&Phased::ofResult, i);
      const Node *moved = x && x->before ? t.add(d.vars[i], t.size(x->before)) : d.vars[i];
      if (x)
        at.push_back(t.mod(moved, x->stride));
      places.push_back(x ? t.div(moved, x->stride) : moved);
    }
    at.insert(at.end(), places.begin(), places.end());
    d.body = t.read(sums, DType::F32, at);
    return d;
  }

  /// The first of the result's axes behind which none is the kernels'.
  size_t firstSpatial() const {
    size_t first = 0;
    for (size_t i = 0; i < def.vars.size(); ++i)
      walk(kernel, [&](const Node *n) { first = n == def.vars[i] ? i + 1 : first; });
    for (const Phased &x : axes)
      first = std::min(first, x.ofResult);
    return first;
  }
  size_t indexOf(const Phased *x) const { return static_cast<size_t>(x - axes.data()); }
  DimExpr quotients(const Phased &x) const {
    return floorDiv(def.type.dims[x.ofResult] + DimExpr(x.before - 1), DimExpr(x.stride)) + 1;
  }

  /// Nothing speaks of the old places and taps any more.
  static bool isClosed(const Def &d) {
    std::set<const Node *> bound(d.vars.begin(), d.vars.end());
    bound.insert(d.body->vars.begin(), d.body->vars.end());
    bool closed = true;
    walk(d.body, [&](const Node *n) { closed &= n->kind != TermKind::IxVar || bound.count(n); });
    return closed;
  }

  Program &p;
  Terms t;
  IndexForm form;
  const Def &def;
  const Node *picture = nullptr, *kernel = nullptr; // the factors
  std::vector<Phased> axes;
  std::vector<const Node *> others; // guards that stay
};

} // namespace

void splitTransposedWindows(Program &p, const DimFacts &facts) {
  std::vector<Def> out;
  const std::vector<Def> given = p.defs;
  Renumbering numbers{p, std::vector<uint32_t>(given.size())};
  for (size_t i = 0; i < given.size(); ++i) {
    Def d = given[i];
    d.body = numbers.term(d.body);
    p.defs = out; // what d reads
    std::vector<Def> made = Splitting(p, facts, d).make(static_cast<uint32_t>(out.size()));
    if (made.empty())
      made.push_back(std::move(d));
    out.insert(out.end(), made.begin(), made.end());
    numbers.place[i] = static_cast<uint32_t>(out.size() - 1);
  }
  numbers.finish(std::move(out));
}

} // namespace imbrex::lower
