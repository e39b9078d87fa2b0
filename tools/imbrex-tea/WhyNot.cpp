// imbrex tea why-not: everything that a test requires, with the evidence.
#include "stats/language/LoadData.h"
#include "stats/language/WriteStudy.h"
#include "stats/report/text/Report.h"
#include "support/text/Nearest.h"
#include "tools/common/Say.h"
#include "tools/common/Terminal.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

Error noSuchTest(const stats::Knowledge &knowledge, const std::string &rules,
                 const std::string &test) {
  std::vector<std::string> names = knowledge.procedureNames(rules);
  std::string near = nearestName(test, names), list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return badInput(1258, "the rules '" + rules + "' have no test '" + test + "'",
                  "they have " + list, near);
}

/// Answers about one hypothesis: prints it, or adds it to `list`. True when the test is valid.
Result<bool> explain(const stats::Study &study, size_t hypothesis, const stats::Table &table,
                     const stats::Knowledge &knowledge, const std::string &test, Json *list) {
  stats::Situation situation(study, study.hypotheses[hypothesis], &table);
  auto selection = stats::Selection::create(knowledge, study.rules, situation);
  if (!selection)
    return selection.takeError();
  (*selection)->run();
  const stats::ProcedureVerdict *verdict = (*selection)->find(test);
  if (!verdict)
    return noSuchTest(knowledge, study.rules, test);
  std::string title = stats::writeHypothesis(study.hypotheses[hypothesis]);
  if (list)
    list->push(stats::whyNotJson(**selection, *verdict).set("hypothesis", title));
  else
    say("H%zu  %s\n%s", hypothesis + 1, title.c_str(),
        wrapped(stats::whyNotText(**selection, *verdict), terminalColumns()).c_str());
  return verdict->validity == stats::Validity::Valid;
}

/// About all hypotheses, or the one that the options name.
Result<ExitCode> explainAll(const StudyOptions &options, const stats::Study &study,
                            const std::string &test, Json *list) {
  Result<stats::Knowledge> knowledge = options.allKnowledge();
  if (!knowledge)
    return knowledge.takeError();
  Result<stats::Table> table = stats::loadData(study, options.load());
  if (!table)
    return table.takeError();
  auto count = static_cast<int64_t>(study.hypotheses.size());
  if (options.hypothesis < 0 || options.hypothesis > count)
    return badInput(700, "there is no hypothesis " + std::to_string(options.hypothesis),
                    "the study has " + std::to_string(count), "--hypothesis 1");
  bool valid = true;
  for (int64_t i = 0; i < count; ++i) {
    if (options.hypothesis && options.hypothesis != i + 1)
      continue;
    Result<bool> one = explain(study, static_cast<size_t>(i), *table, *knowledge, test, list);
    if (!one)
      return one.takeError();
    valid &= *one;
  }
  return valid ? ExitCode::Good : ExitCode::No;
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
    Json list = Json::array();
    Result<ExitCode> answer = explainAll(options, read->study, test, json ? &list : nullptr);
    if (answer && json)
      sayLine(Json::object().set("hypotheses", list).str().c_str());
    return answer;
  });
}

} // namespace imbrex::tools
