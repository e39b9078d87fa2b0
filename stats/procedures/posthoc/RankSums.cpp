#include "stats/procedures/posthoc/RankSums.h"

#include "stats/numeric/Ranks.h"

namespace imbrex::stats {

double RankSums::variance() const {
  double n = total;
  return (squares - n * (n + 1) * (n + 1) / 4) / (n - 1);
}

double RankSums::statistic() const {
  double between = 0;
  for (size_t i = 0; i < sums.size(); ++i)
    between += sums[i] * sums[i] / counts[i];
  return (between - total * (total + 1) * (total + 1) / 4) / variance();
}

RankSums ranksOverall(const Groups &groups) {
  std::vector<double> all;
  for (const std::vector<double> &group : groups)
    all.insert(all.end(), group.begin(), group.end());
  Ranking ranking = midranks(all);
  RankSums result;
  result.total = static_cast<double>(all.size());
  result.tieTerm = ranking.tieTerm();
  size_t index = 0;
  for (const std::vector<double> &group : groups) {
    double sum = 0;
    for (size_t i = 0; i < group.size(); ++i, ++index) {
      sum += ranking.rank(index);
      result.squares += ranking.rank(index) * ranking.rank(index);
    }
    result.sums.push_back(sum);
    result.counts.push_back(static_cast<double>(group.size()));
  }
  return result;
}

RankSums ranksInBlocks(const Groups &conditions) {
  RankSums result;
  size_t blocks = conditions[0].size();
  result.sums.assign(conditions.size(), 0.0);
  result.counts.assign(conditions.size(), static_cast<double>(blocks));
  result.total = static_cast<double>(blocks * conditions.size());
  std::vector<double> block(conditions.size());
  for (size_t b = 0; b < blocks; ++b) {
    for (size_t i = 0; i < conditions.size(); ++i)
      block[i] = conditions[i][b];
    Ranking ranking = midranks(block);
    result.tieTerm += ranking.tieTerm();
    for (size_t i = 0; i < conditions.size(); ++i) {
      result.sums[i] += ranking.rank(i);
      result.squares += ranking.rank(i) * ranking.rank(i);
    }
  }
  return result;
}

} // namespace imbrex::stats
