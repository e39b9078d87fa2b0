#include "proof/sql/decide/ModelReader.h"

#include <algorithm>
#include <charconv>

namespace imbrex::sql {

using algebra::Kind;
using algebra::Node;

namespace {

constexpr size_t MostRows = 6; // of a table

/// "3", "-1/2"; zero for anything else, and for numbers beyond 64 bits.
Rational numberOf(const std::string &text) {
  auto whole = [](std::string_view digits) {
    int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  size_t slash = text.find('/');
  int64_t below = slash == std::string::npos ? 1 : whole(std::string_view(text).substr(slash + 1));
  return {whole(text), std::max<int64_t>(below, 1)};
}

/// A text that matches a pattern of LIKE without escapes.
std::string instanceOf(std::string pattern) {
  std::erase(pattern, '%');
  std::replace(pattern.begin(), pattern.end(), '_', 'x');
  return pattern;
}

} // namespace

/// Of a constant of the queries; empty: none, or the empty text.
std::string ModelReader::literalText(Id id) const {
  const Node &node = pool[id];
  bool applied = node.kind == Kind::Apply && node.children.empty();
  if (node.sort < algebra::firstOpaqueSort || (node.kind != Kind::Constant && !applied))
    return {};
  const std::string &name = pool.name(node.symbol);
  std::string_view prefix = applied ? "literal:" : "'";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : std::string();
}

void ModelReader::collectLiterals() {
  texts.clear();
  for (Id id = 0, known = Id(pool.size()); id < known; ++id)
    if (std::string text = literalText(id); !text.empty())
      texts[pool[id].sort].emplace(numberOf(solver.valueInModel(id)), text);
}

std::vector<Id> ModelReader::literalOrder() {
  std::map<algebra::Sort, std::map<std::string, Id>> sorted;
  for (Id id = 0, known = Id(pool.size()); id < known; ++id)
    if (std::string text = literalText(id); !text.empty())
      sorted[pool[id].sort].emplace(text, id);
  std::vector<Id> facts;
  for (const auto &[sort, literals] : sorted)
    for (auto next = literals.begin(), last = next++; next != literals.end(); last = next++)
      facts.push_back(pool.less(last->second, next->second));
  return facts;
}

/// Where the model has a text match a pattern, one that does.
std::string ModelReader::matchingText(Id id) {
  algebra::Symbol like = pool.symbol("like");
  for (Id other = 0, known = Id(pool.size()); other < known; ++other) {
    const Node &node = pool[other];
    if (node.kind != Kind::Apply || node.symbol != like || node.children[0] != id)
      continue;
    std::string pattern = literalText(node.children[1]);
    if (!pattern.empty() && solver.valueInModel(other) == "true")
      return instanceOf(pattern);
  }
  return {};
}

/// Above the texts of smaller numbers, where that can be done by appending.
std::string ModelReader::freshText(const Sorted &known, const Rational &at,
                                   const Type &type) const {
  std::string number = std::to_string(10 + known.size() % 80);
  switch (type.base) {
  case BaseType::Date:
    return "20" + number + "-01-01";
  case BaseType::Timestamp:
    return "20" + number + "-01-01 00:00:00";
  case BaseType::Time:
    return "00:00:" + std::to_string(10 + known.size() % 50);
  case BaseType::Interval:
    return number + " days";
  default:
    break;
  }
  auto above = known.upper_bound(at);
  if (above != known.begin())
    return std::prev(above)->second + "m";
  if (above == known.end())
    return "m";
  std::string below = above->second;
  if (below.back() > '!')
    --below.back();
  return below;
}

std::string ModelReader::textOf(Id id, const Type &type) {
  Sorted &known = texts[pool[id].sort];
  Rational at = numberOf(solver.valueInModel(id));
  if (auto place = known.find(at); place != known.end())
    return place->second;
  std::string text = type.base == BaseType::Text ? matchingText(id) : std::string();
  if (text.empty())
    text = freshText(known, at, type);
  return known.emplace(at, text).first->second;
}

Value ModelReader::valueOf(Id id, const Type &type) {
  switch (type.base) {
  case BaseType::Bool:
    return solver.valueInModel(id) == "true";
  case BaseType::Int:
  case BaseType::Unknown:
    return numberOf(solver.valueInModel(id)).numerator;
  case BaseType::Number:
    return numberOf(solver.valueInModel(id));
  case BaseType::Text:
    return textOf(id, type);
  default:
    return Opaque{type.base, textOf(id, type)};
  }
}

std::vector<Value> ModelReader::rowOf(uint32_t table, const std::vector<Id> &arguments) {
  std::vector<Value> row;
  SymbolicRow cells = translator.tableRow(table, arguments);
  for (size_t c = 0; c < cells.size(); ++c) {
    bool isNull = solver.valueInModel(cells[c].null) == "true";
    row.push_back(isNull ? Value()
                         : valueOf(cells[c].value, catalog.tables[table].columns[c].type));
  }
  return row;
}

bool ModelReader::isPresent(Id application) {
  std::string value = solver.valueInModel(application);
  if (pool[application].sort == algebra::boolSort)
    return value == "true";
  return !value.empty() && value != "0" && value[0] != '-';
}

Database ModelReader::read() {
  collectLiterals();
  Database database;
  database.tables.resize(catalog.tables.size());
  size_t known = pool.size(); // reading makes more terms
  for (uint32_t t = 0; t < catalog.tables.size(); ++t) {
    algebra::Symbol in = pool.symbol("in:" + translator.prefix(t)),
                    rows = pool.symbol("rows:" + translator.prefix(t));
    auto &table = database.tables[t];
    for (Id id = 0; id < known && table.size() < MostRows; ++id) {
      const Node &node = pool[id];
      bool names = node.kind == Kind::Apply && (node.symbol == in || node.symbol == rows);
      if (!names || !solver.wasAsked(id) || !isPresent(id))
        continue;
      std::vector<Value> row = rowOf(t, std::vector<Id>(node.children));
      if (std::find(table.begin(), table.end(), row) != table.end())
        continue;
      if (pool[id].symbol == rows && solver.valueInModel(id) != "1")
        table.push_back(row); // several times
      table.push_back(std::move(row));
    }
  }
  return database;
}

} // namespace imbrex::sql
