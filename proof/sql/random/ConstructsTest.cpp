// The evaluator against engines, construct by construct: every query of constructs.sql gives the
// same rows on random databases.
#include "proof/sql/bind/Bind.h"
#include "proof/sql/engine/Engines.h"
#include "proof/sql/evaluate/Evaluator.h"
#include "proof/sql/refute/Databases.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

constexpr int Databases = 12; // for each query

struct Statements {
  std::string schema;
  std::vector<std::string> queries;
};

Statements readStatements() {
  std::ifstream in(IMBREX_CONSTRUCTS);
  Statements statements;
  std::string statement;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--") || line.empty())
      continue;
    statement += line + "\n";
    if (!line.ends_with(";"))
      continue;
    if (statement.starts_with("CREATE"))
      statements.schema += statement;
    else
      statements.queries.push_back(statement.substr(0, statement.size() - 2));
    statement.clear();
  }
  return statements;
}

Rows rowsOf(const RunResult &result, const Query &query, const TextPool &pool) {
  Rows rows;
  for (uint32_t i = 0; i < result.rows->count; ++i) {
    rows.emplace_back();
    for (uint32_t c = 0; c < result.rows->width; ++c)
      rows.back().push_back(toValue(result.rows->row(i)[c], query.columns[c].type, pool));
  }
  return rows;
}

/// How many of the databases gave a result that `run` was asked about.
int compareOnDatabases(const std::string &text, const Schema &schema, Engine engine,
                       const std::function<Result<std::vector<Rows>>(const EngineJob &)> &run) {
  Semantics semantics = Semantics::of(Dialect::Postgres);
  Result<BoundQuery> bound = readQuery(text, "constructs.sql", schema, semantics);
  EXPECT_TRUE(bound.ok()) << text << bound.error().str();
  if (!bound)
    return 0;
  const Query &query = *bound->query;
  Result<std::string> printed = printSql(query, schema.catalog, engine, semantics);
  if (!printed)
    return -1;
  TextPool pool;
  Result<Evaluator> evaluator = Evaluator::compile(query, schema.catalog, semantics, pool);
  auto generator = DatabaseGenerator::make(query, query, schema.catalog, semantics, pool);
  EXPECT_TRUE(evaluator.ok() && generator.ok()) << text;
  if (!evaluator || !generator)
    return 0;
  Random random(3);
  Instance instance;
  Meaning meaning = Meaning::plain(pool);
  int compared = 0;
  for (int attempt = 0; attempt < 30 * Databases && compared < Databases; ++attempt) {
    generator->generate(random, instance, meaning);
    RunResult own = evaluator->run(instance, meaning);
    if (own.fault != Fault::None || evaluator->usesMeaning())
      continue;
    EngineJob job;
    job.setup = printTables(schema.catalog, engine, semantics) +
                printRows(toDatabase(instance, schema.catalog, pool), schema.catalog, engine);
    job.queries = {*printed};
    job.columns = {query.columns};
    Result<std::vector<Rows>> rows = run(job);
    EXPECT_TRUE(rows.ok()) << *printed << rows.error().str();
    if (!rows)
      return compared;
    ++compared;
    EXPECT_TRUE(nearlyEqual(rowsOf(own, query, pool), (*rows)[0])) << job.setup << text;
  }
  return compared;
}

} // namespace

TEST(Constructs, EvaluatorAndPostgresAgree) {
  std::string whyNot;
  std::unique_ptr<PostgresServer> server = PostgresServer::start(whyNot);
  if (!server)
    GTEST_SKIP() << whyNot;
  Statements statements = readStatements();
  Result<Schema> schema =
      readSchema(statements.schema, "constructs.sql", Semantics::of(Dialect::Postgres));
  ASSERT_TRUE(schema.ok()) << schema.error().str();
  ASSERT_GT(statements.queries.size(), 40u);
  for (const std::string &query : statements.queries)
    EXPECT_EQ(compareOnDatabases(query, *schema, Engine::Postgres,
                                 [&](const EngineJob &job) { return server->run(job); }),
              Databases)
        << query;
}

TEST(Constructs, EvaluatorAndSqliteAgree) {
  Statements statements = readStatements();
  Result<Schema> schema =
      readSchema(statements.schema, "constructs.sql", Semantics::of(Dialect::Postgres));
  ASSERT_TRUE(schema.ok());
  int ran = 0;
  for (const std::string &query : statements.queries) {
    int compared = compareOnDatabases(query, *schema, Engine::Sqlite, runOnSqlite);
    EXPECT_TRUE(compared == Databases || compared == -1) << query;
    ran += compared == Databases;
  }
  std::printf("%d of %zu queries run on SQLite\n", ran, statements.queries.size());
  EXPECT_GT(ran, 25);
}
