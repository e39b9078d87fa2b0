// What uninterpreted functions, aggregates and parameters mean in one run: values drawn by a hash
// of name, arguments and a seed. So equal arguments give equal results, in both queries and in
// every run with that seed.
#pragma once

#include "proof/sql/evaluate/Cell.h"

#include <array>

namespace imbrex::sql {

/// What a function gave in a run, for each list of arguments that it was called with.
struct FunctionCalls {
  std::string name;
  Type type;
  std::vector<std::pair<std::vector<Cell>, Cell>> calls;
};

struct Meaning {
  uint64_t seed = 0;
  /// The values that results of each base type are drawn from.
  std::array<std::vector<Cell>, size_t(BaseType::Other) + 1> ranges;

  /// Where set, runs add the calls whose results were drawn.
  std::vector<FunctionCalls> *record = nullptr;

  /// A few values of every type.
  static Meaning plain(TextPool &pool);

  /// `arguments` is a hash of them. NULL now and then, where the type allows it.
  Cell value(uint64_t name, uint64_t arguments, const Type &type) const;
  Cell parameter(const std::string &name, const Type &type) const;
  void note(const std::string &function, const Type &type, const std::vector<Cell> &arguments,
            const Cell &result) const;
};

uint64_t hashName(const std::string &name);

} // namespace imbrex::sql
