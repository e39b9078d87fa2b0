// Certificates of a few steps, each with a step that needs a tactic of its own in Coq.
#include "proof/certificate/export/Coq.h"
#include "proof/certificate/export/RunCoqc.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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

// See NegationsVanish.
const char *const Negations = R"(t 1 true
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
)";

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
TEST(Coq, NegationsVanish) { expectAccepted(Negations); }

// Each step of a ground proof, and each hint of one, matters.
TEST(Coq, DamagedGroundProofsAreRejected) {
  Result<std::string> script =
      coq("imbrex-sql-certificate 2\ntranslation plain\n" + std::string(Negations));
  ASSERT_TRUE(script.ok()) << script.error().str();
  const std::pair<const char *, const char *> damages[] = {
      {"(Part 1 (2, false)", "(Part 1 (2, true)"},                // a flipped literal
      {"(Part 1 (2, false)", "(Part 1 (1, false)"},               // no part
      {"(Part 1 (2, false)", "(Part 2 (2, false)"},               // no gate
      {"(Part 1 (2, false)", "(Whole 1"},                         // another step
      {"(Part 1 (2, false)", "(Whole 2"},                         // no gate
      {"(Part 1 (2, false) :: ", "("},                            // a step less
      {"(1 :: 3 :: 4 :: 2 :: nil)", "(3 :: 4 :: 2 :: nil)"},      // a hint less
      {"(1 :: 3 :: 4 :: 2 :: nil)", "(1 :: 3 :: 4 :: nil)"},      // the last one
      {"(1 :: 3 :: 4 :: 2 :: nil)", "(1 :: 3 :: 4 :: 7 :: nil)"}, // no clause
      {"Rup (nil)", "Rup ((1, false) :: nil)"},                   // another conclusion
      {"Gate false 1", "Gate true 1"},
      {"1 true (((2, false)", "1 false (((2, false)"}, // the claim's opposite
      {"1 true (((2, false)", "1 true (((2, true)"},   // another clause
  };
  for (const auto &[from, to] : damages) {
    size_t at = script->find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::string damaged = *script;
    damaged.replace(at, std::string(from).size(), to);
    CoqRun run = runCoqc(damaged, CoqSeconds);
    if (run.answer == CoqAnswer::Missing)
      GTEST_SKIP() << "there is no coqc";
    EXPECT_EQ(run.answer, CoqAnswer::Rejected) << from << " became " << to << ": " << run.text;
  }
}

// What is no answer is not taken for one.
TEST(Coq, SaysWhenItDidNotRun) {
  const char *const Endless =
      "Fixpoint f (n : nat) : nat := match n with 0 => 0 | S m => f m + f m "
      "end.\nEval vm_compute in f 60.\n";
  CoqRun run = runCoqc(Endless, 1);
  if (run.answer == CoqAnswer::Missing)
    GTEST_SKIP() << "there is no coqc";
  EXPECT_EQ(run.answer, CoqAnswer::TimedOut) << run.text;
  EXPECT_EQ(runCoqc("Check 1 = .\n", CoqSeconds).answer, CoqAnswer::Rejected);
  EXPECT_EQ(runCoqc("Axiom a : False.\nPrint Assumptions a.\n", CoqSeconds).answer,
            CoqAnswer::Rejected);
  const char *folder = std::getenv("TMPDIR"), *path = std::getenv("PATH");
  const std::string before = folder ? folder : "", programs = path ? path : "";
  std::filesystem::path odd = std::filesystem::temp_directory_path() / "imbrex o'q \"x\"";
  std::filesystem::create_directories(odd);
  setenv("TMPDIR", odd.c_str(), 1);
  EXPECT_EQ(runCoqc("Check 1.\n", CoqSeconds).answer, CoqAnswer::Rejected); // proves nothing
  EXPECT_EQ(runCoqc("Definition a := 1.\nPrint Assumptions a.\n", CoqSeconds).answer,
            CoqAnswer::Accepted);
  setenv("TMPDIR", "/dev/null", 1);
  EXPECT_EQ(runCoqc("", CoqSeconds).answer, CoqAnswer::Failed);
  folder ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
  setenv("PATH", odd.c_str(), 1);
  EXPECT_EQ(runCoqc("", CoqSeconds).answer, CoqAnswer::Missing);
  std::ofstream(odd / "coqc") << "#!/bin/sh\necho 'Error: no library' >&2\nexit 1\n";
  std::filesystem::permissions(odd / "coqc", std::filesystem::perms::owner_all);
  EXPECT_EQ(runCoqc("", CoqSeconds).answer, CoqAnswer::Failed);
  setenv("PATH", programs.c_str(), 1);
  std::filesystem::remove_all(odd);
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

// One name for an integer and a truth value: two variables.
TEST(Coq, VariablesOfOneNameHaveTheirSorts) {
  expectAccepted(R"(t 1 true
t 2 number int 0
t 3 variable int x1 0
t 4 variable bool x1 0
t 5 variable "s" x1 0
t 6 apply int "p" 3 3 4 5
ground 2 1 0
linear 1 != 2 2 1
rup 0 2 1 0
claim bags 6 6 2
)");
}

// The greatest truth value: false is less than true.
TEST(Coq, TruthValuesHaveAnOrder) {
  expectAccepted(R"(t 1 true
t 2 number int 0
t 3 variable bool x1 0
t 4 apply bool "p" 1 3
t 5 collect bool "max m" 1 x1 1 bool 1 4
t 6 apply int "q" 1 5
ground 2 1 0
linear 1 != 2 2 1
rup 0 2 1 0
claim bags 6 6 2
)");
}

// A name that would end a definition and start a command.
TEST(Coq, NamesAreNoText) {
  Result<std::string> script = coq("imbrex-sql-certificate 2\ntranslation plain\n"
                                   "t 1 true\nt 2 number int 0\n"
                                   "t 3 variable int x:Z):Z:=0.Print 0\nt 4 apply int \"p\" 1 3\n"
                                   "ground 2 1 0\nlinear 1 != 2 2 1\nrup 0 2 1 0\n"
                                   "claim bags 4 4 2\n");
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(script.error().code, 1145);
  EXPECT_NE(script.error().because.find("no name of a variable"), std::string::npos);
}

} // namespace
} // namespace imbrex::certificate::test
