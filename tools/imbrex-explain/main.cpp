// imbrex explain: what the compiler made of a model, as one HTML page or as JSON. Links no LLVM:
// compiling is another program.
#include "runtime/module/Module.h"
#include "support/text/Counted.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/Say.h"
#include "tools/imbrex-bench/Profile.h"
#include "tools/imbrex-explain/Explain.h"
#include "tools/imbrex-run/ModelFlags.h"

#include <filesystem>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Options {
  std::string model, output;
  ModelFlags flags;
  std::vector<std::string> inputs;
  int64_t threads = 0;
  bool profile = false, json = false;
};

/// Runs the model for about a second; the sizes of its inputs become those of the memory plan's
/// picture.
Result<Json> profileOf(const std::string &artifact, const Options &options, const DimSizes &dims,
                       runtime::SlotSizes::Values &values) {
  Result<std::vector<InputSpec>> parsed = parseInputSpecs(options.inputs);
  if (!parsed)
    return parsed.takeError();
  std::vector<InputSpec> specs = parsed.take();
  if (specs.empty())
    specs.push_back({"", InputSpec::Source::Random, "", 1});
  Result<Module> module = Module::open(artifact);
  if (!module)
    return module.takeError();
  Result<std::vector<HostTensor>> inputs = makeInputs(module->inputs(), specs, dims);
  if (!inputs)
    return inputs.takeError();
  for (const auto &[name, size] : dimSizes(*module, *inputs))
    values[name] = size;
  bench::Subject subject{options.model, module.take(), inputs.take(),
                         static_cast<int>(options.threads)};
  Result<bench::Profile> profile = bench::profile(subject, {.pairs = 50});
  if (!profile)
    return profile.takeError();
  return bench::toJson(*profile);
}

Status writePage(const Options &options, const Json &explanation) {
  const std::string page = options.output.empty()
                               ? std::filesystem::path(options.model).stem().string() + ".html"
                               : options.output;
  if (isSameFile(page, options.model))
    return badInput(792, "cannot write " + page, "it is the model", "another name");
  if (Status written = writeText(page, pageOf(explanation)); !written)
    return written;
  auto count = [&](const char *list, const char *one) {
    return counted(explanation.at(list).items().size(), one);
  };
  say("%s: %s, %s, %s\n", page.c_str(), count("nodes", "operator").c_str(),
      count("kernels", "kernel").c_str(), count("remarks", "remark").c_str());
  return {};
}

Result<ExitCode> explain(const Options &options) {
  if (options.threads < 0 || options.threads > 4096)
    return badInput(700, "--threads must be between 0 and 4096");
  if (!options.profile && !(options.inputs.empty() && options.threads == 0))
    return badInput(700, "--input and --threads belong to --profile");
  Result<PreparedModel> prepared = prepareModel(options.model, options.flags);
  if (!prepared)
    return prepared.takeError();
  const Compiled &artifact = prepared->artifact;
  if (artifact.exitCode != 0)
    return static_cast<ExitCode>(artifact.exitCode);
  auto module = runtime::Module::open(artifact.path, {});
  if (!module)
    return module.takeError();
  runtime::SlotSizes::Values values(prepared->dims.begin(), prepared->dims.end());
  Json profile;
  if (options.profile) {
    Result<Json> made = profileOf(artifact.path, options, prepared->dims, values);
    if (!made)
      return made.takeError();
    profile = made.take();
  }
  const Json explanation = explainArtifact(**module, values).set("profile", profile);
  if (options.json && options.output.empty()) {
    sayLine(explanation.str());
    return ExitCode::Good;
  }
  Status written = options.json ? writeText(options.output, explanation.str() + "\n")
                                : writePage(options, explanation);
  if (!written)
    return written.takeError();
  return ExitCode::Good;
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line("explain",
                   "What the compiler made of a model, as one HTML page that needs nothing else: "
                   "graph, kernels, memory plan, remarks; with --profile, where the time goes.");
  Options options;
  line.positional("MODEL", options.model, ".onnx model or .imx artifact")
      .option("-o,--output FILE", options.output,
              "the page; MODEL's name with .html when not given")
      .flag("--profile", options.profile, "run the model, and show the time of each operator")
      .option("--input [NAME=]VALUE", options.inputs,
              "with --profile, a value for an input, as in imbrex run (default: random:1 for all)")
      .option("--threads N", options.threads,
              "with --profile, threads; 0: as many as the process may use")
      .flag("--json", options.json, "print the data as JSON instead (with -o, write it there)");
  options.flags.declare(line);
  return line.run(argc, argv, [&] { return explain(options); });
}
