// The steps of a proof in words, for people: what each query counts, in a normal form; how the
// parts of one go over into those of the other; which constraints that rests on.
//
// The proof is done again, part by part, so that each step can be named; it says no more than the
// verdict of prove(). Not every proof falls apart into steps: then the last one says so.
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <string>
#include <vector>

namespace imbrex::sql {

struct Explanation {
  std::vector<std::string> first, second; // the parts of each query
  std::vector<std::string> steps;
  bool complete = false; // every part has its counterpart
  std::string missing;   // else: what has no meaning here, or the time
};

/// Both queries have the same column types (alignColumns). Takes at most `seconds`.
Explanation explainProof(const Query &first, const Query &second, const Catalog &catalog,
                         const Semantics &semantics, double seconds);

/// A constraint of a schema, and the schema without it.
struct Constraint {
  std::string text; // "the key (id) of customer"
  Catalog without;
};

/// Keys, foreign keys, checks, and NOT NULL of columns outside keys, of the tables marked in
/// `used`.
std::vector<Constraint> constraintsOf(const Catalog &catalog, const std::vector<bool> &used);

} // namespace imbrex::sql
