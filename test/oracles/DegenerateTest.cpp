// Small, constant, huge and broken input through every procedure on groups and regressions: no
// exception, no NaN in a result that calls itself defined, p-values in [0, 1], a reason for
// everything else.
#include "stats/procedures/resampling/Random.h"
#include "test/oracles/Registry.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;
using namespace imbrex::stats::oracles;

namespace {

enum class Kind { Constant, TwoValues, Ties, Smooth, Offset, Huge, Tiny, Zero, Count };

std::vector<double> values(Random &random, size_t n) {
  auto kind = Kind(random.below(uint64_t(Kind::Count)));
  std::vector<double> result;
  for (size_t i = 0; i < n; ++i) {
    double x = random.normal();
    switch (kind) {
    case Kind::Constant:
      x = 0.1;
      break;
    case Kind::TwoValues:
      x = double(random.below(2));
      break;
    case Kind::Ties:
      x = double(random.below(4));
      break;
    case Kind::Offset:
      x = 1e9 + double(random.below(10));
      break;
    case Kind::Huge:
      x = std::ldexp(x, 600);
      break;
    case Kind::Tiny:
      x = std::ldexp(x, -600);
      break;
    case Kind::Zero:
      x = 0;
      break;
    default:
      break;
    }
    result.push_back(x);
  }
  return result;
}

Json json(const std::vector<double> &numbers) {
  Json array = Json::array();
  for (double x : numbers)
    array.push(Json::of(x));
  return array;
}

/// Arguments that serve every procedure: each takes what it knows.
Json draw(Random &random) {
  size_t n = random.below(8);
  Json groups = Json::array(), conditions = Json::array(), subjects = Json::array();
  for (size_t g = 0, count = random.below(5); g < count; ++g) {
    groups.push(json(values(random, random.below(6))));
    conditions.push(json(values(random, n)));
  }
  for (size_t i = 0; i < n; ++i)
    subjects.push(json(values(random, 6)));
  Json codes = Json::array();
  for (size_t i = 0; i < n; ++i)
    codes.push(Json::of(int64_t(i % 2)));
  Json factor = Json::object().set("name", "a").set("levels", int64_t(2)).set("codes", codes);
  Json covariate = Json::object().set("name", "x").set("values", json(values(random, n)));
  Json within = Json::array()
                    .push(Json::object().set("name", "u").set("levels", int64_t(2)))
                    .push(Json::object().set("name", "v").set("levels", int64_t(3)));
  Json counts = Json::array(), answers = Json::array();
  for (int i = 0; i < 4; ++i)
    counts.push(Json::of(int64_t(random.below(3) ? random.below(9) : 0)));
  for (size_t j = 0, k = 1 + random.below(3); j < k; ++j) {
    Json measurement = Json::array();
    for (size_t i = 0; i < n; ++i)
      measurement.push(Json::of(int64_t(random.below(2))));
    answers.push(measurement);
  }
  return Json::object()
      .set("rows", int64_t(2))
      .set("columns", int64_t(2))
      .set("counts", counts)
      .set("answers", answers)
      .set("z", Json::array().push(json(values(random, n))))
      .set("samples", int64_t(99))
      .set("x", json(values(random, n)))
      .set("y", json(values(random, random.below(4) ? n : random.below(8))))
      .set("groups", groups)
      .set("conditions", conditions)
      .set("subjects", subjects)
      .set("factors", Json::array().push(factor))
      .set("covariates", Json::array().push(covariate))
      .set("predictors", Json::array().push(covariate))
      .set("within", within)
      .set("type", int64_t(1 + random.below(3)))
      .set("conventions", random.below(2) ? "R-4.2" : "SciPy");
}

void expectProbability(const std::optional<PValue> &p, const std::string &where) {
  if (p) {
    EXPECT_TRUE(p->value >= 0 && p->value <= 1) << where << " p = " << p->value;
    EXPECT_LE(p->log, 1e-12) << where;
    EXPECT_FALSE(std::isnan(p->log)) << where;
  }
}

void expectSound(const TestResult &result, const std::string &where) {
  if (!result.defined()) {
    EXPECT_FALSE(result.reason.empty()) << where;
    return;
  }
  // Fisher's test has only its probability, and with an empty margin no odds ratio.
  if (!where.starts_with("fishers"))
    EXPECT_FALSE(result.statistics.empty()) << where;
  for (const NamedNumber &number : result.statistics)
    EXPECT_FALSE(std::isnan(number.value)) << where << " " << number.name;
  for (const EffectSize &effect : result.effects) {
    EXPECT_FALSE(std::isnan(effect.value)) << where << " " << effect.name;
    if (effect.interval)
      EXPECT_LE(effect.interval->low, effect.interval->high) << where << " " << effect.name;
  }
  expectProbability(result.p.undirected, where);
  expectProbability(result.p.less, where);
  expectProbability(result.p.greater, where);
  EXPECT_TRUE(result.p.undirected.has_value()) << where;
}

} // namespace

TEST(Degenerate, EveryProcedureAnswersOrSaysWhyNot) {
  const char *procedures[] = {"one_sample_t",
                              "students_t",
                              "welchs_t",
                              "paired_students_t",
                              "mannwhitney_u",
                              "wilcoxon_signed_rank",
                              "one_sample_wilcoxon",
                              "brunner_munzel",
                              "f_test",
                              "welch_anova",
                              "kruskall_wallis",
                              "friedman",
                              "factorial_ANOVA",
                              "ancova",
                              "mixed_anova",
                              "shapiro_wilk",
                              "levene",
                              "bartlett",
                              "fligner_killeen",
                              "linear_regression",
                              "logistic_regression",
                              "brunner_dette_munk",
                              "pearson_corr",
                              "pointbiserial_corr",
                              "partial_corr",
                              "spearman_corr",
                              "kendalltau_corr",
                              "chi_square",
                              "g_test",
                              "fishers_exact",
                              "fishers_exact_table",
                              "mcnemar",
                              "cochran_q",
                              "sign",
                              "permutation",
                              "permutation_paired",
                              "permutation_corr",
                              "permutation_f",
                              "bootstrap"};
  Random random(5);
  std::map<std::string, int> defined;
  for (int round = 0; round < 400; ++round) {
    Json arguments = draw(random);
    for (const char *name : procedures) {
      if (std::string_view(name) == "cochran_q") // yes and no instead of numbers
        arguments.set("conditions", arguments.at("answers"));
      TestResult result = allProcedures().at(name)(arguments);
      expectSound(result, std::string(name) + " of " + arguments.str().substr(0, 1200));
      defined[name] += result.defined();
      if (HasFailure())
        return;
    }
  }
  for (const char *name : procedures) { // the draw reaches both sides of each
    EXPECT_GE(defined[name], 5) << name;
    EXPECT_LE(defined[name], 399) << name;
  }
}
