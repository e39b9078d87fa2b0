#include "proof/sql/engine/Printer.h"
#include "proof/sql/query/Builders.h"

namespace imbrex::sql::print {

namespace {

bool isTrue(const Expr &expr) {
  return expr.kind == ExprKind::Literal && expr.value == Value(true);
}

bool isConstant(const Expr &expr) {
  return expr.kind == ExprKind::Literal || expr.kind == ExprKind::Parameter;
}

std::string both(const std::string &a, const std::string &b) {
  return a.empty() ? b : b.empty() ? a : a + " AND " + b;
}

} // namespace

std::string Printer::refuse(const std::string &what) {
  if (!failure)
    failure = unsupported(1110, what, std::string(engineName(engine)) + " has no text for it");
  return "NULL";
}

Source Printer::wrapped(std::string select, size_t width) {
  std::string name = alias();
  Source result{"(" + std::move(select) + ") AS " + name, "", {}};
  for (size_t i = 0; i < width; ++i)
    result.columns.push_back(name + ".c" + std::to_string(i));
  return result;
}

std::string Printer::selectFrom(const Texts &columns, const Source &source, const char *head) {
  Texts named;
  for (size_t i = 0; i < columns.size(); ++i)
    named.push_back(columns[i] + " AS c" + std::to_string(i));
  if (named.empty())
    named = {"1 AS c0"}; // a relation without columns: only the number of rows counts
  std::string text = head + join(named, ", ");
  if (!source.from.empty())
    text += " FROM " + source.from;
  if (!source.where.empty())
    text += " WHERE " + source.where;
  return text;
}

Source Printer::item(const Query &query) {
  Source result = source(query);
  if (result.where.empty() && query.kind != QueryKind::Join)
    return result;
  return wrapped(selectFrom(result.columns, result), result.columns.size());
}

Source Printer::source(const Query &query) {
  switch (query.kind) {
  case QueryKind::Scan: {
    std::string name = alias();
    const Table &table = catalog.tables[query.table];
    Source result{printName(table.name) + " AS " + name, "", {}};
    for (const Column &column : table.columns)
      result.columns.push_back(name + "." + printName(column.name));
    return result;
  }
  case QueryKind::Filter: {
    Source result = source(*query.inputs[0]);
    result.where = both(result.where, exprOver(*query.condition, result.columns));
    return result;
  }
  case QueryKind::Join:
    return joinSource(query);
  default:
    return wrapped(select(query), query.columns.size());
  }
}

Source Printer::joinSource(const Query &query) {
  Source left = source(*query.inputs[0]);
  bool semi = query.join == JoinKind::Semi || query.join == JoinKind::Anti;
  // SQLite applies ON conditions of joins to the left of RIGHT and FULL JOIN to the whole.
  bool outerRight = query.join == JoinKind::Right || query.join == JoinKind::Full;
  bool separate = sqlite() && outerRight && query.inputs[0]->kind == QueryKind::Join;
  if (separate || (!semi && !left.where.empty()))
    left = wrapped(selectFrom(left.columns, left), left.columns.size());
  if (query.lateral && sqlite() && !semi)
    refuse("a lateral join");
  if (query.lateral)
    scopes.push_back(left.columns);
  Source right = item(*query.inputs[1]);
  if (query.lateral)
    scopes.pop_back();
  Texts row = left.columns;
  row.insert(row.end(), right.columns.begin(), right.columns.end());
  std::string condition = exprOver(*query.condition, row);
  if (semi) {
    std::string exists = "EXISTS (SELECT 1 FROM " + right.from +
                         (isTrue(*query.condition) ? "" : " WHERE " + condition) + ")";
    left.where = both(left.where, (query.join == JoinKind::Anti ? "NOT " : "") + exists);
    return left;
  }
  const char *kinds[] = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "};
  // PostgreSQL wants FULL JOIN conditions that it can merge or hash; others it refuses itself.
  Source result{left.from + kinds[int(query.join)] +
                    (query.lateral && right.from[0] == '(' ? "LATERAL " : "") + right.from +
                    " ON " + condition,
                "", row};
  return result;
}

std::string Printer::select(const Query &query) {
  switch (query.kind) {
  case QueryKind::Values:
    return values(query);
  case QueryKind::Project: {
    Source input = source(*query.inputs[0]);
    return selectFrom(exprsOver(query.exprs, input.columns), input);
  }
  case QueryKind::SetOp:
    return setOp(query);
  case QueryKind::Distinct: {
    Source input = source(*query.inputs[0]);
    return selectFrom(input.columns, input, "SELECT DISTINCT ");
  }
  case QueryKind::Group:
    return group(query);
  case QueryKind::Window:
    return window(query);
  case QueryKind::Sort: {
    Source input = source(*query.inputs[0]);
    return sorted(query, input.columns, input);
  }
  default: {
    Source input = source(query);
    return selectFrom(input.columns, input);
  }
  }
}

std::string Printer::selectList(const Query &query) {
  const Query *sort = outermostSort(query);
  if (!sort)
    return select(query);
  Source input = source(*sort->inputs[0]);
  std::vector<const Query *> projects;
  for (const Query *q = &query; q != sort; q = q->inputs[0].get())
    projects.push_back(q);
  Texts columns = input.columns;
  for (auto project = projects.rbegin(); project != projects.rend(); ++project)
    columns = exprsOver((*project)->exprs, columns);
  return sorted(*sort, columns, input);
}

std::string Printer::sortKeys(const std::vector<SortKey> &order) {
  Texts keys;
  for (const SortKey &key : order)
    if (!isConstant(*key.expr)) // a constant would be read as the number of a column
      keys.push_back(expr(*key.expr) + (key.direction == Direction::Descending ? " DESC" : "") +
                     (key.nulls == NullOrder::First ? " NULLS FIRST" : " NULLS LAST"));
  return keys.empty() ? "" : "ORDER BY " + join(keys, ", ");
}

std::string Printer::sorted(const Query &query, const Texts &columns, const Source &source) {
  scopes.push_back(source.columns);
  std::string keys = sortKeys(query.order);
  scopes.pop_back();
  std::string text = selectFrom(columns, source);
  if (!keys.empty())
    text += " " + keys;
  auto present = [](const ExprPtr &count) {
    return count && !(count->kind == ExprKind::Literal && isNull(count->value));
  };
  if (present(query.limit))
    text += " LIMIT " + exprOver(*query.limit, {});
  else if (present(query.offset) && sqlite())
    text += " LIMIT -1";
  if (present(query.offset))
    text += " OFFSET " + exprOver(*query.offset, {});
  return text;
}

std::string Printer::values(const Query &query) {
  Texts rows;
  for (const auto &row : query.rows) {
    Texts cells = exprsOver(row, {});
    // The first row gives the columns their types.
    if (rows.empty() && !sqlite())
      for (size_t i = 0; i < cells.size(); ++i)
        if (query.columns[i].type.base != BaseType::Unknown)
          cells[i] = "CAST(" + cells[i] + " AS " + typeText(query.columns[i].type, engine) + ")";
    rows.push_back(selectFrom(cells, {}));
  }
  if (!rows.empty())
    return join(rows, " UNION ALL ");
  Texts nulls;
  for (const Column &column : query.columns)
    nulls.push_back(printValue(Value(), column.type, engine));
  return selectFrom(nulls, {}) + " WHERE FALSE";
}

std::string Printer::setOp(const Query &query) {
  bool all = query.all && query.set != SetKind::Union;
  if (all && sqlite())
    refuse(query.set == SetKind::Intersect ? "INTERSECT ALL" : "EXCEPT ALL");
  const char *names[] = {" UNION ", " INTERSECT ", " EXCEPT "};
  std::string separator = names[int(query.set)] + std::string(query.all ? "ALL " : "");
  Texts parts;
  for (const QueryPtr &input : query.inputs) {
    Source part = item(*input);
    parts.push_back(selectFrom(part.columns, part));
  }
  return join(parts, separator.c_str());
}

std::string Printer::bound(const FrameBound &bound) {
  switch (bound.kind) {
  case BoundKind::UnboundedPreceding:
    return "UNBOUNDED PRECEDING";
  case BoundKind::Preceding:
    return expr(*bound.offset) + " PRECEDING";
  case BoundKind::CurrentRow:
    return "CURRENT ROW";
  case BoundKind::Following:
    return expr(*bound.offset) + " FOLLOWING";
  case BoundKind::UnboundedFollowing:
    return "UNBOUNDED FOLLOWING";
  }
  return {};
}

std::string Printer::windowCall(const WindowFunction &function) {
  static const char *const names[] = {
      "",           "ROW_NUMBER", "RANK",         "DENSE_RANK", "LAG",       "LEAD", "FIRST_VALUE",
      "LAST_VALUE", "NTILE",      "PERCENT_RANK", "CUME_DIST",  "NTH_VALUE", ""};
  Texts arguments = exprs(function.aggregate.arguments);
  std::string text;
  if (function.kind == WindowKind::Aggregate) {
    if (function.aggregate.distinct)
      refuse("DISTINCT in a window function");
    text = aggregate(function.aggregate, arguments,
                     function.aggregate.filter ? expr(*function.aggregate.filter) : "");
  } else if (function.kind == WindowKind::Other) {
    return refuse("the window function " + function.name);
  } else {
    // PostgreSQL takes an INTEGER there, which our BIGINT is not.
    if (function.kind == WindowKind::NthValue && !sqlite() && arguments.size() == 2)
      arguments[1] = "CAST(" + arguments[1] + " AS INTEGER)";
    text = std::string(names[int(function.kind)]) + "(" + join(arguments, ", ") + ")";
  }
  Texts parts;
  if (!function.partition.empty())
    parts.push_back("PARTITION BY " + join(exprs(function.partition), ", "));
  std::string keys = sortKeys(function.order);
  if (!keys.empty())
    parts.push_back(keys);
  bool framed = function.kind == WindowKind::Aggregate || function.kind == WindowKind::FirstValue ||
                function.kind == WindowKind::LastValue || function.kind == WindowKind::NthValue;
  if (framed && (function.unit == FrameUnit::Rows || !keys.empty()))
    parts.push_back(std::string(function.unit == FrameUnit::Rows ? "ROWS" : "RANGE") + " BETWEEN " +
                    bound(function.from) + " AND " + bound(function.to));
  text += " OVER (" + join(parts, " ") + ")";
  return function.kind == WindowKind::Aggregate ? typed(function.aggregate, text) : text;
}

std::string Printer::window(const Query &query) {
  Source input = source(*query.inputs[0]);
  scopes.push_back(input.columns);
  Texts columns = input.columns;
  for (const WindowFunction &function : query.windows)
    columns.push_back(windowCall(function));
  scopes.pop_back();
  return selectFrom(columns, input);
}

} // namespace imbrex::sql::print
