#include "support/text/Nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace imbrex {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (char c : text)
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Insertions, deletions, changes and exchanges of neighbours.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] != b[j]), last[j + 1] + 1, row[j] + 1});
      if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last.back();
}

} // namespace

std::string nearestName(std::string_view name, const std::vector<std::string> &names) {
  constexpr size_t longest = 100; // quadratic beyond that, and nobody misspells such a name
  std::string wanted = lower(name.substr(0, longest)), best;
  size_t least = wanted.size() < 2 ? 1 : std::max<size_t>(1, wanted.size() / 3) + 1;
  for (const std::string &candidate : names) {
    if (candidate.size() > longest)
      continue;
    std::string other = lower(candidate);
    bool starts = wanted.size() > 2 && other.starts_with(wanted);
    size_t distance = starts ? 1 : editDistance(wanted, other);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

} // namespace imbrex
