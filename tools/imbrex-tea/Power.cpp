// imbrex tea power: how many observations each hypothesis needs.
#include "stats/data/Numbers.h"
#include "stats/language/WriteStudy.h"
#include "stats/select/SampleSize.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cmath>

namespace imbrex::tools {
namespace {

using namespace stats;

struct Wanted {
  std::optional<double> effect, size;
  double power = 0.8;
};

Result<std::optional<double>> numberOf(const std::string &text, const char *option, double low,
                                       double high) {
  if (text.empty())
    return std::optional<double>();
  std::optional<double> value = parseNumber(text, {});
  if (!value || !(*value > low && *value < high))
    return badInput(700,
                    std::string(option) + " must be a number above " + shortNumber(low) +
                        " and below " + shortNumber(high),
                    "", std::string(option) + " 0.5");
  return value;
}

struct Line {
  std::string label;
  double effect, size, power;
};

/// One line an effect: the size that reaches the power, or the power of a given size.
Result<std::vector<Line>> linesOf(const PowerQuestion &q, const Wanted &wanted) {
  std::vector<std::pair<std::string, double>> effects = {
      {"small", q.small}, {"medium", q.medium}, {"large", q.large}};
  if (wanted.effect)
    effects = {{"yours", *wanted.effect}};
  std::vector<Line> lines;
  for (auto [label, effect] : effects) {
    if (!(effect < q.most))
      return badInput(700, "--effect must be below " + shortNumber(q.most) + ": it is " + q.effect);
    auto power = [&, e = effect](double n) { return q.power(e, n); };
    if (wanted.size) {
      if (*wanted.size < q.least)
        return badInput(700, "--n must be at least " + shortNumber(q.least) + " " + q.unit);
      lines.push_back({label, effect, *wanted.size, power(*wanted.size)});
      continue;
    }
    std::optional<SampleSize> size = solveSize(power, wanted.power, q.least);
    if (!size)
      return badInput(700, "no sample is large enough for an effect of " + shortNumber(effect));
    lines.push_back({label, effect, static_cast<double>(size->whole), size->reached});
  }
  return lines;
}

void print(const PowerQuestion &q, const std::vector<Line> &lines, double alpha) {
  say("  %s%s, alpha %g; effect: %s, n: %s\n", q.test.c_str(),
      q.alternative == Alternative::TwoSided ? "" : ", one-sided", alpha, q.effect.c_str(),
      q.unit.c_str());
  for (const Line &line : lines)
    say("  %-7s effect %-6g n %-8g power %.4f\n", line.label.c_str(), line.effect, line.size,
        line.power);
}

Json jsonOf(const PowerQuestion &q, const std::vector<Line> &lines) {
  Json list = Json::array();
  for (const Line &line : lines)
    list.push(
        Json::object().set("effect", line.effect).set("n", line.size).set("power", line.power));
  return Json::object()
      .set("test", q.test)
      .set("effect", q.effect)
      .set("n", q.unit)
      .set("sided", q.alternative == Alternative::TwoSided ? int64_t{2} : int64_t{1})
      .set("sizes", list);
}

} // namespace

int teaPower(int argc, char **argv) {
  CommandLine line("tea power", "Before there is data: how many observations a hypothesis needs.");
  StudyOptions options;
  std::string effect, size, power;
  bool json = false;
  line.positional("STUDY", options.study, "a study: .tea text, or the same as JSON")
      .option("--effect E", effect, "the effect to be found; small, medium and large when left out")
      .option("--power P", power, "the wanted power, 0.8 when left out")
      .option("--n N", size, "instead: the power that N observations have")
      .flag("--json", json, "print JSON")
      .footer("The power is that of the classical test of the design. Rank tests need at most 16 % "
              "more\nobservations, and often fewer.");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    std::optional<ReadStudy> read = options.read();
    if (!read)
      return ExitCode::BadInput;
    Wanted wanted;
    auto e = numberOf(effect, "--effect", 0, 100), n = numberOf(size, "--n", 0, 1e9),
         p = numberOf(power, "--power", 0, 1);
    for (const auto *answer : {&e, &n, &p})
      if (!*answer)
        return answer->error();
    wanted.effect = *e;
    wanted.size = *n;
    wanted.power = p->value_or(0.8);
    Json list = Json::array();
    ExitCode code = ExitCode::Good;
    for (size_t i = 0; i < read->study.hypotheses.size(); ++i) {
      Situation situation(read->study, read->study.hypotheses[i], nullptr);
      std::string title = writeHypothesis(read->study.hypotheses[i]);
      Result<PowerQuestion> question = powerQuestionOf(situation);
      if (!question && read->study.hypotheses.size() == 1)
        return question.takeError();
      if (!json)
        say("%sH%zu  %s\n", i ? "\n" : "", i + 1, title.c_str());
      if (!question) { // the others have answers all the same
        code = question.error().exitCode();
        list.push(Json::object().set("hypothesis", title).set("error", question.error().str()));
        if (!json)
          reportError(question.error());
        continue;
      }
      Result<std::vector<Line>> lines = linesOf(*question, wanted);
      if (!lines)
        return lines.takeError();
      list.push(jsonOf(*question, *lines).set("hypothesis", title));
      if (!json)
        print(*question, *lines, read->study.alpha);
    }
    if (json)
      sayText(Json::object().set("hypotheses", list).str() + "\n");
    return code;
  });
}

} // namespace imbrex::tools
