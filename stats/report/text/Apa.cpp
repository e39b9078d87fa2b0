#include "stats/report/text/Apa.h"

#include "stats/report/text/NumberText.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Effects that cannot exceed 1 lose their leading zero.
bool boundedByOne(const std::string &name) {
  for (const char *word : {"correlation", "squared", "biserial", "A12", "phi", "tau", "rho"})
    if (name.find(word) != std::string::npos && !name.starts_with("f "))
      return name.find("Cohen's f") == std::string::npos;
  return name == "r" || name.ends_with(" r") || name.ends_with(" V") || name.ends_with(" W") ||
         name.ends_with(" g_c");
}

std::string apaDf(double df) {
  return df == std::floor(df) ? numberText(df) : apaNumber(df, Bound::None);
}

std::string shortName(const std::string &name) {
  return name == "Cohen's d" ? "d" : name == "Cohen's d_z" ? "d_z" : name;
}

/// Groups add up; pairs, subjects, values and observations stand for themselves.
std::string total(const TestResult &result) {
  double n = 0;
  for (const NamedNumber &number : result.n) {
    bool whole = number.name == "pairs" || number.name == "subjects" || number.name == "values" ||
                 number.name == "observations";
    if (whole)
      return ", n = " + numberText(number.value);
    n += number.value;
  }
  return n > 0 ? ", n = " + numberText(n) : "";
}

std::string intervalOf(const EffectSize &e) {
  Bound bound = boundedByOne(e.name) ? Bound::One : Bound::None;
  return e.interval ? ", " + percentText(e.interval->achieved) + " CI [" +
                          apaNumber(e.interval->low, bound) + ", " +
                          apaNumber(e.interval->high, bound) + "]"
                    : "";
}

std::string effectText(const EffectSize &e) {
  Bound bound = boundedByOne(e.name) ? Bound::One : Bound::None;
  return ", " + shortName(e.name) + " = " + apaNumber(e.value, bound) + intervalOf(e);
}

/// The terms of a model with several of them, each with its own F; with corrected degrees of
/// freedom where it has them, since these decide.
std::string terms(const TestResult &result) {
  const ResultTable *table = result.table("analysis of variance");
  const ResultTable *corrections = result.table("Greenhouse-Geisser");
  std::string text;
  size_t count = 0;
  for (const ResultRow &row : table ? table->rows : std::vector<ResultRow>()) {
    double f = row.number("F");
    if (!row.p.undirected || std::isnan(f))
      continue;
    ++count;
    const ResultRow *corrected = corrections ? corrections->row(row.name) : nullptr;
    const ResultRow &used = corrected && corrected->p.undirected ? *corrected : row;
    text += (text.empty() ? "" : "; ") + row.name + ", F(" + apaDf(used.number("df")) + ", " +
            apaDf(used.number("error df")) + ") = " + apaNumber(f, Bound::None) + ", " +
            pApa(*used.p.undirected) + (row.effects.empty() ? "" : effectText(row.effects[0]));
  }
  return count > 1 ? text : "";
}

} // namespace

namespace {

/// Of a correlation its coefficient, whatever statistic p belongs to.
const NamedNumber *coefficient(const TestResult &result) {
  for (const NamedNumber &s : result.statistics)
    if (s.name == "r" || s.name == "rho" || s.name == "tau")
      return &s;
  return nullptr;
}

} // namespace

size_t freedoms(const TestResult &result) {
  return !result.statistics.empty() && result.statistics[0].name.starts_with("F") ? 2 : 1;
}

std::string apaStatistic(const TestResult &result) {
  if (result.statistics.empty())
    return "";
  const NamedNumber *r = coefficient(result);
  const NamedNumber &s = r ? *r : result.statistics[0];
  std::string df;
  for (size_t i = 0; i < result.df.size() && i < freedoms(result); ++i)
    df += (i ? ", " : "") + apaDf(result.df[i].value);
  return s.name + (df.empty() ? "" : "(" + df + ")") + " = " +
         apaNumber(s.value, r || boundedByOne(s.name) ? Bound::One : Bound::None);
}

std::string apaSentence(const Computed &computed) {
  const TestResult &r = computed.result;
  if (!r.defined() || !computed.p)
    return "";
  std::string text = r.name;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (computed.alternative != Alternative::TwoSided)
    text += ", one-sided";
  if (std::string parts = terms(r); !parts.empty())
    return text + ": " + parts + total(r) + ".";
  std::string statistic = apaStatistic(r);
  text += ": " + (statistic.empty() ? "" : statistic + ", ") + pApa(*computed.p);
  if (!r.effects.empty())
    text += coefficient(r) || (!r.statistics.empty() && r.effects[0].name == r.statistics[0].name)
                ? intervalOf(r.effects[0])
                : effectText(r.effects[0]);
  return text + total(r) + ".";
}

} // namespace imbrex::stats
