// Grouping sets and aggregates.
#include "proof/sql/evaluate/Program.h"

#include <algorithm>

namespace imbrex::sql::evaluate {

namespace {

const Cell *argumentsOf(const CompiledAggregate &aggregate, uint32_t row) {
  return aggregate.values.data() + row * aggregate.arguments.size();
}

bool anyNull(const Cell *cells, size_t count) {
  return std::any_of(cells, cells + count, [](const Cell &cell) { return cell.isNull(); });
}

/// The rows of the group that count: kept by the filter, without NULL where the aggregate ignores
/// NULL, each value once for DISTINCT.
template <class Use>
void forEachValue(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count, Use use) {
  size_t width = aggregate.arguments.size();
  bool skipsNull =
      aggregate.kind != AggregateKind::CountRows &&
      (aggregate.kind != AggregateKind::Uninterpreted || aggregate.known != KnownAggregate::None) &&
      aggregate.kind != AggregateKind::SingleValue && aggregate.kind != AggregateKind::AnyValue;
  auto counts = [&](uint32_t row) {
    return aggregate.kept[row] && !(skipsNull && anyNull(argumentsOf(aggregate, row), width));
  };
  for (size_t i = 0; i < count; ++i) {
    const Cell *values = argumentsOf(aggregate, rows[i]);
    if (!counts(rows[i]))
      continue;
    bool seen = false;
    for (size_t j = 0; aggregate.distinct && j < i && !seen; ++j)
      seen = counts(rows[j]) && sameRow(argumentsOf(aggregate, rows[j]), values, uint32_t(width));
    if (!seen)
      use(values);
  }
}

Cell sumOf(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count, Run &run) {
  Cell sum = Cell::ofInt(0);
  int64_t addends = 0;
  forEachValue(aggregate, rows, count, [&](const Cell *values) {
    std::optional<Cell> next = add(sum, values[0]);
    if (values[0].tag != CellTag::Number)
      run.fail(Fault::NotDetermined, "a sum of something other than numbers");
    if (!next)
      run.fail(Fault::Overflow, "a number beyond 64 bits");
    sum = next.value_or(sum);
    ++addends;
  });
  if (addends == 0)
    return {};
  if (aggregate.kind == AggregateKind::Sum)
    return sum;
  std::optional<Cell> mean = divide(sum, Cell::ofInt(addends));
  if (!mean)
    run.fail(Fault::Overflow, "a number beyond 64 bits");
  return mean && aggregate.truncating ? truncate(*mean) : mean.value_or(Cell{});
}

Cell extremeOf(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count, Run &run) {
  Cell best;
  bool wantsLess = aggregate.kind == AggregateKind::Min || aggregate.kind == AggregateKind::BoolAnd;
  forEachValue(aggregate, rows, count, [&](const Cell *values) {
    if (best.isNull() || (compare(values[0], best, run.pool) < 0) == wantsLess)
      best = values[0];
  });
  return best;
}

/// SINGLE_VALUE and ANY_VALUE.
Cell oneOf(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count, Run &run) {
  Cell value;
  size_t seen = 0;
  bool differ = false;
  forEachValue(aggregate, rows, count, [&](const Cell *values) {
    differ |= seen > 0 && !(values[0] == value);
    if (seen++ == 0)
      value = values[0];
  });
  if (aggregate.kind == AggregateKind::SingleValue && seen > 1)
    run.fail(Fault::Error, "several rows where one value is wanted");
  if (aggregate.kind == AggregateKind::AnyValue && differ)
    run.fail(Fault::NotDetermined, "ANY_VALUE over different values");
  return value;
}

/// Finds the group of the keys, which are masked to the grouping set; makes it when it is new.
uint32_t groupOf(std::vector<Cell> &groups, uint32_t &groupCount, const Cell *keys, size_t width) {
  for (uint32_t g = 0; g < groupCount; ++g)
    if (sameRow(groups.data() + g * width, keys, uint32_t(width)))
      return g;
  groups.insert(groups.end(), keys, keys + width);
  return groupCount++;
}

int64_t groupingBits(const std::vector<uint32_t> &call, const std::vector<uint32_t> &set) {
  int64_t bits = 0;
  for (uint32_t key : call)
    bits = bits * 2 + (std::find(set.begin(), set.end(), key) == set.end());
  return bits;
}

struct GroupScratch {
  std::vector<Cell> groups;
  std::vector<Cell> masked;
  std::vector<uint32_t> groupOfRow;
  std::vector<uint32_t> members;
};

void evaluateSet(CompiledQuery &query, const Relation &input, const std::vector<uint32_t> &set,
                 GroupScratch &scratch, Run &run) {
  size_t width = query.exprs.size();
  uint32_t groupCount = 0;
  scratch.groups.clear();
  scratch.groupOfRow.clear();
  for (uint32_t i = 0; i < input.count; ++i) {
    scratch.masked.assign(width, Cell{});
    for (uint32_t key : set)
      scratch.masked[key] = query.keys[i * width + key];
    scratch.groupOfRow.push_back(groupOf(scratch.groups, groupCount, scratch.masked.data(), width));
  }
  if (set.empty() && groupCount == 0) {
    scratch.groups.assign(width, Cell{});
    groupCount = 1;
  }
  for (uint32_t g = 0; g < groupCount; ++g) {
    scratch.members.clear();
    for (uint32_t i = 0; i < input.count; ++i)
      if (scratch.groupOfRow[i] == g)
        scratch.members.push_back(i);
    std::vector<Cell> &cells = query.result.cells;
    cells.insert(cells.end(), scratch.groups.begin() + long(g * width),
                 scratch.groups.begin() + long((g + 1) * width));
    for (const CompiledAggregate &aggregate : query.aggregates)
      cells.push_back(
          aggregateOver(aggregate, scratch.members.data(), scratch.members.size(), run));
    for (const auto &call : query.groupingCalls)
      cells.push_back(Cell::ofInt(groupingBits(call, set)));
    ++query.result.count;
  }
}

} // namespace

void prepareAggregate(CompiledAggregate &aggregate, const Relation &input, Run &run) {
  aggregate.values.clear();
  aggregate.kept.assign(input.count, 1);
  RowScope scope(run, nullptr);
  for (uint32_t i = 0; i < input.count; ++i) {
    scope.set(input.row(i));
    if (aggregate.filter)
      aggregate.kept[i] = evaluate(*aggregate.filter, run).isTrue();
    // Rows that the filter drops do not reach the arguments' errors.
    for (const CompiledExpr &argument : aggregate.arguments) {
      Cell cell = aggregate.kept[i] ? evaluate(argument, run) : Cell{};
      aggregate.values.push_back(cell);
    }
  }
}

Cell aggregateOver(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count,
                   Run &run) {
  switch (aggregate.kind) {
  case AggregateKind::CountRows:
  case AggregateKind::Count: {
    int64_t number = 0;
    forEachValue(aggregate, rows, count, [&](const Cell *) { ++number; });
    return Cell::ofInt(number);
  }
  case AggregateKind::Sum:
  case AggregateKind::Avg:
    return sumOf(aggregate, rows, count, run);
  case AggregateKind::Min:
  case AggregateKind::Max:
  case AggregateKind::BoolAnd:
  case AggregateKind::BoolOr:
    return extremeOf(aggregate, rows, count, run);
  case AggregateKind::SingleValue:
  case AggregateKind::AnyValue:
    return oneOf(aggregate, rows, count, run);
  case AggregateKind::Uninterpreted: {
    if (aggregate.known != KnownAggregate::None) {
      std::vector<Cell> values;
      forEachValue(aggregate, rows, count, [&](const Cell *cells) { values.push_back(cells[0]); });
      return knownAggregateOver(aggregate.known, values, run);
    }
    uint64_t bag = 0; // a sum of hashes: the order does not matter
    forEachValue(aggregate, rows, count, [&](const Cell *values) {
      uint64_t hash = 1;
      for (size_t k = 0; k < aggregate.arguments.size(); ++k)
        hash = mix(hash, hashOf(values[k], run.pool));
      bag += mix(hash, 7);
    });
    return run.meaning->value(aggregate.name, bag, aggregate.type);
  }
  }
  return {};
}

void evaluateGroup(CompiledQuery &query, const Relation &input, Run &run) {
  query.keys.clear();
  {
    RowScope scope(run, nullptr);
    for (uint32_t i = 0; i < input.count; ++i) {
      scope.set(input.row(i));
      for (const CompiledExpr &expr : query.exprs) {
        Cell cell = evaluate(expr, run);
        query.keys.push_back(cell);
      }
    }
  }
  for (CompiledAggregate &aggregate : query.aggregates)
    prepareAggregate(aggregate, input, run);
  GroupScratch scratch;
  for (const auto &set : query.groupingSets)
    evaluateSet(query, input, set, scratch, run);
}

} // namespace imbrex::sql::evaluate
