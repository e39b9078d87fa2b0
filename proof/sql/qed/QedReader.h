// Inside of the reader: what its files share.
#pragma once

#include "proof/sql/qed/ReadQed.h"
#include "proof/sql/query/Builders.h"
#include "support/json/Json.h"

namespace imbrex::sql::qed {

inline Error damaged(std::string what, std::string because = {}) {
  return badInput(1080, std::move(what), std::move(because));
}
inline Error refused(std::string what, std::string because = {}) {
  return unsupported(1081, std::move(what), std::move(because));
}

/// Of a table and of any result.
constexpr size_t MostColumns = 1000;
/// Operators and expressions of a file.
constexpr size_t MostParts = 50'000;

inline Error tooLarge(const char *what, size_t most) {
  return badInput(1001, std::string("the file has too many ") + what,
                  "it has over " + std::to_string(most), "a smaller pair");
}

/// INTEGER, BIGINT, INT, ... to the algebra's types; names it does not know become Other.
Type readType(const std::string &name);

/// An expression without operands: a number, a quoted text, TRUE, NULL, or else a constant that is
/// not known, which is a function without arguments.
Result<ExprPtr> readLeaf(const std::string &text, const Type &type);

/// Calcite's SEARCH over `Sarg[...]`: a disjunction of ranges.
Result<ExprPtr> readSearch(const ExprPtr &operand, const std::string &ranges);

/// `expr` as `type`: itself when it is of that base, else a cast.
ExprPtr castTo(const ExprPtr &expr, const Type &type);

/// Casts so that all have one base: numbers to DECIMAL when mixed, literals to the others' type.
/// False: they have nothing in common.
bool unify(std::vector<ExprPtr> &exprs);

class Reader {
public:
  explicit Reader(const Catalog &catalog) : catalog(catalog) {}

  /// E1001 for rows of over MostColumns columns, and for over MostParts parts.
  Result<QueryPtr> readQuery(const Json &json);
  /// Over the row on top of the scopes.
  Result<ExprPtr> readExpr(const Json &json);
  Result<std::vector<ExprPtr>> readExprs(const Json &json);

  /// The columns of a row, while expressions over it are read.
  class Scope {
  public:
    Scope(Reader &reader, std::vector<Column> columns) : reader(reader) {
      reader.scopes.push_back(std::move(columns));
    }
    ~Scope() { reader.scopes.pop_back(); }
    Scope(const Scope &) = delete;

  private:
    Reader &reader;
  };

private:
  Result<QueryPtr> readOperator(const Json &json);
  Result<QueryPtr> readValues(const Json &json);
  Result<QueryPtr> readFilter(const Json &json);
  Result<QueryPtr> readProject(const Json &json);
  Result<QueryPtr> readJoin(const Json &json);
  Result<QueryPtr> readCorrelate(const Json &json);
  Result<QueryPtr> readSetOp(SetKind set, const Json &json);
  Result<QueryPtr> readGroup(const Json &json);
  Result<QueryPtr> readSort(const Json &json);
  Result<Aggregate> readAggregate(const Json &json);

  Result<ExprPtr> readColumn(const Json &json);
  Result<ExprPtr> readSubquery(const Json &json);
  Result<ExprPtr> readCall(const std::string &op, const Json &json, const Type &type);
  Result<ExprPtr> readCase(std::vector<ExprPtr> operands, const Type &type);

  const Catalog &catalog;
  std::vector<std::vector<Column>> scopes; // outermost row first
  unsigned lostConstants = 0;              // each has a name of its own
  size_t parts = 0;                        // that were read
};

} // namespace imbrex::sql::qed
