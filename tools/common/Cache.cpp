#include "tools/common/Cache.h"

#include "runtime/api/imbrex.h"
#include "runtime/module/format/Layout.h"
#include "tools/common/Files.h"
#include "tools/common/Process.h"
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

struct Kept {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes;
};

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

Result<std::string> Cache::defaultFolder() {
  for (auto [variable, below] :
       {std::pair{"XDG_CACHE_HOME", "/imbrex"}, {"HOME", "/.cache/imbrex"}}) {
    const char *value = std::getenv(variable);
    if (value && value[0] == '/')
      return std::string(value) + below;
  }
  return badInput(731, "there is no place to keep the compiled model",
                  "neither XDG_CACHE_HOME nor HOME names a folder",
                  "imbrex compile MODEL -o FILE.imx and imbrex run FILE.imx");
}

Result<Compiled> artifactOf(const std::string &model, const std::vector<std::string> &options) {
  Result<ModelKind> kind = modelKindOf(model);
  if (!kind)
    return kind.takeError();
  if (*kind == ModelKind::Artifact && !options.empty())
    return badInput(728, model + " is compiled already", "its shapes are fixed",
                    "the .onnx model it was made from");
  if (*kind == ModelKind::Artifact)
    return Compiled{model};
  Result<std::string> compiler = findCommand("compile");
  if (!compiler)
    return compiler.takeError();
  Result<std::string> folder = Cache::defaultFolder();
  if (!folder)
    return folder.takeError();
  return Cache(*folder).artifactFor(model, options, *compiler);
}

Cache::Cache(std::string folder, uint64_t limit) : folder(std::move(folder)), limit(limit) {}

Result<std::string> Cache::keyOf(const std::string &model, const std::vector<std::string> &options,
                                 const std::string &compiler) {
  Mapping content;
  if (!content.open(model))
    return badInput(730, "cannot read " + model, std::strerror(errno), "another path");
  Sha256 hash;
  hash.updateField("imbrex " IMBREX_VERSION);
  addFacts(hash, compiler);
  for (const std::string &option : options)
    hash.updateField(option);
  hash.updateField(content.text());
  for (const std::string &name : externalNames(content.text())) {
    hash.updateField(name);
    addFacts(hash, (fs::path(model).parent_path() / name).string());
  }
  return hash.hex();
}

Result<Compiled> Cache::artifactFor(const std::string &model,
                                    const std::vector<std::string> &options,
                                    const std::string &compiler) {
  Result<std::string> key = keyOf(model, options, compiler);
  if (!key)
    return key.takeError();
  Compiled compiled;
  compiled.path = folder + "/" + *key + ".imx";
  std::error_code failure;
  if (isWhole(compiled.path)) {
    fs::last_write_time(compiled.path, fs::file_time_type::clock::now(), failure);
    return compiled;
  }
  // Only the user may put code here that is loaded later.
  bool made = fs::create_directories(folder, failure);
  if (made)
    fs::permissions(folder, fs::perms::owner_all, failure);
  if (failure)
    return badInput(731, "cannot make the folder " + folder, failure.message(),
                    "imbrex compile MODEL -o FILE.imx and imbrex run FILE.imx");
  std::string unfinished = compiled.path + "." + std::to_string(getpid());
  std::vector<std::string> arguments = {model, "-o", unfinished, "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "compiling %s\n", model.c_str());
  Result<int> exitCode = runProgram(compiler, arguments);
  if (!exitCode)
    return exitCode.takeError();
  compiled.exitCode = *exitCode;
  if (compiled.exitCode != 0) {
    fs::remove(unfinished, failure);
    return compiled;
  }
  fs::rename(unfinished, compiled.path, failure);
  if (failure)
    return badInput(731, "cannot keep the compiled model in " + folder, failure.message());
  compiled.fresh = true;
  evict(compiled.path);
  return compiled;
}

void Cache::evict(const std::string &keep) {
  std::vector<Kept> files;
  uint64_t total = 0;
  std::error_code ignored; // another process may remove the same file
  for (const auto &entry : fs::directory_iterator(folder, ignored)) {
    Kept file{entry.path(), entry.last_write_time(ignored), entry.file_size(ignored)};
    if (ignored)
      continue;
    total += file.bytes;
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const Kept &a, const Kept &b) { return a.used < b.used; });
  for (const Kept &file : files) {
    if (total <= limit)
      return;
    if (file.path == keep)
      continue;
    fs::remove(file.path, ignored);
    total -= file.bytes;
  }
}

} // namespace imbrex::tools
