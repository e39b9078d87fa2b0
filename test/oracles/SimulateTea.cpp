// Does the test that Tea chooses keep its error rate where the assumptions of the usual test fail?
// Draws data for which the null hypothesis is true, and counts rejections at alpha = 0.05 by the
// chosen test and by the usual one.
//
//   simulate-tea [--runs N] [--seed S] [--cell NAME]      N runs a cell, 10,000 by default
//
// Prints one line a cell, then the published experiment on errors (ErrorExperiment.h), and last
// `simulate-tea: P of N cells within 0.05 +- 0.01`; exit 1 when a cell is outside. What is random:
// splitmix and xoshiro, seeded with S, so that every machine draws the same data.
#include "stats/procedures/resampling/Random.h"
#include "stats/select/Analyze.h"
#include "test/oracles/ErrorExperiment.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

constexpr double alpha = 0.05, within = 0.01;

using Draw = std::function<double(Random &)>;

double normal(Random &r) { return r.normal(); }
double skewed(Random &r) { return std::exp(r.normal()); }
/// Student's t on 3 degrees of freedom.
double heavy(Random &r) {
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    double z = r.normal();
    square += z * z;
  }
  return r.normal() / std::sqrt(square / 3);
}
Draw scaled(Draw draw, double factor) {
  return [draw, factor](Random &r) { return factor * draw(r); };
}

struct Group {
  size_t n;
  Draw draw;
};

struct Scenario {
  std::string name;
  std::vector<Group> groups;
  bool paired;
  std::string usual; // the test a non-statistician takes
  bool usualFails;   // whether its rate shall be outside 0.05 +- 0.01
};

std::vector<Scenario> scenarios() {
  auto twice = [](Draw draw, size_t a, size_t b) {
    return std::vector<Group>{{a, draw}, {b, draw}};
  };
  return {
      {"normal, equal variances, 20 and 20", twice(normal, 20, 20), false, "students_t", false},
      {"normal, sd 1 and 3, 40 and 15",
       {{40, normal}, {15, scaled(normal, 3)}},
       false,
       "students_t",
       true},
      {"normal, sd 3 and 1, 40 and 15",
       {{40, scaled(normal, 3)}, {15, normal}},
       false,
       "students_t",
       true},
      {"skewed, 60 and 20", twice(skewed, 60, 20), false, "students_t", false},
      {"heavy tails, 30 and 30", twice(heavy, 30, 30), false, "students_t", false},
      {"four groups, sd 1 1 1 4, 30 30 30 12",
       {{30, normal}, {30, normal}, {30, normal}, {12, scaled(normal, 4)}},
       false,
       "f_test",
       true},
      {"three skewed groups, 30 each",
       {{30, skewed}, {30, skewed}, {30, skewed}},
       false,
       "f_test",
       false},
      {"pairs, heavy tails, 25", twice(heavy, 25, 25), true, "paired_students_t", false},
  };
}

/// A study of one factor with these groups.
class Simulation {
public:
  explicit Simulation(const Scenario &cell) : cell(cell) {
    Variable x{.name = "x", .measure = Measure::Nominal}, y{.name = "y", .measure = Measure::Ratio};
    for (size_t g = 0; g < cell.groups.size(); ++g)
      x.categories.push_back("g" + std::to_string(g + 1));
    study.variables = {x, y};
    study.design = {
        .kind = StudyKind::Experiment, .declared = true, .explanatory = {"x"}, .explained = {"y"}};
    if (cell.paired) {
      study.design.within = {"x"};
      study.data.rowOrder = true;
    } else {
      study.design.between = {"x"};
    }
    Hypothesis h{.form = HypothesisForm::Groups, .outcome = "y", .variables = {"x"}};
    study.hypotheses = {h};
    Column codes{.name = "x", .kind = ColumnKind::Category, .categories = x.categories};
    Column values{.name = "y"};
    for (size_t g = 0; g < cell.groups.size(); ++g)
      codes.codes.insert(codes.codes.end(), cell.groups[g].n, static_cast<int32_t>(g));
    values.numbers.resize(codes.codes.size());
    table.rows = codes.codes.size();
    table.columns = {std::move(codes), std::move(values)};
  }

  bool ready() {
    for (const Error &error : checkStudy(study))
      std::fprintf(stderr, "simulate-tea: %s\n", error.str().c_str());
    return checkStudy(study).empty();
  }

  /// False when the analysis failed.
  bool run(Random &random) {
    size_t row = 0;
    for (const Group &group : cell.groups)
      for (size_t i = 0; i < group.n; ++i)
        table.columns[1].numbers[row++] = group.draw(random);
    Situation situation(study, study.hypotheses[0], &table);
    Result<std::unique_ptr<Selection>> selection =
        Selection::create(standardKnowledge(), study.rules, situation);
    if (!selection)
      return false;
    (*selection)->run();
    std::vector<const ProcedureVerdict *> valid = (*selection)->valid();
    ComputeSetting setting = settingFor(situation);
    std::string chosen = valid.empty() ? "none" : valid[0]->procedure->id;
    ++runs;
    ++choices[chosen];
    if (!valid.empty())
      rejections += rejects(valid[0]->procedure->computes, setting);
    usualRejections += rejects(cell.usual, setting);
    return true;
  }

  double rate() const { return static_cast<double>(rejections) / static_cast<double>(runs); }
  double usualRate() const {
    return static_cast<double>(usualRejections) / static_cast<double>(runs);
  }
  std::string choiceText() const {
    std::string text;
    for (const auto &[name, count] : choices) {
      char share[16];
      std::snprintf(share, sizeof share, " %.0f%%",
                    100.0 * static_cast<double>(count) / static_cast<double>(runs));
      text += (text.empty() ? "" : ", ") + name + share;
    }
    return text;
  }

private:
  static bool rejects(const std::string &computation, const ComputeSetting &setting) {
    Computed c = compute(computation, setting);
    return c.p && c.p->value < alpha;
  }

  const Scenario &cell;
  Study study;
  Table table;
  int64_t runs = 0, rejections = 0, usualRejections = 0;
  std::map<std::string, int64_t> choices;
};

} // namespace

int main(int argc, char **argv) {
  int64_t runs = 10000;
  uint64_t seed = 1;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--runs")
      runs = std::atoll(argv[i + 1]);
    else if (option == "--seed")
      seed = std::strtoull(argv[i + 1], nullptr, 10);
    else if (option == "--cell")
      only = argv[i + 1];
  }
  std::printf("%-40s %8s %8s  %s\n", "the null hypothesis is true", "Tea", "usual",
              "Tea's choices");
  int good = 0, all = 0;
  for (const Scenario &cell : scenarios()) {
    if (!only.empty() && cell.name.find(only) == std::string::npos)
      continue;
    Simulation simulation(cell);
    Random random(seed);
    if (!simulation.ready())
      return 2;
    for (int64_t i = 0; i < runs; ++i)
      if (!simulation.run(random))
        return 2;
    bool keeps = std::abs(simulation.rate() - alpha) <= within;
    bool usualKeeps = std::abs(simulation.usualRate() - alpha) <= within;
    bool asExpected = keeps && (!cell.usualFails || !usualKeeps);
    std::printf("%-40s %8.4f %7.4f%s  %s%s\n", cell.name.c_str(), simulation.rate(),
                simulation.usualRate(), usualKeeps ? " " : "!", simulation.choiceText().c_str(),
                asExpected ? "" : "  <- outside");
    std::fflush(stdout);
    good += asExpected;
    ++all;
  }
  oracles::ExperimentResult experiment =
      only.empty() ? oracles::runErrorExperiment() : oracles::ExperimentResult();
  std::printf("simulate-tea: %d of %d cells within 0.05 +- 0.01, %lld runs each%s\n", good, all,
              static_cast<long long>(runs), experiment.summary.c_str());
  return good == all && experiment.asExpected ? 0 : 1;
}
