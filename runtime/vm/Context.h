// One runner of a module: its threads, arena and stacks.
#pragma once

#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/vm/Interpreter.h"

#include <atomic>

namespace imbrex::runtime {

struct ContextOptions {
  int threads = 0; // 0: as many as the process may use
  Prefault prefault = Prefault::No;
};

/// Keeps its module alive. One run at a time; contexts of one module run concurrently.
class Context {
public:
  /// Loads the module's code if no context did before (E0110 to E0113).
  static Result<std::unique_ptr<Context>> create(std::shared_ptr<Module> module,
                                                 ContextOptions options);

  /// E0204 when a run is under way already; otherwise as Interpreter::run.
  Status run(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs);
  /// E0204 during a run: its callbacks stay those it began with.
  Status observe(const Observer &observer);
  /// Of the runs so far. They are written by the running thread and not synchronized: ask there (in
  /// an observer) or between runs.
  const Counters &counters() const { return interpreter.counters(); }
  const Module &owner() const { return *module; }

private:
  Context(std::shared_ptr<Module> module, const Executable &code, std::vector<const HostFunction *> hostOps,
          ContextOptions options)
      : module(std::move(module)), device(options.threads),
        interpreter(*this->module, code, std::move(hostOps), device, options.prefault) {}

  std::shared_ptr<Module> module;
  CpuDevice device;
  Interpreter interpreter;
  std::atomic_flag running;
};

} // namespace imbrex::runtime
