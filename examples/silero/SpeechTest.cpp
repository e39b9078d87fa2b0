#include "examples/silero/Speech.h"
#include "examples/silero/Segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace imbrex::silero {
namespace {

double loudness(const MadeSound &made, const Passage &passage) {
  double sum = 0;
  for (size_t i = passage.begin; i < passage.end; ++i)
    sum += std::pow(made.sound.samples[i] / 32768.0, 2);
  return std::sqrt(sum / static_cast<double>(passage.end - passage.begin));
}

TEST(Speech, IsTheSameEachTime) {
  EXPECT_EQ(makeSpeech().sound.samples, makeSpeech().sound.samples);
}

TEST(Speech, HoldsVoiceNoiseAndSilence) {
  MadeSound made = makeSpeech();
  EXPECT_EQ(made.sound.rate, 16000u);
  EXPECT_GT(made.sound.samples.size(), 10u * 16000);
  EXPECT_EQ(made.passages.back().end, made.sound.samples.size());
  size_t expectedBegin = 0;
  for (const Passage &passage : made.passages) {
    EXPECT_EQ(passage.begin, expectedBegin);
    expectedBegin = passage.end;
    if (std::strcmp(passage.what, "silence") == 0)
      EXPECT_LT(loudness(made, passage), 0.001);
    else
      EXPECT_GT(loudness(made, passage), 0.02);
  }
}

std::vector<Segment> speech(std::vector<float> probabilities) {
  return findSpeech(probabilities, {0.5f, 0.35f, 2, 3});
}

TEST(Segments, FindsNothingInSilence) {
  EXPECT_TRUE(speech({}).empty());
  EXPECT_TRUE(speech({0, 0.4f, 0.49f, 0, 0}).empty());
}

TEST(Segments, BeginsHighAndEndsLow) {
  EXPECT_EQ(speech({0, 0.4f, 0.5f, 0.9f, 0.4f, 0.1f, 0.1f, 0}), (std::vector<Segment>{{2, 5}}));
}

TEST(Segments, BridgesShortSilence) {
  EXPECT_EQ(speech({0.9f, 0.9f, 0.1f, 0.9f, 0.1f, 0.1f, 0.9f}), (std::vector<Segment>{{0, 4}}));
}

TEST(Segments, EndsWithTheSound) {
  EXPECT_EQ(speech({0, 0.9f, 0.9f, 0.9f}), (std::vector<Segment>{{1, 4}}));
}

TEST(Segments, DropsShortBursts) { EXPECT_TRUE(speech({0.9f, 0.9f, 0, 0, 0}).empty()); }

} // namespace
} // namespace imbrex::silero
