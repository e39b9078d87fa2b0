#include "support/text/Printable.h"

#include "support/Result.h"
#include "support/text/Markup.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

TEST(Printable, OrdinaryTextOfAnyLanguageStays) {
  for (const char *text : {"", "conv1/weight:0", "größe", "尺寸", "🙂", "a\\b \"c\""})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, NothingMovesTheCursorOrChangesColours) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\rb\nc\td\x7f"), "a\\rb\\nc\\td\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
}

TEST(Printable, NothingTurnsTheDirectionOfReading) {
  EXPECT_EQ(printable("a\u202eb\u2066c\ufeff"), "a\\u{202e}b\\u{2066}c\\u{feff}");
}

TEST(Printable, BytesThatAreNoUtf8AreShownAsBytes) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");          // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(printable("\xe5\xb0"), "\\xe5\\xb0");          // cut off
}

TEST(Printable, LinesKeepTheirBreaks) {
  EXPECT_EQ(printableLines("a\n\tb\x1b\r"), "a\n\tb\\x1b\\r");
}

TEST(Printable, ErrorsOfHostileNamesAreOneLine) {
  const Error error =
      badInput(400, "the node 'x\x1b]0;title\a\n' is bad", "of \u202e", "", {"a\tb"});
  EXPECT_EQ(error.str(),
            "a\\tb: error[E0400]: the node 'x\\x1b]0;title\\x07\\n' is bad; because of \\u{202e}");
}

TEST(Printable, AnErrorShowsTheBeginningOfALongName) {
  std::string name;
  while (name.size() < 1'000'000)
    name += "ö";
  const std::string text = badInput(1, "'" + name + "' is unknown", name, "another").str();
  EXPECT_LT(text.size(), 9000u);
  EXPECT_NE(text.find("bytes more); because ö"), std::string::npos);
  EXPECT_EQ(text.find("\\x"), std::string::npos) << "cut within a character";
}

TEST(Markup, NamesAreNoMarkup) {
  EXPECT_EQ(escapeMarkup("<b title=\"x\">&\x1b\n"), "&lt;b title=&quot;x&quot;&gt;&amp; \n");
  EXPECT_EQ(escapeScriptData(R"({"a":"</script><!--&"})"),
            R"({"a":"\u003c/script\u003e\u003c!--\u0026"})");
}

} // namespace
} // namespace imbrex
