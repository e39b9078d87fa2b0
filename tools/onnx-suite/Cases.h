// Test cases on disk: a folder with model.onnx and test_data_set_K/{input,output}_J.pb, or a file
// light_NAME.onnx beside light_NAME_output_J.pb.
#pragma once

#include "support/Result.h"

#include <string>
#include <vector>

namespace imbrex::suite {

struct DataSet {
  std::vector<std::string> inputs, outputs; // paths, in order
  /// There are no input files: each input is a ramp from 0 to 1 in the declared shape, as ONNX's
  /// runner makes it.
  bool rampInputs = false;
};

struct Case {
  std::string name; // the folder's
  std::string model;
  std::vector<DataSet> sets;
};

/// Every case under `dir`, at any depth, sorted by name. E0710 when `dir` is no folder.
Result<std::vector<Case>> findCases(const std::string &dir);

/// Those whose name matches the regular expression; all for an empty one. E0700 for one that is
/// none.
Result<std::vector<Case>> selectCases(std::vector<Case> cases, const std::string &regex);

/// One case of `every`, chosen by a digest of its name and `seed`: the same ones on every machine.
std::vector<Case> sampleCases(std::vector<Case> cases, int64_t every, int64_t seed);

/// The suites of the onnx package: node, pytorch-converted, pytorch-operator, simple, light.
bool isSuite(const std::string &name);

/// The folder of a suite in the onnx package under the build folder, else in what the system has
/// installed; empty when there is none.
std::string suiteData(const std::string &buildDir, const std::string &suite);

} // namespace imbrex::suite
