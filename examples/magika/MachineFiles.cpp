#include "examples/magika/MachineFiles.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace imbrex::magika {
namespace {

namespace fs = std::filesystem;

constexpr size_t maxEntries = 60000;

// In the order in which kinds are taken, the more telling ones first.
constexpr const char *endings[] = {
    ".py",   ".pl",  ".sh",   ".h",   ".so",  ".a",    ".o",    ".html", ".css",   ".js",
    ".json", ".xml", ".png",  ".svg", ".gif", ".jpg",  ".ico",  ".pdf",  ".ttf",   ".otf",
    ".gz",   ".xz",  ".zip",  ".jar", ".crt", ".conf", ".yaml", ".toml", ".md",    ".rst",
    ".tex",  ".el",  ".lua",  ".tcl", ".rb",  ".m4",   ".awk",  ".mk",   ".cmake", ".hpp",
    ".cpp",  ".c",   ".ml",   ".hs",  ".R",   ".java", ".sql",  ".csv",  ".ogg",   ".wav",
    ".pyc",  ".ps",  ".diff", ".ini", ".db",  ".whl",  ".dtd",  ".po",   ".onnx",  ".exe"};

constexpr const char *roots[] = {
    "/etc",       "/usr/include", "/usr/share/doc", "/usr/lib/python3", "/usr/share/perl",
    "/usr/share", "/usr/lib",     "/usr/bin"};

/// The first readable regular file by name for each ending; programs without one count by their
/// folder.
class Search {
public:
  void walk(const fs::path &root, size_t budget) {
    std::error_code error;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error),
        end;
    while (!error && at != end && budget-- > 0) {
      consider(*at);
      at.increment(error);
    }
  }

  std::vector<std::string> take(size_t limit) const {
    std::vector<std::string> files;
    auto add = [&](const char *kind) {
      auto found = firstOfKind.find(kind);
      if (found != firstOfKind.end() && files.size() < limit)
        files.push_back(found->second);
    };
    add("program");
    for (const char *ending : endings)
      add(ending);
    return files;
  }

private:
  void consider(const fs::directory_entry &entry) {
    std::error_code error;
    if (!entry.is_regular_file(error) || entry.is_symlink(error))
      return;
    const std::string path = entry.path().string();
    std::string kind = entry.path().extension().string();
    if (kind.empty() && path.starts_with("/usr/bin/") && path[9] >= 'a')
      kind = "program";
    else if (std::find(std::begin(endings), std::end(endings), kind) == std::end(endings))
      return;
    auto known = firstOfKind.find(kind);
    if ((known == firstOfKind.end() || path < known->second) && access(path.c_str(), R_OK) == 0)
      firstOfKind[kind] = path;
  }

  std::map<std::string, std::string> firstOfKind;
};

} // namespace

std::vector<std::string> filesOfThisMachine(size_t limit) {
  Search search;
  for (const char *root : roots)
    search.walk(root, maxEntries / std::size(roots));
  return search.take(limit);
}

} // namespace imbrex::magika
