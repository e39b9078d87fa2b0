#include "support/json/Json.h"
#include "support/json/EqualKeys.h"

#include <gtest/gtest.h>

#include <limits>

using namespace imbrex;

TEST(Json, KeepsTheOrderOfKeys) {
  Json json = Json::object().set("z", int64_t(1)).set("a", std::vector<int64_t>{2, 3});
  EXPECT_EQ(json.toText(), R"({"z":1,"a":[2,3]})");
}

TEST(Json, WritesNumbersThatJsonLacksAsText) {
  Json json = Json::array();
  json.push(Json::of(std::numeric_limits<double>::quiet_NaN()));
  json.push(Json::of(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(json.toText(), R"(["NaN","-Infinity"])");
}

TEST(Json, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(Json::object().set("name", "a\xff").toText(), "{\"name\":\"a\xEF\xBF\xBD\"}");
}

TEST(Json, ReadsBackWhatItWrote) {
  Json json = Json::object().set("values", std::vector<std::string>{"x", "y"}).set("n", int64_t(7));
  Result<Json> again = Json::parse(json.str());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->at("n").toInt(), 7);
  ASSERT_EQ(again->at("values").items().size(), 2u);
  EXPECT_EQ(again->at("values").items()[1].toText(), "y");
  EXPECT_EQ(again->keys(), (std::vector<std::string>{"values", "n"}));
}

TEST(Json, RefusesWhatIsNoJson) {
  Result<Json> json = Json::parse("{\"a\":");
  ASSERT_FALSE(json.ok());
  EXPECT_EQ(json.error().code, 702);
}

TEST(Json, SaysWhereTheTextIsNoJson) {
  Result<Json> json = Json::parse("{\n  \"a\": tru }", "x.json");
  ASSERT_FALSE(json.ok());
  EXPECT_EQ(json.error().where.file, "x.json");
  EXPECT_EQ(json.error().where.line, 2u);
}

TEST(Json, RefusesDeepNesting) {
  Result<Json> json = Json::parse(std::string(100000, '['));
  ASSERT_FALSE(json.ok());
  EXPECT_EQ(json.error().code, 702);
}

TEST(Json, ReadsObjectsOfManyKeysInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 100000; ++i)
    text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  Result<Json> json = Json::parse(text + "\"k7\":-1,\"k99999\":[{\"a\":1}]}");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->keys().size(), 100000u);
  EXPECT_EQ(json->at("k7").toInt(), -1); // of equal keys the last one counts
  EXPECT_EQ(json->at("k99999").items()[0].at("a").toInt(), 1);
  Result<Json> few = Json::parse(R"({"a":1,"b":[],"a":{"x":null}})");
  ASSERT_TRUE(few.ok());
  EXPECT_EQ(few->toText(), R"({"a":{"x":null},"b":[]})");
}

TEST(Json, RefusesNumbersOutOfRange) {
  Result<Json> json = Json::parse("[1e999]", "x.json");
  ASSERT_FALSE(json.ok());
  EXPECT_EQ(json.error().code, 702);
  EXPECT_NE(json.error().str().find("out of range"), std::string::npos);
}

TEST(Json, SharesTheDocumentUntilItIsChanged) {
  Json document = *Json::parse(R"({"a":[1,2]})");
  Json inner = document.at("a");
  inner.push(Json::of(int64_t(3)));
  EXPECT_EQ(inner.toText(), "[1,2,3]");
  EXPECT_EQ(document.toText(), R"({"a":[1,2]})");
}

TEST(Json, ControlCharactersAreEscapedAndComeBack) {
  const std::string text = "a\x1b\x7f\xc2\x9b\u202e\U000e0041\ufeffz";
  const std::string json = Json::of(text).str();
  EXPECT_EQ(json, "\"a\\u001b\\u007f\\u009b\\u202e\\udb40\\udc41\\ufeffz\"");
  EXPECT_EQ(Json::parse(json)->toText(), text);
}

TEST(Json, FindsEqualKeys) {
  EXPECT_EQ(equalKey(R"({"a":1,"b":{"a":2}})"), "");
  EXPECT_EQ(equalKey(R"([{"a":1,"b":2,"a":3}])"), "a");
  std::string many = "{";
  for (int i = 0; i < 40; ++i)
    many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(equalKey(many + "\"z\":0}"), "");
  EXPECT_EQ(equalKey(many + "\"k3\":0}"), "k3");
}
