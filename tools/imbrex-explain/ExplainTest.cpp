#include "tools/imbrex-explain/Explain.h"

#include "runtime/module/Module.h"
#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

namespace imbrex::tools {
namespace {

Json explained(const testing::TestModel &model, runtime::SlotSizes::Values values = {}) {
  auto module = runtime::Module::fromMemory(model.bytes(), {});
  EXPECT_TRUE(module.ok()) << module.error().str();
  return module ? explainArtifact(**module, values) : Json();
}

testing::TestModel graphModel() {
  testing::TestModel m = testing::addModel();
  m.spec.nodes = {{"n1", "add", "", 0, -1, 0, 0, {{-1, 0}, {-1, 1}}, {"f32[4, 8]"}, {}}};
  m.spec.functions[0].results = {{0, 0}};
  m.spec.kernels[0].group = 0;
  m.spec.kernels[0].sources = {"n1 (add)"};
  m.spec.kernels[0].form = "elementwise: plain loop nest";
  m.spec.remarks = {"n1 (add): it is slow: very"};
  m.spec.rewrites = {{"drop-identity", "exact bits", "i0"}};
  return m;
}

TEST(Explain, SaysWhatEachPartIs) {
  const Json json = explained(graphModel());
  EXPECT_EQ(json.at("inputs").items()[0].at("type").toText(), "f32[4, 8]");
  EXPECT_EQ(json.at("nodes").items()[0].at("op").toText(), "add");
  EXPECT_EQ(json.at("nodes").items()[0].at("operands").toText(), "[[-1,0],[-1,1]]");
  const Json kernel = json.at("kernels").items()[0];
  EXPECT_EQ(kernel.at("bytes").toInt(), 3 * 4 * 8 * 4);
  EXPECT_EQ(kernel.at("types").toText(), R"(["f32[4, 8]","f32[4, 8]","f32[4, 8]"])");
  EXPECT_EQ(json.at("remarks").items()[0].at("at").toText(), "n1");
  EXPECT_EQ(json.at("remarks").items()[0].at("text").toText(), "it is slow: very");
  EXPECT_EQ(json.at("rewrites").items()[0].at("contract").toText(), "exact bits");
}

TEST(Explain, PlansHaveNumbersForGivenSizes) {
  const testing::TestModel model = testing::matmulModel();
  const Json small = explained(model).at("plans").items()[0];
  EXPECT_EQ(small.at("steps").items().size(), 2u);
  EXPECT_EQ(small.at("tensors").items().size(), 2u);
  EXPECT_EQ(small.at("example").toText(), "k = 8, m = 8, n = 8");
  const Json large = explained(model, {{"m", 100}}).at("plans").items()[0];
  EXPECT_EQ(large.at("example").toText(), "k = 8, m = 100, n = 8");
}

TEST(Explain, AllTestModelsCanBeExplained) {
  for (const testing::TestModel &m : testing::allTestModels())
    EXPECT_TRUE(explained(m).at("plans").isArray()) << m.name;
}

TEST(Page, NamesOfTheModelAreNoMarkup) {
  testing::TestModel m = graphModel();
  const std::string evil =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>@data@\x1b[31m\u202e";
  m.spec.model = evil;
  m.spec.nodes[0].name = evil;
  m.spec.functions[0].inputs[0].name = evil;
  const std::string page = pageOf(explained(m).set("profile", Json()));
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_EQ(page.find("<img"), page.npos);
  EXPECT_EQ(page.find('\x1b'), page.npos);
  EXPECT_EQ(page.find("\u202e"), page.npos);
  // Both scripts of the page end where they should.
  size_t ends = 0;
  for (size_t at = page.find("</script>"); at != page.npos; at = page.find("</script>", at + 1))
    ++ends;
  EXPECT_EQ(ends, 2u);
}

TEST(Page, NeedsNothingElse) {
  const std::string page = pageOf(explained(graphModel()).set("profile", Json()));
  for (const char *outside :
       {"http://", "https://", "src=", "href=\"/", "url(", "@import", "fetch("}) {
    size_t at = page.find(outside);
    // The one name of SVG is no address that anything is read from.
    while (at != page.npos && page.compare(at, 26, "http://www.w3.org/2000/svg") == 0)
      at = page.find(outside, at + 1);
    EXPECT_EQ(at, page.npos) << outside;
  }
}

} // namespace
} // namespace imbrex::tools
