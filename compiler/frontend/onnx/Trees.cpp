// Ensembles of decision trees of the ai.onnx.ml domain.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>
#include <map>

namespace imbrex::frontend {
namespace {

/// What the host function takes (support/hostops/HostOps.h).
struct Forest {
  std::vector<int64_t> nodes, memberBegins = {0}, roots, leafBegins = {0}, targets;
  std::vector<double> splits, members, weights, base;

  void node(std::initializer_list<int64_t> row, double split) {
    nodes.insert(nodes.end(), row);
    splits.push_back(split);
    memberBegins.push_back(static_cast<int64_t>(members.size()));
  }
  int64_t leaf() { // the targets added since the last one
    leafBegins.push_back(static_cast<int64_t>(targets.size()));
    return static_cast<int64_t>(leafBegins.size()) - 2;
  }
};

Value realVector(NodeContext &n, const std::vector<double> &v) {
  return n.constant(HostTensor::of<double>(DType::F64, {int64_t(v.size())}, v));
}

void result(NodeContext &n, const Forest &f, int64_t targets, int64_t aggregate, int64_t transform,
            DType type) {
  Value x = n.require(0);
  if (n.failed())
    return;
  if (!isFloat(n.dtype(x)))
    x = n.cast(x, DType::F32);
  Value y =
      n.apply("tree_ensemble",
              {x, n.intVector(f.nodes), realVector(n, f.splits), n.intVector(f.memberBegins),
               realVector(n, f.members), n.intVector(f.roots), n.intVector(f.leafBegins),
               realVector(n, f.weights), n.intVector(f.targets), realVector(n, f.base)},
              attrs({{"targets", targets}, {"aggregate", aggregate}, {"transform", transform}}));
  n.result(n.cast(y, type == DType::Invalid ? n.dtype(y) : type));
}

std::vector<double> reals(NodeContext &n, std::string_view name) {
  std::vector<double> out;
  if (auto t = n.tensor(name))
    for (int64_t i = 0; i < t->elems(); ++i)
      out.push_back(t->toDouble(i));
  return out;
}

void treeEnsemble(NodeContext &n) {
  const auto features = n.is("nodes_featureids"), yes = n.is("nodes_truenodeids"),
             no = n.is("nodes_falsenodeids"), yesLeaf = n.is("nodes_trueleafs"),
             noLeaf = n.is("nodes_falseleafs"), targets = n.is("leaf_targetids");
  auto missing = n.is("nodes_missing_value_tracks_true");
  const auto modes = reals(n, "nodes_modes"), splits = reals(n, "nodes_splits"),
             weights = reals(n, "leaf_weights");
  std::vector<double> members;
  if (n.hasAttr("membership_values"))
    members = reals(n, "membership_values");
  const size_t count = features.size();
  missing.resize(count, 0);
  if (n.failed())
    return;
  for (size_t size :
       {yes.size(), no.size(), yesLeaf.size(), noLeaf.size(), modes.size(), splits.size()})
    if (size != count)
      return n.invalid("its lists of nodes have different lengths");
  if (weights.size() != targets.size())
    return n.invalid("its lists of leaves have different lengths");
  Forest f;
  f.roots = n.is("tree_roots");
  for (size_t k = 0, m = 0; k < count; ++k) {
    if (modes[k] == 6) { // a set, ended by NaN
      for (; m < members.size() && !std::isnan(members[m]); ++m)
        f.members.push_back(members[m]);
      ++m;
    }
    f.node({features[k], int64_t(modes[k]), yes[k], yesLeaf[k], no[k], noLeaf[k], missing[k]},
           splits[k]);
  }
  for (size_t k = 0; k < targets.size(); ++k) {
    f.targets.push_back(targets[k]);
    f.weights.push_back(weights[k]);
    f.leaf();
  }
  result(n, f, n.i("n_targets", 1), n.i("aggregate_function", 1), n.i("post_transform", 0),
         DType::Invalid);
}

/// The place of a word in a list; fails for another.
int64_t wordPlace(NodeContext &n, const char *attribute, const std::string &word,
                  std::initializer_list<std::string_view> words) {
  int64_t place = 0;
  for (std::string_view w : words) {
    if (w == word)
      return place;
    ++place;
  }
  n.invalid("'" + word + "' is not known", attribute);
  return 0;
}

/// Nodes and leaves in one list, by tree and node; leaves may have several targets.
void regressor(NodeContext &n) {
  using Key = std::pair<int64_t, int64_t>;
  const auto trees = n.is("nodes_treeids"), ids = n.is("nodes_nodeids"),
             features = n.is("nodes_featureids"), yes = n.is("nodes_truenodeids"),
             no = n.is("nodes_falsenodeids");
  auto missing = n.is("nodes_missing_value_tracks_true");
  const auto splits = n.fs("nodes_values"), weights = n.fs("target_weights");
  const auto ofTree = n.is("target_treeids"), ofNode = n.is("target_nodeids"),
             targets = n.is("target_ids");
  const auto *modes = n.proto().attribute("nodes_modes");
  const size_t count = trees.size();
  missing.resize(count, 0);
  if (n.failed() || !modes || modes->strings.size() != count || ids.size() != count ||
      features.size() != count || yes.size() != count || no.size() != count ||
      splits.size() != count || ofTree.size() != targets.size() ||
      ofNode.size() != targets.size() || weights.size() != targets.size())
    return n.invalid("its lists of nodes or targets have different lengths");
  Forest f;
  std::map<Key, std::vector<size_t>> targetsOf;
  for (size_t k = 0; k < targets.size(); ++k)
    targetsOf[{ofTree[k], ofNode[k]}].push_back(k);
  std::map<Key, std::pair<int64_t, bool>> places; // of a node or a leaf
  for (size_t k = 0, inner = 0; k < count; ++k) {
    const Key key{trees[k], ids[k]};
    if (modes->strings[k] != "LEAF") {
      places[key] = {int64_t(inner++), false};
      continue;
    }
    for (size_t t : targetsOf[key]) {
      f.targets.push_back(targets[t]);
      f.weights.push_back(weights[t]);
    }
    places[key] = {f.leaf(), true};
  }
  int64_t lastTree = -1;
  for (size_t k = 0; k < count; ++k) {
    if (trees[k] != lastTree && modes->strings[k] == "LEAF")
      return n.unsupported("a tree of one leaf is not supported");
    if (trees[k] != lastTree)
      f.roots.push_back(int64_t(f.splits.size()));
    lastTree = trees[k];
    if (modes->strings[k] == "LEAF")
      continue;
    auto a = places.find({trees[k], yes[k]}), b = places.find({trees[k], no[k]});
    if (a == places.end() || b == places.end())
      return n.invalid("a node leads to one that is not there", "nodes_truenodeids");
    const int64_t mode = wordPlace(
        n, "nodes_modes", modes->strings[k],
        {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"});
    f.node({features[k], mode, a->second.first, a->second.second, b->second.first, b->second.second,
            missing[k]},
           splits[k]);
  }
  f.base = n.fs("base_values");
  const int64_t aggregate = wordPlace(n, "aggregate_function", n.s("aggregate_function", "SUM"),
                                      {"AVERAGE", "SUM", "MIN", "MAX"});
  const int64_t transform = wordPlace(n, "post_transform", n.s("post_transform", "NONE"),
                                      {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
  if (!n.failed())
    result(n, f, n.i("n_targets", 1), aggregate, transform, DType::F32);
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.TreeEnsemble", 5, treeEnsemble},
    {"ai.onnx.ml.TreeEnsembleRegressor", 1, regressor},
};

} // namespace

ConverterRows treeRows() { return kRows; }

} // namespace imbrex::frontend
