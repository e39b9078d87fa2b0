// magika: says what kind of content files have, with the compiled model.
//
//   magika [--model m.imx] [--config DIR] [--json] [--threads N] [--no-dereference] [FILE…]
//   magika --features [--config DIR] FILE…       what the model would read, one JSON object a line
//   magika --npy OUT.npy [--config DIR] FILE     the same of one file, as the model's input
//
// Exit codes: 0 all files answered, 2 usage or a file that cannot be read.
#include "examples/magika/Classifier.h"
#include "examples/magika/MachineFiles.h"
#include "formats/npy/Npy.h"

#include <charconv>
#include <cstdio>
#include <filesystem>

using namespace imbrex;
using namespace imbrex::magika;

namespace {

constexpr const char *usage =
    "usage: magika [options] [FILE...]\n"
    "Says what kind of content each FILE has; without FILE, of some files of this machine.\n"
    "  --model FILE       the compiled model (default: models/magika.imx beside bin/)\n"
    "  --config DIR       the unpacked magika package (default: wheels/magika/magika beside bin/)\n"
    "  --json             one JSON array\n"
    "  --features         print what the model reads instead of asking it\n"
    "  --npy OUT          write what the model reads of one FILE as an .npy file\n"
    "  --threads N        threads of the model (default: 1)\n"
    "  --no-dereference   answer `symlink` for symbolic links\n";

enum class Output { Table, Json, Features, Npy };

struct Options {
  std::string model, config, npy;
  Output output = Output::Table;
  Symlinks symlinks = Symlinks::Follow;
  int threads = 1; // the model runs for a millisecond: threads cost more than they give
  bool help = false;
  std::vector<std::string> files;
};

Error usageError(std::string what) { return badInput(25, std::move(what), {}, "magika --help"); }

/// Takes the value of the option args[i], and steps over it.
Result<std::string> takeValue(const std::vector<std::string> &args, size_t &i) {
  if (i + 1 == args.size())
    return usageError("'" + args[i] + "' needs a value");
  return args[++i];
}

Status readOption(const std::vector<std::string> &args, size_t &i, Options &options) {
  const std::string &name = args[i];
  if (name == "--json")
    options.output = Output::Json;
  else if (name == "--features")
    options.output = Output::Features;
  else if (name == "--no-dereference")
    options.symlinks = Symlinks::Name;
  else if (name == "--help" || name == "-h")
    options.help = true;
  else if (name == "--model" || name == "--config" || name == "--threads" || name == "--npy") {
    Result<std::string> value = takeValue(args, i);
    if (!value)
      return value.takeError();
    if (name == "--threads") {
      auto [end, error] =
          std::from_chars(value->data(), value->data() + value->size(), options.threads);
      if (error != std::errc() || *end || options.threads < 0 || options.threads > 1024)
        return usageError("'--threads " + *value + "' is not a number from 0 to 1024");
    } else if (name == "--npy") {
      options.npy = *value;
      options.output = Output::Npy;
    } else {
      (name == "--model" ? options.model : options.config) = *value;
    }
  } else {
    return usageError("there is no option '" + name + "'");
  }
  return {};
}

Result<Options> readArguments(const std::vector<std::string> &args) {
  Options options;
  bool onlyFiles = false;
  for (size_t i = 0; i < args.size(); ++i) {
    if (onlyFiles || args[i].empty() || args[i][0] != '-')
      options.files.push_back(args[i]);
    else if (args[i] == "--")
      onlyFiles = true;
    else if (Status status = readOption(args, i, options); !status)
      return status.takeError();
  }
  std::error_code error;
  std::filesystem::path build =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  if (options.model.empty())
    options.model = build / "models/magika.imx";
  if (options.config.empty())
    options.config = build / "wheels/magika/magika";
  return options;
}

/// Bytes that are not UTF-8 become U+FFFD: a path may hold any.
std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    size_t size = 1;
    while (size < 4 && i + size < text.size() && !isUtf8(std::string_view(text).substr(i, size)))
      ++size;
    std::string_view piece = std::string_view(text).substr(i, size);
    unsigned char c = static_cast<unsigned char>(text[i]);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
    if (!isUtf8(piece))
      out += "\\ufffd", size = 1;
    else if (c < 0x20)
      out += escaped;
    else if (c == '"' || c == '\\')
      (out += '\\') += text[i];
    else
      out += piece;
    i += size;
  }
  return out + '"';
}

void printFeatures(const std::string &path, const Features &features) {
  std::string line = "{\"path\": " + quoted(path);
  if (features.answer) {
    line += ", \"label\": " + quoted(*features.answer);
  } else {
    line += ", \"features\": [";
    for (size_t i = 0; i < features.tokens.size(); ++i)
      line += (i ? "," : "") + std::to_string(features.tokens[i]);
    line += "]";
  }
  std::printf("%s}\n", line.c_str());
}

const char *reasonName(Reason reason) {
  return reason == Reason::None ? "none" : reason == Reason::Renamed ? "renamed" : "low score";
}

void printJson(const std::string &path, const Answer &answer) {
  const Prediction &p = answer.prediction;
  std::printf("{\"path\": %s, \"label\": %s, \"model_label\": %s, \"score\": %.9g, "
              "\"reason\": \"%s\", \"note\": %s, \"ms\": %.3f}",
              quoted(path).c_str(), quoted(p.label).c_str(),
              p.model.empty() ? "null" : quoted(p.model).c_str(), static_cast<double>(p.score),
              reasonName(p.reason), quoted(answer.note).c_str(), answer.ms);
}

void printRow(const std::string &path, const Answer &answer) {
  const Prediction &p = answer.prediction;
  std::string note = answer.note;
  if (p.reason == Reason::LowScore)
    note = "the model's best guess: " + p.model;
  std::printf("%-16s %6.4f %8.3f ms  %s%s\n", p.label.c_str(), static_cast<double>(p.score),
              answer.ms, path.c_str(), note.empty() ? "" : ("  (" + note + ")").c_str());
}

int report(const Error &error) {
  std::fprintf(stderr, "%s\n", error.str().c_str());
  return static_cast<int>(error.exitCode());
}

int printAllFeatures(const Options &options, const Config &config) {
  int exit = 0;
  for (const std::string &path : options.files) {
    Result<Features> features = featuresOfFile(path, config.features, options.symlinks);
    if (features)
      printFeatures(path, *features);
    else
      exit = report(features.error());
  }
  return exit;
}

int writeNpy(const Options &options, const Config &config) {
  if (options.files.size() != 1)
    return report(usageError("--npy takes one file"));
  Result<Features> features = featuresOfFile(options.files[0], config.features, options.symlinks);
  if (!features)
    return report(features.error());
  if (features->answer)
    return report(badInput(25, "the model is not asked about '" + options.files[0] + "'",
                           "it is answered as " + *features->answer, "a file with more bytes"));
  const std::vector<int32_t> &tokens = features->tokens;
  HostTensor tensor = HostTensor::of<int32_t>(DType::I32, {1, static_cast<int64_t>(tokens.size())},
                                              std::span<const int32_t>(tokens));
  Status status = npy::write(options.npy, tensor);
  return status ? 0 : report(status.error());
}

int classifyAll(const Options &options, Config config) {
  Result<Classifier> classifier =
      Classifier::open(options.model, std::move(config), options.threads);
  if (!classifier)
    return report(classifier.error());
  const bool json = options.output == Output::Json;
  int exit = 0;
  const char *separator = "[\n";
  for (const std::string &path : options.files) {
    Result<Answer> answer = classifier->classifyFile(path, options.symlinks);
    if (!answer) {
      std::fflush(stdout);
      exit = report(answer.error());
    } else if (json) {
      std::fputs(separator, stdout);
      printJson(path, *answer);
      separator = ",\n";
    } else {
      printRow(path, *answer);
    }
  }
  if (json)
    std::puts(separator[0] == '[' ? "[]" : "\n]");
  return exit;
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
  Result<Config> config = readConfig(options->config);
  if (!config)
    return report(config.error());
  if (options->files.empty())
    options->files = filesOfThisMachine(24);
  switch (options->output) {
  case Output::Features:
    return printAllFeatures(*options, *config);
  case Output::Npy:
    return writeNpy(*options, *config);
  case Output::Table:
  case Output::Json:
    return classifyAll(*options, config.take());
  }
}
