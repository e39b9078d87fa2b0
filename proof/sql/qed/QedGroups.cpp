// Grouping. An operator's columns are its keys, then one column for each function in the file's
// order; three functions have no counterpart as an aggregate and are put right by a projection
// above: $SUM0 is COALESCE(SUM, 0), GROUPING comes last in the algebra, and LITERAL_AGG is a
// constant, which the files lost: an unknown one, not NULL.
#include "proof/sql/qed/QedReader.h"

#include "proof/sql/query/Types.h"

#include <algorithm>
#include <map>

namespace imbrex::sql::qed {

namespace {

const std::map<std::string, AggregateKind> AggregateKinds = {
    {"COUNT", AggregateKind::Count},
    {"COUNT ROWS", AggregateKind::CountRows},
    {"SUM", AggregateKind::Sum},
    {"$SUM0", AggregateKind::Sum},
    {"AVG", AggregateKind::Avg},
    {"MIN", AggregateKind::Min},
    {"MAX", AggregateKind::Max},
    {"BOOL_AND", AggregateKind::BoolAnd},
    {"BOOL_OR", AggregateKind::BoolOr},
    {"SINGLE_VALUE", AggregateKind::SingleValue},
    {"ANY_VALUE", AggregateKind::AnyValue},
    {"CONST AGG", AggregateKind::AnyValue}, // of a column that is constant in each group
};

Result<std::vector<uint32_t>> readGroupingCall(const Json &operands,
                                               const std::vector<ExprPtr> &arguments,
                                               const std::vector<ExprPtr> &keys) {
  std::vector<uint32_t> call;
  for (const ExprPtr &argument : arguments) {
    uint32_t key = 0;
    while (key < keys.size() &&
           !(keys[key]->kind == ExprKind::Column && argument->kind == ExprKind::Column &&
             keys[key]->depth == 0 && argument->depth == 0 && keys[key]->index == argument->index))
      ++key;
    if (key == keys.size())
      return refused("GROUPING of something that is no key");
    call.push_back(key);
  }
  return call;
}

} // namespace

Result<Aggregate> Reader::readAggregate(const Json &json) {
  if (!json.isObject())
    return refused("an aggregate that the file calls '" + json.toText() + "'");
  std::string name = json.at("operator").toText();
  Aggregate aggregate;
  aggregate.type = readType(json.at("type").toText());
  aggregate.distinct = json.at("distinct").toBool();
  Result<std::vector<ExprPtr>> arguments = readExprs(json.at("operand"));
  if (!arguments)
    return arguments.takeError();
  aggregate.arguments = arguments.take();
  auto found = AggregateKinds.find(name);
  aggregate.kind = found == AggregateKinds.end() ? AggregateKind::Uninterpreted : found->second;
  if (aggregate.kind == AggregateKind::Count && aggregate.arguments.empty())
    aggregate.kind = AggregateKind::CountRows;
  if (aggregateType(aggregate, Groups::NeverEmpty).ok() &&
      aggregate.kind != AggregateKind::Uninterpreted)
    return aggregate;
  aggregate.kind = AggregateKind::Uninterpreted;
  aggregate.name = name;
  return aggregate;
}

Result<QueryPtr> Reader::readGroup(const Json &json) {
  Result<QueryPtr> input = readQuery(json.at("source"));
  if (!input)
    return input;
  Scope scope(*this, (*input)->columns);
  Result<std::vector<ExprPtr>> keys = readExprs(json.at("keys"));
  if (!keys)
    return keys.takeError();

  enum class Kind { Plain, Sum0, Grouping, Constant };
  std::vector<Kind> kinds;
  std::vector<ExprPtr> constants;
  std::vector<Aggregate> aggregates;
  std::vector<std::vector<uint32_t>> groupingCalls;
  for (const Json &item : json.at("function").items()) {
    Result<Aggregate> aggregate = readAggregate(item);
    if (!aggregate)
      return aggregate.takeError();
    std::string name = item.at("operator").toText();
    if (name == "GROUPING") {
      auto call = readGroupingCall(item.at("operand"), aggregate->arguments, *keys);
      if (!call)
        return call.takeError();
      groupingCalls.push_back(call.take());
      kinds.push_back(Kind::Grouping);
      continue;
    }
    if (name == "LITERAL_AGG" && aggregate->arguments.empty()) {
      Type type = aggregate->type;
      type.nullable = false;
      constants.push_back(makeParameter(name + " " + std::to_string(++lostConstants), type));
      kinds.push_back(Kind::Constant);
      continue;
    }
    kinds.push_back(name == "$SUM0" && aggregate->kind == AggregateKind::Sum ? Kind::Sum0
                                                                             : Kind::Plain);
    aggregates.push_back(aggregate.take());
  }

  size_t keyCount = keys->size();
  std::vector<uint32_t> all(keyCount);
  for (uint32_t i = 0; i < keyCount; ++i)
    all[i] = i;
  size_t aggregateCount = aggregates.size();
  QueryPtr group = makeGroup(*input, keys.take(), {all}, std::move(aggregates), groupingCalls);
  if (std::all_of(kinds.begin(), kinds.end(), [](Kind kind) { return kind == Kind::Plain; }))
    return group;

  std::vector<ExprPtr> exprs;
  for (uint32_t i = 0; i < keyCount; ++i)
    exprs.push_back(makeColumn(*group, i));
  uint32_t aggregate = uint32_t(keyCount), grouping = uint32_t(keyCount + aggregateCount);
  size_t constant = 0;
  for (Kind kind : kinds) {
    if (kind == Kind::Constant) {
      exprs.push_back(constants[constant++]);
      continue;
    }
    ExprPtr column = makeColumn(*group, kind == Kind::Grouping ? grouping++ : aggregate++);
    if (kind == Kind::Sum0)
      column = makeCall(Op::Coalesce, {column, castTo(makeInt(0), column->type)});
    exprs.push_back(column);
  }
  return makeProject(group, exprs);
}

} // namespace imbrex::sql::qed
