// Ensembles of decision trees of the ai.onnx.ml domain.
#include "compiler/frontend/onnx/ml/Scores.h"

#include <algorithm>
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

/// Scores [rows, targets] in the element type of the features, or f32 where these are integers.
Value scores(NodeContext &n, const Forest &f, int64_t targets, int64_t aggregate,
             int64_t transform) {
  Value x = featureRows(n);
  if (n.failed())
    return {};
  if (!f.base.empty() && int64_t(f.base.size()) != targets)
    return n.invalid("it has " + std::to_string(f.base.size()) + " base values for " +
                         std::to_string(targets) + " targets",
                     "base_values"),
           Value{};
  return n.apply("tree_ensemble",
                 {x, n.intVector(f.nodes), realVector(n, f.splits), n.intVector(f.memberBegins),
                  realVector(n, f.members), n.intVector(f.roots), n.intVector(f.leafBegins),
                  realVector(n, f.weights), n.intVector(f.targets), realVector(n, f.base)},
                 attrs({{"targets", targets}, {"aggregate", aggregate}, {"transform", transform}}));
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
  const int64_t aggregate = n.i("aggregate_function", 1), transform = n.i("post_transform", 0);
  n.result(scores(n, f, n.i("n_targets", 1), aggregate, transform));
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

/// The forms before set 5: nodes and leaves in one list, by tree and node; a leaf may have several
/// targets, whose attributes begin with `stem`.
class ListedTrees {
public:
  ListedTrees(NodeContext &n, const std::string &stem)
      : n(n), trees(n.is("nodes_treeids")), ids(n.is("nodes_nodeids")),
        features(n.is("nodes_featureids")), yes(n.is("nodes_truenodeids")),
        no(n.is("nodes_falsenodeids")), missing(n.is("nodes_missing_value_tracks_true")),
        ofTree(n.is(stem + "_treeids")), ofNode(n.is(stem + "_nodeids")),
        targets(n.is(stem + "_ids")), splits(realsOf(n, "nodes_values")),
        weights(realsOf(n, stem + "_weights")) {}

  /// Fails where the lists do not fit each other.
  void addTo(Forest &f);
  /// Which targets leaves have, and whether one takes something away.
  const std::vector<int64_t> &leafTargets() const { return targets; }
  bool hasNegativeWeight() const {
    return std::ranges::any_of(weights, [](double w) { return w < 0; });
  }

private:
  bool fit();
  void addLeaves(Forest &f);
  bool isLeaf(size_t k) const { return modes->strings[k] == "LEAF"; }

  NodeContext &n;
  std::vector<int64_t> trees, ids, features, yes, no, missing, ofTree, ofNode, targets;
  std::vector<double> splits, weights;
  const onnx::Attribute *modes = nullptr;
  /// The place of a node or a leaf in the forest, and whether it is a leaf.
  std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, bool>> places;
};

bool ListedTrees::fit() {
  modes = n.proto().attribute("nodes_modes");
  const size_t count = trees.size();
  missing.resize(count, 0);
  return !n.failed() && modes && modes->strings.size() == count && ids.size() == count &&
         features.size() == count && yes.size() == count && no.size() == count &&
         splits.size() == count && ofTree.size() == targets.size() &&
         ofNode.size() == targets.size() && weights.size() == targets.size();
}

void ListedTrees::addLeaves(Forest &f) {
  std::map<std::pair<int64_t, int64_t>, std::vector<size_t>> targetsOf;
  for (size_t k = 0; k < targets.size(); ++k)
    targetsOf[{ofTree[k], ofNode[k]}].push_back(k);
  int64_t inner = 0, lastTree = -1;
  for (size_t k = 0; k < trees.size(); ++k) {
    const std::pair key{trees[k], ids[k]};
    if (!isLeaf(k)) {
      places[key] = {inner++, false};
    } else {
      for (size_t t : targetsOf[key]) {
        f.targets.push_back(targets[t]);
        f.weights.push_back(weights[t]);
      }
      places[key] = {f.leaf(), true};
      inner += trees[k] != lastTree; // a tree of one leaf: a node that always leads to it
    }
    lastTree = trees[k];
  }
}

void ListedTrees::addTo(Forest &f) {
  if (!fit())
    return n.invalid("its lists of nodes or targets have different lengths");
  addLeaves(f);
  int64_t lastTree = -1;
  for (size_t k = 0; k < trees.size(); ++k) {
    const bool root = trees[k] != lastTree;
    lastTree = trees[k];
    if (root)
      f.roots.push_back(int64_t(f.splits.size()));
    if (isLeaf(k)) {
      const int64_t leaf = places[{trees[k], ids[k]}].first;
      if (root)
        f.node({0, 0, leaf, 1, leaf, 1, 0}, 0);
      continue;
    }
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
}

void regressor(NodeContext &n) {
  Forest f;
  ListedTrees(n, "target").addTo(f);
  f.base = realsOf(n, "base_values");
  const int64_t aggregate = wordPlace(n, "aggregate_function", n.s("aggregate_function", "SUM"),
                                      {"AVERAGE", "SUM", "MIN", "MAX"});
  const auto transform = static_cast<int64_t>(postTransform(n));
  if (!n.failed())
    n.result(n.cast(scores(n, f, n.i("n_targets", 1), aggregate, transform), DType::F32));
}

/// Two classes, and leaves that speak of one: the label is the second class above a half, or above
/// 0 where leaves take something away.
void oneClassDecides(NodeContext &n, Forest &f, int64_t which, bool signedWeights) {
  const PostTransform how = postTransform(n);
  std::ranges::fill(f.targets, 0);
  if (f.base.size() == 2) // the other class has no score to add to
    f.base = {f.base[size_t(which)]};
  Value score = scores(n, f, 1, 1, 0);
  if (n.failed())
    return;
  const DType type = n.dtype(score);
  Value above = n.apply("greater", {score, n.scalar(signedWeights ? 0 : 0.5, type)});
  Value place = n.cast(n.squeeze(above, {1}), DType::I64);
  Value both;
  if (which == 0)
    both =
        bothClasses(n, score, how, signedWeights ? SecondClass::Opposite : SecondClass::Complement);
  else // the first class has no score
    both = transformed(n, n.concat({n.apply("mul", {score, n.scalar(0, type)}), score}, 1), how);
  if (!n.failed())
    classified(n, place, labels(n, "classlabels", 2), both);
}

void classifier(NodeContext &n) {
  const int64_t classes = labelCount(n, "classlabels");
  Forest f;
  ListedTrees trees(n, "class");
  trees.addTo(f);
  f.base = realsOf(n, "base_values");
  if (n.failed())
    return;
  if (classes < 1)
    return n.invalid("it has no labels", "classlabels_int64s");
  const auto &ids = trees.leafTargets();
  if (classes == 2 && !ids.empty() &&
      std::ranges::all_of(ids, [&](int64_t c) { return c == ids[0]; }) && ids[0] >= 0 && ids[0] < 2)
    return oneClassDecides(n, f, ids[0], trees.hasNegativeWeight());
  Value y = scores(n, f, classes, 1, 0);
  if (n.failed())
    return;
  Value best = n.apply("argmax", {y}, attrs({{"axis", int64_t(1)}, {"keepdims", int64_t(0)}}));
  classified(n, best, labels(n, "classlabels", classes), transformed(n, y, postTransform(n)));
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.TreeEnsemble", 5, treeEnsemble},
    {"ai.onnx.ml.TreeEnsembleClassifier", 1, classifier},
    {"ai.onnx.ml.TreeEnsembleRegressor", 1, regressor},
};

} // namespace

ConverterRows treeRows() { return kRows; }

} // namespace imbrex::frontend
