#include "proof/sql/refute/Compare.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

using Hashes = std::vector<uint64_t>;

Hashes hashRows(const Relation &rows, const TextPool &pool) {
  Hashes hashes;
  hashes.reserve(rows.count);
  for (uint32_t i = 0; i < rows.count; ++i) {
    uint64_t hash = 0;
    for (uint32_t c = 0; c < rows.width; ++c)
      hash = mix(hash, hashOf(rows.row(i)[c], pool));
    hashes.push_back(hash);
  }
  return hashes;
}

/// A row of a list: which it is, and its tie.
struct Entry {
  uint64_t hash;
  uint32_t tie;
  bool operator<(const Entry &other) const {
    return hash != other.hash ? hash < other.hash : tie < other.tie;
  }
};

/// Ties of equal rows are no choice: their rows get ties of their own.
std::vector<uint32_t> realTies(const Hashes &hashes, const std::vector<uint32_t> &ties) {
  std::vector<uint32_t> result(hashes.size());
  for (uint32_t i = 0; i < hashes.size();) {
    uint32_t end = i;
    bool same = true;
    for (; end < hashes.size() && ties[end] == ties[i]; ++end)
      same &= hashes[end] == hashes[i];
    for (uint32_t k = i; k < end; ++k)
      result[k] = same ? k : i;
    i = end;
  }
  return result;
}

std::vector<Entry> entries(const Hashes &hashes, const std::vector<uint32_t> &ties) {
  std::vector<Entry> result;
  for (size_t i = 0; i < hashes.size(); ++i)
    result.push_back({hashes[i], ties[i]});
  std::sort(result.begin(), result.end());
  return result;
}

/// Both hold the same bag. Is there a list that both allow? Equal rows are paired in order, and
/// then no pair may come before another on one side and after it on the other.
bool haveCommonList(const std::vector<Entry> &a, const std::vector<Entry> &b) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0; i < a.size(); ++i)
    pairs.emplace_back(a[i].tie, b[i].tie);
  std::sort(pairs.begin(), pairs.end());
  for (size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i].second < pairs[i - 1].second)
      return false;
  return true;
}

Difference compareLists(const Hashes &first, const std::vector<uint32_t> &firstTies,
                        const Hashes &second, const std::vector<uint32_t> &secondTies) {
  std::vector<uint32_t> ties = realTies(first, firstTies), otherTies = realTies(second, secondTies);
  std::vector<Entry> a = entries(first, ties), b = entries(second, otherTies);
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].hash != b[i].hash)
      return Difference::Sure;
  if (!haveCommonList(a, b))
    return Difference::Sure;
  bool same = std::equal(a.begin(), a.end(), b.begin(),
                         [](const Entry &x, const Entry &y) { return x.tie == y.tie; });
  return same ? Difference::None : Difference::Choice;
}

} // namespace

Difference compareResults(const RunResult &first, const RunResult &second, Comparison comparison,
                          const TextPool &pool) {
  bool lists = comparison == Comparison::List || comparison == Comparison::Automatic;
  bool sets = comparison == Comparison::Set;
  if (!sets && first.rows->count != second.rows->count)
    return Difference::Sure;
  Hashes a = hashRows(*first.rows, pool), b = hashRows(*second.rows, pool);
  if (comparison == Comparison::List || (lists && first.ties && second.ties)) {
    std::vector<uint32_t> unordered(a.size(), 0);
    return compareLists(a, first.ties ? *first.ties : unordered, b,
                        second.ties ? *second.ties : unordered);
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (sets) {
    a.erase(std::unique(a.begin(), a.end()), a.end());
    b.erase(std::unique(b.begin(), b.end()), b.end());
  }
  return a == b ? Difference::None : Difference::Sure;
}

} // namespace imbrex::sql
