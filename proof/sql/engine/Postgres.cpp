// The private PostgreSQL server. PostgreSQL refuses to run as root; then the server's programs run
// as the user `postgres`, which its Debian package makes, or as `nobody`.
#include "proof/sql/engine/Child.h"
#include "proof/sql/engine/Engines.h"

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <pwd.h>
#include <unistd.h>

namespace imbrex::sql {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds Patience{30'000};
constexpr const char *Marker = "\x01"
                               "done";

/// The newest version's folder of programs, or empty.
fs::path findPrograms() {
  fs::path best;
  int newest = 0;
  std::error_code code;
  for (const auto &entry : fs::directory_iterator("/usr/lib/postgresql", code)) {
    int version = std::atoi(entry.path().filename().c_str());
    if (version > newest && fs::exists(entry.path() / "bin" / "initdb")) {
      newest = version;
      best = entry.path() / "bin";
    }
  }
  return best;
}

std::vector<std::string> asOrdinaryUser(std::vector<std::string> command) {
  if (geteuid() != 0)
    return command;
  std::vector<std::string> prefix = {"runuser", "-u", getpwnam("postgres") ? "postgres" : "nobody",
                                     "--"};
  command.insert(command.begin(), prefix.begin(), prefix.end());
  return command;
}

/// One line of COPY's text format.
std::vector<std::optional<std::string>> splitLine(std::string_view line) {
  std::vector<std::optional<std::string>> cells(1, std::string());
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      cells.emplace_back(std::string());
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      char c = line[++i];
      if (c == 'N')
        cells.back() = std::nullopt;
      else
        cells.back()->push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    } else {
      cells.back()->push_back(line[i]);
    }
  }
  return cells;
}

/// A decimal number, cut to the digits that fit: PostgreSQL writes sixteen and more.
std::optional<Rational> parseDecimal(const std::string &text) {
  size_t point = text.find('.');
  std::string digits = text.substr(0, point);
  int64_t denominator = 1;
  if (point != std::string::npos)
    for (size_t i = point + 1; i < text.size() && digits.size() < 17 && i <= point + 9; ++i) {
      digits += text[i];
      denominator *= 10;
    }
  if (digits.size() > 18)
    return std::nullopt;
  char *end = nullptr;
  int64_t numerator = std::strtoll(digits.c_str(), &end, 10);
  if (end != digits.c_str() + digits.size() || digits.empty())
    return std::nullopt;
  int64_t common = std::gcd(numerator, denominator);
  return Rational{numerator / common, denominator / common};
}

Result<Value> toValue(const std::optional<std::string> &cell, const Column &column) {
  if (!cell)
    return Value();
  switch (column.type.base) {
  case BaseType::Bool:
    return Value(*cell == "t");
  case BaseType::Int:
  case BaseType::Number: {
    std::optional<Rational> number = parseDecimal(*cell);
    if (!number)
      return unsupported(1112, "PostgreSQL returned '" + *cell + "' where a number is expected");
    if (column.type.base == BaseType::Int && number->denominator == 1)
      return Value(number->numerator);
    return Value(*number);
  }
  case BaseType::Text:
  case BaseType::Unknown:
    return Value(*cell);
  default:
    return Value(Opaque{column.type.base, *cell});
  }
}

Result<Rows> parseRows(const std::string &text, const std::vector<Column> &columns) {
  Rows rows;
  for (size_t start = 0; start < text.size();) {
    size_t end = text.find('\n', start);
    if (end == std::string::npos)
      end = text.size();
    auto cells = splitLine(std::string_view(text).substr(start, end - start));
    start = end + 1;
    if (cells.size() < columns.size())
      return unsupported(1112, "PostgreSQL returned fewer columns than expected");
    auto &row = rows.emplace_back();
    for (size_t c = 0; c < columns.size(); ++c) {
      Result<Value> value = toValue(cells[c], columns[c]);
      if (!value)
        return value.takeError();
      row.push_back(value.take());
    }
  }
  return rows;
}

std::string withoutSemicolon(std::string sql) {
  while (!sql.empty() && (isspace(static_cast<unsigned char>(sql.back())) || sql.back() == ';'))
    sql.pop_back();
  return sql;
}

} // namespace

struct PostgresServer::State {
  fs::path folder, programs;
  std::string version;
  std::optional<Child> shell;

  ~State() {
    shell.reset();
    if (folder.empty())
      return;
    runCommand(asOrdinaryUser(
        {programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop"}));
    std::error_code code;
    fs::remove_all(folder, code);
  }

  /// Sends a statement; its output, or the server's message.
  Result<std::string> ask(const std::string &statement) {
    if (!shell->write(statement + ";\n\\echo " + std::string(Marker) + "\n\\echo :ERROR " +
                      ":LAST_ERROR_MESSAGE\n\\echo " + Marker + "\n"))
      return unsupported(1111, "PostgreSQL went away");
    std::optional<std::string> output = shell->readUntil(Marker, Patience);
    std::optional<std::string> state =
        output ? shell->readUntil(Marker, Patience) : std::optional<std::string>();
    if (!state)
      return unsupported(1111, "PostgreSQL does not answer");
    if (state->compare(0, 4, "true") == 0)
      return unsupported(1111, "PostgreSQL does not accept a statement", state->substr(5));
    return *output;
  }
};

PostgresServer::PostgresServer(std::unique_ptr<State> state) : state(std::move(state)) {}
PostgresServer::~PostgresServer() = default;
const std::string &PostgresServer::version() const { return state->version; }

std::unique_ptr<PostgresServer> PostgresServer::start(std::string &whyNot) {
  auto state = std::make_unique<State>();
  state->programs = findPrograms();
  if (state->programs.empty()) {
    whyNot = "PostgreSQL is not installed";
    return nullptr;
  }
  std::string pattern = (fs::temp_directory_path() / "imbrex-pg-XXXXXX").string();
  if (!mkdtemp(pattern.data())) {
    whyNot = "there is no temporary folder for PostgreSQL";
    return nullptr;
  }
  state->folder = pattern;
  if (geteuid() == 0) {
    const passwd *user = getpwnam(getpwnam("postgres") ? "postgres" : "nobody");
    if (!user || chown(pattern.c_str(), user->pw_uid, user->pw_gid) != 0) {
      whyNot = "there is no ordinary user to run PostgreSQL";
      return nullptr;
    }
  }
  std::string data = state->folder / "data", programs = state->programs;
  std::string options = "-c listen_addresses='' -c fsync=off -c unix_socket_directories='" +
                        pattern + "' -c shared_buffers=16MB -c autovacuum=off -c jit=off";
  if (runCommand(asOrdinaryUser({programs + "/initdb", "-D", data, "-U", "imbrex", "-A", "trust",
                                 "-E", "UTF8", "--locale=C", "--no-sync"})) != 0 ||
      runCommand(asOrdinaryUser({programs + "/pg_ctl", "-D", data, "-l", pattern + "/log", "-w",
                                 "-o", options, "start"})) != 0) {
    whyNot = "PostgreSQL does not start";
    return nullptr;
  }
  std::optional<Child> shell = Child::start({programs + "/psql", "-X", "-q", "-A", "-t", "-h",
                                             pattern, "-U", "imbrex", "-d", "postgres"});
  if (shell)
    state->shell.emplace(std::move(*shell));
  Result<std::string> version =
      state->shell ? state->ask("SHOW server_version") : Result<std::string>(unsupported(1111, ""));
  if (!version) {
    whyNot = "psql does not start";
    return nullptr;
  }
  state->version = "PostgreSQL " + version->substr(0, version->find_first_of(" \n"));
  return std::unique_ptr<PostgresServer>(new PostgresServer(std::move(state)));
}

Result<std::vector<Rows>> PostgresServer::run(const EngineJob &job) {
  Result<std::string> begun =
      state->ask("BEGIN; SET LOCAL statement_timeout = " + std::to_string(job.limit.count()) +
                 "; " + job.setup);
  std::vector<Rows> results;
  std::optional<Error> failure;
  if (!begun)
    failure = begun.takeError();
  for (size_t q = 0; q < job.queries.size() && !failure; ++q) {
    Result<std::string> text =
        state->ask("COPY (" + withoutSemicolon(job.queries[q]) + ") TO STDOUT");
    // psql does not tell when the server stopped a COPY; the transaction does.
    if (Result<std::string> alive = state->ask("SELECT 1"); text && !alive)
      text = unsupported(1111, "PostgreSQL stopped a query", "an error, or the time limit");
    Result<Rows> rows = text ? parseRows(*text, job.columns[q]) : Result<Rows>(text.takeError());
    if (rows)
      results.push_back(rows.take());
    else
      failure = rows.takeError();
  }
  Result<std::string> ended = state->ask("ROLLBACK");
  if (failure)
    return *failure;
  if (!ended)
    return ended.takeError();
  return results;
}

} // namespace imbrex::sql
