// imbrex verify: is an artifact whole; does a compiled model compute what the model means. Exit 1
// when not.
#include "runtime/module/Module.h"
#include "support/json/Json.h"
#include "support/text/Printable.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/Runtime.h"
#include "tools/common/Say.h"
#include "tools/imbrex-run/ModelFlags.h"
#include "tools/imbrex-verify/Disturb.h"
#include "tools/imbrex-verify/Reference.h"
#include "tools/imbrex-verify/Sections.h"
#include "tools/onnx-suite/Compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Options {
  std::string model;
  ModelFlags flags;
  std::vector<std::string> inputs;
  bool json = false;
};

/// Structure and constants. The module, where it could be opened. Damage is the answer "no";
/// anything else that fails is an error of its own.
Result<Module> checkArtifact(const std::string &path, std::vector<Section> &sections) {
  Result<Module> module = Module::open(path);
  if (!module) {
    if (isDamage(module.error()))
      sections.push_back({"structure", false, module.error().str()});
    return module;
  }
  sections.push_back({"structure", true, "header, metadata, bytecode and code"});
  Result<Module> again = Module::open(path, Constants::Checked);
  if (!again && !isDamage(again.error()))
    return again;
  sections.push_back({"constants", again.ok(), again ? "checksum" : again.error().str()});
  return module;
}

/// The outputs of the disturbed runs for output i.
std::vector<HostTensor> disturbedOutputs(const Reference &reference, size_t i) {
  std::vector<HostTensor> outputs;
  for (const auto &run : reference.disturbed)
    outputs.push_back(run[i]);
  return outputs;
}

/// The largest difference of two finite elements, for tensors of one shape.
double largestDifference(const HostTensor &actual, const HostTensor &expected) {
  double largest = 0;
  for (int64_t i = 0, n = expected.elems(); i < n; ++i)
    if (double apart = std::abs(actual.toDouble(i) - expected.toDouble(i)); std::isfinite(apart))
      largest = std::max(largest, apart);
  return largest;
}

Section compareOutputs(const std::vector<Port> &ports, const std::vector<HostTensor> &actual,
                       const Reference &reference) {
  const std::vector<HostTensor> &expected = reference.outputs;
  if (actual.size() != expected.size())
    return {"outputs", false, "their numbers differ"};
  double apart = 0, most = 0;
  char text[160];
  for (size_t i = 0; i < actual.size(); ++i) {
    const auto others = disturbedOutputs(reference, i);
    const double allowed = allowedDifference(expected[i], others);
    if (auto found = suite::difference(decided(actual[i], expected[i], others), expected[i],
                                       {.relative = 0, .absolute = allowed})) {
      std::snprintf(text, sizeof text, " (%.2g apart is allowed)", allowed);
      return {"outputs", false, ports[i].name + ": " + *found + text};
    }
    if (!isFloat(expected[i].type()))
      continue;
    apart = std::max(apart, largestDifference(actual[i], expected[i]));
    most = std::max(most, allowed);
  }
  std::snprintf(text, sizeof text,
                "%zu compared with the reference evaluator, apart by at most %.2g of %.2g allowed",
                actual.size(), apart, most);
  return {"outputs", true, text};
}

Result<std::vector<HostTensor>> inputsFor(const Module &module, const Options &options,
                                          const DimSizes &dims) {
  Result<std::vector<InputSpec>> parsed = parseInputSpecs(options.inputs);
  if (!parsed)
    return parsed.takeError();
  std::vector<InputSpec> specs = parsed.take();
  if (specs.empty())
    specs.push_back({"", InputSpec::Source::Random, "", 1});
  return makeInputs(module.inputs(), specs, dims);
}

/// Runs the compiled model and the reference evaluator on the same inputs.
Result<Section> checkOutputs(const Module &module, const Options &options, const DimSizes &dims) {
  Result<std::vector<HostTensor>> inputs = inputsFor(module, options, dims);
  if (!inputs)
    return inputs.takeError();
  Result<Context> context = Context::create(module, 0);
  if (!context)
    return context.takeError();
  Result<std::vector<HostTensor>> actual = context->run(*inputs);
  if (!actual)
    return actual.takeError();
  std::vector<std::string> names;
  for (const Port &port : module.inputs())
    names.push_back(port.name);
  Result<Reference> expected = referenceOutputs(options.model, names, *inputs);
  if (!expected)
    return expected.takeError();
  return compareOutputs(module.outputs(), *actual, *expected);
}

void print(const std::vector<Section> &sections, const Options &options) {
  Json list = Json::array();
  bool good = true;
  for (const Section &section : sections) {
    good = good && section.good;
    list.push(Json::object()
                  .set("section", section.name)
                  .set("good", section.good)
                  .set("text", section.text)
                  .set("details", section.details));
    if (!options.json)
      say("%-10s %-7s %s\n", section.name.c_str(), section.good ? "good" : "FAILED",
          printable(section.text).c_str());
  }
  if (options.json)
    say("%s\n", Json::object()
                    .set("model", options.model)
                    .set("good", good)
                    .set("sections", list)
                    .str()
                    .c_str());
}

Result<ExitCode> verify(const Options &options) {
  Result<ModelKind> kind = modelKindOf(options.model);
  if (!kind)
    return kind.takeError();
  if (*kind == ModelKind::Artifact && !(options.inputs.empty() && options.flags.dims.empty()))
    return badInput(728, options.model + " is compiled already",
                    "there is no model to compare its outputs with",
                    "the .onnx model it was made "
                    "from, or no --input and --dim");
  Result<PreparedModel> prepared = prepareModel(options.model, options.flags);
  if (!prepared)
    return prepared.takeError();
  const Compiled &compiled = prepared->artifact;
  if (compiled.exitCode != 0)
    return static_cast<ExitCode>(compiled.exitCode);
  std::vector<Section> sections;
  Result<Module> module = checkArtifact(compiled.path, sections);
  if (!module && sections.empty())
    return module.takeError();
  if (module) {
    auto inside = runtime::Module::open(compiled.path, {});
    if (!inside)
      return inside.takeError();
    const artifact::ArtifactSpec &spec = (*inside)->spec();
    for (auto *check : {checkPlans, describeKernels, checkRewrites})
      sections.push_back(check(spec));
  }
  if (module && *kind == ModelKind::Onnx) {
    Result<Section> outputs = checkOutputs(*module, options, prepared->dims);
    if (!outputs)
      return outputs.takeError();
    sections.push_back(outputs.take());
  }
  print(sections, options);
  for (const Section &section : sections)
    if (!section.good)
      return ExitCode::No;
  return ExitCode::Good;
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line(
      "verify",
      "Check an artifact, section by section: whole, memory plan, kernels, rewrites; of an "
      ".onnx model also its outputs, against the reference evaluator. Exit code 1: "
      "one is not good.");
  Options options;
  line.positional("MODEL", options.model, ".imx artifact or .onnx model")
      .option("--input [NAME=]VALUE", options.inputs,
              "a value for an input, as in imbrex run (default: random:1 for all)")
      .flag("--json", options.json, "print JSON");
  options.flags.declare(line);
  return line.run(argc, argv, [&] { return verify(options); });
}
