#include "stats/language/LoadData.h"

#include "stats/data/Csv.h"
#include "stats/data/DuckdbTable.h"
#include "stats/data/SqliteTable.h"

#include <filesystem>
#include <fstream>

namespace imbrex::stats {
namespace {

std::string pathOf(const Study &study, const std::string &override) {
  if (!override.empty())
    return override;
  std::filesystem::path file = study.data.file;
  if (file.empty() || file.is_absolute())
    return file.string();
  return (std::filesystem::path(study.file).parent_path() / file).string();
}

bool isDatabase(const std::string &path) {
  char magic[15] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "SQLite format 3";
}

/// What selects from a database, or nothing: the query, else all of the table.
std::string queryOf(const DataSource &source) {
  return source.query.empty() && !source.table.empty() ? selectAll(source.table) : source.query;
}

Error noTable(const std::string &path, const FileLocation &place) {
  return badInput(1233, path + " is a database, and no table of it is named", "",
                  "`table: NAME` or `query: \"select …\"` in the data block of a study, --table or "
                  "--query of `tea compare`",
                  place);
}

std::set<std::string> namesOf(const std::vector<ColumnSpec> &specs) {
  std::set<std::string> names;
  for (const ColumnSpec &spec : specs)
    names.insert(spec.name);
  return names;
}

std::vector<ColumnSpec> specsFor(const Study &study) {
  std::vector<ColumnSpec> specs = columnsOf(study);
  if (!study.data.reshape)
    return specs;
  const Variable *values = study.find(study.data.reshape->values);
  for (const std::string &name : study.data.reshape->columns) {
    ColumnSpec spec{name};
    spec.kind = ColumnSpec::Kind::Number;
    if (values) {
      spec.kind = values->categorical() ? ColumnSpec::Kind::Category : ColumnSpec::Kind::Number;
      spec.categories = values->categories;
      spec.others = values->others;
      spec.low = values->low;
      spec.high = values->high;
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

/// The categories of the reshaped column stand in the order of the declaration.
Status orderLevels(Table &table, const Variable *variable, const std::string &name) {
  for (Column &column : table.columns) {
    if (column.name != name || !variable || variable->categories.empty())
      continue;
    std::vector<int32_t> place(column.categories.size(), Column::missingCode);
    for (size_t i = 0; i < column.categories.size(); ++i) {
      for (size_t k = 0; k < variable->categories.size(); ++k)
        if (variable->categories[k] == column.categories[i])
          place[i] = static_cast<int32_t>(k);
      if (place[i] < 0)
        return badInput(
            1209, "column '" + column.categories[i] + "' is no category of '" + name + "'",
            "reshaping makes categories of the columns' names", "the columns' names as categories");
    }
    for (int32_t &code : column.codes)
      code = place[static_cast<size_t>(code)];
    column.categories = variable->categories;
  }
  return {};
}

} // namespace

Result<RawTable> readSource(const DataSource &source, const std::string &path,
                            const std::optional<std::set<std::string>> &wanted,
                            const LoadOptions &options, const FileLocation &place) {
  std::string sql = queryOf(source);
  std::optional<DuckdbFile> duckdb = duckdbFileOf(path);
  bool sqlite = isDatabase(path);
  if (sql.empty() && (sqlite || duckdb == DuckdbFile::Database))
    return noTable(path, place);
  if (sqlite)
    return readSqlite(path, sql, wanted);
  if (duckdb)
    return readDuckdb({path, *duckdb, sql, options.duckdbLibrary, wanted});
  CsvOptions csv;
  csv.delimiter = source.delimiter;
  csv.encoding = source.encoding;
  csv.wanted = wanted;
  return readCsv(path, csv);
}

Result<Table> loadData(const Study &study, const LoadOptions &options) {
  std::string path = pathOf(study, options.file);
  if (path.empty())
    return badInput(1233, "the study names no data", "", "`data \"FILE.csv\"`, or --data FILE",
                    {study.file, 0, 0});
  std::vector<ColumnSpec> specs = specsFor(study);
  const auto &reshape = study.data.reshape;
  Result<RawTable> raw =
      readSource(study.data, path, namesOf(specs), options, study.at(study.data.place));
  if (!raw)
    return raw.takeError();
  // Without such a column, each row of a wide table is a participant.
  bool numbered = reshape && !study.data.key.empty() && !raw->find(study.data.key);
  if (numbered)
    std::erase_if(specs, [&](const ColumnSpec &spec) { return spec.name == study.data.key; });
  TypingOptions typing;
  typing.decimal = study.data.decimal;
  typing.thousands = study.data.thousands;
  if (!study.data.missingWords.empty())
    typing.missingWords = study.data.missingWords;
  Result<Table> table = typeColumns(raw.take(), specs, typing);
  if (!table || !reshape)
    return table;
  ReshapeSpec spec = *reshape;
  spec.key = study.data.key;
  Result<Table> longer = wideToLong(*table, spec);
  if (longer && numbered)
    longer->report.notes.push_back("the data has no column '" + spec.key +
                                   "': each row is a participant");
  if (longer)
    if (Status s = orderLevels(*longer, study.find(spec.levels), spec.levels); !s)
      return s.takeError();
  return longer;
}

} // namespace imbrex::stats
