// The list of operators' forms says which of them are imported; here it is held to the converters.
#include "compiler/frontend/onnx/Converters.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace imbrex::frontend {
namespace {

/// Imported without a converter, since they hold graphs.
const std::set<std::string> kWithGraphs = {"If", "Loop", "Scan", "SequenceMap",
                                           "ai.onnx.preview.FlexAttention"};

TEST(Forms, AreThoseThatTheListMarks) {
  std::ifstream list(IMBREX_OPERATOR_FORMS);
  ASSERT_TRUE(list) << IMBREX_OPERATOR_FORMS;
  std::string line;
  int64_t forms = 0;
  while (std::getline(list, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string op, word;
    words >> op;
    if (kWithGraphs.count(op))
      continue;
    for (; words >> word; ++forms) {
      const bool missing = word[0] == '!';
      int64_t first = 0;
      const int64_t set = std::stoll(word.substr(missing));
      EXPECT_EQ(findConverter(op, set, first) == nullptr, missing)
          << op << " of operator set " << set;
    }
  }
  EXPECT_GT(forms, 500);
}

} // namespace
} // namespace imbrex::frontend
