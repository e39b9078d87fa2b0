// imbrex tea plan: the decision tree of each hypothesis, without data.
#include "stats/select/Plan.h"
#include "stats/language/WriteStudy.h"
#include "tools/common/Files.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cstdio>

namespace imbrex::tools {
namespace {

Json planJson(const stats::PlanNode &node) {
  if (node.leaf())
    return Json::object().set("valid", node.valid);
  return Json::object()
      .set("question", node.question)
      .set("yes", planJson(*node.yes))
      .set("no", planJson(*node.no));
}

Result<stats::PlanNode> planFor(const stats::Study &study, const stats::Hypothesis &hypothesis,
                                const stats::Knowledge &knowledge) {
  stats::Situation situation(study, hypothesis, nullptr);
  auto selection = stats::Selection::create(knowledge, study.rules, situation);
  if (!selection)
    return selection.takeError();
  (*selection)->run();
  return stats::planOf(**selection);
}

/// plan.svg for one hypothesis; plan-1.svg, plan-2.svg, … for several.
Result<std::string> writeSvg(std::string path, size_t number, size_t count,
                             const std::string &svg) {
  if (count > 1) {
    size_t dot = path.rfind(".svg");
    path.insert(dot == std::string::npos ? path.size() : dot, "-" + std::to_string(number));
  }
  if (Status written = writeText(path, svg); !written)
    return written.takeError();
  return path;
}

/// Plans each hypothesis: as text on stdout unless `json` is wanted, and drawn where `svg` names a
/// file.
Result<Json> planAll(const stats::Study &study, const stats::Knowledge &knowledge,
                     const std::string &svg, bool json) {
  Json list = Json::array();
  const auto &hypotheses = study.hypotheses;
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    std::string title = stats::writeHypothesis(hypotheses[i]);
    Result<stats::PlanNode> plan = planFor(study, hypotheses[i], knowledge);
    if (!plan)
      return plan.takeError();
    Json one = Json::object().set("hypothesis", title).set("plan", planJson(*plan));
    if (!json)
      say("%sH%zu  %s\n%s", i ? "\n" : "", i + 1, title.c_str(), stats::planText(*plan).c_str());
    if (!svg.empty()) {
      auto path = writeSvg(svg, i + 1, hypotheses.size(), stats::planSvg(*plan, title));
      if (!path)
        return path.takeError();
      one.set("svg", *path);
      if (!json)
        say("wrote %s\n", path->c_str());
    }
    list.push(std::move(one));
  }
  return list;
}

} // namespace

int teaPlan(int argc, char **argv) {
  CommandLine line("tea plan",
                   "Before there is data: which test will be valid, by what the data shows.");
  StudyOptions options;
  std::string svg;
  bool json = false;
  line.positional("STUDY", options.study, "a study: .tea text, or the same as JSON");
  options.declareRules(line);
  line.option("--svg FILE", svg, "also draw the tree").flag("--json", json, "print JSON");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    std::optional<stats::ReadStudy> read = options.read();
    if (!read)
      return ExitCode::BadInput;
    Result<stats::Knowledge> knowledge = options.allKnowledge();
    if (!knowledge)
      return knowledge.takeError();
    Result<Json> plans = planAll(read->study, *knowledge, svg, json);
    if (!plans)
      return plans.takeError();
    if (json)
      sayLine(
          Json::object().set("rules", read->study.rules).set("hypotheses", *plans).str().c_str());
    return ExitCode::Good;
  });
}

} // namespace imbrex::tools
