#include "stats/procedures/anova/Terms.h"

#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr size_t mostFactors = 6;
constexpr size_t mostCells = 1024;

/// Column c of a factor coded to sum to zero: +1 on level c, -1 on the last one.
double sumCode(int32_t code, size_t column, size_t levels) {
  return size_t(code) == column ? 1 : size_t(code) + 1 == levels ? -1 : 0;
}

Matrix product(const Term &left, const Matrix &right, std::span<const double> rootWeights) {
  Matrix result;
  for (size_t a = 0; a < left.columns.columns(); ++a)
    for (size_t b = 0; b < right.columns(); ++b) {
      std::vector<double> column(rootWeights.size());
      for (size_t i = 0; i < column.size(); ++i)
        column[i] = left.columns.at(i, a) * right.at(i, b);
      result.append(column);
    }
  return result;
}

/// Whether term `other` is in the model that `wanted` is adjusted for.
bool adjustsFor(const std::vector<Term> &terms, size_t wanted, size_t other, SumsOfSquares type) {
  switch (type) {
  case SumsOfSquares::TypeI:
    return other < wanted;
  case SumsOfSquares::TypeII:
    return other != wanted && !terms[other].contains(terms[wanted]);
  case SumsOfSquares::TypeIII:
    break;
  }
  return other != wanted;
}

} // namespace

bool Term::contains(const Term &other) const {
  return std::includes(members.begin(), members.end(), other.members.begin(), other.members.end());
}

std::string termName(const std::vector<std::string> &names) {
  std::string result;
  for (const std::string &name : names)
    result += (result.empty() ? "" : ":") + name;
  return result;
}

std::vector<Term> factorTerms(const std::vector<Factor> &factors,
                              const std::vector<std::vector<int32_t>> &codes,
                              std::span<const double> rootWeights) {
  std::vector<Matrix> coded;
  for (size_t f = 0; f < factors.size(); ++f) {
    Matrix columns;
    for (size_t c = 0; c + 1 < factors[f].levels.size(); ++c) {
      std::vector<double> column;
      for (int32_t code : codes[f])
        column.push_back(sumCode(code, c, factors[f].levels.size()));
      columns.append(column);
    }
    coded.push_back(std::move(columns));
  }
  std::vector<Term> terms;
  for (uint32_t set = 0; set < 1u << factors.size(); ++set) {
    Term term;
    std::vector<std::string> names;
    term.columns.append(rootWeights);
    for (size_t f = 0; f < factors.size(); ++f)
      if (set >> f & 1) {
        term.members.push_back(f);
        names.push_back(factors[f].name);
        term.columns = product(term, coded[f], rootWeights);
      }
    term.name = set ? termName(names) : "(intercept)";
    terms.push_back(std::move(term));
  }
  std::sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) {
    return a.members.size() != b.members.size() ? a.members.size() < b.members.size()
                                                : a.members < b.members;
  });
  return terms;
}

Matrix joined(std::span<const Term> terms) {
  Matrix result;
  for (const Term &term : terms)
    for (size_t j = 0; j < term.columns.columns(); ++j)
      result.append(term.columns.column(j));
  return result;
}

ReducedModel reduceModel(std::vector<Term> terms, std::vector<double> y) {
  ReducedModel result;
  Orthogonalisation factors(joined(terms));
  result.y.append(factors.effects(y));
  result.restSquares = dot(y, y);
  size_t at = 0;
  for (Term &term : terms) {
    Matrix columns;
    for (size_t j = 0, count = term.columns.columns(); j < count; ++j)
      columns.append(factors.triangle().column(at++));
    term.columns = std::move(columns);
  }
  result.terms = std::move(terms);
  return result;
}

TermSquares termSquares(const std::vector<Term> &terms, size_t wanted, const Matrix &y,
                        SumsOfSquares type) {
  Matrix columns;
  auto add = [&](const Term &term) {
    for (size_t j = 0; j < term.columns.columns(); ++j)
      columns.append(term.columns.column(j));
  };
  for (size_t i = 0; i < terms.size(); ++i)
    if (adjustsFor(terms, wanted, i, type))
      add(terms[i]);
  size_t before = columns.columns();
  add(terms[wanted]);
  Orthogonalisation factors(std::move(columns));
  TermSquares result;
  for (size_t j = before; j < before + terms[wanted].columns.columns(); ++j)
    result.df += !factors.dependent(j);
  for (size_t r = 0; r < y.columns(); ++r) {
    std::vector<double> response(y.column(r).begin(), y.column(r).end());
    std::vector<double> effects = factors.effects(response);
    std::span<const double> own = std::span(effects).subspan(before);
    result.squares.push_back(dot(own, own));
  }
  return result;
}

Cells collectCells(const std::vector<Factor> &factors, size_t rows) {
  Cells cells;
  size_t count = 1;
  for (const Factor &factor : factors) {
    if (factor.levels.size() < 2)
      cells.problem = factor.name + " has fewer than two levels";
    else if (factor.codes.size() != rows)
      cells.problem = factor.name + " has another number of values than the outcome";
    else if (std::any_of(factor.codes.begin(), factor.codes.end(), [&](int32_t code) {
               return code < 0 || size_t(code) >= factor.levels.size();
             }))
      cells.problem = factor.name + " holds a code without a level";
    count *= std::min(factor.levels.size(), mostCells + 1);
    if (factors.size() > mostFactors || count > mostCells)
      cells.problem = "there are too many factors or cells (at most 6 factors and 1024 cells)";
    if (cells.problem)
      return cells;
  }
  cells.codes.resize(factors.size());
  cells.rows.resize(count);
  for (size_t cell = 0; cell < count; ++cell)
    for (size_t f = factors.size(), rest = cell; f-- > 0; rest /= factors[f].levels.size())
      cells.codes[f].push_back(int32_t(rest % factors[f].levels.size()));
  for (size_t i = 0; i < rows; ++i) {
    size_t cell = 0;
    for (const Factor &factor : factors)
      cell = cell * factor.levels.size() + size_t(factor.codes[i]);
    cells.rows[cell].push_back(i);
  }
  for (size_t cell = 0; cell < count; ++cell)
    if (cells.rows[cell].empty()) {
      std::string name;
      for (size_t f = 0; f < factors.size(); ++f)
        name += (f ? ", " : "") + factors[f].name + " = " + factors[f].levels[cells.codes[f][cell]];
      cells.problem = "the cell with " + name + " has no values";
      break;
    }
  return cells;
}

ResultRow testedRow(const std::string &name, const TermTest &test, double level) {
  double square = test.unit * test.unit;
  double mean = test.squares / test.df, errorMean = test.errorSquares / test.errorDf;
  ResultRow row;
  row.name = name;
  row.numbers = {{"sum of squares", test.squares * square},
                 {"df", test.df},
                 {"mean square", mean * square},
                 {"error sum of squares", test.errorSquares * square},
                 {"error df", test.errorDf}};
  if (test.errorSquares == 0 && test.squares == 0)
    return row;
  double f = mean / errorMean;
  row.numbers.push_back({"F", f});
  row.p = fisherFTail(f, test.df, test.errorDf);
  TermShare share{f, test.df, test.errorDf, test.n > 0 ? test.n : test.df + test.errorDf + 1};
  reportVarianceShares(row.effects, "partial ", share, level);
  if (test.n == 0)
    row.effects.resize(1); // partial eta squared
  if (test.totalSquares > 0)
    row.effects.push_back({"eta squared", test.squares / test.totalSquares,
                           heldShareInterval(f, test.df, test.errorDf,
                                             (test.totalSquares - test.squares) / errorMean, level),
                           EffectDirection::Magnitude});
  return row;
}

} // namespace imbrex::stats
