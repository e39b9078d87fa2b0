// The published tutorials: which procedures are valid on their data, under both sets of rules.
#include "stats/select/Compute.h"
#include "stats/select/Selection.h"
#include "stats/select/test/Tutorials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

const std::string folder = std::string(STATS_SELECT_DIR) + "/tutorials/";

struct Expectation {
  std::string study, rules;
  size_t hypothesis = 0;
  std::vector<std::string> valid; // sorted
};

std::vector<Expectation> expectations() {
  std::vector<Expectation> list;
  std::ifstream in(folder + "valid-sets.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    Expectation e;
    std::istringstream words(line);
    words >> e.study >> e.hypothesis >> e.rules;
    e.rules.pop_back();
    for (std::string id; words >> id;)
      e.valid.push_back(id);
    list.push_back(std::move(e));
  }
  return list;
}

std::string joined(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::unique_ptr<Tutorial> load(const std::string &name, const std::string &rules) {
  Result<std::unique_ptr<Tutorial>> tutorial = loadTutorial(folder, name, rules);
  if (!tutorial) {
    ADD_FAILURE() << tutorial.error().str();
    return nullptr;
  }
  return tutorial.take();
}

/// What is valid, and why the rest is not.
std::string validOn(const Expectation &e, std::string &why) {
  std::unique_ptr<Tutorial> loaded = load(e.study, e.rules);
  if (!loaded)
    return "";
  Situation situation(loaded->study, loaded->study.hypotheses[e.hypothesis - 1], &loaded->table);
  auto selection = Selection::create(standardKnowledge(), e.rules, situation);
  if (!selection) {
    ADD_FAILURE() << selection.error().str();
    return "";
  }
  (*selection)->run();
  std::vector<std::string> ids;
  for (const ProcedureVerdict *v : (*selection)->valid())
    ids.push_back(v->procedure->id);
  for (const ProcedureVerdict &v : (*selection)->verdicts())
    if (v.validity != Validity::Valid) {
      why += "  " + v.procedure->id + ":";
      for (size_t i : (*selection)->violated(v))
        why += " [" + (*selection)->instances()[i].sentence() + ": " +
               (*selection)->instances()[i].evidence.text + "]";
      why += "\n";
    }
  return joined(ids);
}

/// Equal to six significant digits.
bool sixDigits(double have, double want) { return std::abs(have - want) <= 5e-7 * std::abs(want); }

std::string compare(const Candidate &c, const Computed &computed) {
  if (!computed.result.defined())
    return computed.result.reason;
  if (c.p.empty())
    return computed.result.table("medians") && !computed.p ? "" : "intervals were expected";
  for (const auto &[term, want] : c.p) {
    std::optional<PValue> p = computed.result.p.undirected;
    if (!term.empty()) {
      const ResultTable *table = computed.result.table("analysis of variance");
      const ResultRow *row = table ? table->row(term) : nullptr;
      p = row ? row->p.undirected : std::nullopt;
    }
    if (!p || !sixDigits(p->value, want))
      return term + " p = " + std::to_string(p ? p->value : -1) + ", not " + std::to_string(want);
  }
  return "";
}

} // namespace

TEST(Tutorials, validSets) {
  if (!haveTutorialData())
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not name the folder with tea/*.csv";
  size_t good = 0;
  std::vector<Expectation> all = expectations();
  ASSERT_GE(all.size(), 15u);
  for (const Expectation &e : all) {
    std::string why, valid = validOn(e, why);
    good += valid == joined(e.valid);
    EXPECT_EQ(valid, joined(e.valid)) << e.study << " " << e.hypothesis << " " << e.rules << "\n"
                                      << why;
  }
  std::printf("tutorials, valid sets: %zu of %zu\n", good, all.size());
}

TEST(Tutorials, candidatePValues) {
  if (!haveTutorialData())
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not name the folder with tea/*.csv";
  size_t good = 0;
  std::vector<Candidate> all = tutorialCandidates(folder);
  ASSERT_EQ(all.size(), 43u);
  for (const Candidate &c : all) {
    std::unique_ptr<Tutorial> loaded = load(c.study, "tea-2019");
    if (!loaded)
      continue;
    Situation situation(loaded->study, loaded->study.hypotheses[0], &loaded->table);
    std::string wrong = compare(c, compute(c.procedure, settingFor(situation)));
    good += wrong.empty();
    EXPECT_EQ(wrong, "") << c.study << " " << c.procedure;
    if (!c.remark.empty())
      std::printf("  %s, %s: published %s, recomputed %.6g: %s\n", c.study.c_str(),
                  c.procedure.c_str(), c.published.c_str(), c.p.empty() ? 0 : c.p[0].second,
                  c.remark.c_str());
  }
  std::printf("tutorials, p-values: %zu of %zu\n", good, all.size());
}
