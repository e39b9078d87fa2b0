#include "compiler/passes/lower/TileContraction.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/Depthwise.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/Winograd.h"

#include <algorithm>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

/// Fewer channels than this are joined with the taps of a row, so that sums have some length.
constexpr int64_t kLeastDepth = 16;
/// With so few places or less, or so many terms or more under windows, places are rows.
constexpr int64_t kFewPlaces = 200, kDeepWindow = 288;

/// What becomes of one contraction: definitions that the last of them, which takes its place,
/// reads. Reads of definitions that come with it are numbered from `first` on.
class Rewrite {
public:
  Rewrite(Program &p, const DimFacts &facts, const Def &d, ContractionParts parts, uint32_t first)
      : p(p), facts(facts), t{p}, def(d), parts(std::move(parts)), first(first) {}

  std::vector<Def> make() {
    auto x = windows();
    changed = changesRoles(x.has_value());
    if (x) {
      slide(*x);
    } else if (changed) {
      const Read a = matrix(".columns", parts.outerOfRight, parts.columns, parts.right,
                            parts.rightGuard, Major::Flat);
      const Read b = panels(".rows", parts.outerOfLeft, parts.rows, parts.left, parts.leftGuard);
      multiply(a, b, false);
    } else {
      const Read a =
          matrix(".rows", parts.outerOfLeft, parts.rows, parts.left, parts.leftGuard, Major::Flat);
      const bool rows = isRows();
      const Read b = rows ? matrix(".columns", parts.outerOfRight, parts.columns, parts.right,
                                   parts.rightGuard, Major::Depth)
                          : panels(".columns", parts.outerOfRight, parts.columns, parts.right,
                                   parts.rightGuard);
      multiply(a, b, rows);
    }
    return std::move(made);
  }

private:
  /// A definition that was made, and the place of its result's leading axes.
  struct Read {
    uint32_t source;
    std::vector<size_t> outer;
  };

  const Node *axisVar(Def &d, const DimExpr &extent) {
    d.vars.push_back(p.variable());
    d.type.dims.push_back(extent);
    return d.vars.back();
  }
  Def begin(const std::string &suffix, const std::vector<size_t> &outer,
            std::unordered_map<const Node *, const Node *> &vars) {
    Def d;
    d.name = def.name + suffix;
    d.type.type = DType::F32;
    for (size_t x : outer)
      vars[def.vars[x]] = axisVar(d, def.type.dims[x]);
    return d;
  }
  /// Ends `d`, whose body is `term` with these variables, where `guard` and `inside` hold.
  uint32_t end(Def d, const Node *term, const Node *guard, const Node *inside,
               const std::unordered_map<const Node *, const Node *> &vars) {
    auto keep = [&](const Node *r, std::vector<const Node *> at) {
      Node copy = *r;
      copy.args = std::move(at);
      return p.intern(std::move(copy));
    };
    const Node *value = t.cast(rewriteTerm(p, term, vars, keep));
    if (guard)
      inside = t.both(inside, rewriteTerm(p, guard, vars, keep));
    d.body = inside ? t.select(inside, value) : value;
    made.push_back(std::move(d));
    return first + static_cast<uint32_t>(made.size() - 1);
  }

  /// Weights that are known, over few places, or under windows of enough channels, where the copy
  /// of the other side costs little beside the products.
  bool changesRoles(bool slides) const {
    const bool deep = slides && extentOf(parts.reduced).constant().value_or(0) >= kDeepWindow;
    auto places = extentOf(parts.columns).constant(), rows = extentOf(parts.rows).constant();
    const Node *weights = parts.left;
    return places && rows && (deep || *places <= kFewPlaces) && *rows >= kPanel &&
           (*rows + kPanel - 1) / kPanel * kPanel <= *rows + *rows / 8 &&
           weights->kind == TermKind::VRead && weights->source.kind == Source::Kind::Operand &&
           p.operands[weights->source.index].constant.has_value() &&
           !(parts.right->kind == TermKind::VRead &&
             parts.right->source.kind == Source::Kind::Operand &&
             p.operands[parts.right->source.index].constant);
  }

  enum class Major : uint8_t { Flat, Depth };
  /// [o…, flat, k], or [o…, k, flat].
  Read matrix(const std::string &suffix, const std::vector<size_t> &outer,
              const std::vector<Axis> &flat, const Node *term, const Node *guard, Major major) {
    std::unordered_map<const Node *, const Node *> vars;
    Def d = begin(suffix, outer, vars);
    const bool first = major == Major::Flat;
    const Node *x = axisVar(d, first ? extentOf(flat) : extentOf(parts.reduced));
    const Node *y = axisVar(d, first ? extentOf(parts.reduced) : extentOf(flat));
    t.unflatten(first ? x : y, flat, vars);
    t.unflatten(first ? y : x, parts.reduced, vars);
    return {end(std::move(d), term, guard, nullptr, vars), outer};
  }

  Read panels(const std::string &suffix, const std::vector<size_t> &outer,
              const std::vector<Axis> &flat, const Node *term, const Node *guard) {
    std::unordered_map<const Node *, const Node *> vars;
    Def d = begin(suffix, outer, vars);
    const Node *inside = panelVars(d, flat, parts.reduced, vars);
    return {end(std::move(d), term, guard, inside, vars), outer};
  }
  /// Adds the axes of panels; where there is something in them.
  const Node *panelVars(Def &d, const std::vector<Axis> &flat, const std::vector<Axis> &depth,
                        std::unordered_map<const Node *, const Node *> &vars) {
    const DimExpr size = extentOf(flat);
    const Node *outer = axisVar(d, ceilDiv(size, kPanel));
    const Node *k = axisVar(d, extentOf(depth));
    const Node *inner = axisVar(d, kPanel);
    const Node *place = t.add(t.mul(outer, kPanel), inner);
    t.unflatten(place, flat, vars);
    t.unflatten(k, depth, vars);
    return t.less(place, size);
  }

  /// The right side lies in memory as [o…, k, n] already, and is no weight, which is better packed.
  bool isRows() {
    const Node *read = parts.right;
    if (parts.rightGuard || read->kind != TermKind::VRead || read->type != DType::F32)
      return false;
    if (read->source.kind == Source::Kind::Operand && p.operands[read->source.index].constant)
      return false;
    std::vector<const Node *> vars;
    std::vector<DimExpr> dims;
    for (size_t x : parts.outerOfRight) {
      vars.push_back(def.vars[x]);
      dims.push_back(def.type.dims[x]);
    }
    for (const auto *axes : {&parts.reduced, &parts.columns})
      for (const Axis &a : *axes) {
        vars.push_back(a.var);
        dims.push_back(a.extent);
      }
    const std::vector<DimExpr> &memory = p.typeOf(read->source).dims;
    DimExpr mine = 1, theirs = 1;
    for (const DimExpr &e : dims)
      mine = mine * e;
    for (const DimExpr &e : memory)
      theirs = theirs * e;
    IndexForm form(p, facts);
    form.bind(vars, dims);
    return mine == theirs && form.flatten(vars, dims) == form.flatten(read->args, memory);
  }

  /// c[o…, m…, n…] over the two, in the place of the contraction.
  void multiply(const Read &a, const Read &b, bool rows) {
    Def d = def;
    const Node *k = p.variable();
    std::unordered_map<const Node *, const Node *> self;
    for (const Node *v : d.vars)
      self[v] = v;
    const Node *m = t.flatten(changed ? parts.columns : parts.rows, self),
               *n = t.flatten(changed ? parts.rows : parts.columns, self);
    std::vector<const Node *> atA = outerVars(a), atB = outerVars(b);
    atA.insert(atA.end(), {m, k});
    if (rows)
      atB.insert(atB.end(), {k, n});
    else
      atB.insert(atB.end(), {t.div(n, kPanel), k, t.mod(n, kPanel)});
    d.body = t.sum({k}, {extentOf(parts.reduced)}, t.read(a.source, DType::F32, atA),
                   t.read(b.source, DType::F32, atB));
    finish(std::move(d));
  }

  std::vector<const Node *> outerVars(const Read &r) const {
    std::vector<const Node *> at;
    for (size_t x : r.outer)
      at.push_back(def.vars[x]);
    return at;
  }

  /// The sum is f32; a narrower result is a cast of it.
  void finish(Def d) {
    if (d.type.type == DType::F32) {
      made.push_back(std::move(d));
      return;
    }
    Def narrow = d;
    d.type.type = DType::F32;
    d.name += ".acc";
    for (const Node *&v : narrow.vars)
      v = p.variable();
    made.push_back(std::move(d));
    narrow.body =
        t.castTo(t.read(first + static_cast<uint32_t>(made.size() - 1), DType::F32, narrow.vars),
                 narrow.type.type);
    made.push_back(std::move(narrow));
  }

  //===-- Windows -----------------------------------------------------------===//

  struct Slide {
    const Node *read; // of the right side
    size_t axis[2];   // of the read, that the window slides over
    AffineIndex at[2];
    WindowAxis window[2];
    const Node *place[2];       // variables of the result
    const Node *tap[2];         // of the sum; null: one tap
    std::vector<Axis> channels; // other summed variables
  };

  std::optional<Slide> windows() {
    const Node *read = parts.right;
    if (parts.rightGuard || parts.leftGuard || read->kind != TermKind::VRead ||
        read->type != DType::F32 || parts.columns.size() != 2 || read->args.size() < 2)
      return std::nullopt;
    IndexForm form(p, facts);
    form.bind(def.vars, def.type.dims);
    for (const Axis &r : parts.reduced)
      form.bind(r.var, r.extent);
    Slide s{
        .read = read, .axis = {}, .at = {}, .window = {}, .place = {}, .tap = {}, .channels = {}};
    bool slides = false;
    for (size_t i = 0; i < 2; ++i) {
      s.axis[i] = read->args.size() - 2 + i;
      s.place[i] = parts.columns[i].var;
      auto at = affineOf(form.simplify(read->args[s.axis[i]]));
      if (!at || at->constant < 0 || !parts.columns[i].extent.constant())
        return std::nullopt;
      s.at[i] = *at;
      for (const auto &[var, by] : at->parts) {
        const Axis *summed = axisOf(parts.reduced, var);
        if (by < 1 || by > 8)
          return std::nullopt;
        if (var == s.place[i]) {
          s.window[i].stride = by;
        } else if (summed && !s.tap[i] && summed->extent.constant()) {
          s.tap[i] = var;
          s.window[i].dilation = by;
          s.window[i].taps = *summed->extent.constant();
        } else {
          return std::nullopt;
        }
      }
      // Taps that skip places would use some phases only.
      if (s.window[i].stride > 1 && s.window[i].dilation > 1)
        return std::nullopt;
      slides |= s.window[i].taps > 1 || s.window[i].stride > 1;
      if (at->parts.empty() && !parts.columns[i].extent.isConstant(1))
        return std::nullopt;
    }
    for (const Axis &r : parts.reduced)
      if (r.var != s.tap[0] && r.var != s.tap[1])
        s.channels.push_back(r);
    for (size_t i = 0; i + 2 < read->args.size(); ++i) {
      bool overlaps = false;
      walk(read->args[i], [&](const Node *n) {
        overlaps |= n == s.place[0] || n == s.place[1] || n == s.tap[0] || n == s.tap[1];
      });
      if (overlaps)
        return std::nullopt;
    }
    if (!slides || !extentOf(s.channels).constant())
      return std::nullopt;
    return s;
  }

  /// b[o…, k, p, q, y, x], and the product over it. With few channels the taps of a row become
  /// channels, too.
  void slide(Slide s) {
    if (auto c = extentOf(s.channels).constant(); c && *c < kLeastDepth && s.tap[1])
      s.channels.push_back(*axisOf(parts.reduced, s.tap[1]));
    const bool joined = !s.channels.empty() && s.channels.back().var == s.tap[1];
    std::unordered_map<const Node *, const Node *> left, right;
    Def a = begin(".rows", parts.outerOfLeft, left);
    std::vector<DimExpr> taps;
    for (size_t i = 0; i < 2; ++i) {
      const bool own = s.tap[i] && !(i == 1 && joined);
      taps.push_back(own ? s.window[i].taps : 1);
      const Node *tap = axisVar(a, taps.back());
      if (own)
        left[s.tap[i]] = tap;
    }
    const Node *inside = nullptr;
    if (changed) {
      inside = panelVars(a, parts.rows, s.channels, left);
    } else {
      t.unflatten(axisVar(a, extentOf(parts.rows)), parts.rows, left);
      t.unflatten(axisVar(a, extentOf(s.channels)), s.channels, left);
    }
    const uint32_t weights = end(std::move(a), parts.left, nullptr, inside, left);

    Def b = begin(".windows", parts.outerOfRight, right);
    if (!changed)
      t.unflatten(axisVar(b, extentOf(s.channels)), s.channels, right);
    const uint32_t pixels = copyWindows(std::move(b), s, joined, right);

    Def d = def;
    std::vector<const Node *> sum = {p.variable(), p.variable(), p.variable()};
    std::unordered_map<const Node *, const Node *> self;
    for (const Node *v : d.vars)
      self[v] = v;
    std::vector<const Node *> atA = outerVars({weights, parts.outerOfLeft}),
                              atB = outerVars({pixels, parts.outerOfRight});
    const Node *m = t.flatten(parts.rows, self);
    if (changed)
      atA.insert(atA.end(), {sum[0], sum[1], t.div(m, kPanel), sum[2], t.mod(m, kPanel)});
    else
      atA.insert(atA.end(), {sum[0], sum[1], m, sum[2]});
    std::vector<const Node *> phases, places;
    for (size_t i = 0; i < 2; ++i) {
      const WindowAxis w = axisWindow(s, i, joined);
      const Node *moved = t.mul(sum[i], w.dilation);
      phases.push_back(t.mod(moved, w.stride));
      places.push_back(t.add(s.place[i], t.div(moved, w.stride)));
    }
    if (!changed)
      atB.push_back(sum[2]);
    atB.insert(atB.end(), phases.begin(), phases.end());
    atB.insert(atB.end(), places.begin(), places.end());
    if (changed)
      atB.push_back(sum[2]);
    d.body = t.sum(sum, {taps[0], taps[1], extentOf(s.channels)}, t.read(weights, DType::F32, atA),
                   t.read(pixels, DType::F32, atB));
    finish(std::move(d));
  }

  static WindowAxis axisWindow(const Slide &s, size_t i, bool joined) {
    return i == 1 && joined ? WindowAxis{} : s.window[i];
  }

  uint32_t copyWindows(Def b, const Slide &s, bool joined,
                       std::unordered_map<const Node *, const Node *> &vars) {
    const Node *phase[2], *place[2];
    int64_t extent[2], memory[2];
    bool exact = true;
    for (size_t i = 0; i < 2; ++i) {
      const WindowAxis w = axisWindow(s, i, joined);
      phase[i] = axisVar(b, std::min(w.stride, (w.taps - 1) * w.dilation + 1));
      extent[i] = *parts.columns[i].extent.constant() + (w.taps - 1) * w.dilation / w.stride;
      const DimExpr &size = p.typeOf(s.read->source).dims[s.axis[i]];
      memory[i] = size.constant().value_or(-1);
      exact &= w.stride == 1 && s.at[i].constant == 0 && memory[i] == extent[i] &&
               !(i == 1 && joined && s.window[1].taps > 1);
    }
    // Rows of taps overlap, so the last block reads a little behind the last row: a copy has room.
    const int64_t room =
        exact || changed ? 0 : spareRows(extent[1], *parts.columns[0].extent.constant());
    for (size_t i = 0; i < 2; ++i)
      place[i] = axisVar(b, extent[i] + (i == 0 ? room : 0));
    if (changed)
      t.unflatten(axisVar(b, extentOf(s.channels)), s.channels, vars);
    const Node *inside = nullptr;
    Node moved = *s.read;
    for (size_t i = 0; i < 2; ++i) {
      const WindowAxis w = axisWindow(s, i, joined);
      // What lies in the room is read and thrown away.
      const Node *row =
          i == 0 && room ? t.make(TermKind::IxMin, {place[0], t.size(extent[0] - 1)}) : place[i];
      const Node *at = t.add(t.mul(row, w.stride), phase[i]);
      if (i == 1 && joined) // a place and a tap, each in memory
        at = t.add(t.mul(place[1], s.window[1].stride),
                   t.mul(vars.at(s.tap[1]), s.window[1].dilation));
      at = t.add(at, t.size(s.at[i].constant));
      // The last places of a phase may lie behind the tensor; no window sees them.
      if (memory[i] >= 0) {
        if (w.stride > 1)
          inside = t.both(inside, t.less(at, memory[i]));
      } else if (w.stride > 1) {
        inside = t.both(inside, t.less(at, p.typeOf(s.read->source).dims[s.axis[i]]));
      }
      // `at` is over the copy's variables already: it stands in for the window's index.
      const Node *stand = p.variable();
      vars[stand] = at;
      moved.args[s.axis[i]] = stand;
    }
    return end(std::move(b), p.intern(std::move(moved)), nullptr, inside, vars);
  }

  /// See kernels of windows: their last block of rows ends so many rows later at most.
  static int64_t spareRows(int64_t width, int64_t rows) {
    return rows > 1 ? (kPanel + 8 + width - 1) / width : 1;
  }

  Program &p;
  const DimFacts &facts;
  Terms t;
  const Def &def;
  ContractionParts parts;
  uint32_t first;
  bool changed = false; // the sides have changed roles
  std::vector<Def> made;
};

} // namespace

/// A guard that always holds is none, and what is summed over one place is at 0.
static void tidySum(Program &p, const DimFacts &facts, Def &d) {
  if (d.body->kind != TermKind::VReduce)
    return;
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  form.bind(d.body->vars, d.body->extents);
  Node sum = *d.body;
  sum.vars.clear();
  sum.extents.clear();
  std::unordered_map<const Node *, const Node *> single;
  for (size_t i = 0; i < d.body->vars.size(); ++i) {
    if (d.body->extents[i].isConstant(1)) {
      single[d.body->vars[i]] = form.constant(0);
      continue;
    }
    sum.vars.push_back(d.body->vars[i]);
    sum.extents.push_back(d.body->extents[i]);
  }
  if (sum.vars.empty())
    return;
  auto keep = [&](const Node *r, std::vector<const Node *> at) {
    Node copy = *r;
    copy.args = std::move(at);
    return p.intern(std::move(copy));
  };
  sum.args[0] = form.simplifyGuard(rewriteTerm(p, sum.args[0], single, keep));
  sum.args[1] = rewriteTerm(p, sum.args[1], single, keep);
  d.body = p.intern(std::move(sum));
}

void tileContractions(Program &p, const DimFacts &facts, int64_t &spareBytes,
                      std::vector<std::string> &remarks) {
  std::vector<Def> out;
  Renumbering numbers{p, std::vector<uint32_t>(p.defs.size())};
  const std::vector<Def> given = p.defs;
  for (size_t i = 0; i < given.size(); ++i) {
    Def d = given[i];
    d.body = numbers.term(d.body);
    p.defs = out; // what d reads
    tidySum(p, facts, d);
    auto parts = contractionParts(p, d);
    const bool depthwise = parts && depthwiseOf(p, d, *parts, facts);
    std::string reason = parts && !depthwise ? whyPlainLoop(*parts) : "";
    if (!reason.empty())
      remarks.push_back("the contraction '" + d.name + "' runs as a plain loop nest: " + reason);
    const auto first = static_cast<uint32_t>(out.size());
    if (auto made = parts && d.contract == FloatContract::Convolve
                        ? winograd(p, facts, d, *parts, first, spareBytes)
                        : std::nullopt) {
      remarks.push_back("the convolution '" + d.name +
                        "' runs by Winograd's F(4x4, 3x3), as the float contract admits");
      out.insert(out.end(), made->begin(), made->end());
    } else if (parts && reason.empty() && !depthwise) {
      auto made = Rewrite(p, facts, d, std::move(*parts), first).make();
      out.insert(out.end(), made.begin(), made.end());
    } else {
      out.push_back(std::move(d));
    }
    numbers.place[i] = static_cast<uint32_t>(out.size() - 1);
  }
  numbers.finish(std::move(out));
}

} // namespace imbrex::lower
