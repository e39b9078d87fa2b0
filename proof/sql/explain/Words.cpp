#include "proof/sql/explain/Words.h"

#include <algorithm>
#include <utility>

namespace imbrex::sql {

using algebra::Kind;
using algebra::Node;
using algebra::Number;

namespace {

std::string joined(const std::vector<std::string> &texts, const char *between) {
  std::string result;
  for (const std::string &text : texts)
    if (!text.empty())
      result += (result.empty() ? "" : between) + text;
  return result;
}

/// "catalog.sales.emp" becomes e1.
std::string firstLetter(const std::string &name) {
  size_t dot = name.rfind('.');
  char letter = name.empty() ? 't' : name[dot == std::string::npos ? 0 : dot + 1];
  return std::string(1, char(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter));
}

bool endsWithIsNull(const std::string &text) { return text.ends_with(" IS NULL"); }

const std::string None = "no";

std::string inBrackets(const std::string &text) { return "(" + text + ")"; }

} // namespace

std::optional<Words::Atom> Words::atomOf(Id id) const {
  const Node *node = &pool[id];
  if (node->kind == Kind::Positive)
    node = &pool[node->children[0]];
  if (node->kind != Kind::Apply)
    return std::nullopt;
  const std::string &name = pool.name(node->symbol);
  bool counts = name.starts_with("rows:");
  if (!counts && !name.starts_with("in:"))
    return std::nullopt;
  return Atom{uint32_t(std::stoul(name.substr(counts ? 5 : 3))), counts};
}

void Words::nameRow(const Atom &atom, const std::vector<Id> &arguments, const std::string &alias) {
  const Table &table = catalog.tables[atom.table];
  rows[{atom.table, arguments}] = alias;
  auto name = [&](Id id, std::string text) {
    if (pool[id].kind != Kind::Component || !names.emplace(id, text).second)
      fixed.emplace_back(text, id);
  };
  if (!atom.counts) {
    const Key *key = translator.namingKey(atom.table);
    for (size_t i = 0; key && i < key->columns.size() && i < arguments.size(); ++i)
      name(arguments[i], alias + "." + table.columns[key->columns[i]].name);
    return;
  }
  size_t next = 0;
  for (const Column &column : table.columns) {
    bool isNull = column.type.nullable && pool.isTrue(arguments[next]);
    if (column.type.nullable)
      name(arguments[next++], alias + "." + column.name + " IS NULL");
    if (!isNull) // else the value is the sort's default
      name(arguments[next], alias + "." + column.name);
    ++next;
  }
}

/// Gives the rows that the guard speaks of a name; `c1 of customer` for each.
std::vector<std::string> Words::nameRows(Id guard) {
  std::vector<std::string> result;
  for (Id conjunct : pool.conjuncts(guard)) {
    std::optional<Atom> atom = atomOf(conjunct);
    if (!atom)
      continue;
    const Node *node = &pool[conjunct];
    if (node->kind == Kind::Positive)
      node = &pool[node->children[0]];
    std::vector<Id> arguments = node->children;
    // A row that others determine needs no name: it is written customer[i1.customer].
    bool own = std::any_of(arguments.begin(), arguments.end(), [&](Id id) {
      return pool[id].kind == Kind::Component && !names.count(id);
    });
    if (!own)
      continue;
    const std::string &table = catalog.tables[atom->table].name;
    std::string letter = firstLetter(table), alias = letter + std::to_string(++used[letter]);
    nameRow(*atom, arguments, alias);
    result.push_back(alias + " of " + table);
  }
  return result;
}

std::string Words::quantified(Id guard, const std::vector<Variable> &variables,
                              const std::string &each) {
  std::vector<std::string> parts;
  for (const std::string &row : nameRows(guard)) // no row c1 of customer with a row i1 of invoice
    parts.push_back((each == None && !parts.empty() ? "with a row " : each + " row ") + row);
  for (const Variable &variable : variables)
    for (uint32_t c = 0; c < variable.shape.size(); ++c)
      if (Id id = pool.component(variable, c); !names.count(id)) {
        names[id] = "v" + std::to_string(++values);
        parts.push_back((each == None && !parts.empty() ? "with a value " : each + " value ") +
                        names[id]);
      }
  // Cells that the conditions determine went into the row's name.
  std::vector<std::string> conditions;
  for (const auto &[cell, id] : std::exchange(fixed, {}))
    if (!cell.ends_with(" IS NULL"))
      conditions.push_back(cell + " = " + value(id));
    else if (pool.isTrue(id))
      conditions.push_back(cell);
    else if (!pool.isFalse(id))
      conditions.push_back(inBrackets(cell + " exactly if " + formula(id)));
  conditions.push_back(conjunction(guard));
  std::string where = joined(conditions, " and ");
  return joined(parts, ", ") + (where.empty() ? "" : " where " + where);
}

/// Without the atoms that named a row.
std::string Words::conjunction(Id id) {
  std::vector<std::string> parts;
  for (Id conjunct : pool.conjuncts(id)) {
    std::optional<Atom> atom = atomOf(conjunct);
    const Node *node = &pool[conjunct];
    if (atom && node->kind == Kind::Positive)
      node = &pool[node->children[0]];
    if (atom && rows.count({atom->table, node->children}))
      continue;
    parts.push_back(formula(conjunct));
  }
  return joined(parts, " and ");
}

std::string Words::ofTerm(const BagTerm &term, const std::vector<Column> &columns) {
  names.clear();
  rows.clear();
  used.clear();
  values = 0;
  std::string text = quantified(term.guard, term.variables, "each");
  std::vector<std::string> cells;
  for (size_t i = 0; i < term.row.size(); ++i)
    cells.push_back(cell(term.row[i]));
  std::string row = inBrackets(joined(cells, ", "));
  const Node &factor = pool[term.factor];
  bool plain =
      pool.isConstant(term.factor) ? factor.value.isOne() : atomOf(term.factor).has_value();
  if (!plain)
    row += ", " + value(term.factor) + " times";
  else if (!pool.isConstant(term.factor))
    row += ", as often as it occurs";
  return (text.empty() ? "one row " : "for " + text + ": the row ") + row;
}

std::vector<uint32_t> Words::tablesOf(const BagTerm &term) const {
  std::vector<uint32_t> tables;
  for (Id conjunct : pool.conjuncts(term.guard))
    if (std::optional<Atom> atom = atomOf(conjunct))
      tables.push_back(atom->table);
  return tables;
}

std::string Words::exists(Id id, bool holds) {
  std::vector<Id> body;
  std::vector<Variable> variables = pool.open(id, body);
  return inBrackets("there is " + quantified(body[0], variables, holds ? "a" : "no"));
}

std::string Words::formula(Id id) {
  const Node &node = pool[id];
  switch (node.kind) {
  case Kind::And:
    return inBrackets(conjunction(id));
  case Kind::Or: {
    std::vector<std::string> parts;
    for (Id child : node.children)
      parts.push_back(formula(child));
    return inBrackets(joined(parts, " or "));
  }
  case Kind::Not:
    return negated(node.children[0]);
  case Kind::Zero:
    return comparison(node.children[0], "=");
  case Kind::Positive:
    return comparison(node.children[0], ">");
  case Kind::Equal:
    return value(node.children[0]) + " = " + value(node.children[1]);
  case Kind::Less:
    return value(node.children[0]) + " < " + value(node.children[1]);
  case Kind::Exists:
    return exists(id, true);
  default:
    return value(id);
  }
}

std::string Words::negated(Id id) {
  const Node &node = pool[id];
  switch (node.kind) {
  case Kind::Zero:
    return comparison(node.children[0], "<>");
  case Kind::Positive:
    return comparison(node.children[0], "<=");
  case Kind::Equal:
    return value(node.children[0]) + " <> " + value(node.children[1]);
  case Kind::Less:
    return value(node.children[1]) + " <= " + value(node.children[0]);
  case Kind::Exists:
    return exists(id, false);
  default:
    break;
  }
  std::string text = value(id);
  if (endsWithIsNull(text))
    return text.substr(0, text.size() - 4) + "NOT NULL";
  return "not " + text;
}

std::string Words::linear(const std::vector<std::pair<Number, Id>> &parts, Number constant) {
  std::string text;
  for (const auto &[coefficient, id] : parts) {
    std::string factor = coefficient.isOne() ? "" : coefficient.str() + " * ";
    text += (text.empty() ? "" : " + ") + factor + value(id);
  }
  if (!constant.isZero() || text.empty())
    text += (text.empty() ? "" : " + ") + constant.str();
  return text;
}

/// What is subtracted goes to the other side; over integers a + 1 > b is a >= b.
std::string Words::comparison(Id difference, const char *op) {
  Pool::Parts all = pool.parts(difference);
  std::vector<std::pair<Number, Id>> left, right;
  auto isNegative = [](const Number &number) { return number.str()[0] == '-'; };
  bool overflow = false;
  auto negative = [&](const Number &number) { return multiply(number, {-1, 1}, overflow); };
  for (const auto &[coefficient, id] : all.parts)
    if (isNegative(coefficient))
      right.emplace_back(negative(coefficient), id);
    else
      left.emplace_back(coefficient, id);
  Number constant = all.constant;
  std::string sign = op;
  if (pool[difference].sort == algebra::intSort && constant.isOne() &&
      (sign == ">" || sign == "<=")) {
    sign = sign == ">" ? ">=" : "<";
    constant = {0, 1};
  }
  bool toRight = isNegative(constant);
  std::string first = linear(left, toRight ? Number{0, 1} : constant);
  std::string second = linear(right, toRight ? negative(constant) : Number{0, 1});
  if (left.empty() && !right.empty()) { // 5 > x reads better as x < 5
    std::swap(first, second);
    sign = sign == ">" ? "<" : sign == ">=" ? "<=" : sign == "<=" ? ">=" : sign == "<" ? ">" : sign;
  }
  return first + " " + sign + " " + second;
}

} // namespace imbrex::sql
