// Every pair that differs is refuted and shown by an engine; no other pair is.
#include "proof/sql/refute/KnownPairs.h"

#include "proof/sql/bind/Bind.h"
#include "proof/sql/refute/Refute.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

std::vector<KnownPair> pairs() {
  Result<std::vector<KnownPair>> result = readKnownPairs(IMBREX_KNOWN_PAIRS);
  if (result)
    return *result;
  ADD_FAILURE() << result.error().str();
  return {};
}

Refutation failed(const Error &error) {
  Refutation result;
  result.verdict.reason = error.str();
  return result;
}

Refutation attack(const KnownPair &pair, const RefuteLimits &limits, Engines &engines) {
  Semantics semantics = Semantics::of(pair.dialect);
  Result<Schema> schema = readSchema(pair.schema, "schema", semantics);
  if (!schema)
    return failed(schema.error());
  Result<BoundQuery> first = readQuery(pair.first, "first", *schema, semantics);
  Result<BoundQuery> second = readQuery(pair.second, "second", *schema, semantics);
  if (!first || !second)
    return failed((first ? second : first).error());
  return refute(*first->query, *second->query, schema->catalog, semantics, limits, engines,
                {pair.first, pair.second});
}

} // namespace

TEST(KnownPairs, DifferencesAreFoundAndShown) {
  Engines engines;
  std::string whyNot;
  bool postgres = engines.postgres(whyNot) != nullptr;
  for (const KnownPair &pair : pairs()) {
    if (pair.equal)
      continue;
    Refutation result = attack(pair, {std::chrono::milliseconds(5000), 1'000'000, 1}, engines);
    EXPECT_FALSE(result.defect.has_value()) << pair.id << ": " << result.script;
    bool needsPostgres = pair.first.find(" ALL SELECT") != std::string::npos;
    if (needsPostgres && !postgres)
      EXPECT_TRUE(result.verdict.counterexample.has_value()) << pair.id;
    else
      EXPECT_EQ(result.verdict.answer, Answer::NotEquivalent)
          << pair.id << ": " << result.verdict.reason;
    std::printf("%-4s %6llu databases, %5.1f ms, %s\n", pair.id.c_str(),
                static_cast<unsigned long long>(result.instances), result.verdict.seconds * 1000,
                result.verdict.confirmedBy.c_str());
  }
}

TEST(KnownPairs, EqualOnesAreNotRefuted) {
  Engines engines;
  for (const KnownPair &pair : pairs()) {
    if (!pair.equal)
      continue;
    Refutation result = attack(pair, {std::chrono::milliseconds(3000), 20'000, 1}, engines);
    EXPECT_EQ(result.verdict.answer, Answer::Unknown) << pair.id << ": " << result.script;
    EXPECT_FALSE(result.verdict.counterexample.has_value()) << pair.id << ": " << result.script;
    EXPECT_GT(result.instances, 100u) << pair.id << ": " << result.verdict.reason;
  }
}
