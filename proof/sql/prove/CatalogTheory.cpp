#include "proof/sql/prove/CatalogTheory.h"

#include "proof/algebra/Recorder.h"

#include <algorithm>

namespace imbrex::sql {

CatalogTheory::CatalogTheory(Pool &pool, const Catalog &catalog, Translator &translator)
    : pool(pool), catalog(catalog), translator(translator) {
  for (uint32_t t = 0; t < catalog.tables.size(); ++t) {
    sources[pool.symbol("in:" + translator.prefix(t))] = {t, false};
    sources[pool.symbol("rows:" + translator.prefix(t))] = {t, true};
  }
}

bool CatalogTheory::isCount(algebra::Symbol function) const {
  auto it = sources.find(function);
  return (it != sources.end() && it->second.counts) || pool.name(function).starts_with("top ");
}

/// MIN, MAX and the value of a scalar subquery belong to their set, if it has a value at all;
/// nothing in it is less than MIN or greater than MAX.
void CatalogTheory::factsOfCollection(Id collection, std::vector<Id> &out) {
  const std::string &name = pool.name(pool[collection].symbol);
  bool least = name.starts_with("min "), greatest = name.starts_with("max ");
  if (!least && !greatest && !name.starts_with("single "))
    return;
  std::vector<Id> body;
  std::vector<Variable> variables = pool.open(collection, body);
  algebra::Entry lemma = 0;
  Id value = pool.component(variables[0], 0);
  Id member = pool.substitute(body[0], {{variables[0].key, {collection}}});
  Id some = pool.exists(variables, body[0]);
  auto note = [&](uint32_t index, const algebra::Substitution &map) {
    if (pool.recorder)
      pool.recorder->add(algebra::Fact{.kind = algebra::Fact::Kind::Collection,
                                       .formula = out.back(),
                                       .term = collection,
                                       .names = variables,
                                       .opened = body,
                                       .hypothesis = pool.recorder->hypothesis(pool, map),
                                       .lemma = lemma,
                                       .index = index});
  };
  lemma = pool.recorder ? pool.recorder->lastLemma : 0;
  out.push_back(pool.implies(some, member));
  note(0, {{variables[0].key, {collection}}});
  if (pool[value].sort == algebra::boolSort || (!least && !greatest))
    return;
  Id beyond = least ? pool.less(value, collection) : pool.less(collection, value);
  Id further = pool.exists(variables, pool.conjunction({body[0], beyond}));
  lemma = pool.recorder ? pool.recorder->lastLemma : 0;
  out.push_back(pool.negation(further));
  note(1, {});
}

Id CatalogTheory::present(Id application) {
  return pool[application].sort == algebra::boolSort ? application : pool.positiveTest(application);
}

void CatalogTheory::factsOf(Id application, std::vector<Id> &out) {
  auto it = sources.find(pool[application].symbol);
  if (it == sources.end())
    return;
  auto [table, counts] = it->second;
  SymbolicRow row = translator.tableRow(table, pool[application].children);
  Id here = present(application);
  if (counts) {
    out.push_back(pool.lessEqual(pool.integer(0), application));
    for (const Key &key : catalog.tables[table].keys) {
      std::vector<Id> known{here};
      for (uint32_t column : key.columns)
        known.push_back(pool.negation(row[column].null));
      out.push_back(
          pool.implies(pool.conjunction(known), pool.lessEqual(application, pool.integer(1))));
    }
  }
  for (const SymbolicCell &cell : row) {
    SymbolicCell open = cell;
    open.normal = false;
    // One fact per column that may be NULL, whatever the arguments: they have places in
    // certificates.
    if (catalog.tables[table].columns[size_t(&cell - row.data())].type.nullable)
      out.push_back(pool.implies(pool.conjunction({here, cell.null}),
                                 pool.equal(cell.value, translator.normalValue(open))));
  }
  checks(table, row, here, out);
  foreignKeys(table, row, here, out);
}

void CatalogTheory::checks(uint32_t table, const SymbolicRow &row, Id here, std::vector<Id> &out) {
  for (const ExprPtr &check : catalog.tables[table].checks)
    out.push_back(pool.implies(here, pool.negation(translator.truth(*check, row).no)));
}

void CatalogTheory::foreignKeys(uint32_t table, const SymbolicRow &row, Id here,
                                std::vector<Id> &out) {
  for (const ForeignKey &foreign : catalog.tables[table].foreignKeys) {
    const Key *key = translator.namingKey(foreign.table);
    std::vector<Id> known{here}, named;
    if (!key || key->columns.size() != foreign.target.size())
      continue;
    for (uint32_t column : key->columns) {
      auto at = std::find(foreign.target.begin(), foreign.target.end(), column);
      if (at == foreign.target.end())
        break;
      const SymbolicCell &cell = row[foreign.columns[size_t(at - foreign.target.begin())]];
      known.push_back(pool.negation(cell.null));
      named.push_back(cell.value);
    }
    if (named.size() == key->columns.size())
      out.push_back(
          pool.implies(pool.conjunction(known), translator.tablePredicate(foreign.table, named)));
  }
}

void CatalogTheory::factsOfPair(Id a, Id b, std::vector<Id> &out) {
  auto it = sources.find(pool[a].symbol);
  if (it == sources.end())
    return;
  uint32_t table = it->second.table;
  const Key *naming = translator.namingKey(table);
  SymbolicRow x = translator.tableRow(table, pool[a].children),
              y = translator.tableRow(table, pool[b].children);
  for (const Key &key : catalog.tables[table].keys) {
    if (&key == naming)
      continue;
    std::vector<Id> both{present(a), present(b)}, same;
    for (uint32_t column : key.columns) {
      both.push_back(pool.negation(x[column].null));
      both.push_back(pool.negation(y[column].null));
      both.push_back(pool.equal(x[column].value, y[column].value));
    }
    for (size_t i = 0; i < pool[a].children.size(); ++i)
      same.push_back(pool.equal(pool[a].children[i], pool[b].children[i]));
    out.push_back(pool.implies(pool.conjunction(both), pool.conjunction(same)));
  }
}

} // namespace imbrex::sql
