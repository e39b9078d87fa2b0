#include "stats/report/text/Apa.h"

#include "stats/report/text/NumberText.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Effects that cannot exceed 1 lose their leading zero.
bool boundedByOne(const std::string &name) {
  for (const char *word :
       {"correlation", "squared", "biserial", "tau", "rho", "V", "phi", "W", "A12", "r"})
    if (name == word || (std::string_view(word).size() > 2 && name.find(word) != std::string::npos))
      return true;
  return false;
}

std::string shortName(const std::string &name) {
  return name == "Cohen's d" ? "d" : name == "Cohen's d_z" ? "d_z" : name;
}

std::string total(const TestResult &result) {
  double n = 0;
  for (const NamedNumber &number : result.n)
    n += number.value;
  return n > 0 ? ", n = " + numberText(n) : "";
}

} // namespace

std::string apaStatistic(const TestResult &result) {
  if (result.statistics.empty())
    return "";
  const NamedNumber &s = result.statistics[0];
  std::string df;
  for (const NamedNumber &d : result.df)
    df += (df.empty() ? "" : ", ") +
          (d.value == std::floor(d.value) ? numberText(d.value) : apaNumber(d.value, Bound::None));
  return s.name + (df.empty() ? "" : "(" + df + ")") + " = " +
         apaNumber(s.value, boundedByOne(s.name) ? Bound::One : Bound::None);
}

std::string apaSentence(const Computed &computed) {
  const TestResult &r = computed.result;
  if (!r.defined() || !computed.p)
    return "";
  std::string text = r.name;
  if (computed.alternative != Alternative::TwoSided)
    text += ", one-sided";
  std::string statistic = apaStatistic(r);
  text += ": " + (statistic.empty() ? "" : statistic + ", ") + pApa(*computed.p);
  if (!r.effects.empty()) {
    const EffectSize &e = r.effects[0];
    Bound bound = boundedByOne(e.name) ? Bound::One : Bound::None;
    text += ", " + shortName(e.name) + " = " + apaNumber(e.value, bound);
    if (e.interval)
      text += ", " + percentText(e.interval->achieved) + " CI [" +
              apaNumber(e.interval->low, bound) + ", " + apaNumber(e.interval->high, bound) + "]";
  }
  return text + total(r) + ".";
}

} // namespace imbrex::stats
