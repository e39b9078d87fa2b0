// Pairs that look alike (proof/sql/suite/cases): every one that differs is refuted and shown by an
// engine, and no other is.
#include "proof/sql/suite/Suite.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

std::vector<SuiteCase> cases(Answer answer) {
  Result<Suite> suite = readSuite(IMBREX_SUITE_CASES, {});
  std::vector<SuiteCase> result;
  if (!suite)
    ADD_FAILURE() << suite.error().str();
  else
    for (SuiteCase &item : suite->cases)
      if (item.expected == answer && !item.error)
        result.push_back(std::move(item));
  EXPECT_GT(result.size(), 10u);
  return result;
}

Refutation attack(const SuiteCase &item, const RefuteLimits &limits, Engines &engines) {
  QueryPtr first = item.pair.first, second = item.pair.second;
  EXPECT_FALSE(alignColumns(first, second, item.semantics)) << item.name;
  return refute(*first, *second, *item.catalog, item.semantics, limits, engines,
                item.pair.originals);
}

} // namespace

TEST(Lookalikes, DifferencesAreFoundAndShown) {
  Engines engines;
  for (const SuiteCase &item : cases(Answer::NotEquivalent)) {
    Refutation result = attack(item, {std::chrono::milliseconds(5000), 1'000'000, 1}, engines);
    EXPECT_FALSE(result.defect.has_value()) << item.name << ": " << result.script;
    std::string whyNot;
    if (result.verdict.answer == Answer::Unknown && !engines.postgres(whyNot)) {
      // SQLite cannot run it, in its own words too: a database that is not confirmed.
      EXPECT_TRUE(result.verdict.counterexample.has_value()) << item.name;
      EXPECT_EQ(result.verdict.reason.find("do not confirm"), std::string::npos)
          << item.name << ": " << result.verdict.reason;
      std::printf("not confirmed without PostgreSQL: %s\n", item.name.c_str());
      continue;
    }
    EXPECT_EQ(result.verdict.answer, Answer::NotEquivalent)
        << item.name << ": " << result.verdict.reason;
    std::printf("%4llu databases, %5.1f ms, %s: %s\n",
                static_cast<unsigned long long>(result.instances), result.verdict.seconds * 1000,
                result.verdict.confirmedBy.c_str(), item.name.c_str());
  }
}

TEST(Lookalikes, EqualOnesAreNotRefuted) {
  Engines engines;
  for (const SuiteCase &item : cases(Answer::Equivalent)) {
    Refutation result = attack(item, {std::chrono::milliseconds(3000), 20'000, 1}, engines);
    EXPECT_EQ(result.verdict.answer, Answer::Unknown) << item.name << ": " << result.script;
    EXPECT_FALSE(result.verdict.counterexample.has_value()) << item.name << ": " << result.script;
    EXPECT_GT(result.instances, 100u) << item.name << ": " << result.verdict.reason;
  }
}
