// Every case of reference/*.jsonl: a request, the numbers that other software gave, and which. The
// files are written by `check.py --record`; they make the comparison repeatable without that
// software.
#include "test/oracles/Registry.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats::oracles;

namespace {

/// Infinities are written as text, as Json does.
bool agrees(const Json &expected, const Json &actual, double tolerance) {
  if (!expected.isNumber() || !actual.isNumber())
    return expected.toText() == actual.toText();
  double a = expected.toDouble(), b = actual.toDouble();
  return a == b || std::fabs(a - b) <= tolerance * std::fmax(std::fabs(a), 1e-10);
}

} // namespace

TEST(Oracles, RecordedNumbers) {
  int files = 0, numbers = 0;
  for (const auto &file : std::filesystem::directory_iterator(IMBREX_ORACLE_REFERENCE)) {
    if (file.path().extension() != ".jsonl")
      continue;
    ++files;
    std::ifstream in(file.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      auto request = Json::parse(line);
      ASSERT_TRUE(request.ok()) << file.path() << ":" << number;
      Json reply = answer(*request), expected = request->at("expected");
      for (const std::string &key : expected.keys()) {
        double tolerance = request->at("tolerances").at(key).toDouble(1e-8);
        EXPECT_TRUE(agrees(expected.at(key), reply.at(key), tolerance))
            << file.path().filename() << ":" << number << ": " << key << " is "
            << reply.at(key).toText() << ", and " << request->at("source").toText() << " gives "
            << expected.at(key).toText();
        ++numbers;
      }
    }
  }
  EXPECT_GE(files, 1);
  EXPECT_GE(numbers, 200);
}
