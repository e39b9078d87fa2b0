// imbrex compile: from a model to an artifact.
#include "compiler/pipeline/Compile.h"
#include "formats/npy/Npy.h"
#include "runtime/device/cpu/CpuCount.h"
#include "support/customops/CustomOps.h"
#include "support/json/Json.h"
#include "tools/common/Cache.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/ModelOptions.h"
#include "tools/common/Say.h"
#include "tools/common/TensorText.h"

#include <cstdio>
#include <filesystem>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

enum class Report : uint8_t { Text, Json, None };

struct Options {
  std::string model, output, target = "cpu", from, to;
  std::vector<std::string> dims, shapes, constants, licences, forbidden, printAfter, disable,
      customOps;
  std::string cache;
  bool json = false, quiet = false, time = false, noCache = false;

  Report report() const { return json ? Report::Json : quiet ? Report::None : Report::Text; }
};

/// Sizes and bounds of dimensions; what is said twice must be the same.
Status takeDims(const std::vector<std::string> &texts, CompileOptions &result) {
  std::map<std::string, DimOption> all;
  for (const std::string &text : texts) {
    Result<std::vector<DimOption>> dims = parseDimOption(text);
    if (!dims)
      return dims.takeError();
    for (const DimOption &dim : *dims)
      if (auto [known, fresh] = all.try_emplace(dim.name, dim); !fresh && known->second != dim)
        return badInput(721, "two sizes for the dimension '" + dim.name + "'",
                        "they are " + known->second.sizes() + " and " + dim.sizes(),
                        "one --dim for it");
  }
  for (const auto &[name, dim] : all)
    if (dim.low == dim.high)
      result.dims[name] = dim.low;
    else
      result.dimFacts[name] = {.lo = dim.low, .hi = dim.high, .divisor = dim.divisor};
  return {};
}

Result<CompileOptions> compileOptions(const Options &options) {
  CompileOptions result;
  result.target = options.target;
  if (Status taken = takeDims(options.dims, result); !taken)
    return taken.takeError();
  for (const std::string &text : options.shapes) {
    Result<ShapeOption> shape = parseShapeOption(text);
    if (!shape)
      return shape.takeError();
    auto [known, fresh] = result.inputShapes.try_emplace(shape->name, shape->shape);
    if (!fresh && known->second != shape->shape)
      return badInput(727, "two shapes for the input '" + shape->name + "'", "",
                      "one --input-shape for it");
  }
  for (const std::string &text : options.constants) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return badInput(729, "'" + text + "' gives no input its value", "",
                      "--constant NAME=FILE.npy");
    Result<HostTensor> value = npy::read(text.substr(equals + 1));
    if (!value)
      return value.takeError();
    if (!result.constants.try_emplace(text.substr(0, equals), value.take()).second)
      return badInput(729, "two values for the input '" + text.substr(0, equals) + "'", "",
                      "one --constant for it");
  }
  result.threads = static_cast<unsigned>(runtime::usableCpus());
  result.allow = options.licences;
  result.forbid = options.forbidden;
  result.from = options.from;
  result.to = options.to;
  result.printAfter.insert(options.printAfter.begin(), options.printAfter.end());
  result.disable.insert(options.disable.begin(), options.disable.end());
  return result;
}

/// Beside the user, not beside the model, which may lie where nothing can be written.
std::string outputFor(const Options &options) {
  if (!options.output.empty())
    return options.output;
  return std::filesystem::path(options.model).stem().string() + ".imx";
}

/// An artifact takes the place of what bears its name: of a file, never of a device or a pipe, and
/// not of what it is made from.
Status checkOutput(const std::string &output, const Options &options) {
  std::error_code none;
  auto status = std::filesystem::status(output, none);
  if (!std::filesystem::exists(status))
    return {};
  std::vector<std::string> inputs = filesOf(options.model);
  for (const std::string &constant : options.constants)
    inputs.push_back(constant.substr(constant.find('=') + 1));
  for (const std::string &input : inputs)
    if (isSameFile(output, input))
      return badInput(2, "cannot write '" + output + "'",
                      "it is " + input + ", which the artifact is made from", "another name");
  if (std::filesystem::is_regular_file(status))
    return {};
  return badInput(2, "cannot write '" + output + "'", "it exists and is no regular file",
                  "another name, or --to check-plan to compile without writing");
}

void printTimes(const CompileReport &report) {
  for (const CompileReport::Phase &phase : report.phases)
    say("  %-20s %10.1f ms\n", phase.name.c_str(), phase.ms);
}

void print(const std::string &output, const CompileReport &report, bool withTimes) {
  say("%s: %lld kernels, %lld host operations, code %s, constants %s, targets %s, %.2f s\n",
      output.c_str(), static_cast<long long>(report.kernels),
      static_cast<long long>(report.hostOps),
      byteText(static_cast<uint64_t>(report.codeBytes)).c_str(),
      byteText(static_cast<uint64_t>(report.constantBytes)).c_str(),
      joined(report.targets, " ").c_str(), report.totalMs / 1e3);
  if (!withTimes)
    return;
  printTimes(report);
  say("  machine code: %zu of %zu parts were kept\n", report.units - report.unitsCompiled,
      report.units);
}

void printJson(const Options &options, const std::string &output, const CompileReport &report) {
  Json phases = Json::object();
  for (const CompileReport::Phase &phase : report.phases)
    phases.set(phase.name, phase.ms);
  std::vector<std::string> remarks;
  for (const Error &problem : report.problems)
    remarks.push_back(problem.what + "; because " + problem.because);
  Json rewrites = Json::object();
  for (const auto &[rule, times] : report.rewrites)
    rewrites.set(rule, times);
  remarks.insert(remarks.end(), report.remarks.begin(), report.remarks.end());
  Json json = Json::object();
  json.set("model", options.model)
      .set("artifact", output)
      .set("targets", report.targets)
      .set("kernels", report.kernels)
      .set("host_ops", report.hostOps)
      .set("code_bytes", report.codeBytes)
      .set("constant_bytes", report.constantBytes)
      .set("arena_bytes", report.arenaBytes)
      .set("code_parts", static_cast<int64_t>(report.units))
      .set("code_parts_compiled", static_cast<int64_t>(report.unitsCompiled))
      .set("ms", report.totalMs)
      .set("phases_ms", phases)
      .set("remarks", remarks)
      .set("model_remarks", report.modelRemarks)
      .set("rewrites", rewrites);
  say("%s\n", json.str().c_str());
}

/// What keeps a model from being compiled, node by node.
void printProblemsJson(const Options &options, const CompileReport &report) {
  Json problems = Json::array();
  for (const CompileReport::NodeProblem &p : report.nodes)
    problems.push(Json::object()
                      .set("code", int64_t{p.code})
                      .set("node", p.node)
                      .set("operator", p.op)
                      .set("domain", p.domain)
                      .set("opset", p.opset)
                      .set("attribute", p.attribute)
                      .set("reason", p.reason)
                      .set("remedy", p.remedy));
  Json json = Json::object();
  json.set("model", options.model).set("problems", problems);
  say("%s\n", json.str().c_str());
}

/// Problems of a model that compiles all the same: what fails only when it runs.
void printRemarks(const CompileReport &report) {
  for (const Error &problem : report.problems)
    warn("%s: remark[E%04u]: %s; because %s\n", problem.where.file.c_str(), unsigned{problem.code},
         problem.what.c_str(), problem.because.c_str());
  for (const std::string &remark : report.remarks)
    warn("remark[E0731]: %s\n", remark.c_str());
}

/// Where machine code is kept: "" and a remark when that is nowhere.
std::string cacheFolder(const Options &options, std::string &remark) {
  if (!options.cache.empty())
    return options.cache;
  Result<std::string> folder = kernelFolder();
  if (folder)
    return folder.take();
  remark = "machine code is not kept; because of this: " + folder.error().what + ": " +
           folder.error().because;
  return "";
}

Result<ExitCode> compile(const Options &options) {
  if (options.noCache && !options.cache.empty())
    return badInput(2, "--cache and --no-cache exclude each other", "", "one of them");
  // What cannot be read is said before anything is loaded.
  Result<ModelKind> kind = modelKindOf(options.model);
  if (!kind)
    return kind.takeError();
  if (*kind == ModelKind::Artifact)
    return badInput(728, options.model + " is compiled already", "", "imbrex run " + options.model);
  for (const std::string &library : options.customOps)
    if (Status loaded = customops::load(library); !loaded)
      return loaded.takeError();
  Result<CompileOptions> compiling = compileOptions(options);
  if (!compiling)
    return compiling.takeError();
  std::string output = outputFor(options);
  if (Status good = checkOutput(output, options); !good)
    return good.takeError();
  CompileReport report;
  std::string unkept;
  if (!options.noCache)
    compiling->cache = cacheFolder(options, unkept);
  Status status = compileOnnx(options.model, output, *compiling, report);
  if (!unkept.empty())
    report.remarks.push_back(unkept);
  if (!status) {
    for (const Error &problem : report.problems)
      reportError(problem);
    if (options.json && !report.nodes.empty())
      printProblemsJson(options, report);
    Error error = status.takeError();
    if (const size_t count = report.problems.size()) // what they are has been said
      error.because = count == 1 ? "of this node" : "of these " + std::to_string(count) + " nodes";
    return error;
  }
  if (options.report() == Report::Text)
    printRemarks(report);
  if (!options.to.empty() && options.to != compilePhases().back()) {
    // Nothing was written.
    if (options.report() == Report::Text && options.time)
      printTimes(report);
    else if (options.report() == Report::Json)
      printJson(options, "", report);
    return ExitCode::Good;
  }
  if (options.report() == Report::Text)
    print(output, report, options.time);
  else if (options.report() == Report::Json)
    printJson(options, output, report);
  return ExitCode::Good;
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line("compile", "Compile an .onnx model to an artifact (.imx).");
  Options options;
  line.positional("MODEL", options.model, ".onnx model")
      .option("-o,--output FILE", options.output,
              "the artifact; MODEL's name with .imx when not given")
      .option("--target TARGET", options.target,
              "cpu (two code variants), cpu:native, cpu:x86-64-v3 or cpu:x86-64-v4")
      .option("--dim NAME=SIZE", options.dims,
              "fix a named dimension, or bound it with NAME=LOW..HIGH or NAME=LOW..HIGH%DIVISOR "
              "(several with commas, or again for each)")
      .option("--input-shape NAME=1x3x224", options.shapes,
              "compile for this shape of an input; NAME= for a scalar (again for each)")
      .option("--constant NAME=FILE.npy", options.constants,
              "make an input a constant of the model (again for each)")
      .option("--cache FOLDER", options.cache,
              "keep kernels' machine code there (~/.cache/imbrex/kernels when not given)")
      .flag("--no-cache", options.noCache, "neither use nor keep machine code")
      .option("--allow LICENCE", options.licences,
              "allow rewrites that are equal over the reals and round elsewhere: " +
                  joined(compileLicences(), ", ") + " (again for each)")
      .option("--forbid GRANT", options.forbidden,
              "do without what the float contract grants: " + joined(compileGrants(), ", ") +
                  " (again for each)")
      .option("--custom-ops LIBRARY", options.customOps,
              "a shared library with operators of your own (again for each)")
      .option("--from PHASE", options.from, "start with this phase")
      .option("--to PHASE", options.to, "end with this phase; nothing is written before the last")
      .option("--print-after PHASE", options.printAfter,
              "print the model after a phase, or after all (again for each)")
      .option("--disable PHASE", options.disable, "leave a phase out (again for each)")
      .flag("--time", options.time, "print the time of each phase")
      .flag("--quiet", options.quiet, "print errors only")
      .flag("--json", options.json, "print JSON")
      .footer("Phases: " + joined(compilePhases(), " "));
  return line.run(argc, argv, [&] { return compile(options); });
}
