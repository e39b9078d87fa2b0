#include "support/sqlite/Sqlite.h"

#include <sqlite3.h>

namespace imbrex::sqlite {

namespace {

/// How many virtual-machine instructions run between two looks at the clock.
constexpr int InstructionsPerCheck = 1000;

Error failure(sqlite3 *database, std::string what) {
  if (sqlite3_errcode(database) == SQLITE_INTERRUPT)
    return unsupported(812, "the query took too long", "the time limit for SQLite is over");
  return badInput(811, std::move(what), sqlite3_errmsg(database));
}

struct BindVisitor {
  sqlite3_stmt *statement;
  int parameter;

  int operator()(std::monostate) const { return sqlite3_bind_null(statement, parameter); }
  int operator()(int64_t value) const { return sqlite3_bind_int64(statement, parameter, value); }
  int operator()(double value) const { return sqlite3_bind_double(statement, parameter, value); }
  int operator()(const std::string &text) const {
    return sqlite3_bind_text64(statement, parameter, text.data(), text.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  }
  int operator()(const Blob &blob) const {
    return sqlite3_bind_blob64(statement, parameter, blob.bytes.data(), blob.bytes.size(),
                               SQLITE_TRANSIENT);
  }
};

std::string textOf(const char *text) { return text ? text : ""; }

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

Status Statement::bind(int parameter, const Cell &value) {
  if (std::visit(BindVisitor{handle.get(), parameter}, value) != SQLITE_OK)
    return failure(sqlite3_db_handle(handle.get()),
                   "parameter " + std::to_string(parameter) + " of the query cannot be set");
  return {};
}

Result<Step> Statement::step() {
  switch (sqlite3_step(handle.get())) {
  case SQLITE_ROW:
    return Step::Row;
  case SQLITE_DONE:
    return Step::Done;
  default:
    return failure(sqlite3_db_handle(handle.get()), "SQLite stopped the query");
  }
}

Status Statement::reset() {
  // The code that reset returns is the last step's, which step reported.
  sqlite3_reset(handle.get());
  return {};
}

int Statement::columnCount() const { return sqlite3_column_count(handle.get()); }

std::string Statement::columnName(int column) const {
  return textOf(sqlite3_column_name(handle.get(), column));
}

std::string Statement::declaredType(int column) const {
  return textOf(sqlite3_column_decltype(handle.get(), column));
}

Cell Statement::cell(int column) const {
  sqlite3_stmt *statement = handle.get();
  switch (sqlite3_column_type(statement, column)) {
  case SQLITE_INTEGER:
    return int64_t(sqlite3_column_int64(statement, column));
  case SQLITE_FLOAT:
    return sqlite3_column_double(statement, column);
  case SQLITE_TEXT: {
    // First the text, then its length: the other order may convert and invalidate the pointer.
    auto *text = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
    return std::string(text, size_t(sqlite3_column_bytes(statement, column)));
  }
  case SQLITE_BLOB: {
    auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, column));
    size_t count = size_t(sqlite3_column_bytes(statement, column));
    return Blob{bytes ? std::string(bytes, count) : std::string()};
  }
  default:
    return std::monostate{};
  }
}

Result<Database> Database::openFlags(const std::string &path, int flags) {
  sqlite3 *raw = nullptr;
  int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw); // also a failed open leaves a handle to close
  if (code != SQLITE_OK)
    return badInput(810, "the SQLite database '" + path + "' cannot be opened",
                    raw ? sqlite3_errmsg(raw) : "memory ran out");
  return database;
}

Result<Database> Database::inMemory() {
  return openFlags(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY);
}

Result<Database> Database::open(const std::string &path, Access access) {
  int flags = access == Access::ReadOnly    ? SQLITE_OPEN_READONLY
              : access == Access::ReadWrite ? SQLITE_OPEN_READWRITE
                                            : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  return openFlags(path, flags);
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt *raw = nullptr;
  const char *rest = nullptr;
  if (sqlite3_prepare_v2(handle.get(), sql.data(), int(sql.size()), &raw, &rest) != SQLITE_OK)
    return failure(handle.get(), "SQLite does not accept the query");
  Statement statement(raw);
  if (!raw)
    return badInput(814, "the text holds no SQL statement");
  std::string_view remaining = sql.substr(size_t(rest - sql.data()));
  if (remaining.find_first_not_of(" \t\r\n;") != std::string_view::npos)
    return badInput(814, "the text holds more than one SQL statement");
  return statement;
}

Status Database::execute(const std::string &script) {
  if (sqlite3_exec(handle.get(), script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure(handle.get(), "SQLite does not accept the script");
  return {};
}

Result<Rows> Database::query(std::string_view sql, size_t mostRows) {
  Result<Statement> statement = prepare(sql);
  if (!statement)
    return statement.takeError();
  Rows result;
  int columns = statement->columnCount();
  for (int c = 0; c < columns; ++c)
    result.columns.push_back(statement->columnName(c));
  while (true) {
    Result<Step> step = statement->step();
    if (!step)
      return step.takeError();
    if (*step == Step::Done)
      return result;
    if (result.rows.size() == mostRows)
      return unsupported(813, "the query returns too many rows",
                         "more than " + std::to_string(mostRows) + " are not read");
    std::vector<Cell> &row = result.rows.emplace_back();
    for (int c = 0; c < columns; ++c)
      row.push_back(statement->cell(c));
  }
}

void Database::disableOptimizations() {
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, handle.get(), ~0);
}

void Database::setTimeLimit(std::chrono::milliseconds limit) {
  if (limit.count() <= 0) {
    sqlite3_progress_handler(handle.get(), 0, nullptr, nullptr);
    return;
  }
  deadline = std::make_unique<Deadline>(Deadline{std::chrono::steady_clock::now() + limit});
  sqlite3_progress_handler(
      handle.get(), InstructionsPerCheck,
      [](void *data) -> int {
        return std::chrono::steady_clock::now() > static_cast<Deadline *>(data)->end;
      },
      deadline.get());
}

std::string version() { return std::string("SQLite ") + sqlite3_libversion(); }

} // namespace imbrex::sqlite
