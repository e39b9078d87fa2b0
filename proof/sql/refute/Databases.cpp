#include "proof/sql/refute/Databases.h"

#include <algorithm>
#include <numeric>

namespace imbrex::sql {

namespace {

constexpr uint32_t Sizes[] = {0, 1, 1, 2, 2, 3, 4};
constexpr int Attempts = 8; // to find a row that satisfies keys and checks
constexpr uint32_t NullOneIn = 5;
constexpr uint32_t LargeOneIn = 10;

/// Tables in an order in which foreign keys point backwards, where there is one.
std::vector<size_t> fillingOrder(const Catalog &catalog) {
  std::vector<size_t> order;
  std::vector<char> state(catalog.tables.size());
  auto visit = [&](auto &self, size_t table) -> void {
    if (state[table])
      return;
    state[table] = 1;
    for (const ForeignKey &key : catalog.tables[table].foreignKeys)
      self(self, key.table);
    order.push_back(table);
  };
  for (size_t t = 0; t < catalog.tables.size(); ++t)
    visit(visit, t);
  return order;
}

} // namespace

uint64_t Random::next() {
  state += 0x9e3779b97f4a7c15u;
  uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

Result<DatabaseGenerator> DatabaseGenerator::make(const Query &first, const Query &second,
                                                  const Catalog &catalog,
                                                  const Semantics &semantics, TextPool &pool) {
  DatabaseGenerator generator(catalog, collectDomains(first, second, catalog, pool),
                              usedTables(first, second, catalog));
  generator.pool = &pool;
  if (semantics.emptyText == EmptyText::Null)
    generator.domains.withoutEmptyText(pool);
  generator.order = fillingOrder(catalog);
  for (const Table &table : catalog.tables) {
    auto &conditions = generator.checks.emplace_back();
    for (const ExprPtr &check : table.checks) {
      Result<RowCondition> condition = RowCondition::compile(*check, semantics, pool);
      if (!condition)
        return unsupported(1120, "a CHECK of table " + table.name + " cannot be evaluated",
                           condition.error().what);
      conditions.push_back(condition.take());
    }
  }
  return generator;
}

/// Makes one number the sum or difference of two, or moves it a little: conditions may add.
static void vary(std::vector<Cell> &numbers, Random &random) {
  Cell &chosen = numbers[random.below(uint32_t(numbers.size()))];
  const Cell &other = numbers[random.below(uint32_t(numbers.size()))];
  std::optional<Cell> next;
  switch (random.below(3)) {
  case 0:
    next = add(chosen, other);
    break;
  case 1:
    next = subtract(chosen, other);
    break;
  default:
    next = add(chosen, Cell::ofInt(int64_t(random.below(13)) - 6));
  }
  if (next)
    chosen = *next;
}

/// Two to four values of each type for this database, half of them constants of the queries.
void DatabaseGenerator::chooseActive(Random &random) {
  for (size_t base = 0; base < BaseTypes; ++base) {
    const auto &plain = domains.plain[base], &constants = domains.constants[base];
    uint32_t count = 2 + random.below(3);
    active[base].clear();
    for (uint32_t i = 0; i < count && !plain.empty(); ++i) {
      bool constant = !constants.empty() && random.below(3) != 0;
      const auto &from = constant ? constants : plain;
      active[base].push_back(from[random.below(uint32_t(from.size()))]);
    }
    bool isNumber = base == size_t(BaseType::Int) || base == size_t(BaseType::Number);
    if (isNumber && random.oneIn(4))
      vary(active[base], random);
  }
}

void DatabaseGenerator::followForeignKeys(size_t table, const Instance &instance, Random &random,
                                          std::vector<Cell> &row) {
  for (const ForeignKey &key : catalog->tables[table].foreignKeys) {
    const Relation &target = instance.tables[key.table];
    if (target.count == 0)
      continue;
    const Cell *chosen = target.row(random.below(target.count));
    for (size_t i = 0; i < key.columns.size(); ++i)
      if (!row[key.columns[i]].isNull())
        row[key.columns[i]] = chosen[key.target[i]];
  }
}

void DatabaseGenerator::fillRow(size_t table, const Instance &instance, Random &random,
                                std::vector<Cell> &row) {
  const auto &columns = catalog->tables[table].columns;
  const Relation &rows = instance.tables[table];
  auto draw = [&](size_t column) {
    const Type &type = columns[column].type;
    const auto &own = domains.ofColumns[table][column];
    const auto &values = !own.empty() && random.oneIn(2) ? own : active[size_t(type.base)];
    if (values.empty() || (type.nullable && random.oneIn(NullOneIn)))
      return Cell{};
    return values[random.below(uint32_t(values.size()))];
  };
  row.clear();
  if (rows.count > 0 && random.oneIn(3)) {
    const Cell *earlier = rows.row(random.below(rows.count));
    row.assign(earlier, earlier + columns.size());
    if (!columns.empty() && random.oneIn(2)) {
      size_t column = random.below(uint32_t(columns.size()));
      row[column] = draw(column);
    }
  } else {
    for (size_t column = 0; column < columns.size(); ++column)
      row.push_back(draw(column));
  }
  followForeignKeys(table, instance, random, row);
}

bool DatabaseGenerator::fits(size_t table, const Relation &rows, uint32_t count, const Cell *row,
                             const Instance &instance, const Meaning &meaning) {
  const Table &definition = catalog->tables[table];
  for (size_t column = 0; column < definition.columns.size(); ++column)
    if (row[column].isNull() && !definition.columns[column].type.nullable)
      return false;
  for (const Key &key : definition.keys) {
    auto anyNull = [&] {
      return std::any_of(key.columns.begin(), key.columns.end(),
                         [&](uint32_t column) { return row[column].isNull(); });
    };
    if (anyNull()) {
      if (key.primary)
        return false;
      continue;
    }
    for (uint32_t i = 0; i < count; ++i)
      if (std::all_of(key.columns.begin(), key.columns.end(),
                      [&](uint32_t column) { return rows.row(i)[column] == row[column]; }))
        return false;
  }
  for (RowCondition &check : checks[table]) {
    std::optional<Cell> holds = check.evaluate(row, instance, meaning);
    if (!holds || holds->isFalse())
      return false;
  }
  return true;
}

bool DatabaseGenerator::foreignKeysHold(size_t table, const Cell *row,
                                        const Instance &instance) const {
  for (const ForeignKey &key : catalog->tables[table].foreignKeys) {
    const Relation &target = instance.tables[key.table];
    bool free = std::any_of(key.columns.begin(), key.columns.end(),
                            [&](uint32_t column) { return row[column].isNull(); });
    bool found = free;
    for (uint32_t i = 0; i < target.count && !found; ++i) {
      found = true;
      for (size_t k = 0; k < key.columns.size() && found; ++k)
        found = target.row(i)[key.target[k]] == row[key.columns[k]];
    }
    if (!found)
      return false;
  }
  return true;
}

/// Deletes rows whose foreign keys name nothing, until none is left.
void DatabaseGenerator::dropDangling(Instance &instance) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t t = 0; t < instance.tables.size(); ++t) {
      Relation &rows = instance.tables[t];
      if (catalog->tables[t].foreignKeys.empty())
        continue;
      for (uint32_t i = 0; i < rows.count;) {
        if (foreignKeysHold(t, rows.row(i), instance)) {
          ++i;
          continue;
        }
        auto begin = rows.cells.begin() + long(size_t(i) * rows.width);
        rows.cells.erase(begin, begin + long(rows.width));
        --rows.count;
        changed = true;
      }
    }
  }
}

/// Chooses values and a meaning; no rows yet.
void DatabaseGenerator::begin(Random &random, Instance &instance, Meaning &meaning) {
  chooseActive(random);
  meaning.seed = random.next();
  for (size_t base = 0; base < BaseTypes; ++base)
    meaning.ranges[base] = active[base];
  meaning.ranges[size_t(BaseType::Bool)] = domains.plain[size_t(BaseType::Bool)];
  instance.tables.resize(catalog->tables.size());
  for (size_t t = 0; t < instance.tables.size(); ++t)
    instance.tables[t].clear(uint32_t(catalog->tables[t].columns.size()));
}

void DatabaseGenerator::generateFrom(const Instance &start, Beside beside, Random &random,
                                     Instance &instance, Meaning &meaning) {
  begin(random, instance, meaning);
  std::vector<Cell> row;
  for (size_t t : order) {
    Relation &rows = instance.tables[t];
    for (uint32_t i = 0; i < start.tables[t].count; ++i)
      if (fits(t, rows, rows.count, start.tables[t].row(i), instance, meaning))
        rows.append(start.tables[t].row(i));
    uint32_t more = beside == Beside::Rows && used[t] ? random.below(3) : 0;
    for (uint32_t i = 0; i < more; ++i) {
      fillRow(t, instance, random, row);
      if (fits(t, rows, rows.count, row.data(), instance, meaning))
        rows.append(row.data());
    }
  }
  dropDangling(instance);
}

void DatabaseGenerator::generate(Random &random, Instance &instance, Meaning &meaning) {
  begin(random, instance, meaning);
  bool hasLarge = !domains.sizes.empty() && random.oneIn(LargeOneIn);
  std::vector<size_t> filled;
  for (size_t t : order)
    if (used[t])
      filled.push_back(t);
  size_t large = hasLarge && !filled.empty() ? random.below(uint32_t(filled.size())) : SIZE_MAX;
  for (size_t i = 0; i < filled.size(); ++i)
    fillTable(filled[i], i == large, instance, meaning, random);
  dropDangling(instance);
}

void DatabaseGenerator::fillTable(size_t table, bool large, Instance &instance, Meaning &meaning,
                                  Random &random) {
  Relation &rows = instance.tables[table];
  uint32_t size = Sizes[random.below(std::size(Sizes))];
  if (large)
    size = domains.sizes[random.below(uint32_t(domains.sizes.size()))] + random.below(4) - 1;
  std::vector<Cell> row;
  for (uint32_t i = 0; i < size; ++i)
    for (int attempt = 0; attempt < Attempts; ++attempt) {
      fillRow(table, instance, random, row);
      if (large && attempt > 0)
        makeKeysFresh(table, i, row);
      if (!fits(table, rows, rows.count, row.data(), instance, meaning))
        continue;
      rows.append(row.data());
      break;
    }
}

/// A few values do not give many keys.
void DatabaseGenerator::makeKeysFresh(size_t table, uint32_t number, std::vector<Cell> &row) {
  const Table &definition = catalog->tables[table];
  for (const Key &key : definition.keys)
    for (uint32_t column : key.columns) {
      switch (definition.columns[column].type.base) {
      case BaseType::Int:
      case BaseType::Number:
        row[column] = Cell::ofInt(100 + number);
        break;
      case BaseType::Text:
        row[column] = {pool->intern("k" + std::to_string(number)), 1, CellTag::Text};
        break;
      default:
        break;
      }
    }
}

bool DatabaseGenerator::isValid(const Instance &instance, const Meaning &meaning) {
  for (size_t t = 0; t < instance.tables.size(); ++t) {
    const Relation &rows = instance.tables[t];
    for (uint32_t i = 0; i < rows.count; ++i)
      if (!fits(t, rows, i, rows.row(i), instance, meaning) ||
          !foreignKeysHold(t, rows.row(i), instance))
        return false;
  }
  return true;
}

} // namespace imbrex::sql
