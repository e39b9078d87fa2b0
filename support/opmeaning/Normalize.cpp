// Normal form: each reduce and best is the whole body of a definition of its own.
//
//   y[i, j] = x[i, j] / (sum (k < K) x[i, k])
//     =>  y.sum[i] = sum (k < K) x[i, k]          only the variables it uses
//         y[i, j]  = x[i, j] / y.sum[i]
//
// A reduce that stands under a select keeps the select's guard as its own, because what it reads
// may not exist where the guard does not hold; its value there (the identity) is never used.
#include "support/opmeaning/Program.h"

#include <algorithm>
#include <map>

namespace imbrex::opmeaning {

static bool isFold(const Node *n) {
  return n->kind == TermKind::VReduce || n->kind == TermKind::VBest;
}

/// The reduce or best that is the whole of a body, or null. A place stands as an i64 definition.
static const Node *wholeFold(const Node *body) {
  if (isFold(body))
    return body;
  if (body->kind == TermKind::VFromIx && body->type == DType::I64 &&
      body->args[0]->kind == TermKind::IxPlace)
    return body->args[0]->args[0];
  return nullptr;
}

static std::string foldName(const Node *fold, bool place) {
  if (fold->kind == TermKind::VBest)
    return place ? "place" : "best";
  constexpr const char *kNames[] = {"sum", "prod", "max", "min", "and", "or"};
  return kNames[static_cast<size_t>(fold->red)];
}

namespace {

class Normalizer {
public:
  explicit Normalizer(Program &p) : p(p) {}

  void run() {
    std::vector<Def> old = std::move(p.defs);
    std::vector<uint32_t> places;
    p.defs.clear();
    for (Def &d : old) {
      movedTo = &places;
      d.body = remap(d.body);
      done.clear();
      base = d.name;
      vars = d.vars;
      extents = d.type.dims;
      d.body = whole(d.body);
      places.push_back(static_cast<uint32_t>(p.defs.size()));
      p.defs.push_back(std::move(d));
    }
    for (uint32_t &o : p.outputs)
      o = places[o];
    for (OpenDim &o : p.opens)
      if (o.source.kind == Source::Kind::Def)
        o.source.index = places[o.source.index];
    for (Require &r : p.requirements)
      r.guard = remap(r.guard);
  }

private:
  Program &p;
  std::vector<uint32_t> *movedTo = nullptr;
  std::string base;
  // Variables in scope with their extents, outermost first, and the conjunction of the guards
  // passed.
  std::vector<const Node *> vars;
  std::vector<DimExpr> extents;
  const Node *path = nullptr;
  std::map<std::pair<const Node *, const Node *>, const Node *> done;
  std::map<const Node *, bool> folds;

  /// Reads of definitions follow where those went.
  const Node *remap(const Node *n) {
    bool same = true;
    for (size_t i = 0; i < movedTo->size(); ++i)
      same &= (*movedTo)[i] == i;
    if (same)
      return n;
    std::map<const Node *, const Node *> memo;
    return remapNode(n, memo);
  }
  const Node *remapNode(const Node *n, std::map<const Node *, const Node *> &memo) {
    if (n->kind == TermKind::IxVar)
      return n;
    if (auto it = memo.find(n); it != memo.end())
      return it->second;
    Node fresh = *n;
    for (const Node *&a : fresh.args)
      a = remapNode(a, memo);
    bool reads = n->kind == TermKind::VRead || n->kind == TermKind::IxRead;
    if (reads && n->source.kind == Source::Kind::Def)
      fresh.source.index = (*movedTo)[n->source.index];
    return memo[n] = p.intern(std::move(fresh));
  }

  bool containsFold(const Node *n) {
    if (auto it = folds.find(n); it != folds.end())
      return it->second;
    bool found = isFold(n);
    for (const Node *a : n->args)
      found = found || containsFold(a);
    return folds[n] = found;
  }

  /// A body whose own fold may stay.
  const Node *whole(const Node *body) {
    const Node *fold = wholeFold(body);
    if (!fold)
      return extract(body);
    const Node *inner = insideFold(fold);
    if (isFold(body))
      return inner;
    const Node *place = p.intern({.kind = TermKind::IxPlace, .args = {inner}});
    return p.intern({.kind = TermKind::VFromIx, .type = body->type, .args = {place}});
  }

  /// The fold with the folds inside of it extracted.
  const Node *insideFold(const Node *fold) {
    Node fresh = *fold;
    vars.insert(vars.end(), fold->vars.begin(), fold->vars.end());
    extents.insert(extents.end(), fold->extents.begin(), fold->extents.end());
    fresh.args[0] = extract(fold->args[0]);
    fresh.args[1] = under(fresh.args[0], fold->args[1]);
    vars.resize(vars.size() - fold->vars.size());
    extents.resize(extents.size() - fold->extents.size());
    return p.intern(std::move(fresh));
  }

  const Node *under(const Node *guard, const Node *term) {
    const Node *saved = path;
    path = conjunction(path, guard);
    const Node *out = extract(term);
    path = saved;
    return out;
  }

  const Node *conjunction(const Node *a, const Node *b) {
    if (!a || a->kind == TermKind::PTrue)
      return b;
    if (b->kind == TermKind::PTrue || a == b)
      return a;
    return p.intern({.kind = TermKind::PAnd, .args = {a, b}});
  }

  /// The term with every fold replaced by a read of a new definition.
  const Node *extract(const Node *n) {
    if (!containsFold(n))
      return n;
    auto key = std::make_pair(n, path);
    if (auto it = done.find(key); it != done.end())
      return it->second;
    const Node *out = isFold(n) || n->kind == TermKind::IxPlace ? define(n) : rebuild(n);
    done[key] = out;
    folds[out] = false;
    return out;
  }

  const Node *rebuild(const Node *n) {
    Node fresh = *n;
    bool selects = n->kind == TermKind::VSelect || n->kind == TermKind::IxSelect;
    bool joins = n->kind == TermKind::PAnd || n->kind == TermKind::POr;
    if (selects || joins) {
      const Node *g = extract(n->args[0]);
      const Node *no = p.intern({.kind = TermKind::PNot, .args = {g}});
      fresh.args[0] = g;
      fresh.args[1] = under(n->kind == TermKind::POr ? no : g, n->args[1]);
      if (selects)
        fresh.args[2] = under(no, n->args[2]);
    } else {
      for (const Node *&a : fresh.args)
        a = extract(a);
    }
    return p.intern(std::move(fresh));
  }

  /// A new definition for a fold or its place, and the read of it at the current variables.
  const Node *define(const Node *n) {
    bool place = n->kind == TermKind::IxPlace;
    const Node *original = place ? n->args[0] : n;
    const Node *fold = insideFold(original);
    if (path) {
      Node guarded = *fold;
      guarded.args[0] = conjunction(path, fold->args[0]);
      fold = p.intern(std::move(guarded));
    }
    std::vector<const Node *> used, fresh;
    Def d{base + "." + foldName(fold, place),
          {place ? DType::I64 : fold->type, {}},
          {},
          nullptr,
          false};
    std::vector<const Node *> reached;
    walk(fold, [&](const Node *x) {
      if (x->kind == TermKind::IxVar)
        reached.push_back(x);
    });
    for (size_t i = 0; i < vars.size(); ++i)
      if (std::find(reached.begin(), reached.end(), vars[i]) != reached.end()) {
        used.push_back(vars[i]);
        d.vars.push_back(p.variable());
        d.type.dims.push_back(extents[i]);
      }
    const Node *body = copyTerm(fold, p, [&](const Node *x) -> const Node * {
      auto it = std::find(used.begin(), used.end(), x);
      return it == used.end() ? nullptr : d.vars[static_cast<size_t>(it - used.begin())];
    });
    if (place) {
      body = p.intern({.kind = TermKind::IxPlace, .args = {body}});
      body = p.intern({.kind = TermKind::VFromIx, .type = DType::I64, .args = {body}});
    }
    d.body = body;
    Source source{Source::Kind::Def, static_cast<uint32_t>(p.defs.size())};
    DType type = d.type.type;
    p.defs.push_back(std::move(d));
    if (place)
      return p.intern({.kind = TermKind::IxRead, .args = used, .source = source});
    return p.intern({.kind = TermKind::VRead, .type = type, .args = used, .source = source});
  }
};

} // namespace

void normalize(Program &p) { Normalizer(p).run(); }

} // namespace imbrex::opmeaning
