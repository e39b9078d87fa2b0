// Analysis of variance with factors within participants, alone or with factors between them: the
// strata of orthonormal contrasts, with Type III sums of squares and Greenhouse and Geisser's
// correction, from their definitions.
#include "stats/report/export/Recipes.h"

#include <algorithm>
#include <string>

namespace imbrex::stats {
namespace {

using Names = std::vector<std::string>;

constexpr const char *helpersR = R"code(
normed <- function(levels) {
  helmert <- contr.helmert(levels)
  sweep(helmert, 2, sqrt(colSums(helmert^2)), "/")
}
product <- function(a, b) do.call(cbind, lapply(seq_len(ncol(a)), function(i) a[, i] * b))
# `effects`: which factors within participants; `term`: which of those between them, or 1.
stratum <- function(effects, term) {
  contrast <- matrix(1)
  for (w in seq_along(within)) {
    own <- if (effects[w]) normed(within[w]) else matrix(1 / sqrt(within[w]), within[w])
    contrast <- kronecker(contrast, own)
  }
  scores <- y %*% contrast
  left <- function(names) {
    if (length(names) == 0) return(scores)
    qr.resid(qr(do.call(cbind, parts[names])), scores)
  }
  full <- left(names(parts)); without <- left(setdiff(names(parts), term))
  errors <- crossprod(full)
  df <- ncol(contrast) * c(ncol(parts[[term]]), nrow(y) - sum(sapply(parts, ncol)))
  f <- (sum(without^2) - sum(full^2)) / df[1] / (sum(full^2) / df[2])
  epsilon <- max(1 / ncol(contrast), sum(diag(errors))^2 / (ncol(contrast) * sum(errors^2)))
  p <- pf(f, df[1], df[2], lower.tail = FALSE)
  corrected <- pf(f, df[1] * epsilon, df[2] * epsilon, lower.tail = FALSE)
  c(f, p, epsilon, corrected)
}
)code";

constexpr const char *helpersPython = R"code(
def normed(levels):
    helmert = np.tril(np.ones((levels, levels)), 0)[1:]
    for i in range(1, levels):
        helmert[i - 1, i] = -i
    return (helmert / np.sqrt((helmert**2).sum(axis=1, keepdims=True))).T


def coded(codes, levels):
    return np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])[codes]


def product(a, b):
    return np.column_stack([a[:, [i]] * b for i in range(a.shape[1])])


# `effects`: which factors within participants; `term`: which of those between them, or "1".
def stratum(effects, term):
    contrast = np.ones((1, 1))
    for on, levels in zip(effects, within):
        own = normed(levels) if on else np.full((levels, 1), 1 / math.sqrt(levels))
        contrast = np.kron(contrast, own)
    scores = y @ contrast

    def left(names):
        if not names:
            return scores
        x = np.column_stack([parts[name] for name in names])
        return scores - x @ np.linalg.lstsq(x, scores, rcond=None)[0]

    full, without = left(list(parts)), left([name for name in parts if name != term])
    errors, p = full.T @ full, contrast.shape[1]
    df1 = p * parts[term].shape[1]
    df2 = p * (len(y) - sum(part.shape[1] for part in parts.values()))
    f = ((without**2).sum() - (full**2).sum()) / df1 / ((full**2).sum() / df2)
    epsilon = max(1 / p, errors.trace() ** 2 / (p * (errors**2).sum()))
    return f, stats.f.sf(f, df1, df2), epsilon, stats.f.sf(f, df1 * epsilon, df2 * epsilon)


)code";

/// All sets of names, by size and then as the names come.
std::vector<std::vector<size_t>> subsets(size_t count) {
  std::vector<std::vector<size_t>> result;
  for (size_t size = 0; size <= count; ++size)
    for (uint32_t set = 0; set < 1u << count; ++set) {
      std::vector<size_t> members;
      for (size_t i = 0; i < count; ++i)
        if (set >> i & 1)
          members.push_back(i);
      if (members.size() == size)
        result.push_back(std::move(members));
    }
  return result;
}

std::string termOf(const std::vector<size_t> &members) {
  std::string text;
  for (size_t m : members)
    text += (text.empty() ? "b" : ":b") + std::to_string(m + 1);
  return text.empty() ? "1" : text;
}

/// The participants' values as `y`, one column a combination, and the coded factors between them.
void writeDesign(Script &s) {
  bool r = s.language() == Language::R;
  std::vector<double> values, levels;
  for (const std::vector<double> &condition : s.analysis.samples)
    values.insert(values.end(), condition.begin(), condition.end());
  for (const AnalysedColumn &factor : s.analysis.within)
    levels.push_back(static_cast<double>(factor.categories.size()));
  s.values("y", values);
  s.values("within", levels);
  s.set("k", static_cast<double>(s.analysis.samples.size()));
  s.code("y <- matrix(y, ncol = {k})\nparts <- list(\"1\" = matrix(1, nrow(y), 1))",
         "y, within = y.reshape({k}, -1).T, within.astype(int)\n"
         "parts = {\"1\": np.ones((len(y), 1))}");
  s.code(helpersR, helpersPython);
  const auto &between = s.analysis.columns;
  for (const std::vector<size_t> &members : subsets(between.size())) {
    if (members.empty())
      continue;
    s.set("term", quoted(termOf(members)));
    if (members.size() == 1) {
      const AnalysedColumn &column = between[members[0]];
      std::vector<double> codes;
      for (int code : column.codes)
        codes.push_back(code + (r ? 1 : 0));
      s.values("codes", codes);
      s.set("levels", static_cast<double>(column.categories.size()));
      s.code("parts[[{term}]] <- contr.sum({levels})[codes, , drop = FALSE]",
             "parts[{term}] = coded(codes.astype(int), {levels})");
      continue;
    }
    s.set("first", quoted(termOf({members.begin(), members.end() - 1})));
    s.set("last", quoted(termOf({members.back()})));
    s.code("parts[[{term}]] <- product(parts[[{first}]], parts[[{last}]])",
           "parts[{term}] = product(parts[{first}], parts[{last}])");
  }
}

std::string nameOf(const Script &s, const std::vector<size_t> &between,
                   const std::vector<size_t> &within) {
  std::string name;
  for (size_t m : between)
    name += (name.empty() ? "" : ":") + s.analysis.columns[m].name;
  for (size_t m : within)
    name += (name.empty() ? "" : ":") + s.analysis.within[m].name;
  return name;
}

void checkTerm(Script &s, const std::vector<size_t> &between, const std::vector<size_t> &within) {
  bool r = s.language() == Language::R;
  const std::string name = nameOf(s, between, within);
  const ResultTable *table = s.analysis.result.table("analysis of variance");
  const ResultRow *row = table ? table->row(name) : nullptr;
  if (!row || !row->p.undirected)
    return;
  std::string effects;
  for (size_t w = 0; w < s.analysis.within.size(); ++w) {
    bool on = std::find(within.begin(), within.end(), w) != within.end();
    effects += (effects.empty() ? "" : ", ") +
               std::string(r ? (on ? "TRUE" : "FALSE") : (on ? "True" : "False"));
  }
  s.set("effects", effects);
  s.set("term", quoted(termOf(between)));
  s.code("term <- stratum(c({effects}), {term})", "term = stratum([{effects}], {term})");
  auto at = [&](size_t i) { return "term[" + std::to_string(r ? i + 1 : i) + "]"; };
  s.check("F of " + name, at(0), row->number("F"));
  s.check("p", at(1), row->p.undirected->value, 1e-7);
  const ResultTable *corrected = s.analysis.result.table("Greenhouse-Geisser");
  const ResultRow *gg = corrected ? corrected->row(name) : nullptr;
  if (!gg || !gg->p.undirected)
    return;
  s.check("epsilon", at(2), gg->number("epsilon"));
  s.check("p", at(3), gg->p.undirected->value, 1e-7);
}

void repeated(Script &s) {
  writeDesign(s);
  for (const std::vector<size_t> &within : subsets(s.analysis.within.size()))
    for (const std::vector<size_t> &between : subsets(s.analysis.columns.size()))
      checkTerm(s, between, within);
}

} // namespace

std::vector<NamedRecipe> recipesOfRepeated() {
  return {{"rm_one_way_anova", repeated},
          {"rm_one_way_anova_corrected", repeated},
          {"rm_factorial_anova", repeated},
          {"mixed_anova", repeated}};
}

} // namespace imbrex::stats
