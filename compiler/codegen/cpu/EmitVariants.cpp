#include "compiler/codegen/cpu/EmitCode.h"

#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

namespace imbrex::codegen {

void registerKernelDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
              mlir::func::FuncDialect, mlir::linalg::LinalgDialect, mlir::LLVM::LLVMDialect,
              mlir::math::MathDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
              mlir::tensor::TensorDialect, mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  mlir::linalg::registerTilingInterfaceExternalModels(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

Result<std::vector<CodeVariant>> emitVariants(mlir::ModuleOp kernels,
                                              const std::vector<CpuTarget> &targets,
                                              const std::vector<std::string> &exported,
                                              ImportTable &imports) {
  std::vector<CodeVariant> variants;
  for (const CpuTarget &target : targets) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(kernels.clone());
    if (auto s = lowerToLlvm(*copy, target); !s)
      return s.takeError();
    auto object = emitObject(*copy, target);
    if (!object)
      return object.takeError();
    auto elf = linkShared(*object, target, exported, imports);
    if (!elf)
      return elf.takeError();
    variants.push_back({target, elf.take()});
  }
  return variants;
}

} // namespace imbrex::codegen
