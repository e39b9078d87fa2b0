#include "compiler/codegen/cpu/EmitCode.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <mutex>

namespace imbrex::codegen {

Result<std::unique_ptr<llvm::TargetMachine>> machineFor(const CpuTarget &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
  std::string error;
  llvm::Triple triple(target.triple);
  const auto *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return internalError(611, "no LLVM target for " + target.triple + ": " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(
      found->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                 std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// What is not public is called from inside alone: it need not be there once it is inlined.
static void hidePrivateFunctions(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function.isPrivate() && !function.isExternal())
      function.setLinkage(mlir::LLVM::Linkage::Internal);
}

Result<std::vector<char>> emitObject(mlir::ModuleOp module, const CpuTarget &target,
                                     llvm::StringRef prefix) {
  auto machine = machineFor(target);
  if (!machine)
    return machine.takeError();
  hidePrivateFunctions(module);
  llvm::LLVMContext context;
  auto ir = mlir::translateModuleToLLVMIR(module, context);
  if (!ir)
    return internalError(611, "kernels do not translate to LLVM IR");
  ir->setTargetTriple(llvm::Triple(target.triple));
  ir->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &f : *ir) {
    if (f.isDeclaration())
      continue;
    if (!f.hasLocalLinkage())
      f.setName(prefix + f.getName());
    f.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      f.addFnAttr("target-features", target.features);
    f.addFnAttr("prefer-vector-width", std::to_string(target.vectorBits));
    f.addFnAttr(llvm::Attribute::NoUnwind);
  }

  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = true;
  llvm::PassBuilder passes(machine->get(), tuning);
  passes.registerModuleAnalyses(mam);
  passes.registerCGSCCAnalyses(cgam);
  passes.registerFunctionAnalyses(fam);
  passes.registerLoopAnalyses(lam);
  passes.crossRegisterProxies(lam, fam, cgam, mam);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(*ir, mam);

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager emit;
  if ((*machine)->addPassesToEmitFile(emit, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return internalError(611, "LLVM cannot write an object for " + target.triple);
  emit.run(*ir);
  return std::vector<char>(object.begin(), object.end());
}

} // namespace imbrex::codegen
