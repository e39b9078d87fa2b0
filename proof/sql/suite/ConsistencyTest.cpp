// No verdict contradicts another one: of the same pair again, with another seed, with its queries
// in the other order, or compared more coarsely. UNKNOWN contradicts nothing.
//
// Over the shipped cases and rules, and over the published suites where IMBREX_BENCH_DATA names
// them: a seeded choice of IMBREX_CONSISTENCY pairs (24 if not set; `all`).
#include "proof/sql/qed/PublishedSuites.h"
#include "proof/sql/qed/ReadQed.h"
#include "proof/sql/refute/Databases.h"
#include "proof/sql/rules/Rules.h"
#include "proof/sql/suite/Suite.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

std::vector<SuiteCase> allCases() {
  std::vector<SuiteCase> cases;
  Result<Suite> own = readSuite(IMBREX_SUITE_CASES, {});
  EXPECT_TRUE(own.ok());
  if (own)
    cases = std::move(own->cases);
  for (const RuleFile &file : ruleFiles())
    if (auto rules = readSqlTest(file.text, std::string(file.name), {}))
      std::move(rules->begin(), rules->end(), std::back_inserter(cases));
  for (const char *name : {"calcite", "norm"}) {
    auto files = publishedSuite(name);
    if (!files)
      continue;
    for (const auto &[pairName, text] : *files) {
      Result<QedPair> pair = readQed(text, pairName);
      if (!pair)
        continue;
      SuiteCase &item = cases.emplace_back();
      item.name = std::string(name) + "/" + pairName;
      item.catalog = std::make_shared<const Catalog>(std::move(pair->catalog));
      item.semantics = Semantics::of(name[0] == 'c' ? Dialect::Calcite : Dialect::Standard);
      item.pair = {pair->first, pair->second, {}};
    }
  }
  std::erase_if(cases, [](const SuiteCase &item) { return item.error.has_value(); });
  return cases;
}

/// The first ones of a seeded shuffle.
std::vector<SuiteCase> chosenCases() {
  std::vector<SuiteCase> cases = allCases();
  const char *wanted = std::getenv("IMBREX_CONSISTENCY");
  if (wanted && !std::strcmp(wanted, "all"))
    return cases;
  size_t count = wanted ? size_t(std::atoi(wanted)) : 24;
  Random random(17);
  for (size_t i = 0; i + 1 < cases.size(); ++i)
    std::swap(cases[i], cases[i + random.below(uint32_t(cases.size() - i))]);
  cases.resize(std::min(cases.size(), count));
  return cases;
}

bool contradict(Answer a, Answer b) {
  return a != b && a != Answer::Unknown && b != Answer::Unknown;
}

class Runs {
public:
  explicit Runs(const SuiteCase &item) : item(item) {}

  Answer decided(const QueryPair &pair, Comparison comparison, uint64_t seed) {
    Semantics semantics = item.semantics;
    semantics.comparison = comparison;
    Decision decision = decide(pair, *item.catalog, semantics, {1.0, seed}, engines());
    EXPECT_FALSE(decision.defect.has_value()) << item.name << decision.script;
    return decision.verdict.answer;
  }

private:
  static Engines &engines() {
    static Engines shared;
    return shared;
  }
  const SuiteCase &item;
};

} // namespace

TEST(Consistency, NoVerdictContradictsAnother) {
  std::map<Answer, unsigned> counts;
  for (const SuiteCase &item : chosenCases()) {
    Runs runs(item);
    QueryPair swapped{
        item.pair.second, item.pair.first, {item.pair.originals.second, item.pair.originals.first}};
    Comparison own = item.semantics.comparison;
    Answer first = runs.decided(item.pair, own, 1);
    ++counts[first];
    for (uint64_t seed : {1, 5})
      EXPECT_FALSE(contradict(first, runs.decided(item.pair, own, seed))) << item.name;
    Answer other = runs.decided(swapped, own, 9);
    EXPECT_FALSE(contradict(first, other)) << item.name << ": the queries change places";
    // Lists that are equal are equal bags, and these equal sets.
    Answer bag = runs.decided(item.pair, Comparison::Bag, 1),
           set = runs.decided(swapped, Comparison::Set, 1);
    EXPECT_FALSE(first == Answer::Equivalent && bag == Answer::NotEquivalent) << item.name;
    EXPECT_FALSE(bag == Answer::Equivalent && set == Answer::NotEquivalent) << item.name;
    if (item.expected)
      EXPECT_FALSE(contradict(first, *item.expected)) << item.name;
  }
  std::printf("%u equivalent, %u not, %u unknown\n", counts[Answer::Equivalent],
              counts[Answer::NotEquivalent], counts[Answer::Unknown]);
}

TEST(Consistency, AQueryIsItself) {
  for (const SuiteCase &item : chosenCases()) {
    Runs runs(item);
    EXPECT_NE(runs.decided({item.pair.first, item.pair.first, {}}, Comparison::Bag, 1),
              Answer::NotEquivalent)
        << item.name;
  }
}
