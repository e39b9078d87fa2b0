#include "tools/onnx-suite/Expectations.h"

#include <fstream>
#include <sstream>

namespace imbrex::suite {

static std::string trimmed(const std::string &s) {
  auto begin = s.find_first_not_of(" \t\r"), end = s.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : s.substr(begin, end - begin + 1);
}

Result<Expectations> parseExpectations(const std::string &text, const std::string &path) {
  Expectations out;
  std::istringstream lines(text);
  std::string line;
  for (uint32_t number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty())
      continue;
    auto colon = line.find(':');
    auto name = trimmed(line.substr(0, colon));
    auto feature = colon == std::string::npos ? "" : trimmed(line.substr(colon + 1));
    if (name.empty() || feature.empty())
      return badInput(711, "this is not an expectation", "a line reads 'case: missing feature'",
                      "naming the missing feature", {path, number, 0});
    if (!out.emplace(name, feature).second)
      return badInput(711, "case '" + name + "' is listed twice", "", "removing one line",
                      {path, number, 0});
  }
  return out;
}

Result<Expectations> readExpectations(const std::string &path) {
  std::ifstream in(path);
  if (!in)
    return badInput(710, "cannot read '" + path + "'", "", "checking the path");
  std::stringstream text;
  text << in.rdbuf();
  return parseExpectations(text.str(), path);
}

} // namespace imbrex::suite
