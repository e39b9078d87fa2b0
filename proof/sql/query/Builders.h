// Builds well-typed expressions and operators: result types and columns are derived (Types.h), so
// callers only give the parts. Operands must fit, as verify() demands: a misfit is a defect of the
// caller and asserts; front ends check user input first (callType). O(size of the new node).
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <functional>
#include <string>
#include <vector>

namespace imbrex::sql {

ExprPtr makeLiteral(Value value, Type type); // nullability is taken from the value
ExprPtr makeBool(bool value);
ExprPtr makeInt(int64_t value);
ExprPtr makeText(std::string value);
ExprPtr makeNull(Type type = {});
ExprPtr makeColumn(uint32_t depth, uint32_t index, Type type);
ExprPtr makeColumn(const Query &input, uint32_t index); // at depth 0, over a row of `input`
ExprPtr makeParameter(std::string name, Type type);
ExprPtr makeCall(Op op, std::vector<ExprPtr> operands); // not Cast, not Function
ExprPtr makeCast(ExprPtr operand, Type type);           // nullable as the operand
ExprPtr makeFunction(std::string name, std::vector<ExprPtr> operands, Type type);
/// TRIM, LTRIM or RTRIM for the sides BOTH, LEADING, TRAILING. `characters` is null for blanks.
ExprPtr makeTrim(std::string_view side, ExprPtr text, ExprPtr characters, Type type);
ExprPtr makeExists(QueryPtr query);
ExprPtr makeIn(std::vector<ExprPtr> operands, QueryPtr query);
ExprPtr makeQuantified(ExprPtr operand, Op op, Quantifier quantifier, QueryPtr query);
ExprPtr makeScalar(QueryPtr query); // of one column

/// AND of the given: TRUE of none, itself of one; nested ANDs are flattened.
ExprPtr makeAnd(std::vector<ExprPtr> operands);

QueryPtr makeScan(const Catalog &catalog, uint32_t table);
/// Columns give names and bases; nullability follows from the rows. No rows: an empty relation.
QueryPtr makeValues(std::vector<Column> columns, std::vector<std::vector<ExprPtr>> rows);
QueryPtr makeFilter(QueryPtr input, ExprPtr condition);
/// Missing names are empty.
QueryPtr makeProject(QueryPtr input, std::vector<ExprPtr> exprs,
                     std::vector<std::string> names = {});
enum class Lateral : uint8_t { No, Yes };
QueryPtr makeJoin(JoinKind kind, QueryPtr left, QueryPtr right, ExprPtr condition,
                  Lateral lateral = Lateral::No);
enum class Duplicates : uint8_t { Remove, Keep };
QueryPtr makeSetOp(SetKind set, Duplicates duplicates, std::vector<QueryPtr> inputs);
QueryPtr makeDistinct(QueryPtr input);
QueryPtr makeGroup(QueryPtr input, std::vector<ExprPtr> keys,
                   std::vector<std::vector<uint32_t>> groupingSets,
                   std::vector<Aggregate> aggregates,
                   std::vector<std::vector<uint32_t>> groupingCalls = {});
QueryPtr makeWindow(QueryPtr input, std::vector<WindowFunction> windows);
QueryPtr makeSort(QueryPtr input, std::vector<SortKey> order, ExprPtr limit = nullptr,
                  ExprPtr offset = nullptr);

/// `query` with other column names.
QueryPtr renamed(const QueryPtr &query, std::vector<std::string> names);

/// The Sort that makes the result of `query` a list: the outermost operator, or one below nothing
/// but Projects (which drop columns that only ORDER BY needs). Null when the result is a bag.
const Query *outermostSort(const Query &query);

/// Automatic decided: List where both are lists, else Bag.
Comparison settled(Comparison comparison, const Query &first, const Query &second);

} // namespace imbrex::sql
