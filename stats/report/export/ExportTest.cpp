#include "stats/report/export/Export.h"

#include "stats/procedures/groups/TTests.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

Analysis example() {
  Analysis a;
  a.procedure = "welchs_t";
  a.title = "growth by \"diet\"\nand more";
  a.samples = {{1, 2.5, 4}, {3, 0.1, 7, 8}};
  a.result = welchsT(a.samples[0], a.samples[1]);
  return a;
}

TEST(Export, BothLanguagesHoldDataOptionsAndChecks) {
  ExportedScript r = exportScript(Language::R, {example()});
  EXPECT_NE(r.text.find("first <- c(1, 2.5, 4)"), std::string::npos);
  EXPECT_NE(r.text.find("t.test(first, second, mu = 0, var.equal = FALSE, conf.level = 0.95)"),
            std::string::npos);
  EXPECT_NE(r.text.find("check(\"df\", df, "), std::string::npos);
  ExportedScript python = exportScript(Language::Python, {example()});
  EXPECT_NE(python.text.find("first = np.array([1, 2.5, 4])"), std::string::npos);
  EXPECT_NE(python.text.find("equal_var=False"), std::string::npos);
  EXPECT_TRUE(r.leftOut.empty());
}

TEST(Export, TitlesCannotLeaveTheirLine) {
  for (Language language : {Language::R, Language::Python}) {
    std::string text = exportScript(language, {example()}).text;
    EXPECT_EQ(text.find("\nand more"), std::string::npos);
    EXPECT_NE(text.find("growth by \\\"diet\\\" and more"), std::string::npos);
  }
}

TEST(Export, NamesCannotTurnTheSource) {
  EXPECT_EQ(quoted("a\u202eb\u2028c\nd"), R"("a\u202eb\u2028c d")");
  EXPECT_EQ(quoted("\U000e0041"), R"("\U000e0041")");
  Analysis undefined = example();
  undefined.title = "y by \u202e";
  undefined.result.undefined("none");
  std::string text = exportScript(Language::R, {undefined}).text;
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

TEST(Export, NamesWhatItLeavesOut) {
  Analysis unknown = example(), undefined = example();
  unknown.procedure = "tarot";
  undefined.result.undefined("all\nvalues are equal");
  ExportedScript script = exportScript(Language::R, {unknown, undefined});
  EXPECT_EQ(script.leftOut.size(), 2u);
  EXPECT_NE(script.text.find("# Left out: tarot"), std::string::npos);
  EXPECT_NE(script.text.find("all values are equal\n"), std::string::npos);
}

TEST(Export, NumbersKeepAllDigits) {
  EXPECT_EQ(literal(0.1, Language::R), "0.1");
  EXPECT_EQ(std::stod(literal(1.0 / 3, Language::R)), 1.0 / 3);
  EXPECT_EQ(literal(-HUGE_VAL, Language::R), "-Inf");
  EXPECT_EQ(literal(HUGE_VAL, Language::Python), "np.inf");
}

} // namespace
} // namespace imbrex::stats
