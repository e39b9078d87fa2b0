// Inside of the printer.
//
// A query becomes a Source: the text after FROM, conditions for WHERE, and the text of each column.
// Filters, joins and tables extend a source; everything else becomes a SELECT in parentheses with
// columns c0, c1, ... and a fresh alias, so no name can be captured.
#pragma once

#include "proof/sql/engine/PrintSql.h"

#include <optional>

namespace imbrex::sql::print {

using Texts = std::vector<std::string>;

struct Source {
  std::string from;
  std::string where;
  Texts columns;
};

std::string join(const Texts &texts, const char *separator);
std::string typeText(const Type &type, Engine engine);

class Printer {
public:
  Printer(const Catalog &catalog, Engine engine, const Semantics &semantics,
          const Interpretation &meaning)
      : catalog(catalog), engine(engine), semantics(semantics), meaning(meaning) {}

  /// A whole SELECT. The columns are named c0, c1, ...
  std::string select(const Query &query);
  /// With an outermost ORDER BY kept outermost.
  std::string selectList(const Query &query);
  std::string expr(const Expr &e);
  /// Over a row with these columns.
  std::string exprOver(const Expr &e, const Texts &row);

  const std::optional<Error> &error() const { return failure; }

private:
  Source source(const Query &query);
  Source item(const Query &query); // without WHERE
  Source joinSource(const Query &query);
  Source wrapped(std::string select, size_t width);
  std::string selectFrom(const Texts &columns, const Source &source, const char *head = "SELECT ");
  std::string values(const Query &query);
  std::string setOp(const Query &query);
  std::string window(const Query &query);
  std::string windowCall(const WindowFunction &function);
  std::string bound(const FrameBound &bound);
  std::string sorted(const Query &query, const Texts &columns, const Source &source);
  std::string sortKeys(const std::vector<SortKey> &order);
  std::string group(const Query &query);
  std::string groupOf(const Query &query, const Source &input, const Texts &keys,
                      const std::vector<Texts> &arguments, const Texts &filters,
                      const std::vector<std::vector<uint32_t>> &sets);
  std::string aggregate(const Aggregate &aggregate, Texts arguments, std::string filter);
  std::string typed(const Aggregate &aggregate, const std::string &text);

  std::string column(const Expr &e);
  std::string call(const Expr &e);
  std::string function(const Expr &e);
  std::string lookUp(const Expr &e, const FunctionTable &table);
  std::string extract(const Expr &e);
  std::string bits(const Expr &e);
  std::string cast(const Expr &e);
  std::string division(const Expr &e);
  std::string quantified(const Expr &e);
  Texts exprs(const std::vector<ExprPtr> &list);
  Texts exprsOver(const std::vector<ExprPtr> &list, const Texts &row);

  std::string refuse(const std::string &what);
  std::string alias() { return "t" + std::to_string(aliases++); }
  bool sqlite() const { return engine == Engine::Sqlite; }

  const Catalog &catalog;
  Engine engine;
  Semantics semantics;
  const Interpretation &meaning;
  std::vector<Texts> scopes; // texts of the columns of the enclosing rows, innermost last
  std::optional<Error> failure;
  unsigned aliases = 1;
};

} // namespace imbrex::sql::print
