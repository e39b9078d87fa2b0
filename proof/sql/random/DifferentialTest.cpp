// The evaluator against engines: random queries over random databases give the same results.
#include "proof/sql/engine/Engines.h"
#include "proof/sql/evaluate/Evaluator.h"
#include "proof/sql/random/RandomQuery.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

struct Counts {
  unsigned queries = 0, compared = 0, faults = 0, refused = 0, rows = 0;
};

/// Rows of each tie as a bag.
bool sameList(const Rows &own, const Rows &other, const std::vector<uint32_t> &ties) {
  if (own.size() != other.size())
    return false;
  for (size_t i = 0; i < own.size();) {
    size_t end = i;
    while (end < own.size() && ties[end] == ties[i])
      ++end;
    if (!nearlyEqual(Rows(own.begin() + long(i), own.begin() + long(end)),
                     Rows(other.begin() + long(i), other.begin() + long(end))))
      return false;
    i = end;
  }
  return true;
}

std::string describe(const Rows &rows) {
  std::string text;
  for (const auto &row : rows) {
    for (const Value &value : row)
      text += toSql(value) + " ";
    text += "\n";
  }
  return text;
}

class Differential {
public:
  Differential(Engine engine, PostgresServer *server) : engine(engine), server(server) {
    options.lateral = engine == Engine::Postgres;
    options.setsWithDuplicates = engine == Engine::Postgres;
  }

  void run(uint64_t seed);
  Counts counts;

private:
  void compare(const Query &query, const Database &database, const RunResult &result,
               const TextPool &pool);

  Catalog catalog = randomQueryCatalog();
  Semantics semantics;
  RandomQueryOptions options;
  Engine engine;
  PostgresServer *server;
};

void Differential::compare(const Query &query, const Database &database, const RunResult &result,
                           const TextPool &pool) {
  Result<std::string> text = printSql(query, catalog, engine, semantics);
  EngineJob job;
  job.setup = printTables(catalog, engine, semantics) + printRows(database, catalog, engine);
  job.queries = {text ? *text : ""};
  job.columns = {query.columns};
  Result<std::vector<Rows>> rows = !text ? Result<std::vector<Rows>>(text.error())
                                   : engine == Engine::Sqlite ? runOnSqlite(job)
                                                              : server->run(job);
  if (!rows) {
    ++counts.refused;
    if (std::getenv("IMBREX_SHOW_REFUSED"))
      std::printf("%s\n%s\n", rows.error().str().c_str(), job.queries[0].c_str());
    return;
  }
  Rows own;
  for (uint32_t i = 0; i < result.rows->count; ++i) {
    own.emplace_back();
    for (uint32_t c = 0; c < result.rows->width; ++c)
      own.back().push_back(toValue(result.rows->row(i)[c], query.columns[c].type, pool));
  }
  ++counts.compared;
  counts.rows += unsigned(own.size());
  bool same = result.ties ? sameList(own, (*rows)[0], *result.ties) : nearlyEqual(own, (*rows)[0]);
  EXPECT_TRUE(same) << job.setup << job.queries[0] << ";\n"
                    << toText(query, catalog) << "evaluator:\n"
                    << describe(own) << engineName(engine) << ":\n"
                    << describe((*rows)[0]);
}

void Differential::run(uint64_t seed) {
  Random random(seed);
  QueryPtr query = randomQuery(random, catalog, options);
  Status valid = verify(*query, catalog);
  ASSERT_TRUE(valid.ok()) << valid.error().str() << toText(*query, catalog);
  ++counts.queries;
  TextPool pool;
  Result<Evaluator> evaluator = Evaluator::compile(*query, catalog, semantics, pool);
  ASSERT_TRUE(evaluator.ok()) << evaluator.error().str();
  auto generator = DatabaseGenerator::make(*query, *query, catalog, semantics, pool);
  ASSERT_TRUE(generator.ok());
  Instance instance;
  Meaning meaning = Meaning::plain(pool);
  for (int i = 0; i < 2; ++i) {
    generator->generate(random, instance, meaning);
    RunResult result = evaluator->run(instance, meaning);
    if (result.fault != Fault::None)
      ++counts.faults;
    else
      compare(*query, toDatabase(instance, catalog, pool), result, pool);
  }
}

/// More with IMBREX_RANDOM_QUERIES.
unsigned numberOf(unsigned usual) {
  const char *wanted = std::getenv("IMBREX_RANDOM_QUERIES");
  return wanted ? unsigned(std::atoi(wanted)) : usual;
}

void runAll(Differential &differential, unsigned queries) {
  for (uint64_t seed = 1; seed <= queries && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    differential.run(seed);
  }
  const Counts &counts = differential.counts;
  std::printf("%u queries, %u results compared with %u rows, %u faults, %u not run\n",
              counts.queries, counts.compared, counts.rows, counts.faults, counts.refused);
  EXPECT_GT(counts.compared, queries);
}

} // namespace

TEST(Differential, EvaluatorAndSqliteAgree) {
  Differential differential(Engine::Sqlite, nullptr);
  runAll(differential, numberOf(400));
}

TEST(Differential, EvaluatorAndPostgresAgree) {
  std::string whyNot;
  std::unique_ptr<PostgresServer> server = PostgresServer::start(whyNot);
  if (!server)
    GTEST_SKIP() << whyNot;
  Differential differential(Engine::Postgres, server.get());
  runAll(differential, numberOf(150));
}
