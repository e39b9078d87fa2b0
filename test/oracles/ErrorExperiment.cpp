#include "test/oracles/ErrorExperiment.h"

#include "stats/select/Analyze.h"
#include "stats/select/test/Tutorials.h"

#include <algorithm>
#include <cstdio>

namespace imbrex::stats::oracles {
namespace {

const std::string folder = std::string(STATS_SELECT_DIR) + "/tutorials/";
constexpr double alpha = 0.05;

/// Does it call the result significant? Nothing for intervals without p-value. A design with
/// several terms does when one of them is.
std::optional<bool> verdictOf(const Computed &c) {
  const ResultTable *table = c.result.table("analysis of variance");
  std::optional<double> least;
  for (const ResultRow &row : table ? table->rows : std::vector<ResultRow>())
    if (row.p.undirected && (!least || row.p.undirected->value < *least))
      least = row.p.undirected->value;
  if (!least && c.result.p.undirected)
    least = c.result.p.undirected->value;
  return least ? std::optional(*least <= alpha) : std::nullopt;
}

/// What Tea chooses under `rules`, and its verdict.
struct Choice {
  std::string procedure = "none";
  std::optional<bool> verdict;
};

Result<Choice> choiceOf(const std::string &study, const std::string &rules) {
  auto tutorial = loadTutorial(folder, study, rules);
  if (!tutorial)
    return tutorial.takeError();
  auto analysis = analyze((*tutorial)->study, (*tutorial)->table, standardKnowledge());
  if (!analysis)
    return analysis.takeError();
  Choice choice;
  if (const ProcedureRun *run = analysis->hypotheses[0].deciding()) {
    choice.procedure = run->procedure->id;
    choice.verdict = verdictOf(run->computed);
  }
  return choice;
}

struct Row {
  std::string study, book;
  std::optional<bool> verdict;
  size_t candidates = 0;
  std::vector<std::string> wrong;
  Choice published, corrected;
};

Result<Row> rowOf(const std::string &study, const std::vector<Candidate> &candidates) {
  Row row;
  row.study = study;
  auto tutorial = loadTutorial(folder, study, "tea-2019");
  if (!tutorial)
    return tutorial.takeError();
  Situation situation((*tutorial)->study, (*tutorial)->study.hypotheses[0], &(*tutorial)->table);
  for (const Candidate &c : candidates) {
    if (c.study != study)
      continue;
    std::optional<bool> verdict = verdictOf(compute(c.procedure, settingFor(situation)));
    if (row.candidates++ == 0) {
      row.book = c.procedure;
      row.verdict = verdict;
    } else if (verdict && verdict != row.verdict) {
      row.wrong.push_back(c.procedure);
    }
  }
  for (auto [rules, choice] :
       {std::pair{"tea-2019", &row.published}, std::pair{"default", &row.corrected}}) {
    Result<Choice> made = choiceOf(study, rules);
    if (!made)
      return made.takeError();
    *choice = made.take();
  }
  return row;
}

std::string marked(const Choice &choice, const Row &row) {
  const char *mark = !choice.verdict                 ? " (intervals only)"
                     : choice.verdict == row.verdict ? ""
                                                     : " (errs)";
  return choice.procedure + mark;
}

void print(const Row &row) {
  std::string wrong;
  for (const std::string &name : row.wrong)
    wrong += (wrong.empty() ? ": " : ", ") + name;
  std::printf("%-22s %-21s %-4s %-28s %-26s %zu of %zu%s\n", row.study.c_str(), row.book.c_str(),
              row.verdict.value_or(false) ? "yes" : "no", marked(row.published, row).c_str(),
              marked(row.corrected, row).c_str(), row.wrong.size(), row.candidates, wrong.c_str());
}

bool errs(const Choice &choice, const Row &row) {
  return choice.verdict && choice.verdict != row.verdict;
}

} // namespace

ExperimentResult runErrorExperiment() {
  if (!haveTutorialData())
    return {"; error experiment not run: IMBREX_BENCH_DATA must name the folder of tea/*.csv",
            true};
  std::vector<Candidate> candidates = tutorialCandidates(folder);
  std::vector<std::string> studies;
  for (const Candidate &c : candidates)
    if (studies.empty() || studies.back() != c.study)
      studies.push_back(c.study);
  std::printf("\n%-22s %-21s %-4s %-28s %-26s %s\n", "tutorial", "the book's test", "sig.",
              "Tea, rules tea-2019", "Tea, default rules", "candidates that err");
  size_t wrong = 0, tutorials = 0, published = 0, corrected = 0;
  for (const std::string &study : studies) {
    Result<Row> row = rowOf(study, candidates);
    if (!row) {
      std::printf("%s: %s\n", study.c_str(), row.error().str().c_str());
      return {"; error experiment failed", false};
    }
    print(*row);
    wrong += row->wrong.size();
    tutorials += !row->wrong.empty();
    published += errs(row->published, *row);
    corrected += errs(row->corrected, *row);
  }
  std::printf("\n");
  return {"; error experiment: " + std::to_string(wrong) + " of " +
              std::to_string(candidates.size()) + " candidates in " + std::to_string(tutorials) +
              " of " + std::to_string(studies.size()) + " tutorials err, Tea in " +
              std::to_string(published) + " (tea-2019) and " + std::to_string(corrected) +
              " (default)",
          wrong == 5 && tutorials == 2 && published == 0 && corrected == 0};
}

} // namespace imbrex::stats::oracles
