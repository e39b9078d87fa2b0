#include "proof/sql/engine/Printer.h"

#include <algorithm>
#include <set>

namespace imbrex::sql::print {

namespace {

bool isInnerColumn(const Expr &expr) { return expr.kind == ExprKind::Column && expr.depth == 0; }

/// Only columns of the input: then nothing needs a SELECT of its own. Keys that are constants would
/// be read as numbers of columns, and an aggregate over outer columns only would be the outer
/// query's.
bool isPlain(const Query &query) {
  for (const ExprPtr &key : query.exprs)
    if (!isInnerColumn(*key))
      return false;
  for (const Aggregate &aggregate : query.aggregates) {
    for (const ExprPtr &argument : aggregate.arguments)
      if (!isInnerColumn(*argument))
        return false;
    if (aggregate.filter && !isInnerColumn(*aggregate.filter))
      return false;
  }
  return true;
}

/// Of the aggregates that the algebra does not know, those whose meaning the evaluator shares.
const std::set<std::string> KnownToPostgres = {"VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP",
                                               "BIT_AND", "BIT_OR",   "BIT_XOR"};

bool isWholeSet(const std::vector<uint32_t> &set, size_t keys) {
  std::vector<bool> has(keys);
  for (uint32_t key : set)
    has[key] = true;
  return std::all_of(has.begin(), has.end(), [](bool b) { return b; });
}

} // namespace

/// Arguments and filter are texts over the input.
std::string Printer::aggregate(const Aggregate &aggregate, Texts arguments, std::string filter) {
  std::string where = filter.empty() ? "" : " FILTER (WHERE " + filter + ")";
  std::string distinct = aggregate.distinct ? "DISTINCT " : "";
  bool boolean = !aggregate.arguments.empty() &&
                 aggregate.arguments[0]->type.base == BaseType::Bool && !sqlite();
  auto call = [&](const char *name) {
    return name + std::string("(") + distinct + arguments[0] + ")" + where;
  };
  switch (aggregate.kind) {
  case AggregateKind::CountRows:
    return "COUNT(*)" + where;
  case AggregateKind::Count: {
    if (arguments.size() == 1)
      return call("COUNT");
    Texts known;
    for (const std::string &argument : arguments)
      known.push_back(argument + " IS NOT NULL");
    std::string all = join(known, " AND ");
    if (!aggregate.distinct)
      return "COUNT(CASE WHEN " + all + " THEN 1 END)" + where;
    if (sqlite())
      return refuse("COUNT(DISTINCT) of several columns");
    return "COUNT(DISTINCT CASE WHEN " + all + " THEN ROW(" + join(arguments, ", ") + ") END)" +
           where;
  }
  case AggregateKind::Sum:
    return call("SUM");
  case AggregateKind::Avg:
    return call("AVG");
  case AggregateKind::Min:
  case AggregateKind::SingleValue: // of one row, on runs without an error
  case AggregateKind::AnyValue:    // of equal values, on determined runs
    return call(boolean ? "BOOL_AND" : "MIN");
  case AggregateKind::Max:
    return call(boolean ? "BOOL_OR" : "MAX");
  case AggregateKind::BoolAnd:
    return call(sqlite() ? "MIN" : "BOOL_AND");
  case AggregateKind::BoolOr:
    return call(sqlite() ? "MAX" : "BOOL_OR");
  case AggregateKind::Uninterpreted:
    if (!sqlite() && KnownToPostgres.contains(aggregate.name) && arguments.size() == 1)
      return call(aggregate.name.c_str());
    return refuse("the aggregate " + aggregate.name);
  }
  return {};
}

/// `text` is an aggregate, with its OVER clause if any. AVG of integers may be an integer by
/// meaning, and PostgreSQL's SUM of integers is none, so that divisions of it would not truncate.
std::string Printer::typed(const Aggregate &aggregate, const std::string &text) {
  if (aggregate.type.base != BaseType::Int)
    return text;
  if (aggregate.kind == AggregateKind::Avg)
    return sqlite() ? "CAST(" + text + " AS INTEGER)" : "CAST(TRUNC(" + text + ") AS BIGINT)";
  if (aggregate.kind == AggregateKind::Sum && !sqlite())
    return "CAST(" + text + " AS BIGINT)";
  return text;
}

/// One SELECT for `sets`, which the engine understands.
std::string Printer::groupOf(const Query &query, const Source &input, const Texts &keys,
                             const std::vector<Texts> &arguments, const Texts &filters,
                             const std::vector<std::vector<uint32_t>> &sets) {
  bool plain = sets.size() == 1 && (isWholeSet(sets[0], keys.size()) || sqlite());
  Texts columns;
  for (uint32_t k = 0; k < keys.size(); ++k) {
    bool masked = plain && std::find(sets[0].begin(), sets[0].end(), k) == sets[0].end();
    columns.push_back(masked ? printValue(Value(), query.exprs[k]->type, engine) : keys[k]);
  }
  for (size_t a = 0; a < query.aggregates.size(); ++a)
    columns.push_back(
        typed(query.aggregates[a], aggregate(query.aggregates[a], arguments[a], filters[a])));
  for (const auto &call : query.groupingCalls) {
    int64_t bits = 0;
    Texts names;
    for (uint32_t key : call) {
      bits = bits * 2 + (std::find(sets[0].begin(), sets[0].end(), key) == sets[0].end());
      names.push_back(keys[key]);
    }
    columns.push_back(plain ? std::to_string(bits) : "GROUPING(" + join(names, ", ") + ")");
  }
  if (columns.empty())
    columns = {"COUNT(*)"}; // makes it a group where there is nothing to compute
  std::string text = selectFrom(columns, input);
  Texts groupings;
  for (const auto &set : sets) {
    Texts names;
    for (uint32_t key : set)
      names.push_back(keys[key]);
    groupings.push_back(join(names, ", "));
  }
  if (!plain)
    return text + " GROUP BY GROUPING SETS ((" + join(groupings, "), (") + "))";
  if (!groupings[0].empty())
    return text + " GROUP BY " + groupings[0];
  if (!query.aggregates.empty() || columns[0] == "COUNT(*)")
    return text;
  // Constants only: an aggregate below makes one row of all rows.
  return selectFrom(columns, wrapped(selectFrom({"COUNT(*)"}, input), 1));
}

std::string Printer::group(const Query &query) {
  Source input = source(*query.inputs[0]);
  Texts columns;
  auto add = [&](const ExprPtr &e) {
    columns.push_back(exprOver(*e, input.columns));
    return columns.size() - 1;
  };
  std::vector<size_t> keyPlaces, filterPlaces;
  std::vector<std::vector<size_t>> argumentPlaces;
  for (const ExprPtr &key : query.exprs)
    keyPlaces.push_back(add(key));
  for (const Aggregate &aggregate : query.aggregates) {
    argumentPlaces.emplace_back();
    for (const ExprPtr &argument : aggregate.arguments)
      argumentPlaces.back().push_back(add(argument));
    filterPlaces.push_back(aggregate.filter ? add(aggregate.filter) : ~size_t(0));
  }
  if (!isPlain(query)) {
    input = wrapped(selectFrom(columns, input), columns.size());
    columns = input.columns;
  }
  Texts keys, filters;
  std::vector<Texts> arguments;
  for (size_t place : keyPlaces)
    keys.push_back(columns[place]);
  for (size_t a = 0; a < query.aggregates.size(); ++a) {
    arguments.emplace_back();
    for (size_t place : argumentPlaces[a])
      arguments.back().push_back(columns[place]);
    filters.push_back(filterPlaces[a] == ~size_t(0) ? "" : columns[filterPlaces[a]]);
  }
  if (!sqlite() || query.groupingSets.size() == 1)
    return groupOf(query, input, keys, arguments, filters, query.groupingSets);
  Texts parts;
  for (const auto &set : query.groupingSets)
    parts.push_back(groupOf(query, input, keys, arguments, filters, {set}));
  return join(parts, " UNION ALL ");
}

} // namespace imbrex::sql::print
