#include "compiler/passes/graph/rules/ParseRules.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imbrex::rules {
namespace {

/// The error of reading and checking; "" when there is none.
std::string problem(std::string_view text) {
  auto rules = parseRules(text, "f.rules");
  if (!rules)
    return rules.error().str();
  Status good = checkRules(*rules);
  return good ? "" : good.error().str();
}

TEST(ParseRules, ReadsEachPart) {
  auto rules = parseRules(R"(# a comment
class view = reshape | flatten
rule r-1
  view(mul(x, c), …) => mul(x, c)   # x is used twice
  where all(c, -0.0), total
  where float(x)
  contract reals licence some-name
)",
                          "f.rules");
  ASSERT_TRUE(rules.ok()) << rules.error().str();
  ASSERT_EQ(rules->size(), 1u);
  const Rule &r = (*rules)[0];
  EXPECT_EQ(r.name, "r-1");
  EXPECT_EQ(r.line, 3u);
  EXPECT_EQ(r.left.operators, (std::vector<std::string>{"reshape", "flatten"}));
  EXPECT_TRUE(r.left.more);
  EXPECT_EQ(r.left.arguments[0].arguments[1].name, "c");
  ASSERT_EQ(r.conditions.size(), 3u);
  EXPECT_TRUE(std::signbit(std::get<double>(r.conditions[0].arguments[1].value)));
  EXPECT_EQ(contractText(r), "reals: licence some-name");
}

TEST(ParseRules, ReadsAttributes) {
  auto rules = parseRules(
      R"(rule t transpose(x, perm = p) => transpose(x, perm = compose(p, [1, 0])) contract exact bits
rule c conv(x, w, *a) => conv(x, w, *a) contract exact bits)",
      "f.rules");
  ASSERT_TRUE(rules.ok()) << rules.error().str();
  const AttrTerm &attr = (*rules)[0].right.attrs[0].value;
  EXPECT_EQ(attr.kind, AttrTerm::Kind::Call);
  EXPECT_EQ(std::get<std::vector<int64_t>>(attr.arguments[1].value), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ((*rules)[1].left.attrSet, "a");
}

TEST(ParseRules, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      problem("rule r neg(x) = x"),
      "f.rules:1:15: error[E0630]: this is no rule: '=>' is expected; because here stands '='");
  EXPECT_EQ(problem("rule r neg(x) => x"), "f.rules:1:19: error[E0630]: this is no rule: "
                                           "'contract' is expected; because the file ends here");
  EXPECT_EQ(problem("\n  nonsense"), "f.rules:2:3: error[E0630]: this is no rule: 'rule' or "
                                     "'class' is expected; because here stands 'nonsense'");
  EXPECT_NE(problem("rule r " + std::string(1000, 'f') +
                    [] {
                      std::string deep;
                      for (int i = 0; i < 100; ++i)
                        deep += "neg(";
                      return deep;
                    }()),
            "");
}

struct Wrong {
  const char *rule, *why;
};
TEST(CheckRules, RefusesWhatCannotBeMeant) {
  const Wrong wrong[] = {
      {"x => x contract exact bits", "the left side is no operator applied"},
      {"negg(x) => x contract exact bits", "there is no operator 'negg'"},
      {"neg(x, y) => x contract exact bits", "'neg' has not 2 operands"},
      {"neg(x) => y contract exact bits", "the left side binds no 'y'"},
      {"cast(x, too = t) => x contract exact bits", "'cast' has no attribute 'too'"},
      {"neg(x) => cast(x, to = t) contract exact bits", "the left side binds no attribute 't'"},
      {"neg(x) => x where big(x) contract exact bits",
       "there is no condition 'big' of 1 arguments"},
      {"neg(x) => x where float(y) contract exact bits",
       "the condition 'float' is about 'y', which the left side does not bind"},
      {"neg(x) => x contract reals", "a rule over the reals, and no other, has a licence"},
      {"conv(x, w, *a) => matmul(x, w, *a) contract exact bits",
       "the left side binds no attributes *a of a matmul"},
      {"transpose(x, perm = p) => transpose(x, perm = twice(p)) contract exact bits",
       "there is no function 'twice' of 1 arguments"},
      {"neg(neg(x, …)) => per_channel(x) contract exact bits",
       "'per_channel' takes 2 terms and 0 attributes"},
  };
  for (const Wrong &w : wrong)
    EXPECT_EQ(problem(std::string("rule r ") + w.rule),
              std::string("f.rules:1:1: error[E0631]: the rule r is wrong: ") + w.why)
        << w.rule;
  EXPECT_EQ(
      problem("rule r neg(x) => x contract exact bits\nrule r abs(x) => x contract exact bits"),
      "f.rules:2:1: error[E0631]: there are two rules r");
}

} // namespace
} // namespace imbrex::rules
