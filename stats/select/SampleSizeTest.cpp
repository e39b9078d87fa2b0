// Sizes that R's power.t.test and G*Power give.
#include "stats/select/SampleSize.h"

#include "stats/procedures/test/TestSupport.h"
#include "stats/select/test/StudyCase.h"

namespace imbrex::stats {
namespace {

PowerQuestion questionOf(const std::string &types, const std::string &rest) {
  ReadStudy read = parseStudy("data f.csv\n  key: id\nvariables\n" + types +
                                  "design experiment\n  independent: x\n  dependent: y\n" + rest,
                              "s.tea");
  for (const Error &e : read.errors)
    ADD_FAILURE() << e.str();
  Situation situation(read.study, read.study.hypotheses.at(0), nullptr);
  Result<PowerQuestion> question = powerQuestionOf(situation);
  if (!question) {
    ADD_FAILURE() << question.error().str();
    return {};
  }
  return question.take();
}

int64_t sizeFor(const PowerQuestion &q, double effect) {
  return solveSize([&](double n) { return q.power(effect, n); }, .8, q.least)->whole;
}

const std::string groups = "  x: nominal [a, b]\n  y: ratio\n";

TEST(SampleSize, TwoGroups) {
  PowerQuestion q = questionOf(groups, "hypothesis y by x\n");
  EXPECT_NUMBER(.8014596, q.power(.5, 64));
  EXPECT_NUMBER(.3379390, q.power(.5, 20));
  EXPECT_EQ(sizeFor(q, .5), 64);
  EXPECT_EQ(sizeFor(questionOf(groups, "hypothesis y by x: b > a\n"), .5), 51);
}

TEST(SampleSize, OtherDesigns) {
  EXPECT_EQ(sizeFor(questionOf(groups, "  within: x\nhypothesis y by x\n"), .5), 34);
  EXPECT_EQ(sizeFor(questionOf(groups, "hypothesis y > 3\n"), .5), 27);
  EXPECT_EQ(sizeFor(questionOf("  x: nominal [a, b, c]\n  y: ratio\n", "hypothesis y by x\n"), .25),
            53);
  EXPECT_EQ(sizeFor(questionOf("  x: ratio\n  y: ratio\n", "hypothesis y ~ x\n"), .3), 85);
  EXPECT_EQ(
      sizeFor(questionOf("  x: nominal [a, b]\n  y: nominal [u, v]\n", "hypothesis y by x\n"), .3),
      88);
}

TEST(SampleSize, RepeatedMeasuresHaveNoFormula) {
  ReadStudy read = parseStudy("data f.csv\n  key: id\nvariables\n  x: nominal [a, b, c]\n  y: "
                              "ratio\ndesign experiment\n  independent: x\n  dependent: y\n"
                              "  within: x\nhypothesis y by x\n",
                              "s.tea");
  Situation situation(read.study, read.study.hypotheses.at(0), nullptr);
  Result<PowerQuestion> question = powerQuestionOf(situation);
  ASSERT_FALSE(question.ok());
  EXPECT_EQ(question.error().code, 1260);
}

} // namespace
} // namespace imbrex::stats
