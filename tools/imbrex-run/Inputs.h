// The inputs of a run: from files, or made up, with sizes from files, from --dim, and from each
// other.
#pragma once

#include "tools/common/Runtime.h"

#include <map>
#include <string>
#include <vector>

namespace imbrex::tools {

/// One --input: "x=photo.npy", "x=zeros", "x=ones", "x=random", "x=random:7"; without a name it is
/// for every input that has none of its own.
struct InputSpec {
  enum class Source : uint8_t { File, Zeros, Ones, Random };
  std::string name; // "" for all others
  Source source = Source::File;
  std::string path;
  uint64_t seed = 0;
};

/// E0720 when `text` has no such form.
Result<InputSpec> parseInputSpec(const std::string &text);
/// Each of them, in order.
Result<std::vector<InputSpec>> parseInputSpecs(const std::vector<std::string> &texts);

/// Sizes of named dimensions.
using DimSizes = std::map<std::string, int64_t>;
/// From "name=64". E0721 when `text` has no such form.
Status parseDim(const std::string &text, DimSizes &dims);

/// A tensor of `source` values: random floats in [-1, 1), integers in [0, 10), bools.
/// The same seed gives the same values.
HostTensor makeTensor(const InputSpec &spec, DType type, const std::vector<int64_t> &shape);

/// Tensors for `ports`, in their order. A dimension named in a file's port has that file's size
/// everywhere. E0722 for a name that is no input, E0723 for inputs without a value, E0724 for sizes
/// that nothing decides, E0725 for a file that does not fit its input, E08xx for a bad file.
Result<std::vector<HostTensor>> makeInputs(const std::vector<Port> &ports,
                                           const std::vector<InputSpec> &specs, DimSizes dims);

} // namespace imbrex::tools
