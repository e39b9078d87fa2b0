#include "stats/report/document/Document.h"

#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"
#include "stats/report/document/Repeat.h"
#include "stats/report/export/Export.h"
#include "stats/report/html/Html.h"
#include "stats/report/markdown/Markdown.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

/// Writes a table, runs a study on it, and builds its document.
class Example {
public:
  explicit Example(const std::string &hypothesis, const char *name) {
    std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    std::ofstream(path) << "diet,growth,size,age\na,4.2,1,3\na,5.1,2,5\na,6.0,2.5,4\na,4.9,1.5,6\n"
                           "a,5.5,2.2,3\nb,6.9,3,4\nb,7.2,3.5,6\nb,8.1,4,5\nb,6.6,2.9,3\n"
                           "b,7.7,3.1,4\n";
    ReadStudy read = parseStudy("data \"" + path.string() + R"("

variables
  diet: nominal [a, b]
  growth: ratio
  size: ratio
  age: ratio

design experiment
  independent: diet
  dependent: growth, size

hypothesis )" + hypothesis + "\n",
                                "study.tea");
    for (const Error &error : read.errors)
      ADD_FAILURE() << error.str();
    study = read.study;
    Result<Table> loaded = loadData(study);
    if (!loaded) {
      ADD_FAILURE() << loaded.error().str();
      return;
    }
    table = loaded.take();
    Result<StudyAnalysis> run = analyze(study, table, standardKnowledge());
    if (!run) {
      ADD_FAILURE() << run.error().str();
      return;
    }
    analysis = run.take();
    std::filesystem::remove(path);
  }

  Document document() const { return documentOf(analysis, study, table, Scripts::Include); }

  Study study;
  Table table;
  StudyAnalysis analysis;
};

TEST(Document, HtmlStandsAlone) {
  std::string html = htmlOf(Example("growth by diet: b > a", "imbrex-document-1.csv").document());
  for (const char *expected : {"<!doctype html>", "The data support the hypothesis", "<svg",
                               "Assumptions of this test", "Tests that are not valid, and why",
                               "The same analysis in R", "The same analysis in Python", "t.test("})
    EXPECT_NE(html.find(expected), std::string::npos) << expected;
  for (const char *foreign : {"<script", "src=", "href=", "@import", "nan"})
    EXPECT_EQ(html.find(foreign), std::string::npos) << foreign;
}

TEST(Document, MarkdownHasTablesAndScripts) {
  std::string text =
      markdownOf(Example("growth by diet: b > a", "imbrex-document-2.csv").document(), "pictures");
  for (const char *expected : {"# study.tea", "## Hypothesis 1: growth by diet: b > a", "| --- |",
                               "```r\n", "](pictures/1.svg)"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
}

TEST(Document, MarkdownTakesNoOrders) {
  Document document;
  document.title = "$x$ &lt; ~~y~~";
  Block picture;
  picture.kind = BlockKind::Picture;
  picture.text = "a](http://elsewhere/p.png)\x1b[31m";
  document.blocks = {picture};
  std::string text = markdownOf(document, "pictures");
  EXPECT_NE(text.find("# \\$x\\$ \\&lt; \\~\\~y\\~\\~"), std::string::npos) << text;
  EXPECT_NE(text.find("![a\\](http"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Document, ScriptsTakeTheOrderOfThePrediction) {
  Example example("growth by diet: b > a", "imbrex-document-3.csv");
  std::vector<Analysis> list = analysesOf(example.analysis);
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list[0].names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(list[0].samples[0][0], 6.9);
  EXPECT_EQ(list[0].alternative, Alternative::Greater);
}

TEST(Document, EveryProcedureCanBeExported) {
  std::vector<std::string> exportable = exportableProcedures();
  for (const Procedure &p : standardKnowledge().procedures)
    EXPECT_NE(std::find(exportable.begin(), exportable.end(), p.computes), exportable.end())
        << p.id;
}

TEST(Document, RelationsAreScattered) {
  std::string html = htmlOf(Example("growth ~ size", "imbrex-document-4.csv").document());
  EXPECT_NE(html.find("class=\"band\""), std::string::npos);
}

// A coefficient has the name of its predictor, which must not become a column of its own.
TEST(Document, CoefficientsStandInOneColumn) {
  Example example("growth ~ size + age", "imbrex-document-5.csv");
  bool found = false;
  for (const Block &block : example.document().blocks)
    if (block.kind == BlockKind::Table && block.text == "coefficients") {
      found = true;
      EXPECT_EQ(block.header[1], "estimate");
      EXPECT_EQ(std::count(block.header.begin(), block.header.end(), "size"), 0);
    }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace imbrex::stats
