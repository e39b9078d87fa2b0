#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/anova/Sphericity.h"
#include "stats/procedures/anova/Terms.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr size_t mostMeasures = 256;

/// Orthonormal contrasts of one factor (Helmert), or its mean.
Matrix contrasts(size_t levels, bool effect) {
  Matrix result;
  if (!effect) {
    result.append(std::vector<double>(levels, 1 / std::sqrt(double(levels))));
    return result;
  }
  for (size_t c = 1; c < levels; ++c) {
    std::vector<double> column(levels, 0.0);
    double size = std::sqrt(double(c * (c + 1)));
    std::fill(column.begin(), column.begin() + c, 1 / size);
    column[c] = -double(c) / size;
    result.append(column);
  }
  return result;
}

Matrix kronecker(const Matrix &a, const Matrix &b) {
  Matrix result;
  for (size_t i = 0; i < a.columns(); ++i)
    for (size_t j = 0; j < b.columns(); ++j) {
      std::vector<double> column;
      for (double x : a.column(i))
        for (double y : b.column(j))
          column.push_back(x * y);
      result.append(column);
    }
  return result;
}

/// A set of within factors and every subject's scores on its contrasts.
struct Stratum {
  std::vector<std::string> names;
  Matrix scores;
  Matrix errors; // residual cross products
  double df = 0; // of the errors, per contrast
  double errorSquares = 0;
};

Matrix scoresOf(const std::vector<std::vector<double>> &subjects, const Matrix &contrast) {
  Matrix scores(subjects.size(), contrast.columns());
  for (size_t j = 0; j < contrast.columns(); ++j)
    for (size_t i = 0; i < subjects.size(); ++i)
      scores.at(i, j) = dot(subjects[i], contrast.column(j));
  return scores;
}

void fitErrors(Stratum &stratum, const std::vector<Term> &terms) {
  Orthogonalisation model(joined(terms));
  size_t p = stratum.scores.columns();
  std::vector<std::vector<double>> residuals;
  for (size_t j = 0; j < p; ++j) {
    residuals.emplace_back(stratum.scores.column(j).begin(), stratum.scores.column(j).end());
    model.effects(residuals.back());
    model.effects(residuals.back()); // what the first pass left by rounding
  }
  stratum.errors = Matrix(p, p);
  for (size_t a = 0; a < p; ++a)
    for (size_t b = 0; b < p; ++b)
      stratum.errors.at(a, b) = dot(residuals[a], residuals[b]);
  for (size_t a = 0; a < p; ++a)
    stratum.errorSquares += stratum.errors.at(a, a);
  stratum.df = double(stratum.scores.rows()) - double(model.rank());
  // Roundoff of exact fits is no variance.
  double total = 0;
  for (size_t j = 0; j < p; ++j)
    total += dot(stratum.scores.column(j), stratum.scores.column(j));
  if (stratum.errorSquares <= 1e-28 * total)
    stratum.errorSquares = 0;
}

std::vector<Stratum> strataOf(const RepeatedDesign &design, const std::vector<Term> &terms,
                              const std::vector<std::vector<double>> &scaled) {
  std::vector<uint32_t> sets;
  for (uint32_t set = 0; set < 1u << design.within.size(); ++set)
    sets.push_back(set);
  std::sort(sets.begin(), sets.end(), [](uint32_t a, uint32_t b) {
    return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b);
  });
  std::vector<Stratum> strata;
  for (uint32_t set : sets) {
    Stratum stratum;
    Matrix contrast;
    contrast.append(std::vector<double>{1});
    for (size_t w = 0; w < design.within.size(); ++w) {
      bool effect = set >> w & 1;
      contrast = kronecker(contrast, contrasts(design.within[w].levels.size(), effect));
      if (effect)
        stratum.names.push_back(design.within[w].name);
    }
    stratum.scores = scoresOf(scaled, contrast);
    fitErrors(stratum, terms);
    strata.push_back(std::move(stratum));
  }
  return strata;
}

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
                               stratum.df * contrastsCount, 0, unit},
                              design.level);
    if (squares + allErrors > 0)
      row.effects.push_back({"generalised eta squared",
                             squares / (squares + allErrors),
                             {},
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

namespace {

RepeatedDesign oneFactor(const std::vector<std::vector<double>> &conditions, double level) {
  RepeatedDesign design;
  design.level = level;
  design.within.push_back({"condition", {}});
  for (size_t j = 0; j < conditions.size(); ++j)
    design.within[0].levels.push_back(std::to_string(j + 1));
  for (size_t i = 0; !conditions.empty() && i < conditions[0].size(); ++i) {
    design.subjects.emplace_back();
    for (const auto &condition : conditions)
      design.subjects.back().push_back(condition[i]);
  }
  return design;
}

bool rectangular(const std::vector<std::vector<double>> &conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const auto &c) { return c.size() == conditions[0].size(); });
}

} // namespace

TestResult repeatedAnova(const std::vector<std::vector<double>> &conditions, double level) {
  TestResult result;
  if (rectangular(conditions))
    result = mixedAnova(oneFactor(conditions, level));
  else
    result.refused("a subject lacks a condition: conditions have different numbers of values");
  result.id = "rm_one_way_anova";
  result.name = "one-way repeated measures analysis of variance";
  return result;
}

TestResult mauchly(const std::vector<std::vector<double>> &conditions) {
  TestResult anova = repeatedAnova(conditions), result;
  result.id = "mauchly";
  result.name = "Mauchly's test of sphericity";
  result.method = "chi-square approximation of second order";
  result.n = anova.n;
  if (anova.outcome == Outcome::Refused)
    return result.refused(anova.reason);
  const ResultTable *table = anova.table("sphericity");
  if (!table) {
    result.notes.push_back("two conditions are always spherical");
    result.statistics = {{"W", 1}};
    result.p.undirected = PValue{1, 0};
    return result;
  }
  const ResultRow &row = table->rows[0];
  result.tables = {*table};
  if (std::isnan(row.number("Mauchly's W")))
    return result.undefined(
        "there are fewer subjects than the test needs, or measures depend on each other");
  result.statistics = {{"W", row.number("Mauchly's W")}};
  result.p = row.p;
  return result;
}

} // namespace imbrex::stats
