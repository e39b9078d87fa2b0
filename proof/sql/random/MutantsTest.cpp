// The prover against the refuter: no pair that an engine shows to differ is called equivalent.
#include "proof/sql/decide/Decide.h"
#include "proof/sql/prove/Prove.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/random/Mutate.h"
#include "proof/sql/random/RandomQuery.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

unsigned numberOf(unsigned usual) {
  const char *wanted = std::getenv("IMBREX_MUTANTS");
  return wanted ? unsigned(std::atoi(wanted)) : usual;
}

} // namespace

TEST(Mutants, NoneThatDiffersIsCalledEquivalent) {
  Catalog catalog = randomQueryCatalog();
  Semantics semantics;
  RandomQueryOptions options;
  options.setsWithDuplicates = options.lateral = false; // SQLite confirms
  Engines engines;
  Random random(7);
  unsigned mutants = 0, refuted = 0, proven = 0, wanted = numberOf(300);
  while (mutants < wanted) {
    QueryPtr query = randomQuery(random, catalog, options);
    size_t sites = countSites(query, catalog);
    if (sites == 0)
      continue;
    std::optional<Mutant> mutant = mutate(query, catalog, random.below(uint32_t(sites)));
    if (!mutant)
      continue;
    QueryPtr first = query, second = mutant->query;
    if (alignColumns(first, second, semantics))
      continue;
    ++mutants;
    RefuteLimits limits{std::chrono::milliseconds(200), 2000, random.next()};
    Refutation refutation = refute(*first, *second, catalog, semantics, limits, engines);
    EXPECT_FALSE(refutation.defect.has_value()) << toText(*first, catalog) << mutant->what << "\n"
                                                << refutation.script;
    bool differs = refutation.verdict.answer == Answer::NotEquivalent;
    refuted += differs;
    Verdict verdict = prove(*first, *second, catalog, semantics, {0.5});
    proven += verdict.answer == Answer::Equivalent;
    EXPECT_FALSE(differs && verdict.answer == Answer::Equivalent)
        << mutant->what << "\n"
        << toText(*first, catalog) << toText(*second, catalog) << refutation.script;
  }
  std::printf("%u mutants, %u refuted, %u proven equivalent\n", mutants, refuted, proven);
  EXPECT_GT(refuted, mutants / 4);
}

TEST(Mutants, RebuildingChangesNothing) {
  Catalog catalog = randomQueryCatalog();
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    QueryPtr query = randomQuery(random, catalog, {});
    QueryPtr again = rebuilt(query, catalog);
    EXPECT_TRUE(verify(*again, catalog).ok());
    EXPECT_EQ(toText(*query, catalog), toText(*again, catalog));
  }
}

TEST(Mutants, SchemasLoseOneConstraint) {
  Catalog catalog = randomQueryCatalog();
  ASSERT_EQ(countSchemaSites(catalog), 2u);
  EXPECT_EQ(mutateSchema(catalog, 0)->what, "a key of u dropped");
  std::optional<SchemaMutant> nullable = mutateSchema(catalog, 1);
  EXPECT_EQ(nullable->what, "NOT NULL of u.c dropped");
  EXPECT_FALSE(nullable->catalog.tables[1].keys[0].primary);
  EXPECT_FALSE(mutateSchema(catalog, 2).has_value());
}
