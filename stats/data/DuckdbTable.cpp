#include "stats/data/DuckdbTable.h"

#include "support/duckdb/Duckdb.h"

#include <fstream>

namespace imbrex::stats {
namespace {

using namespace imbrex::duckdb;

/// DuckDB reads Arrow's files by an extension that does not come with it.
Status loadArrow(Database &database) {
  Status loaded = database.execute("LOAD nanoarrow");
  if (loaded)
    return loaded;
  return unsupported(1213, "this DuckDB cannot read Arrow files",
                     "its extension nanoarrow is not installed",
                     "INSTALL nanoarrow FROM community, in DuckDB; or the data as Parquet");
}

Result<Database> openSource(const Api &api, const DuckdbSource &source) {
  if (source.kind == DuckdbFile::Database)
    return Database::open(api, source.path);
  Result<Database> database = Database::open(api);
  if (!database)
    return database;
  bool arrow = source.kind == DuckdbFile::Arrow;
  if (arrow)
    if (Status s = loadArrow(*database); !s)
      return s.takeError();
  if (Status s =
          database->execute(std::string("CREATE VIEW data AS SELECT * FROM ") +
                            (arrow ? "read_arrow(" : "read_parquet(") + literal(source.path) + ")");
      !s)
    return s.takeError();
  return database;
}

/// The wanted columns as text, in the order of `table`; "" when there are none.
std::string castsOf(const RawTable &table, const std::optional<std::set<std::string>> &wanted) {
  std::string casts;
  for (const RawColumn &column : table.columns)
    if (!wanted || wanted->contains(column.name))
      casts += (casts.empty() ? "CAST(" : ", CAST(") + identifier(column.name) + " AS VARCHAR)";
  return casts;
}

Status appendCells(RawTable &table, const std::vector<size_t> &places, Query &query) {
  while (size_t rows = query.next()) {
    for (size_t c = 0; c < places.size(); ++c)
      for (size_t row = 0; row < rows; ++row) {
        std::string_view text = query.text(c, row).value_or("");
        if (text.size() > Cell::maxLength)
          return badInput(1206, "a field is longer than 8 MiB", "", "",
                          {table.report.source, 0, 0});
        Cell cell{};
        cell.offset = table.text.size();
        cell.length = text.size();
        table.columns[places[c]].cells.push_back(cell);
        table.text += text;
      }
    table.rows += rows;
  }
  return {};
}

} // namespace

std::optional<DuckdbFile> duckdbFileOf(const std::string &path) {
  char magic[12] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  std::string_view start(magic, sizeof magic);
  if (start.starts_with("PAR1"))
    return DuckdbFile::Parquet;
  if (start.starts_with("ARROW1"))
    return DuckdbFile::Arrow;
  if (start.substr(8) == "DUCK")
    return DuckdbFile::Database;
  return std::nullopt;
}

Result<RawTable> readDuckdb(const DuckdbSource &source) {
  Result<const Api *> api = loadLibrary(source.library);
  if (!api)
    return api.takeError();
  Result<Database> database = openSource(**api, source);
  if (!database)
    return database.takeError();
  std::string from =
      " FROM (" + (source.sql.empty() ? std::string("SELECT * FROM data") : source.sql) + ")";
  Result<Query> names = database->query("SELECT *" + from + " LIMIT 0");
  if (!names)
    return names.takeError();
  RawTable table;
  table.isFile = false;
  table.report.source = source.path;
  table.report.encoding = "UTF-8";
  table.report.encodingReason = "text of " + version(**api);
  std::vector<size_t> places;
  for (size_t i = 0; i < names->columnCount(); ++i) {
    table.columns.push_back({names->columnName(i), {}});
    if (!source.wanted || source.wanted->contains(table.columns.back().name))
      places.push_back(i);
  }
  std::string casts = castsOf(table, source.wanted);
  if (!casts.empty()) {
    Result<Query> cells = database->query("SELECT " + casts + from);
    if (!cells)
      return cells.takeError();
    if (Status s = appendCells(table, places, *cells); !s)
      return s.takeError();
  }
  table.report.rows = table.rows;
  table.report.columns = table.columns.size();
  return table;
}

} // namespace imbrex::stats
