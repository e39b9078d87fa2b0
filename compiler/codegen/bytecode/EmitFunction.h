// One function's bytecode. Part of EmitBytecode.
#pragma once

#include "compiler/codegen/bytecode/SizeTable.h"
#include "compiler/ir/vm/Vm.h"
#include "runtime/module/format/Assembler.h"

namespace imbrex::codegen {

/// Indices of what functions refer to, shared by all functions of an artifact.
struct ArtifactTables {
  llvm::StringMap<uint32_t> kernels;
  llvm::StringMap<vm::KernelOp> records; // of the kernels
  llvm::StringMap<uint32_t> functions;
  llvm::StringMap<uint32_t> hostOps;
  llvm::DenseMap<mlir::Attribute, uint32_t> constants;
};

class FunctionEmitter {
public:
  FunctionEmitter(relay::FuncOp func, mlir::ModuleOp kernels, const ArtifactTables &tables,
                  artifact::ArtifactSpec &spec)
      : func(func), kernels(kernels), tables(tables), spec(spec) {}

  Result<artifact::FunctionSpec> emit();

private:
  void collectSizes();
  void need(const DimExpr &size, unsigned depth);
  void needType(mlir::Type type, unsigned depth);
  Status emitSymbols(artifact::FunctionSpec &out);
  void planReleases();
  void releaseAfter(mlir::Operation *op);
  Status emitRegion(mlir::Region &region);
  Status emitOp(mlir::Operation *op);
  Status emitLaunch(vm::LaunchOp op);
  Status emitHost(vm::HostOp op);
  Status emitIf(relay::IfOp op);
  Status emitLoop(relay::LoopOp op);
  Status emitOpen(relay::OpenOp op);
  Status emitCall(relay::CallOp op);
  void openFromTypes(llvm::ArrayRef<llvm::StringRef> symbols, mlir::ValueRange values,
                     mlir::TypeRange patterns);
  void runStage(llvm::StringRef symbol);

  /// Records a reference to what is not there: a defect of an earlier phase, E0602. Emission goes
  /// on with something harmless; emit() returns the first.
  void missing(const std::string &what);
  DimExpr parsed(llvm::StringRef text);
  artifact::SizeSpec sizeOf(const DimExpr &size);
  uint32_t slotOf(llvm::StringRef symbol);
  uint32_t define(mlir::Value v);
  uint32_t reg(mlir::Value v);
  uint32_t fresh() { return next++; }
  std::vector<artifact::SizeSpec> sizesOf(relay::TensorType type);
  std::string shown(const DimExpr &size) const;
  artifact::TypeSpec typeSpec(relay::TensorType type);

  relay::FuncOp func;
  mlir::ModuleOp kernels;
  const ArtifactTables &tables;
  artifact::ArtifactSpec &spec;
  artifact::Assembler code;
  SizeTable sizes;
  llvm::DenseMap<mlir::Value, uint32_t> registers;
  /// Values with storage of their own, by the operation of their block that uses them last.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> dying;
  std::vector<int32_t> stageFunctions;
  uint32_t next = 0;
  Status problem; // the first that missing() recorded
};

} // namespace imbrex::codegen
