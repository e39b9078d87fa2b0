// imbrex bench: how long a model runs, and whether one is faster than another.
#include "stats/procedures/timing/CompareTimes.h"
#include "support/json/Json.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/Say.h"
#include "tools/imbrex-bench/Measure.h"
#include "tools/imbrex-bench/Profile.h"
#include "tools/imbrex-run/ModelFlags.h"

#include <algorithm>
#include <cstdio>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Options {
  std::string model, against;
  ModelFlags flags;
  std::vector<std::string> inputs;
  int64_t threads = 0, pairs = 30, milliseconds = 20, seed = 1, rows = 25;
  std::string trace;
  bool profile = false, json = false;
};

/// E0746 while the compiler already said why. What concerns the compiler alone does not reach an
/// artifact that is compared with a model.
Result<bench::Subject> prepare(const std::string &model, const Options &options,
                               const std::vector<InputSpec> &specs) {
  Result<ModelKind> kind = modelKindOf(model);
  if (!kind)
    return kind.takeError();
  ModelFlags flags = options.flags;
  if (*kind == ModelKind::Artifact && !options.against.empty())
    flags.shapes.clear(), flags.licences.clear(), flags.forbidden.clear();
  Result<PreparedModel> prepared = prepareModel(model, flags);
  if (!prepared)
    return prepared.takeError();
  if (prepared->artifact.exitCode != 0)
    return static_cast<ExitCode>(prepared->artifact.exitCode) == ExitCode::Unsupported
               ? unsupported(746, model + " could not be compiled", "see above")
               : badInput(746, model + " could not be compiled", "see above");
  Result<Module> module = Module::open(prepared->artifact.path);
  if (!module)
    return module.takeError();
  Result<std::vector<HostTensor>> inputs = makeInputs(module->inputs(), specs, prepared->dims);
  if (!inputs)
    return inputs.takeError();
  return bench::Subject{model, module.take(), inputs.take(), static_cast<int>(options.threads)};
}

double quantile(std::vector<double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

void print(const std::string &name, const bench::Series &series) {
  std::vector<double> s = series.seconds;
  std::sort(s.begin(), s.end());
  say("%-24s median %9.3f ms   min %9.3f   10 %% %9.3f   90 %% %9.3f   max %9.3f   n %zu x %lld\n",
      name.c_str(), 1e3 * quantile(s, 0.5), 1e3 * s.front(), 1e3 * quantile(s, 0.1),
      1e3 * quantile(s, 0.9), 1e3 * s.back(), s.size(), static_cast<long long>(series.runsEach));
}

Json toJson(const std::string &name, const bench::Series &series) {
  Json samples = Json::array();
  for (double s : series.seconds)
    samples.push(Json::of(s));
  return Json::object()
      .set("model", name)
      .set("runs_each", series.runsEach)
      .set("seconds", samples);
}

Result<ExitCode> benchOne(const Options &options, bench::Subject &subject,
                          const bench::Plan &plan) {
  auto series = bench::measure(subject, plan);
  if (!series)
    return series.takeError();
  if (options.json)
    say("%s\n", toJson(options.model, *series).str().c_str());
  else
    print(options.model, *series);
  return ExitCode::Good;
}

Result<ExitCode> benchTwo(const Options &options, const bench::Subject &first,
                          const bench::Subject &second, const bench::Plan &plan) {
  auto a = bench::runOnce(first), b = bench::runOnce(second);
  if (!a)
    return a.takeError();
  if (!b)
    return b.takeError();
  auto difference = bench::outputDifference(*a, *b);
  if (!difference)
    return difference.takeError();
  auto pairs = bench::measurePairs(first, second, plan);
  if (!pairs)
    return pairs.takeError();
  auto verdict = stats::compareTimes(pairs->first.seconds, pairs->second.seconds);
  if (!verdict)
    return verdict.takeError();
  const double p = verdict->test.p.undirected ? verdict->test.p.undirected->value : 1;
  if (options.json) {
    Json report = Json::object()
                      .set("first", toJson(options.model, pairs->first))
                      .set("second", toJson(options.against, pairs->second))
                      .set("output_difference", *difference)
                      .set("speed", verdict->speed)
                      .set("interval", Json::array()
                                           .push(Json::of(verdict->interval.low))
                                           .push(Json::of(verdict->interval.high)))
                      .set("p", p)
                      .set("different", verdict->different);
    say("%s\n", report.str().c_str());
    return ExitCode::Good;
  }
  say("outputs differ by at most %.2g (relative, or absolute below 1)\n", *difference);
  print(options.model, pairs->first);
  print(options.against, pairs->second);
  say("%s\n", verdict->sentence(options.model, options.against).c_str());
  say("bench: speed %.3f, interval %.3f..%.3f, p %.2g, n %lld\n", verdict->speed,
      verdict->interval.low, verdict->interval.high, p, static_cast<long long>(verdict->pairs));
  return ExitCode::Good;
}

Result<ExitCode> profileOne(const Options &options, const bench::Subject &subject,
                            const bench::Plan &plan) {
  auto profile = bench::profile(subject, plan);
  if (!profile)
    return profile.takeError();
  if (!options.trace.empty())
    if (Status s = writeText(options.trace, bench::toChromeTrace(*profile)); !s)
      return s.takeError();
  const std::string text = options.json
                               ? bench::toJson(*profile).str() + "\n"
                               : bench::toText(*profile, static_cast<size_t>(options.rows));
  sayText(text);
  return ExitCode::Good;
}

Status checkOptions(const Options &options) {
  if (options.threads < 0 || options.threads > 4096)
    return badInput(700, "--threads must be between 0 and 4096");
  if (options.pairs < 6 || options.pairs > 10000)
    return badInput(700, "--pairs must be between 6 and 10000");
  if (options.milliseconds < 1 || options.milliseconds > 60000)
    return badInput(700, "--min-time must be between 1 and 60000");
  if (options.rows < 1 || options.rows > 100000)
    return badInput(700, "--rows must be between 1 and 100000");
  if (!options.trace.empty() && !options.profile)
    return badInput(700, "--trace belongs to --profile", "", "both");
  if (options.profile && !options.against.empty())
    return badInput(700, "--profile and --against exclude each other");
  return {};
}

Result<ExitCode> run(const Options &options) {
  if (Status s = checkOptions(options); !s)
    return s.takeError();
  Result<std::vector<InputSpec>> parsed = parseInputSpecs(options.inputs);
  if (!parsed)
    return parsed.takeError();
  std::vector<InputSpec> specs = parsed.take();
  const bench::Plan plan{options.pairs, static_cast<double>(options.milliseconds) / 1e3,
                         static_cast<uint64_t>(options.seed)};
  auto first = prepare(options.model, options, specs);
  if (!first)
    return first.takeError();
  if (options.profile)
    return profileOne(options, *first, plan);
  if (options.against.empty())
    return benchOne(options, *first, plan);
  auto second = prepare(options.against, options, specs);
  if (!second)
    return second.takeError();
  return benchTwo(options, *first, *second, plan);
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line(
      "bench", "Measure how long a model runs. With --against, measure two in turn, compare their "
               "outputs, and say whether one is faster, as statistics allow.");
  Options options;
  line.positional("MODEL", options.model, ".imx artifact or .onnx model")
      .option("--against MODEL", options.against, "another model to compare with")
      .option(
          "--input [NAME=]VALUE", options.inputs,
          "a value for an input: FILE.npy, zeros, ones, random or random:SEED; without NAME= for "
          "all inputs that have none (again for each)")
      .option("--threads N", options.threads, "threads; 0: as many as the process may use")
      .option("--pairs N", options.pairs, "measurements of each model")
      .option("--min-time MS", options.milliseconds,
              "length of a measurement, in which the model runs as often as it can")
      .option("--seed N", options.seed, "draws the order within pairs")
      .flag("--profile", options.profile,
            "instead, say where the time goes: each kernel's nodes, operations, bytes, and their "
            "share of what this machine does now")
      .option("--rows N", options.rows, "rows of the profile")
      .option("--trace FILE", options.trace,
              "with --profile, write the last run for chrome://tracing or Perfetto")
      .flag("--json", options.json, "print JSON, with every sample");
  options.flags.declare(line);
  return line.run(argc, argv, [&] { return run(options); });
}
