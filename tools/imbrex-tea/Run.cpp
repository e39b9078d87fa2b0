// imbrex tea run: a study from its data to decisions.
#include "stats/language/LoadData.h"
#include "stats/report/text/Report.h"
#include "tools/common/Say.h"
#include "tools/common/Terminal.h"
#include "tools/imbrex-tea/Commands.h"
#include "tools/imbrex-tea/ReportFiles.h"

#include <cstdio>

namespace imbrex::tools {

int teaRun(int argc, char **argv) {
  CommandLine line("tea run", "The valid tests of each hypothesis, their results, and why.");
  StudyOptions options;
  ReportFiles files;
  bool json = false, all = false;
  options.declare(line);
  files.declare(line);
  line.flag("--all", all, "for each rejected test everything that is violated")
      .flag("--json", json, "print JSON")
      .footer("Exit code 0 when the study could be run, whatever it found.");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    std::optional<stats::ReadStudy> read = options.read();
    if (!read)
      return ExitCode::BadInput;
    Result<stats::Knowledge> knowledge = options.allKnowledge();
    if (!knowledge)
      return knowledge.takeError();
    Result<stats::Table> table = stats::loadData(read->study, options.load());
    if (!table)
      return table.takeError();
    if (table->rows == 0)
      return badInput(1257, "the data has no rows", "", "imbrex tea plan, which needs none",
                      {table->report.source, 0, 0});
    Result<stats::StudyAnalysis> analysis = stats::analyze(read->study, *table, *knowledge);
    if (!analysis)
      return analysis.takeError();
    if (Status written = files.writeAll(*analysis, read->study, *table); !written)
      return written.takeError();
    if (json) {
      Json report = stats::reportJson(*analysis);
      sayLine(report.set("data", importJson(*table)).set("rules", read->study.rules).str().c_str());
      return ExitCode::Good;
    }
    printImport(*table);
    say("rules %s, alpha %g, assumptions tested at %g, missing values: listwise%s\n\n",
        read->study.rules.c_str(), read->study.alpha,
        analysis->hypotheses[0].selection->threshold(),
        read->study.design.within.empty()
            ? ""
            : ", and participants without all conditions are left out");
    sayText(wrapped(stats::reportText(*analysis, all ? stats::Detail::All : stats::Detail::Usual),
                    terminalColumns()));
    return ExitCode::Good;
  });
}

} // namespace imbrex::tools
