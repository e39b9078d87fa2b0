#include "tools/common/Cache.h"

#include "runtime/api/imbrex.h"
#include "runtime/module/format/Layout.h"
#include "tools/common/Files.h"
#include "tools/common/Process.h"
#include "tools/common/Say.h"
#include "tools/common/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace imbrex::tools {

namespace {

/// A file's content, mapped for as long as this lives.
class Mapping {
public:
  ~Mapping() {
    if (base != MAP_FAILED)
      munmap(base, bytes);
  }
  bool open(const std::string &path) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts = {};
    bool good = file >= 0 && fstat(file, &facts) == 0;
    bytes = static_cast<size_t>(facts.st_size);
    if (good && bytes > 0)
      good = (base = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0)) != MAP_FAILED;
    int failure = errno;
    if (file >= 0)
      close(file);
    errno = failure;
    return good;
  }
  std::string_view text() const {
    return base == MAP_FAILED ? std::string_view()
                              : std::string_view(static_cast<char *>(base), bytes);
  }

private:
  void *base = MAP_FAILED;
  size_t bytes = 0;
};

void addFacts(Sha256 &hash, const std::string &path) {
  struct stat facts = {};
  stat(path.c_str(), &facts);
  hash.updateField(std::to_string(facts.st_size));
  hash.updateField(std::to_string(facts.st_mtim.tv_sec) + "." +
                   std::to_string(facts.st_mtim.tv_nsec));
}

/// Whether a file has the length and the format that its header states. What a full disk or a crash
/// of the machine left behind has not, and is compiled again.
bool isWhole(const fs::path &path) {
  std::error_code failure;
  artifact::FileHeader header = {};
  std::ifstream file;
  if (fs::is_regular_file(path, failure))
    file.open(path, std::ios::binary);
  return file.read(reinterpret_cast<char *>(&header), sizeof header) &&
         std::memcmp(header.magic, artifact::fileMagic, sizeof header.magic) == 0 &&
         header.version == artifact::formatVersion &&
         header.fileSize == fs::file_size(path, failure);
}

} // namespace

std::vector<std::string> externalNames(std::string_view model) {
  // A StringStringEntryProto {key: "location", value: NAME}: tag 1, length 8, the key, tag 2, a
  // length.
  constexpr std::string_view entry = "\x0a\x08location\x12";
  std::vector<std::string> names;
  for (size_t at = 0; (at = model.find(entry, at)) != std::string_view::npos;) {
    at += entry.size();
    size_t length = 0, shift = 0;
    while (at < model.size() && shift < 21) {
      auto byte = static_cast<uint8_t>(model[at++]);
      length |= size_t(byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80)
        break;
    }
    if (length > 0 && length < 4096 && length <= model.size() - at)
      names.emplace_back(model.substr(at, length));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> filesOf(const std::string &model) {
  std::vector<std::string> files = {model};
  Mapping content;
  if (content.open(model))
    for (const std::string &name : externalNames(content.text()))
      files.push_back((fs::path(model).parent_path() / name).string());
  return files;
}

Result<Compiled> artifactOf(const std::string &model, const std::vector<std::string> &options,
                            Cache::Check check) {
  Result<ModelKind> kind = modelKindOf(model);
  if (!kind)
    return kind.takeError();
  if (*kind == ModelKind::Artifact && !options.empty())
    return badInput(728, model + " is compiled already", "its shapes are fixed",
                    "the .onnx model it was made from");
  if (*kind == ModelKind::Artifact)
    return Compiled{.path = model};
  Result<std::string> compiler = findCommand("compile");
  if (!compiler)
    return compiler.takeError();
  Result<std::string> folder = userCacheFolder();
  Result<Compiled> compiled =
      folder ? Cache(*folder, Cache::defaultLimit, std::move(check))
                   .artifactFor(model, options, *compiler)
             : compiledAside(model, options, *compiler, folder.error().because);
  if (compiled && !compiled->remark.empty())
    warn("remark[E0731]: the compiled model is not kept; because %s\n", compiled->remark.c_str());
  return compiled;
}

static bool isThere(const std::string &path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Result<std::string> kernelFolder() {
  Result<std::string> folder = userCacheFolder();
  if (!folder)
    return folder.takeError();
  if (std::string why = untrusted(*folder); isThere(*folder) && !why.empty())
    return badInput(731, "the folder " + *folder + " cannot be trusted", why);
  return *folder + "/kernels";
}

Cache::Cache(std::string folder, uint64_t limit, Check check)
    : files(std::move(folder), limit), check(std::move(check)) {}

Result<std::string> Cache::keyOf(const std::string &model, const std::vector<std::string> &options,
                                 const std::string &compiler) {
  Mapping content;
  if (!content.open(model))
    return badInput(730, "cannot read " + model, std::strerror(errno), "another path");
  Sha256 hash;
  hash.updateField("imbrex " IMBREX_VERSION);
  addFacts(hash, compiler);
  for (const std::string &option : options) {
    hash.updateField(option);
    if (&option != options.data() && (&option)[-1] == "--custom-ops")
      addFacts(hash, option);
  }
  hash.updateField(content.text());
  for (const std::string &name : externalNames(content.text())) {
    hash.updateField(name);
    addFacts(hash, (fs::path(model).parent_path() / name).string());
  }
  return hash.hex();
}

/// The compiler's exit code; the file is there when it is 0, for the user alone.
static Result<int> compileTo(const std::string &file, const std::string &model,
                             const std::vector<std::string> &options, const std::string &compiler) {
  std::vector<std::string> arguments = {model, "-o", file, "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (isatty(STDERR_FILENO))
    warn("compiling %s\n", model.c_str());
  Result<int> exitCode = runProgram(compiler, arguments);
  std::error_code failure;
  if (exitCode && *exitCode == 0)
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, failure);
  else
    fs::remove(file, failure);
  return exitCode;
}

Result<Compiled> compiledAside(const std::string &model, const std::vector<std::string> &options,
                               const std::string &compiler, std::string remark) {
  std::error_code failure;
  std::string own = (fs::temp_directory_path(failure) / "imbrex-XXXXXX").string();
  if (failure || !mkdtemp(own.data()))
    return badInput(731, "there is no place for the compiled model",
                    remark + "; and no folder can be made in " +
                        fs::path(own).parent_path().string(),
                    "imbrex compile MODEL -o FILE.imx and imbrex run FILE.imx");
  Compiled compiled;
  compiled.path = own + "/model.imx";
  compiled.remark = std::move(remark);
  compiled.temporary = std::shared_ptr<const void>(nullptr, [own](const void *) {
    std::error_code ignored;
    fs::remove_all(own, ignored);
  });
  Result<int> exitCode = compileTo(compiled.path, model, options, compiler);
  if (!exitCode)
    return exitCode.takeError();
  compiled.exitCode = *exitCode;
  compiled.fresh = compiled.exitCode == 0;
  return compiled;
}

bool Cache::isUsable(const std::string &path) const {
  return isWhole(path) && untrusted(path).empty() && (!check || check(path));
}

Result<Compiled> Cache::artifactFor(const std::string &model,
                                    const std::vector<std::string> &options,
                                    const std::string &compiler) {
  Result<std::string> key = keyOf(model, options, compiler);
  if (!key)
    return key.takeError();
  if (Status ready = files.prepare(); !ready)
    return compiledAside(model, options, compiler,
                         ready.error().what + ": " + ready.error().because);
  Compiled compiled;
  const std::string name = *key + ".imx";
  compiled.path = files.path(name);
  std::error_code failure;
  if (isUsable(compiled.path)) {
    files.touch(name);
    return compiled;
  }
  std::string unfinished = compiled.path + "." + std::to_string(getpid());
  Result<int> exitCode = compileTo(unfinished, model, options, compiler);
  if (!exitCode)
    return exitCode.takeError();
  compiled.exitCode = *exitCode;
  if (compiled.exitCode != 0)
    return compiled;
  fs::rename(unfinished, compiled.path, failure);
  if (failure)
    return badInput(731, "cannot keep the compiled model as " + compiled.path, failure.message());
  compiled.fresh = true;
  files.evict(name);
  return compiled;
}

} // namespace imbrex::tools
