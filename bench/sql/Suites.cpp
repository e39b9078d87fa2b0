#include "bench/sql/Suites.h"

#include "proof/sql/qed/PublishedSuites.h"
#include "proof/sql/qed/ReadQed.h"
#include "proof/sql/rules/Rules.h"

#include <cstdlib>
#include <fstream>

namespace imbrex::sql::bench {

namespace {

const std::string Here = IMBREX_BENCH_SQL;

Result<BenchSuite> loadQed(const std::string &name, const std::string &folder, Dialect dialect) {
  auto files = publishedSuite(folder);
  if (!files)
    return files.takeError();
  BenchSuite suite{name, {}, false};
  for (const auto &[pairName, text] : *files) {
    BenchCase &item = suite.cases.emplace_back();
    item.name = pairName;
    item.semantics = Semantics::of(dialect);
    item.expected = Answer::Equivalent;
    Result<QedPair> pair = readQed(text, pairName + ".json");
    if (!pair) {
      item.error = pair.takeError();
      continue;
    }
    item.catalog = std::make_shared<const Catalog>(std::move(pair->catalog));
    item.pair = {pair->first, pair->second, {}};
  }
  return suite;
}

Result<BenchSuite> loadFile(const std::string &name, const std::string &path,
                            const SuiteOptions &options) {
  Result<Suite> suite = readSuite(path, options);
  if (!suite)
    return suite.takeError();
  return BenchSuite{name, std::move(suite->cases), false};
}

} // namespace

Result<BenchSuite> loadSuite(const std::string &name) {
  if (name == "qed-calcite-444")
    return loadQed(name, "calcite", Dialect::Calcite);
  if (name == "qed-cockroach-norm-645")
    return loadQed(name, "norm", Dialect::Standard);
  if (name == "literature") {
    Result<BenchSuite> suite = loadFile(name, Here + "/../../proof/sql/suite/cases", {});
    if (suite)
      suite->countsRefuted = true;
    return suite;
  }
  if (name == "rules") {
    BenchSuite suite{name, {}, true};
    for (const RuleFile &file : ruleFiles()) {
      Result<std::vector<SuiteCase>> cases = readSqlTest(file.text, std::string(file.name), {});
      if (!cases)
        return cases.takeError();
      std::move(cases->begin(), cases->end(), std::back_inserter(suite.cases));
    }
    return suite;
  }
  const char *data = std::getenv("IMBREX_BENCH_DATA");
  if (!data)
    return unsupported(1082, "the published suites are not here",
                       "IMBREX_BENCH_DATA names no folder");
  SuiteOptions options;
  options.schemaPath = Here + "/calcite-232.schema.sql";
  options.semantics = Semantics::of(Dialect::Calcite);
  return loadFile(name, std::string(data) + "/sql/calcite_tests.json", options);
}

Result<std::map<std::string, std::string>> readUnreadableList() {
  std::string path = Here + "/unreadable-calcite-232.txt";
  std::ifstream in(path);
  if (!in)
    return badInput(1, "the list '" + path + "' cannot be read");
  std::map<std::string, std::string> list;
  for (std::string line; std::getline(in, line);)
    if (size_t tab = line.find('\t'); tab != std::string::npos && line[0] != '#')
      list["calcite-232/" + line.substr(0, tab)] = line.substr(tab + 1);
  return list;
}

Result<WrongList> readWrongList() {
  std::string path = Here + "/wrong-as-published.txt";
  std::ifstream in(path);
  if (!in)
    return badInput(1, "the list '" + path + "' cannot be read");
  WrongList list;
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, 5, "pair ") == 0)
      name = line.substr(5);
    else if (line.compare(0, 4, "why ") == 0)
      list[name] = line.substr(4);
  }
  return list;
}

} // namespace imbrex::sql::bench
