#include "test/cases/CompiledModel.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace imbrex::cases {

HostTensor floats(std::vector<int64_t> shape, const std::vector<float> &values) {
  return HostTensor::of<float>(DType::F32, std::move(shape), values);
}

HostTensor ints(std::vector<int64_t> shape, const std::vector<int64_t> &values) {
  return HostTensor::of<int64_t>(DType::I64, std::move(shape), values);
}

HostTensor ramp(std::vector<int64_t> shape, float first) {
  HostTensor t(DType::F32, std::move(shape));
  for (int64_t i = 0; i < t.elems(); ++i)
    t.mutableData<float>()[i] = first + static_cast<float>(i);
  return t;
}

std::vector<double> valuesOf(const HostTensor &t) {
  std::vector<double> values;
  for (int64_t i = 0; i < t.elems(); ++i)
    values.push_back(t.toDouble(i));
  return values;
}

Result<CompiledModel> CompiledModel::of(const ModelBytes &model, CompileOptions options) {
  std::string folder = (std::filesystem::temp_directory_path() / "cases-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return badInput(713, "cannot make a temporary folder");
  std::shared_ptr<void> removed(nullptr, [&](void *) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
  std::ofstream(folder + "/model.onnx", std::ios::binary) << model.bytes();
  options.target = "cpu:native";
  CompileReport report;
  if (auto done = compileOnnx(folder + "/model.onnx", folder + "/model.imx", options, report);
      !done)
    return report.problems.empty() ? done.takeError() : report.problems[0];
  auto module = tools::Module::open(folder + "/model.imx");
  if (!module)
    return module.takeError();
  auto context = tools::Context::create(*module, 1);
  if (!context)
    return context.takeError();
  CompiledModel compiled;
  compiled.context = context.take();
  return compiled;
}

Result<CompiledModel>
CompiledModel::open(const ModelBytes &model,
                    const std::vector<std::pair<std::string, int64_t>> &ranks) {
  CompileOptions options;
  options.openRanks = {ranks.begin(), ranks.end()};
  return of(model, std::move(options));
}

Result<std::vector<HostTensor>> CompiledModel::run(const std::vector<HostTensor> &inputs) {
  return context->run(inputs);
}

HostTensor CompiledModel::one(const std::vector<HostTensor> &inputs) {
  auto outputs = run(inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.error().str();
  return outputs && outputs->size() == 1 ? outputs->front() : HostTensor();
}

} // namespace imbrex::cases
