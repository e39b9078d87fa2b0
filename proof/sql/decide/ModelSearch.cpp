#include "proof/sql/decide/ModelSearch.h"

#include "proof/smt/SmtGuardSolver.h"
#include "proof/sql/prove/CatalogTheory.h"
#include "proof/sql/query/Types.h"

#include <algorithm>
#include <charconv>

namespace imbrex::sql {

namespace {

using algebra::Kind;
using algebra::Node;
using Clock = std::chrono::steady_clock;

constexpr size_t MostProposals = 12;
constexpr size_t MostRowsOfTable = 6;

class Proposer {
public:
  Proposer(const Catalog &catalog, const Semantics &semantics, Clock::time_point deadline)
      : catalog(catalog), translator(pool, catalog, semantics), theory(pool, catalog, translator),
        solver(pool, theory, deadline) {
    pool.deadline = deadline;
  }

  void run(const Query &first, const Query &second) {
    SymbolicBag a = translator.translate(first), b = translator.translate(second);
    for (bool isFirst : {true, false})
      for (const BagTerm &term : isFirst ? a : b) {
        Id elsewhere = pool.positiveTest(translator.multiplicity(isFirst ? b : a, term.row));
        ask({term.guard, pool.negation(elsewhere)});
      }
    for (const SymbolicBag *bag : {&a, &b})
      for (const BagTerm &term : *bag)
        ask({term.guard});
  }

  std::vector<Database> found;

private:
  void ask(const std::vector<Id> &formulas) {
    if (found.size() < MostProposals && !solver.refute(formulas) && solver.hasModel())
      addDatabase();
  }
  void addDatabase();
  std::vector<Value> rowOf(uint32_t table, const std::vector<Id> &arguments);
  Value valueOf(Id id, const Type &type);
  std::string textOf(Id id, const Type &type);
  void collectLiterals();

  const Catalog &catalog;
  Pool pool;
  Translator translator;
  CatalogTheory theory;
  algebra::SmtGuardSolver solver;
  /// Texts of opaque values, by their number in the model at hand.
  std::map<std::pair<algebra::Sort, std::string>, std::string> texts;
};

/// Which texts the model's numbers stand for, where the queries have such texts.
void Proposer::collectLiterals() {
  texts.clear();
  for (Id id = 0; id < pool.size(); ++id) {
    const Node &node = pool[id];
    if (node.sort < algebra::firstOpaqueSort)
      continue;
    bool applied = node.kind == Kind::Apply && node.children.empty();
    if (node.kind != Kind::Constant && !applied)
      continue;
    const std::string &name = pool.name(node.symbol);
    std::string_view prefix = applied ? "literal:" : "'";
    if (name.starts_with(prefix)) // not the value that stands beside NULL
      texts.emplace(std::pair(node.sort, solver.valueInModel(id)), name.substr(prefix.size()));
  }
}

std::string Proposer::textOf(Id id, const Type &type) {
  auto [place, isNew] = texts.try_emplace({pool[id].sort, solver.valueInModel(id)});
  if (!isNew)
    return place->second;
  std::string number = std::to_string(10 + texts.size() % 80);
  switch (type.base) {
  case BaseType::Date:
    return place->second = "20" + number + "-01-01";
  case BaseType::Timestamp:
    return place->second = "20" + number + "-01-01 00:00:00";
  case BaseType::Time:
    return place->second = "00:00:" + std::to_string(10 + texts.size() % 50);
  case BaseType::Interval:
    return place->second = number + " days";
  default:
    return place->second = "t" + number;
  }
}

Value Proposer::valueOf(Id id, const Type &type) {
  std::string text = solver.valueInModel(id);
  auto number = [](std::string_view digits) {
    int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  switch (type.base) {
  case BaseType::Bool:
    return text == "true";
  case BaseType::Int:
  case BaseType::Unknown:
    return number(text);
  case BaseType::Number: {
    size_t slash = text.find('/');
    int64_t below = slash == std::string::npos ? 1 : number(text.substr(slash + 1));
    return Rational{number(text), std::max<int64_t>(below, 1)};
  }
  case BaseType::Text:
    return textOf(id, type);
  default:
    return Opaque{type.base, textOf(id, type)};
  }
}

std::vector<Value> Proposer::rowOf(uint32_t table, const std::vector<Id> &arguments) {
  std::vector<Value> row;
  SymbolicRow cells = translator.tableRow(table, arguments);
  for (size_t c = 0; c < cells.size(); ++c) {
    bool isNull = solver.valueInModel(cells[c].null) == "true";
    row.push_back(isNull ? Value()
                         : valueOf(cells[c].value, catalog.tables[table].columns[c].type));
  }
  return row;
}

/// The rows that the model says are there.
void Proposer::addDatabase() {
  collectLiterals();
  Database database;
  database.tables.resize(catalog.tables.size());
  for (uint32_t t = 0; t < catalog.tables.size(); ++t) {
    algebra::Symbol in = pool.symbol("in:" + translator.prefix(t)),
                    rows = pool.symbol("rows:" + translator.prefix(t));
    auto &table = database.tables[t];
    size_t known = pool.size();
    for (Id id = 0; id < known && table.size() < MostRowsOfTable; ++id) {
      if (pool[id].kind != Kind::Apply || pool[id].level != 0 ||
          (pool[id].symbol != in && pool[id].symbol != rows))
        continue;
      std::string value = solver.valueInModel(id);
      bool counts = pool[id].symbol == rows;
      if (counts ? value == "0" || value.empty() || value[0] == '-' : value != "true")
        continue;
      std::vector<Value> row = rowOf(t, std::vector<Id>(pool[id].children));
      if (std::find(table.begin(), table.end(), row) != table.end())
        continue;
      table.push_back(row);
      if (counts && value != "1") // several times
        table.push_back(row);
    }
  }
  found.push_back(std::move(database));
}

} // namespace

std::vector<Database> proposeDatabases(const Query &first, const Query &second,
                                       const Catalog &catalog, const Semantics &semantics,
                                       double seconds) {
  auto budget = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Proposer proposer(catalog, semantics, Clock::now() + budget);
  try {
    proposer.run(first, second);
  } catch (const NotCovered &) {
  } catch (const algebra::Exhausted &) {
  }
  return std::move(proposer.found);
}

} // namespace imbrex::sql
