#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

/// With how the results were compared in fact.
static std::string semanticsOf(const Decision &decision, Semantics semantics) {
  semantics.comparison = decision.comparison;
  return semantics.str();
}

static const char *headline(Answer answer) {
  return answer == Answer::Equivalent      ? "EQUIVALENT"
         : answer == Answer::NotEquivalent ? "NOT EQUIVALENT"
                                           : "UNKNOWN";
}

void printDecision(const Decision &decision, const Semantics &semantics,
                   const std::vector<std::string> &remarks) {
  const Verdict &verdict = decision.verdict;
  say("%s (%.3f s)\n", headline(verdict.answer), verdict.seconds);
  if (!verdict.reason.empty())
    say("reason: %s\n", verdict.reason.c_str());
  if (verdict.reason.starts_with("the time limit was met"))
    sayLine("try: a longer --timeout; the queries in smaller parts");
  if (!verdict.confirmedBy.empty())
    say("confirmed by running both queries on %s\n", verdict.confirmedBy.c_str());
  say("semantics: %s\n", semanticsOf(decision, semantics).c_str());
  for (const std::string &remark : remarks)
    say("remark: %s\n", remark.c_str());
  if (!decision.script.empty())
    say("\n%s\n", decision.script.c_str());
}

static Json valueJson(const Value &value) {
  if (const bool *flag = std::get_if<bool>(&value))
    return Json::of(*flag);
  if (const int64_t *integer = std::get_if<int64_t>(&value))
    return Json::of(*integer);
  if (const std::string *text = std::get_if<std::string>(&value))
    return Json::of(*text);
  return isNull(value) ? Json() : Json::of(toSql(value));
}

static Json databaseJson(const Database &database, const Catalog &catalog) {
  Json tables = Json::object();
  for (size_t i = 0; i < database.tables.size() && i < catalog.tables.size(); ++i) {
    Json rows = Json::array();
    for (const auto &row : database.tables[i]) {
      Json cells = Json::array();
      for (const Value &value : row)
        cells.push(valueJson(value));
      rows.push(std::move(cells));
    }
    tables.set(catalog.tables[i].name, std::move(rows));
  }
  return tables;
}

Json decisionJson(const Decision &decision, const Catalog &catalog, const Semantics &semantics,
                  const std::vector<std::string> &remarks) {
  const Verdict &verdict = decision.verdict;
  Json result = Json::object();
  result.set("verdict", answerName(verdict.answer)).set("seconds", verdict.seconds);
  result.set("semantics", semanticsOf(decision, semantics));
  if (!verdict.reason.empty())
    result.set("reason", verdict.reason);
  if (verdict.counterexample)
    result.set("database", databaseJson(*verdict.counterexample, catalog));
  if (!verdict.confirmedBy.empty())
    result.set("confirmedBy", verdict.confirmedBy);
  if (!decision.script.empty())
    result.set("script", decision.script);
  if (!remarks.empty())
    result.set("remarks", remarks);
  if (decision.defect)
    result.set("defect", decision.defect->str());
  return result;
}

} // namespace imbrex::tools::sql
