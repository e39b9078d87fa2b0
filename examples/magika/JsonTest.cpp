#include "examples/magika/Json.h"

#include <gtest/gtest.h>

namespace imbrex::magika {
namespace {

TEST(Json, ReadsEveryKindOfValue) {
  Result<JsonValue> value =
      parseJson(R"( {"a": [1, -2.5e1, true, null], "b": {"c": "x\n\u00e9\ud83d\ude00"}} )", "f");
  ASSERT_TRUE(value.ok());
  const JsonValue::Array &items = *value->find("a")->array();
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(*items[0].number(), 1);
  EXPECT_EQ(*items[1].number(), -25);
  EXPECT_TRUE(*items[2].boolean());
  EXPECT_TRUE(items[3].isNull());
  EXPECT_EQ(*value->find("b")->find("c")->string(), "x\n\xC3\xA9\xF0\x9F\x98\x80");
}

TEST(Json, FindsNothingInOtherKinds) {
  Result<JsonValue> value = parseJson("[1]", "f");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->find("a"), nullptr);
  EXPECT_EQ(value->string(), nullptr);
}

TEST(Json, SaysWhereAndWhyItFailed) {
  Result<JsonValue> value = parseJson("{\n  \"a\": 01\n}", "config.json");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().where.file, "config.json");
  EXPECT_EQ(value.error().where.line, 2u);
  EXPECT_EQ(value.error().code, 20);
}

TEST(Json, RefusesWhatTheStandardRefuses) {
  for (const char *text : {"",
                           " ",
                           "{",
                           "[1,]",
                           "[1 2]",
                           "{\"a\" 1}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "nul",
                           "truex",
                           "+1",
                           "1.",
                           ".5",
                           "1e",
                           "--1",
                           "inf",
                           "NaN",
                           "1e999",
                           "\"a",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\",
                           "\"\\u12",
                           "\"\n\"",
                           "[1] 2",
                           "// c\n1",
                           "{\"a\":1,\"a\":2}",
                           "]"})
    EXPECT_FALSE(parseJson(text, "f").ok()) << text;
}

TEST(Json, RefusesDeepNestingInsteadOfOverflowing) {
  EXPECT_FALSE(parseJson(std::string(1'000'000, '['), "f").ok());
  EXPECT_TRUE(parseJson(std::string(60, '[') + std::string(60, ']'), "f").ok());
}

} // namespace
} // namespace imbrex::magika
