#include "runtime/vm/Interpreter.h"

#include <chrono>

namespace imbrex::runtime {
namespace {

int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The model's nodes that a kernel computes, as messages name them.
std::string placeOf(const artifact::KernelSpec &kernel) {
  if (kernel.sources.empty())
    return "kernel '" + kernel.name + "'";
  return "node " + kernel.sources.front() +
         (kernel.sources.size() > 1 ? " and what is computed with it" : "");
}

/// " (x is f32[2, 3], …)": the shapes of what a kernel reads.
std::string shapesOf(std::span<const ImxView> views) {
  std::string text;
  for (const ImxView &v : views) {
    text += text.empty() ? " (its operands are " : ", ";
    text += std::string(name(static_cast<DType>(v.dtype))) + "[";
    for (int32_t k = 0; k < static_cast<int32_t>(v.rank); ++k)
      text += (k ? ", " : "") + std::to_string(v.shape[k]);
    text += "]";
  }
  return text.empty() ? text : text + ")";
}

} // namespace

/// Kernels compute addresses from the dims they are given, so a tensor of another size would be
/// overrun.
bool Interpreter::checkArguments(const artifact::KernelSpec &kernel) {
  for (size_t i = 0; i < kernel.args.size(); ++i) {
    const artifact::TypeSpec &type = kernel.args[i];
    const ImxView &view = args[i];
    bool fits = view.dtype == static_cast<uint32_t>(type.dtype) &&
                static_cast<size_t>(view.rank) == type.dims.size();
    for (size_t axis = 0; fits && axis < type.dims.size(); ++axis) {
      artifact::SizeSpec s = type.dims[axis].size;
      int64_t expected = s.isLiteral() ? s.value : dims[static_cast<size_t>(s.slot)];
      fits = expected == view.shape[axis] || (s.isLiteral() && s.value == -1);
    }
    if (!fits)
      return fail(internalError(246, "argument " + std::to_string(i) + " of kernel '" +
                                         kernel.name + "' does not have the type it is made for"));
  }
  return true;
}

/// The grid and the scratch memory for `dims`.
bool Interpreter::planLaunch(uint32_t index, LaunchRequest &request) {
  const artifact::KernelSpec &kernel = spec.kernels[index];
  int64_t plan[2] = {kernel.grid, kernel.scratchBytes};
  auto fn = reinterpret_cast<ImxSizesFn>(const_cast<void *>(code.plans[index]));
  if ((fn && fn(dims.data(), plan) != 0) || plan[0] < 0 || plan[1] < 0)
    return fail(badInput(244, "the sizes of the inputs lead to impossible sizes inside the model",
                         "there is no launch grid for them at " + placeOf(kernel),
                         "other input shapes"));
  request.grid = plan[0];
  request.scratchBytes = static_cast<uint64_t>(plan[1]);
  return true;
}

bool Interpreter::launch() {
  uint32_t index = word();
  const artifact::KernelSpec &kernel = spec.kernels[index];
  LaunchRequest request;
  args.clear();
  storages.clear();
  for (int list = 0; list < 2; ++list)
    for (uint32_t count = word(); count; --count) {
      const Tensor &t = *reg(word()).tensor();
      args.push_back(t.view);
      storages.push_back(t.storageNumber);
    }
  sizeList(dims);
  if (!checkArguments(kernel) || !planLaunch(index, request))
    return false;
  request.code = code.kernels[index];
  request.args = args;
  request.dims = dims.data();
  request.imports = code.imports;
  ++counts.launches;
  if (observer.beforeLaunch)
    observer.beforeLaunch(observer.user, kernel.name.c_str(), storages.data(), kernel.operands,
                          kernel.results);
  int64_t begin = observer.afterLaunch ? nowNs() : 0;
  LaunchResult result = device.launch(request);
  if (observer.afterLaunch)
    observer.afterLaunch(observer.user, kernel.name.c_str(), nowNs() - begin);
  if (result.status == LaunchStatus::Good)
    return true;
  if (result.status == LaunchStatus::NoMemory)
    return noMemory(request.scratchBytes);
  auto check = static_cast<size_t>(result.check);
  return fail(badInput(247, "a check of the model failed at " + placeOf(kernel),
                       (result.check >= 0 && check < kernel.checks.size()
                            ? kernel.checks[check]
                            : "check " + std::to_string(result.check)) +
                           shapesOf({args.data(), kernel.operands}),
                       "inputs of other values or shapes"));
}

} // namespace imbrex::runtime
