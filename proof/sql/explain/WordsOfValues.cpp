// Values in words: cells of tables, arithmetic, functions, sums, functions of whole collections.
#include "proof/sql/explain/Words.h"

#include <algorithm>

namespace imbrex::sql {

using algebra::Kind;
using algebra::Node;
using algebra::Number;

std::string Words::cell(const SymbolicCell &cell) {
  if (pool.isTrue(cell.null))
    return "NULL";
  std::string text = value(cell.value);
  // A column that may be NULL is written as itself.
  if (pool.isFalse(cell.null) || formula(cell.null) == text + " IS NULL")
    return text;
  return "NULL if " + formula(cell.null) + ", else " + text;
}

std::string Words::value(Id id) {
  const Node &node = pool[id];
  if (auto name = names.find(id); name != names.end())
    return name->second;
  switch (node.kind) {
  case Kind::Constant:
    if (node.sort == algebra::boolSort)
      return node.value.isZero() ? "false" : "true";
    return algebra::isNumeric(node.sort) ? node.value.str() : pool.name(node.symbol) + "'";
  case Kind::Component:
    return names[id] = "v" + std::to_string(++values);
  case Kind::Apply:
    return apply(id);
  case Kind::Linear: {
    Pool::Parts parts = pool.parts(id);
    return "(" + linear(parts.parts, parts.constant) + ")";
  }
  case Kind::Product: {
    std::string text;
    for (Id child : node.children)
      text += (text.empty() ? "" : " * ") + value(child);
    return text;
  }
  case Kind::Choose: {
    const std::vector<Id> c = node.children;
    return "(" + value(c[1]) + " if " + formula(c[0]) + ", else " + value(c[2]) + ")";
  }
  case Kind::Sum:
    return sum(id);
  case Kind::Collect:
    return collection(id);
  default:
    return formula(id);
  }
}

/// `name` is col:3.1 or null:3.1.
std::string Words::tableCell(const std::string &name, const std::vector<Id> &arguments) {
  size_t colon = name.find(':'), dot = name.find('.');
  auto table = uint32_t(std::stoul(name.substr(colon + 1)));
  auto column = uint32_t(std::stoul(name.substr(dot + 1)));
  std::string row;
  if (auto known = rows.find({table, arguments}); known != rows.end()) {
    row = known->second;
  } else {
    for (Id argument : arguments)
      row += (row.empty() ? "" : ", ") + value(argument);
    row = catalog.tables[table].name + "[" + row + "]";
  }
  std::string text = row + "." + catalog.tables[table].columns[column].name;
  return name[0] == 'n' ? text + " IS NULL" : text;
}

/// Arguments are pairs: is it NULL, and its value.
std::string Words::call(const std::string &name, const std::vector<Id> &arguments) {
  std::string text;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2)
    text += (i ? ", " : "") + (pool.isTrue(arguments[i]) ? "NULL" : value(arguments[i + 1]));
  return name + "(" + text + ")";
}

std::string Words::apply(Id id) {
  const Node &node = pool[id];
  const std::string name = pool.name(node.symbol);
  const std::vector<Id> c = node.children;
  if (name.starts_with("col:") || name.starts_with("null:"))
    return tableCell(name, c);
  if (std::optional<Atom> atom = atomOf(id)) {
    const std::string &table = catalog.tables[atom->table].name;
    if (auto row = rows.find({atom->table, c}); row != rows.end())
      return atom->counts ? "how often " + row->second + " occurs" : row->second + " is there";
    std::string key;
    for (Id argument : c)
      key += (key.empty() ? "" : ", ") + value(argument);
    return atom->counts ? "how often (" + key + ") occurs in " + table
                        : table + "[" + key + "] exists";
  }
  auto afterPrefix = [&](std::string_view prefix) { return name.substr(prefix.size()); };
  if (name.starts_with("literal:"))
    return "'" + afterPrefix("literal:") + "'";
  if (name.starts_with("literal '"))
    return afterPrefix("literal ") + "'";
  if (name.starts_with("null of function "))
    return call(afterPrefix("null of function "), c) + " IS NULL";
  if (name.starts_with("function "))
    return call(name.substr(9, name.find(" : ") - 9), c);
  if (name.starts_with("null of parameter "))
    return ":" + afterPrefix("null of parameter ") + " IS NULL";
  if (name.starts_with("parameter "))
    return ":" + name.substr(10, name.find(" : ") - 10);
  if (name == "like" && c.size() == 2)
    return value(c[0]) + " LIKE " + value(c[1]);
  if ((name == "divide" || name == "quotient") && c.size() == 2)
    return "(" + value(c[0]) + " / " + value(c[1]) + ")";
  if (name.starts_with("cast ") && c.size() == 1)
    return "CAST(" + value(c[0]) + ")";
  std::string text;
  for (Id argument : c)
    text += (text.empty() ? "" : ", ") + value(argument);
  return name + "(" + text + ")";
}

std::string Words::sum(Id id) {
  std::vector<Id> children;
  std::vector<Variable> variables = pool.open(id, children);
  std::string over = quantified(children[0], variables, "each");
  std::string factors;
  for (size_t i = 1; i < children.size(); ++i)
    if (!atomOf(children[i])) // that is how often the row occurs
      factors += (factors.empty() ? "" : " * ") + value(children[i]);
  return "(the " + (factors.empty() ? "number of rows: " : "sum of " + factors + " over ") + over +
         ")";
}

std::string Words::collection(Id id) {
  const Node &node = pool[id];
  std::string name = pool.name(node.symbol);
  bool isNull = name.starts_with("null of ");
  if (isNull)
    name = name.substr(8);
  std::vector<Id> children;
  std::vector<Variable> variables = pool.open(id, children);
  std::string of;
  if (pool[children[0]].sort == algebra::boolSort)
    of = "the values of " + quantified(children[0], variables, "each");
  else
    of = "all rows";
  std::string what = name.substr(0, name.find(' '));
  if (what == "aggregate") { // aggregate 10 STRING_AGG 3
    size_t start = name.find(' ', name.find(' ') + 1) + 1;
    what = name.substr(start, name.find(' ', start) - start);
  }
  if (what == "top")
    what = "the choice of LIMIT";
  if (what == "window")
    what = "the window function";
  return "(" + what + " over " + of + ")" + (isNull ? " IS NULL" : "");
}

} // namespace imbrex::sql
