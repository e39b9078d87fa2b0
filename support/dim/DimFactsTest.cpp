// Proofs from facts.
#include "support/dim/DimExpr.h"

#include <gtest/gtest.h>

#include <random>

namespace imbrex {

static DimExpr d(std::string_view text) {
  auto e = DimExpr::parse(text);
  EXPECT_TRUE(e.ok()) << text;
  return e ? *e : DimExpr();
}

TEST(DimFacts, FactsIntersect) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {1, 100, 4}).ok());
  ASSERT_TRUE(f.add("n", {6, 1000, 6}).ok());
  EXPECT_EQ(f.of("n"), (SymbolFacts{12, 96, 12}));
  auto s = f.add("n", {97});
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, 501);
  EXPECT_NE(s.error().because.find("12..96 in steps of 12"), std::string::npos);
  EXPECT_EQ(f.of("n"), (SymbolFacts{12, 96, 12})) << "a contradiction changes nothing";
}

TEST(DimFacts, Bounds) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {2, 10}).ok());
  ASSERT_TRUE(f.add("m", {1}).ok());
  EXPECT_EQ(f.lowerBound(d("2*n+1")), 5);
  EXPECT_EQ(f.upperBound(d("2*n+1")), 21);
  EXPECT_EQ(f.lowerBound(d("3-n")), -7);
  EXPECT_EQ(f.upperBound(d("n mod 8")), 7);
  EXPECT_EQ(f.upperBound(d("m")), std::nullopt);
  EXPECT_EQ(f.lowerBound(d("n*m")), 2);
  EXPECT_EQ(f.lowerBound(d("max(m, 7)")), 7);
  EXPECT_EQ(f.upperBound(d("min(m, 7)")), 7);
  EXPECT_EQ(f.lowerBound(d("bcast(k, m)")), 0);
  EXPECT_EQ(f.upperBound(d("bcast(n, m)")), 10);
  EXPECT_EQ(f.simplify(d("bcast(n, m)")), d("n")) << "n is not 1";
}

TEST(DimFacts, RelatedTermsAreNotTornApart) {
  DimFacts f;
  EXPECT_TRUE(f.provenAtLeast(d("n - (n floordiv 2)"), 0));
  EXPECT_TRUE(f.provenAtLeast(d("max(n, m) - m"), 0));
  EXPECT_TRUE(f.provenAtLeast(d("n - min(n, m)"), 0));
  ASSERT_TRUE(f.add("k", {1}).ok());
  EXPECT_TRUE(f.provenAtLeast(d("n*k - n"), 0));
  // The last window of a convolution with stride 2 and kernel 3 ends inside of the image.
  ASSERT_TRUE(f.add("h", {3}).ok());
  EXPECT_TRUE(f.provenAtLeast(d("h - (2*((h-3) floordiv 2) + 3)"), 0));
  EXPECT_FALSE(f.provenAtLeast(d("h - (2*((h-2) floordiv 2) + 3)"), 0));
}

TEST(DimFacts, EqualitiesAreSolved) {
  DimFacts f;
  ASSERT_TRUE(f.addEquality(d("n"), d("2*m")).ok());
  EXPECT_TRUE(f.provenEqual(d("n+1"), d("2*m+1")));
  EXPECT_TRUE(f.provenMultiple(d("n"), 2));
  ASSERT_TRUE(f.addEquality(d("m"), d("k")).ok());
  EXPECT_TRUE(f.provenEqual(d("n"), d("2*k")));
  EXPECT_EQ(f.simplify(d("n-2*k")).str(), "0");
  ASSERT_TRUE(f.addEquality(d("3*k"), 12).ok());
  EXPECT_EQ(f.simplify(d("n")).str(), "8");
  auto s = f.addEquality(d("n"), 9);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, 502);
}

TEST(DimFacts, OpenSizesAreSolvedFirst) {
  DimFacts f;
  ASSERT_TRUE(f.addEquality(d("a"), d("$3")).ok());
  EXPECT_EQ(f.simplify(d("$3+1")).str(), "a+1");
  EXPECT_EQ(f.lowerBound(d("$9")), std::nullopt) << "nothing is known of it yet";
  EXPECT_EQ(f.lowerBound(d("x")), 0);
}

TEST(DimFacts, EqualityMeetsRanges) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {1, 8}).ok());
  EXPECT_EQ(f.addEquality(d("n"), 9).error().code, 502);
  EXPECT_EQ(f.addEquality(d("2*n"), 7).error().code, 502);
  ASSERT_TRUE(f.addEquality(d("n"), d("m")).ok());
  EXPECT_EQ(f.upperBound(d("m")), 8);
}

TEST(DimFacts, FactsMeetEqualitiesMadeBefore) {
  DimFacts f;
  ASSERT_TRUE(f.addEquality(d("n"), 3).ok());
  EXPECT_EQ(f.add("n", {4}).error().code, 501);
  EXPECT_EQ(f.add("n", {0, 9, 2}).error().code, 501);
  ASSERT_TRUE(f.addEquality(d("p"), d("m")).ok()); // p is m
  ASSERT_TRUE(f.add("p", {2, 8, 4}).ok());
  EXPECT_EQ(f.of("m"), (SymbolFacts{4, 8, 4}));
  EXPECT_EQ(f.add("m", {9}).error().code, 501);
  ASSERT_TRUE(f.addEquality(d("z"), d("a+b")).ok());
  ASSERT_TRUE(f.add("z", {0, 5}).ok());
  EXPECT_EQ(f.add("a", {6}).error().code, 501) << "z = a+b is at most 5";
  EXPECT_EQ(f.addEquality(d("b"), 7).error().code, 502);
  EXPECT_EQ(f.simplify(d("b")).str(), "b") << "a contradiction changes nothing";
}

TEST(DimFacts, RangesGoThroughMultiples) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {5, 16, 6}).ok());
  ASSERT_TRUE(f.addEquality(d("n"), d("4*k")).ok());
  EXPECT_EQ(f.of("k"), (SymbolFacts{3, 3, 3})) << "n is 12";
  EXPECT_EQ(f.addEquality(d("k"), 4).error().code, 502);
  DimFacts g;
  ASSERT_TRUE(g.add("n", {5, 17}).ok());
  ASSERT_TRUE(g.addEquality(d("n"), d("4*k")).ok());
  EXPECT_EQ(g.lowerBound(d("k")), 2);
  EXPECT_EQ(g.upperBound(d("k")), 4);
}

TEST(DimFacts, WhatIsSolvedLaterHoldsInEqualitiesWithoutASolution) {
  DimFacts f;
  ASSERT_TRUE(f.addEquality(d("a*b"), d("c*e")).ok());
  ASSERT_TRUE(f.addEquality(d("e"), d("2*a")).ok());
  EXPECT_TRUE(f.provenEqual(d("a*b"), d("2*a*c")));
  ASSERT_TRUE(f.add("a", {1}).ok());
  EXPECT_EQ(f.addEquality(d("a*b"), d("2*a*c+1")).error().code, 502);
}

TEST(DimFacts, EqualitiesWithoutASolutionAreKept) {
  DimFacts f;
  ASSERT_TRUE(f.addEquality(d("a*b"), d("c*e")).ok());
  EXPECT_TRUE(f.provenEqual(d("c*e"), d("a*b")));
  EXPECT_TRUE(f.provenEqual(d("2*c*e"), d("2*a*b")));
  EXPECT_FALSE(f.provenEqual(d("a"), d("c")));
}

TEST(DimFacts, Inequalities) {
  DimFacts f;
  EXPECT_TRUE(f.provenUnequal(d("n+1"), d("n")));
  EXPECT_TRUE(f.provenUnequal(d("2*n"), d("2*m+1")));
  EXPECT_FALSE(f.provenUnequal(d("n"), d("m")));
  EXPECT_FALSE(f.provenEqual(d("n"), d("m")));
  ASSERT_TRUE(f.add("n", {5}).ok());
  EXPECT_TRUE(f.provenUnequal(d("n"), 1));
}

TEST(DimFacts, Divisibility) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {0, INT64_MAX, 32}).ok());
  EXPECT_TRUE(f.provenMultiple(d("n*m+64"), 32));
  EXPECT_TRUE(f.provenMultiple(d("n floordiv 4"), 8));
  EXPECT_FALSE(f.provenMultiple(d("n floordiv 4"), 16));
  EXPECT_FALSE(f.provenMultiple(d("n+4"), 8));
  EXPECT_TRUE(f.provenMultiple(d("6*m"), 3));
  EXPECT_TRUE(f.provenEqual(d("(n floordiv 8)*8"), d("n")));
  EXPECT_TRUE(f.provenEqual(d("n mod 16"), 0));
}

TEST(DimFacts, SimplifyFoldsWhatBoundsDecide) {
  DimFacts f;
  ASSERT_TRUE(f.add("n", {1, 7}).ok());
  EXPECT_EQ(f.simplify(d("max(n, 1)")).str(), "n");
  EXPECT_EQ(f.simplify(d("n floordiv 8")).str(), "0");
  EXPECT_EQ(f.simplify(d("n mod 8")).str(), "n");
  ASSERT_TRUE(f.add("one", {1, 1}).ok());
  EXPECT_EQ(f.simplify(d("one+n")).str(), "n+1");
}

/// Every proof must hold for all values that the facts allow.
TEST(DimFacts, ProofsAreSound) {
  std::mt19937 r(11);
  auto atom = [&]() -> std::string {
    const char *kAtoms[] = {"a",
                            "b",
                            "(a floordiv 3)",
                            "(b mod 4)",
                            "max(a, b)",
                            "min(a, 2*b)",
                            "((a+b) floordiv 2)",
                            "a*b",
                            "3",
                            "1"};
    return kAtoms[r() % 10];
  };
  DimFacts f;
  ASSERT_TRUE(f.add("a", {1, 9, 1}).ok());
  ASSERT_TRUE(f.add("b", {0, 8, 2}).ok());
  for (int i = 0; i < 400; ++i) {
    std::string text = std::to_string(1 + r() % 3) + "*" + atom() + "-" +
                       std::to_string(1 + r() % 3) + "*" + atom() + "+" + atom() + "-" + atom();
    DimExpr e = d(text);
    auto lo = f.lowerBound(e), hi = f.upperBound(e);
    bool zero = f.provenEqual(e, 0), nonZero = f.provenUnequal(e, 0), even = f.provenMultiple(e, 2);
    DimExpr simple = f.simplify(e);
    for (int64_t a = 1; a <= 9; ++a)
      for (int64_t b = 0; b <= 8; b += 2) {
        int64_t v = *e.evaluate({{"a", a}, {"b", b}});
        ASSERT_TRUE((!lo || *lo <= v) && (!hi || v <= *hi)) << text;
        ASSERT_TRUE(!zero || v == 0) << text;
        ASSERT_TRUE(!nonZero || v != 0) << text;
        ASSERT_TRUE(!even || v % 2 == 0) << text;
        ASSERT_EQ(*simple.evaluate({{"a", a}, {"b", b}}), v)
            << text << " simplified to " << simple.str();
      }
  }
}

} // namespace imbrex
