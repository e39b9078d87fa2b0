// Imbrex for C++: owning handles and spans over imbrex.h. Header only; errors are exceptions.
//
//   imbrex::Model model("model.imx");
//   imbrex::Runner runner(model);
//   auto outputs = runner.run({imbrex::Input::of<float>({1, 3}, values)});
//   std::span<const float> y = outputs[0].values<float>();
#pragma once

#include "imbrex.h"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace imbrex {

class RuntimeError : public std::runtime_error {
public:
  RuntimeError(ImbrexStatus status, const char *text) : std::runtime_error(text), code(status) {}
  ImbrexStatus status() const { return code; }

private:
  ImbrexStatus code;
};

inline void check(ImbrexStatus status) {
  if (status != IMBREX_OK)
    throw RuntimeError(status, imbrex_last_error());
}

/// The element type code of a C++ type.
template <class T> constexpr uint32_t dtypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return 1;
  else if constexpr (std::is_same_v<T, float>)
    return 12;
  else if constexpr (std::is_same_v<T, double>)
    return 13;
  else {
    static_assert(std::is_integral_v<T>, "an element type of tensors");
    constexpr uint32_t log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return (std::is_signed_v<T> ? 2 : 6) + log2;
  }
}

/// A borrowed dense tensor: the data must live until the run returns.
struct Input {
  const void *data = nullptr;
  uint32_t dtype = 0;
  std::vector<int64_t> shape;

  template <class T> static Input of(std::vector<int64_t> shape, std::span<const T> values) {
    size_t count = 1;
    for (int64_t d : shape)
      count *= static_cast<size_t>(d);
    if (count != values.size())
      throw RuntimeError(IMBREX_BAD_ARGUMENT, "the shape does not fit the number of values");
    return {values.data(), dtypeOf<T>(), std::move(shape)};
  }
};

/// A result; owns its memory.
class Output {
public:
  explicit Output(ImbrexTensor tensor) : tensor(tensor) {}
  Output(Output &&other) noexcept : tensor(std::exchange(other.tensor, {})) {}
  Output &operator=(Output &&other) noexcept {
    std::swap(tensor, other.tensor);
    return *this;
  }
  ~Output() { imbrex_tensor_release(&tensor); }

  uint32_t dtype() const { return tensor.dtype; }
  std::span<const int64_t> shape() const {
    return {tensor.shape, static_cast<size_t>(tensor.rank)};
  }
  const void *data() const { return tensor.data; }
  template <class T> std::span<const T> values() const {
    if (dtypeOf<T>() != tensor.dtype)
      throw RuntimeError(IMBREX_BAD_ARGUMENT, "the output has another element type");
    size_t count = 1;
    for (int64_t d : shape())
      count *= static_cast<size_t>(d);
    return {static_cast<const T *>(tensor.data), count};
  }

private:
  ImbrexTensor tensor;
};

class Model {
public:
  explicit Model(const std::string &path) {
    check(imbrex_module_open(path.c_str(), nullptr, &module));
  }
  explicit Model(std::span<const std::byte> bytes) {
    check(imbrex_module_from_memory(bytes.data(), bytes.size(), nullptr, &module));
  }
  Model(Model &&other) noexcept : module(std::exchange(other.module, nullptr)) {}
  Model &operator=(Model &&other) noexcept {
    std::swap(module, other.module);
    return *this;
  }
  ~Model() { imbrex_module_close(module); }

  std::vector<ImbrexPort> inputs() const { return ports(imbrex_input_count(module), imbrex_input); }
  std::vector<ImbrexPort> outputs() const {
    return ports(imbrex_output_count(module), imbrex_output);
  }
  /// JSON.
  std::string info() const { return imbrex_module_info(module); }
  ImbrexModule *handle() const { return module; }

private:
  template <class Get> std::vector<ImbrexPort> ports(int32_t count, Get get) const {
    std::vector<ImbrexPort> list(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; ++i)
      check(get(module, i, &list[static_cast<size_t>(i)]));
    return list;
  }
  ImbrexModule *module = nullptr;
};

/// A context. One run at a time; make one per thread.
class Runner {
public:
  /// threads 0: as many as the process may use.
  explicit Runner(const Model &model, int threads = 0) {
    ImbrexContextOptions options{};
    options.size = sizeof options;
    options.threads = threads;
    check(imbrex_context_create(model.handle(), &options, &context));
    outputCount = imbrex_output_count(model.handle());
  }
  Runner(Runner &&other) noexcept
      : context(std::exchange(other.context, nullptr)), outputCount(other.outputCount) {}
  Runner &operator=(Runner &&other) noexcept {
    std::swap(context, other.context);
    std::swap(outputCount, other.outputCount);
    return *this;
  }
  ~Runner() { imbrex_context_destroy(context); }

  std::vector<Output> run(std::span<const Input> inputs) {
    std::vector<ImbrexTensor> in, out(static_cast<size_t>(outputCount));
    for (const Input &i : inputs)
      in.push_back({const_cast<void *>(i.data), i.dtype, static_cast<int32_t>(i.shape.size()),
                    i.shape.data(), nullptr, nullptr});
    check(imbrex_run(context, in.data(), static_cast<int32_t>(in.size()), out.data(), outputCount));
    std::vector<Output> results;
    results.reserve(out.size());
    for (const ImbrexTensor &t : out)
      results.emplace_back(t);
    return results;
  }
  std::vector<Output> run(std::initializer_list<Input> inputs) {
    return run(std::span<const Input>(inputs.begin(), inputs.size()));
  }
  ImbrexContext *handle() const { return context; }

private:
  ImbrexContext *context = nullptr;
  int32_t outputCount = 0;
};

} // namespace imbrex
