#include "proof/sql/qed/PublishedSuites.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace imbrex::sql {

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> readFolder(const fs::path &folder) {
  std::map<std::string, std::string> files;
  for (const auto &entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    files[entry.path().stem().string()] = text.str();
  }
  return files;
}

fs::path findArchive(const fs::path &folder, const std::string &suite) {
  if (!fs::is_directory(folder))
    return {};
  for (const auto &entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (name.find("-" + suite + "-") != std::string::npos && entry.path().extension() == ".xz")
      return entry.path();
  }
  return {};
}

} // namespace

Result<std::map<std::string, std::string>> publishedSuite(const std::string &suite) {
  const char *data = std::getenv("IMBREX_BENCH_DATA");
  if (!data)
    return unsupported(1082, "the published suites are not here",
                       "IMBREX_BENCH_DATA names no folder");
  fs::path folder = fs::path(data) / "sql";
  if (fs::is_directory(folder / suite))
    return readFolder(folder / suite);
  fs::path archive = findArchive(folder, suite);
  if (archive.empty())
    return unsupported(1082, "the suite '" + suite + "' is not here",
                       folder.string() + " has neither its folder nor its archive");
  std::string pattern = (fs::temp_directory_path() / "imbrex-suite-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return unsupported(1082, "there is no temporary folder to unpack into");
  std::string command = "tar -xJf '" + archive.string() + "' -C '" + pattern + "'";
  int code = std::system(command.c_str());
  std::map<std::string, std::string> files;
  if (code == 0 && fs::is_directory(fs::path(pattern) / suite))
    files = readFolder(fs::path(pattern) / suite);
  fs::remove_all(pattern);
  if (files.empty())
    return unsupported(1082, "the archive of the suite '" + suite + "' cannot be unpacked");
  return files;
}

} // namespace imbrex::sql
