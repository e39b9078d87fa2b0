// imbrex tea check: the study and its data, without any statistics.
#include "stats/language/LoadData.h"
#include "stats/language/WriteStudy.h"
#include "tools/common/CommandLine.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

std::string markText(char c) {
  return c == '\t' ? "tab" : c ? "'" + std::string(1, c) + "'" : "none";
}

/// A study may be written before there is data.
bool hasData(const stats::Study &study, const std::string &data) {
  return !data.empty() || !study.data.file.empty();
}

} // namespace

bool studyIsGood(const stats::ReadStudy &read) {
  for (const Error &error : read.errors)
    reportError(error);
  return read.ok();
}

void printImport(const stats::Study &study, const stats::Table &table) {
  const stats::ImportReport &r = table.report;
  std::printf("data %s: %zu rows, %zu columns; %s (%s)", r.source.c_str(), r.rows, r.columns,
              r.encoding.c_str(), r.encodingReason.c_str());
  if (!r.lineEnds.empty())
    std::printf(", delimiter %s (%s), line ends %s", markText(r.delimiter).c_str(),
                r.delimiterReason.c_str(), r.lineEnds.c_str());
  if (!r.decimalReason.empty())
    std::printf(", decimal mark %s (%s)", markText(r.decimal).c_str(), r.decimalReason.c_str());
  if (r.thousands)
    std::printf(", thousands mark %s", markText(r.thousands).c_str());
  std::puts("");
  for (const std::string &note : r.notes)
    std::printf("  note: %s\n", note.c_str());
  for (const stats::Column &column : table.columns)
    if (column.missing)
      std::printf("  missing: %zu of %zu values of %s\n", column.missing, table.rows,
                  column.name.c_str());
}

Json importJson(const stats::Table &table) {
  const stats::ImportReport &r = table.report;
  Json missing = Json::object();
  for (const stats::Column &column : table.columns)
    missing.set(column.name, static_cast<int64_t>(column.missing));
  return Json::object()
      .set("source", r.source)
      .set("rows", static_cast<int64_t>(table.rows))
      .set("encoding", r.encoding)
      .set("encoding_reason", r.encodingReason)
      .set("delimiter", r.delimiter ? std::string(1, r.delimiter) : "")
      .set("decimal", std::string(1, r.decimal))
      .set("thousands", r.thousands ? std::string(1, r.thousands) : "")
      .set("notes", r.notes)
      .set("missing", missing);
}

int teaCheck(int argc, char **argv) {
  CommandLine line("tea check", "Is a study complete and consistent, and does its data fit?");
  std::string path, data;
  bool json = false, format = false;
  line.positional("STUDY", path, "a study: .tea text, or the same as JSON")
      .option("--data FILE", data, "this data instead of the study's")
      .flag("--format", format, "print the study in the usual form; comments are not kept")
      .flag("--json", json, "print the study as JSON");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    stats::ReadStudy read = stats::readStudyFile(path);
    if (!studyIsGood(read))
      return ExitCode::BadInput;
    Json result = Json::object().set("study", stats::studyJson(read.study));
    if (format)
      std::fputs(stats::writeStudy(read.study).c_str(), stdout);
    if (hasData(read.study, data)) {
      Result<stats::Table> table = stats::loadData(read.study, data);
      if (!table)
        return table.takeError();
      result.set("data", importJson(*table));
      if (!json && !format)
        printImport(read.study, *table);
    }
    if (json)
      std::puts(result.str().c_str());
    else if (!format)
      std::printf("%s: good: %zu variables, %zu hypotheses\n", path.c_str(),
                  read.study.variables.size(), read.study.hypotheses.size());
    return ExitCode::Good;
  });
}

} // namespace imbrex::tools
