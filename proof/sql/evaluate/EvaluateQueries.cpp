#include "proof/sql/evaluate/Program.h"

#include <algorithm>

namespace imbrex::sql::evaluate {

namespace {

void append(CompiledQuery &query, const Cell *row, Run &run) {
  query.result.append(row);
  if (query.result.count > MostRows || query.result.cells.size() > MostCells)
    run.fail(Fault::TooLarge, "an intermediate result with too many rows");
}

void evaluateValues(CompiledQuery &query, Run &run) {
  RowScope scope(run, nullptr);
  for (const auto &row : query.rows) {
    for (const CompiledExpr &expr : row) {
      Cell cell = evaluate(expr, run);
      query.result.cells.push_back(cell);
    }
    ++query.result.count;
  }
}

void evaluateFilter(CompiledQuery &query, const Relation &input, Run &run) {
  RowScope scope(run, nullptr);
  for (uint32_t i = 0; i < input.count && !run.failed(); ++i) {
    scope.set(input.row(i));
    if (!query.condition || evaluate(*query.condition, run).isTrue())
      query.result.append(input.row(i));
  }
}

void evaluateProject(CompiledQuery &query, const Relation &input, Run &run) {
  RowScope scope(run, nullptr);
  for (uint32_t i = 0; i < input.count && !run.failed(); ++i) {
    scope.set(input.row(i));
    for (const CompiledExpr &expr : query.exprs) {
      Cell cell = evaluate(expr, run);
      query.result.cells.push_back(cell);
    }
    ++query.result.count;
  }
}

/// One left row against all right rows. Marks the right rows that it met in `query.flags`.
void joinRow(CompiledQuery &query, const Cell *left, uint32_t leftWidth, const Relation &right,
             Run &run) {
  query.scratch.assign(left, left + leftWidth);
  query.scratch.resize(leftWidth + right.width);
  RowScope scope(run, query.scratch.data());
  bool semi = query.join == JoinKind::Semi || query.join == JoinKind::Anti;
  bool met = false;
  for (uint32_t j = 0; j < right.count && !run.failed(); ++j) {
    std::copy_n(right.row(j), right.width, query.scratch.begin() + leftWidth);
    if (query.condition && !evaluate(*query.condition, run).isTrue())
      continue;
    met = true;
    query.flags[j] = 1;
    if (!semi)
      append(query, query.scratch.data(), run);
  }
  bool pads = query.join == JoinKind::Left || query.join == JoinKind::Full;
  if (pads && !met) {
    std::fill(query.scratch.begin() + leftWidth, query.scratch.end(), Cell{});
    append(query, query.scratch.data(), run);
  }
  if (semi && met == (query.join == JoinKind::Semi))
    append(query, query.scratch.data(), run);
}

void evaluateJoin(CompiledQuery &query, Run &run) {
  const Relation &left = evaluate(*query.inputs[0], run);
  const Relation *right = query.lateral ? nullptr : &evaluate(*query.inputs[1], run);
  uint32_t leftWidth = left.width;
  if (right)
    query.flags.assign(right->count, 0);
  for (uint32_t i = 0; i < left.count && !run.failed(); ++i) {
    if (query.lateral) {
      RowScope scope(run, left.row(i));
      right = &evaluate(*query.inputs[1], run);
      query.flags.assign(right->count, 0);
    }
    joinRow(query, left.row(i), leftWidth, *right, run);
  }
  if (query.lateral || (query.join != JoinKind::Right && query.join != JoinKind::Full))
    return;
  for (uint32_t j = 0; j < right->count; ++j) {
    if (query.flags[j])
      continue;
    query.scratch.assign(leftWidth, Cell{});
    query.scratch.insert(query.scratch.end(), right->row(j), right->row(j) + right->width);
    append(query, query.scratch.data(), run);
  }
}

bool contains(const Relation &rows, const Cell *row) {
  for (uint32_t i = 0; i < rows.count; ++i)
    if (sameRow(rows.row(i), row, rows.width))
      return true;
  return false;
}

void appendNew(Relation &result, const Cell *row) {
  if (!contains(result, row))
    result.append(row);
}

void evaluateUnion(CompiledQuery &query, Run &run) {
  for (auto &inputQuery : query.inputs) {
    const Relation &input = evaluate(*inputQuery, run);
    for (uint32_t i = 0; i < input.count && !run.failed(); ++i) {
      if (query.all)
        append(query, input.row(i), run);
      else
        appendNew(query.result, input.row(i));
    }
  }
}

void evaluateIntersectOrExcept(CompiledQuery &query, Run &run) {
  const Relation &left = evaluate(*query.inputs[0], run);
  const Relation &right = evaluate(*query.inputs[1], run);
  bool intersect = query.set == SetKind::Intersect;
  query.flags.assign(right.count, 0); // right rows that stand for a left row already
  for (uint32_t i = 0; i < left.count; ++i) {
    const Cell *row = left.row(i);
    if (!query.all) {
      if (contains(right, row) == intersect)
        appendNew(query.result, row);
      continue;
    }
    uint32_t j = 0;
    while (j < right.count && (query.flags[j] || !sameRow(right.row(j), row, right.width)))
      ++j;
    bool met = j < right.count;
    if (met)
      query.flags[j] = 1;
    if (met == intersect)
      query.result.append(row);
  }
}

/// LIMIT or OFFSET: a row count, or none for NULL and for no clause.
std::optional<uint64_t> countOf(const std::optional<CompiledExpr> &expr, Run &run) {
  if (!expr)
    return std::nullopt;
  RowScope scope(run, nullptr);
  Cell cell = evaluate(*expr, run);
  if (cell.isNull())
    return std::nullopt;
  if (cell.number < 0)
    run.fail(Fault::Error, "a negative LIMIT or OFFSET");
  return uint64_t(std::max<int64_t>(truncated(cell), 0));
}

} // namespace

void evaluateKeys(const std::vector<CompiledKey> &order, const Relation &input,
                  std::vector<Cell> &keys, Run &run) {
  keys.clear();
  RowScope scope(run, nullptr);
  for (uint32_t i = 0; i < input.count; ++i) {
    scope.set(input.row(i));
    for (const CompiledKey &key : order) {
      Cell cell = evaluate(key.expr, run);
      keys.push_back(cell);
    }
  }
}

int compareKeys(const std::vector<CompiledKey> &order, const Cell *a, const Cell *b,
                const TextPool &pool) {
  for (size_t k = 0; k < order.size(); ++k) {
    if (a[k].isNull() && b[k].isNull())
      continue;
    if (a[k].isNull() || b[k].isNull())
      return a[k].isNull() == (order[k].nulls == NullOrder::First) ? -1 : 1;
    if (int result = compare(a[k], b[k], pool))
      return order[k].direction == Direction::Ascending ? result : -result;
  }
  return 0;
}

void evaluateSort(CompiledQuery &query, const Relation &input, Run &run) {
  evaluateKeys(query.order, input, query.keys, run);
  std::optional<uint64_t> limit = countOf(query.limit, run), offset = countOf(query.offset, run);
  size_t width = query.order.size();
  auto keyOf = [&](uint32_t row) { return query.keys.data() + row * width; };
  auto &rows = query.permutation;
  rows.resize(input.count);
  for (uint32_t i = 0; i < input.count; ++i)
    rows[i] = i;
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    int order = compareKeys(query.order, keyOf(a), keyOf(b), run.pool);
    return order != 0 ? order < 0 : a < b;
  });
  query.ties.clear();
  for (uint32_t i = 0, tie = 0; i < input.count; ++i) {
    if (i > 0 && compareKeys(query.order, keyOf(rows[i - 1]), keyOf(rows[i]), run.pool) != 0)
      ++tie;
    query.ties.push_back(tie);
  }
  uint64_t from = std::min<uint64_t>(offset.value_or(0), input.count);
  uint64_t to = limit ? std::min<uint64_t>(from + *limit, input.count) : input.count;
  for (uint64_t cut : {from, to}) {
    if (cut == 0 || cut == input.count || from == to || query.onlyExistence ||
        query.ties[cut - 1] != query.ties[cut])
      continue;
    for (uint32_t i = 0; i < input.count; ++i)
      if (query.ties[i] == query.ties[cut] &&
          !sameRow(input.row(rows[i]), input.row(rows[cut]), input.width))
        run.fail(Fault::NotDetermined, "LIMIT chooses among tied rows");
  }
  for (uint64_t i = from; i < to; ++i)
    query.result.append(input.row(rows[i]));
  query.ties.assign(query.ties.begin() + long(from), query.ties.begin() + long(to));
}

const Relation &evaluate(CompiledQuery &query, Run &run) {
  if (query.kind == QueryKind::Scan)
    return run.instance->tables[query.table];
  query.result.clear(query.width);
  if (run.failed())
    return query.result;
  switch (query.kind) {
  case QueryKind::Values:
    evaluateValues(query, run);
    break;
  case QueryKind::Join:
    evaluateJoin(query, run);
    break;
  case QueryKind::SetOp:
    if (query.set == SetKind::Union)
      evaluateUnion(query, run);
    else
      evaluateIntersectOrExcept(query, run);
    break;
  default: {
    const Relation &input = evaluate(*query.inputs[0], run);
    if (query.kind == QueryKind::Filter)
      evaluateFilter(query, input, run);
    else if (query.kind == QueryKind::Project)
      evaluateProject(query, input, run);
    else if (query.kind == QueryKind::Group)
      evaluateGroup(query, input, run);
    else if (query.kind == QueryKind::Window)
      evaluateWindows(query, input, run);
    else if (query.kind == QueryKind::Sort)
      evaluateSort(query, input, run);
    else
      for (uint32_t i = 0; i < input.count; ++i)
        appendNew(query.result, input.row(i));
  }
  }
  return query.result;
}

} // namespace imbrex::sql::evaluate
