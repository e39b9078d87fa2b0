#include "runtime/module/CodeLoader.h"

#include "runtime/device/cpu/Features.h"
#include "runtime/module/ElfFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

namespace imbrex::runtime {
namespace {

bool writeAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

/// A sealed file in memory, or -1.
int memoryFile(std::span<const std::byte> bytes) {
  unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  // Systems may demand that executable memory files say so; older ones do not know the flag.
  int fd = ::memfd_create("imbrex-code", flags | MFD_EXEC);
  if (fd < 0 && errno == EINVAL)
    fd = ::memfd_create("imbrex-code", flags);
  if (fd < 0)
    return -1;
  if (writeAll(fd, bytes) &&
      ::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return fd;
  ::close(fd);
  return -1;
}

/// A file in the temporary folder that is unlinked at once, or -1; read-only when returned.
int temporaryFile(std::span<const std::byte> bytes) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "imbrex-code-XXXXXX").string();
  if (error)
    return -1;
  int writer = ::mkostemp(path.data(), O_CLOEXEC);
  if (writer < 0)
    return -1;
  int fd = writeAll(writer, bytes) ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  ::close(writer);
  ::unlink(path.c_str());
  return fd;
}

void *openLibrary(int fd) {
  return ::dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string list(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &w : words)
    out += (out.empty() ? "" : " ") + w;
  return out.empty() ? "nothing special" : out;
}

} // namespace

Result<const artifact::VariantSpec *> chooseVariant(const artifact::ArtifactSpec &spec) {
  const artifact::VariantSpec *best = nullptr;
  std::string offered;
  for (const artifact::VariantSpec &v : spec.variants) {
    offered +=
        (offered.empty() ? "" : ", ") + v.kind + " " + v.target + " (" + list(v.features) + ")";
    if (machineOfKind(v.kind) == hostMachine() && cpuHas(v.features) &&
        (!best || v.priority > best->priority))
      best = &v;
  }
  if (best)
    return best;
  return unsupported(110, "the artifact has no code for this machine",
                     "it needs one of: " + (offered.empty() ? "(no code at all)" : offered) +
                         "; this CPU has: " + list(cpuFeatures()),
                     "compiling the model with a --target that this machine has");
}

Result<std::unique_ptr<LoadedCode>> LoadedCode::load(std::span<const std::byte> elf) {
  // The descriptor stays open as long as the library: the loader knows libraries by name, and a
  // reused number would give it an older library of the same name.
  int fd = memoryFile(elf);
  void *handle = fd >= 0 ? openLibrary(fd) : nullptr;
  std::string why = fd >= 0 && !handle ? ::dlerror() : "no in-memory file";
  if (!handle) {
    if (fd >= 0)
      ::close(fd);
    fd = temporaryFile(elf);
    handle = fd >= 0 ? openLibrary(fd) : nullptr;
    why += fd >= 0 && !handle ? std::string("; ") + ::dlerror() : "; no temporary file";
  }
  if (!handle) {
    if (fd >= 0)
      ::close(fd);
    return badInput(112, "the artifact's code cannot be loaded", why,
                    "a system that lets programs map executable memory");
  }
  return std::unique_ptr<LoadedCode>(new LoadedCode(handle, fd));
}

LoadedCode::~LoadedCode() {
  ::dlclose(handle);
  ::close(fd);
}

const void *LoadedCode::symbol(const std::string &name) const {
  return ::dlsym(handle, name.c_str());
}

} // namespace imbrex::runtime
