#include "runtime/vm/Context.h"

namespace imbrex::runtime {

Result<std::unique_ptr<Context>> Context::create(std::shared_ptr<Module> module,
                                                 ContextOptions options) {
  std::vector<HostOpFn> hostOps;
  std::string missing;
  for (const std::string &name : module->spec().hostOps) {
    hostOps.push_back(hostOpByName(name));
    if (!hostOps.back())
      missing += (missing.empty() ? "" : ", ") + name;
  }
  if (!missing.empty())
    return unsupported(113, "this runtime lacks host operations of the artifact",
                       "it has no: " + missing, "a runtime of the compiler's version");
  Result<const Executable *> code = module->executable();
  if (!code)
    return code.takeError();
  return std::unique_ptr<Context>(
      new Context(std::move(module), **code, std::move(hostOps), options));
}

Status Context::run(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs) {
  if (running.test_and_set(std::memory_order_acquire))
    return badInput(204, "the context is running already", "it belongs to one run at a time",
                    "a context of its own for each thread");
  struct Clear {
    std::atomic_flag &flag;
    ~Clear() { flag.clear(std::memory_order_release); }
  } guard{running};
  return interpreter.run(inputs, outputs);
}

} // namespace imbrex::runtime
