// Proves that two queries have the same result on every database of the catalog: on every
// duplicate-free, NULL-ridden, empty or large one, under the given semantics. Answers Equivalent or
// Unknown, never NotEquivalent (refuting is another part's work). Unknown says why: the construct
// without meaning here, the goal that was left over, or the limit that was met.
#pragma once

#include "proof/sql/Verdict.h"

namespace imbrex::sql {

/// What an Equivalent comes with.
enum class Evidence : uint8_t { Verdict, Certificate };

struct Limits {
  double seconds = 10;
  /// A certificate is made by a second proof, from the terms as they were read; it may take ten
  /// times as long. Where that proof fails `certificate` stays empty and `reason` says why.
  Evidence evidence = Evidence::Verdict;
};

/// Both queries are bound over `catalog` and pass verify(). Uses one thread; memory is bounded.
Verdict prove(const Query &a, const Query &b, const Catalog &catalog, const Semantics &semantics,
              const Limits &limits = {});

/// How the terms of a certificate came from the queries: each operator as it stands, or with every
/// simplification on the way (where the first form was not proven).
enum class Translation : uint8_t { Plain, Simplified };

/// What a certificate of these queries has to claim, for check(): the terms, and what the catalog
/// says of its tables. Empty: the queries are not covered.
std::string statement(const Query &a, const Query &b, const Catalog &catalog,
                      const Semantics &semantics, Translation translation);

} // namespace imbrex::sql
