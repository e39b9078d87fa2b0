// Each rule of the checker, as it should be used and in ways that would prove something false:
// wrong values, captured names, wrong factors, other binders. Theorems to start from are axioms.
#include "proof/certificate/check/Check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace imbrex::check {
namespace {

// in:p and rows:r are tables of one integer, s is a function of a real number.
const char *const Terms = R"(imbrex-sql-certificate 2
t 1 variable int x1 0
t 2 variable int x2 0
t 3 number int 0
t 4 number int 1
t 5 number int 2
t 6 apply bool "in:p" 1 1
t 7 apply bool "in:p" 1 2
t 8 apply int "rows:r" 1 1
t 9 apply int "rows:r" 1 2
t 10 true
t 11 apply bool "q" 0
t 12 text "t" "a"
t 13 variable real x3 0
t 14 apply bool "in:both" 2 1 2
t 15 exists 1 x2 1 int 1 14
t 16 apply bool "in:both" 2 2 1
t 17 exists 1 x1 1 int 1 16
t 18 apply bool "in:both" 2 2 2
t 19 exists 1 x2 1 int 1 18
t 20 exists 1 x1 1 int 1 6
t 21 apply bool "in:p" 1 5
t 22 not 1 6
t 23 or 2 22 11
t 24 not 1 20
t 25 or 2 24 11
t 26 choose int 3 6 8 3
t 27 apply int "s" 1 13
t 28 zero 1 26
t 29 sum int 1 x1 1 int 2 6 8
t 30 zero 1 29
t 31 not 1 21
t 32 or 2 31 20
t 33 or 2 22 7
t 34 positive 1 8
t 35 or 2 22 34
t 36 linear int 1 1 1 8
t 37 positive 1 36
t 38 or 2 22 37
t 39 product int 2 8 9
t 40 linear int 3 1 2 1
t 41 product int 2 40 9
t 42 equal 2 6 7
t 43 and 2 6 11
t 44 collect int "min m" 1 x1 1 int 1 6
t 45 linear int 0 1 1000000000000000000000000000000 1
t 46 linear int -1 1 1000000000000000000000000000000 1
t 47 variable bool x4 0
)";

/// Nothing: all lines are accepted. Otherwise why not.
std::string whyNot(const std::string &lines) {
  std::string why = check(Terms + lines).why;
  size_t at = why.find(": ");
  why = at == std::string::npos ? why : why.substr(at + 2);
  return why == "there is no claim" ? "" : why;
}

/// The theorem T is this formula.
std::string is(int theorem, int formula) {
  return "ground 99 " + std::to_string(formula) + " 1 " + std::to_string(theorem) +
         "\nrup 0 2 0 1\n";
}

const char *const Free = "a variable must not occur here";
const char *const Choice = "the clauses do not contradict each other";

TEST(Rules, InstancesCaptureNothing) {
  const std::string some = "axiom 1 1 x1 1 int 15\n";
  EXPECT_EQ(whyNot(some + "instance 2 1 1 x1 1 int 1 2\n" + is(2, 17)), "");
  EXPECT_EQ(whyNot(some + "instance 2 1 1 x1 1 int 1 2\n" + is(2, 19)), Choice);
  const std::string plain = "axiom 1 1 x1 1 int 6\n";
  EXPECT_EQ(whyNot(plain + "instance 2 1 1 x1 1 int 1 2\n" + is(2, 7)), "");
  EXPECT_EQ(whyNot(plain + "instance 2 1 1 x1 1 int 1 5\n" + is(2, 7)), Choice);
  EXPECT_EQ(whyNot(plain + "instance 2 1 1 x1 1 int 1 12\n"),
            "a value has another sort than its variable");
  EXPECT_EQ(whyNot(plain + "instance 2 1 1 x1 1 int 1 13\n"),
            "a value has another sort than its variable");
  EXPECT_EQ(whyNot(plain + "instance 2 1 1 x1 1 int 2 3 4\n"),
            "a value for each component is expected");
  EXPECT_EQ(whyNot(plain + "instance 2 7 1 x1 1 int 1 2\n"),
            "a theorem is used that was not proven before");
}

TEST(Rules, QuantifiersComeAndGo) {
  EXPECT_EQ(whyNot("introduce 1 1 x1 1 int 6 1 5\n" + is(1, 32)), "");
  EXPECT_EQ(whyNot("introduce 1 1 x2 1 int 6 1 5\n" + is(1, 32)), Choice);
  EXPECT_NE(whyNot("introduce 1 1 x1 1 int 6 1 12\n"), "");
  EXPECT_EQ(whyNot("axiom 1 0 23\neliminate 2 1 x1 1 int 6 11 1\n" + is(2, 25)), "");
  EXPECT_EQ(whyNot("axiom 1 0 33\neliminate 2 1 x1 1 int 6 7 1\n"), "");
  EXPECT_EQ(whyNot("axiom 1 0 33\neliminate 2 1 x2 1 int 6 7 1\n"), Free);
  EXPECT_EQ(whyNot("axiom 1 0 33\neliminate 2 1 x1 1 int 6 11 1\n"),
            "the theorem is no such implication");
  EXPECT_EQ(whyNot("t 50 exists 1 x1 1 int 2 6 11\n"),
            "ill-formed term: one formula to quantify over");
  // A component that the variable does not have.
  EXPECT_EQ(whyNot("t 50 exists 1 x1 1 real 1 6\n"),
            "ill-formed term: components of the variable's sorts");
}

TEST(Rules, SumsAddUp) {
  const std::string known = "axiom 1 0 28\n";
  EXPECT_EQ(whyNot(known + "add 2 1 x1 1 int 10 1 1 1 6 8\n" + is(2, 30)), "");
  EXPECT_EQ(whyNot(known + "add 2 1 x1 1 int 10 1 2 1 6 8 -1 6 4\n"), "the terms are others");
  EXPECT_EQ(whyNot(known + "add 2 1 x1 1 int 6 1 1 1 6 8\n"), Free);
  EXPECT_EQ(whyNot(known + "add 2 1 x1 1 int 10 1 1 1 6 9\n"), "the terms are others");
  EXPECT_EQ(whyNot(known + "add 2 1 x1 1 int 10 1 1 1 6 6\n"), "numbers are added");
}

TEST(Rules, SumsNest) {
  EXPECT_EQ(whyNot("nest 1 1 x1 1 int 6 8 1 x2 1 int 14 9\n"), "");
  EXPECT_EQ(whyNot("nest 1 1 x1 1 int 7 8 1 x2 1 int 14 9\n"), Free);
  EXPECT_EQ(whyNot("nest 1 1 x1 1 int 6 9 1 x2 1 int 14 9\n"), Free);
  EXPECT_EQ(whyNot("nest 1 1 x1 1 int 10 4 1 x1 1 int 6 8\n"), Free);
}

TEST(Rules, SumsHaveFinitelyManyTerms) {
  const char *const Many = "infinitely many terms of a sum may not be zero";
  auto sum = [](const char *names, int guard, int value) {
    return "rename 1 " + std::string(names) + " " + std::to_string(guard) + " " +
           std::to_string(value) + " " + names + "\n";
  };
  const char *const x = "1 x1 1 int", *const both = "2 x1 1 int x2 1 int";
  EXPECT_EQ(whyNot(sum(x, 10, 4)), Many);
  EXPECT_EQ(whyNot(sum(x, 22, 4)), Many);
  EXPECT_EQ(whyNot(sum(x, 7, 4)), Many);
  EXPECT_EQ(whyNot(sum(x, 6, 4)), "");
  EXPECT_EQ(whyNot(sum(x, 10, 8)), "");
  EXPECT_EQ(whyNot(sum(x, 10, 36)), Many);
  EXPECT_EQ(whyNot(sum(x, 23, 4)), Many);
  EXPECT_EQ(whyNot("t 50 or 2 6 21\n" + sum(x, 50, 4)), Many);
  EXPECT_EQ(whyNot("t 50 zero 1 1\nt 51 or 2 6 50\n" + sum(x, 51, 4)), "");
  EXPECT_EQ(whyNot(sum(both, 14, 4)), "");
  EXPECT_EQ(whyNot(sum(both, 6, 4)), Many);
  EXPECT_EQ(whyNot("t 50 equal 2 1 2\n" + sum(both, 50, 4)), Many);
  EXPECT_EQ(whyNot("t 50 equal 2 1 2\nt 51 and 2 6 50\n" + sum(both, 51, 4)), "");
  EXPECT_EQ(whyNot("t 50 equal 2 1 9\nt 51 and 2 6 50\n" + sum(both, 51, 4)), Many);
  EXPECT_EQ(whyNot(sum(x, 15, 4)), "");
  EXPECT_EQ(whyNot(sum(both, 20, 39)), "");
}

TEST(Rules, SumsOverOnePoint) {
  EXPECT_EQ(whyNot("point 1 0 x1 1 int 1 5 10 9\n"), "");
  EXPECT_EQ(whyNot("point 1 0 x1 1 int 1 1 10 9\n"), Free);
  EXPECT_EQ(whyNot("point 1 0 x1 1 int 1 5 6 9\n"), Free);
  EXPECT_EQ(whyNot("point 1 0 x1 1 int 1 5 10 8\n"), Free);
  EXPECT_EQ(whyNot("point 1 0 x1 1 int 1 13 10 9\n"), "a value has another sort than its variable");
}

TEST(Rules, SumsWithOtherNames) {
  EXPECT_EQ(whyNot("rename 1 1 x1 1 int 6 8 1 x2 1 int\n"), "");
  EXPECT_EQ(whyNot("rename 1 1 x1 1 int 14 8 1 x2 1 int\n"), Free);
  EXPECT_EQ(whyNot("rename 1 2 x1 1 int x2 1 int 14 8 2 x2 1 int x1 1 int\n"), "");
  EXPECT_EQ(whyNot("rename 1 2 x1 1 int x2 1 int 14 8 2 x5 1 int x5 1 int\n"),
            "ill-formed term: variables of different names");
  EXPECT_EQ(whyNot("rename 1 1 x1 1 int 6 8 1 x3 1 real\n"), "variables have other sorts");
}

TEST(Rules, SumsOfPositiveNumbers) {
  EXPECT_EQ(whyNot("axiom 1 0 35\npositive 2 1 x1 1 int 10 6 8 1\n"), "");
  // Not negative is not enough.
  EXPECT_EQ(whyNot("axiom 1 0 38\npositive 2 1 x1 1 int 10 6 8 1\n"),
            "the theorem is no such implication");
  EXPECT_EQ(whyNot("axiom 1 0 35\npositive 2 1 x1 1 int 6 10 8 1\n"), Free);
  EXPECT_EQ(whyNot("count 1 8\n"), "");
  EXPECT_EQ(whyNot("count 1 6\n"), "a multiplicity is expected");
  EXPECT_EQ(whyNot("count 1 1\n"), "a multiplicity is expected");
}

TEST(Rules, Collections) {
  EXPECT_EQ(whyNot("axiom 1 0 42\ncollect 2 int \"f\" 1 x3 1 real 10 1 1 6 7\n"), "");
  EXPECT_EQ(whyNot("axiom 1 0 42\ncollect 2 int \"f\" 1 x1 1 int 6 1 1 6 7\n"), Free);
  EXPECT_EQ(whyNot("axiom 1 0 42\ncollect 2 int \"f\" 1 x3 1 real 10 1 1 6 11\n"),
            "the theorem is no such implication");
  EXPECT_EQ(whyNot("member 1 int \"min m\" 1 x1 1 int 1 6\n"), "");
  EXPECT_EQ(whyNot("member 1 int \"sum m\" 1 x1 1 int 1 6\n"),
            "MIN, MAX or the only value is expected");
  EXPECT_EQ(whyNot("member 1 real \"min m\" 1 x1 1 int 1 6\n"), "a member has another sort");
  // One half is no integer, whatever chose it.
  EXPECT_EQ(whyNot("t 50 zero 1 27\nmember 1 int \"single m\" 1 x3 1 real 1 50\n"),
            "a member has another sort");
  // The least positive fraction.
  EXPECT_EQ(whyNot("t 50 positive 1 13\nmember 1 real \"min m\" 1 x3 1 real 1 50\n"), "");
  EXPECT_EQ(whyNot("t 50 positive 1 13\nextreme 1 real \"min m\" 1 x3 1 real 1 50\n"),
            "the set may have infinitely many members");
  EXPECT_EQ(whyNot("extreme 1 int \"max m\" 1 x1 1 int 1 6\n"), "");
  EXPECT_EQ(whyNot("extreme 1 int \"single m\" 1 x1 1 int 1 6\n"), "MIN or MAX is expected");
}

TEST(Rules, NamesAreAsTheyAreWritten) {
  const char *const NoName = "this is no name of a variable";
  auto named = [](const std::string &name) {
    return whyNot("t 50 variable int " + name + " 0\naxiom 50 1 " + name + " 1 int 6\n");
  };
  for (const char *name : {"x7", "b0_0", "b12_345", "x0123456789012345678901234567890"})
    EXPECT_EQ(named(name), "") << name;
  for (const char *name :
       {"x", "b", "b1", "b1_", "b_1", "b1_2_3", "x1_2", "x1a", "y1", "X1", "x-1", "x1'", "~1", "n1",
        "\"x1\"", "x:Z):Z:=0.", "x1.", "x01234567890123456789012345678901", "x\xc3\xa9"})
    EXPECT_EQ(named(name), NoName) << name;
  EXPECT_EQ(whyNot("instance 1 1 1 x1:Z 1 int 1 3\n"), "a theorem is used that was not proven before");
  EXPECT_EQ(whyNot("axiom 50 1 x1:Z 1 int 6\n"), NoName);
  // Other white space is no part of a token; in texts anything is.
  for (const char *space : {"\t", "\r", "\v", "\f", "\x01", "\x7f"}) {
    EXPECT_EQ(named("x" + std::string(space) + "7"), "only spaces stand between tokens");
    EXPECT_EQ(whyNot("t 50 text \"t\" \"a" + std::string(space) + "\"\naxiom 50 0 6\n"), "");
  }
  EXPECT_EQ(whyNot("t 50 text \"t\" \"a\n"), "a text does not end");
  EXPECT_EQ(whyNot("t 50 text \"t\" \"a\\\n"), "a text does not end");
  EXPECT_EQ(whyNot("t 50 text \"t\" a\n"), "a text in quotes is expected");
  EXPECT_EQ(whyNot("t 50 apply int f 1 1\n"), "a text in quotes is expected");
  EXPECT_EQ(whyNot("t 50 collect int f 1 x1 1 int 1 6\n"), "a text in quotes is expected");
  EXPECT_EQ(whyNot("axiom 1 0 42\ncollect 2 int f 1 x3 1 real 10 1 1 6 7\n"),
            "a text in quotes is expected");
}

/// A ground proof whose steps are these and then "no clause", by all of them.
std::string proves(int formula, const std::string &steps) {
  std::string hints;
  size_t count = 1, lines = size_t(std::count(steps.begin(), steps.end(), '\n'));
  for (size_t i = 0; i < lines; ++i)
    hints += " " + std::to_string(count++);
  return "ground 1 " + std::to_string(formula) + " 0\n" + steps + "rup 0 " + std::to_string(count) +
         " 0" + hints + "\n";
}

TEST(Rules, NumbersDoNotWrapAround) {
  const std::string largest = "170141183460469231731687303715884105727";
  const std::string next = "170141183460469231731687303715884105728";
  EXPECT_EQ(whyNot("t 50 number int " + largest + "\nt 51 number int -" + largest + "\n"), "");
  EXPECT_EQ(whyNot("t 50 number int " + next + "\n"), "a number is too large");
  EXPECT_EQ(whyNot("t 50 number int -" + next + "\n"), "a number is too large");
  EXPECT_EQ(whyNot("t 50 number int 1/" + next + "\n"), "a number is too large");
  EXPECT_EQ(whyNot("t 50 linear int -" + largest + " 1 1 3\nt 51 linear int -1 1 1 50\n"),
            "a number is too large");
}

TEST(Rules, LinearArithmetic) {
  // 2x = 1 has no whole solution; over real numbers it has.
  const std::string half = "t 50 linear int 0 1 2 1\nt 51 linear real 0 1 2 13\nt 52 zero 1 1\n";
  EXPECT_EQ(whyNot(half + "ground 1 10 0\nlinear 1 = 4 50 1\nrup 0 1 0\n"),
            "the clauses do not "
            "contradict each other");
  EXPECT_EQ(whyNot(half + "ground 1 10 0\nlinear 1 = 4 51 1\n"), "the relations do not add up");
  // 0 < x < 1.
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 3 1 1 < 1 4 1\nrup 0 1 0\n"), Choice);
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 3 13 1 < 13 4 1\n"),
            "the relations can hold together");
  // x <= 0 and x >= 0 is no contradiction, x < 0 and x > 0 is one.
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 <= 13 3 1 <= 3 13 1\n"),
            "the relations can hold together");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 13 3 1 < 3 13 1\nrup 0 1 0\n"), Choice);
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 13 3 -1 < 13 3 1\n"), "there is no such relation");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 13 3 2 < 3 13 1\n"), "the relations do not add up");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 != 13 3 1 < 3 13 1\n"),
            "the relations can hold together");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 1 != 13 3 0\n"), "one difference is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 0\n"), "the relations can hold together");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 2 < 3 45 1000000000000000000000 < 45 3 "
                   "1000000000000000000000\n"),
            "a number is too large");
  EXPECT_EQ(whyNot("ground 1 10 0\nlinear 1 = 12 1 1\n"),
            "ill-formed term: an equality of values of one sort");
}

TEST(Rules, ValuesOfTerms) {
  const char *const Other = "the term has other parts";
  EXPECT_EQ(whyNot(proves(10, "linear 1 != 10 10 1\n")), "");
  EXPECT_EQ(whyNot("ground 1 10 0\npart 43 7\n"), "the formula has no such part");
  EXPECT_EQ(whyNot("ground 1 10 0\npart 6 6\n"), "a formula of parts is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\nwhole 42\n"), "a formula of parts is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\nchosen 8 then\n"), "a choice is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\nzero 40\n"), "a product is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\ndistribute 41 9\nrup 0 1 0\n"), Choice);
  EXPECT_EQ(whyNot("ground 1 10 0\ndistribute 39 40\n"), "the product has no such factor");
  EXPECT_EQ(whyNot("ground 1 10 0\nsame 39 2 8 3 9 9\nrup 0 1 0\n"), Choice);
  EXPECT_EQ(whyNot("ground 1 10 0\nsame 39 2 8 3 8 9\n"), Other);
  EXPECT_EQ(whyNot("ground 1 10 0\nsame 39 1 8 3\n"), Other);
  EXPECT_EQ(whyNot("ground 1 10 0\nsame 14 2 2 1 1 2\n"), Other);
  EXPECT_EQ(whyNot("ground 1 10 0\nsame 29 2 6 7 8 8\n"), "a function is expected");
  EXPECT_EQ(whyNot("ground 1 10 0\norder 47 47\n"), "ill-formed term: an order of values");
  EXPECT_EQ(whyNot("ground 1 10 0\nguess\n"), "there is no such step");
}

TEST(Rules, ClausesResolveInOrder) {
  const std::string start = "axiom 1 0 23\naxiom 2 0 6\nground 3 11 2 1 2\n";
  EXPECT_EQ(whyNot(start + "whole 23\nrup 0 4 2 1 3 0\n"), "");
  EXPECT_EQ(whyNot(start + "whole 23\nrup 0 2 2 3\n"), "a clause leaves a choice");
  EXPECT_EQ(whyNot(start + "whole 23\nrup 0 3 2 1 0\n"), Choice);
  EXPECT_EQ(whyNot(start + "whole 23\nrup 0 3 2 1 4\n"), "there is no such clause");
  EXPECT_EQ(whyNot(start + "rup 1 23 1 9\n"), "there is no such clause");
}

TEST(Rules, TheClaimIsTheTheorem) {
  const std::string known = "t 50 equal 2 8 9\naxiom 1 0 50\n";
  EXPECT_EQ(whyNot(known + "claim bags 8 9 1\n"), "");
  EXPECT_EQ(whyNot(known + "claim bags 8 3 1\n"), "the theorem is not the claim");
  EXPECT_EQ(whyNot(known + "claim sets 8 9 1\n"), "the theorem is not the claim");
  EXPECT_EQ(whyNot(known + "claim lists 8 9 1\n"), "there is no such comparison");
  EXPECT_EQ(whyNot(known + "claim bags 6 7 1\n"), "queries are numbers of rows");
  EXPECT_EQ(whyNot(known + "claim bags 8 9 1\nclaim bags 8 9 1\n"), "something follows the claim");
  // Without the axiom in the statement it is no proof.
  std::string statement =
      "imbrex-sql-statement 1\n" + std::string(Terms).substr(25) + "claim bags 8 9\n";
  Outcome outcome = check(Terms + known + "claim bags 8 9 1\n", statement);
  EXPECT_FALSE(outcome.accepted);
  EXPECT_EQ(outcome.why, "a property of the tables is assumed that the schema does not have");
}

} // namespace
} // namespace imbrex::check
