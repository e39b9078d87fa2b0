// What type each construct of the algebra has. One place: the builders take types from here and
// verify() compares with it. A derived type that is not nullable is a promise the prover may use.
#pragma once

#include "proof/sql/query/Query.h"

#include <string>
#include <vector>

namespace imbrex::sql {

/// Equal but for nullability.
bool sameBase(const Type &a, const Type &b);

/// sameBase, or one of them is Unknown (a bare NULL, a parameter).
bool agree(const Type &a, const Type &b);

bool isNumeric(const Type &type);       // Int, Number or Unknown
bool isComparison(Op op);               // Equal to GreaterEqual, IsDistinct, IsNotDistinct
std::string typeName(const Type &type); // INTEGER, VARCHAR, ...; "NOT NULL" is not part of it
const char *opName(Op op);              // AND, =, IS NULL, CASE, ...

/// The type of `op` over such operands; the error text says which rule is broken. Cast and
/// Function have the type they declare and are not asked about.
Result<Type> callType(Op op, const std::vector<ExprPtr> &operands);

/// The type of an In or Quantified expression is Bool; is it nullable?
bool membershipNullable(const std::vector<ExprPtr> &operands, const Query &query);

/// Does the query have exactly one row on every database, by its shape?
bool hasExactlyOneRow(const Query &query);

/// The type of an aggregate in groups that may be empty, or not. Uninterpreted: as declared.
enum class Groups : uint8_t { MayBeEmpty, NeverEmpty };
Result<Type> aggregateType(const Aggregate &aggregate, Groups groups);

Result<Type> windowType(const WindowFunction &window);

/// Gives the aggregates and window functions of `query` the types they have over their arguments.
void deriveAggregateTypes(Query &query);

/// The columns that `query` has by its inputs and parts: types exactly, names where they follow
/// (Scan, Filter, joins, ...), else those it has. Does not look below its inputs' columns.
Result<std::vector<Column>> derivedColumns(const Query &query, const Catalog &catalog);

} // namespace imbrex::sql
