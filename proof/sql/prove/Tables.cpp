// Rows of tables, and new rows.
#include "proof/sql/prove/Translate.h"

#include <algorithm>

namespace imbrex::sql {

const Key *Translator::namingKey(uint32_t table) const {
  const Table &t = catalog.tables[table];
  const Key *best = nullptr;
  for (const Key &key : t.keys) {
    bool never = std::none_of(key.columns.begin(), key.columns.end(),
                              [&](uint32_t c) { return t.columns[c].type.nullable; });
    if (!never)
      continue;
    if (!best || key.columns.size() < best->columns.size())
      best = &key;
  }
  return best;
}

Id Translator::tablePredicate(uint32_t table, const std::vector<Id> &key) {
  return pool.apply(pool.symbol("in:" + prefix(table)), key, algebra::boolSort);
}

SymbolicRow Translator::tableRow(uint32_t table, const std::vector<Id> &arguments) {
  const Table &t = catalog.tables[table];
  const Key *key = namingKey(table);
  SymbolicRow row;
  size_t next = 0;
  for (uint32_t c = 0; c < t.columns.size(); ++c) {
    const Type &type = t.columns[c].type;
    if (!key) {
      Id null = type.nullable ? arguments[next++] : no();
      row.push_back({null, arguments[next++], true});
      continue;
    }
    auto at = std::find(key->columns.begin(), key->columns.end(), c);
    if (at != key->columns.end()) {
      row.push_back({no(), arguments[size_t(at - key->columns.begin())], true});
      continue;
    }
    std::string name = prefix(table) + "." + std::to_string(c);
    Id null = type.nullable ? pool.apply(pool.symbol("null:" + name), arguments, algebra::boolSort)
                            : no();
    row.push_back({null, pool.apply(pool.symbol("col:" + name), arguments, sortOf(type)), true});
  }
  return row;
}

Id Translator::rowPredicate(uint32_t table) {
  BagTerm term = scan(table)[0];
  return namingKey(table) ? term.guard : term.factor;
}

SymbolicBag Translator::scan(uint32_t table) {
  const Table &t = catalog.tables[table];
  BagTerm term{{}, yes(), pool.integer(1), {}};
  std::vector<Id> arguments;
  if (const Key *key = namingKey(table)) {
    for (uint32_t column : key->columns) {
      term.variables.push_back(pool.fresh({sortOf(t.columns[column].type)}));
      arguments.push_back(pool.component(term.variables.back(), 0));
    }
    term.guard = tablePredicate(table, arguments);
  } else {
    auto add = [&](algebra::Sort sort) {
      term.variables.push_back(pool.fresh({sort}));
      arguments.push_back(pool.component(term.variables.back(), 0));
    };
    for (const Column &column : t.columns) {
      if (column.type.nullable)
        add(algebra::boolSort);
      add(sortOf(column.type));
    }
    term.factor = pool.apply(pool.symbol("rows:" + prefix(table)), arguments, algebra::intSort);
    term.guard = pool.positiveTest(term.factor);
  }
  term.row = tableRow(table, arguments);
  return {term};
}

SymbolicRow Translator::freshRow(const std::vector<Column> &columns,
                                 std::vector<Variable> &variables) {
  SymbolicRow row;
  for (const Column &column : columns) {
    Id null = no();
    if (column.type.nullable) {
      variables.push_back(pool.fresh({algebra::boolSort}));
      null = pool.component(variables.back(), 0);
    }
    variables.push_back(pool.fresh({sortOf(column.type)}));
    row.push_back({null, pool.component(variables.back(), 0), true});
  }
  return row;
}

Id Translator::multiplicity(const SymbolicBag &bag, const SymbolicRow &row) {
  std::vector<Id> terms{pool.integer(0)};
  for (const BagTerm &term : bag) {
    std::vector<Id> guard{term.guard};
    for (size_t i = 0; i < row.size(); ++i)
      guard.push_back(same(row[i], term.row[i]));
    terms.push_back(pool.sumOver(term.variables, pool.conjunction(guard), term.factor));
  }
  return pool.sum(terms);
}

} // namespace imbrex::sql
