// imbrex run: runs a compiled model, or compiles an .onnx model first and keeps the result. Links
// the runtime only; compiling is another program.
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/Runtime.h"
#include "tools/common/Say.h"
#include "tools/common/TensorText.h"
#include "tools/imbrex-bench/Profile.h"
#include "tools/imbrex-run/ModelFlags.h"
#include "tools/imbrex-run/Outputs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Options {
  std::string model;
  ModelFlags flags;
  std::vector<std::string> inputs, outputs;
  int64_t threads = 0, repeat = 1;
  std::string trace;
  bool profile = false, json = false;
};

struct Measured {
  std::vector<HostTensor> outputs; // of the last run
  std::vector<int64_t> ns;
};

Result<Measured> runRepeatedly(Context &context, const std::vector<HostTensor> &inputs,
                               int64_t repeat) {
  Measured measured;
  for (int64_t i = 0; i < repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    Result<std::vector<HostTensor>> outputs = context.run(inputs);
    auto time = std::chrono::steady_clock::now() - start;
    if (!outputs)
      return outputs.takeError();
    measured.outputs = outputs.take();
    measured.ns.push_back(std::chrono::nanoseconds(time).count());
  }
  return measured;
}

void print(const std::vector<Port> &ports, const Measured &measured) {
  for (size_t i = 0; i < ports.size(); ++i)
    say("%s\n", describe(ports[i].name, measured.outputs[i]).c_str());
  std::vector<int64_t> ns = measured.ns;
  std::sort(ns.begin(), ns.end());
  if (ns.size() > 1)
    say("time  median %.3f ms  min %.3f ms  max %.3f ms  n %zu\n", ns[ns.size() / 2] / 1e6,
        ns.front() / 1e6, ns.back() / 1e6, ns.size());
}

void printJson(const Options &options, const Compiled &artifact, const std::vector<Port> &ports,
               const Measured &measured, const std::optional<bench::Profile> &profile) {
  Json outputs = Json::array();
  for (size_t i = 0; i < ports.size(); ++i)
    outputs.push(toJson(ports[i].name, measured.outputs[i]));
  Json report = Json::object()
                    .set("model", options.model)
                    .set("artifact", artifact.path)
                    .set("compiled_now", artifact.fresh)
                    .set("outputs", outputs)
                    .set("ns", measured.ns);
  if (profile)
    report.set("profile", bench::toJson(*profile));
  say("%s\n", report.str().c_str());
}

/// Runs the model for about a second more, and writes the trace of the last run where that is asked
/// for.
Result<std::optional<bench::Profile>> profileOf(const Options &options, const Module &module,
                                                const std::vector<HostTensor> &inputs) {
  if (!options.profile)
    return std::optional<bench::Profile>();
  const bench::Subject subject{options.model, module, inputs, static_cast<int>(options.threads)};
  Result<bench::Profile> profile = bench::profile(subject, {.pairs = 50});
  if (!profile)
    return profile.takeError();
  if (!options.trace.empty())
    if (Status s = writeText(options.trace, bench::toChromeTrace(*profile)); !s)
      return s.takeError();
  return std::optional(profile.take());
}

std::vector<std::string> filesRead(const Options &options, const std::vector<InputSpec> &specs) {
  std::vector<std::string> files = filesOf(options.model);
  for (const InputSpec &spec : specs)
    if (spec.source == InputSpec::Source::File)
      files.push_back(spec.path);
  return files;
}

Result<ExitCode> run(const Options &options) {
  Result<std::vector<InputSpec>> parsed = parseInputSpecs(options.inputs);
  if (!parsed)
    return parsed.takeError();
  std::vector<InputSpec> specs = parsed.take();
  Result<Destinations> destinations = Destinations::parse(options.outputs);
  if (!destinations)
    return destinations.takeError();
  constexpr int64_t mostRepeats = 1'000'000'000;
  if (options.repeat < 1 || options.repeat > mostRepeats)
    return badInput(700, "--repeat must be between 1 and " + std::to_string(mostRepeats));
  if (options.threads < 0 || options.threads > 4096)
    return badInput(700, "--threads must be between 0 and 4096");
  if (!options.trace.empty() && !options.profile)
    return badInput(700, "--trace belongs to --profile", "", "both");

  Result<PreparedModel> prepared = prepareModel(options.model, options.flags);
  if (!prepared)
    return prepared.takeError();
  const Compiled &artifact = prepared->artifact;
  if (artifact.exitCode != 0)
    return static_cast<ExitCode>(artifact.exitCode);
  Result<Module> module = Module::open(artifact.path);
  if (!module)
    return module.takeError();
  if (Status status = destinations->check(module->outputs(), filesRead(options, specs)); !status)
    return status.takeError();
  Result<std::vector<HostTensor>> inputs = makeInputs(module->inputs(), specs, prepared->dims);
  if (!inputs)
    return inputs.takeError();
  Result<Context> context = Context::create(*module, static_cast<int>(options.threads));
  if (!context)
    return context.takeError();
  Result<Measured> measured = runRepeatedly(*context, *inputs, options.repeat);
  if (!measured)
    return measured.takeError();
  if (Status status = destinations->write(module->outputs(), measured->outputs); !status)
    return status.takeError();
  auto profile = profileOf(options, *module, *inputs);
  if (!profile)
    return profile.takeError();
  if (options.json) {
    printJson(options, artifact, module->outputs(), *measured, *profile);
    return ExitCode::Good;
  }
  print(module->outputs(), *measured);
  if (*profile)
    sayText(bench::toText(**profile, 25));
  return ExitCode::Good;
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line("run",
                   "Run a model and print its outputs. An .onnx model is compiled first, and the "
                   "result is kept for the next run.");
  Options options;
  line.positional("MODEL", options.model, ".imx artifact or .onnx model")
      .option(
          "--input [NAME=]VALUE", options.inputs,
          "a value for an input: FILE.npy, zeros, ones, random or random:SEED; without NAME= for "
          "all inputs that have none (again for each)")
      .option("--output PLACE", options.outputs,
              "write outputs: a folder for all of them, or NAME=FILE.npy (again for each)")
      .option("--threads N", options.threads, "threads; 0: as many as the process may use")
      .flag("--profile", options.profile,
            "run for a second more, and say where the time goes, operator by operator")
      .option("--trace FILE", options.trace,
              "with --profile, write the last run for chrome://tracing or Perfetto")
      .option("--repeat N", options.repeat, "run N times and print the times")
      .flag("--json", options.json, "print JSON");
  options.flags.declare(line);
  return line.run(argc, argv, [&] { return run(options); });
}
