// One evaluation of a Program: sizes, requirements, definitions in order.
#pragma once

#include "support/opmeaning/evaluate/Compiler.h"

namespace imbrex::opmeaning {

/// Writes one element; a float is rounded to `type`.
void storeElement(std::byte *data, DType type, int64_t i, Value v);

class Evaluation {
public:
  Evaluation(const Program &p, std::vector<const HostTensor *> operands, Precision precision,
             int64_t maxSteps)
      : p(p), operands(std::move(operands)), defs(p.defs.size()), precision(precision),
        stepsLeft(maxSteps) {}

  /// Everything: binds sizes, checks requirements, computes the outputs.
  Result<std::vector<HostTensor>> run();
  /// One definition and what it reads, without requirements; for folding.
  Result<HostTensor> only(uint32_t def);

private:
  const Program &p;
  std::vector<const HostTensor *> operands;
  std::vector<std::optional<HostTensor>> defs;
  SymbolValues symbols;
  Precision precision;
  int64_t stepsLeft;
  std::vector<bool> checked; // requirements

  Surroundings around() const { return {&symbols, &operands, &defs, precision}; }
  Status checkOperands() const;
  Status bindSizes();
  void solveSizes(const DimFacts &equations);
  Status open(Source::Kind kind, uint32_t index);
  Status require(size_t defsDone);
  bool isReady(const Require &r, size_t defsDone) const;
  Status check(const Require &r);
  Status define(uint32_t i);
  Error faultError(Fault f, const std::string &where) const;
};

} // namespace imbrex::opmeaning
