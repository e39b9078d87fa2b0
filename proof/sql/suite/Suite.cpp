#include "proof/sql/suite/Suite.h"

#include "proof/sql/qed/ReadQed.h"
#include "support/json/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace imbrex::sql {

namespace fs = std::filesystem;

constexpr uint64_t MaxFileBytes = uint64_t(16) << 20;

const char *answerName(Answer answer) {
  return answer == Answer::Equivalent      ? "equivalent"
         : answer == Answer::NotEquivalent ? "not equivalent"
                                           : "unknown";
}

Result<std::string> readFile(const std::string &path) {
  std::error_code failure;
  uint64_t size = fs::is_regular_file(path, failure) ? fs::file_size(path, failure) : 0;
  if (size > MaxFileBytes)
    return badInput(1001, "the file is too large",
                    "it has " + std::to_string(size) + " bytes, over " +
                        std::to_string(MaxFileBytes),
                    "splitting it", {path});
  std::ifstream stream(path, std::ios::binary);
  std::stringstream content;
  bool isFolder = fs::is_directory(path, failure);
  if (!isFolder && stream && (stream.peek() == EOF || content << stream.rdbuf()))
    return content.str();
  return badInput(1000, "cannot read " + path, isFolder ? "it is a folder" : std::strerror(errno),
                  "another path");
}

static SuiteCase ofQed(std::string_view text, const std::string &path,
                       const SuiteOptions &options) {
  SuiteCase result;
  result.name = fs::path(path).stem();
  result.semantics = options.semantics;
  result.expected = Answer::Equivalent;
  Result<QedPair> pair = readQed(text, path);
  if (!pair) {
    result.error = pair.takeError();
    return result;
  }
  result.catalog = std::make_shared<const Catalog>(std::move(pair->catalog));
  result.pair = {pair->first, pair->second, {}};
  return result;
}

static Result<std::vector<SuiteCase>> ofSqlList(const Json &list, const std::string &path,
                                                std::string_view schemaText,
                                                const SuiteOptions &options) {
  Result<Schema> schema = readSchema(schemaText, options.schemaPath, options.semantics);
  if (!schema)
    return schema.takeError();
  auto catalog = std::make_shared<const Catalog>(schema->catalog);
  std::vector<SuiteCase> cases;
  for (const Json &item : list.items()) {
    SuiteCase next;
    next.name = item.at("name").toText();
    next.catalog = catalog;
    next.semantics = options.semantics;
    next.expected = Answer::Equivalent;
    for (const char *key : {"q1", "q2"}) {
      std::string text = item.at(key).toText(), where = path + ":" + next.name + ":" + key;
      Result<BoundQuery> query = readQuery(text, where, *schema, options.semantics);
      bool isFirst = key[1] == '1';
      if (!query) {
        next.error = query.takeError();
        break;
      }
      next.remarks.insert(next.remarks.end(), query->remarks.begin(), query->remarks.end());
      (isFirst ? next.pair.first : next.pair.second) = query->query;
      // A repaired text is not what an engine would run.
      if (query->remarks.empty())
        (isFirst ? next.pair.originals.first : next.pair.originals.second) = text;
    }
    cases.push_back(std::move(next));
  }
  return cases;
}

Result<std::vector<SuiteCase>> readJsonSuite(std::string_view text, const std::string &file,
                                             const std::optional<std::string> &schema,
                                             const SuiteOptions &options) {
  Result<Json> json = Json::parse(text, file);
  if (!json)
    return json.takeError();
  if (!json->isArray())
    return std::vector<SuiteCase>{ofQed(text, file, options)};
  if (!schema)
    return badInput(1061, "the pairs of " + file + " have no schema", "they are SQL",
                    "--schema FILE");
  return ofSqlList(*json, file, *schema, options);
}

static Result<std::vector<SuiteCase>> readCases(const std::string &path,
                                                const SuiteOptions &options) {
  Result<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  if (fs::path(path).extension() == ".sqltest")
    return readSqlTest(*text, path, options);
  if (fs::path(path).extension() != ".json")
    return badInput(1060, path + " is no suite", "its name ends neither in .sqltest nor in .json",
                    "two files with a query each, or another name");
  if (options.schemaPath.empty())
    return readJsonSuite(*text, path, std::nullopt, options);
  Result<std::string> schema = readFile(options.schemaPath);
  if (!schema)
    return schema.takeError();
  return readJsonSuite(*text, path, *schema, options);
}

Result<Suite> readSuite(const std::string &path, const SuiteOptions &options) {
  Suite suite;
  suite.name = fs::path(path).lexically_normal().stem();
  std::vector<std::string> files;
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    if (suite.name.empty())
      suite.name = fs::path(path).parent_path().filename();
    for (const auto &entry : fs::directory_iterator(path, failure))
      if (std::string extension = entry.path().extension();
          extension == ".sqltest" || extension == ".json")
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty())
      return badInput(1060, "the folder " + path + " holds no suite", "",
                      "a folder with .sqltest or .json files");
  } else {
    files = {path};
  }
  for (const std::string &file : files) {
    Result<std::vector<SuiteCase>> cases = readCases(file, options);
    if (!cases)
      return cases.takeError();
    std::move(cases->begin(), cases->end(), std::back_inserter(suite.cases));
  }
  return suite;
}

} // namespace imbrex::sql
