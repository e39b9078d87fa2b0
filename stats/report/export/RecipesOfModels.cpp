// Analysis of variance with several factors, analysis of covariance, regression.
#include "stats/report/export/Recipes.h"

#include <string>

namespace imbrex::stats {
namespace {

/// The outcome as `y`, the other columns as x1, x2, …; categories as factors coded to sum to zero.
void writeColumns(Script &s) {
  std::string formulaR, formulaPython, names;
  for (size_t i = 0; i < s.analysis.columns.size(); ++i) {
    const AnalysedColumn &column = s.analysis.columns[i];
    std::string name = i == 0 ? "y" : "x" + std::to_string(i);
    if (column.categorical() && i > 0) {
      std::vector<std::string> values;
      for (int code : column.codes)
        values.push_back(column.categories[static_cast<size_t>(code)]);
      s.texts(name, values);
      s.texts("levels", column.categories);
      s.set("x", name);
      s.code("{x} <- factor({x}, levels = levels)\ncontrasts({x}) <- contr.sum(nlevels({x}))", "");
    } else if (column.categorical()) {
      s.values(name, std::vector<double>(column.codes.begin(), column.codes.end()));
    } else {
      s.values(name, column.numbers);
    }
    if (i == 0)
      continue;
    names += std::string(names.empty() ? "" : ", ") + name + "=" + name;
  }
  s.set("data", names);
  s.code("", "import pandas as pd\nimport statsmodels.api as sm\n"
             "from statsmodels.formula.api import logit, ols\n"
             "data = pd.DataFrame(dict(y=y, {data}))");
}

/// "x1 * x2 + x3": factors cross, numbers are added. Python's formula marks factors.
std::string formula(const Script &s) {
  std::string crossed, added;
  bool r = s.language() == Language::R;
  for (size_t i = 1; i < s.analysis.columns.size(); ++i) {
    std::string name = "x" + std::to_string(i);
    if (s.analysis.columns[i].categorical())
      crossed += (crossed.empty() ? "" : " * ") + (r ? name : "C(" + name + ", Sum)");
    else
      added += (added.empty() ? "" : " + ") + name;
  }
  return added + (added.empty() || crossed.empty() ? "" : " + ") + crossed;
}

/// A term's name as the languages print it: "wool:tension" is "x1:x2".
std::string termIn(const Script &s, const std::string &term) {
  bool r = s.language() == Language::R;
  std::string result;
  for (size_t begin = 0; begin <= term.size();) {
    size_t end = std::min(term.find(':', begin), term.size());
    std::string part = term.substr(begin, end - begin), found;
    for (size_t i = 1; i < s.analysis.columns.size(); ++i)
      if (s.analysis.columns[i].name == part) {
        found = "x" + std::to_string(i);
        if (!r && s.analysis.columns[i].categorical())
          found = "C(" + found + ", Sum)";
      }
    if (found.empty())
      return {};
    result += (result.empty() ? "" : ":") + found;
    begin = end + 1;
  }
  return result;
}

int typeOf(const Script &s) {
  return s.analysis.conventions.sumsOfSquares == SumsOfSquares::TypeI    ? 1
         : s.analysis.conventions.sumsOfSquares == SumsOfSquares::TypeII ? 2
                                                                         : 3;
}

/// Python's formulas put numbers last, but Type I depends on the order: fit one term more at a
/// time.
constexpr const char *sequential = R"code(
terms = [{terms}]
fits = [ols("y ~ 1" + "".join(" + " + t for t in terms[:i]), data).fit()
        for i in range(len(terms) + 1)]
left = fits[-1].ssr / fits[-1].df_resid
df = [a.df_resid - b.df_resid for a, b in zip(fits, fits[1:])]
f = {t: (a.ssr - b.ssr) / d / left for t, a, b, d in zip(terms, fits, fits[1:], df)}
p = {t: stats.f.sf(f[t], d, fits[-1].df_resid) for t, d in zip(terms, df)}
)code";

std::string quotedTerms(const Script &s) {
  const ResultTable *table = s.analysis.result.table("analysis of variance");
  std::string list;
  for (size_t i = 0; table && i < table->rows.size(); ++i)
    if (std::string term = termIn(s, table->rows[i].name); !term.empty())
      list += (list.empty() ? "" : ", ") + quoted(term);
  return list;
}

void anovaTable(Script &s) {
  writeColumns(s);
  s.set("formula", formula(s));
  s.set("terms", quotedTerms(s));
  s.set("type", static_cast<double>(typeOf(s)));
  s.code(R"code(
model <- lm(y ~ {formula})
x <- model.matrix(model); assign <- attr(x, "assign")
factors <- attr(terms(model), "factors"); names <- attr(terms(model), "term.labels")
left <- function(columns) sum(qr.resid(qr(x[, columns, drop = FALSE]), y)^2)
f <- sapply(seq_along(names), function(t) {
  contains <- sapply(seq_along(names), function(u) all(factors[, u] >= (factors[, t] > 0)))
  without <- switch({type}, assign < t, !(assign %in% which(contains)), assign != t)
  df <- sum(assign == t)
  (left(without) - left(without | assign == t)) / df / (deviance(model) / df.residual(model))
})
names(f) <- names
df <- table(factor(assign, levels = seq_along(names))); names(df) <- names
p <- pf(f, df[names], df.residual(model), lower.tail = FALSE); names(p) <- names)code",
         typeOf(s) == 1 ? sequential
                        : "model = ols(\"y ~ {formula}\", data).fit()\n"
                          "table = sm.stats.anova_lm(model, typ={type})\n"
                          "f, p = table[\"F\"], table[\"PR(>F)\"]");
  const ResultTable *table = s.analysis.result.table("analysis of variance");
  for (size_t i = 0; table && i < table->rows.size(); ++i) {
    const ResultRow &row = table->rows[i];
    std::string term = termIn(s, row.name);
    if (term.empty() || !row.p.undirected)
      continue;
    std::string place = "[" + quoted(term) + "]";
    s.check("F of " + row.name, "f" + place, row.number("F"));
    s.check("p", "p" + place, row.p.undirected->value, 1e-7);
  }
}

} // namespace

std::vector<NamedRecipe> recipesOfModels() {
  return {{"factorial_anova", anovaTable}, {"ancova", anovaTable}};
}

} // namespace imbrex::stats
