#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/Sphericity.h"
#include "stats/procedures/anova/Strata.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr size_t mostMeasures = 256;

ResultRow correctedRow(const ResultRow &row, double epsilon) {
  double f = row.number("F"), df1 = row.number("df"), df2 = row.number("error df");
  return {row.name,
          {{"F", f}, {"epsilon", epsilon}, {"df", df1 * epsilon}, {"error df", df2 * epsilon}},
          fisherFTail(f, df1 * epsilon, df2 * epsilon),
          {},
          {}};
}

struct Tables {
  ResultTable anova{"analysis of variance", {}};
  ResultTable sphericity{"sphericity", {}};
  ResultTable greenhouse{"Greenhouse-Geisser", {}};
  ResultTable huynh{"Huynh-Feldt", {}};
};

void addCorrections(Tables &tables, const ResultRow &row, const Sphericity &s) {
  ResultRow sphericity{row.name,
                       {{"Mauchly's W", s.mauchlyW},
                        {"epsilon Greenhouse-Geisser", s.greenhouseGeisser},
                        {"epsilon Huynh-Feldt", s.huynhFeldt}},
                       {},
                       {},
                       {}};
  if (!std::isnan(s.mauchlyW))
    sphericity.p.undirected = s.mauchlyP;
  tables.sphericity.rows.push_back(sphericity);
  if (std::isnan(row.number("F")))
    return;
  tables.greenhouse.rows.push_back(correctedRow(row, s.greenhouseGeisser));
  tables.huynh.rows.push_back(correctedRow(row, s.huynhFeldt));
}

/// All terms of one stratum; the intercept is the effect of the within factors themselves.
void addStratum(Tables &tables, const Stratum &stratum, const std::vector<Term> &terms,
                const RepeatedDesign &design, double allErrors, double unit) {
  double contrastsCount = double(stratum.scores.columns());
  Sphericity sphericity = sphericityOf(stratum.errors, stratum.df);
  for (size_t t = stratum.names.empty() ? 1 : 0; t < terms.size(); ++t) {
    TermSquares term = termSquares(terms, t, stratum.scores, design.sums);
    double squares = 0;
    for (double s : term.squares)
      squares += s;
    std::vector<std::string> names;
    for (size_t member : terms[t].members)
      names.push_back(design.between[member].name);
    names.insert(names.end(), stratum.names.begin(), stratum.names.end());
    ResultRow row = testedRow(termName(names),
                              {squares, term.df * contrastsCount, stratum.errorSquares,
                               stratum.df * contrastsCount, unit},
                              design.level);
    if (squares + allErrors > 0)
      row.effects.push_back(
          {"generalised eta squared", squares / (squares + allErrors),
           heldShareInterval(row.number("F"), row.number("df"), row.number("error df"),
                             allErrors / (stratum.errorSquares / stratum.df / contrastsCount),
                             design.level),
           EffectDirection::Magnitude});
    if (contrastsCount > 1)
      addCorrections(tables, row, sphericity);
    tables.anova.rows.push_back(std::move(row));
  }
}

bool accept(TestResult &result, const RepeatedDesign &design) {
  size_t measures = 1;
  result.n = {{"subjects", double(design.subjects.size())}};
  for (const WithinFactor &factor : design.within) {
    if (factor.levels.size() < 2)
      result.refused(factor.name + " has fewer than two levels");
    measures *= std::min(factor.levels.size(), mostMeasures + 1);
    if (measures > mostMeasures)
      result.refused("there are more than 256 measures of each subject");
    if (!result.defined())
      return false;
  }
  result.n.push_back({"measures of each", double(measures)});
  if (design.within.empty())
    result.refused("there is no factor within subjects");
  for (const auto &values : design.subjects)
    if (values.size() != measures)
      result.refused("a subject has " + std::to_string(values.size()) + " of " +
                     std::to_string(measures) + " values");
  if (!allFinite(design.subjects))
    result.refused("a value is not finite");
  return result.defined();
}

} // namespace

TestResult mixedAnova(const RepeatedDesign &design) {
  TestResult result;
  result.id = design.between.empty() ? "rm_anova" : "mixed_anova";
  result.name = design.between.empty() ? "repeated measures analysis of variance"
                                       : "mixed analysis of variance";
  result.method = "univariate F tests";
  if (!accept(result, design))
    return result;
  Cells cells = collectCells(design.between, design.subjects.size());
  if (cells.problem)
    return result.refused(*cells.problem);
  std::vector<std::vector<int32_t>> codes;
  for (const Factor &factor : design.between)
    codes.push_back(factor.codes);
  std::vector<double> ones(design.subjects.size(), 1.0);
  std::vector<Term> terms = factorTerms(design.between, codes, ones);
  CommonScale scale(design.subjects);
  std::vector<Stratum> strata = strataOf(design, terms, scale.scaled(design.subjects));
  if (strata[0].df < 1)
    return result.refused("there are too few subjects to estimate how they vary");
  double allErrors = 0;
  for (const Stratum &stratum : strata)
    allErrors += stratum.errorSquares;
  Tables tables;
  for (const Stratum &stratum : strata)
    addStratum(tables, stratum, terms, design, allErrors, scale.difference(1));
  result.tables = {tables.anova};
  for (ResultTable *table : {&tables.sphericity, &tables.greenhouse, &tables.huynh})
    if (!table->rows.empty())
      result.tables.push_back(*table);
  const ResultRow &first = result.tables[0].rows[terms.size() - 1];
  result.df = {{"df", first.number("df")}, {"error df", first.number("error df")}};
  if (std::isnan(first.number("F")))
    return result.undefined(
        "neither the conditions nor the subjects' responses differ: F would be 0/0");
  result.statistics = {{"F", first.number("F")}};
  result.p = first.p;
  result.effects = first.effects;
  return result;
}

} // namespace imbrex::stats
