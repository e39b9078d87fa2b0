#include "tools/onnx-suite/Cases.h"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace imbrex::suite {
namespace fs = std::filesystem;

static std::vector<std::string> numbered(const fs::path &dir, const std::string &stem) {
  std::vector<std::string> files;
  for (int k = 0;; ++k) {
    fs::path file = dir / (stem + "_" + std::to_string(k) + ".pb");
    if (!fs::exists(file))
      return files;
    files.push_back(file.string());
  }
}

/// light_NAME.onnx has its outputs beside it, and no inputs.
static Case lightCase(const fs::path &model) {
  const std::string stem = model.stem().string();
  DataSet set{{}, numbered(model.parent_path(), stem + "_output"), true};
  return {stem, model.string(), {std::move(set)}};
}

static Case caseAt(const fs::path &dir) {
  Case c{dir.filename().string(), (dir / "model.onnx").string(), {}};
  std::vector<fs::path> sets;
  for (const auto &entry : fs::directory_iterator(dir))
    if (entry.is_directory() && entry.path().filename().string().starts_with("test_data_set_"))
      sets.push_back(entry.path());
  std::ranges::sort(sets);
  for (const auto &set : sets)
    c.sets.push_back({numbered(set, "input"), numbered(set, "output"), false});
  return c;
}

Result<std::vector<Case>> findCases(const std::string &dir) {
  std::error_code failed;
  fs::recursive_directory_iterator walk(dir, failed);
  if (failed)
    return badInput(710, "cannot read '" + dir + "'", failed.message(),
                    "running scripts/fetch-wheels, or naming a folder of node tests with --data");
  std::vector<Case> cases;
  for (const auto &entry : walk) {
    const std::string file = entry.path().filename().string();
    if (file == "model.onnx") {
      if (auto c = caseAt(entry.path().parent_path()); !c.sets.empty())
        cases.push_back(std::move(c));
    } else if (file.starts_with("light_") && file.ends_with(".onnx")) {
      if (auto c = lightCase(entry.path()); !c.sets[0].outputs.empty())
        cases.push_back(std::move(c));
    }
  }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

Result<std::vector<Case>> selectCases(std::vector<Case> cases, const std::string &regex) {
  if (regex.empty())
    return cases;
  try {
    std::regex wanted(regex);
    std::erase_if(cases, [&](const Case &c) { return !std::regex_search(c.name, wanted); });
    return cases;
  } catch (const std::regex_error &e) {
    return badInput(700, "'" + regex + "' is no regular expression", e.what());
  }
}

/// FNV-1a (Fowler, Noll, Vo), its bits mixed.
static uint64_t digestOf(const std::string &name, int64_t seed) {
  uint64_t h = 0xcbf29ce484222325 ^ static_cast<uint64_t>(seed);
  for (char c : name)
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h ^ (h >> 32);
}

std::vector<Case> sampleCases(std::vector<Case> cases, int64_t every, int64_t seed) {
  std::erase_if(cases, [&](const Case &c) {
    return digestOf(c.name, seed) % static_cast<uint64_t>(std::max<int64_t>(every, 1)) != 0;
  });
  return cases;
}

static constexpr std::string_view kSuites[] = {"node", "pytorch-converted", "pytorch-operator",
                                               "simple", "light"};

bool isSuite(const std::string &name) { return std::ranges::count(kSuites, name) != 0; }

std::string suiteData(const std::string &buildDir, const std::string &suite) {
  for (const std::string &dir : {buildDir + "/wheels/onnx/onnx/backend/test/data/" + suite,
                                 "/usr/share/libonnx-testdata/data/" + suite})
    if (fs::is_directory(dir))
      return dir;
  return "";
}

} // namespace imbrex::suite
