#include "examples/silero/Speech.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace imbrex::silero {
namespace {

constexpr double rate = 16000;
constexpr double pi = std::numbers::pi;
constexpr int formantCount = 4;

/// Uniform in [-1, 1): the same numbers everywhere, which std::uniform_real_distribution does not
/// promise.
class Noise {
public:
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
  }

private:
  uint64_t state = 0x9E3779B97F4A7C15u;
};

/// One resonance of the vocal tract: a two-pole filter with unit gain at 0 Hz.
class Resonator {
public:
  double filter(double input, double frequency, double bandwidth) {
    double radius = std::exp(-pi * bandwidth / rate);
    double b = 2 * radius * std::cos(2 * pi * frequency / rate), c = -radius * radius;
    double output = (1 - b - c) * input + b * last + c * beforeLast;
    beforeLast = last;
    return last = output;
  }

private:
  double last = 0, beforeLast = 0;
};

struct Vowel {
  std::array<double, formantCount> frequency;
};
// Resonances in Hz, of an adult's voice.
constexpr Vowel a{{730, 1090, 2440, 3400}}, e{{530, 1840, 2480, 3500}}, i{{270, 2290, 3010, 3700}},
    o{{570, 840, 2410, 3300}}, u{{300, 870, 2240, 3300}}, schwa{{500, 1500, 2500, 3500}};
constexpr std::array<double, formantCount> bandwidths{80, 90, 120, 180};

struct Syllable {
  Vowel from, to;
  double seconds;
  double hiss; // loudness of the consonant before it, 0: none
};
using Phrase = std::vector<Syllable>;

/// Draws syllables with one voice; keeps its filters from one to the next, so that nothing clicks.
class Voice {
public:
  explicit Voice(double pitch) : pitch(pitch) {}

  void say(const Phrase &phrase, Noise &noise, std::vector<double> &out) {
    size_t count = 0;
    for (const Syllable &syllable : phrase) {
      // The pitch falls over a phrase and rises within each stressed syllable.
      double fall = 1.12 - 0.25 * static_cast<double>(count++) / static_cast<double>(phrase.size());
      hiss(syllable, noise, out);
      vowel(syllable, pitch * fall, noise, out);
    }
  }

private:
  void hiss(const Syllable &syllable, Noise &noise, std::vector<double> &out) {
    if (syllable.hiss == 0)
      return;
    const int length = static_cast<int>(0.07 * rate);
    double before = 0;
    for (int t = 0; t < length; ++t) {
      double white = noise.next();
      double shape = std::sin(pi * t / length);
      out.push_back(syllable.hiss * shape * (white - 0.9 * before)); // mostly high frequencies
      before = white;
    }
  }

  void vowel(const Syllable &syllable, double pitch, Noise &noise, std::vector<double> &out) {
    const int length = static_cast<int>(syllable.seconds * rate);
    for (int t = 0; t < length; ++t) {
      double x = static_cast<double>(t) / length;
      double glide = 0.5 - 0.5 * std::cos(pi * std::min(1.0, 1.5 * x));
      double loudness = std::min({1.0, x * 12, (1 - x) * 6});
      double sample = source(pitch * (1 + 0.06 * std::sin(pi * x)), noise);
      for (int f = 0; f < formantCount; ++f) {
        double frequency = std::lerp(syllable.from.frequency[f], syllable.to.frequency[f], glide);
        sample = tract[f].filter(sample, frequency, bandwidths[f]);
      }
      out.push_back(loudness * sample);
    }
  }

  /// Air through the vocal cords: each period opens slowly and closes fast; breath, and a little
  /// irregular.
  double source(double frequency, Noise &noise) {
    phase += frequency * (1 + 0.01 * noise.next()) / rate;
    phase -= std::floor(phase);
    constexpr double open = 0.6;
    double flow = phase < open ? 3 * phase * phase / (open * open) -
                                     2 * phase * phase * phase / (open * open * open)
                               : std::max(0.0, 1 - (phase - open) / 0.1);
    double derivative = flow - lastFlow; // the lips radiate changes of the flow
    lastFlow = flow;
    return derivative + 0.003 * noise.next();
  }

  double pitch;
  double phase = 0, lastFlow = 0;
  std::array<Resonator, formantCount> tract;
};

/// Collects passages, each scaled to a loudness, over a floor of quiet noise.
class Recording {
public:
  void add(const char *what, std::vector<double> part, double peak) {
    double loudest = 1e-9;
    for (double sample : part)
      loudest = std::max(loudest, std::abs(sample));
    size_t begin = made.sound.samples.size();
    for (double sample : part) {
      double value = sample * peak / loudest + 0.0008 * floor.next();
      made.sound.samples.push_back(static_cast<int16_t>(std::lround(value * 32767)));
    }
    made.passages.push_back({what, begin, made.sound.samples.size()});
  }

  MadeSound take() { return std::move(made); }

private:
  MadeSound made;
  Noise floor;
};

std::vector<double> silence(double seconds) {
  return std::vector<double>(static_cast<size_t>(seconds * rate));
}

} // namespace

MadeSound makeSpeech() {
  const Phrase question = {{a, schwa, 0.16, 0.2}, {e, i, 0.2, 0.3},      {o, u, 0.18, 0},
                           {a, e, 0.22, 0.4},     {i, schwa, 0.15, 0.2}, {u, a, 0.3, 0.1}};
  const Phrase answer = {{schwa, o, 0.14, 0.3}, {i, e, 0.2, 0},   {a, o, 0.24, 0.3},
                         {e, schwa, 0.16, 0.2}, {u, i, 0.2, 0.4}, {a, i, 0.3, 0}};
  Noise noise;
  Recording recording;
  recording.add("silence", silence(1.0), 0);
  std::vector<double> part;
  Voice(118).say(question, noise, part);
  recording.add("voice", std::move(part), 0.5);
  recording.add("silence", silence(1.2), 0);
  part.clear();
  Voice(205).say(answer, noise, part);
  Voice(205).say(question, noise, part);
  recording.add("voice", std::move(part), 0.4);
  recording.add("silence", silence(0.8), 0);
  part.resize(static_cast<size_t>(1.5 * rate));
  std::generate(part.begin(), part.end(), [&] { return noise.next(); });
  recording.add("noise", std::move(part), 0.05);
  recording.add("silence", silence(0.7), 0);
  part.clear();
  Voice(96).say(answer, noise, part);
  Voice(96).say(answer, noise, part);
  recording.add("voice", std::move(part), 0.6);
  recording.add("silence", silence(1.0), 0);
  return recording.take();
}

} // namespace imbrex::silero
