// Certificates of a few steps, each with a step that needs a tactic of its own in Coq.
#include "proof/certificate/export/Coq.h"
#include "proof/certificate/export/RunCoqc.h"

#include <gtest/gtest.h>

namespace imbrex::certificate::test {
namespace {

constexpr unsigned CoqSeconds = 600; // it takes some; the machine may be busy

void expectAccepted(const std::string &certificate) {
  Result<std::string> script = coq("imbrex-sql-certificate 2\ntranslation plain\n" + certificate);
  ASSERT_TRUE(script.ok()) << script.error().str();
  CoqRun run = runCoqc(*script, CoqSeconds);
  if (run.answer == CoqAnswer::Missing)
    GTEST_SKIP() << "there is no coqc";
  EXPECT_EQ(run.answer, CoqAnswer::Accepted) << run.text;
}

// In "x = y, or (if x = y then 1 else 0) = 0", two texts.
TEST(Coq, TextsDiffer) {
  expectAccepted(R"(t 1 true
t 2 number int 0
t 3 number int 1
t 4 variable "s" x1 0
t 5 variable "s" x2 0
t 6 equal 2 4 5
t 7 choose int 3 6 3 2
t 8 zero 1 7
t 9 or 2 6 8
t 10 text "s" "a"
t 11 text "s" "b"
ground 1 9 0
chosen 7 else
part 9 6
part 9 8
rup 0 4 0 2 3 1
instance 2 1 2 x1 1 "s" x2 1 "s" 1 10 1 11
claim bags 2 2 2
)");
}

// "not (x = y and not p(x))" is p(x), where x is y.
TEST(Coq, NegationsVanish) {
  expectAccepted(R"(t 1 true
t 2 number int 0
t 3 number int 1
t 4 variable int x1 0
t 5 variable int x2 0
t 6 linear int 0 2 1 4 -1 5
t 7 zero 1 6
t 8 apply bool "p" 1 4
t 9 not 1 8
t 10 and 2 7 9
t 11 not 1 10
t 12 choose int 3 10 2 3
t 13 zero 1 12
t 14 or 2 11 13
ground 1 14 0
chosen 12 then
part 14 11
part 14 13
rup 0 4 0 2 3 1
instance 2 1 1 x2 1 int 1 4
ground 3 1 0
linear 1 != 2 2 1
rup 0 2 1 0
claim bags 2 2 3
)");
}

// A fraction that equals an integer, which is 0.
TEST(Coq, IntegersAreFractions) {
  expectAccepted(R"(t 1 true
t 2 number int 0
t 3 variable real x1 0
t 4 variable int x2 0
t 5 linear real 0 2 1 3 -1 4
t 6 zero 1 5
t 7 zero 1 4
t 8 zero 1 3
t 9 not 1 6
t 10 not 1 7
t 11 or 3 9 10 8
ground 1 11 0
part 11 9
part 11 10
part 11 8
linear 3 = 3 4 1 = 4 2 1 != 3 2 -1
rup 0 5 0 1 2 3 4
ground 2 1 0
linear 1 != 2 2 1
rup 0 2 1 0
claim bags 2 2 2
)");
}

// A sum over nothing, without a condition, of x times another sum; a row of that one has a value
// greater than 3/2.
TEST(Coq, ConstantConditions) {
  expectAccepted(R"(t 1 true
t 2 number int 1
t 3 variable int x1 0
t 4 apply bool "in:0" 1 3
t 5 apply int "col:0.0" 1 3
t 6 linear real -3/2 1 1 5
t 7 positive 1 6
t 8 and 2 4 7
t 9 variable int x2 0
nest 1 0 1 9 1 x1 1 int 8 2
ground 2 1 0
linear 1 != 9 9 1
rup 0 2 1 0
claim bags 9 9 2
)");
}

// "x = not y" is not so where both hold.
TEST(Coq, NegationsAreValues) {
  expectAccepted(R"(t 1 true
t 2 variable bool x1 0
t 3 variable bool x2 0
t 4 not 1 3
t 5 equal 2 2 4
t 6 not 1 2
t 7 not 1 5
t 8 or 3 7 6 4
t 9 number int 0
ground 1 8 0
part 8 7
part 8 6
part 8 4
linear 3 = 2 4 1 = 1 2 1 = 1 3 1
rup 0 5 0 1 2 3 4
ground 2 1 0
linear 1 != 9 9 1
rup 0 2 1 0
claim bags 9 9 2
)");
}

// "z and p(x) and q(x)", or not, and "z or p(x) or q(x)", or not: of values for which the parts
// come in another order, in a group, without one of them, or for which one part decides.
TEST(Coq, PartsChangePlaces) {
  expectAccepted(R"(t 1 true
t 2 variable int x1 0
t 3 variable bool x2 0
t 4 apply bool "p" 1 2
t 5 apply bool "q" 1 2
t 6 and 3 3 4 5
t 7 not 1 6
t 8 or 2 6 7
t 9 or 3 3 4 5
t 10 not 1 9
t 11 and 2 9 10
t 12 not 1 11
t 13 number int 0
t 14 apply bool "q" 1 13
t 15 apply bool "p" 1 13
t 16 apply bool "r" 1 13
t 17 and 2 14 16
t 18 or 2 16 14
t 19 not 1 1
ground 1 8 0
part 8 6
part 8 7
rup 0 3 0 1 2
ground 2 12 0
part 11 9
part 11 10
rup 0 3 0 1 2
instance 3 1 2 x1 1 int x2 1 bool 1 13 1 16
instance 4 1 2 x1 1 int x2 1 bool 1 13 1 17
instance 5 1 2 x1 1 int x2 1 bool 1 13 1 18
instance 6 1 2 x1 1 int x2 1 bool 1 13 1 1
instance 7 1 2 x1 1 int x2 1 bool 1 13 1 19
instance 8 2 2 x1 1 int x2 1 bool 1 13 1 16
instance 9 2 2 x1 1 int x2 1 bool 1 13 1 17
instance 10 2 2 x1 1 int x2 1 bool 1 13 1 18
instance 11 2 2 x1 1 int x2 1 bool 1 13 1 1
instance 12 2 2 x1 1 int x2 1 bool 1 13 1 19
ground 13 1 0
linear 1 != 13 13 1
rup 0 2 1 0
claim bags 13 13 13
)");
}

} // namespace
} // namespace imbrex::certificate::test
