// Machine code of kernels, kept between compilations: one file a unit (KernelUnits.h) and target.
//
// A file's name is the digest of what its content depends on: the unit's canonical text, the
// target, and the identity of the compiler and its libraries. Its content is checked by a digest
// too; what does not fit is ignored, with a remark, and compiled again. KeptFiles says who may
// share the folder.
#pragma once

#include "compiler/codegen/cpu/KernelUnits.h"
#include "compiler/codegen/cpu/Target.h"
#include "support/files/KeptFiles.h"

#include <atomic>
#include <mutex>

namespace imbrex::codegen {

/// A digest of the build ids of this program and of the compiler's libraries that it has loaded;
/// "" when one of them has none.
std::string compilerIdentity();

class KernelCache {
public:
  static constexpr uint64_t defaultLimit = 512ull << 20;

  /// Keeps nothing when `folder` is "".
  explicit KernelCache(const std::string &folder, uint64_t limitBytes = defaultLimit);

  bool isOn() const { return files.has_value(); }

  std::string keyOf(const KernelUnit &unit, const CpuTarget &target) const;
  std::optional<std::vector<char>> find(const std::string &key);
  /// From any number of threads.
  void keep(const std::string &key, const std::vector<char> &object);
  /// Keeps the folder within its limit. Gives what a user should know: why the folder is not used,
  /// and which files were ignored.
  std::vector<std::string> close();

private:
  void remark(std::string text);

  std::optional<KeptFiles> files;
  std::string identity;
  std::atomic<bool> changed = false, refused = false;
  std::mutex remarking;
  std::vector<std::string> remarks;
};

} // namespace imbrex::codegen
