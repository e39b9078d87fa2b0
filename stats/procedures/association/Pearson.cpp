#include "stats/procedures/association/Pearson.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/association/Correlation.h"

#include <cmath>

namespace imbrex::stats {

void testCorrelation(TestResult &result, double r, double df) {
  double t = df == 0 ? 0 : std::sqrt(df) * r / std::sqrt((1 - r) * (1 + r));
  result.statistics = {{"t", t}, {"r", r}};
  result.df = {{"df", df}};
  if (df == 0) // two pairs always lie on a line
    result.p = exactTails(1, 1);
  else
    result.p = studentTails(t, df);
}

TestResult pearson(std::span<const double> x, std::span<const double> y, double level) {
  TestResult result{.id = "pearson_corr", .name = "Pearson correlation"};
  result.method = "t distribution with n - 2 degrees of freedom; interval by Fisher's z";
  if (!acceptPairs(result, x, y, 2))
    return result;
  if (auto why = constantColumn(x, y))
    return result.undefined(*why);
  double r = correlationOf(x, y), n = static_cast<double>(x.size());
  testCorrelation(result, r, n - 2);
  if (n == 2)
    result.notes.push_back("two pairs always lie on a line: r says nothing");
  std::optional<Interval> interval;
  if (n > 3)
    interval = fisherInterval(r, 1 / std::sqrt(n - 3), level, "Fisher's z");
  else
    result.notes.push_back("an interval by Fisher's z needs at least 4 pairs");
  reportCorrelation(result, "Pearson's r", r, interval);
  return result;
}

} // namespace imbrex::stats
