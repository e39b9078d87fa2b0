// tree_ensemble: decision trees over the columns of a matrix, their leaves aggregated by target.
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>
#include <span>

namespace imbrex {

using namespace hostops;

namespace {

enum Mode : int64_t { AtMost, Below, AtLeast, Above, Equal, Unequal, Member };
enum Aggregate : int64_t { Average, Sum, Least, Most };
enum Transform : int64_t { None, Softmax, Logistic, SoftmaxZero, Probit };

/// The columns of the table of nodes.
struct Node {
  int64_t feature, mode, yes, yesIsLeaf, no, noIsLeaf, missingIsYes;
};
static_assert(sizeof(Node) == 7 * sizeof(int64_t));

struct Forest {
  std::span<const Node> nodes;
  const double *splits, *members, *weights;
  std::span<const int64_t> roots, leafBegins, targets, memberBegins;
};

bool holds(const Forest &f, int64_t at, double x) {
  const Node &n = f.nodes[static_cast<size_t>(at)];
  const double split = f.splits[at];
  if (std::isnan(x))
    return n.missingIsYes != 0 || n.mode == Unequal;
  switch (n.mode) {
  case AtMost:
    return x <= split;
  case Below:
    return x < split;
  case AtLeast:
    return x >= split;
  case Above:
    return x > split;
  case Equal:
    return x == split;
  case Unequal:
    return x != split;
  default: {
    const auto *begin = f.members + f.memberBegins[static_cast<size_t>(at)];
    return std::find(begin, f.members + f.memberBegins[static_cast<size_t>(at) + 1], x) !=
           f.members + f.memberBegins[static_cast<size_t>(at) + 1];
  }
  }
}

bool isSorted(std::span<const int64_t> begins, int64_t end) {
  return !begins.empty() && begins[0] == 0 && begins.back() == end &&
         std::ranges::is_sorted(begins);
}

/// Everything that is followed lies inside, and every path from a node goes on to later nodes.
bool isSound(const Forest &f, int64_t members, int64_t features, int64_t targets) {
  const auto count = static_cast<int64_t>(f.nodes.size());
  const auto leaves = static_cast<int64_t>(f.leafBegins.size()) - 1;
  auto reaches = [&](int64_t to, bool leaf) { return to >= 0 && to < (leaf ? leaves : count); };
  for (const Node &n : f.nodes)
    if (n.feature < 0 || n.feature >= features || n.mode < AtMost || n.mode > Member ||
        !reaches(n.yes, n.yesIsLeaf != 0) || !reaches(n.no, n.noIsLeaf != 0))
      return false;
  return static_cast<int64_t>(f.memberBegins.size()) == count + 1 &&
         isSorted(f.memberBegins, members) &&
         isSorted(f.leafBegins, static_cast<int64_t>(f.targets.size())) &&
         std::ranges::all_of(f.roots, [&](int64_t r) { return reaches(r, false); }) &&
         std::ranges::all_of(f.targets, [&](int64_t t) { return t >= 0 && t < targets; });
}

/// The leaf of a row, or -1 where nodes lead in a circle.
int64_t leafOf(const Forest &f, int64_t root, const HostTensor &x, int64_t row, int64_t features) {
  int64_t at = root;
  for (size_t steps = 0; steps <= f.nodes.size(); ++steps) {
    const Node &n = f.nodes[static_cast<size_t>(at)];
    const bool yes = holds(f, at, x.toDouble(row * features + n.feature));
    at = yes ? n.yes : n.no;
    if (yes ? n.yesIsLeaf : n.noIsLeaf)
      return at;
  }
  return -1;
}

/// The inverse of the error function (Winitzki's approximation, refined by two Newton steps).
double inverseErf(double x) {
  const double log = std::log((1 - x) * (1 + x)), v = 2 / (M_PI * 0.147) + log / 2;
  double y = std::copysign(std::sqrt(std::sqrt(v * v - log / 0.147) - v), x);
  for (int k = 0; k < 2; ++k)
    y -= (std::erf(y) - x) / (2 / std::sqrt(M_PI) * std::exp(-y * y));
  return y;
}

void transform(int64_t how, std::span<double> scores) {
  if (how == Logistic || how == Probit) {
    for (double &s : scores)
      s = how == Logistic ? 1 / (1 + std::exp(-s)) : std::sqrt(2.0) * inverseErf(2 * s - 1);
    return;
  }
  if (how != Softmax && how != SoftmaxZero)
    return;
  const double most = *std::ranges::max_element(scores);
  double sum = 0;
  for (double &s : scores) {
    s = how == SoftmaxZero && s == 0 ? 0 : std::exp(s - most);
    sum += s;
  }
  for (double &s : scores)
    s /= sum;
}

} // namespace

Result<std::vector<HostTensor>> treeEnsemble(HostArgs args) {
  const HostTensor &x = *args[0], &table = *args[1], &params = *args[10];
  for (size_t i : {2, 4, 7, 9})
    if (args[i]->type() != DType::F64)
      return wrongValue("the trees of an ensemble are damaged");
  for (size_t i : {1, 3, 5, 6, 8})
    if (args[i]->type() != DType::I64)
      return wrongValue("the trees of an ensemble are damaged");
  auto ints = [&](size_t i) {
    return std::span(args[i]->data<int64_t>(), static_cast<size_t>(args[i]->elems()));
  };
  const int64_t targets = param(params, 0), how = param(params, 1), features = x.shape()[1];
  const Forest f{{reinterpret_cast<const Node *>(table.data<int64_t>()),
                  static_cast<size_t>(table.elems() / 7)},
                 args[2]->data<double>(),
                 args[4]->data<double>(),
                 args[7]->data<double>(),
                 ints(5),
                 ints(6),
                 ints(8),
                 ints(3)};
  const HostTensor &base = *args[9];
  if (table.elems() % 7 || args[2]->elems() != table.elems() / 7 || targets < 1 ||
      targets > (1 << 20) || args[7]->elems() != args[8]->elems() ||
      (base.elems() != 0 && base.elems() != targets) ||
      !isSound(f, args[4]->elems(), features, targets))
    return wrongValue("the trees of an ensemble are damaged");
  HostTensor out(x.type(), {x.shape()[0], targets});
  std::vector<double> scores(static_cast<size_t>(targets));
  std::vector<bool> seen(scores.size());
  for (int64_t row = 0; row < x.shape()[0]; ++row) {
    std::ranges::fill(scores, 0);
    seen.assign(scores.size(), false);
    for (int64_t root : f.roots) {
      const int64_t leaf = leafOf(f, root, x, row, features);
      if (leaf < 0)
        return wrongValue("the trees of an ensemble lead in a circle");
      for (int64_t k = f.leafBegins[static_cast<size_t>(leaf)];
           k < f.leafBegins[static_cast<size_t>(leaf) + 1]; ++k) {
        const auto t = static_cast<size_t>(f.targets[static_cast<size_t>(k)]);
        const double w = f.weights[k];
        scores[t] = !seen[t] || how == Average || how == Sum ? scores[t] + w
                    : how == Least                           ? std::min(scores[t], w)
                                                             : std::max(scores[t], w);
        seen[t] = true;
      }
    }
    for (size_t t = 0; t < scores.size(); ++t) {
      if (how == Average)
        scores[t] /= static_cast<double>(std::max<size_t>(f.roots.size(), 1));
      if (base.elems())
        scores[t] += base.data<double>()[t];
    }
    transform(param(params, 2), scores);
    for (size_t t = 0; t < scores.size(); ++t) {
      const auto at = row * targets + static_cast<int64_t>(t);
      if (x.type() == DType::F64)
        out.mutableData<double>()[at] = scores[t];
      else if (x.type() == DType::F32)
        out.mutableData<float>()[at] = static_cast<float>(scores[t]);
      else
        out.mutableData<uint16_t>()[at] = floatToHalf(static_cast<float>(scores[t]));
    }
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
