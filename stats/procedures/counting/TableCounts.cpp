#include "stats/procedures/counting/TableCounts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace imbrex::stats {
namespace {

constexpr double equalProbability = 1e-7; // relative

/// log(n!) for n up to the total.
class LogFactorials {
public:
  explicit LogFactorials(int64_t most) : values(static_cast<size_t>(most) + 1) {
    long double sum = 0;
    for (size_t n = 1; n < values.size(); ++n) {
      sum += std::log(static_cast<long double>(n));
      values[n] = static_cast<double>(sum);
    }
  }
  double operator()(int64_t n) const { return values[static_cast<size_t>(n)]; }
  double sum(std::span<const int64_t> counts) const {
    double total = 0;
    for (int64_t count : counts)
      total += (*this)(count);
    return total;
  }

private:
  std::vector<double> values;
};

using Node = std::vector<int64_t>; // remaining row sums, sorted

struct NodeHash {
  size_t operator()(const Node &node) const {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int64_t sum : node)
      hash = (hash ^ static_cast<uint64_t>(sum)) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
    return hash;
  }
};

/// Range over completions of -sum log(x!), and log of the sum of prod 1/x!.
struct Future {
  double longest, shortest, logTotal;
};

/// One past: -sum log(x!) of the columns filled so far, and the weight of the ways that lead here.
struct Past {
  double length, weight;
};

class Network {
public:
  Network(std::vector<int64_t> rowSums, std::vector<int64_t> columnSums, double observed,
          double limit)
      : columns(std::move(columnSums)), observed(observed), limit(limit), logFactorial([&] {
          int64_t n = 0;
          for (int64_t sum : columns)
            n += sum;
          return n;
        }()) {
    // Large columns first: few nodes are left when the small ones come.
    std::sort(columns.rbegin(), columns.rend());
    start = std::move(rowSums);
    std::sort(start.begin(), start.end());
    futures.resize(columns.size() + 1);
  }

  std::optional<double> run() {
    const Future *whole = future(0, start);
    if (!whole)
      return std::nullopt;
    logWhole = whole->logTotal;
    Layer layer;
    if (Past first{0, 1}; !settle(*whole, first))
      layer[start].emplace(0, first);
    for (size_t stage = 0; stage < columns.size() && !layer.empty(); ++stage) {
      Layer next;
      for (const auto &[node, pasts] : layer)
        if (!extend(stage, node, pasts, next))
          return std::nullopt;
      layer = std::move(next);
    }
    return std::min(1.0, accepted);
  }

private:
  using Pasts = std::unordered_map<int64_t, Past>;
  using Layer = std::unordered_map<Node, Pasts, NodeHash>;

  /// A way from a node to the next stage; `ways` fillings of the column are alike.
  struct Arc {
    const Future *ahead;
    double gain, ways;
    Pasts *pasts; // where it leads, once something does
  };

  /// True when all completions of `past` are decided alike.
  bool settle(const Future &ahead, const Past &past) {
    double bound = observed + equalProbability;
    if (past.length + ahead.shortest > bound)
      return true;
    if (past.length + ahead.longest > bound)
      return false;
    accepted += past.weight * std::exp(ahead.logTotal + past.length - logWhole);
    return true;
  }

  bool extend(size_t stage, const Node &node, const Pasts &pasts, Layer &next) {
    std::map<std::pair<Node, int64_t>, Arc> arcs;
    fillColumn(stage, node, [&](const Node &rest, double gain) {
      auto [place, fresh] =
          arcs.try_emplace({rest, std::llround(gain * 1e10)}, Arc{nullptr, gain, 0, nullptr});
      place->second.ways += 1;
    });
    for (auto &[key, arc] : arcs)
      arc.ahead = future(stage + 1, key.first);
    for (const auto &[rounded, past] : pasts) {
      work += 0.1 * static_cast<double>(arcs.size()); // cheap beside enumerating fillings
      if (work > limit)
        return false;
      for (auto &[key, arc] : arcs) {
        Past longer{past.length + arc.gain, past.weight * arc.ways};
        if (settle(*arc.ahead, longer))
          continue;
        if (!arc.pasts)
          arc.pasts = &next[key.first];
        // Pasts that agree to 1e-10 are one; the weight keeps their exact probabilities apart.
        auto [place, fresh] =
            arc.pasts->try_emplace(std::llround(longer.length * 1e10), Past{longer.length, 0});
        work += fresh ? 0.5 : 0;
        place->second.weight += longer.weight * std::exp(longer.length - place->second.length);
      }
    }
    return work <= limit;
  }

  const Future *future(size_t stage, const Node &node) {
    auto known = futures[stage].find(node);
    if (known != futures[stage].end())
      return &known->second;
    Future result{0, 0, 0};
    if (stage < columns.size()) {
      result.longest = -1e300;
      result.shortest = 1e300;
      fillColumn(stage, node, [&](const Node &rest, double gain) {
        const Future *ahead = future(stage + 1, rest);
        if (!ahead)
          return;
        result.longest = std::max(result.longest, gain + ahead->longest);
        result.shortest = std::min(result.shortest, gain + ahead->shortest);
      });
      if (work > limit)
        return nullptr;
      int64_t n = 0;
      for (int64_t sum : node)
        n += sum;
      result.logTotal = logFactorial(n) - logFactorial.sum(node) -
                        logFactorial.sum(std::span(columns).subspan(stage));
    }
    return &futures[stage].emplace(node, result).first->second;
  }

  /// Calls visit(remaining row sums, -sum log x!) for each way to fill column `stage`.
  template <class Visit> void fillColumn(size_t stage, const Node &node, const Visit &visit) {
    Node rest = node;
    fillRow(0, columns[stage], 0, rest, visit);
  }

  template <class Visit>
  void fillRow(size_t row, int64_t left, double gain, Node &rest, const Visit &visit) {
    if (work > limit)
      return;
    work += 1;
    if (row + 1 == rest.size()) {
      if (left > rest[row])
        return;
      Node node = rest;
      node[row] -= left;
      std::sort(node.begin(), node.end());
      work += 5;
      visit(node, gain - logFactorial(left));
      return;
    }
    int64_t room = rest[row];
    for (int64_t count = 0; count <= std::min(left, room); ++count) {
      rest[row] = room - count;
      fillRow(row + 1, left - count, gain - logFactorial(count), rest, visit);
    }
    rest[row] = room;
  }

  std::vector<int64_t> columns;
  double observed, limit, work = 0, accepted = 0, logWhole = 0;
  LogFactorials logFactorial;
  Node start;
  std::vector<std::unordered_map<Node, Future, NodeHash>> futures;
};

double lengthOf(const CountTable &table, const LogFactorials &logFactorial) {
  return -logFactorial.sum(table.counts);
}

/// A hypergeometric draw by inversion from the mode outwards: O(standard deviation).
int64_t drawMarked(int64_t marked, int64_t unmarked, int64_t drawn, const LogFactorials &lf,
                   Random &random) {
  int64_t least = std::max<int64_t>(0, drawn - unmarked), most = std::min(drawn, marked);
  double all = static_cast<double>(marked + unmarked);
  auto mode = static_cast<int64_t>(static_cast<double>(drawn + 1) *
                                   (static_cast<double>(marked + 1) / (all + 2)));
  mode = std::clamp(mode, least, most);
  double atMode = std::exp(lf(marked) - lf(mode) - lf(marked - mode) + lf(unmarked) -
                           lf(drawn - mode) - lf(unmarked - drawn + mode) - lf(marked + unmarked) +
                           lf(drawn) + lf(marked + unmarked - drawn));
  double left = random.uniform() - atMode;
  double up = atMode, down = atMode;
  int64_t high = mode, low = mode;
  while (left >= 0 && (high < most || low > least)) {
    if (high < most) {
      up *= static_cast<double>(marked - high) / static_cast<double>(high + 1) *
            (static_cast<double>(drawn - high) / static_cast<double>(unmarked - drawn + high + 1));
      ++high;
      left -= up;
      if (left < 0)
        return high;
    }
    if (low > least) {
      down *= static_cast<double>(low) / static_cast<double>(marked - low + 1) *
              (static_cast<double>(unmarked - drawn + low) / static_cast<double>(drawn - low + 1));
      --low;
      left -= down;
      if (left < 0)
        return low;
    }
  }
  return mode;
}

/// -sum log(x!) of a random table.
double drawLength(std::vector<int64_t> rows, const std::vector<int64_t> &columns, int64_t total,
                  const LogFactorials &logFactorial, Random &random) {
  double length = 0;
  for (int64_t columnSum : columns) {
    int64_t left = columnSum, others = total;
    for (int64_t &row : rows) {
      others -= row;
      int64_t count = drawMarked(row, others, left, logFactorial, random);
      length -= logFactorial(count);
      left -= count;
      row -= count;
    }
    total -= columnSum;
  }
  return length;
}

} // namespace

std::vector<int64_t> CountTable::rowSums() const {
  std::vector<int64_t> sums(rows, 0);
  for (size_t i = 0; i < counts.size(); ++i)
    sums[i / columns] += counts[i];
  return sums;
}

std::vector<int64_t> CountTable::columnSums() const {
  std::vector<int64_t> sums(columns, 0);
  for (size_t i = 0; i < counts.size(); ++i)
    sums[i % columns] += counts[i];
  return sums;
}

int64_t CountTable::total() const {
  int64_t sum = 0;
  for (int64_t count : counts)
    sum += count;
  return sum;
}

std::optional<double> exactTableP(const CountTable &table, double workLimit) {
  if (table.total() > 1'000'000)
    return std::nullopt;
  LogFactorials logFactorial(table.total());
  std::vector<int64_t> rows = table.rowSums(), columns = table.columnSums();
  // The shorter side makes the nodes.
  if (rows.size() > columns.size())
    rows.swap(columns);
  return Network(std::move(rows), std::move(columns), lengthOf(table, logFactorial), workLimit)
      .run();
}

SampledP sampledTableP(const CountTable &table, int64_t samples, Random &random) {
  LogFactorials logFactorial(table.total());
  double bound = lengthOf(table, logFactorial) + equalProbability;
  std::vector<int64_t> rows = table.rowSums(), columns = table.columnSums();
  int64_t hits = 0;
  for (int64_t i = 0; i < samples; ++i)
    hits += drawLength(rows, columns, table.total(), logFactorial, random) <= bound;
  double p = static_cast<double>(hits + 1) / static_cast<double>(samples + 1);
  return {p, std::sqrt(p * (1 - p) / static_cast<double>(samples)), samples};
}

} // namespace imbrex::stats
