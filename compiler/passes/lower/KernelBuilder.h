// Writes one kernel function: the frame, the operands' memory, the linalg operation over the inner
// space. Each kind of definition has a file of its own: map (KernelBuilder.cpp), reduce
// (KernelReduce.cpp), best (KernelBest.cpp), check (KernelCheck.cpp).
#pragma once

#include "compiler/passes/lower/EmitTerm.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/KernelFrame.h"
#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Which parallel indices the grid takes, and how the first inner one is cut.
struct Split {
  size_t outer = 0;  // indices [0, outer) are grid indices
  int64_t chunk = 0; // > 0: index `outer` is cut into chunks of this many
  DimExpr grid = 1;
};

/// A loop of the inner space.
struct Loop {
  const Node *var;
  DimExpr extent;          // of the whole index
  mlir::OpFoldResult size; // of this grid point's part
  mlir::Value start;       // null: 0
  bool reduction;
};

class KernelBuilder {
public:
  KernelBuilder(mlir::ModuleOp module, opmeaning::Program &p, const DimFacts &facts,
                llvm::StringRef name, std::vector<opmeaning::Source> operands,
                std::vector<uint32_t> results, std::vector<std::string> symbols)
      : p(p), form(p, facts), operands(std::move(operands)), results(std::move(results)),
        frame(module, name, this->operands.size() + this->results.size(), symbols),
        sizes([this](llvm::StringRef s) { return frame.symbol(s); }),
        terms(p, form, sizes, [this](opmeaning::Source s) { return flatOf(s); }) {}

  void open(const std::vector<const Node *> &vars, const std::vector<DimExpr> &extents,
            const Split &split);
  void map(const opmeaning::Def &d);
  void reduce(const opmeaning::Def &d);
  void best(const opmeaning::Def &d);
  void check(const opmeaning::Require &r);
  void close() { frame.close(); }
  uint32_t clampedReads() const { return terms.clampedReads(); }

private:
  mlir::OpBuilder &b() { return frame.builder(); }
  mlir::Location loc() { return frame.loc(); }
  mlir::Value flatOf(opmeaning::Source s);
  mlir::Value outView(const opmeaning::Def &d);
  mlir::Value viewOf(const Node *read, llvm::SmallVectorImpl<unsigned> &loopsOfRead);
  void bindInside(mlir::OpBuilder &inside);
  mlir::linalg::GenericOp
  generic(const Node *root, mlir::Value out, llvm::ArrayRef<unsigned> outLoops,
          llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value acc)> body);
  mlir::Value toStorage(mlir::OpBuilder &at, mlir::Value v, DType type);
  mlir::Value fromStorage(mlir::OpBuilder &at, mlir::Value v, DType type);
  mlir::Value identity(mlir::OpBuilder &at, const Node *reduce);
  void reductionLoops(const Node *root);

  opmeaning::Program &p;
  IndexForm form;
  std::vector<opmeaning::Source> operands;
  std::vector<uint32_t> results;
  KernelFrame frame;
  SizeEmitter sizes;
  TermEmitter terms;
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> flats;
  std::vector<Loop> loops;
  llvm::SmallVector<std::pair<const Node *, mlir::Value>> gridVars;
  size_t outer = 0;
};

} // namespace imbrex::lower
