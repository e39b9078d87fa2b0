// What the sub-commands share.
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

std::string markText(char c) {
  return c == '\t' ? "tab" : c ? "'" + std::string(1, c) + "'" : "none";
}

} // namespace

void StudyOptions::declare(CommandLine &line) {
  line.positional("STUDY", study, "a study: .tea text, or the same as JSON");
  declareData(line);
  declareRules(line);
}

void StudyOptions::declareData(CommandLine &line) {
  line.option("--data FILE", data, "this data instead of the study's")
      .option("--duckdb-library FILE", duckdb, duckdbHelp);
}

void StudyOptions::declareRules(CommandLine &line) {
  line.option("--rules NAME", rules, "default, or tea-2019 (the published preconditions)")
      .option("--knowledge FOLDER", knowledge, "further *.procedure and *.properties files");
}

std::optional<stats::ReadStudy> StudyOptions::read() const {
  stats::ReadStudy read = stats::readStudyFile(study);
  if (!studyIsGood(read))
    return std::nullopt;
  if (!rules.empty())
    read.study.rules = rules;
  return read;
}

Result<stats::Knowledge> StudyOptions::allKnowledge() const {
  stats::Knowledge all = stats::standardKnowledge();
  if (!knowledge.empty())
    if (Status s = stats::addKnowledgeFolder(all, knowledge); !s)
      return s.takeError();
  return all;
}

bool studyIsGood(const stats::ReadStudy &read) {
  constexpr size_t most = 100; // more are seldom read
  for (size_t i = 0; i < read.errors.size() && i < most; ++i)
    reportError(read.errors[i]);
  if (read.errors.size() > most)
    std::fprintf(stderr, "and %zu errors more\n", read.errors.size() - most);
  return read.ok();
}

void printImport(const stats::Table &table) {
  const stats::ImportReport &r = table.report;
  say("data %s: %zu rows, %zu columns; %s (%s)", r.source.c_str(), r.rows, r.columns,
      r.encoding.c_str(), r.encodingReason.c_str());
  if (!r.lineEnds.empty())
    say(", delimiter %s (%s), line ends %s", markText(r.delimiter).c_str(),
        r.delimiterReason.c_str(), r.lineEnds.c_str());
  if (!r.decimalReason.empty())
    say(", decimal mark %s (%s)", markText(r.decimal).c_str(), r.decimalReason.c_str());
  if (r.thousands)
    say(", thousands mark %s", markText(r.thousands).c_str());
  sayLine("");
  for (const std::string &note : r.notes)
    say("  note: %s\n", note.c_str());
  for (const stats::Column &column : table.columns)
    if (column.missing)
      say("  missing: %zu of %zu values of %s\n", column.missing, table.rows, column.name.c_str());
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

} // namespace imbrex::tools
