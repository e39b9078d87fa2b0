// The checker accepts what the prover writes, and nothing that claims anything false: certificates
// of small pairs are damaged at random, and whatever is still accepted has to hold on databases.
#include "proof/certificate/check/Check.h"
#include "proof/certificate/export/Coq.h"
#include "proof/certificate/export/RunCoqc.h"
#include "proof/certificate/test/Claim.h"
#include "proof/sql/bind/Bind.h"
#include "proof/sql/prove/Prove.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <sstream>

namespace imbrex::certificate::test {
namespace {

using namespace imbrex::sql;

const char *const Tables = R"(
CREATE TABLE r (k INT PRIMARY KEY, a INT NOT NULL, b INT);
CREATE TABLE s (k INT PRIMARY KEY, r INT NOT NULL REFERENCES r (k), c INT NOT NULL);
CREATE TABLE t (x INT NOT NULL);
CREATE TABLE u (x INT NOT NULL, y INT);
)";

// Both take seconds at most; the machine may be busy with other tests.
constexpr double ProverSeconds = 60;
constexpr unsigned CoqSeconds = 600;

struct Pair {
  const char *first, *second;
};

// No pair needs the foreign key or what is known of NULL but the last two.
const Pair Pairs[] = {
    {"SELECT k FROM r WHERE a > 1 AND a > 0", "SELECT k FROM r WHERE a > 1"},
    {"SELECT x FROM t WHERE x > 0 OR x = 0", "SELECT x FROM t WHERE x >= 0"},
    {"SELECT x.a FROM r x JOIN r y ON x.k = y.k", "SELECT a FROM r"},
    {"SELECT DISTINCT k FROM r", "SELECT k FROM r"},
    {"SELECT x FROM t UNION SELECT x FROM t", "SELECT DISTINCT x FROM t"},
    {"SELECT x FROM t WHERE x = 1 UNION ALL SELECT x FROM t WHERE x <> 1", "SELECT x FROM t"},
    {"SELECT a.x FROM t a, t b WHERE a.x = b.x", "SELECT b.x FROM t b, t a WHERE b.x = a.x"},
    {"SELECT x FROM t EXCEPT SELECT x FROM t", "SELECT x FROM t WHERE 1 = 0"},
    {"SELECT x FROM t WHERE EXISTS (SELECT 1 FROM r WHERE r.k = t.x)",
     "SELECT t.x FROM t JOIN r ON r.k = t.x"},
    {"SELECT COUNT(*) FROM t WHERE x = 1", "SELECT SUM(CASE WHEN x = 1 THEN 1 ELSE 0 END) + 0 FROM "
                                           "(SELECT x FROM t UNION ALL SELECT 0) v"},
    {"SELECT a, SUM(b) FROM r GROUP BY a", "SELECT a, SUM(b) FROM r WHERE k = k GROUP BY a"},
    {"SELECT r.k, s.c FROM r LEFT JOIN s ON r.a = s.k WHERE s.c > 0",
     "SELECT r.k, s.c FROM r JOIN s ON r.a = s.k WHERE s.c > 0"},
    {"SELECT s.c FROM s JOIN r ON r.k = s.r", "SELECT c FROM s"},
    {"SELECT x FROM u WHERE y IS NULL OR y IS NOT NULL", "SELECT x FROM u"},
};

struct Written {
  std::string certificate, statement;
};

Written write(const Pair &pair) {
  Semantics semantics;
  Result<Schema> schema = readSchema(Tables, "schema", semantics);
  EXPECT_TRUE(schema.ok());
  Result<BoundQuery> x = readQuery(pair.first, "a", *schema, semantics);
  Result<BoundQuery> y = readQuery(pair.second, "b", *schema, semantics);
  EXPECT_TRUE(x.ok() && y.ok()) << pair.first;
  Verdict verdict = prove(*x->query, *y->query, schema->catalog, semantics,
                          {.seconds = ProverSeconds, .evidence = Evidence::Certificate});
  EXPECT_EQ(verdict.answer, Answer::Equivalent) << pair.first << ": " << verdict.reason;
  return {verdict.certificate,
          statement(*x->query, *y->query, schema->catalog, semantics, Translation::Plain)};
}

const std::vector<Written> &written() {
  static const std::vector<Written> all = [] {
    std::vector<Written> made;
    for (const Pair &pair : Pairs)
      made.push_back(write(pair));
    return made;
  }();
  return all;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// One change: a line gone, doubled or moved, or a token replaced, moved or exchanged.
std::string damaged(const std::string &text, std::mt19937 &random) {
  std::vector<std::string> lines = linesOf(text);
  auto pick = [&](size_t n) { return size_t(random()) % std::max<size_t>(n, 1); };
  // Terms and the claim as often as steps of proofs, of which there are many more.
  size_t at = 1 + pick(lines.size() - 1);
  for (bool wantsTerm = pick(2) == 0; wantsTerm && lines[at].rfind("t ", 0) != 0;)
    at = 1 + pick(lines.size() - 1);
  if (pick(20) == 0)
    at = lines.size() - 1;
  switch (pick(8)) {
  case 0:
    lines.erase(lines.begin() + long(at));
    break;
  case 1:
    lines.insert(lines.begin() + long(pick(lines.size())), lines[at]);
    break;
  default: {
    std::stringstream stream(lines[at]);
    std::vector<std::string> tokens;
    for (std::string token; stream >> token;)
      tokens.push_back(token);
    size_t i = pick(tokens.size());
    std::stringstream other(lines[1 + pick(lines.size() - 1)]);
    std::vector<std::string> others;
    for (std::string token; other >> token;)
      others.push_back(token);
    static const std::vector<std::pair<std::string, std::string>> Turned{
        {"and", "or"},     {"or", "and"},     {"zero", "positive"}, {"positive", "zero"},
        {"less", "equal"}, {"exists", "not"}, {"true", "false"},    {"false", "true"}};
    bool isNumber = tokens[i].find_first_not_of("-0123456789") == std::string::npos;
    if (pick(3) == 0 && !others.empty())
      tokens[i] = others[pick(others.size())];
    else if (isNumber)
      tokens[i] = std::to_string(std::atol(tokens[i].c_str()) + (pick(2) ? 1 : -1));
    else
      std::swap(tokens[i], tokens[pick(tokens.size())]);
    for (const auto &[from, to] : Turned)
      if (tokens.size() > 2 && tokens[2] == from && pick(3) == 0) {
        tokens[2] = to;
        break;
      }
    lines[at].clear();
    for (const std::string &token : tokens)
      lines[at] += (lines[at].empty() ? "" : " ") + token;
  }
  }
  std::string result;
  for (const std::string &line : lines)
    result += line + "\n";
  return result;
}

TEST(Certificate, IsAcceptedForItsQueriesOnly) {
  for (size_t i = 0; i < written().size(); ++i) {
    const Written &own = written()[i];
    ASSERT_FALSE(own.certificate.empty()) << Pairs[i].first;
    check::Outcome outcome = check::check(own.certificate, own.statement);
    EXPECT_TRUE(outcome.accepted) << Pairs[i].first << ": " << outcome.why;
    EXPECT_EQ(outcome.translation, "plain");
    const Written &next = written()[(i + 1) % written().size()];
    EXPECT_FALSE(check::check(own.certificate, next.statement).accepted);
  }
}

TEST(Certificate, ClaimsHoldOnSmallDatabases) {
  for (size_t i = 0; i + 2 < written().size(); ++i)
    for (uint64_t seed = 1; seed < 30; ++seed) {
      std::optional<Claim> claim = Claim::of(written()[i].certificate);
      ASSERT_TRUE(claim) << Pairs[i].first;
      EXPECT_NE(claim->holds(seed), std::optional(false)) << Pairs[i].first << " seed " << seed;
    }
}

TEST(Certificate, DamagedOnesClaimNothingFalse) {
#ifdef IMBREX_CHECKED
  constexpr size_t each = 60; // builds with sanitizers are thirty times as slow
#else
  constexpr size_t each = 300;
#endif
  size_t accepted = 0, changed = 0, refuted = 0, falseClaims = 0;
  std::mt19937 random(7);
  for (size_t i = 0; i + 2 < written().size(); ++i)
    for (size_t n = 0; n < each; ++n) {
      std::string mutant = damaged(written()[i].certificate, random);
      if (mutant == written()[i].certificate)
        continue;
      if (!check::check(mutant).accepted) {
        std::optional<Claim> claim = Claim::of(mutant);
        for (uint64_t seed = 1; claim && seed < 10; ++seed)
          if (claim->holds(seed) == std::optional(false)) {
            ++falseClaims;
            break;
          }
        continue;
      }
      ++accepted;
      if (!check::check(mutant, written()[i].statement).accepted)
        ++changed;
      std::optional<Claim> claim = Claim::of(mutant);
      ASSERT_TRUE(claim);
      for (uint64_t seed = 1; seed < 40; ++seed)
        if (claim->holds(seed) == std::optional(false)) {
          ++refuted;
          ADD_FAILURE() << Pairs[i].first << " mutant " << n << " seed " << seed << "\n" << mutant;
          break;
        }
    }
  std::printf(
      "mutants: %zu; accepted %zu, of these with another claim %zu, false %zu; rejected with a "
      "false claim %zu\n",
      each * (written().size() - 2), accepted, changed, refuted, falseClaims);
  // The evaluator does see false claims.
  EXPECT_GT(falseClaims, each / 15);
}

TEST(Certificate, IsAcceptedByCoq) {
  size_t exported = 0;
  for (size_t i = 0; i < written().size(); ++i) {
    Result<std::string> script = coq(written()[i].certificate);
    if (!script) {
      EXPECT_NE(script.error().because.find("no counterpart"), std::string::npos) << Pairs[i].first;
      continue;
    }
    CoqRun run = runCoqc(*script, CoqSeconds);
    if (run.answer == CoqAnswer::Missing)
      GTEST_SKIP() << "there is no coqc";
    ++exported;
    // The theorem rests on no axiom, and no hypothesis of the section is about the claim's terms.
    EXPECT_EQ(run.answer, CoqAnswer::Accepted) << Pairs[i].first << ": " << run.text;
    EXPECT_EQ(script->find("Axiom"), std::string::npos);
    EXPECT_EQ(script->find("Admitted"), std::string::npos);
  }
  EXPECT_GE(exported, 4u);
  EXPECT_TRUE(isAcceptedByCoq("Axioms:\nClassicalDedekindReals.sig_not_dec\n  : forall P\n"));
  EXPECT_FALSE(isAcceptedByCoq("Axioms:\nequal_queries\n  : forall x\n"));
}

TEST(Certificate, RefusesWhatIsTooDeep) {
  std::string text = "imbrex-sql-certificate 2\nt 1 variable int x1 0\n";
  for (int i = 2; i < 50000; ++i)
    text += "t " + std::to_string(i) + " apply int \"f\" 1 " + std::to_string(i - 1) + "\n";
  EXPECT_NE(check::check(text).why.find("too large"), std::string::npos);
}

TEST(Certificate, SaysWhatItMisses) {
  EXPECT_FALSE(check::check("").isReadable);
  EXPECT_FALSE(check::check("hello\n").isReadable);
  check::Outcome empty = check::check("imbrex-sql-certificate 2\n");
  EXPECT_TRUE(empty.isReadable);
  EXPECT_EQ(empty.why, "line 1: there is no claim");
  // 1 = 1 is proven by nothing; 1 = 2 is not.
  const std::string numbers = "imbrex-sql-certificate 2\nt 1 number int 1\nt 2 number int 2\nt 3 "
                              "true\nground 1 3 0\nlinear 1 != 3 3 1\nrup 0 2 1 0\n";
  EXPECT_TRUE(check::check(numbers + "claim bags 1 1 1\n").accepted);
  EXPECT_FALSE(check::check(numbers + "claim bags 1 2 1\n").accepted);
}

} // namespace
} // namespace imbrex::certificate::test
