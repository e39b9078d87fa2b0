// Designs with several factors within participants, alone and with factors between them.
#include "stats/select/test/StudyCase.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// 12 participants in two teams, two sides, three loads.
std::string measures(bool withoutOne) {
  std::string csv = "id,team,side,load,force\n";
  const char *sides[] = {"left", "right"}, *loads[] = {"low", "mid", "high"};
  for (int i = 0; i < 12; ++i)
    for (int s = 0; s < 2; ++s)
      for (int l = 0; l < 3; ++l) {
        if (withoutOne && i == 4 && s == 1 && l == 2)
          continue;
        double noise = std::sin(12.9898 * (i * 6 + s * 3 + l) + 4.1) * 1.3;
        csv += "p" + std::to_string(i) + "," + (i % 2 ? "red" : "blue") + "," + sides[s] + "," +
               loads[l] + "," + std::to_string(20 + i % 5 + 2 * s + 1.5 * l + noise) + "\n";
      }
  return csv;
}

std::string studyOf(const std::string &factors, const std::string &within) {
  return "data f.csv\n  key: id\nvariables\n  team: nominal [blue, red]\n  side: nominal [left, "
         "right]\n  load: nominal [low, mid, high]\n  force: ratio\ndesign experiment\n"
         "  independent: " +
         factors + "\n  dependent: force\n  within: " + within + "\nhypothesis force by " +
         factors + "\n";
}

TEST(RepeatedDesigns, SeveralFactorsWithin) {
  StudyCase c(studyOf("side, load", "side, load"), measures(false));
  c.select();
  EXPECT_EQ(c.valid(), "rm_factorial_anova");
  StudyAnalysis a = c.analysis();
  const TestResult &r = a.hypotheses[0].runs[0].computed.result;
  ASSERT_TRUE(r.defined());
  EXPECT_EQ(r.table("analysis of variance")->rows.size(), 3u);
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
}

TEST(RepeatedDesigns, FactorsWithinAndBetween) {
  StudyCase c(studyOf("team, side, load", "side, load"), measures(false));
  c.select();
  EXPECT_EQ(c.valid(), "mixed_anova");
  const TestResult r = c.compute("mixed_anova").result;
  for (const char *term :
       {"team", "side", "team:side", "load", "team:load", "side:load", "team:side:load"})
    EXPECT_TRUE(r.table("analysis of variance")->row(term)) << term;
  EXPECT_TRUE(r.table("Greenhouse-Geisser")->row("team:side:load"));
}

TEST(RepeatedDesigns, AMissingConditionLeavesOutItsParticipant) {
  StudyCase c(studyOf("side, load", "side, load"), measures(true));
  TestResult r = c.compute("rm_factorial_anova").result;
  ASSERT_TRUE(r.defined());
  EXPECT_EQ(r.n[0].value, 11);
  EXPECT_NE(std::find(r.notes.begin(), r.notes.end(),
                      "1 participant was left out because a condition is missing"),
            r.notes.end());
}

TEST(RepeatedDesigns, ATeamThatChangesIsNotBetween) {
  std::string csv = measures(false);
  csv.replace(csv.find("p0,blue"), 7, "p0,red");
  StudyCase c(studyOf("team, side, load", "side, load"), csv);
  Selection &s = c.select();
  EXPECT_EQ(c.valid(), "");
  const ProcedureVerdict *v = s.find("mixed_anova");
  std::string text;
  for (size_t i : v->decisive)
    text += s.instances()[i].evidence.text;
  EXPECT_NE(text.find("subject 'p0' has two values of 'team'"), std::string::npos) << text;
}

} // namespace
} // namespace imbrex::stats
