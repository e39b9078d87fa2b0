// From the row before grouping to the row after it. Expressions of a SELECT are bound over the row
// of FROM; where there is GROUP BY or an aggregate, this maps them to the row of the Group: what
// equals a key becomes that key's column, aggregates become theirs, and any other column must
// follow from a primary key among the keys.
#pragma once

#include "proof/sql/bind/Binder.h"

namespace imbrex::sql {

class Grouping {
public:
  Grouping(const Binder &binder, const Schema &schema, const Relation &from, Calls &calls,
           std::vector<ExprPtr> keys, std::vector<std::vector<uint32_t>> sets)
      : binder(binder), schema(schema), from(from), calls(calls), keys(std::move(keys)),
        sets(std::move(sets)) {}

  /// Over the Group's row, except for the stand-ins of calls (Scope.h), which `settled` replaces
  /// when all keys are known. `place`: of the clause, for messages.
  ExprPtr grouped(const ExprPtr &raw, Place place,
                  const std::unordered_map<const Expr *, Place> &places);

  QueryPtr group(QueryPtr input);
  uint32_t width() const;

  /// Stand-ins to columns: of aggregates and GROUPING at `keyCount` and on, of windows at
  /// `windows`.
  static ExprPtr settled(const ExprPtr &expr, const Query &row, uint32_t keyCount,
                         uint32_t aggregateCount, uint32_t windows);
  uint32_t keyCount() const { return uint32_t(keys.size()); }

private:
  Type keyType(uint32_t key) const;
  bool follows(uint32_t column) const;

  const Binder &binder;
  const Schema &schema;
  const Relation &from;
  Calls &calls;
  std::vector<ExprPtr> keys;
  std::vector<std::vector<uint32_t>> sets;
};

} // namespace imbrex::sql
