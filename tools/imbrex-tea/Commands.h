// The sub-commands of `imbrex tea`. Each takes the command line from its own name on.
#pragma once

#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"
#include "stats/select/Knowledge.h"
#include "support/json/Json.h"
#include "tools/common/CommandLine.h"

#include <optional>

namespace imbrex::tools {

int teaCheck(int argc, char **argv);
int teaRun(int argc, char **argv);
int teaPlan(int argc, char **argv);
int teaPower(int argc, char **argv);
int teaWhyNot(int argc, char **argv);
int teaCompare(int argc, char **argv);

inline constexpr const char *duckdbHelp = "DuckDB's library for Parquet and DuckDB files, where "
                                          "the system has none; Arrow files need its "
                                          "extension nanoarrow, too";

/// What the commands that select tests have in common on their command lines.
struct StudyOptions {
  std::string study, data, rules, knowledge, duckdb;
  int64_t hypothesis = 0; // 0: all of them, or the first

  void declare(CommandLine &line);
  void declareRules(CommandLine &line);
  /// --data and where DuckDB's library is.
  void declareData(CommandLine &line);
  stats::LoadOptions load() const { return {data, duckdb}; }
  /// The study with --rules applied; nothing, when its errors were printed.
  std::optional<stats::ReadStudy> read() const;
  /// The built-in knowledge and that of --knowledge.
  Result<stats::Knowledge> allKnowledge() const;
};

/// Prints all errors of a study to stderr, as `error[…]` lines; false when there are any.
bool studyIsGood(const stats::ReadStudy &read);

/// How the data was read: rows, encoding, delimiter, decimal mark, missing values.
void printImport(const stats::Table &table);
Json importJson(const stats::Table &table);

} // namespace imbrex::tools
