// What uninterpreted functions, aggregates and parameters mean in one run: values drawn by a hash
// of name, arguments and a seed. So equal arguments give equal results, in both queries and in
// every run with that seed.
#pragma once

#include "proof/sql/evaluate/Cell.h"

#include <array>

namespace imbrex::sql {

struct Meaning {
  uint64_t seed = 0;
  /// The values that results of each base type are drawn from.
  std::array<std::vector<Cell>, size_t(BaseType::Other) + 1> ranges;

  /// A few values of every type.
  static Meaning plain(TextPool &pool);

  /// `arguments` is a hash of them. NULL now and then, where the type allows it.
  Cell value(uint64_t name, uint64_t arguments, const Type &type) const;
  Cell parameter(const std::string &name, const Type &type) const;
};

uint64_t hashName(const std::string &name);

} // namespace imbrex::sql
