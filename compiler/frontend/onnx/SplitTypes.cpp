// An If whose branches yield values of different ranks or element types.
//
//   y = If(c) {squeeze(x)} else {x}          z = If(c) {s = squeeze(x); reshape(s, 2, -1)}
//   z = reshape(y, 2, -1)              =>           else {reshape(x, 2, -1)}
//
// A value has one type, so the nodes that follow move into both branches, up to where all that is
// read later has one type. A branch with which such a node is not valid fails when it runs, as one
// does that is not valid itself; so does one that yields an output of another rank than the model
// declares. Values that stay different up to the end of their graph are not supported. Nodes are
// imported twice for each such If that follows another, within the budget of expanded nodes.
#include "compiler/frontend/onnx/GraphImporter.h"

#include <algorithm>

namespace imbrex::frontend {
namespace {

using Names = std::set<std::string, std::less<>>;

/// How many names the search for what has to move may look at in all: a model of many such Ifs
/// ends in a refusal, not in quadratic time.
constexpr int64_t kMaxScannedNames = 1 << 20;

/// Adds what `node` and the graphs inside of it read, their own names included; how many those are.
size_t addReads(const onnx::Node &node, Names &names) {
  size_t count = node.inputs.size() + 1;
  names.insert(node.inputs.begin(), node.inputs.end());
  for (const onnx::Attribute &a : node.attributes)
    for (const auto &graph : a.graphs) {
      for (const onnx::Node &inner : graph->nodes)
        count += addReads(inner, names);
      for (const auto &o : graph->outputs)
        names.insert(o.name);
      count += graph->outputs.size();
    }
  return count;
}

/// Which of the names that an If and the nodes after it define are still read.
class LiveNames {
public:
  LiveNames(const onnx::Node &node, const std::vector<const onnx::Node *> &nodes,
            const Names &wanted)
      : nodes(nodes), dying(nodes.size()) {
    std::map<std::string, size_t, std::less<>> last;
    for (size_t t = 0; t < nodes.size(); ++t) {
      Names read;
      addReads(*nodes[t], read);
      for (const std::string &name : read)
        last[name] = t;
    }
    for (const auto &[name, t] : last)
      if (!wanted.contains(name))
        dying[t].push_back(name);
    for (const auto &[name, t] : last)
      read.insert(name);
    read.insert(wanted.begin(), wanted.end());
    addOutputs(node);
  }
  /// Once node `t` has run; in order.
  void pass(size_t t) {
    addOutputs(*nodes[t]);
    for (const std::string &name : dying[t])
      live.erase(name);
  }
  const Names &now() const { return live; }

private:
  void addOutputs(const onnx::Node &node) {
    for (const std::string &name : node.outputs)
      if (read.contains(name))
        live.insert(name);
  }

  const std::vector<const onnx::Node *> &nodes;
  std::vector<std::vector<std::string>> dying; // at each node, what it is the last to read
  Names read, live;
};

} // namespace

/// The nodes left in the scope that read what `node` makes, directly or not, and every other If;
/// the rest is imported.
GraphImporter::Nodes GraphImporter::dependentNodes(const onnx::Node &node, Scope &scope) {
  Names made(node.outputs.begin(), node.outputs.end());
  made.erase("");
  Nodes dependent, others;
  for (const onnx::Node *n : scope.rest) {
    if (scope.done.contains(n))
      continue;
    Names read;
    scannedNames += static_cast<int64_t>(addReads(*n, read));
    const bool depends = n->opType == "If" || std::ranges::any_of(read, [&](const auto &name) {
                           return made.contains(name);
                         });
    (depends ? dependent : others).push_back(n);
    if (depends)
      for (const std::string &name : n->outputs)
        if (!name.empty())
          made.insert(name);
  }
  for (const onnx::Node *n : others) {
    scope.done.insert(n);
    importNode(*n, scope);
  }
  return dependent;
}

void GraphImporter::importOnSide(const onnx::Node &node, Side &side, Scope &scope) {
  if (scope.done.contains(&node))
    return;
  const size_t before = problems.size();
  importNode(node, scope);
  const bool blocked = std::ranges::any_of(node.outputs, [&](const std::string &name) {
    const Value *v = scope.find(name); // none where it moved into branches itself
    return v && !v->valid();
  });
  if (!blocked && problems.size() == before)
    return;
  side.good = false;
  side.firstProblem = before;
  side.endProblem = problems.size();
  side.where = "after it";
}

bool GraphImporter::haveOneType(const Names &live, const Scope &a, const Scope &b) const {
  return std::ranges::all_of(live, [&](const std::string &name) {
    const Value *x = a.find(name), *y = b.find(name);
    if (!x || !y || !x->valid() || !y->valid())
      return false;
    const auto &s = recorder.info(*x).type, &t = recorder.info(*y).type;
    return s.type == t.type && s.dims.size() == t.dims.size();
  });
}

/// A side that yields an output of the main graph of another rank than is declared is bad.
void GraphImporter::checkDeclaredRanks(const Names &live, const Scope &in, Side &side) {
  for (const std::string &name : live) {
    const Value *v = in.find(name);
    auto declared = ranks.find(name);
    if (!side.good || !v || !v->valid() || declared == ranks.end() ||
        recorder.info(*v).type.dims.size() == static_cast<size_t>(declared->second))
      continue;
    ImportProblem p;
    p.kind = ErrorKind::BadInput;
    p.code = 413;
    p.node = name;
    p.opType = "output";
    p.reason = "it is " + recorder.info(*v).type.str() + ", and its declared rank is " +
               std::to_string(declared->second);
    side.good = false;
    side.where = "after it";
    side.firstProblem = problems.size();
    problems.push_back(std::move(p));
    side.endProblem = problems.size();
  }
}

/// How many of `nodes` have to run on both sides until what is live then, in `live`, has one type;
/// none where that never comes, or a side turns out bad before.
std::optional<size_t> GraphImporter::tryTail(const onnx::Node &node, const Nodes &nodes, Side &yes,
                                             Side &no, Scope &a, Scope &b, Names &live) {
  LiveNames names(node, nodes, a.wanted);
  size_t count = 0;
  while (!haveOneType(names.now(), a, b) && count < nodes.size()) {
    a.rest = b.rest = std::span(nodes).subspan(count + 1);
    importOnSide(*nodes[count], yes, a);
    importOnSide(*nodes[count], no, b);
    if (!yes.good || !no.good)
      return std::nullopt;
    names.pass(count++);
  }
  live = names.now();
  if (haveOneType(live, a, b))
    return count;
  if (!a.parent->parent && a.depth == 0) {
    checkDeclaredRanks(live, a, yes);
    checkDeclaredRanks(live, b, no);
  }
  return std::nullopt;
}

/// What has to move into the branches; none where nothing has to, where that does not help, and
/// where a side turns out bad.
std::optional<GraphImporter::Tail> GraphImporter::findTail(const onnx::Node &node, Side &yes,
                                                           Side &no, Scope &scope) {
  Scope a = Scope::inside(scope), b = Scope::inside(scope);
  define(node, yes.block.results, a);
  define(node, no.block.results, b);
  Names results(node.outputs.begin(), node.outputs.end());
  results.erase("");
  if (haveOneType(results, a, b) || scannedNames > kMaxScannedNames)
    return std::nullopt;
  const size_t remarksBefore = remarks.size();
  const Nodes nodes = dependentNodes(node, scope);
  a.expanded = b.expanded = true;
  a.wanted = b.wanted = scope.wanted;
  Names live;
  recorder.openBlock(); // to see the types; nothing of it is kept
  const auto count = tryTail(node, nodes, yes, no, a, b, live);
  (void)recorder.closeBlock();
  remarks.resize(remarksBefore);
  if (!yes.good && !no.good)
    problems.resize(no.firstProblem); // the same again
  if (!count || live.empty())
    return std::nullopt;
  const auto end = nodes.begin() + static_cast<ptrdiff_t>(*count);
  scope.done.insert(nodes.begin(), end);
  return Tail{Nodes(nodes.begin(), end), live};
}

} // namespace imbrex::frontend
