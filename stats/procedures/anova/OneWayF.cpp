#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <cmath>

namespace imbrex::stats {

bool acceptManyGroups(TestResult &result, const Groups &groups, size_t leastEach) {
  for (size_t i = 0; i < groups.size(); ++i)
    result.n.push_back({"group " + std::to_string(i + 1), double(groups[i].size())});
  if (groups.size() < 2) {
    result.refused("there are fewer than two groups");
    return false;
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    std::string who = "group " + std::to_string(i + 1);
    if (!allFinite(groups[i]))
      result.refused(who + " holds a value that is not finite");
    else if (groups[i].size() < leastEach)
      result.refused(who + " has " + std::to_string(groups[i].size()) + " values, but at least " +
                     std::to_string(leastEach) + " are needed");
  }
  return result.defined();
}

OneWaySums oneWaySums(const Groups &scaled) {
  OneWaySums sums;
  Sum weighted, within, between;
  for (const auto &group : scaled) {
    sums.moments.push_back(momentsOf(group));
    sums.n += double(group.size());
    weighted.add(sums.moments.back().mean * double(group.size()));
    within.add(sums.moments.back().squares);
  }
  sums.mean = weighted.value() / sums.n;
  Sum rest;
  for (const Moments &m : sums.moments) {
    double d = m.mean - sums.mean;
    between.add(double(m.n) * d * d);
    rest.add(double(m.n) * d);
  }
  sums.between = std::fmax(0, between.value() - rest.value() * rest.value() / sums.n);
  sums.within = within.value();
  sums.dfBetween = double(scaled.size()) - 1;
  sums.dfWithin = sums.n - double(scaled.size());
  return sums;
}

TestResult oneWayF(const Groups &groups, double level) {
  TestResult result;
  result.id = "f_test";
  result.name = "one-way analysis of variance";
  result.method = "Fisher's F";
  if (!acceptManyGroups(result, groups, 1))
    return result;
  CommonScale scale(groups);
  OneWaySums sums = oneWaySums(scale.scaled(groups));
  if (sums.dfWithin < 1)
    return result.refused("every group has a single value, so no variance can be estimated");
  result.df = {{"df between", sums.dfBetween}, {"df within", sums.dfWithin}};
  double unit = scale.difference(1), square = unit * unit;
  double meanBetween = sums.between / sums.dfBetween, meanWithin = sums.within / sums.dfWithin;
  auto row = [&](const char *name, double squares, double df) {
    return ResultRow{
        name,
        {{"sum of squares", squares * square}, {"df", df}, {"mean square", squares / df * square}},
        {},
        {},
        {}};
  };
  result.tables = {
      {"analysis of variance",
       {row("between", sums.between, sums.dfBetween), row("within", sums.within, sums.dfWithin)}}};
  if (sums.within == 0 && sums.between == 0)
    return result.undefined("all values are equal: F would be 0/0");
  if (sums.within == 0)
    result.notes.push_back("the values do not vary within groups: F is infinite");
  double f = meanBetween / meanWithin;
  result.statistics = {{"F", f}};
  result.p = fisherFTail(f, sums.dfBetween, sums.dfWithin);
  reportVarianceShares(result.effects, "", {f, sums.dfBetween, sums.dfWithin, sums.n}, level);
  ResultRow &between = result.tables[0].rows[0];
  between.numbers.push_back({"F", f});
  between.p = result.p;
  between.effects = result.effects;
  return result;
}

} // namespace imbrex::stats
