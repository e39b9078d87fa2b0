// Analysis of variance on published studies. Reference values: recomputed from the published data.
#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/test/StudyFile.h"
#include "stats/procedures/test/TestSupport.h"

#include <algorithm>

using namespace imbrex::stats;

TEST(Studies, Goggles) {
  auto rows = readStudy("gogglesData.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  FactorialDesign design{{{"gender", {"Female", "Male"}, {}}, {"alcohol", {}, {}}}, {}, {}};
  for (const auto &row : *rows) {
    design.outcome.push_back(std::stod(row.at("attractiveness")));
    design.factors[0].codes.push_back(row.at("gender") == "Male");
    auto &levels = design.factors[1].levels;
    auto found = std::find(levels.begin(), levels.end(), row.at("alcohol"));
    design.factors[1].codes.push_back(int32_t(found - levels.begin()));
    if (found == levels.end())
      levels.push_back(row.at("alcohol"));
  }
  TestResult r = factorialAnova(design);
  const ResultTable &table = *r.table("analysis of variance");
  EXPECT_NUMBER(2.03226, table.row("gender")->number("F"));
  EXPECT_DIGITS(.16138, table.row("gender")->p.undirected->value, 3e-5);
  EXPECT_NUMBER(20.06541, table.row("alcohol")->number("F"));
  EXPECT_DIGITS(7.649e-07, table.row("alcohol")->p.undirected->value, 1e-4);
  EXPECT_NUMBER(11.91129, table.row("gender:alcohol")->number("F"));
  EXPECT_DIGITS(7.987e-05, table.row("gender:alcohol")->p.undirected->value, 1e-4);
}

TEST(Studies, Soya) {
  auto rows = readStudy("soya.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  std::map<std::string, std::vector<double>> meals;
  for (const auto &row : *rows)
    meals[row.at("Soya")].push_back(std::stod(row.at("Sperm")));
  Groups groups;
  for (const auto &[meal, values] : meals)
    groups.push_back(values);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_NUMBER(8.658889, kruskalWallis(groups).statistic("H"));
  EXPECT_DIGITS(.0341874, kruskalWallis(groups).p.undirected->value, 3e-6);
  EXPECT_NUMBER(2.635439, oneWayF(groups).statistic("F"));
  EXPECT_NUMBER(.0557784, oneWayF(groups).p.undirected->value);
  EXPECT_NUMBER(37.86, friedman(groups).statistic("Q"));
}
