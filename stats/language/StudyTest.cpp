#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"
#include "stats/language/WriteStudy.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

std::string readFile(const std::string &name) {
  std::ifstream in(std::string(STATS_LANGUAGE_DIR) + "/" + name);
  EXPECT_TRUE(in.is_open()) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

Study good(const std::string &text) {
  ReadStudy read = parseStudy(text, "s.tea");
  for (const Error &e : read.errors)
    ADD_FAILURE() << e.str();
  return read.study;
}

/// The message of an error with its code and place in front, and nothing left out.
std::string flat(const Error &e) {
  return std::to_string(e.where.line) + ":" + std::to_string(e.where.column) + " E" +
         std::to_string(e.code) + " " + e.what +
         (e.because.empty() ? "" : "; because " + e.because) +
         (e.remedy.empty() ? "" : "; try " + e.remedy);
}

struct Block {
  std::string name, study;
  std::vector<std::string> expected;
};

std::vector<Block> blocksOf(const std::string &text) {
  std::vector<Block> blocks;
  bool answers = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("---- ")) {
      blocks.push_back({line.substr(5), "", {}});
      answers = false;
    } else if (blocks.empty()) {
      continue;
    } else if (line.starts_with("====")) {
      answers = true;
    } else if (answers) {
      blocks.back().expected.push_back(line);
    } else {
      blocks.back().study += line + "\n";
    }
  }
  return blocks;
}

const std::string variables = "variables\n  g: nominal [A, B, C]\n  y: ratio\n  x: interval\n"
                              "design observational\n  contributor: g, x\n  outcome: y\n";

} // namespace

TEST(Study, errorsAsSpecified) {
  std::vector<Block> blocks = blocksOf(readFile("test/errors.teatest"));
  ASSERT_GT(blocks.size(), 8u);
  for (const Block &block : blocks) {
    std::vector<Error> errors = parseStudy(block.study, "s.tea").errors;
    std::string all;
    for (const Error &e : errors)
      all += "  " + flat(e) + "\n";
    EXPECT_EQ(errors.size(), block.expected.size()) << block.name << "\n" << all;
    for (size_t i = 0; i < std::min(errors.size(), block.expected.size()); ++i) {
      const std::string &want = block.expected[i];
      size_t words = want.find(' ', want.find(' ') + 1) + 1;
      std::string have = flat(errors[i]);
      EXPECT_TRUE(have.starts_with(want.substr(0, words)) &&
                  have.find(want.substr(words)) != std::string::npos)
          << block.name << ": wanted " << want << "\n"
          << all;
    }
  }
}

TEST(Study, readsAProgram) {
  Study s = good(readFile("corpus/crime.tea"));
  EXPECT_EQ(s.data.file, "UScrime.csv");
  EXPECT_EQ(s.variables[0].categories, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(s.variables[1].measure, Measure::Ratio);
  EXPECT_EQ(*s.variables[1].high, 1);
  EXPECT_EQ(s.alpha, 0.01);
  EXPECT_EQ(s.threshold, 0.05);
  ASSERT_EQ(s.assumptions.size(), 1u);
  EXPECT_EQ(s.assumptions[0].variables, (std::vector<std::string>{"So", "Prob"}));
  const Hypothesis &h = s.hypotheses[0];
  EXPECT_EQ(h.form, HypothesisForm::Groups);
  EXPECT_EQ(h.outcome, "Prob");
  EXPECT_EQ(h.compared, "So");
  EXPECT_EQ(h.comparisons[0].order, Order::Greater);
}

TEST(Study, readsTheSameFromJsonWithPublishedKeys) {
  Study s = good(readFile("corpus/crime.json"));
  EXPECT_EQ(s.variables[0].categories, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(s.assumptions[0].variables, (std::vector<std::string>{"So", "Prob"}));
  ASSERT_EQ(s.hypotheses.size(), 2u);
  EXPECT_EQ(s.hypotheses[0].outcome, "Prob");
  EXPECT_EQ(s.hypotheses[0].comparisons[0].left, "1");
  Study again = good(studyJson(s).str());
  EXPECT_EQ(writeStudy(again), writeStudy(s));
}

TEST(Study, writesWhatItReads) {
  for (const char *name : {"corpus/crime.tea", "corpus/all.tea", "corpus/crime.json"}) {
    Study s = good(readFile(name));
    std::string text = writeStudy(s);
    EXPECT_EQ(writeStudy(good(text)), text) << text;
    EXPECT_EQ(writeStudy(good(studyJson(s).str())), text);
  }
}

TEST(Study, readsAllFormsOfHypotheses) {
  Study s = good(variables + "hypothesis\n  y by g: A > B > C\n  y by g: A = B within 2\n"
                             "  y by g: A > 1.5 * B\n  y ~ -x\n  y ~ x\n  y > 3\n  g, y\n"
                             "  y by g given x\n");
  ASSERT_EQ(s.hypotheses.size(), 8u);
  EXPECT_EQ(s.hypotheses[0].comparisons.size(), 2u);
  EXPECT_EQ(s.hypotheses[0].comparisons[1].left, "B");
  EXPECT_EQ(*s.hypotheses[1].comparisons[0].margin, 2);
  EXPECT_EQ(s.hypotheses[2].comparisons[0].factor, 1.5);
  EXPECT_EQ(s.hypotheses[3].terms[0].trend, Trend::Negative);
  EXPECT_EQ(s.hypotheses[4].terms[0].trend, Trend::Either);
  EXPECT_EQ(s.hypotheses[5].form, HypothesisForm::Constant);
  EXPECT_EQ(s.hypotheses[5].constant, 3);
  EXPECT_EQ(s.hypotheses[6].form, HypothesisForm::Association);
  EXPECT_EQ(s.hypotheses[7].given, (std::vector<std::string>{"x"}));
}

TEST(Study, settlesWhatIsOpen) {
  Study s = good(variables + "hypothesis g, y: A > B\nhypothesis x, y\n");
  EXPECT_EQ(s.hypotheses[0].outcome, "y");
  EXPECT_EQ(s.hypotheses[0].variables, (std::vector<std::string>{"g"}));
  EXPECT_EQ(s.hypotheses[0].compared, "g");
  EXPECT_EQ(s.hypotheses[1].outcome, "y");
}

TEST(Study, builtByPrograms) {
  Study s;
  s.variables = {{"g", Measure::Nominal, {"A", "B"}, {}, {}, {}, {}},
                 {"y", Measure::Ratio, {}, {}, {}, {}, {}}};
  s.design = {StudyKind::Experiment, true, {"g"}, {"y"}, {"g"}, {}, {}};
  Hypothesis h;
  h.form = HypothesisForm::Groups;
  h.outcome = "y";
  h.variables = {"g"};
  h.comparisons = {{"A", "B", Order::Greater}};
  s.hypotheses = {h};
  EXPECT_TRUE(checkStudy(s).empty());
  EXPECT_EQ(writeHypothesis(s.hypotheses[0]), "y by g: A > B");
}

TEST(Study, loadsItsData) {
  std::string folder = testing::TempDir();
  std::ofstream(folder + "/wide.csv") << "drug;sun;wed\nE;1,5;2\nA;3;\n";
  std::ofstream(folder + "/s.tea")
      << "data wide.csv\n  key: person\n  reshape: day from sun, wed into BDI\n"
         "variables\n  day: nominal [wed, sun]\n  BDI: ratio\n  drug: nominal [A, E]\n"
         "design experiment\n  independent: day\n  dependent: BDI\n  within: day\n"
         "hypothesis BDI by day: sun > wed\n";
  ReadStudy read = readStudyFile(folder + "/s.tea");
  ASSERT_TRUE(read.ok()) << read.errors[0].str();
  Result<Table> table = loadData(read.study);
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->rows, 4u);
  EXPECT_EQ(table->find("BDI")->numbers[0], 1.5);
  EXPECT_EQ(table->find("day")->codes, (std::vector<int32_t>{1, 0, 1, 0}));
  EXPECT_EQ(table->find("person")->numbers[3], 2);
  EXPECT_EQ(loadData(read.study, {"/nowhere/x.csv", ""}).error().code, 1200);
}

TEST(Study, refusesWhatNobodyCanAnalyse) {
  std::string start = "variables\n  y: ratio\n", roles, sum;
  for (int i = 0; i < 64; ++i) {
    std::string name = "f" + std::to_string(i);
    start += "  " + name + ": nominal [a, b]\n";
    roles += (i ? ", " : "") + name;
  }
  start += "design experiment\n  independent: " + roles + "\n  dependent: y\n";
  ReadStudy crossed = parseStudy(start + "hypothesis y by " + roles + "\n", "s.tea");
  ASSERT_EQ(crossed.errors.size(), 1u); // 2^64 cells
  EXPECT_EQ(crossed.errors[0].code, 1237);
  for (int i = 0; i < 1001; ++i)
    sum += "hypothesis y by f0\n";
  ReadStudy many = parseStudy(start + sum, "s.tea");
  ASSERT_EQ(many.errors.size(), 1u);
  EXPECT_EQ(many.errors[0].code, 1239);
}

TEST(Study, readsWhatEditorsWrite) {
  std::string text = "variables\n  g: nominal [a, b]\n  y: ratio\ndesign experiment\n"
                     "  independent: g\n  dependent: y\nhypothesis y by g\n";
  std::string mac = text, wide = "\xff\xfe", latin = text;
  std::replace(mac.begin(), mac.end(), '\n', '\r');
  for (char c : text)
    wide += {c, '\0'};
  latin.replace(latin.find("[a"), 2, "[\xe9");
  for (const std::string &bytes : {text, mac, wide, latin, "\xef\xbb\xbf" + text})
    EXPECT_TRUE(parseStudy(bytes, "s.tea").ok());
  EXPECT_EQ(parseStudy(latin, "s.tea").study.variables[0].categories[0], "é");
  EXPECT_EQ(parseStudy(std::string("a\0b", 3), "s.tea").errors[0].code, 1230);
  EXPECT_EQ(readStudyFile("/").errors[0].code, 1230);
}

TEST(Study, jsonIsReadWholeOrRefused) {
  std::string start = R"({"data": "d.csv", "variables": [{"name": "g", "type": "nominal",
      "categories": ["a", "b"]}, {"name": "y", "type": "ratio"}], "hypotheses": ["y by g"], )";
  std::string design = R"("design": {"independent": "g", "dependent": "y"})";
  EXPECT_TRUE(parseStudy(start + design + "}", "s.json").ok());
  for (const char *end :
       {R"("design": "experiment"})", R"("design": []})", R"("design": {}, "assume": "normal"})",
        R"("design": {}, "assume": {"groups normal": {"g": "y"}}})"}) {
    ReadStudy read = parseStudy(start + end, "s.json");
    ASSERT_FALSE(read.ok()) << end;
    EXPECT_EQ(read.errors[0].code, 1238) << read.errors[0].str();
  }
  ReadStudy twice = parseStudy(start + design + R"(, "hypotheses": ["y by g: a > b"]})", "s.json");
  ASSERT_EQ(twice.errors.size(), 1u);
  EXPECT_NE(twice.errors[0].str().find("'hypotheses' twice"), std::string::npos);
}
