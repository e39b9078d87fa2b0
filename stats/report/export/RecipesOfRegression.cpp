// Linear and logistic regression on numeric predictors.
#include "stats/report/export/Recipes.h"

#include <string>

namespace imbrex::stats {
namespace {

/// columns[0] as `y`, the others as columns of `x`; categories by their codes.
void writePredictors(Script &s) {
  std::string names;
  for (size_t i = 0; i < s.analysis.columns.size(); ++i) {
    const AnalysedColumn &column = s.analysis.columns[i];
    std::string name = i == 0 ? "y" : "x" + std::to_string(i);
    if (column.categorical())
      s.values(name, std::vector<double>(column.codes.begin(), column.codes.end()));
    else
      s.values(name, column.numbers);
    if (i > 0)
      names += (names.empty() ? "" : ", ") + name;
  }
  s.set("columns", names);
  s.code("x <- cbind({columns})",
         "import statsmodels.api as sm\n"
         "x = sm.add_constant(np.column_stack([{columns}]), has_constant=\"add\")");
}

/// Coefficients, their errors and p-values, in the order of the table's rows.
void checkCoefficients(Script &s) {
  const ResultTable *table = s.analysis.result.table("coefficients");
  for (size_t i = 0; table && i < table->rows.size(); ++i) {
    const ResultRow &row = table->rows[i];
    std::string index = "[" + std::to_string(s.language() == Language::R ? i + 1 : i) + "]";
    if (row.estimate)
      s.check("coefficient of " + row.name, "coefficient" + index, row.estimate->value);
    s.check("error of " + row.name, "error" + index, row.number("standard error"), 1e-6);
    if (row.p.undirected)
      s.check("p", "p" + index, row.p.undirected->value, 1e-5);
  }
}

void linear(Script &s) {
  writePredictors(s);
  s.code(R"code(
fit <- summary(lm(y ~ x))
f <- unname(fit$fstatistic[1]); r2 <- fit$r.squared
coefficient <- coef(fit)[, 1]; error <- coef(fit)[, 2]; p <- coef(fit)[, 4]
)code",
         R"code(
fit = sm.OLS(y, x).fit(method="qr")
f, r2 = fit.fvalue, fit.rsquared
coefficient, error, p = fit.params, fit.bse, fit.pvalues
)code");
  s.checkStatistic("F", "f");
  s.checkStatistic("R squared", "r2");
  checkCoefficients(s);
}

void logistic(Script &s) {
  writePredictors(s);
  s.code(R"code(
model <- glm(y ~ x, family = binomial, control = list(epsilon = 1e-14, maxit = 100))
fit <- summary(model); deviance <- model$deviance
coefficient <- coef(fit)[, 1]; error <- coef(fit)[, 2]; p <- coef(fit)[, 4]
)code",
         R"code(
fit = sm.Logit(y, x).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
deviance = -2 * fit.llf
coefficient, error, p = fit.params, fit.bse, fit.pvalues
)code");
  s.checkStatistic("deviance", "deviance");
  checkCoefficients(s);
}

} // namespace

std::vector<NamedRecipe> recipesOfRegression() {
  return {{"linear_regression", linear}, {"logistic_regression", logistic}};
}

} // namespace imbrex::stats
