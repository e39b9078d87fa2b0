// imbrex tea compare: two samples from two files, without a study.
#include "stats/data/Numbers.h"
#include "stats/language/LoadData.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/NumberText.h"
#include "stats/report/text/Report.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

namespace imbrex::tools {
namespace {

using namespace stats;

struct Sample {
  std::string column;
  std::vector<double> values;
  size_t missing = 0;
  std::vector<std::string> notes; // of the reader
};

/// A file of numbers alone would lose the first of them to its header.
Status checkHeader(const RawTable &raw, const std::string &path) {
  for (const RawColumn &c : raw.columns)
    if (numberHint(c.name) != NumberHint::NoNumber)
      return badInput(1201, "the data file has no header",
                      "its first line holds '" + c.name + "', a number",
                      "a first line with the name of the column, or --column '" + c.name +
                          "' if that is its name",
                      {path, 1, 0});
  return {};
}

/// The only column of numbers, or E1259.
Result<const Column *> numbersOf(const Table &table, const std::string &path) {
  std::string names;
  const Column *found = nullptr;
  size_t count = 0;
  for (const Column &c : table.columns)
    if (c.kind == ColumnKind::Number) {
      names += (names.empty() ? "" : ", ") + c.name;
      found = &c;
      ++count;
    }
  if (count == 1)
    return found;
  return badInput(1259,
                  path + (count ? " has several columns of numbers" : " has no column of numbers"),
                  count ? "they are " + names : "", "--column NAME", {path, 0, 0});
}

/// How samples are read.
struct CompareOptions {
  std::string column;
  DataSource source; // table or query of a database
  LoadOptions load;
};

/// The column that is compared: the named one, or the only one with numbers.
Result<Sample> sampleOf(const std::string &path, const CompareOptions &options) {
  std::optional<std::set<std::string>> wanted;
  if (!options.column.empty())
    wanted = {options.column};
  Result<RawTable> raw = readSource(options.source, path, wanted, options.load);
  if (!raw)
    return raw.takeError();
  if (Status s = wanted || !raw->isFile ? Status() : checkHeader(*raw, path); !s)
    return s.takeError();
  std::vector<ColumnSpec> specs;
  for (const RawColumn &c : raw->columns)
    if (!wanted)
      specs.push_back({c.name});
  if (wanted) {
    specs.push_back({options.column});
    specs[0].kind = ColumnSpec::Kind::Number;
  }
  Result<Table> table = typeColumns(raw.take(), specs, {});
  if (!table)
    return table.takeError();
  Result<const Column *> column = numbersOf(*table, path);
  if (!column)
    return column.takeError();
  Sample sample{(*column)->name, {}, (*column)->missing, {}};
  for (const std::string &note : table->report.notes)
    sample.notes.push_back(path + ": " + note);
  for (double v : (*column)->numbers)
    if (!std::isnan(v))
      sample.values.push_back(v);
  return sample;
}

/// A study of two independent groups, as if it had been written.
Study studyOf(const std::string &column, const std::string &first, const std::string &second,
              double alpha) {
  Study study;
  Variable group, value;
  group.name = column == "sample" ? "group" : "sample";
  group.categories = {first, second};
  value.name = column;
  value.measure = Measure::Interval;
  study.variables = {group, value};
  study.design.declared = true;
  study.design.explanatory = {group.name};
  study.design.explained = {column};
  study.alpha = alpha;
  Hypothesis h;
  h.form = HypothesisForm::Groups;
  h.outcome = column;
  h.variables = {group.name};
  study.hypotheses = {h};
  return study;
}

Table tableOf(const Study &study, const std::vector<double> &a, const std::vector<double> &b) {
  Table table;
  Column group{study.variables[0].name, ColumnKind::Category},
      value{study.variables[1].name, ColumnKind::Number};
  group.categories = study.variables[0].categories;
  group.codes.assign(a.size(), 0);
  group.codes.insert(group.codes.end(), b.size(), 1);
  value.numbers = a;
  value.numbers.insert(value.numbers.end(), b.begin(), b.end());
  table.rows = a.size() + b.size();
  table.columns = {std::move(group), std::move(value)};
  return table;
}

/// "a.csv" and "b.csv", or the paths where the names are equal.
std::pair<std::string, std::string> namesOf(const std::string &a, const std::string &b) {
  std::string first = std::filesystem::path(a).filename(),
              second = std::filesystem::path(b).filename();
  if (first != second)
    return {first, second};
  return a == b ? std::pair(a + " (1)", b + " (2)") : std::pair(a, b);
}

/// What the least demanding test lacks.
std::string whyNone(const HypothesisAnalysis &a) {
  if (const ProcedureRun *run = a.deciding(); run && !a.fallback)
    return run->computed.result.reason;
  const ProcedureVerdict *least = a.selection->find("permutation_test");
  std::string text;
  for (size_t i : least ? a.selection->violated(*least) : std::vector<size_t>())
    text += (text.empty() ? "" : "; ") + a.selection->instances()[i].sentence();
  return text;
}

std::string answerLine(const HypothesisAnalysis &a, const std::string &first,
                       const std::string &second) {
  const ProcedureRun *run = a.deciding();
  if (!run || !run->computed.p)
    return "no answer: " + whyNone(a);
  bool differ = a.decision == Decision::Supported;
  std::string text = differ ? first + " and " + second + " differ" : "no difference was shown";
  text += ": " + apaSentence(run->computed);
  if (const auto &e = run->computed.result.estimate; e && e->interval)
    text += " " + e->name + " " + numberText(e->value) + ", " + percentText(e->interval->achieved) +
            " CI " + intervalText(*e->interval) + ".";
  return text;
}

/// Beside the answer: values left out, and columns whose names differ.
std::string remarks(const Sample &first, const Sample &second) {
  std::string text;
  if (size_t missing = first.missing + second.missing)
    text += " " + std::to_string(missing) + " missing values left out.";
  if (first.column != second.column)
    text += " The columns are '" + first.column + "' and '" + second.column + "'.";
  return text;
}

Result<ExitCode> compareFiles(const std::string &a, const std::string &b, double alpha,
                              const CompareOptions &options, bool json) {
  Result<Sample> first = sampleOf(a, options);
  if (!first)
    return first.takeError();
  Result<Sample> second = sampleOf(b, options);
  if (!second)
    return second.takeError();
  auto [firstName, secondName] = namesOf(a, b);
  Study study = studyOf(first->column, firstName, secondName, alpha);
  if (std::vector<Error> errors = checkStudy(study); !errors.empty())
    return errors[0];
  Table table = tableOf(study, first->values, second->values);
  Result<StudyAnalysis> analysis = analyze(study, table, standardKnowledge());
  if (!analysis)
    return analysis.takeError();
  std::vector<std::string> notes = first->notes;
  notes.insert(notes.end(), second->notes.begin(), second->notes.end());
  if (json) {
    Json report = reportJson(*analysis);
    report.set("missing", static_cast<int64_t>(first->missing + second->missing))
        .set("columns", std::vector<std::string>{first->column, second->column})
        .set("notes", notes);
    sayLine(report.str().c_str());
    return ExitCode::Good;
  }
  say("%s%s\n", answerLine(analysis->hypotheses[0], firstName, secondName).c_str(),
      remarks(*first, *second).c_str());
  for (const std::string &note : notes)
    say("  note: %s\n", note.c_str());
  return ExitCode::Good;
}

} // namespace

int teaCompare(int argc, char **argv) {
  CommandLine line("tea compare", "Do two independent samples differ? One line.");
  std::string a, b, alphaText;
  CompareOptions options;
  bool json = false;
  line.positional("A", a, "a file with a column of numbers: CSV, TSV, SQLite, Parquet, …")
      .positional("B", b, "another")
      .option("--column NAME", options.column, "the column, where there are several")
      .option("--table NAME", options.source.table, "the table, where files are databases")
      .option("--query SQL", options.source.query, "a query instead of a table")
      .option("--duckdb-library FILE", options.load.duckdbLibrary, duckdbHelp)
      .option("--alpha P", alphaText, "level of the decision, 0.05 when left out")
      .flag("--json", json, "print JSON")
      .footer("Exit code 0 when an answer was found, whichever it is.");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    double alpha = alphaText.empty() ? 0.05 : parseNumber(alphaText, {}).value_or(-1);
    if (!(alpha > 0 && alpha < 1))
      return badInput(700, "alpha must lie between 0 and 1");
    if (!options.source.table.empty() && !options.source.query.empty())
      return badInput(700, "--table and --query exclude each other");
    return compareFiles(a, b, alpha, options, json);
  });
}

} // namespace imbrex::tools
