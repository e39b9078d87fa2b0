// silero: finds speech in a wave file, chunk by chunk, with the compiled model.
//
//   silero [--model m.imx] [--json] [FILE.wav]     without FILE: a sound made for it
//   silero --write FILE.wav                        writes that sound
//
// Exit codes: 0 good, 2 usage or bad input.
#include "examples/silero/Detector.h"
#include "examples/silero/Segments.h"
#include "examples/silero/Speech.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

using namespace imbrex;
using namespace imbrex::silero;

namespace {

constexpr const char *usage =
    "usage: silero [options] [FILE.wav]\n"
    "Finds speech in FILE (16 kHz, 16-bit, mono), or in a made sound.\n"
    "  --model FILE   the compiled model (default: models/silero.imx beside bin/)\n"
    "  --json         probabilities and segments as one JSON object\n"
    "  --write FILE   write the made sound and end\n";

struct Options {
  std::string model, file, write;
  bool json = false, help = false;
};

Error usageError(std::string what) { return badInput(25, std::move(what), {}, "silero --help"); }

Result<Options> readArguments(const std::vector<std::string> &args) {
  Options options;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string &arg = args[i];
    if (arg == "--json")
      options.json = true;
    else if (arg == "--help" || arg == "-h")
      options.help = true;
    else if ((arg == "--model" || arg == "--write") && i + 1 < args.size())
      (arg == "--model" ? options.model : options.write) = args[++i];
    else if (arg.starts_with("-"))
      return usageError("'" + arg + "' is no option, or its value is missing");
    else if (!options.file.empty())
      return usageError("there are two files");
    else
      options.file = arg;
  }
  std::error_code error;
  if (options.model.empty())
    options.model =
        std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path() /
        "models/silero.imx";
  return options;
}

struct Detection {
  std::vector<float> probabilities; // one a chunk
  double msPerChunk = 0;
};

/// The last, incomplete chunk is filled up with silence.
Result<Detection> detect(const Sound &sound, Detector &detector) {
  Detection detection;
  auto start = std::chrono::steady_clock::now();
  for (size_t at = 0; at < sound.samples.size(); at += Detector::chunkSize) {
    float chunk[Detector::chunkSize] = {};
    size_t count = std::min(Detector::chunkSize, sound.samples.size() - at);
    std::transform(sound.samples.begin() + static_cast<ptrdiff_t>(at),
                   sound.samples.begin() + static_cast<ptrdiff_t>(at + count), chunk,
                   [](int16_t sample) { return static_cast<float>(sample) / 32768; });
    Result<float> probability = detector.next(chunk);
    if (!probability)
      return probability.takeError();
    detection.probabilities.push_back(*probability);
  }
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  if (!detection.probabilities.empty())
    detection.msPerChunk = spent.count() / static_cast<double>(detection.probabilities.size());
  return detection;
}

double seconds(size_t chunk) {
  return static_cast<double>(chunk * Detector::chunkSize) / Detector::rate;
}

/// Probabilities in tenths, a line for two seconds: `.` below 0.1, `9` from 0.9.
void printCurve(const std::vector<float> &probabilities) {
  constexpr size_t perLine = 62;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    if (i % perLine == 0)
      std::printf("%s%6.2f s  ", i ? "\n" : "", seconds(i));
    int tenth = std::clamp(static_cast<int>(probabilities[i] * 10), 0, 9);
    std::putchar(tenth ? '0' + tenth : '.');
  }
  std::puts("");
}

void printText(const Detection &detection, const std::vector<Segment> &segments, size_t samples) {
  std::puts("probability of speech in each chunk of 32 ms, in tenths:");
  printCurve(detection.probabilities);
  for (const Segment &segment : segments)
    std::printf("speech from %6.2f s to %6.2f s\n", seconds(segment.begin), seconds(segment.end));
  std::printf("silero: %zu segments in %.1f s of sound, %zu chunks, %.3f ms a chunk\n",
              segments.size(), static_cast<double>(samples) / Detector::rate,
              detection.probabilities.size(), detection.msPerChunk);
}

void printJson(const Detection &detection, const std::vector<Segment> &segments) {
  std::printf("{\"probabilities\": [");
  for (size_t i = 0; i < detection.probabilities.size(); ++i)
    std::printf("%s%.9g", i ? ", " : "", static_cast<double>(detection.probabilities[i]));
  std::printf("],\n \"segments\": [");
  for (size_t i = 0; i < segments.size(); ++i)
    std::printf("%s[%.3f, %.3f]", i ? ", " : "", seconds(segments[i].begin),
                seconds(segments[i].end));
  std::printf("],\n \"ms_per_chunk\": %.4f}\n", detection.msPerChunk);
}

Status run(const Options &options) {
  if (!options.write.empty())
    return writeWav(options.write, makeSpeech().sound);
  Result<Sound> sound = options.file.empty() ? makeSpeech().sound : readWav(options.file);
  if (!sound)
    return sound.takeError();
  if (sound->rate != Detector::rate)
    return badInput(26, "the sound has " + std::to_string(sound->rate) + " samples a second",
                    "this model is run at 16000", "a recording at 16 kHz");
  Result<Detector> detector = Detector::open(options.model);
  if (!detector)
    return detector.takeError();
  Result<Detection> detection = detect(*sound, *detector);
  if (!detection)
    return detection.takeError();
  std::vector<Segment> segments = findSpeech(detection->probabilities);
  if (options.json)
    printJson(*detection, segments);
  else
    printText(*detection, segments, sound->samples.size());
  return {};
}

int report(const Error &error) {
  std::fprintf(stderr, "%s\n", error.str().c_str());
  return static_cast<int>(error.exitCode());
}

} // namespace

int main(int argc, char **argv) {
  Result<Options> options = readArguments({argv + 1, argv + argc});
  if (!options)
    return report(options.error());
  if (options->help) {
    std::fputs(usage, stdout);
    return 0;
  }
  Status status = run(*options);
  return status ? 0 : report(status.error());
}
