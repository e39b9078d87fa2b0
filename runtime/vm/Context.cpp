#include "runtime/vm/Context.h"

#include "support/customops/CustomOps.h"

namespace imbrex::runtime {

Result<std::unique_ptr<Context>> Context::create(std::shared_ptr<Module> module,
                                                 ContextOptions options) {
  std::vector<const HostFunction *> hostOps;
  std::string missing, custom;
  for (const std::string &name : module->spec().hostOps) {
    hostOps.push_back(hostFunction(name));
    if (hostOps.back())
      continue;
    const bool isCustom = customops::isCustom(name);
    std::string &list = isCustom ? custom : missing;
    list += (list.empty() ? "" : ", ") + (isCustom ? customops::describe(name) : name);
  }
  if (!custom.empty())
    return unsupported(114, "the model needs custom operators that are not loaded",
                       "it was compiled with " + custom,
                       "--custom-ops with that library, or imbrex_load_custom_ops");
  if (!missing.empty())
    return unsupported(113, "this runtime lacks host operations of the artifact",
                       "it has no: " + missing, "a runtime of the compiler's version");
  for (const HostFunction *function : hostOps)
    if (function->ready)
      if (Status ready = function->ready(); !ready)
        return ready.takeError();
  Result<const Executable *> code = module->executable();
  if (!code)
    return code.takeError();
  return std::unique_ptr<Context>(
      new Context(std::move(module), **code, std::move(hostOps), options));
}

namespace {

/// Takes the context for as long as it lives, if nobody has it.
class Hold {
public:
  explicit Hold(std::atomic_flag &flag)
      : flag(flag), held(!flag.test_and_set(std::memory_order_acquire)) {}
  ~Hold() {
    if (held)
      flag.clear(std::memory_order_release);
  }
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;
  explicit operator bool() const { return held; }

private:
  std::atomic_flag &flag;
  bool held;
};

Error busy() {
  return badInput(204, "the context is running already", "it belongs to one run at a time",
                  "a context of its own for each thread");
}

} // namespace

Status Context::run(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs) {
  Hold hold(running);
  if (!hold)
    return busy();
  return interpreter.run(inputs, outputs);
}

Status Context::observe(const Observer &observer) {
  Hold hold(running);
  if (!hold)
    return busy();
  interpreter.observe(observer);
  return {};
}

} // namespace imbrex::runtime
