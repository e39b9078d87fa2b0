// Interning of nodes, walking and copying terms. Printing is in Print.cpp.
#include "support/opmeaning/Program.h"

#include <bit>
#include <unordered_set>

namespace imbrex::opmeaning {

std::string TensorType::str() const {
  std::string s(name(type));
  s += "[";
  for (size_t i = 0; i < dims.size(); ++i)
    s += (i ? ", " : "") + dims[i].str();
  return s + "]";
}

Operand Operand::of(HostTensor value) {
  TensorType t{value.type(), {}};
  for (int64_t d : value.shape())
    t.dims.push_back(d);
  return {true, std::move(t), std::move(value)};
}

namespace {

struct NodeHash {
  static void mix(size_t &h, size_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15ULL + (h >> 31); }
  size_t operator()(const Node *n) const {
    size_t h = static_cast<size_t>(n->kind);
    mix(h, static_cast<size_t>(n->type) | static_cast<size_t>(n->fn) << 8 |
               static_cast<size_t>(n->cmp) << 16 | static_cast<size_t>(n->red) << 24 |
               static_cast<size_t>(n->best) << 28 | static_cast<size_t>(n->tie) << 30 |
               static_cast<size_t>(n->accumulator) << 32);
    mix(h, n->source.index * 2 + static_cast<size_t>(n->source.kind));
    mix(h, static_cast<size_t>(n->number));
    mix(h, std::bit_cast<uint64_t>(n->real));
    mix(h, n->dim.hash());
    for (const Node *a : n->args)
      mix(h, reinterpret_cast<size_t>(a));
    for (const Node *v : n->vars)
      mix(h, reinterpret_cast<size_t>(v));
    return h;
  }
};

struct NodeEqual {
  bool operator()(const Node *a, const Node *b) const {
    return a->kind == b->kind && a->type == b->type && a->args == b->args && a->dim == b->dim &&
           a->number == b->number &&
           std::bit_cast<uint64_t>(a->real) == std::bit_cast<uint64_t>(b->real) && a->fn == b->fn &&
           a->cmp == b->cmp && a->source == b->source && a->red == b->red && a->best == b->best &&
           a->tie == b->tie && a->accumulator == b->accumulator && a->vars == b->vars &&
           a->extents == b->extents;
  }
};

} // namespace

struct Program::Pool {
  std::deque<Node> nodes;
  std::unordered_set<const Node *, NodeHash, NodeEqual> known;
};

const Node *Program::intern(Node node) {
  if (!pool)
    pool = std::make_shared<Pool>();
  if (auto it = pool->known.find(&node); it != pool->known.end())
    return *it;
  const Node *n = &pool->nodes.emplace_back(std::move(node));
  pool->known.insert(n);
  return n;
}

const Node *Program::variable() {
  if (!pool)
    pool = std::make_shared<Pool>();
  Node n{.kind = TermKind::IxVar};
  n.number = nextVariable++;
  return &pool->nodes.emplace_back(std::move(n));
}

const TensorType &Program::typeOf(Source s) const {
  return s.kind == Source::Kind::Operand ? operands[s.index].type : defs[s.index].type;
}

std::vector<TensorType> Program::outputTypes() const {
  std::vector<TensorType> types;
  for (uint32_t i : outputs)
    types.push_back(defs[i].type);
  return types;
}

void walk(const Node *root, const std::function<void(const Node *)> &visit) {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> work{root};
  while (!work.empty()) {
    const Node *n = work.back();
    work.pop_back();
    if (!seen.insert(n).second)
      continue;
    visit(n);
    for (size_t i = n->args.size(); i-- > 0;)
      work.push_back(n->args[i]);
  }
}

namespace {

class Copier {
public:
  Copier(Program &into, const Replace &replace) : into(into), replace(replace) {}

  const Node *copy(const Node *n) {
    if (auto it = done.find(n); it != done.end())
      return it->second;
    const Node *out = replace ? replace(n) : nullptr;
    if (!out)
      out = n->kind == TermKind::IxVar ? n : rebuild(n);
    done.emplace(n, out);
    return out;
  }

private:
  Program &into;
  const Replace &replace;
  std::unordered_map<const Node *, const Node *> done;

  const Node *rebuild(const Node *n) {
    Node fresh = *n;
    for (const Node *&v : fresh.vars) {
      const Node *renamed = into.variable();
      done.emplace(v, renamed);
      v = renamed;
    }
    for (const Node *&a : fresh.args)
      a = copy(a);
    return into.intern(std::move(fresh));
  }
};

} // namespace

const Node *copyTerm(const Node *root, Program &into, const Replace &replace) {
  return Copier(into, replace).copy(root);
}

} // namespace imbrex::opmeaning
