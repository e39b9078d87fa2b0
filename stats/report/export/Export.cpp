#include "stats/report/export/Export.h"

#include "stats/report/export/Recipes.h"
#include "support/text/Printable.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

constexpr const char *prologueR =
    R"R(# Repeats the analysis below and compares each number with the reported one.
# Run it with: Rscript FILE. Needs R 4 without further packages.
compared <- 0L
different <- 0L
check <- function(what, actual, expected, tolerance) {
  same <- identical(as.numeric(actual), expected) ||
    isTRUE(abs(actual - expected) <= tolerance * max(abs(expected), if (what == "p") 0 else 1e-6))
  compared <<- compared + 1L
  if (!same) different <<- different + 1L
  cat(sprintf("  %s %s: %.12g here, %.12g reported\n", if (same) "same" else "DIFFERENT", what,
              actual, expected))
}
# P(sum = 0, 1, 2, ...) of `chosen` of the whole numbers `scores`, each choice equally likely.
sums_of_subsets <- function(scores, chosen) {
  ways <- matrix(0, chosen + 1, sum(scores) + 1)
  ways[1, 1] <- 1
  columns <- ncol(ways)
  for (s in scores) for (k in rev(seq_len(chosen)))
    ways[k + 1, (s + 1):columns] <- ways[k + 1, (s + 1):columns] + ways[k, 1:(columns - s)]
  ways[chosen + 1, ] / choose(length(scores), chosen)
}
# The same of the scores with a positive sign, each pattern of signs equally likely.
sums_of_signs <- function(scores) {
  ways <- c(1, numeric(sum(scores)))
  for (s in scores) ways <- ways + c(numeric(s), ways[seq_len(length(ways) - s)])
  ways / 2^length(scores)
}
two_sided <- function(probabilities, observed) {
  at <- observed + 1
  min(1, 2 * min(sum(probabilities[1:at]), sum(probabilities[at:length(probabilities)])))
}
)R";

constexpr const char *prologuePython =
    R"PY(# Repeats the analysis below and compares each number with the reported one.
# Run it with: python3 FILE. Needs NumPy and SciPy, statsmodels for models.
import math
import sys

import numpy as np
from scipy import optimize, special, stats

compared = different = 0


def check(what, actual, expected, tolerance):
    global compared, different
    actual = float(actual)
    size = max(abs(expected), 0 if what == "p" else 1e-6)
    same = actual == expected or abs(actual - expected) <= tolerance * size
    compared += 1
    different += not same
    print(f"  {'same' if same else 'DIFFERENT'} {what}: {actual:.12g} here, {expected:.12g} reported")


def sums_of_subsets(scores, chosen):
    """P(sum = 0, 1, 2, ...) of `chosen` of the whole numbers `scores`, each choice equally likely."""
    ways = np.zeros((chosen + 1, int(sum(scores)) + 1))
    ways[0, 0] = 1
    for s in map(int, scores):
        for k in range(chosen, 0, -1):
            ways[k, s:] += ways[k - 1, : ways.shape[1] - s]
    return ways[chosen] / special.comb(len(scores), chosen)


def sums_of_signs(scores):
    """The same of the scores with a positive sign, each pattern of signs equally likely."""
    ways = np.zeros(int(sum(scores)) + 1)
    ways[0] = 1
    for s in map(int, scores):
        ways[s:] = ways[s:] + ways[: len(ways) - s]
    return ways / 2.0 ** len(scores)


def two_sided(probabilities, observed):
    at = int(observed)
    return min(1, 2 * min(probabilities[: at + 1].sum(), probabilities[at:].sum()))
)PY";

constexpr const char *epilogueR = R"R(
cat(sprintf("export: %d of %d numbers agree\n", compared - different, compared))
if (different > 0L || compared == 0L) quit(status = 1L)
)R";

constexpr const char *epiloguePython = R"PY(

print(f"export: {compared - different} of {compared} numbers agree")
sys.exit(1 if different or not compared else 0)
)PY";

std::vector<NamedRecipe> allRecipes() {
  std::vector<NamedRecipe> all;
  for (auto family :
       {recipesOfMeans, recipesOfRanks, recipesOfGroups, recipesOfCounts, recipesOfCorrelations,
        recipesOfComparisons, recipesOfMarginalMeans, recipesOfModels, recipesOfRepeated,
        recipesOfRegression, recipesOfResampling}) {
    std::vector<NamedRecipe> recipes = family();
    all.insert(all.end(), recipes.begin(), recipes.end());
  }
  return all;
}

std::string indented(const std::string &text, const char *by) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin) + 1;
    if (end > begin + 1)
      result += by;
    result.append(text, begin, end - begin);
    begin = end;
  }
  return result;
}

/// In a comment: one line, and nothing that turns the direction of a source, which R refuses.
std::string oneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return printable(text);
}

std::string wrapped(Language language, const Analysis &analysis, const std::string &body,
                    size_t number) {
  std::string title = analysis.result.name + ": " + analysis.title;
  if (language == Language::R)
    return "\ncat(" + quoted(title + "\n").replace(quoted(title + "\n").size() - 2, 1, "\\n") +
           ")\nlocal({\n" + indented(body, "  ") + "})\n";
  return "\n\ndef analysis_" + std::to_string(number) + "():\n" +
         indented("print(" + quoted(title) + ")\n" + body, "    ") + "\n\nanalysis_" +
         std::to_string(number) + "()\n";
}

} // namespace

void writeTwoSamples(Script &script) {
  script.values("first", script.analysis.samples[0]);
  script.values("second", script.analysis.samples[1]);
}

void writeGroups(Script &script) {
  std::vector<double> values, numbers;
  for (size_t i = 0; i < script.analysis.samples.size(); ++i)
    for (double value : script.analysis.samples[i]) {
      values.push_back(value);
      numbers.push_back(static_cast<double>(i + 1));
    }
  script.values("y", values);
  script.values("g", numbers);
  script.set("k", static_cast<double>(script.analysis.samples.size()));
  script.code("g <- factor(g)\ngroups <- split(y, g)",
              "groups = [y[g == i + 1] for i in range({k})]");
}

ExportedScript exportScript(Language language, const std::vector<Analysis> &analyses) {
  ExportedScript script;
  script.text = language == Language::R ? prologueR : prologuePython;
  std::vector<NamedRecipe> recipes = allRecipes();
  size_t number = 0;
  for (const Analysis &analysis : analyses) {
    auto recipe = std::find_if(recipes.begin(), recipes.end(), [&](const NamedRecipe &r) {
      return r.procedure == analysis.procedure;
    });
    if (recipe == recipes.end() || !analysis.result.defined()) {
      script.leftOut.push_back(analysis.procedure);
      script.text +=
          "\n# Left out: " +
          oneLine(analysis.procedure + " (" + analysis.title + "), " +
                  (analysis.result.defined() ? "no script for it" : analysis.result.reason)) +
          "\n";
      continue;
    }
    Script body(language, analysis);
    recipe->write(body);
    script.text += wrapped(language, analysis, body.text(), ++number);
  }
  script.text += language == Language::R ? epilogueR : epiloguePython;
  return script;
}

std::vector<std::string> exportableProcedures() {
  std::vector<std::string> names;
  for (const NamedRecipe &recipe : allRecipes())
    names.emplace_back(recipe.procedure);
  return names;
}

} // namespace imbrex::stats
