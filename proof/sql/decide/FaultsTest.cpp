// One pair's fault is its own: wherever memory runs out, for one request or for good, the verdict
// is right or UNKNOWN with a defect, and the next pair is decided as if nothing had been. Requests
// are counted of the thread that calls decide() alone: not those of servers, nor what the solver
// takes from malloc.
#include "proof/sql/decide/Faults.h"
#include "proof/sql/bind/Bind.h"
#include "proof/sql/decide/Decide.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <stdexcept>

namespace {

/// How many requests for memory this thread may still make; the one after these fails, or, when
/// memory stays out, each one does. Negative: any number.
thread_local long allowed = -1;
thread_local bool staysOut = false;

} // namespace

void *operator new(size_t bytes) {
  if (allowed == 0) {
    allowed = staysOut ? 0 : -1;
    throw std::bad_alloc();
  }
  if (allowed > 0)
    --allowed;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

using namespace imbrex;
using namespace imbrex::sql;

namespace {

struct Pair {
  const char *first, *second;
  Answer answer;
};

// One for the prover, one for the first search, one for the search by the solver.
const Pair Pairs[] = {
    {"SELECT x.a FROM t x JOIN t y ON x.id = y.id", "SELECT a FROM t", Answer::Equivalent},
    {"SELECT k FROM u", "SELECT DISTINCT k FROM u", Answer::NotEquivalent},
    {"SELECT id FROM t WHERE a * 7 + 3 = b AND b > 1000",
     "SELECT id FROM t WHERE a * 7 + 3 = b AND b > 1010", Answer::NotEquivalent},
};

class Faults : public ::testing::TestWithParam<Pair> {
protected:
  Decision decided(long requests) {
    DecideLimits limits{.seconds = 5, .evidence = Evidence::Certificate};
    allowed = requests;
    Decision decision = decide(pair, schema->catalog, {}, limits, engines);
    allowed = -1;
    return decision;
  }
  void expectRightOrUnknown(bool isForGood);

  Result<Schema> schema = readSchema("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT);"
                                     "CREATE TABLE u (k INT, v INT);",
                                     "schema.sql", {});
  QueryPair pair{readQuery(GetParam().first, "a.sql", *schema, {})->query,
                 readQuery(GetParam().second, "b.sql", *schema, {})->query,
                 {}};
  Engines engines;
};

} // namespace

TEST_P(Faults, AreUnknownAndADefect) {
  for (bool isForGood : {false, true})
    expectRightOrUnknown(isForGood);
}

void Faults::expectRightOrUnknown(bool isForGood) {
  unsigned faults = 0, right = 0;
  for (long requests = 0; requests < 2'000'000; requests += 1 + requests / (isForGood ? 4 : 16)) {
    staysOut = isForGood;
    Decision decision = decided(requests);
    if (!decision.defect) {
      EXPECT_EQ(decision.verdict.answer, GetParam().answer) << decision.verdict.reason;
      ++right;
      continue;
    }
    ++faults;
    EXPECT_EQ(decision.verdict.answer, Answer::Unknown);
    EXPECT_EQ(decision.defect->code, 1131);
    EXPECT_EQ(decision.defect->exitCode(), ExitCode::Internal);
    EXPECT_NE(decision.verdict.reason.find("memory ran out"), std::string::npos);
    EXPECT_TRUE(decision.verdict.certificate.empty());
    EXPECT_TRUE(decision.script.empty());
  }
  EXPECT_GT(faults, 10u);
  EXPECT_GT(right, 0u);
  std::printf("faults %u, decided %u\n", faults, right);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Faults, ::testing::ValuesIn(Pairs));

TEST(FaultOf, NamesWhatWasThrown) {
  auto text = [](auto body) { return faultOf(body)->str(); };
  EXPECT_FALSE(faultOf([] {}));
  EXPECT_NE(text([] { std::string(3, 'x').at(5); }).find("at:"), std::string::npos);
  EXPECT_NE(text([] { throw 5; }).find("no known type"), std::string::npos);
  EXPECT_NE(text([] { throw std::length_error("too long"); }).find("too long"), std::string::npos);
}
