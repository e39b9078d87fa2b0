#include "proof/sql/prove/Prove.h"

#include "proof/algebra/Equality.h"
#include "proof/algebra/Recorder.h"
#include "proof/certificate/check/Check.h"
#include "proof/certificate/elaborate/Elaborate.h"
#include "proof/certificate/write/Writer.h"
#include "proof/smt/SmtGuardSolver.h"
#include "proof/sql/prove/CatalogTheory.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {

namespace {

using Clock = std::chrono::steady_clock;

/// Types first: results of different shape are never the same.
std::string shapeProblem(const Query &a, const Query &b, const Semantics &semantics) {
  if (a.columns.size() != b.columns.size())
    return "the results have " + std::to_string(a.columns.size()) + " and " +
           std::to_string(b.columns.size()) + " columns";
  for (size_t i = 0; i < a.columns.size(); ++i) {
    const Type &x = a.columns[i].type, &y = b.columns[i].type;
    if (!agree(x, y) && !(isNumeric(x) && isNumeric(y)))
      return "column " + std::to_string(i + 1) + " has the types " + typeName(x) + " and " +
             typeName(y);
    if (semantics.compareNames && a.columns[i].name != b.columns[i].name)
      return "column " + std::to_string(i + 1) + " has the names " + a.columns[i].name + " and " +
             b.columns[i].name;
  }
  return {};
}

class Proof {
public:
  Proof(const Query &a, const Query &b, const Catalog &catalog, const Semantics &semantics,
        Clock::time_point deadline)
      : a(a), b(b), catalog(catalog), semantics(semantics), translator(pool, catalog, semantics),
        theory(pool, catalog, translator), solver(pool, theory, deadline), equality(pool, solver) {
    pool.deadline = deadline;
  }

  bool run() {
    auto [left, right] = terms();
    return compare(left, right) && !overflowed();
  }

  /// The same proof, step by step. Empty: not proven so.
  std::string log(Translation translation) {
    algebra::Recorder recorder;
    pool.recorder = &recorder;
    pool.plain = translation == Translation::Plain;
    auto read = terms();
    pool.plain = false;
    auto normal = read;
    if (translation == Translation::Plain)
      normal = {pool.normalized(read.first), pool.normalized(read.second)};
    if (!compare(normal.first, normal.second) || overflowed())
      return {};
    certificate::Writer writer(pool, theory);
    certificate::Compare compare = howCompared();
    writer.claim(read, normal, compare,
                 compare == certificate::Compare::Sets ? recorder.lastRefutation
                                                       : recorder.lastEquality);
    return std::string("imbrex-sql-log 1\ntranslation ") +
           (translation == Translation::Plain ? "plain\n" : "simplified\n") + writer.text();
  }

  std::string statement(Translation translation) {
    pool.plain = translation == Translation::Plain;
    auto read = terms();
    certificate::Writer writer(pool, theory);
    pool.plain = true; // properties of tables are always as read
    std::vector<Id> tables;
    for (uint32_t table = 0; table < catalog.tables.size(); ++table)
      tables.push_back(translator.rowPredicate(table));
    writer.statement(read, howCompared(), tables);
    return "imbrex-sql-statement 1\n" + writer.text();
  }

  std::string residual() const { return equality.residual(); }

private:
  certificate::Compare howCompared() const {
    return semantics.comparison == Comparison::Set ? certificate::Compare::Sets
                                                   : certificate::Compare::Bags;
  }

  bool overflowed() const {
    if (pool.overflowed)
      throw NotCovered{"numbers beyond 64 bits"};
    return false;
  }

  /// How often a row, the same in both, occurs.
  std::pair<Id, Id> terms() {
    bool list = settled(semantics.comparison, a, b) == Comparison::List;
    if (list && !(outermostSort(a) && outermostSort(b)))
      throw NotCovered{"lists of which one has no order"};
    SymbolicBag x, y;
    std::vector<Column> columns;
    for (size_t i = 0; i < a.columns.size(); ++i)
      columns.push_back({"", joined(a.columns[i].type, b.columns[i].type)});
    if (list) {
      std::vector<SortKey> first, second;
      x = translator.translateList(a, first);
      y = translator.translateList(b, second);
      // An empty list has no order.
      if (x.empty() || y.empty())
        cutTo(columns.size(), x.empty() ? y : x);
      else
        appendKeyColumns(first, second, columns);
    } else {
      x = translator.translate(a);
      y = translator.translate(b);
    }
    std::vector<Variable> variables;
    SymbolicRow row = translator.freshRow(columns, variables);
    std::pair<Id, Id> both{translator.multiplicity(x, row), translator.multiplicity(y, row)};
    overflowed();
    return both;
  }

  bool compare(Id left, Id right) {
    if (semantics.comparison != Comparison::Set)
      return equality.equal(left, right, {});
    Id differ = pool.negation(pool.equal(pool.positiveTest(left), pool.positiveTest(right)));
    return equality.refute({differ});
  }

  static void cutTo(size_t width, SymbolicBag &bag) {
    for (BagTerm &term : bag)
      term.row.resize(width);
  }

  static Type joined(const Type &x, const Type &y) {
    Type type = x.base == BaseType::Unknown ? y : x;
    if (x.base == BaseType::Number || y.base == BaseType::Number)
      type.base = BaseType::Number;
    type.nullable = true;
    return type;
  }

  /// Lists are compared as bags of rows with their keys.
  void appendKeyColumns(const std::vector<SortKey> &first, const std::vector<SortKey> &second,
                        std::vector<Column> &columns) {
    for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
      if (i >= first.size() || i >= second.size() || first[i].direction != second[i].direction ||
          first[i].nulls != second[i].nulls)
        throw NotCovered{"lists ordered by different numbers of keys or in different directions"};
      columns.push_back({"", joined(first[i].expr->type, second[i].expr->type)});
    }
  }

  const Query &a, &b;
  const Catalog &catalog;
  const Semantics &semantics;
  Pool pool;
  Translator translator;
  CatalogTheory theory;
  algebra::SmtGuardSolver solver;
  algebra::Equality equality;
};

std::string shortened(std::string text) {
  constexpr size_t most = 1200;
  if (text.size() > most)
    text = text.substr(0, most) + " ...";
  return text;
}

/// Runs a proof; what stops it becomes a reason.
template <class Body>
void guarded(const Body &body, std::string &reason, Clock::time_point deadline) {
  try {
    body();
  } catch (const NotCovered &gap) {
    reason = "not covered: " + gap.what;
  } catch (const algebra::Exhausted &) {
    reason = Clock::now() >= deadline ? "the time limit was met" : "the proof grew too large";
  }
}

void certify(const Query &a, const Query &b, const Catalog &catalog, const Semantics &semantics,
             Clock::duration budget, Verdict &verdict) {
  std::string reason;
  for (Translation translation : {Translation::Plain, Translation::Simplified}) {
    Clock::time_point deadline = Clock::now() + 5 * budget;
    Proof proof(a, b, catalog, semantics, deadline);
    std::string log;
    guarded(
        [&] {
          log = proof.log(translation);
          if (log.empty())
            reason = "not proven again; left over: " + shortened(proof.residual());
        },
        reason, deadline);
    if (log.empty())
      continue;
    Result<std::string> certificate = certificate::elaborate(log);
    if (!certificate) {
      reason = certificate.error().str();
      continue;
    }
    // Only what the checker accepts is handed out.
    check::Outcome outcome = check::check(*certificate);
    if (outcome.accepted) {
      verdict.certificate = certificate.take();
      return;
    }
    reason = "the checker rejects it: " + outcome.why;
  }
  verdict.reason = "no certificate: " + reason;
}

} // namespace

std::string statement(const Query &a, const Query &b, const Catalog &catalog,
                      const Semantics &semantics, Translation translation) {
  std::string text, reason;
  Clock::time_point deadline = Clock::now() + std::chrono::seconds(10);
  if (!shapeProblem(a, b, semantics).empty())
    return text;
  Proof proof(a, b, catalog, semantics, deadline);
  guarded([&] { text = proof.statement(translation); }, reason, deadline);
  return text;
}

Verdict prove(const Query &a, const Query &b, const Catalog &catalog, const Semantics &semantics,
              const Limits &limits) {
  Clock::time_point start = Clock::now();
  Verdict verdict;
  if (std::string problem = shapeProblem(a, b, semantics); !problem.empty()) {
    verdict.reason = problem;
    return verdict;
  }
  auto budget =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  Proof proof(a, b, catalog, semantics, start + budget);
  guarded(
      [&] {
        if (proof.run())
          verdict.answer = Answer::Equivalent;
        else
          verdict.reason = "not proven; left over: " + shortened(proof.residual());
      },
      verdict.reason, start + budget);
  if (verdict.answer == Answer::Equivalent && limits.evidence == Evidence::Certificate)
    certify(a, b, catalog, semantics, budget, verdict);
  verdict.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return verdict;
}

} // namespace imbrex::sql
