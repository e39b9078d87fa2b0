// One definition as one kernel: a function of the kernel ABI whose body walks grid points and runs
// a linalg operation over the rest of the definition's space.
//
//   y[n, c, p] : f32 = relu(x[n, c, p])
// becomes
//   func @k(env, args, dims, begin, end) -> i32 {
//     scf.for %g = %begin to %end { n, c from %g
//       linalg.generic (p) ins(x[n, c, :]) outs(y[n, c, :]) { maximumf } } }
//
// The grid is the outer parallel extents, as many as leave a grid point enough work; the innermost
// of them may be cut into chunks.
#pragma once

#include "compiler/MlirPch.h"
#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// What the runtime must know of a kernel (runtime/module/format/Artifact.fbs).
struct KernelRecord {
  std::string name;
  std::vector<opmeaning::Source> operands; // views read, in order
  std::vector<int64_t> gathered;           // places of those read where data say, and nowhere else
  std::vector<uint32_t> results;           // definitions written; empty for a check
  std::vector<std::string> symbols;        // dimension parameters, in order
  DimExpr grid = 1;
  std::vector<std::string> checks;
  int64_t flops = 0;         // 0 when it depends on symbols
  uint32_t clampedReads = 0; // whose place is not proven to lie in its tensor
  DimExpr work = 0;          // the same, over the symbols
  std::string form;          // what it computes and how, for people
  bool isTile = false;       // a kernel of the tile dialect, whose code brings its plan
};

/// Appends the kernel of definition `def` to `module`. Precondition: normal form, accumulator =
/// dtype in reduces (splitAccumulators), no operand of an opened size.
KernelRecord buildKernel(mlir::ModuleOp module, opmeaning::Program &program, uint32_t def,
                         const DimFacts &facts, llvm::StringRef name);

/// Appends a kernel that fails with check 0 unless `require` holds at every point of its extents.
KernelRecord buildCheck(mlir::ModuleOp module, opmeaning::Program &program,
                        const opmeaning::Require &require, const DimFacts &facts,
                        llvm::StringRef name);

/// Gives every reduce whose accumulator is wider than its definition a definition of the
/// accumulator's type:
///   y : f16 = sum(k) …  ->  y.acc : f32 = sum(k) …;  y : f16 = cast(y.acc)
void splitAccumulators(opmeaning::Program &program);

/// Replaces reads of one-element constant operands by the constant.
void foldScalarOperands(opmeaning::Program &program);

/// Replaces indices read from a constant table of 0, …, 0, 1, …, 1, … by the division that it is:
/// nearest-neighbour resizes are gathers with such tables.
void foldIndexTables(opmeaning::Program &program);

} // namespace imbrex::lower
