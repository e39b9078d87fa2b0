#include "compiler/passes/lower/Compose.h"

#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/TileContraction.h"

#include <algorithm>
#include <unordered_set>

namespace imbrex::lower {

using namespace opmeaning;

bool isRead(const Node *n) { return n->kind == TermKind::VRead || n->kind == TermKind::IxRead; }

const Node *
rewriteTerm(Program &into, const Node *root,
            const std::unordered_map<const Node *, const Node *> &variables,
            const std::function<const Node *(const Node *, std::vector<const Node *>)> &onRead) {
  std::unordered_map<const Node *, const Node *> done;
  // A reduce binds variables of its own: each copy gets fresh ones.
  std::unordered_map<const Node *, const Node *> bound = variables;
  std::function<const Node *(const Node *)> go = [&](const Node *n) -> const Node * {
    if (auto it = bound.find(n); it != bound.end())
      return it->second;
    if (auto it = done.find(n); it != done.end())
      return it->second;
    const Node *out = nullptr;
    if (n->kind == TermKind::IxVar) {
      out = n;
    } else {
      Node copy = *n;
      for (auto &v : copy.vars) {
        const Node *fresh = into.variable();
        bound[v] = fresh;
        v = fresh;
      }
      for (auto &a : copy.args)
        a = go(a);
      if (isRead(n))
        out = onRead(n, copy.args);
      if (!out)
        out = into.intern(std::move(copy));
    }
    done[n] = out;
    return out;
  };
  return go(root);
}

std::vector<Source> append(Program &into, const Program &part,
                           const std::vector<std::optional<Source>> &operands) {
  const uint32_t base = static_cast<uint32_t>(into.defs.size());
  auto moved = [&](Source s) {
    return s.kind == Source::Kind::Def ? Source{Source::Kind::Def, base + s.index}
                                       : *operands[s.index];
  };
  auto onRead = [&](const Node *read, std::vector<const Node *> at) {
    Node copy = *read;
    copy.args = std::move(at);
    copy.source = moved(read->source);
    return into.intern(std::move(copy));
  };
  for (const Def &d : part.defs) {
    Def copy = d;
    std::unordered_map<const Node *, const Node *> variables;
    for (auto &v : copy.vars) {
      const Node *fresh = into.variable();
      variables[v] = fresh;
      v = fresh;
    }
    copy.body = rewriteTerm(into, d.body, variables, onRead);
    into.defs.push_back(std::move(copy));
  }
  for (const Require &r : part.requirements) {
    Require copy = r;
    std::unordered_map<const Node *, const Node *> variables;
    for (auto &v : copy.vars) {
      const Node *fresh = into.variable();
      variables[v] = fresh;
      v = fresh;
    }
    copy.guard = rewriteTerm(into, r.guard, variables, onRead);
    into.requirements.push_back(std::move(copy));
  }
  for (OpenDim o : part.opens) {
    o.source = moved(o.source);
    into.opens.push_back(std::move(o));
  }
  std::vector<Source> outputs;
  for (uint32_t o : part.outputs)
    outputs.push_back({Source::Kind::Def, base + o});
  return outputs;
}

int64_t bodyCost(const Node *body) {
  int64_t cost = 0;
  walk(body, [&](const Node *n) {
    switch (n->kind) {
    case TermKind::VApply:
      switch (n->fn) {
      case FnId::Add:
      case FnId::Sub:
      case FnId::Mul:
      case FnId::Max:
      case FnId::Min:
      case FnId::Neg:
      case FnId::Abs:
      case FnId::And:
      case FnId::Or:
      case FnId::Not:
      case FnId::Eq:
      case FnId::Ne:
      case FnId::Lt:
      case FnId::Le:
        cost += 1;
        break;
      case FnId::Div:
      case FnId::Sqrt:
      case FnId::Recip:
        cost += 4;
        break;
      default:
        cost += 8;
      }
      break;
    case TermKind::IxFloorDiv:
    case TermKind::IxMod:
    case TermKind::VSelect:
      cost += 1;
      break;
    default:
      break;
    }
  });
  return cost;
}

namespace {

bool reduces(const Def &d) {
  return d.body->kind == TermKind::VReduce || d.body->kind == TermKind::VBest ||
         (d.body->kind == TermKind::VFromIx && d.body->args[0]->kind == TermKind::IxPlace);
}

/// How often a definition runs its body: the product of its extents and those of its reduce.
DimExpr iterations(const Def &d) {
  DimExpr total = 1;
  for (const auto &e : d.type.dims)
    total = total * e;
  walk(d.body, [&](const Node *n) {
    if (n->kind == TermKind::VReduce || n->kind == TermKind::VBest)
      for (const auto &e : n->extents)
        total = total * e;
  });
  return total;
}

struct Uses {
  int64_t reads = 0;     // distinct reads as a scalar, over all definitions
  bool pinned = false;   // read as an index somewhere
  bool repeated = false; // some reader reads an element more than about once
  bool folded = false;   // such a reader is a reduce
  bool padded = false;   // a padded copy reads it
};

std::vector<Uses> countUses(const Program &p) {
  std::vector<Uses> uses(p.defs.size());
  for (const Def &d : p.defs) {
    DimExpr work = iterations(d);
    walk(d.body, [&](const Node *n) {
      if (!isRead(n) || n->source.kind != Source::Kind::Def)
        return;
      Uses &u = uses[n->source.index];
      u.pinned |= n->kind == TermKind::IxRead;
      ++u.reads;
      DimExpr elems = 1;
      for (const auto &e : p.defs[n->source.index].type.dims)
        elems = elems * e;
      auto w = work.constant(), c = elems.constant();
      bool once = work == elems || (w && c && *w <= *c + *c / 8);
      u.repeated |= !once;
      u.folded |= !once && reduces(d);
    });
  }
  for (const Require &r : p.requirements)
    walk(r.guard, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        uses[n->source.index].pinned = true;
    });
  for (const OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      uses[o.source.index].pinned = true;
  return uses;
}

/// Some index of a read moves by more than one element.
bool strides(const Node *read) {
  bool found = false;
  for (const Node *index : read->args)
    walk(index, [&](const Node *n) {
      found |= n->kind == TermKind::IxMul && !n->args[0]->args.size() && !n->dim.isConstant(1) &&
               !n->dim.isConstant(-1);
    });
  return found;
}

bool divides(const Node *body) {
  bool found = false;
  walk(body, [&](const Node *n) { found |= n->kind == TermKind::IxFloorDiv; });
  return found;
}

} // namespace

void dropDead(Program &p) {
  std::vector<bool> live(p.defs.size());
  std::function<void(const Node *)> mark = [&](const Node *root) {
    walk(root, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        live[n->source.index] = true;
    });
  };
  for (uint32_t o : p.outputs)
    live[o] = true;
  for (const Require &r : p.requirements)
    mark(r.guard);
  for (const OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      live[o.source.index] = true;
  for (size_t i = p.defs.size(); i-- > 0;)
    if (live[i])
      mark(p.defs[i].body);
  if (std::find(live.begin(), live.end(), false) == live.end())
    return;

  Renumbering numbers{p, std::vector<uint32_t>(p.defs.size())};
  std::vector<Def> kept;
  for (size_t i = 0; i < p.defs.size(); ++i)
    if (live[i]) {
      numbers.place[i] = static_cast<uint32_t>(kept.size());
      kept.push_back(p.defs[i]);
    }
  for (Def &d : kept)
    d.body = numbers.term(d.body);
  numbers.finish(std::move(kept));
}

Source Renumbering::of(Source s) const {
  return s.kind == Source::Kind::Def ? Source{s.kind, place[s.index]} : s;
}

const Node *Renumbering::term(const Node *root) const {
  return rewriteTerm(p, root, {}, [&](const Node *read, std::vector<const Node *> at) {
    Node copy = *read;
    copy.args = std::move(at);
    copy.source = of(read->source);
    return p.intern(std::move(copy));
  });
}

void Renumbering::finish(std::vector<Def> defs) const {
  p.defs = std::move(defs);
  for (Require &r : p.requirements)
    r.guard = term(r.guard);
  for (OpenDim &o : p.opens)
    o.source = of(o.source);
  for (uint32_t &o : p.outputs)
    o = place[o];
}

void inlineDefs(Program &p, const DimFacts &facts) {
  constexpr int64_t kCheap = 3;
  auto uses = countUses(p);
  // A product's operand is memory by design: every element of it is read many times.
  for (const Def &d : p.defs)
    if (auto form = tileProductOf(p, d, facts))
      for (const Node *read : {form->a, form->b})
        if (read->source.kind == Source::Kind::Def)
          uses[read->source.index].pinned = true;
  // So is a padded copy: its windows overlap, or move by more than one element, and would ask for
  // each of those that they gather whether it lies inside.
  for (const Def &d : p.defs)
    walk(d.body, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def && isPadding(p.defs[n->source.index]))
        uses[n->source.index].pinned |= uses[n->source.index].repeated || strides(n);
    });
  // What divides indices is cut into loops that are vectors (SplitAxis), which a copy is not.
  for (const Def &d : p.defs)
    if (isPadding(d) && d.body->args[1]->source.kind == Source::Kind::Def)
      uses[d.body->args[1]->source.index].padded = true;
  auto keep = [&](const Node *read, std::vector<const Node *> at) {
    Node copy = *read;
    copy.args = std::move(at);
    return p.intern(std::move(copy));
  };
  std::vector<bool> gone(p.defs.size());
  for (size_t i = 0; i < p.defs.size(); ++i) {
    Def &d = p.defs[i];
    d.body = rewriteTerm(p, d.body, {}, [&](const Node *read, std::vector<const Node *> at) {
      if (read->source.kind != Source::Kind::Def || read->kind != TermKind::VRead ||
          !gone[read->source.index])
        return keep(read, std::move(at));
      const Def &from = p.defs[read->source.index]; // inlined itself: it stands earlier
      std::unordered_map<const Node *, const Node *> variables;
      for (size_t k = 0; k < from.vars.size(); ++k)
        variables[from.vars[k]] = at[k];
      return rewriteTerm(p, from.body, variables, keep);
    });
    if (d.host || reduces(d) || uses[i].pinned || uses[i].reads == 0)
      continue;
    bool output = std::find(p.outputs.begin(), p.outputs.end(), i) != p.outputs.end();
    // The cost is that of the body with everything inlined into it, times the places that would
    // repeat it. In a window or a plain product it is repeated for each of many terms.
    const int64_t cost = bodyCost(d.body);
    bool cheap = uses[i].folded ? cost == 0 : cost * uses[i].reads <= kCheap;
    bool once = uses[i].reads == 1 && !uses[i].repeated && !output;
    gone[i] = (cheap || once) && !(uses[i].padded && divides(d.body));
  }
  dropDead(p);
}

} // namespace imbrex::lower
