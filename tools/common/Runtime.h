// The runtime's C interface in the terms of the tools: Result, HostTensor, JSON-free ports.
#pragma once

#include "runtime/api/imbrex.h"
#include "support/tensor/HostTensor.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace imbrex::tools {

/// An input or output of a model. Sizes are -1 where the caller's inputs decide them; such a size
/// has a name, or "".
struct Port {
  std::string name;
  DType type = DType::Invalid;
  std::vector<int64_t> shape;
  std::vector<std::string> dimNames;
};

enum class Constants : uint8_t { Trusted, Checked };

/// A loaded artifact. Copies share it; it is closed with the last one.
class Module {
public:
  /// Errors of the runtime keep their code and kind.
  static Result<Module> open(const std::string &path, Constants constants = Constants::Trusted);

  const std::vector<Port> &inputs() const { return inputPorts; }
  const std::vector<Port> &outputs() const { return outputPorts; }
  ImbrexModule *handle() const { return module.get(); }
  const std::string &path() const { return file; }

private:
  std::shared_ptr<ImbrexModule> module;
  std::vector<Port> inputPorts, outputPorts;
  std::string file;
};

/// The sizes that inputs give to named dimensions. Precondition: `inputs` fit the module's ports.
std::map<std::string, int64_t, std::less<>> dimSizes(const Module &module,
                                                     const std::vector<HostTensor> &inputs);

/// Custom operators of the user's libraries, for artifacts that need them.
Status loadCustomOps(const std::vector<std::string> &paths);

/// One run at a time. Creating it loads the artifact's machine code.
class Context {
public:
  /// threads 0: as many as the process may use.
  static Result<Context> create(const Module &module, int threads);
  /// Inputs in the order of Module::inputs(); outputs in that of Module::outputs(). The outputs
  /// keep the runtime's memory until the last copy is gone.
  Result<std::vector<HostTensor>> run(const std::vector<HostTensor> &inputs);
  /// Callbacks on the running thread; null ends them.
  Status observe(const ImbrexObserver *observer);

private:
  std::shared_ptr<ImbrexContext> context;
  size_t outputCount = 0;
};

/// The artifact's bytes are not what was written: not the fault of this machine or of the caller.
bool isDamage(const Error &error);
/// The file opens as an artifact, its constants checked, or fails for other reasons than damage.
bool isUndamaged(const std::string &path);

/// The Error for a failed call, from the runtime's text: code and place are taken out of it again.
Error runtimeError(ImbrexStatus status, const std::string &text);

} // namespace imbrex::tools
