// Brings a code variant into the process. From here on the artifact's machine code is trusted.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "support/Result.h"

#include <memory>

namespace imbrex::runtime {

/// The variant with the highest priority whose kind and features this CPU has; E0110 when there is
/// none.
Result<const artifact::VariantSpec *> chooseVariant(const artifact::ArtifactSpec &spec);

/// A loaded shared object; unloaded by the destructor.
class LoadedCode {
public:
  /// Through a sealed in-memory file, or a temporary file where the system has none. E0112 when the
  /// loader refuses it.
  static Result<std::unique_ptr<LoadedCode>> load(std::span<const std::byte> elf);
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Null when there is no such symbol.
  const void *symbol(const std::string &name) const;

private:
  LoadedCode(void *handle, int fd) : handle(handle), fd(fd) {}
  void *handle;
  int fd;
};

} // namespace imbrex::runtime
