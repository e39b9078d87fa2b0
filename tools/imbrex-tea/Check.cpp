// imbrex tea check: the study and its data, without any statistics.
#include "stats/language/LoadData.h"
#include "stats/language/WriteStudy.h"
#include "support/text/Counted.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

/// A study may be written before there is data.
bool hasData(const stats::Study &study, const std::string &data) {
  return !data.empty() || !study.data.file.empty();
}

} // namespace

int teaCheck(int argc, char **argv) {
  CommandLine line("tea check", "Is a study complete and consistent, and does its data fit?");
  StudyOptions options;
  bool json = false, format = false;
  line.positional("STUDY", options.study, "a study: .tea text, or the same as JSON");
  options.declareData(line);
  line.flag("--format", format, "print the study in the usual form; comments are not kept")
      .flag("--json", json, "print the study as JSON");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    stats::ReadStudy read = stats::readStudyFile(options.study);
    if (!studyIsGood(read))
      return ExitCode::BadInput;
    Json result = Json::object().set("study", stats::studyJson(read.study));
    if (format)
      sayText(stats::writeStudy(read.study));
    if (hasData(read.study, options.data)) {
      Result<stats::Table> table = stats::loadData(read.study, options.load());
      if (!table)
        return table.takeError();
      result.set("data", importJson(*table));
      if (!json && !format)
        printImport(*table);
    }
    if (json)
      sayLine(result.str().c_str());
    else if (!format)
      say("%s: good: %s, %s\n", options.study.c_str(),
          counted(read.study.variables.size(), "variable").c_str(),
          counted(read.study.hypotheses.size(), "hypothesis", "hypotheses").c_str());
    return ExitCode::Good;
  });
}

} // namespace imbrex::tools
