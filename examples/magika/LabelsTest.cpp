#include "examples/magika/Labels.h"

#include <gtest/gtest.h>

#include <limits>

namespace imbrex::magika {
namespace {

const char *const kindsText = R"({
  "python": {"is_text": true}, "zip": {"is_text": false}, "sql": {"is_text": true},
  "txt": {"is_text": true}, "unknown": {"is_text": false}, "randomtxt": {"is_text": true}})";

std::string modelText(const std::string &member = {}, const std::string &value = {}) {
  std::vector<std::pair<std::string, std::string>> members = {
      {"beg_size", "1024"},
      {"mid_size", "0"},
      {"end_size", "512"},
      {"block_size", "4096"},
      {"padding_token", "256"},
      {"min_file_size_for_dl", "8"},
      {"use_inputs_at_offsets", "false"},
      {"medium_confidence_threshold", "0.5"},
      {"thresholds", R"({"sql": 0.9})"},
      {"overwrite_map", R"({"randombytes": "unknown", "randomtxt": "txt"})"},
      {"target_labels_space", R"(["python", "zip", "sql", "randombytes", "randomtxt", "txt"])"}};
  std::string text;
  for (const auto &[name, usual] : members)
    text += (text.empty() ? "{\"" : ", \"") + name + "\": " + (name == member ? value : usual);
  return text + "}";
}

Result<Config> configOf(const std::string &model) {
  return makeConfig(parseJson(model, "model").take(), parseJson(kindsText, "kinds").take());
}

Prediction decided(std::vector<float> scores) {
  Result<Prediction> prediction = decide(scores, configOf(modelText()).take());
  EXPECT_TRUE(prediction.ok());
  return prediction.take();
}

TEST(Labels, ReadsSizesAndLabels) {
  Result<Config> config = configOf(modelText());
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->features.beginSize, 1024u);
  EXPECT_EQ(config->features.endSize, 512u);
  ASSERT_EQ(config->labels.size(), 6u);
  EXPECT_EQ(config->labels[2].needed, 0.9);
  EXPECT_EQ(config->labels[3].said, "unknown");
  EXPECT_FALSE(config->labels[3].text);
}

TEST(Labels, SaysALabelThatIsCertainEnough) {
  Prediction p = decided({0.5f, 0.2f, 0.3f, 0, 0, 0});
  EXPECT_EQ(p.label, "python");
  EXPECT_EQ(p.model, "python");
  EXPECT_EQ(p.reason, Reason::None);
  EXPECT_FLOAT_EQ(p.score, 0.5f);
}

TEST(Labels, SaysTextOrUnknownBelowTheNeededScore) {
  Prediction text = decided({0.4f, 0.3f, 0.3f, 0, 0, 0});
  EXPECT_EQ(text.label, "txt");
  EXPECT_EQ(text.model, "python");
  EXPECT_EQ(text.reason, Reason::LowScore);
  EXPECT_EQ(decided({0.3f, 0.4f, 0.3f, 0, 0, 0}).label, "unknown");
}

TEST(Labels, UsesALabelsOwnThreshold) {
  EXPECT_EQ(decided({0, 0, 0.89f, 0, 0, 0}).label, "txt");
  EXPECT_EQ(decided({0, 0, 0.95f, 0, 0, 0}).label, "sql");
}

TEST(Labels, RenamesByTheConfiguration) {
  Prediction bytes = decided({0, 0, 0, 0.9f, 0, 0});
  EXPECT_EQ(bytes.label, "unknown");
  EXPECT_EQ(bytes.reason, Reason::Renamed);
  Prediction text = decided({0, 0, 0, 0, 0.4f, 0});
  EXPECT_EQ(text.label, "txt");
  EXPECT_EQ(text.reason, Reason::LowScore);
  EXPECT_EQ(decided({0, 0, 0, 0, 0, 0.4f}).reason, Reason::None); // txt stays txt
}

TEST(Labels, TakesTheFirstOfEquals) { EXPECT_EQ(decided({0, 0.5f, 0, 0.5f, 0, 0}).label, "zip"); }

TEST(Labels, RefusesScoresThatAreNoProbabilities) {
  Config config = configOf(modelText()).take();
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(decide(std::vector<float>{0.5f, 0.5f}, config).ok());
  EXPECT_FALSE(decide(std::vector<float>{0, nan, 0, 0, 0, 0}, config).ok());
  EXPECT_FALSE(decide(std::vector<float>{0, -1, 0, 0, 0, 0}, config).ok());
  EXPECT_FALSE(decide(std::vector<float>{0, 17, 0, 0, 0, 0}, config).ok());
}

TEST(Labels, NamesTheMemberThatIsWrong) {
  for (auto [member, value] :
       std::vector<std::pair<const char *, const char *>>{{"beg_size", "4097"},
                                                          {"beg_size", "1e30"},
                                                          {"end_size", "0.5"},
                                                          {"block_size", "-1"},
                                                          {"padding_token", "\"256\""},
                                                          {"mid_size", "1024"},
                                                          {"use_inputs_at_offsets", "true"},
                                                          {"medium_confidence_threshold", "2"},
                                                          {"target_labels_space", "[]"},
                                                          {"target_labels_space", "[1]"}}) {
    Result<Config> config = configOf(modelText(member, value));
    ASSERT_FALSE(config.ok()) << member;
    EXPECT_NE(config.error().because.find(member), std::string::npos) << config.error().str();
  }
  EXPECT_FALSE(configOf(modelText("thresholds", R"({"sql": null})")).ok());
  EXPECT_FALSE(configOf(modelText("overwrite_map", R"({"zip": 1})")).ok());
  EXPECT_FALSE(configOf(modelText("target_labels_space", R"(["no such kind"])")).ok());
  EXPECT_FALSE(configOf("[]").ok());
}

TEST(Labels, SaysWhichFileIsMissing) {
  Result<Config> config = readConfig("/no/such/folder");
  ASSERT_FALSE(config.ok());
  EXPECT_NE(config.error().what.find("/no/such/folder/models"), std::string::npos);
}

} // namespace
} // namespace imbrex::magika
