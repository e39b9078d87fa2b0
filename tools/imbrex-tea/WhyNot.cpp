// imbrex tea why-not: everything that a test requires, with the evidence.
#include "stats/language/LoadData.h"
#include "stats/language/WriteStudy.h"
#include "stats/report/text/Report.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

Error noSuchTest(const stats::Knowledge &knowledge, const std::string &rules,
                 const std::string &test) {
  std::vector<std::string> names = knowledge.procedureNames(rules);
  std::string near = stats::nearestName(test, names), list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return badInput(1258, "the rules '" + rules + "' have no test '" + test + "'",
                  "they have " + list, near);
}

} // namespace

int teaWhyNot(int argc, char **argv) {
  CommandLine line("tea why-not", "What a test requires, and what speaks against it.");
  StudyOptions options;
  std::string test;
  bool json = false;
  line.positional("STUDY", options.study, "a study: .tea text, or the same as JSON")
      .positional("TEST", test, "the test's id, such as students_t")
      .option("--hypothesis N", options.hypothesis, "only this one; all when left out")
      .flag("--json", json, "print JSON")
      .footer("Exit code 0 when the test is valid for each hypothesis, 1 when it is not.");
  options.declareData(line);
  options.declareRules(line);
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    std::optional<stats::ReadStudy> read = options.read();
    if (!read)
      return ExitCode::BadInput;
    const stats::Study &study = read->study;
    Result<stats::Knowledge> knowledge = options.allKnowledge();
    if (!knowledge)
      return knowledge.takeError();
    Result<stats::Table> table = stats::loadData(study, options.load());
    if (!table)
      return table.takeError();
    if (options.hypothesis < 0 ||
        options.hypothesis > static_cast<int64_t>(study.hypotheses.size()))
      return badInput(700,
                      "the study has " + std::to_string(study.hypotheses.size()) + " hypotheses");
    bool valid = true;
    Json list = Json::array();
    for (size_t i = 0; i < study.hypotheses.size(); ++i) {
      if (options.hypothesis && options.hypothesis != static_cast<int64_t>(i + 1))
        continue;
      stats::Situation situation(study, study.hypotheses[i], &*table);
      auto selection = stats::Selection::create(*knowledge, study.rules, situation);
      if (!selection)
        return selection.takeError();
      (*selection)->run();
      const stats::ProcedureVerdict *verdict = (*selection)->find(test);
      if (!verdict)
        return noSuchTest(*knowledge, study.rules, test);
      valid &= verdict->validity == stats::Validity::Valid;
      std::string title = stats::writeHypothesis(study.hypotheses[i]);
      if (json)
        list.push(stats::whyNotJson(**selection, *verdict).set("hypothesis", title));
      else
        say("H%zu  %s\n%s", i + 1, title.c_str(), stats::whyNotText(**selection, *verdict).c_str());
    }
    if (json)
      sayLine(Json::object().set("hypotheses", list).str().c_str());
    return valid ? ExitCode::Good : ExitCode::No;
  });
}

} // namespace imbrex::tools
