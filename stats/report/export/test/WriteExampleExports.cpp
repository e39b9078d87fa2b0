// Writes analyses of the reference data sets, with each procedure and convention that can be
// exported, as scripts into a folder: write-example-exports FOLDER. `make check-exports` runs them.
#include "stats/report/export/Export.h"

#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/PartialCorrelation.h"
#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/association/PointBiserial.h"
#include "stats/procedures/association/Spearman.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/categorical/CochranQ.h"
#include "stats/procedures/categorical/FisherExact.h"
#include "stats/procedures/categorical/FisherExactTable.h"
#include "stats/procedures/categorical/McNemar.h"
#include "stats/procedures/categorical/SignTest.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/posthoc/ComparisonsOfMeans.h"
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"
#include "stats/procedures/posthoc/MarginalMeans.h"
#include "stats/procedures/posthoc/RepeatedComparisons.h"
#include "stats/procedures/regression/Regression.h"
#include "stats/procedures/resampling/Bootstrap.h"
#include "stats/procedures/resampling/Permutation.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>

using namespace imbrex::stats;
namespace data = imbrex::stats::reference;

namespace {

std::vector<Analysis> analyses;

Analysis &add(const char *procedure, const char *title, Groups samples, TestResult result) {
  Analysis a;
  a.procedure = procedure;
  a.title = title;
  a.samples = std::move(samples);
  a.result = std::move(result);
  analyses.push_back(std::move(a));
  return analyses.back();
}

const Groups sleep{part(data::sleepExtra, 0, 10), part(data::sleepExtra, 10, 10)};
const Groups cars{where(data::mtcarsMpg, data::mtcarsAm, 0),
                  where(data::mtcarsMpg, data::mtcarsAm, 1)};
const Groups plants{part(data::plantWeight, 0, 10), part(data::plantWeight, 10, 10),
                    part(data::plantWeight, 20, 10)};

Groups roundingTimes() {
  Groups times{{}, {}, {}};
  for (size_t i = 0; i < data::roundingTimes.size(); ++i)
    times[i % 3].push_back(data::roundingTimes[i]);
  return times;
}

void addMeans() {
  add("students_t", "mpg by am", cars, studentsT(cars[0], cars[1]));
  add("welchs_t", "mpg by am", cars, welchsT(cars[0], cars[1]));
  LocationOptions shifted{.hypothesised = 1.5, .level = .9};
  Analysis &a = add("welchs_t", "mpg by am, shifted", cars, welchsT(cars[0], cars[1], shifted));
  a.hypothesised = 1.5;
  a.level = .9;
  a.alternative = Alternative::Less;
  add("paired_students_t", "extra by group", sleep, pairedT(sleep[0], sleep[1]));
  add("one_sample_t", "extra", {sleep[0]}, oneSampleT(sleep[0], {.hypothesised = 0.5}))
      .hypothesised = .5;
}

void addRanks() {
  for (Conventions c : {Conventions::R46(), Conventions::R42(), Conventions::SciPy()}) {
    RankOptions options{.conventions = c};
    add("mannwhitney_u", "mpg by am", cars, mannWhitney(cars[0], cars[1], options)).conventions = c;
    add("mannwhitney_u", "extra by group", sleep, mannWhitney(sleep[0], sleep[1], options))
        .conventions = c;
    add("wilcoxon_signed_rank", "extra by group", sleep,
        wilcoxonSignedRank(sleep[0], sleep[1], options))
        .conventions = c;
    RankOptions shifted{.conventions = c, .hypothesised = 0.8};
    Analysis &a =
        add("one_sample_wilcoxon", "extra", {sleep[1]}, oneSampleWilcoxon(sleep[1], shifted));
    a.conventions = c;
    a.hypothesised = .8;
  }
  add("brunner_munzel", "mpg by am", cars, brunnerMunzel(cars[0], cars[1]));
  // Predicted directions.
  for (Alternative tail : {Alternative::Less, Alternative::Greater})
    for (Conventions c : {Conventions::R46(), Conventions::R42()}) {
      RankOptions options{.conventions = c};
      Analysis &a = add("mannwhitney_u", "mpg by am", cars, mannWhitney(cars[0], cars[1], options));
      a.conventions = c;
      a.alternative = tail;
      Analysis &b = add("wilcoxon_signed_rank", "extra by group", sleep,
                        wilcoxonSignedRank(sleep[0], sleep[1], options));
      b.conventions = c;
      b.alternative = tail;
      add("brunner_munzel", "mpg by am", cars, brunnerMunzel(cars[0], cars[1])).alternative = tail;
    }
  std::vector<double> differences;
  for (size_t i = 0; i < sleep[0].size(); ++i)
    differences.push_back(sleep[0][i] - sleep[1][i]);
  add("sign_test", "extra by group", sleep, signTest(differences));
  add("one_sample_sign", "difference", {differences}, signTest(differences));
}

void addGroups() {
  add("f_test", "weight by group", plants, oneWayF(plants));
  add("welch_anova", "weight by group", plants, welchAnova(plants));
  add("brunner_dette_munk", "weight by group", plants, brunnerDetteMunk(plants));
  add("kruskall_wallis", "weight by group", plants, kruskalWallis(plants));
  Groups times = roundingTimes();
  add("friedman", "time by way", times, friedman(times));
  for (const char *name : {"rm_one_way_anova", "rm_one_way_anova_corrected"})
    add(name, "time by way", times, repeatedAnova(times)).within = {
        {"condition", {}, {}, {"1", "2", "3"}}};
}

/// Twelve participants with 2 x 3 measures, in three unequal groups and two others.
void addRepeated() {
  RepeatedDesign design;
  design.within = {{"side", {"left", "right"}}, {"load", {"low", "mid", "high"}}};
  Groups conditions(6);
  for (size_t i = 0; i < 12; ++i) {
    design.subjects.emplace_back();
    for (size_t j = 0; j < 6; ++j) {
      design.subjects.back().push_back(data::roundingTimes[i] + data::plantWeight[i + 3 * j]);
      conditions[j].push_back(design.subjects.back().back());
    }
  }
  std::vector<AnalysedColumn> within{{"side", {}, {}, {"left", "right"}},
                                     {"load", {}, {}, {"low", "mid", "high"}}};
  add("rm_factorial_anova", "force by side and load", conditions, mixedAnova(design)).within =
      within;
  std::vector<int32_t> team{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2},
      sex{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0};
  design.between = {{"team", {"a", "b", "c"}, team}, {"sex", {"f", "m"}, sex}};
  Analysis &a =
      add("mixed_anova", "force by team, sex, side and load", conditions, mixedAnova(design));
  a.within = within;
  a.columns = {{"team", {}, team, {"a", "b", "c"}}, {"sex", {}, sex, {"f", "m"}}};
}

CountTable counts(size_t rows, size_t columns, std::vector<int64_t> values) {
  return {rows, columns, std::move(values)};
}

void addCounts() {
  CountTable cylinders = counts(3, 2, {3, 8, 4, 3, 12, 2}), engines = counts(2, 2, {12, 7, 6, 7});
  auto named = [](const CountTable &c) { return ContingencyTable{c, {}, {}}; };
  for (Yates yates : {Yates::None, Yates::Capped})
    add("chi_square", "am by vs", {}, chiSquareIndependence(named(engines), yates)).counts =
        engines;
  add("chi_square", "cyl by am", {}, chiSquareIndependence(named(cylinders), Yates::None)).counts =
      cylinders;
  add("fishers_exact", "am by vs", {}, fisherExact(named(engines), OddsRatio::Conditional)).counts =
      engines;
  add("fishers_exact_table", "cyl by am", {}, fisherExactTable(named(cylinders))).counts =
      cylinders;
  CountTable approval = counts(2, 2, {794, 150, 86, 570});
  for (McNemarMethod m :
       {McNemarMethod::Exact, McNemarMethod::Corrected, McNemarMethod::Uncorrected})
    add("mcnemar", "approval", {}, mcnemar(named(approval), m)).counts = approval;
  std::vector<std::vector<int>> answers{{1, 1, 1, 0, 1, 1}, {1, 0, 1, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
  Groups columns;
  for (const std::vector<int> &a : answers)
    columns.emplace_back(a.begin(), a.end());
  add("cochran_q", "answers", columns, cochranQ(answers));
}

void addCorrelations() {
  Groups pair{data::mtcarsMpg, data::mtcarsWt};
  Groups tuna{{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1},
              {2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8}};
  add("pearson_corr", "mpg and wt", pair, pearson(pair[0], pair[1]));
  for (const char *name : {"pointbiserial_corr", "pointbiserial_corr_a", "pointbiserial_corr_b"})
    add(name, "mpg by am", cars, pointBiserial(cars[0], cars[1]));
  for (Conventions c : {Conventions::R42(), Conventions::SciPy()})
    for (const Groups &xy : {pair, tuna}) {
      add("spearman_corr", "ranks", xy, spearman(xy[0], xy[1], c)).conventions = c;
      add("kendalltau_corr", "ranks", xy, kendall(xy[0], xy[1], c)).conventions = c;
    }
  Groups three{data::mtcarsMpg, data::mtcarsWt, data::mtcarsHp};
  add("partial_corr", "mpg and wt given hp", three,
      partialCorrelation(three[0], three[1], {three[2]}));
}

void addComparisons() {
  NamedGroups groups{plants, {"ctrl", "trt1", "trt2"}};
  for (Adjustment a :
       {Adjustment::None, Adjustment::Bonferroni, Adjustment::Holm, Adjustment::Hochberg,
        Adjustment::BenjaminiHochberg, Adjustment::BenjaminiYekutieli}) {
    add("pairwise_t", "weight by group", plants, pairwiseT(groups, a));
    add("dunn", "weight by group", plants, dunn(groups, a));
  }
  add("pairwise_t", "weight, Welch", plants,
      pairwiseT(groups, Adjustment::Holm, Deviation::OwnWelch));
  add("conover", "weight by group", plants, conover(groups, Adjustment::Holm));
  add("tukey_hsd", "weight by group", plants, tukeyHsd(groups));
  add("games_howell", "weight by group", plants, gamesHowell(groups));
  add("nemenyi", "weight by group", plants, nemenyi(groups));
  NamedGroups times{roundingTimes(), {}};
  add("pairwise_paired_t", "time by way", times.values, pairwisePairedT(times, Adjustment::Holm));
  add("conover_blocks", "time by way", times.values, conoverBlocks(times, Adjustment::Holm));
  add("nemenyi_blocks", "time by way", times.values, nemenyiBlocks(times));
}

void addModels() {
  std::vector<int> cylinders, gears;
  for (size_t i = 0; i < data::mtcarsMpg.size(); ++i) {
    cylinders.push_back(data::mtcarsCyl[i] == 4 ? 0 : data::mtcarsCyl[i] == 6 ? 1 : 2);
    gears.push_back(static_cast<int>(data::mtcarsAm[i]));
  }
  for (SumsOfSquares sums : {SumsOfSquares::TypeI, SumsOfSquares::TypeII, SumsOfSquares::TypeIII}) {
    FactorialDesign design;
    design.factors = {{"cyl", {"4", "6", "8"}, {cylinders.begin(), cylinders.end()}},
                      {"am", {"automatic", "manual"}, {gears.begin(), gears.end()}}};
    design.outcome = data::mtcarsMpg;
    design.sums = sums;
    Analysis &a = add("factorial_anova", "mpg by cyl and am", {}, factorialAnova(design));
    a.columns = {{"mpg", data::mtcarsMpg, {}, {}},
                 {"cyl", {}, cylinders, {"4", "6", "8"}},
                 {"am", {}, gears, {"automatic", "manual"}}};
    a.conventions.sumsOfSquares = sums;
    design.covariates = {{"wt", data::mtcarsWt}};
    Analysis &b = add("ancova", "mpg by cyl and am given wt", {}, ancova(design));
    b.columns = analyses[analyses.size() - 2].columns;
    b.columns.push_back({"wt", data::mtcarsWt, {}, {}});
    b.conventions.sumsOfSquares = sums;
  }
}

/// Comparisons after the models of `addModels`.
void addMarginalMeans() {
  FactorialDesign design;
  std::vector<int> cylinders, gears(data::mtcarsAm.begin(), data::mtcarsAm.end());
  for (double count : data::mtcarsCyl)
    cylinders.push_back(static_cast<int>(count) / 2 - 2);
  design.factors = {{"cyl", {"4", "6", "8"}, {cylinders.begin(), cylinders.end()}},
                    {"am", {"automatic", "manual"}, {gears.begin(), gears.end()}}};
  design.outcome = data::mtcarsMpg;
  auto complete = [&](Analysis &a, std::vector<std::string> names) {
    a.names = std::move(names);
    a.columns = {{"mpg", data::mtcarsMpg, {}, {}},
                 {"cyl", {}, cylinders, {"4", "6", "8"}},
                 {"am", {}, gears, {"automatic", "manual"}}};
    for (const Covariate &covariate : design.covariates)
      a.columns.push_back({covariate.name, covariate.values, {}, {}});
    return &a;
  };
  for (bool weight : {false, true}) {
    if (weight)
      design.covariates = {{"wt", data::mtcarsWt}};
    complete(add("marginal_means", "mpg by cyl and am", {}, marginalMeans(design, 0)), {"cyl"});
    complete(add("simple_effects", "mpg by cyl and am", {}, simpleEffects(design, 1)), {"am"});
    MarginalPair pair{.factor = 0, .first = 2, .second = 0, .scale = 0.5, .hypothesised = 1};
    Analysis *a = complete(add("marginal_contrast", "mpg by cyl and am: 8 > 0.5 * 4", {},
                               marginalContrast(design, pair)),
                           {"cyl", "8", "4"});
    a->factor = pair.scale;
    a->hypothesised = pair.hypothesised;
    a->alternative = Alternative::Greater;
  }
  RepeatedDesign uptake;
  uptake.within = {{"conc", {"95", "175", "250", "350", "500", "675", "1000"}}};
  uptake.between = {{"type", {"Quebec", "Mississippi"}, {}}};
  for (int plant = 0; plant < 12; ++plant) {
    uptake.subjects.push_back(part(data::co2Uptake, plant * 7, 7));
    uptake.between[0].codes.push_back(plant / 6);
  }
  for (const char *factor : {"conc", "type"})
    for (ComparisonScope scope : {ComparisonScope::Marginal, ComparisonScope::Simple}) {
      Groups samples;
      for (const ComparedLevels &pair : levelPairs(uptake, factor, scope).pairs) {
        samples.push_back(pair.first);
        samples.push_back(pair.second);
      }
      add("repeated_comparisons", "uptake by type and conc", samples,
          repeatedComparisons(uptake, factor, scope));
    }
}

void addRegression() {
  std::vector<int> transmission(data::mtcarsAm.begin(), data::mtcarsAm.end());
  std::vector<Predictor> predictors{{"wt", data::mtcarsWt}, {"hp", data::mtcarsHp}};
  Analysis &a = add("linear_regression", "mpg ~ wt + hp", {},
                    linearRegression(predictors, data::mtcarsMpg).result);
  a.columns = {{"mpg", data::mtcarsMpg, {}, {}},
               {"wt", data::mtcarsWt, {}, {}},
               {"hp", data::mtcarsHp, {}, {}}};
  predictors.pop_back();
  Analysis &b = add("logistic_regression", "am ~ wt", {},
                    logisticRegression(predictors, data::mtcarsAm).result);
  b.columns = {{"am", {}, transmission, {"automatic", "manual"}}, {"wt", data::mtcarsWt, {}, {}}};
}

void addResampling() {
  add("permutation_test", "extra by group", sleep, permutationTwoGroups(sleep[0], sleep[1]));
  add("permutation_test", "mpg by am", cars, permutationTwoGroups(cars[0], cars[1]));
  add("permutation_paired", "extra by group", sleep, permutationPaired(sleep[0], sleep[1]));
  std::vector<double> before = part(data::plantWeight, 0, 20),
                      after = part(data::plantWeight, 10, 20);
  add("permutation_paired", "weight", {before, after}, permutationPaired(before, after));
  add("permutation_f", "weight by group", plants, permutationGroups(plants));
  TestResult medians{.name = "Bootstrap intervals of the medians"};
  ResultTable table{"medians", {}};
  for (size_t i = 0; i < plants.size(); ++i) {
    BootstrapResult b = bootstrap({plants[i]}, Resampling::WithinGroups,
                                  [](const Groups &g) { return centreOf(g[0], Centre::Median); },
                                  {.method = BootstrapMethod::Percentile});
    ResultRow row{.name = "group " + std::to_string(i + 1)};
    row.estimate = Estimate{"median", b.value, b.interval};
    table.rows.push_back(std::move(row));
  }
  medians.tables = {std::move(table)};
  add("bootstrap", "weight by group", plants, std::move(medians));
}

bool write(const std::string &path, const ExportedScript &script) {
  for (const std::string &name : script.leftOut)
    std::cerr << "left out: " << name << "\n";
  std::ofstream out(path);
  out << script.text;
  return out.good() && script.leftOut.empty();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: write-example-exports FOLDER\n";
    return 2;
  }
  addMeans();
  addRanks();
  addGroups();
  addRepeated();
  addCounts();
  addCorrelations();
  addComparisons();
  addModels();
  addMarginalMeans();
  addRegression();
  addResampling();
  std::string folder = argv[1];
  bool good = write(folder + "/all.R", exportScript(Language::R, analyses)) &&
              write(folder + "/all.py", exportScript(Language::Python, analyses));
  std::set<std::string> missing;
  for (const std::string &name : exportableProcedures())
    missing.insert(name);
  for (const Analysis &a : analyses)
    missing.erase(a.procedure);
  for (const std::string &name : missing)
    std::cerr << "no example: " << name << "\n";
  return good && missing.empty() ? 0 : 1;
}
