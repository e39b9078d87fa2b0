#include "proof/sql/qed/ReadQed.h"

#include "proof/sql/qed/QedReader.h"

namespace imbrex::sql {

using namespace qed;

namespace {

Result<std::vector<uint32_t>> readKey(const Json &json, size_t columns) {
  std::vector<uint32_t> key;
  for (const Json &item : json.items()) {
    int64_t column = item.toInt(-1);
    if (column < 0 || size_t(column) >= columns)
      return damaged("a key names a column that its table lacks");
    key.push_back(uint32_t(column));
  }
  return key;
}

Status readKeys(const Json &json, Table &table) {
  for (const Json &item : json.at("key").items()) {
    Result<std::vector<uint32_t>> columns = readKey(item, table.columns.size());
    if (!columns)
      return columns.takeError();
    // A key over nullable columns is taken for UNIQUE, the weaker promise.
    bool notNull = true;
    for (uint32_t column : *columns)
      notNull &= !table.columns[column].type.nullable;
    bool first = table.keys.empty() || !table.keys[0].primary;
    table.keys.push_back({columns.take(), notNull && first});
  }
  return {};
}

Result<Table> readTable(const Json &json, size_t index) {
  Table table;
  table.name = json.has("name") ? json.at("name").toText() : "t" + std::to_string(index);
  std::vector<Json> types = json.at("types").items();
  std::vector<Json> nullable = json.at("nullable").items();
  std::vector<Json> names = json.at("fields").items();
  if (types.size() != nullable.size() || (json.has("fields") && names.size() != types.size()) ||
      types.size() > MostColumns)
    return damaged("table " + table.name + " has a wrong number of columns");
  for (size_t i = 0; i < types.size(); ++i) {
    Type type = readType(types[i].toText());
    type.nullable = nullable[i].toBool(true);
    table.columns.push_back({i < names.size() ? names[i].toText() : "c" + std::to_string(i), type});
  }
  if (Status status = readKeys(json, table); !status)
    return status.takeError();
  return table;
}

Status readGuarantees(const Json &json, Catalog &catalog, size_t index) {
  Table &table = catalog.tables[index];
  Reader reader(catalog);
  Reader::Scope scope(reader, table.columns);
  for (const Json &item : json.at("guaranteed").items()) {
    Result<ExprPtr> condition = reader.readExpr(item);
    if (!condition)
      return condition.takeError();
    if ((*condition)->type.base != BaseType::Bool)
      return damaged("a guarantee of table " + table.name + " is no condition");
    table.checks.push_back(makeCall(Op::IsTrue, {*condition}));
  }
  return {};
}

Result<Catalog> readCatalog(const Json &json) {
  Catalog catalog;
  // Of these the files lost the name, so they may be any function.
  catalog.functions = {"FUNCTION", "U D F"};
  std::vector<Json> schemas = json.items();
  for (size_t i = 0; i < schemas.size(); ++i) {
    Result<Table> table = readTable(schemas[i], i);
    if (!table)
      return table.takeError();
    catalog.tables.push_back(table.take());
  }
  for (size_t i = 0; i < schemas.size(); ++i)
    if (Status status = readGuarantees(schemas[i], catalog, i); !status)
      return status.takeError();
  return catalog;
}

} // namespace

Result<QedPair> readQed(std::string_view text, const std::string &file) {
  Result<Json> json = Json::parse(text, file);
  if (!json)
    return json.takeError();
  auto located = [&](Error error) {
    error.where.file = file;
    return error;
  };
  Result<Catalog> catalog = readCatalog(json->at("schemas"));
  if (!catalog)
    return located(catalog.takeError());
  QedPair pair;
  pair.catalog = catalog.take();
  std::vector<Json> queries = json->at("queries").items();
  if (queries.size() != 2)
    return located(damaged("the file does not hold two queries"));
  Reader reader(pair.catalog);
  for (size_t i = 0; i < 2; ++i) {
    Result<QueryPtr> query = reader.readQuery(queries[i]);
    if (!query)
      return located(query.takeError());
    (i == 0 ? pair.first : pair.second) = query.take();
  }
  for (const Json &help : json->at("help").items())
    pair.help.push_back(help.toText());
  return pair;
}

} // namespace imbrex::sql
