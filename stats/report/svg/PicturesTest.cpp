#include "stats/report/svg/Pictures.h"
#include "stats/report/svg/Frame.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace imbrex::stats {
namespace {

size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

TEST(Ticks, EndWhereNumbersAreTooCoarse) {
  EXPECT_EQ(roundTicks(1e300, std::nextafter(1e300, HUGE_VAL), 5).size(), 1u);
  EXPECT_EQ(roundTicks(1e17, 1e17 + 64, 5).size(), 1u);
  EXPECT_GE(roundTicks(0, 10, 5).size(), 5u);
}

TEST(Ticks, AreRound) {
  EXPECT_EQ(roundTicks(0, 10), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(roundTicks(-0.3, 0.31).size(), 7u);
  EXPECT_EQ(roundTicks(5, 5).size(), 1u);
  for (double tick : roundTicks(-0.4, 3))
    EXPECT_FALSE(tick == 0 && std::signbit(tick));
  EXPECT_EQ(tickText(0.25, 0.05), "0.25");
  EXPECT_EQ(tickText(2e7, 1e7), "2e+07");
  EXPECT_EQ(tickText(30, 10), "30");
}

TEST(Pictures, EveryValueHasItsDot) {
  std::string svg = boxAndStrip({{1, 2, 3}, {2, 4}}, {"a", "b"}, {"t", "group", "value"});
  EXPECT_EQ(count(svg, "class=\"dot\""), 5u);
  EXPECT_EQ(count(svg, "class=\"box\""), 2u);
  EXPECT_EQ(count(svg, "class=\"mean\""), 2u);
  EXPECT_EQ(count(subjectLines({{1, 2}, {3, 4}}, {"a", "b"}, {}), "class=\"pair\""), 2u);
  std::vector<double> x{1, 2, 3, 4}, y{2, 1, 4, 3};
  EXPECT_EQ(count(scatterWithFit(x, y, .95, {}), "class=\"dot\""), 4u);
  EXPECT_EQ(count(normalQuantiles(y, {}), "class=\"dot\""), 4u);
}

TEST(Pictures, TextIsEscapedAndNeverNaN) {
  std::string svg = boxAndStrip({{1, 1, 1}, {}}, {"<a&\"b\">", "empty"}, {"</title>", "x", "y"});
  EXPECT_NE(svg.find("&lt;a&amp;&quot;b&quot;&gt;"), std::string::npos);
  EXPECT_EQ(count(svg, "</title>"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  std::vector<double> constant{2, 2, 2};
  EXPECT_EQ(scatterWithFit(constant, constant, .95, {}).find("nan"), std::string::npos);
  EXPECT_EQ(normalQuantiles(constant, {}).find("nan"), std::string::npos);
  EXPECT_EQ(subjectLines({}, {}, {}).find("nan"), std::string::npos);
}

TEST(Pictures, ManyValuesAreThinnedAndThePictureSaysSo) {
  std::vector<double> many(10000);
  std::iota(many.begin(), many.end(), 0);
  std::string svg = normalQuantiles(many, {});
  EXPECT_EQ(count(svg, "class=\"dot\""), 2000u);
  EXPECT_NE(svg.find("every 5th value is drawn"), std::string::npos);
}

TEST(Pictures, SharesShowCounts) {
  std::string svg =
      shares({{28, 10}, {48, 114}}, {"food", "affection"}, {"yes", "no"}, {"t", "x", "dance"});
  EXPECT_NE(svg.find("28 (74 %)"), std::string::npos);
  EXPECT_NE(svg.find("n = 162"), std::string::npos);
}

TEST(Pictures, InteractionHasALineForEachLevel) {
  std::string svg = interactionPlot({{{1, 2}, {3, 4}}, {{2, 3}, {1, 2}}}, {"a", "b"}, {"c", "d"},
                                    .95, {}, "second");
  EXPECT_EQ(count(svg, "<polyline"), 2u);
}

} // namespace
} // namespace imbrex::stats
