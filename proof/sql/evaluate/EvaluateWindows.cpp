// Window functions: partitions, their order, frames.
#include "proof/sql/evaluate/Program.h"

#include <algorithm>

namespace imbrex::sql::evaluate {

namespace {

/// One partition in its order.
struct Partition {
  std::vector<uint32_t> rows;
  std::vector<uint32_t> peerStart, peerEnd; // positions; end is one past the last
};

class WindowRun {
public:
  WindowRun(CompiledWindow &window, const Relation &input, Run &run)
      : window(window), input(input), run(run) {}

  /// The function's value for each row of the input.
  std::vector<Cell> values();

private:
  const Cell *keysOf(uint32_t row) const { return keys.data() + row * window.order.size(); }
  std::vector<Partition> partitions();
  void sortPartition(Partition &partition);
  void refuseChoice(const Partition &partition);
  bool dependsOnChoice() const;
  bool looksSame(const Cell *a, const Cell *b) const;
  Cell valueAt(const Partition &partition, uint32_t position);
  Cell shifted(const Partition &partition, uint32_t position);
  Cell bucket(const Partition &partition, uint32_t position);
  std::pair<int64_t, int64_t> frame(const Partition &partition, uint32_t position);
  int64_t bound(const Partition &partition, uint32_t position, const CompiledBound &bound,
                bool isStart);
  int64_t rangeBound(const Partition &partition, uint32_t position, const Cell &offset,
                     bool preceding, bool isStart);
  std::optional<Cell> offsetOf(const CompiledBound &bound, uint32_t row);

  CompiledWindow &window;
  const Relation &input;
  Run &run;
  std::vector<Cell> keys;
};

std::vector<Partition> WindowRun::partitions() {
  std::vector<Partition> result;
  std::vector<std::vector<Cell>> names;
  RowScope scope(run, nullptr);
  for (uint32_t i = 0; i < input.count; ++i) {
    scope.set(input.row(i));
    std::vector<Cell> name;
    for (const CompiledExpr &expr : window.partition)
      name.push_back(evaluate(expr, run));
    size_t p = size_t(std::find(names.begin(), names.end(), name) - names.begin());
    if (p == names.size()) {
      names.push_back(std::move(name));
      result.emplace_back();
    }
    result[p].rows.push_back(i);
  }
  return result;
}

void WindowRun::sortPartition(Partition &partition) {
  auto &rows = partition.rows;
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    int order = compareKeys(window.order, keysOf(a), keysOf(b), run.pool);
    return order != 0 ? order < 0 : a < b;
  });
  uint32_t count = uint32_t(rows.size());
  partition.peerStart.resize(count);
  partition.peerEnd.resize(count);
  for (uint32_t start = 0, end = 0; start < count; start = end) {
    end = start;
    while (end < count &&
           compareKeys(window.order, keysOf(rows[start]), keysOf(rows[end]), run.pool) == 0)
      ++end;
    for (uint32_t i = start; i < end; ++i) {
      partition.peerStart[i] = start;
      partition.peerEnd[i] = end;
    }
  }
}

/// Does the value depend on how tied rows are put in order?
bool WindowRun::dependsOnChoice() const {
  if (window.kind == WindowKind::Rank || window.kind == WindowKind::DenseRank ||
      window.kind == WindowKind::PercentRank || window.kind == WindowKind::CumeDist)
    return false;
  bool whole = window.from.kind == BoundKind::UnboundedPreceding &&
               window.to.kind == BoundKind::UnboundedFollowing;
  return window.kind != WindowKind::Aggregate || (window.unit == FrameUnit::Rows && !whole);
}

bool WindowRun::looksSame(const Cell *a, const Cell *b) const {
  if (window.read.empty())
    return sameRow(a, b, input.width);
  for (uint32_t c = 0; c < input.width; ++c)
    if (window.read[c] && !sameRow(a + c, b + c, 1))
      return false;
  return true;
}

void WindowRun::refuseChoice(const Partition &partition) {
  for (uint32_t i = 0; i < partition.rows.size(); ++i)
    if (!looksSame(input.row(partition.rows[i]), input.row(partition.rows[partition.peerStart[i]])))
      run.fail(Fault::NotDetermined, "a window function chooses among tied rows");
}

std::optional<Cell> WindowRun::offsetOf(const CompiledBound &bound, uint32_t row) {
  RowScope scope(run, input.row(row));
  Cell offset = evaluate(*bound.offset, run);
  if (offset.isNull() || offset.tag != CellTag::Number || offset.number < 0) {
    run.fail(Fault::Error, "a frame offset that is NULL or negative");
    return std::nullopt;
  }
  return offset;
}

/// First position (of a start) or last position (of an end) within `offset` of the current key.
int64_t WindowRun::rangeBound(const Partition &partition, uint32_t position, const Cell &offset,
                              bool preceding, bool isStart) {
  const Cell &current = keysOf(partition.rows[position])[0];
  if (current.isNull())
    return isStart ? partition.peerStart[position] : int64_t(partition.peerEnd[position]) - 1;
  bool down = preceding == (window.order[0].direction == Direction::Ascending);
  std::optional<Cell> limit = down ? subtract(current, offset) : add(current, offset);
  if (!limit) {
    run.fail(Fault::Overflow, "a number beyond 64 bits");
    return 0;
  }
  auto before = [&](int64_t i) { // is that row's key before the limit, in the window's order?
    const Cell key = keysOf(partition.rows[size_t(i)])[0];
    return compareKeys(window.order, &key, &*limit, run.pool);
  };
  int64_t count = int64_t(partition.rows.size());
  if (isStart) {
    int64_t i = 0;
    while (i < count && before(i) < 0)
      ++i;
    return i;
  }
  int64_t i = count - 1;
  while (i >= 0 && before(i) > 0)
    --i;
  return i;
}

int64_t WindowRun::bound(const Partition &partition, uint32_t position, const CompiledBound &bound,
                         bool isStart) {
  int64_t last = int64_t(partition.rows.size()) - 1;
  switch (bound.kind) {
  case BoundKind::UnboundedPreceding:
    return isStart ? 0 : -1;
  case BoundKind::UnboundedFollowing:
    return isStart ? last + 1 : last;
  case BoundKind::CurrentRow:
    if (window.unit == FrameUnit::Rows)
      return position;
    return isStart ? partition.peerStart[position] : int64_t(partition.peerEnd[position]) - 1;
  case BoundKind::Preceding:
  case BoundKind::Following: {
    std::optional<Cell> offset = offsetOf(bound, partition.rows[position]);
    if (!offset)
      return 0;
    bool preceding = bound.kind == BoundKind::Preceding;
    if (window.unit == FrameUnit::Range)
      return rangeBound(partition, position, *offset, preceding, isStart);
    int64_t distance = std::min<int64_t>(truncated(*offset), last + 1);
    return preceding ? position - distance : position + distance;
  }
  }
  return 0;
}

/// First and last position, clipped to the partition; last < first when empty.
std::pair<int64_t, int64_t> WindowRun::frame(const Partition &partition, uint32_t position) {
  int64_t from = bound(partition, position, window.from, true);
  int64_t to = bound(partition, position, window.to, false);
  return {std::max<int64_t>(from, 0), std::min<int64_t>(to, int64_t(partition.rows.size()) - 1)};
}

/// LAG and LEAD: argument, distance (1), default (NULL).
Cell WindowRun::shifted(const Partition &partition, uint32_t position) {
  const auto &arguments = window.aggregate.arguments;
  RowScope scope(run, input.row(partition.rows[position]));
  Cell distance = arguments.size() > 1 ? evaluate(arguments[1], run) : Cell::ofInt(1);
  if (distance.isNull())
    return {};
  if (distance.number < 0 || distance.number > int64_t(MostRows)) {
    run.fail(Fault::NotDetermined, "a strange distance of LAG or LEAD");
    return {};
  }
  int64_t steps = truncated(distance);
  int64_t target = window.kind == WindowKind::Lag ? position - steps : position + steps;
  if (target < 0 || target >= int64_t(partition.rows.size()))
    return arguments.size() > 2 ? evaluate(arguments[2], run) : Cell{};
  scope.set(input.row(partition.rows[size_t(target)]));
  return evaluate(arguments[0], run);
}

/// NTILE(n): the first buckets take one row more when n does not divide the rows.
Cell WindowRun::bucket(const Partition &partition, uint32_t position) {
  RowScope scope(run, input.row(partition.rows[position]));
  Cell buckets = evaluate(window.aggregate.arguments[0], run);
  if (buckets.isNull())
    return {};
  if (buckets.number <= 0) {
    run.fail(Fault::Error, "NTILE of less than one bucket");
    return {};
  }
  int64_t count = int64_t(partition.rows.size()), n = truncated(buckets);
  int64_t small = count / n, larger = count % n;
  int64_t inLarger = larger * (small + 1);
  if (position < inLarger)
    return Cell::ofInt(position / (small + 1) + 1);
  return Cell::ofInt(larger + (position - inLarger) / std::max<int64_t>(small, 1) + 1);
}

Cell WindowRun::valueAt(const Partition &partition, uint32_t position) {
  switch (window.kind) {
  case WindowKind::RowNumber:
    return Cell::ofInt(position + 1);
  case WindowKind::Rank:
    return Cell::ofInt(partition.peerStart[position] + 1);
  case WindowKind::DenseRank: {
    int64_t rank = 1;
    for (uint32_t i = 1; i <= position; ++i)
      rank += partition.peerStart[i] == i;
    return Cell::ofInt(rank);
  }
  case WindowKind::PercentRank: {
    int64_t others = int64_t(partition.rows.size()) - 1;
    return *divide(Cell::ofInt(partition.peerStart[position]),
                   Cell::ofInt(std::max(others, int64_t(1))));
  }
  case WindowKind::CumeDist:
    return *divide(Cell::ofInt(partition.peerEnd[position]),
                   Cell::ofInt(int64_t(partition.rows.size())));
  case WindowKind::Lag:
  case WindowKind::Lead:
    return shifted(partition, position);
  case WindowKind::Ntile:
    return bucket(partition, position);
  default:
    break;
  }
  auto [from, to] = frame(partition, position);
  size_t count = to < from ? 0 : size_t(to - from + 1);
  if (window.kind == WindowKind::Aggregate)
    return aggregateOver(window.aggregate, partition.rows.data() + (count ? from : 0), count, run);
  if (count == 0)
    return {};
  if (window.kind == WindowKind::NthValue) {
    RowScope scope(run, input.row(partition.rows[position]));
    Cell number = evaluate(window.aggregate.arguments[1], run);
    if (number.isNull())
      return {};
    if (number.number < 1)
      run.fail(Fault::Error, "NTH_VALUE of a number below one");
    from = std::min<int64_t>(from + number.number - 1, to + 1);
    if (run.failed() || from > to)
      return {};
  }
  uint32_t row = partition.rows[size_t(window.kind == WindowKind::LastValue ? to : from)];
  RowScope scope(run, input.row(row));
  return evaluate(window.aggregate.arguments[0], run);
}

std::vector<Cell> WindowRun::values() {
  evaluateKeys(window.order, input, keys, run);
  if (window.kind == WindowKind::Aggregate)
    prepareAggregate(window.aggregate, input, run);
  std::vector<Cell> result(input.count);
  for (Partition &partition : partitions()) {
    sortPartition(partition);
    if (dependsOnChoice())
      refuseChoice(partition);
    for (uint32_t i = 0; i < partition.rows.size() && !run.failed(); ++i)
      result[partition.rows[i]] = valueAt(partition, i);
  }
  return result;
}

} // namespace

void evaluateWindows(CompiledQuery &query, const Relation &input, Run &run) {
  std::vector<std::vector<Cell>> columns;
  for (CompiledWindow &window : query.windows)
    columns.push_back(WindowRun(window, input, run).values());
  for (uint32_t i = 0; i < input.count; ++i) {
    std::vector<Cell> &cells = query.result.cells;
    cells.insert(cells.end(), input.row(i), input.row(i) + input.width);
    for (const auto &column : columns)
      cells.push_back(column[i]);
    ++query.result.count;
  }
}

} // namespace imbrex::sql::evaluate
