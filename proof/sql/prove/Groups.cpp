// Groups and aggregates. COUNT and SUM are sums, MIN and MAX functions of the set of values, others
// functions of the bag of values.
#include "proof/sql/prove/Translate.h"

#include <algorithm>

namespace imbrex::sql {

SymbolicBag Translator::group(const Query &q, const Rows &outer) {
  SymbolicBag input = query(*q.inputs[0], outer), result;
  for (const std::vector<uint32_t> &set : q.groupingSets) {
    BagTerm group{{}, yes(), pool.integer(1), {}};
    for (uint32_t k = 0; k < q.exprs.size(); ++k) {
      Column column{"", q.exprs[k]->type};
      bool grouped = std::find(set.begin(), set.end(), k) != set.end();
      group.row.push_back(grouped ? freshRow({column}, group.variables)[0] : nullCell(column.type));
    }
    std::vector<Member> members;
    std::vector<Id> some;
    for (const BagTerm &term : input) {
      Rows rows = outer;
      rows.push_back(&term.row);
      std::vector<Id> guard{term.guard};
      for (uint32_t k : set) {
        SymbolicCell key = cellOfType(*q.exprs[k], q.exprs[k]->type, rows);
        guard.push_back(same(group.row[k], key));
      }
      members.push_back({term.variables, pool.conjunction(guard), term.factor, &term.row});
      some.push_back(this->some(members.back(), yes()));
    }
    if (!set.empty())
      group.guard = pool.disjunction(some);
    for (const Aggregate &aggregate : q.aggregates)
      group.row.push_back(this->aggregate(aggregate, members, outer));
    for (const std::vector<uint32_t> &call : q.groupingCalls) {
      int64_t bits = 0;
      for (uint32_t k : call)
        bits = bits * 2 + (std::find(set.begin(), set.end(), k) == set.end() ? 1 : 0);
      group.row.push_back({no(), pool.integer(bits), true});
    }
    result.push_back(std::move(group));
  }
  simplify(result);
  return result;
}

Id Translator::some(const Member &member, Id condition) {
  return occurs({member.variables, member.guard, member.factor, {}}, condition);
}

SymbolicCell Translator::aggregate(const Aggregate &aggregate, const std::vector<Member> &members,
                                   const Rows &outer) {
  std::vector<Member> filtered;
  std::vector<SymbolicRow> arguments;
  for (Member member : members) {
    Rows rows = outer;
    rows.push_back(member.row);
    if (aggregate.filter)
      member.guard = both(member.guard, truth(*aggregate.filter, rows).yes);
    SymbolicRow values;
    for (const ExprPtr &argument : aggregate.arguments)
      values.push_back(cell(*argument, rows));
    filtered.push_back(member);
    arguments.push_back(std::move(values));
  }
  return aggregateValues(aggregate, filtered, arguments);
}

SymbolicCell Translator::aggregateValues(const Aggregate &aggregate,
                                         const std::vector<Member> &members,
                                         const std::vector<SymbolicRow> &arguments) {
  AggregateKind kind = aggregate.kind;
  if (kind == AggregateKind::Uninterpreted)
    return ofBag(aggregate, members, arguments);
  if (kind == AggregateKind::AnyValue)
    return ofCollection("any", aggregate, members, arguments);
  if (kind == AggregateKind::SingleValue) {
    if (semantics.errors != ErrorPolicy::ErrorFree)
      throw NotCovered{"SINGLE_VALUE of several rows"};
    return ofCollection("single", aggregate, members, arguments);
  }
  std::vector<Id> counts{pool.integer(0)}, some;
  algebra::Sort sort = sortOf(aggregate.type);
  bool adds = kind == AggregateKind::Sum || kind == AggregateKind::Avg;
  if (adds && !algebra::isNumeric(sort) && kind == AggregateKind::Sum)
    return ofBag(aggregate, members, arguments);
  std::vector<Id> sums{pool.integer(0)};
  std::vector<Variable> distinctVariables;
  std::vector<Id> distinctBodies;
  SymbolicRow distinctRow;
  for (size_t m = 0; m < members.size(); ++m) {
    Member member = members[m];
    std::vector<Id> known{member.guard};
    for (const SymbolicCell &argument : arguments[m])
      known.push_back(invert(argument.null));
    member.guard = pool.conjunction(known);
    some.push_back(this->some(member, yes()));
    if (kind == AggregateKind::BoolAnd || kind == AggregateKind::BoolOr)
      continue;
    if (aggregate.distinct && kind != AggregateKind::CountRows) {
      if (distinctRow.empty())
        for (const SymbolicCell &argument : arguments[m]) {
          distinctVariables.push_back(pool.fresh({pool[argument.value].sort}));
          distinctRow.push_back({no(), pool.component(distinctVariables.back(), 0), true});
        }
      std::vector<Id> equal;
      for (size_t i = 0; i < distinctRow.size(); ++i)
        equal.push_back(pool.equal(
            distinctRow[i].value, convert(arguments[m][i], pool[distinctRow[i].value].sort).value));
      distinctBodies.push_back(this->some(member, pool.conjunction(equal)));
      continue;
    }
    counts.push_back(pool.sumOver(member.variables, member.guard, member.factor));
    if (adds)
      sums.push_back(pool.sumOver(member.variables, member.guard,
                                  pool.product({member.factor, arguments[m][0].value})));
  }
  if (!distinctRow.empty()) {
    Id body = pool.disjunction(distinctBodies);
    counts.push_back(pool.sumOver(distinctVariables, body, pool.integer(1)));
    if (adds)
      sums.push_back(pool.sumOver(distinctVariables, body, distinctRow[0].value));
  }
  Id count = pool.sum(counts), none = invert(pool.disjunction(some));
  switch (kind) {
  case AggregateKind::CountRows:
  case AggregateKind::Count:
    return {no(), count, true};
  case AggregateKind::Sum:
    return {none, pool.sum(sums), true};
  case AggregateKind::Avg:
    return average(pool.sum(sums), count, none, sort);
  case AggregateKind::BoolAnd:
  case AggregateKind::BoolOr: {
    std::vector<Id> found;
    bool all = kind == AggregateKind::BoolAnd;
    for (size_t m = 0; m < members.size(); ++m) {
      Truth t = truthOf(arguments[m][0]);
      found.push_back(this->some(members[m], all ? t.no : t.yes));
    }
    Id any = pool.disjunction(found);
    return {none, all ? invert(any) : any};
  }
  default:
    return ofCollection(kind == AggregateKind::Min ? "min" : "max", aggregate, members, arguments);
  }
}

/// The mean of integers as an integer is their sum divided as SQL divides.
SymbolicCell Translator::average(Id sum, Id count, Id none, algebra::Sort sort) {
  const char *name = sort != algebra::intSort             ? "quotient"
                     : pool[sum].sort == algebra::intSort ? "divide"
                                                          : "mean";
  return {none, pool.apply(pool.symbol(name), {sum, count}, sort)};
}

/// A function of the set of values that are not NULL; NULL when there is none. A set that can only
/// hold one known value has that one.
SymbolicCell Translator::ofCollection(const std::string &name, const Aggregate &aggregate,
                                      const std::vector<Member> &members,
                                      const std::vector<SymbolicRow> &arguments) {
  algebra::Sort sort = sortOf(aggregate.type);
  if (members.empty())
    return nullCell(aggregate.type);
  Variable v = pool.fresh({sort});
  Id value = pool.component(v, 0);
  std::vector<Id> bodies, some;
  algebra::Symbol symbol = pool.symbol(name + " " + std::to_string(sort));
  for (size_t m = 0; m < members.size(); ++m) {
    SymbolicCell argument = convert(arguments[m][0], sort);
    Id known = invert(argument.null);
    some.push_back(this->some(members[m], known));
    bodies.push_back(this->some(members[m], both(known, isOneOf(value, argument.value, symbol))));
  }
  Id body = pool.disjunction(bodies), none = invert(pool.disjunction(some));
  // Of NULL and a value ANY_VALUE may give either.
  for (const SymbolicRow &row : arguments)
    if (name == "any" && !pool.isFalse(row[0].null))
      throw NotCovered{"ANY_VALUE of values that may be NULL"};
  if (pool.isFalse(body))
    return nullCell(aggregate.type);
  algebra::Scope scope{{v}, body, {value}};
  algebra::simplify(pool, scope, algebra::Eliminate::Yes);
  if (scope.variables.empty())
    return {none, scope.payload[0]};
  if (name == "any")
    throw NotCovered{"ANY_VALUE of values that may differ"};
  return {none, pool.collect(symbol, {v}, body, {}, sort)};
}

/// The least of least values is the least of all: a set that such a value goes into may as well
/// hold the whole set it comes from (which is not empty when the value is not NULL).
Id Translator::isOneOf(Id value, Id argument, algebra::Symbol function) {
  const algebra::Node &node = pool[argument];
  bool nests = node.kind == algebra::Kind::Collect && node.symbol == function &&
               !pool.name(function).starts_with("single");
  if (!nests)
    return pool.equal(value, argument);
  std::vector<Id> body;
  std::vector<Variable> inner = pool.open(argument, body);
  return pool.substitute(body[0], {{inner[0].key, {value}}});
}

/// A function of the bag of argument values, NULLs included.
SymbolicCell Translator::ofBag(const Aggregate &aggregate, const std::vector<Member> &members,
                               const std::vector<SymbolicRow> &arguments) {
  std::vector<Variable> variables;
  SymbolicRow row;
  std::vector<Column> columns;
  for (const ExprPtr &argument : aggregate.arguments) {
    columns.push_back({"", argument->type});
    columns.back().type.nullable = true;
  }
  row = freshRow(columns, variables);
  std::vector<Id> counts{pool.integer(0)}, some;
  for (size_t m = 0; m < members.size(); ++m) {
    std::vector<Id> guard{members[m].guard};
    for (size_t i = 0; i < row.size(); ++i)
      guard.push_back(same(row[i], convert(arguments[m][i], pool[row[i].value].sort)));
    if (aggregate.distinct)
      some.push_back(this->some(members[m], pool.conjunction(guard)));
    else
      counts.push_back(
          pool.sumOver(members[m].variables, pool.conjunction(guard), members[m].factor));
  }
  Id body = pool.sum(counts);
  if (aggregate.distinct)
    body = pool.guarded(pool.disjunction(some), pool.integer(1));
  algebra::Sort sort = sortOf(aggregate.type);
  std::string name = "aggregate " + std::to_string(int(aggregate.kind)) + " " + aggregate.name +
                     " " + std::to_string(sort);
  SymbolicCell result;
  result.value = pool.collect(pool.symbol(name), variables, body, {}, sort);
  result.null = aggregate.type.nullable ? pool.collect(pool.symbol("null of " + name), variables,
                                                       body, {}, algebra::boolSort)
                                        : no();
  return result;
}

} // namespace imbrex::sql
