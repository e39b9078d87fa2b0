#include "proof/sql/bind/Bind.h"

#include "proof/sql/bind/Binder.h"
#include "proof/sql/parse/Parse.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {

void Binder::fail(uint16_t code, std::string what, std::string because, std::string remedy,
                  Place place) const {
  throw BindError{badInput(code, abridged(std::move(what)), std::move(because), std::move(remedy),
                           {file, place.line, place.column})};
}

void Binder::notSupported(const std::string &what, Place place) const {
  throw BindError{unsupported(1050, what + " is not supported", "", "another way to write it",
                              {file, place.line, place.column})};
}

std::string Binder::folded(const ast::Name &name) const {
  if (rules.folding == NameFolding::Insensitive ||
      (rules.folding == NameFolding::Upper && !name.quoted))
    return upperCase(name.text);
  if (name.quoted)
    return name.text;
  std::string text = name.text;
  for (char &c : text)
    c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
  return text;
}

void Binder::addRemark(std::string text) {
  if (std::find(remarks.begin(), remarks.end(), text) == remarks.end())
    remarks.push_back(std::move(text));
}

void Binder::charge(uint64_t nodes, Place place) {
  expanded += nodes;
  if (expanded > MaxTreeSize)
    fail(1001, "the query is too large",
         "with its views and common tables in line it has over " + std::to_string(MaxTreeSize) +
             " parts",
         "proving it in pieces", place);
}

void Binder::limitColumns(size_t count, const char *what, Place place) const {
  if (count > MaxColumns)
    fail(1001, std::string(what) + " has too many parts",
         "it has over " + std::to_string(MaxColumns) + " columns, keys or functions",
         "fewer of them", place);
}

void Binder::chargeCopies(const ExprPtr &expr, size_t copies, Place place) {
  if (copies > 1)
    charge(treeSize(*expr) * (copies - 1), place);
}

Result<BoundQuery> bindQuery(const ast::QueryPtr &query, const std::string &file,
                             const Schema &schema, const Semantics &semantics) {
  Binder binder(schema, semantics, file);
  try {
    NamedQuery bound = binder.bindQuery(query, nullptr, nullptr, Ordering::Keep);
    binder.charge(treeSize(*bound.query), query->place);
    if (Status status = verify(*bound.query, schema.catalog); !status)
      return status.takeError();
    return BoundQuery{bound.query, std::move(binder.remarks)};
  } catch (BindError &error) {
    return std::move(error.error);
  }
}

Result<BoundQuery> readQuery(std::string_view text, const std::string &file, const Schema &schema,
                             const Semantics &semantics) {
  Result<ast::QueryPtr> query = parseQuery(text, file, DialectRules::of(semantics.dialect));
  if (!query)
    return query.takeError();
  return bindQuery(*query, file, schema, semantics);
}

} // namespace imbrex::sql
