// Comparisons after analyses of several factors: marginal means, simple effects, and those of
// participants.
#include "stats/report/export/Recipes.h"

#include <optional>

namespace imbrex::stats {
namespace {

/// The factors of the model as numbers of cells, the last factor fastest.
struct CellNumbers {
  std::vector<size_t> levels; // of each factor
  std::vector<double> ofRow;  // from 1
  size_t count = 1;

  /// Cells with `level` of `factor`; only where the other factors are as in `like`.
  std::vector<double> with(size_t factor, size_t level, std::optional<size_t> like = {}) const {
    std::vector<double> found;
    for (size_t cell = 0; cell < count; ++cell) {
      bool wanted = codeOf(cell, factor) == level;
      for (size_t f = 0; like && f < levels.size(); ++f)
        wanted &= f == factor || codeOf(cell, f) == codeOf(*like, f);
      if (wanted)
        found.push_back(static_cast<double>(cell + 1));
    }
    return found;
  }
  size_t codeOf(size_t cell, size_t factor) const {
    for (size_t f = levels.size(); --f > factor;)
      cell /= levels[f];
    return cell % levels[factor];
  }
};

CellNumbers cellNumbers(const Analysis &analysis) {
  CellNumbers numbers;
  for (const AnalysedColumn &column : analysis.columns) {
    if (!column.categorical())
      continue;
    numbers.ofRow.resize(column.codes.size(), 0.0);
    numbers.levels.push_back(column.categories.size());
    numbers.count *= column.categories.size();
    for (size_t i = 0; i < column.codes.size(); ++i)
      numbers.ofRow[i] =
          numbers.ofRow[i] * static_cast<double>(column.categories.size()) + column.codes[i];
  }
  for (double &cell : numbers.ofRow)
    ++cell;
  return numbers;
}

/// A mean of each cell and a slope of each covariate, centred: the model with all interactions of
/// the factors. `compare` gives a difference of means of cells, its t, and the rest of the row.
constexpr const char *modelR = R"code(
x <- outer(cell, seq_len({cells}), "==") + 0
for (z in covariates) x <- cbind(x, z - mean(z))
left <- lm.fit(x, y); df <- length(y) - ncol(x)
error <- sum(left$residuals^2) / df; inverse <- solve(crossprod(x))
compare <- function(first, second, factor = 1, shift = 0) {
  weights <- numeric(ncol(x))
  weights[first] <- 1 / length(first); weights[second] <- -factor / length(second)
  difference <- sum(weights * left$coefficients)
  spread <- sqrt(c(weights %*% inverse %*% weights))
  c(difference, (difference - shift) / (spread * sqrt(error)))
})code";
constexpr const char *modelPython = R"code(
x = (cell[:, None] == np.arange(1, {cells} + 1)).astype(float)
x = np.column_stack([x] + [z - z.mean() for z in covariates])
coefficients = np.linalg.lstsq(x, y, rcond=None)[0]
df = len(y) - x.shape[1]
error, inverse = ((y - x @ coefficients) ** 2).sum() / df, np.linalg.inv(x.T @ x)


def compare(first, second, factor=1, shift=0):
    weights = np.zeros(x.shape[1])
    weights[first.astype(int) - 1] = 1 / len(first)
    weights[second.astype(int) - 1] = -factor / len(second)
    difference = weights @ coefficients
    return difference, (difference - shift) / math.sqrt(weights @ inverse @ weights * error)

)code";

void writeModel(Script &s, const CellNumbers &numbers) {
  std::string covariates;
  for (size_t i = 0; i < s.analysis.columns.size(); ++i) {
    const AnalysedColumn &column = s.analysis.columns[i];
    if (column.categorical())
      continue;
    std::string name = i == 0 ? "y" : "z" + std::to_string(i);
    s.values(name, column.numbers);
    if (i > 0)
      covariates += (covariates.empty() ? "" : ", ") + name;
  }
  s.values("cell", numbers.ofRow);
  s.set("cells", static_cast<double>(numbers.count));
  s.set("covariates", covariates);
  s.code("covariates <- list({covariates})", "covariates = [{covariates}]");
  s.code(modelR, modelPython);
}

/// Which of the factors `names[0]` is.
size_t comparedFactor(const Analysis &analysis) {
  size_t factor = 0;
  for (const AnalysedColumn &column : analysis.columns) {
    if (column.categorical() && column.name == analysis.names[0])
      break;
    factor += column.categorical();
  }
  return factor;
}

std::string element(const Script &s, size_t i) {
  return "[" + std::to_string(s.language() == Language::R ? i + 1 : i) + "]";
}

/// One row: the difference, and its t kept for the p-values of all.
void compareCells(Script &s, const ResultRow &row, const std::vector<double> &first,
                  const std::vector<double> &second) {
  s.values("first", first);
  s.values("second", second);
  s.code("row <- compare(first, second)\nt <- c(t, row[2])",
         "row = compare(first, second)\nt.append(row[1])");
  if (row.estimate)
    s.check(row.name, "row" + element(s, 0), row.estimate->value);
}

void checkRows(Script &s, const ResultTable &table, double tolerance) {
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (!table.rows[i].p.undirected)
      continue;
    s.check("t", "t" + element(s, i), table.rows[i].number("t"), 1e-7);
    s.check("p", "p" + element(s, i), table.rows[i].p.undirected->value, tolerance);
  }
}

void marginalMeans(Script &s) {
  const ResultTable *table = s.analysis.result.table("comparisons");
  CellNumbers numbers = cellNumbers(s.analysis);
  size_t factor = comparedFactor(s.analysis), levels = numbers.levels[factor], at = 0;
  writeModel(s, numbers);
  s.code("t <- c()", "t = []");
  for (size_t i = 0; i < levels; ++i)
    for (size_t j = i + 1; j < levels; ++j)
      compareCells(s, table->rows[at++], numbers.with(factor, i), numbers.with(factor, j));
  s.set("levels", static_cast<double>(levels));
  s.code("p <- ptukey(abs(t) * sqrt(2), {levels}, df, lower.tail = FALSE)",
         "p = stats.studentized_range.sf(np.abs(t) * math.sqrt(2), {levels}, df)");
  checkRows(s, *table, 1e-4); // both languages integrate to about 1e-8 absolutely
}

constexpr const char *holmPython = R"code(
p = np.asarray(p)
order = np.argsort(p)
steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
p[order] = np.minimum(1, steps))code";

void simpleEffects(Script &s) {
  const ResultTable *table = s.analysis.result.table("comparisons");
  CellNumbers numbers = cellNumbers(s.analysis);
  size_t factor = comparedFactor(s.analysis), levels = numbers.levels[factor], at = 0;
  writeModel(s, numbers);
  s.code("t <- c()", "t = []");
  for (double like : numbers.with(factor, 0))
    for (size_t i = 0; i < levels; ++i)
      for (size_t j = i + 1; j < levels; ++j) {
        auto cell = static_cast<size_t>(like) - 1;
        compareCells(s, table->rows[at++], numbers.with(factor, i, cell),
                     numbers.with(factor, j, cell));
      }
  s.code("p <- p.adjust(2 * pt(-abs(t), df), \"holm\")", "p = 2 * stats.t.sf(np.abs(t), df)");
  s.code("", holmPython);
  checkRows(s, *table, 1e-7);
}

void marginalContrast(Script &s) {
  CellNumbers numbers = cellNumbers(s.analysis);
  size_t factor = comparedFactor(s.analysis), levels[2] = {0, 0};
  for (const AnalysedColumn &column : s.analysis.columns)
    for (size_t side = 0; side < 2 && column.name == s.analysis.names[0]; ++side)
      while (column.categories[levels[side]] != s.analysis.names[side + 1])
        ++levels[side];
  writeModel(s, numbers);
  s.values("first", numbers.with(factor, levels[0]));
  s.values("second", numbers.with(factor, levels[1]));
  s.set("factor", s.analysis.factor);
  s.code("row <- compare(first, second, {factor}, {mu})\nt <- row[2]",
         "row = compare(first, second, {factor}, {mu})\nt = row[1]");
  s.checkEstimate("row" + element(s, 0));
  s.checkStatistic("t", "t", 1e-7);
  bool less = s.analysis.alternative == Alternative::Less;
  if (s.analysis.alternative == Alternative::TwoSided)
    s.code("p <- 2 * pt(-abs(t), df)", "p = 2 * stats.t.sf(abs(t), df)");
  else
    s.code(less ? "p <- pt(t, df)" : "p <- pt(t, df, lower.tail = FALSE)",
           less ? "p = stats.t.cdf(t, df)" : "p = stats.t.sf(t, df)");
  if (auto p = s.analysis.result.pFor(s.analysis.alternative))
    s.check("p", "p", p->value, 1e-7);
}

/// The samples are the first and second ones of each row in turn.
void repeatedComparisons(Script &s) {
  const ResultTable *table = s.analysis.result.table("comparisons");
  bool paired = s.analysis.result.method.starts_with("paired");
  s.set("paired", paired ? "TRUE" : "FALSE");
  s.set("test", paired ? "stats.ttest_rel(first, second)"
                       : "stats.ttest_ind(first, second, equal_var=False)");
  s.code("t <- c(); p <- c()", "t, p = [], []");
  for (size_t i = 0; i < table->rows.size(); ++i) {
    s.values("first", s.analysis.samples[2 * i]);
    s.values("second", s.analysis.samples[2 * i + 1]);
    s.code("test <- t.test(first, second, paired = {paired})\n"
           "t <- c(t, test$statistic); p <- c(p, test$p.value)",
           "test = {test}\nt.append(test.statistic)\np.append(test.pvalue)");
  }
  s.code("p <- p.adjust(p, \"holm\")", holmPython);
  checkRows(s, *table, 1e-7);
}

} // namespace

std::vector<NamedRecipe> recipesOfMarginalMeans() {
  return {{"marginal_means", marginalMeans},
          {"simple_effects", simpleEffects},
          {"marginal_contrast", marginalContrast},
          {"repeated_comparisons", repeatedComparisons}};
}

} // namespace imbrex::stats
