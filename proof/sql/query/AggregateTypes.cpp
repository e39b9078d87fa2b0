#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

static Error rule(std::string text) { return internalError(1090, std::move(text)); }

Result<Type> aggregateType(const Aggregate &aggregate, Groups groups) {
  const auto &arguments = aggregate.arguments;
  if (aggregate.filter && !agree(aggregate.filter->type, {BaseType::Bool}))
    return rule("FILTER over " + typeName(aggregate.filter->type));
  switch (aggregate.kind) {
  case AggregateKind::CountRows:
    if (!arguments.empty())
      return rule("COUNT(*) with arguments");
    return Type{BaseType::Int, {}, false};
  case AggregateKind::Count:
    if (arguments.empty())
      return rule("COUNT without arguments");
    return Type{BaseType::Int, {}, false};
  case AggregateKind::Uninterpreted:
    return aggregate.type;
  default:
    break;
  }
  if (arguments.size() != 1)
    return rule("an aggregate needs one argument");
  Type type = arguments[0]->type;
  type.nullable = type.nullable || aggregate.filter || groups == Groups::MayBeEmpty;
  switch (aggregate.kind) {
  case AggregateKind::Avg:
    // AVG of integers is an integer or a number, by dialect: as declared.
    if (!isNumeric(type) || !isNumeric(aggregate.type))
      return rule("AVG over " + typeName(type));
    type.base = aggregate.type.base;
    return type;
  case AggregateKind::Sum:
    if (!isNumeric(type) && type.base != BaseType::Interval)
      return rule("SUM over " + typeName(type));
    return type;
  case AggregateKind::BoolAnd:
  case AggregateKind::BoolOr:
    if (!agree(type, {BaseType::Bool}))
      return rule("EVERY or SOME over " + typeName(type));
    type.base = BaseType::Bool;
    return type;
  default:
    return type;
  }
}

/// May the frame of a row lack that row, and so be empty?
static bool frameMayBeEmpty(const WindowFunction &window) {
  return window.from.kind == BoundKind::Following || window.to.kind == BoundKind::Preceding ||
         window.from.kind == BoundKind::UnboundedFollowing ||
         window.to.kind == BoundKind::UnboundedPreceding;
}

Result<Type> windowType(const WindowFunction &window) {
  const auto &arguments = window.aggregate.arguments;
  switch (window.kind) {
  case WindowKind::Aggregate:
    return aggregateType(window.aggregate,
                         frameMayBeEmpty(window) ? Groups::MayBeEmpty : Groups::NeverEmpty);
  case WindowKind::RowNumber:
  case WindowKind::Rank:
  case WindowKind::DenseRank:
    if (!arguments.empty())
      return rule("a ranking window function with arguments");
    return Type{BaseType::Int, {}, false};
  case WindowKind::PercentRank:
  case WindowKind::CumeDist:
    if (!arguments.empty())
      return rule("a ranking window function with arguments");
    return Type{BaseType::Number, {}, false};
  case WindowKind::NthValue: {
    if (arguments.size() != 2 || arguments[1]->type.base != BaseType::Int)
      return rule("NTH_VALUE needs a value and a number");
    Type type = arguments[0]->type;
    type.nullable = true;
    return type;
  }
  case WindowKind::Ntile:
    if (arguments.size() != 1)
      return rule("NTILE needs one argument");
    return Type{BaseType::Int, {}, arguments[0]->type.nullable};
  case WindowKind::Lag:
  case WindowKind::Lead: {
    if (arguments.empty() || arguments.size() > 3)
      return rule("LAG and LEAD need one to three arguments");
    if (arguments.size() == 3 && !agree(arguments[0]->type, arguments[2]->type))
      return rule("LAG or LEAD with a default of another type");
    Type type = arguments[0]->type;
    type.nullable = true;
    return type;
  }
  case WindowKind::FirstValue:
  case WindowKind::LastValue: {
    if (arguments.size() != 1)
      return rule("FIRST_VALUE and LAST_VALUE need one argument");
    Type type = arguments[0]->type;
    type.nullable |= frameMayBeEmpty(window);
    return type;
  }
  case WindowKind::Other:
    return window.aggregate.type;
  }
  return rule("a window function of no kind");
}

void deriveAggregateTypes(Query &query) {
  Groups groups = Groups::NeverEmpty;
  for (const auto &set : query.groupingSets)
    if (set.empty())
      groups = Groups::MayBeEmpty;
  for (Aggregate &aggregate : query.aggregates)
    if (Result<Type> type = aggregateType(aggregate, groups))
      aggregate.type = *type;
  for (WindowFunction &window : query.windows)
    if (Result<Type> type = windowType(window))
      window.aggregate.type = *type;
}

} // namespace imbrex::sql
