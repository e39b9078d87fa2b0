// Where a kernel's accesses go, as expressions: every index of a tile kernel as a DimExpr over the
// kernel's sizes and over variables for block coordinates, loop iterations and minted pieces.
//
//   %i = tile.block 0                    block.0              in [0, grid 0)
//   scf.for %k = %l to %u step %s        l + s*loop.1         loop.1 in [0, ceildiv(u - l, s))
//   %r, %c = tile.unravel %p over […]    order.2, order.3     each in [0, extent)
//   tile.each_piece                      piece.4, piece.5     each in [0, number of tiles)
//
// An index that depends on data, or on arithmetic that has no exact form here, is a variable
// without limits of kind Data.
#pragma once

#include "compiler/ir/tile/Tile.h"
#include "compiler/passes/tile/Rules.h"

#include <map>

namespace imbrex::tile {

/// A variable counts from 0 to below `extent`, which may mention sizes and variables before it.
struct Variable {
  enum class Kind : uint8_t { Block, Loop, Order, Piece, Data };
  Kind kind;
  std::string name;
  DimExpr extent = 0; // Data: unused
  mlir::Operation *op = nullptr;
};

/// Coordinates that tile.unravel gives of `flat`, which must lie in [0, product of extents).
struct Unraveled {
  mlir::Operation *op;
  DimExpr flat = 0;
  std::vector<DimExpr> extents;
  std::vector<std::string> variables;
  int64_t group = 0; // 0: row-major
};

/// Coordinates of a flat number, as tile.unravel defines them.
std::vector<int64_t> unravel(int64_t flat, const std::vector<int64_t> &extents, int64_t group);

/// An execution of an operation: which variables it runs over, and under which conditions.
struct Domain {
  std::vector<const Variable *> variables; // outermost first
  llvm::SmallVector<DimExpr> conditions;   // of branches: each >= 0
  llvm::SmallVector<DimExpr> checked;      // or the kernel has stopped: each >= 0
  bool opaque = false;                     // stands under a condition that is no such expression
};

class IndexSpace {
public:
  explicit IndexSpace(KernelOp kernel, VerifyOptions options = {});
  bool without(Rule rule) const { return options.without == rule; }

  KernelOp kernel() const { return kernelOp; }
  const DimFacts &sizeFacts() const { return facts; }
  /// What launches guarantee besides: each >= 0. Assumptions, and that views and the grid have at
  /// most kMaxViewElems elements.
  const std::vector<DimExpr> &guarantees() const { return launch; }
  DimExpr of(mlir::Value index);
  Domain domainOf(mlir::Operation *op);
  /// What holds wherever an execution of the domain takes place, each >= 0: its conditions, and
  /// that no range is empty.
  llvm::SmallVector<DimExpr> factsWithin(const Domain &domain) const;
  const Variable *variable(std::string_view name) const;
  const std::map<std::string, Variable, std::less<>> &variables() const { return all; }
  const std::vector<Unraveled> &unraveled() const { return orders; }
  const Unraveled *orderOf(std::string_view variable) const;
  /// Any of the expression's variables is of kind Data.
  bool dependsOnData(const DimExpr &e) const;

  /// Integer results that must be shown to fit their type: (operation, value, bits).
  struct Narrow {
    mlir::Operation *op;
    DimExpr value = 0;
    unsigned bits;
  };
  const std::vector<Narrow> &arithmetic() const { return narrow; }

  /// What the meaning of an operation here takes for granted: value >= 0.
  struct Premise {
    mlir::Operation *op;
    DimExpr value = 0;
    const char *what; // "the divisor is positive"
  };
  const std::vector<Premise> &premises() const { return taken; }

private:
  DimExpr compute(mlir::Value index);
  DimExpr computeOp(mlir::Operation *op, unsigned result);
  DimExpr fresh(Variable::Kind kind, DimExpr extent, mlir::Operation *op);
  void divides(mlir::Operation *op, const DimExpr &value, const DimExpr &by, bool roundsOtherwise);
  void premise(mlir::Operation *op, const DimExpr &value, const char *what) {
    taken.push_back({op, value, what});
  }
  DimExpr data(mlir::Operation *op) { return fresh(Variable::Kind::Data, 0, op); }
  void addCondition(mlir::Value condition, bool holds, Domain &domain);
  /// A size expression with divisible sizes written as multiples: n -> 16*n.q.
  DimExpr exact(const DimExpr &e) const;
  void readSizes();
  void addPositive(const DimExpr &e, llvm::SmallVectorImpl<DimExpr> &known) const;

public:
  /// As the user wrote it: n.q -> n/16.
  std::string text(const DimExpr &e) const;
  DimExpr sizeExpr(llvm::StringRef text) const;
  llvm::SmallVector<DimExpr> extentsOf(ViewType view) const;
  llvm::SmallVector<DimExpr> stridesOf(ViewType view) const;
  llvm::SmallVector<DimExpr> grid() const;

private:
  KernelOp kernelOp;
  VerifyOptions options;
  DimFacts facts;
  std::vector<DimExpr> launch;
  std::map<std::string, int64_t, std::less<>> divisors;
  std::map<std::string, Variable, std::less<>> all;
  std::vector<Unraveled> orders;
  std::vector<Narrow> narrow;
  std::vector<Premise> taken;
  llvm::DenseMap<mlir::Value, DimExpr> values;
  size_t count = 0;
};

/// The names of sizes and variables in `e`.
bool mentions(const DimExpr &e, std::string_view name);
DimExpr replaced(const DimExpr &e, std::string_view name, const DimExpr &by);
DimExpr exprOf(const DimExpr::Atom &atom);
/// The expression with every atom replaced by what `change` makes of it, innermost first.
DimExpr
mapAtoms(const DimExpr &e,
         llvm::function_ref<DimExpr(const DimExpr::Atom &, const DimExpr &lhs, const DimExpr &rhs)>
             change);
DimExpr rebuilt(DimExpr::AtomKind kind, const DimExpr &lhs, const DimExpr &rhs);
/// e = factor*name + rest, name in neither; nothing when e is no such sum.
struct Linear {
  DimExpr factor = 0, rest = 0;
};
std::optional<Linear> linearIn(const DimExpr &e, std::string_view name);

} // namespace imbrex::tile
