// Test cases on disk: a folder with model.onnx and test_data_set_K/{input,output}_J.pb.
#pragma once

#include "support/Result.h"

#include <string>
#include <vector>

namespace imbrex::suite {

struct DataSet {
  std::vector<std::string> inputs, outputs; // paths, in order
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

/// The node tests of the onnx package under the build folder, else those that the system has
/// installed; empty when there are none.
std::string defaultData(const std::string &buildDir);

} // namespace imbrex::suite
