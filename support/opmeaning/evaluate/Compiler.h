// Compiles one body or guard to Code.
#pragma once

#include "support/opmeaning/Evaluator.h"
#include "support/opmeaning/evaluate/Code.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace imbrex::opmeaning {

using SymbolValues = std::map<std::string, int64_t, std::less<>>;

/// What a body may refer to. Pointers are borrowed and must outlive the code.
struct Surroundings {
  const SymbolValues *symbols;
  const std::vector<const HostTensor *> *operands; // null: absent
  const std::vector<std::optional<HostTensor>> *defs;
  Precision precision;
};

class Compiler {
public:
  explicit Compiler(const Surroundings &around) : around(around) {}

  /// Binds variables; their slots are the numbers of variables bound before.
  void bind(const std::vector<const Node *> &vars, const std::vector<int64_t> &extents);
  Result<int64_t> size(const DimExpr &d) const;
  Result<const Code *> compile(const Node *root);
  /// A frame that fits all code compiled so far.
  Frame frame(int64_t maxSteps) const;

private:
  friend class FoldCompiler;
  friend class Moves;
  Surroundings around;
  CodeArena arena;
  std::optional<Error> error;
  std::unordered_map<const Node *, uint32_t> variables; // slots; no slot is used twice
  std::vector<int64_t> slotExtents;
  uint32_t slots = 0;
  std::unordered_map<const Node *, const Code *> done;
  std::unordered_map<const Node *, uint32_t> levels, uses;

  bool realMode() const { return around.precision == Precision::Real; }
  void countUses(const Node *root);
  /// The innermost loop level that the term depends on; 0 for none.
  uint32_t levelOf(const Node *n);
  int64_t sizeOrFail(const DimExpr &d);
  const Code *fail(Error e);

  const Code *code(const Node *n);
  const Code *plain(const Node *n);
  const Code *index(const Node *n);
  const Code *guard(const Node *n);
  const Code *scalar(const Node *n);
  const Code *read(const Node *n);
  const Code *apply(const Node *n);
  const Code *cast(const Node *n);
  const Code *constant(const Node *n);
  const Code *fold(const Node *n);
  const Code *place(const Node *n);
  std::optional<Affine> affine(const Node *n);
  bool setRange(Affine &a) const;
  std::optional<Affine> difference(const Affine &a, const Affine &b) const;
  const HostTensor *tensor(Source s) const;
};

} // namespace imbrex::opmeaning
