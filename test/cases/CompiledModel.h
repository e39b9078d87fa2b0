// A model compiled and loaded: what a case is run as.
#pragma once

#include "compiler/pipeline/Compile.h"
#include "test/cases/ModelBytes.h"
#include "tools/common/Runtime.h"

#include <optional>

namespace imbrex::cases {

HostTensor floats(std::vector<int64_t> shape, const std::vector<float> &values);
HostTensor ints(std::vector<int64_t> shape, const std::vector<int64_t> &values); // i64
/// first, first + 1, …
HostTensor ramp(std::vector<int64_t> shape, float first = 0);
std::vector<double> valuesOf(const HostTensor &t);

class CompiledModel {
public:
  /// For the model's own dimensions and `options`, in machine code of this processor.
  static Result<CompiledModel> of(const ModelBytes &model, CompileOptions options = {});
  /// The same with every size of these inputs forgotten.
  static Result<CompiledModel> open(const ModelBytes &model,
                                    const std::vector<std::pair<std::string, int64_t>> &ranks);

  Result<std::vector<HostTensor>> run(const std::vector<HostTensor> &inputs);
  /// The only output; the test fails, and it is empty, when the run does.
  HostTensor one(const std::vector<HostTensor> &inputs);

private:
  std::optional<tools::Context> context;
};

} // namespace imbrex::cases
