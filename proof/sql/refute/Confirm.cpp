#include "proof/sql/refute/Search.h"

#include <algorithm>
#include <utility>

namespace imbrex::sql::refuter {

namespace {

Rows valuesOf(const RunResult &result, const Query &query, const TextPool &pool) {
  Rows rows;
  for (uint32_t i = 0; i < result.rows->count; ++i) {
    auto &row = rows.emplace_back();
    for (uint32_t c = 0; c < result.rows->width; ++c)
      row.push_back(toValue(result.rows->row(i)[c], query.columns[c].type, pool));
  }
  return rows;
}

/// Parameters of a query with the values they have in this run.
void addParameters(const Query &query, const Meaning &meaning, const TextPool &pool,
                   Interpretation &result) {
  forEachExpr(query, [&](const Expr &expr) {
    if (expr.kind == ExprKind::Parameter)
      result.parameters[expr.name] =
          toValue(meaning.parameter(expr.name, expr.type), expr.type, pool);
  });
}

bool isDeclared(const FunctionCalls &function, const Catalog &catalog) {
  return std::find(catalog.functions.begin(), catalog.functions.end(), function.name) !=
         catalog.functions.end();
}

/// The values that declared functions had in this run, from `calls`.
void addFunctions(const std::vector<FunctionCalls> &calls, const Pair &pair,
                  Interpretation &result) {
  for (const FunctionCalls &function : calls) {
    if (!isDeclared(function, pair.catalog))
      continue;
    FunctionTable &table = result.functions[function.name];
    for (const auto &[arguments, value] : function.calls) {
      auto &row = table.rows.emplace_back();
      for (const Cell &argument : arguments)
        row.first.push_back(toValue(argument, {}, pair.pool));
      row.second = toValue(value, function.type, pair.pool);
    }
  }
}

/// What the functions mean, for the reader of the script.
std::string notesOn(const Interpretation &meaning) {
  std::string text;
  for (const auto &[name, table] : meaning.functions)
    for (const auto &[arguments, result] : table.rows) {
      text += "-- " + name + "(";
      for (size_t i = 0; i < arguments.size(); ++i)
        text += (i ? ", " : "") + toSql(arguments[i]);
      text += ") = " + toSql(result) + "\n";
    }
  return text;
}

Result<EngineJob> makeJob(Pair &pair, const Candidate &candidate, Engine engine,
                          const OriginalTexts &originals, const std::vector<FunctionCalls> &calls) {
  Database database = toDatabase(candidate.instance, pair.catalog, pair.pool);
  EngineJob job;
  std::vector<bool> used = usedTables(pair.first, pair.second, pair.catalog);
  job.setup = printTables(pair.catalog, engine, pair.semantics, used) +
              printRows(database, pair.catalog, engine);
  job.columns = {pair.first.columns, pair.second.columns};
  if (!originals.first.empty() && !originals.second.empty()) {
    job.queries = {originals.first, originals.second};
    return job;
  }
  Interpretation meaning;
  addParameters(pair.first, candidate.meaning, pair.pool, meaning);
  addParameters(pair.second, candidate.meaning, pair.pool, meaning);
  addFunctions(calls, pair, meaning);
  job.notes = notesOn(meaning);
  for (const Query *query : {&pair.first, &pair.second}) {
    Result<std::string> text = printSql(*query, pair.catalog, engine, pair.semantics, meaning);
    if (!text)
      return text.takeError();
    job.queries.push_back(text.take());
  }
  return job;
}

std::string describe(const Rows &rows) {
  if (rows.empty())
    return "-- no rows\n";
  std::string text;
  for (const auto &row : rows) {
    text += "--   ";
    for (size_t i = 0; i < row.size(); ++i)
      text += (i ? ", " : "") + toSql(row[i]);
    text += "\n";
  }
  return text;
}

std::string makeScript(const EngineJob &job, const Rows &first, const Rows &second) {
  auto statement = [](std::string text) {
    while (!text.empty() && (text.back() == ';' || text.back() == '\n' || text.back() == ' '))
      text.pop_back();
    return text + ";\n";
  };
  return job.setup + "\n" + job.notes + statement(job.queries[0]) + describe(first) + "\n" +
         statement(job.queries[1]) + describe(second);
}

/// Do the engine's own results differ? For lists the order counts.
bool resultsDiffer(const Rows &first, const Rows &second, const Pair &pair) {
  bool lists = pair.firstResult.ties && pair.secondResult.ties &&
               (pair.semantics.comparison == Comparison::Automatic ||
                pair.semantics.comparison == Comparison::List);
  if (pair.semantics.comparison == Comparison::Set) {
    Rows a, b;
    for (const auto &row : first)
      if (std::find(a.begin(), a.end(), row) == a.end())
        a.push_back(row);
    for (const auto &row : second)
      if (std::find(b.begin(), b.end(), row) == b.end())
        b.push_back(row);
    return !nearlyEqual(a, b);
  }
  if (!lists)
    return !nearlyEqual(first, second);
  for (size_t i = 0; i < first.size() && i < second.size(); ++i)
    if (!nearlyEqual(Rows{first[i]}, Rows{second[i]}))
      return true;
  return first.size() != second.size();
}

struct Attempt {
  bool ran = false, agrees = false, differs = false;
  std::string why, script, version;
};

Attempt attempt(Pair &pair, const Candidate &candidate, Engine engine, Engines &engines,
                const OriginalTexts &originals, const std::vector<FunctionCalls> &calls,
                double seconds) {
  Attempt result;
  Result<EngineJob> job = makeJob(pair, candidate, engine, originals, calls);
  if (!job) {
    result.why = job.error().what + " (" + job.error().because + ")";
    return result;
  }
  job->limit = std::chrono::milliseconds(int64_t(std::clamp(seconds, 0.1, 2.0) * 1000));
  PostgresServer *server = engine == Engine::Postgres ? engines.postgres(result.why) : nullptr;
  if (engine == Engine::Postgres && !server)
    return result;
  result.version = server ? server->version() : sqliteVersion();
  Result<std::vector<Rows>> rows = engine == Engine::Sqlite ? runOnSqlite(*job) : server->run(*job);
  if (!rows) {
    result.why = rows.error().what + ": " + rows.error().because;
    return result;
  }
  result.ran = true;
  result.agrees = nearlyEqual((*rows)[0], valuesOf(pair.firstResult, pair.first, pair.pool)) &&
                  nearlyEqual((*rows)[1], valuesOf(pair.secondResult, pair.second, pair.pool));
  result.differs = resultsDiffer((*rows)[0], (*rows)[1], pair);
  result.script = makeScript(*job, (*rows)[0], (*rows)[1]);
  return result;
}

} // namespace

Confirmation confirm(Pair &pair, const Candidate &candidate, Engines &engines,
                     const OriginalTexts &originals, double seconds, Refutation &refutation) {
  Verdict &verdict = refutation.verdict;
  std::vector<FunctionCalls> calls;
  Meaning recording = candidate.meaning;
  recording.record = &calls;
  pair.run(candidate.instance, recording); // its results are compared below
  // Functions that engines know have another meaning there than the one that was drawn.
  bool drawn = pair.firstEvaluator.usesMeaning() || pair.secondEvaluator.usesMeaning();
  bool contradicted = false, ranAtHome = false;
  const Engine home = pair.semantics.dialect == Dialect::Sqlite ? Engine::Sqlite : Engine::Postgres;
  std::string reasons, disagreement, script;
  auto tryOn = [&](Engine engine, const OriginalTexts &texts) {
    Attempt result = attempt(pair, candidate, engine, engines, texts, calls, seconds);
    ranAtHome |= result.ran && engine == home;
    if (result.ran && result.agrees && result.differs) {
      verdict.answer = Answer::NotEquivalent;
      verdict.reason.clear();
      verdict.confirmedBy = result.version;
      refutation.script = result.script;
      return true;
    }
    if (result.ran && !result.agrees && disagreement.empty()) {
      disagreement = engineName(engine);
      script = result.script;
    }
    contradicted |= result.ran && !result.differs;
    reasons += (reasons.empty() ? "" : "; ") + std::string(engineName(engine)) + ": " +
               (result.ran ? "its results do not confirm the difference" : result.why);
    return false;
  };
  bool callsDeclared = std::any_of(calls.begin(), calls.end(), [&](const FunctionCalls &function) {
    return isDeclared(function, pair.catalog); // which no engine knows
  });
  bool written = !originals.first.empty() && !originals.second.empty() && !callsDeclared;
  auto ran = [&] { return contradicted || !disagreement.empty(); };
  // Texts that neither engine reads, or reads otherwise: `||` is OR in MySQL, and without
  // PostgreSQL, SQLite puts NULL at the other end of an order.
  Dialect dialect = pair.semantics.dialect;
  bool isForeign = dialect == Dialect::MySql || dialect == Dialect::Calcite;
  // What SQLite does with its own dialect no other engine knows better.
  auto tryBoth = [&](const OriginalTexts &texts) {
    bool decided = tryOn(Engine::Sqlite, texts);
    bool isHome = home == Engine::Sqlite && ran();
    return decided || (!isHome && tryOn(Engine::Postgres, texts));
  };
  bool confirmed = written && tryBoth(originals);
  if (!confirmed && (!ran() || (written && (isForeign || !ranAtHome)))) {
    bool wasContradicted = std::exchange(contradicted, false);
    std::string firstDisagreement = std::exchange(disagreement, {}), firstScript = script;
    confirmed = tryBoth({});
    if (!confirmed && !ran()) { // then the first word stands
      contradicted = wasContradicted;
      disagreement = firstDisagreement;
      script = firstScript;
    }
  }
  if (confirmed) {
    verdict.counterexample = toDatabase(candidate.instance, pair.catalog, pair.pool);
    return Confirmation::Confirmed;
  }
  if (drawn && contradicted)
    return Confirmation::Contradicted;
  verdict.counterexample = toDatabase(candidate.instance, pair.catalog, pair.pool);
  verdict.reason = "a database on which the queries seem to differ was not confirmed: " + reasons;
  if (!drawn && !disagreement.empty()) {
    refutation.script = script;
    refutation.defect =
        internalError(1130, "the evaluator and " + disagreement + " disagree about a query");
  }
  return Confirmation::Unconfirmed;
}

} // namespace imbrex::sql::refuter
