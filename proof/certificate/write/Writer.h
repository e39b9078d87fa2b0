// Writes what a recorder saw as a certificate (docs/reference/sql-certificates.md): the entries
// that the claim rests on, each after those it uses. Cost: linear in what is written.
//
//   Writer writer(pool, theory);
//   writer.claim({first, second}, {normalFirst, normalSecond}, Compare::Bags, equality);
//   writer.text()
#pragma once

#include "proof/algebra/GuardSolver.h"
#include "proof/algebra/Recorder.h"

#include <set>
#include <string>

namespace imbrex::certificate {

using algebra::Entry;
using algebra::Id;

enum class Compare : uint8_t { Bags, Sets };

/// Between quotes, with \\ before quotes and \\n for line ends.
std::string quoted(const std::string &text);

class Writer {
public:
  Writer(algebra::Pool &pool, algebra::Theory &theory)
      : pool(pool), theory(theory), recorder(pool.recorder ? *pool.recorder : none) {}

  /// Both terms as read and in normal form; the equality of the latter is `proof` (0: one term),
  /// or, for sets, the refutation of "they differ".
  void claim(std::pair<Id, Id> read, std::pair<Id, Id> normal, Compare compare, Entry proof);
  /// What a certificate of these terms has to claim, and all it may assume: the properties of the
  /// functions in `applications` (of variables, as read). Needs no recorder.
  void statement(std::pair<Id, Id> read, Compare compare, const std::vector<Id> &applications);
  const std::string &text() const { return out; }

private:
  static constexpr Entry noHypothesis = UINT32_MAX;

  // Terms.
  std::string term(Id id);
  std::string list(const std::vector<Id> &ids);
  std::string variables(const std::vector<algebra::Variable> &all);
  std::string sortName(algebra::Sort sort) const;
  std::string binders(const algebra::Node &node) const;
  std::string termLine(Id id);

  // Entries, after what they use.
  void need(Entry hypothesis, const std::vector<Id> &terms);
  void needTerm(Entry hypothesis, Id id, std::set<Id> &seen);
  std::string hypothesis(Entry entry);
  void rewriting(const algebra::Rewriting &entry);
  void sumFact(const algebra::SumFact &fact);
  std::string lemma(Entry entry);
  void quantifierLemma(Entry entry, const algebra::BinderLemma &lemma);
  void sumLemma(Entry entry, const algebra::BinderLemma &lemma);
  std::string chain(const algebra::Chain &chain, const std::vector<Id> &before,
                    const std::vector<Id> &payload);
  std::string step(const algebra::ScopeStep &step);
  std::string parts(const std::vector<algebra::BinderPart> &parts);
  std::string events(const std::vector<algebra::SumEvent> &all, uint32_t handle,
                     const std::vector<Id> &start);
  std::string event(const algebra::SumEvent &event);
  std::string equality(Entry entry);
  std::string refutation(Entry entry);
  std::string fact(Id formula);
  std::string axiom(const algebra::Fact &fact);
  Id generic(Id application, std::vector<algebra::Variable> &all);
  std::string learned(const algebra::Learned &pair);

  void line(const std::string &text) { out += text + "\n"; }

  algebra::Pool &pool;
  algebra::Theory &theory;
  algebra::Recorder none;
  algebra::Recorder &recorder;
  std::string out;
  std::map<Id, std::string> terms;
  std::set<Entry> doneHypotheses, doneLemmas, doneEqualities, doneRefutations;
  std::set<std::pair<Entry, Id>> doneRewritings;
  std::set<std::pair<Id, bool>> doneSumFacts;
  std::map<Id, std::string> doneFacts;
  std::map<std::tuple<algebra::Fact::Kind, algebra::Symbol, uint32_t>, std::string> axioms;
  std::set<algebra::Symbol> counts;
  uint32_t learnedCount = 0;
};

} // namespace imbrex::certificate
