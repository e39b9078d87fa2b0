#include "support/duckdb/Duckdb.h"

#include <array>
#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace imbrex::duckdb {

/// `duckdb_result`, which is passed by value: five fields that are out of use, and its own.
struct RawResult {
  uint64_t columnCount, rowCount, rowsChanged;
  void *columns;
  char *error;
  void *internal;
};

/// `duckdb_string_t`: texts of up to 12 bytes stand in the place of the pointer.
union RawString {
  struct {
    uint32_t length;
    char text[12];
  } inlined;
  struct {
    uint32_t length;
    char prefix[4];
    const char *text;
  } pointer;
};
static_assert(sizeof(RawString) == 16);

/// The C API's functions by their names there. A state of 0 is success; destroyers take the
/// address.
struct Api {
  const char *(*library_version)();
  int (*create_config)(void **config);
  int (*set_config)(void *config, const char *name, const char *option);
  void (*destroy_config)(void **config);
  int (*open_ext)(const char *path, void **database, void *config, char **error);
  void (*close)(void **database);
  int (*connect)(void *database, void **connection);
  void (*disconnect)(void **connection);
  int (*prepare)(void *connection, const char *query, void **statement);
  const char *(*prepare_error)(void *statement);
  void (*destroy_prepare)(void **statement);
  int (*execute_prepared)(void *statement, RawResult *result);
  const char *(*result_error)(RawResult *result);
  void (*destroy_result)(RawResult *result);
  uint64_t (*column_count)(RawResult *result);
  const char *(*column_name)(RawResult *result, uint64_t column);
  void *(*fetch_chunk)(RawResult result);
  uint64_t (*data_chunk_get_size)(void *chunk);
  void *(*data_chunk_get_vector)(void *chunk, uint64_t column);
  void (*destroy_data_chunk)(void **chunk);
  void *(*vector_get_data)(void *vector);
  uint64_t *(*vector_get_validity)(void *vector);
  void (*free)(void *memory);
};

namespace {

template <class Function>
bool take(void *library, const char *name, Function &function, std::string &missing) {
  std::string full = std::string("duckdb_") + name;
  function = reinterpret_cast<Function>(::dlsym(library, full.c_str()));
  if (!function && missing.empty())
    missing = full;
  return function != nullptr;
}

/// The first function that the library lacks; "" when it has all.
std::string takeAll(void *library, Api &api) {
  std::string missing;
#define IMBREX_TAKE(name) take(library, #name, api.name, missing)
  IMBREX_TAKE(library_version), IMBREX_TAKE(create_config), IMBREX_TAKE(set_config);
  IMBREX_TAKE(destroy_config), IMBREX_TAKE(open_ext), IMBREX_TAKE(close), IMBREX_TAKE(connect);
  IMBREX_TAKE(disconnect), IMBREX_TAKE(prepare), IMBREX_TAKE(prepare_error);
  IMBREX_TAKE(destroy_prepare), IMBREX_TAKE(execute_prepared), IMBREX_TAKE(result_error);
  IMBREX_TAKE(destroy_result), IMBREX_TAKE(column_count), IMBREX_TAKE(column_name);
  IMBREX_TAKE(fetch_chunk), IMBREX_TAKE(data_chunk_get_size), IMBREX_TAKE(data_chunk_get_vector);
  IMBREX_TAKE(destroy_data_chunk), IMBREX_TAKE(vector_get_data);
  IMBREX_TAKE(vector_get_validity), IMBREX_TAKE(free);
#undef IMBREX_TAKE
  return missing;
}

Error failed(const char *words) {
  std::string text = words && *words ? words : "DuckDB gave no reason";
  return badInput(821, "DuckDB: " + text.substr(0, text.find('\n')));
}

/// Read only and without a network: extensions are used where they are installed.
void *configOf(const Api &api, bool file) {
  void *config = nullptr;
  if (api.create_config(&config) != 0)
    return nullptr;
  api.set_config(config, "autoinstall_known_extensions", "false");
  if (file)
    api.set_config(config, "access_mode", "READ_ONLY");
  return config;
}

} // namespace

Result<const Api *> loadLibrary(const std::string &library) {
  const std::string name = library.empty() ? "libduckdb.so" : library;
  void *handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *why = ::dlerror();
    return unsupported(
        820, "DuckDB's library cannot be opened", why ? why : name,
        "libduckdb from duckdb.org where the system finds libraries, or its path with "
        "--duckdb-library");
  }
  static Api api;
  if (std::string missing = takeAll(handle, api); !missing.empty())
    return unsupported(820, "DuckDB's library is too old", name + " has no " + missing,
                       "version 0.7 or newer");
  return &api;
}

std::string version(const Api &api) { return std::string("DuckDB ") + api.library_version(); }

struct Query::State {
  const Api &api;
  RawResult result{};
  void *chunk = nullptr;

  explicit State(const Api &api) : api(api) {}
  State(const State &) = delete;
  ~State() {
    if (chunk)
      api.destroy_data_chunk(&chunk);
    api.destroy_result(&result);
  }
};

Query::Query(std::unique_ptr<State> state) : state(std::move(state)) {}
Query::Query(Query &&other) noexcept = default;
Query::~Query() = default;

size_t Query::columnCount() const { return state->api.column_count(&state->result); }

std::string Query::columnName(size_t column) const {
  const char *name = state->api.column_name(&state->result, column);
  return name ? name : "";
}

size_t Query::next() {
  if (state->chunk)
    state->api.destroy_data_chunk(&state->chunk);
  state->chunk = state->api.fetch_chunk(state->result);
  return state->chunk ? state->api.data_chunk_get_size(state->chunk) : 0;
}

std::optional<std::string_view> Query::text(size_t column, size_t row) const {
  void *vector = state->api.data_chunk_get_vector(state->chunk, column);
  const uint64_t *valid = state->api.vector_get_validity(vector);
  if (valid && !(valid[row / 64] >> (row % 64) & 1))
    return std::nullopt;
  const RawString &s = static_cast<const RawString *>(state->api.vector_get_data(vector))[row];
  bool here = s.inlined.length <= sizeof s.inlined.text;
  return std::string_view(here ? s.inlined.text : s.pointer.text, s.inlined.length);
}

Database::Database(Database &&other) noexcept
    : api(other.api), database(std::exchange(other.database, nullptr)),
      connection(std::exchange(other.connection, nullptr)) {}

Database::~Database() {
  if (connection)
    api->disconnect(&connection);
  if (database)
    api->close(&database);
}

Result<Database> Database::open(const Api &api, const std::string &path) {
  void *config = configOf(api, !path.empty()), *database = nullptr, *connection = nullptr;
  char *error = nullptr;
  int state = api.open_ext(path.empty() ? nullptr : path.c_str(), &database, config, &error);
  if (config)
    api.destroy_config(&config);
  if (state != 0) {
    Error failure = failed(error);
    if (error)
      api.free(error);
    return failure;
  }
  if (api.connect(database, &connection) != 0) {
    api.close(&database);
    return failed("no connection");
  }
  return Database(api, database, connection);
}

Result<Query> Database::query(const std::string &text) {
  void *statement = nullptr;
  auto state = std::make_unique<Query::State>(*api);
  std::optional<Error> failure;
  if (api->prepare(connection, text.c_str(), &statement) != 0)
    failure = failed(api->prepare_error(statement));
  else if (api->execute_prepared(statement, &state->result) != 0)
    failure = failed(api->result_error(&state->result));
  api->destroy_prepare(&statement);
  if (failure)
    return *failure;
  return Query(std::move(state));
}

Status Database::execute(const std::string &statement) {
  Result<Query> done = query(statement);
  return done ? Status() : Status(done.takeError());
}

namespace {

std::string quoted(std::string_view text, char mark) {
  std::string result(1, mark);
  for (char c : text)
    result.append(c == mark ? 2 : 1, c);
  return result + mark;
}

} // namespace

std::string literal(std::string_view text) { return quoted(text, '\''); }
std::string identifier(std::string_view name) { return quoted(name, '"'); }

} // namespace imbrex::duckdb
