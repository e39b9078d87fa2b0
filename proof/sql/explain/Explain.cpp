#include "proof/sql/explain/Explain.h"

#include "proof/algebra/Equality.h"
#include "proof/smt/SmtGuardSolver.h"
#include "proof/sql/explain/Words.h"
#include "proof/sql/prove/CatalogTheory.h"
#include "proof/sql/query/Builders.h"

#include <algorithm>
#include <chrono>

namespace imbrex::sql {

namespace {

using Clock = std::chrono::steady_clock;

class Explainer {
public:
  Explainer(const Catalog &catalog, const Semantics &semantics, Clock::time_point deadline)
      : catalog(catalog), semantics(semantics), translator(pool, catalog, semantics),
        theory(pool, catalog, translator), solver(pool, theory, deadline), equality(pool, solver),
        words(pool, catalog, translator) {
    pool.deadline = deadline;
  }

  void run(const Query &a, const Query &b, Explanation &result);

private:
  struct Side {
    const Query &query;
    const char *name;
    SymbolicBag bag;
    std::vector<Id> counts; // how often the row at hand comes from each part
    std::vector<size_t> open;
  };
  void describe(Side &side, std::vector<std::string> &parts, std::vector<std::string> &steps);
  void pairUp(Side &a, Side &b, bool identical, std::vector<std::string> &steps);
  Id total(const Side &side);
  static std::string part(const Side &side, size_t index);
  static std::string listed(const Side &side);

  const Catalog &catalog;
  const Semantics &semantics;
  Pool pool;
  Translator translator;
  CatalogTheory theory;
  algebra::SmtGuardSolver solver;
  algebra::Equality equality;
  Words words;
};

void scannedTables(const Query &query, std::vector<uint32_t> &tables) {
  if (query.kind == QueryKind::Scan &&
      std::find(tables.begin(), tables.end(), query.table) == tables.end())
    tables.push_back(query.table);
  for (const QueryPtr &input : query.inputs)
    scannedTables(*input, tables);
}

void Explainer::describe(Side &side, std::vector<std::string> &parts,
                         std::vector<std::string> &steps) {
  std::vector<uint32_t> left, scanned;
  for (const BagTerm &term : side.bag) {
    parts.push_back(words.ofTerm(term, side.query.columns));
    for (uint32_t table : words.tablesOf(term))
      left.push_back(table);
  }
  scannedTables(side.query, scanned);
  for (uint32_t table : scanned)
    if (std::find(left.begin(), left.end(), table) == left.end())
      steps.push_back("The " + std::string(side.name) + " query reads " +
                      catalog.tables[table].name +
                      ", but not once for each of its rows: they belong to other rows, or only "
                      "their existence, a sum or the like matters.");
}

std::string Explainer::part(const Side &side, size_t index) {
  if (side.bag.size() == 1)
    return std::string("the ") + side.name + " query";
  return "part " + std::to_string(index + 1) + " of the " + side.name + " query";
}

std::string Explainer::listed(const Side &side) {
  std::string text;
  for (size_t i : side.open)
    text += (text.empty() ? "" : ", ") + part(side, i);
  return text.empty() ? "nothing of the " + std::string(side.name) + " query" : text;
}

Id Explainer::total(const Side &side) {
  std::vector<Id> sum{pool.integer(0)};
  for (size_t i : side.open)
    sum.push_back(side.counts[i]);
  return pool.sum(sum);
}

void Explainer::pairUp(Side &a, Side &b, bool identical, std::vector<std::string> &steps) {
  for (size_t i = 0; i < a.open.size();) {
    auto match = std::find_if(b.open.begin(), b.open.end(), [&](size_t j) {
      Id x = a.counts[a.open[i]], y = b.counts[j];
      return identical ? x == y : equality.equal(x, y, {});
    });
    if (match == b.open.end()) {
      ++i;
      continue;
    }
    std::string text = part(a, a.open[i]) + " and " + part(b, *match);
    text[0] = char(text[0] - 32);
    steps.push_back(text + (identical ? " are the same, up to the names of rows."
                                      : " give every row equally often: under the constraints, and "
                                        "for some way to name the rows, each condition implies the "
                                        "other."));
    a.open.erase(a.open.begin() + long(i));
    b.open.erase(match);
  }
}

void Explainer::run(const Query &a, const Query &b, Explanation &result) {
  Side first{a, "first", {}, {}, {}}, second{b, "second", {}, {}, {}};
  bool lists = settled(semantics.comparison, a, b) == Comparison::List;
  std::vector<Column> columns = a.columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].type.nullable = true;
    if (columns[i].type.base == BaseType::Unknown)
      columns[i].type.base = b.columns[i].type.base;
  }
  for (Side *side : {&first, &second}) {
    std::vector<SortKey> order;
    side->bag =
        lists ? translator.translateList(side->query, order) : translator.translate(side->query);
    if (lists && side == &first)
      for (const SortKey &key : order) {
        columns.push_back({"", key.expr->type});
        columns.back().type.nullable = true;
      }
  }
  describe(first, result.first, result.steps);
  describe(second, result.second, result.steps);
  for (const Side *side : {&first, &second})
    for (const BagTerm &term : side->bag)
      if (term.row.size() != columns.size())
        throw NotCovered{"lists ordered by different keys"};
  std::vector<Variable> variables;
  SymbolicRow row = translator.freshRow(columns, variables);
  for (Side *side : {&first, &second})
    for (size_t i = 0; i < side->bag.size(); ++i) {
      side->counts.push_back(translator.multiplicity({side->bag[i]}, row));
      side->open.push_back(i);
    }
  if (lists)
    result.steps.push_back("Both results are lists: they are compared with their sort keys as "
                           "further columns.");
  if (semantics.comparison == Comparison::Set) {
    Id differ = pool.negation(
        pool.equal(pool.positiveTest(total(first)), pool.positiveTest(total(second))));
    result.complete = equality.refute({differ});
    if (result.complete)
      result.steps.push_back("A row is in the first result exactly when it is in the second: the "
                             "conditions imply each other.");
    return;
  }
  pairUp(first, second, true, result.steps);
  if (first.open.size() <= 8 && second.open.size() <= 8)
    pairUp(first, second, false, result.steps);
  if (!first.open.empty() || !second.open.empty()) {
    if (!equality.equal(total(first), total(second), {})) {
      result.missing = "no counterpart was found for " + listed(first) + ", and " + listed(second);
      return;
    }
    result.steps.push_back("Added up, every row comes from these equally often: " + listed(first) +
                           "; and " + listed(second) +
                           ". Cases of their conditions were compared "
                           "one by one.");
  }
  result.complete = !pool.overflowed;
}

std::string namesOf(const Table &table, const std::vector<uint32_t> &columns) {
  std::string text;
  for (uint32_t column : columns)
    text += (text.empty() ? "" : ", ") + table.columns[column].name;
  return "(" + text + ")";
}

} // namespace

Explanation explainProof(const Query &first, const Query &second, const Catalog &catalog,
                         const Semantics &semantics, double seconds) {
  Explanation result;
  auto budget = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Clock::time_point deadline = Clock::now() + budget;
  try {
    Explainer(catalog, semantics, deadline).run(first, second, result);
  } catch (const NotCovered &gap) {
    result.missing = gap.what;
  } catch (const algebra::Exhausted &) {
    result.missing = Clock::now() >= deadline ? "the time was over" : "the proof grew too large";
  }
  return result;
}

std::vector<Constraint> constraintsOf(const Catalog &catalog, const std::vector<bool> &used) {
  std::vector<Constraint> result;
  auto add = [&](std::string text, auto change) {
    Constraint &constraint = result.emplace_back(Constraint{std::move(text), catalog});
    change(constraint.without);
  };
  for (size_t t = 0; t < catalog.tables.size(); ++t) {
    const Table &table = catalog.tables[t];
    if (t < used.size() && !used[t])
      continue;
    std::vector<bool> primary(table.columns.size());
    for (size_t k = 0; k < table.keys.size(); ++k) {
      const Key &key = table.keys[k];
      for (uint32_t column : key.columns)
        primary[column] = primary[column] || key.primary;
      add((key.primary ? "PRIMARY KEY " : "UNIQUE ") + namesOf(table, key.columns) + " of " +
              table.name,
          [&](Catalog &c) { c.tables[t].keys.erase(c.tables[t].keys.begin() + long(k)); });
    }
    for (size_t k = 0; k < table.foreignKeys.size(); ++k)
      add("FOREIGN KEY " + namesOf(table, table.foreignKeys[k].columns) + " of " + table.name +
              " to " + catalog.tables[table.foreignKeys[k].table].name,
          [&](Catalog &c) {
            auto &keys = c.tables[t].foreignKeys;
            keys.erase(keys.begin() + long(k));
          });
    for (size_t k = 0; k < table.checks.size(); ++k)
      add("CHECK (" + toText(*table.checks[k], catalog) + ") of " + table.name,
          [&](Catalog &c) { c.tables[t].checks.erase(c.tables[t].checks.begin() + long(k)); });
    for (size_t c = 0; c < table.columns.size(); ++c)
      if (!table.columns[c].type.nullable && !primary[c])
        add("NOT NULL of " + table.name + "." + table.columns[c].name,
            [&](Catalog &catalog) { catalog.tables[t].columns[c].type.nullable = true; });
  }
  return result;
}

} // namespace imbrex::sql
