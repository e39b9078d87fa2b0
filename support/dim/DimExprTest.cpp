// Canonical forms, text, evaluation.
#include "support/dim/DimExpr.h"

#include <gtest/gtest.h>

#include <random>

namespace imbrex {

static DimExpr parsed(std::string_view text) {
  auto e = DimExpr::parse(text);
  EXPECT_TRUE(e.ok()) << text << ": " << (e.ok() ? "" : e.error().str());
  return e ? *e : DimExpr();
}
static std::string canonical(std::string_view text) { return parsed(text).str(); }

TEST(DimExpr, SumsAndProductsHaveOneForm) {
  EXPECT_EQ(canonical("1+n*2"), "2*n+1");
  EXPECT_EQ(canonical("m*n - n*m"), "0");
  EXPECT_EQ(canonical("(n+1)*(n-1)"), "n*n-1");
  EXPECT_EQ(canonical("b - a"), "-a+b");
  EXPECT_EQ(parsed("n*(m+2)"), parsed("2*n + m*n"));
  EXPECT_EQ(parsed("n*(m+2)").hash(), parsed("2*n + m*n").hash());
}

TEST(DimExpr, FloorDivisionSplitsCoefficients) {
  EXPECT_EQ(canonical("(4*n+6) floordiv 4"), "n+1");
  EXPECT_EQ(canonical("(n+3) floordiv 2"), "((n+1) floordiv 2)+1");
  EXPECT_EQ(canonical("(3*n) floordiv 2"), "n+(n floordiv 2)");
  EXPECT_EQ(canonical("(6*n+4) floordiv 4"), "n+(n floordiv 2)+1");
  EXPECT_EQ(canonical("(n floordiv 2) floordiv 3"), "n floordiv 6");
  EXPECT_EQ(canonical("((n floordiv 2)+1) floordiv 2"), "(n+2) floordiv 4");
  EXPECT_EQ(canonical("(n*m*8) floordiv (m*n)"), "8");
  EXPECT_EQ(canonical("(n*m+n+1) floordiv n"), "m+(1 floordiv n)+1");
  EXPECT_EQ(canonical("(n*m+2*n) floordiv (m+2)"), "n");
  EXPECT_EQ(canonical("-7 floordiv 2"), "-4");
}

TEST(DimExpr, ModuloDropsMultiples) {
  EXPECT_EQ(canonical("(4*n+6) mod 4"), "2");
  EXPECT_EQ(canonical("(2*n+1) mod 4"), "2*(n mod 2)+1");
  EXPECT_EQ(canonical("(n mod 6) mod 3"), "n mod 3");
  EXPECT_EQ(canonical("(n*m) mod m"), "0");
  EXPECT_EQ(canonical("-7 mod 2"), "1");
}

TEST(DimExpr, MinAndMax) {
  EXPECT_EQ(canonical("max(n+2, n)"), "n+2");
  EXPECT_EQ(canonical("min(n, n+2)"), "n");
  EXPECT_EQ(parsed("max(n, max(4, m))"), parsed("max(max(m, n), 4)"));
  EXPECT_EQ(canonical("max(4, max(n, 7))"), canonical("max(n, 7)"));
}

TEST(DimExpr, TextRoundTrips) {
  for (const char *text : {"0", "-1", "n", "-n", "2*n+1", "m*n", "(n+1) floordiv 2", "min(n, 4)",
                           "n mod 8", "-9223372036854775808", "n-9223372036854775808",
                           "3*(n floordiv 2)-max(k, m+1)", "$0+a.b"}) {
    DimExpr e = parsed(text);
    EXPECT_EQ(parsed(e.str()), e) << text << " printed " << e.str();
  }
}

TEST(DimExpr, BadTextIsAnErrorWithAPlace) {
  for (const char *text : {"", "n+", "2 n", "(n", "min(n)", "n floordiv 0", "n mod -1", "floordiv",
                           "9223372036854775808", "min", "n)", "#"}) {
    auto e = DimExpr::parse(text);
    ASSERT_FALSE(e.ok()) << text;
    EXPECT_EQ(e.error().code, 503);
    EXPECT_NE(e.error().because.find("at character"), std::string::npos);
  }
  EXPECT_FALSE(DimExpr::parse(std::string(100000, '(')).ok());
  EXPECT_FALSE(DimExpr::parse(std::string(100000, '-')).ok());
  std::string product = "(a+b+c+d)";
  for (int i = 0; i < 40; ++i)
    product += "*(a+b+c+d+e" + std::to_string(i) + ")";
  EXPECT_FALSE(DimExpr::parse(product).ok()) << "too large";
}

TEST(DimExpr, OverflowMakesItInvalidForGood) {
  DimExpr big = INT64_MAX;
  EXPECT_FALSE((big + 1).valid());
  EXPECT_FALSE((DimExpr::symbol("n") * big * DimExpr(2)).valid());
  EXPECT_FALSE((big + 1 - 1).valid());
  EXPECT_FALSE(min(big + 1, 3).valid());
  EXPECT_FALSE(floorDiv(big + 1, 2).valid());
  EXPECT_EQ((big + 1).constant(), std::nullopt);
}

TEST(DimExpr, EvaluatesOrSaysWhyNot) {
  EXPECT_EQ(*parsed("(n+3) floordiv 2 * m").evaluate({{"n", 4}, {"m", 10}}), 30);
  EXPECT_EQ(*parsed("n mod 3").evaluate({{"n", -1}}), 2);
  EXPECT_FALSE(parsed("n").evaluate({}).ok());
  EXPECT_FALSE(parsed("8 floordiv n").evaluate({{"n", 0}}).ok());
  EXPECT_FALSE(parsed("n*n").evaluate({{"n", int64_t{1} << 40}}).ok());
}

TEST(DimExpr, SymbolsAndSubstitution) {
  DimExpr e = parsed("max(b, a floordiv 2) + c*a");
  EXPECT_EQ(e.symbols(), (std::vector<std::string>{"a", "b", "c"}));
  DimExpr s = e.substitute([](std::string_view name) -> std::optional<DimExpr> {
    return name == "a" ? std::optional<DimExpr>(4) : std::nullopt;
  });
  EXPECT_EQ(s.str(), "4*c+max(b, 2)");
  EXPECT_EQ(parsed("n").asSymbol(), "n");
  EXPECT_EQ(parsed("n+1").asSymbol(), std::nullopt);
}

TEST(DimExpr, BroadcastListsEachPartOnce) {
  EXPECT_EQ(parsed("bcast(n, m)").str(), "bcast(m, n)");
  EXPECT_EQ(parsed("bcast(n, bcast(m, n))"), parsed("bcast(m, n)"));
  EXPECT_EQ(parsed("bcast(bcast(a, b), c)"), parsed("bcast(a, bcast(b, c))"));
  EXPECT_EQ(parsed("bcast(1, n)").str(), "n");
  EXPECT_EQ(parsed("bcast(1, 1)").str(), "1");
  EXPECT_EQ(parsed("bcast(n, 8)").str(), "8");
  EXPECT_EQ(parsed("bcast(n, 0)").str(), "0");
  EXPECT_EQ(parsed("bcast(a, b)").broadcastParts().size(), 2u);
  EXPECT_EQ(*parsed("bcast(a, b)").evaluate({{"a", 1}, {"b", 0}}), 0);
  EXPECT_EQ(*parsed("bcast(a, b)").evaluate({{"a", 7}, {"b", 1}}), 7);
  EXPECT_FALSE(DimExpr::parse("bcast").ok());
}

/// A random expression as text; canonical arithmetic must not change its value.
static std::string randomText(std::mt19937 &r, int depth) {
  switch (depth == 0 ? r() % 2 : 2 + r() % 7) {
  case 0:
    return std::to_string(static_cast<int>(r() % 9) - 4);
  case 1:
    return std::string(1, static_cast<char>('a' + r() % 3));
  case 2:
    return "(" + randomText(r, depth - 1) + " floordiv " + std::to_string(1 + r() % 6) + ")";
  case 3:
    return "(" + randomText(r, depth - 1) + " mod " + std::to_string(1 + r() % 6) + ")";
  case 4:
    return "min(" + randomText(r, depth - 1) + ", " + randomText(r, depth - 1) + ")";
  case 5:
    return "max(" + randomText(r, depth - 1) + ", " + randomText(r, depth - 1) + ")";
  case 6:
    return "(" + randomText(r, depth - 1) + "*" + randomText(r, depth - 1) + ")";
  case 7:
    return "(" + randomText(r, depth - 1) + "-" + randomText(r, depth - 1) + ")";
  default:
    return "(" + randomText(r, depth - 1) + "+" + randomText(r, depth - 1) + ")";
  }
}

TEST(DimExpr, CanonicalFormKeepsTheValue) {
  std::mt19937 r(7);
  for (int i = 0; i < 1000; ++i) {
    DimExpr e = parsed(randomText(r, 4));
    std::map<std::string, int64_t, std::less<>> values;
    for (const char *s : {"a", "b", "c"})
      values[s] = static_cast<int64_t>(r() % 20);
    // Substituted numbers fold through the same rules one by one, evaluation does not fold.
    DimExpr folded = e.substitute([&](std::string_view s) -> std::optional<DimExpr> {
      return DimExpr(values.find(s)->second);
    });
    auto v = e.evaluate(values);
    ASSERT_TRUE(v.ok()) << e.str();
    EXPECT_EQ(folded.constant(), *v) << e.str();
    EXPECT_EQ(parsed(e.str()), e) << e.str();
  }
}

} // namespace imbrex
