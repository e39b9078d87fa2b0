#include "compiler/codegen/tile-cpu/HostKernels.h"

#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/tile-cpu/LowerTile.h"
#include "compiler/passes/tile/Passes.h"
#include "support/DType.h"

#include <bit>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace imbrex::codegen {

/// What code calls out to: the C library's, and the conversion that older compiler libraries lack.
static void *import(const std::string &name) {
  static constexpr auto toBfloat = [](float v) -> __bf16 {
    return std::bit_cast<__bf16>(floatToBfloat16(v));
  };
  if (name == "__truncsfbf2")
    return reinterpret_cast<void *>(static_cast<__bf16 (*)(float)>(toBfloat));
  return dlsym(RTLD_DEFAULT, name.c_str());
}

void registerTileKernelDialects(mlir::DialectRegistry &registry) {
  registerKernelDialects(registry);
  registry.insert<tile::TileDialect>();
}

/// Runs the verifier, which adds the checks that launches and code have to make.
static Status prove(mlir::ModuleOp module) {
  std::string faults;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &d) {
    llvm::raw_string_ostream stream(faults);
    stream << '\n' << d.getLocation() << ": " << d;
  });
  for (auto kernel : llvm::to_vector(module.getOps<tile::KernelOp>()))
    if (failed(tile::verifyKernel(kernel)))
      return badInput(566, "kernels that are not safe:" + faults);
  return {};
}

Result<HostKernels> HostKernels::compile(mlir::ModuleOp module, const CpuTarget &target) {
  HostKernels k;
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (auto s = prove(*copy); !s)
    return s.takeError();
  auto records = lowerTileKernels(*copy, target);
  if (!records)
    return records.takeError();
  k.list = records.take();
  if (failed(mlir::verify(*copy)))
    return internalError(613, "lowered tile kernels are not valid");
  std::vector<std::string> names;
  for (const TileKernelRecord &r : k.list)
    names.push_back(r.name);
  ImportTable imports;
  auto variants = emitVariants(*copy, {target}, names, imports);
  if (!variants)
    return variants.takeError();
  k.code = std::move(variants->front().elf);
  k.file = memfd_create("tile-kernels", 0);
  if (write(k.file, k.code.data(), k.code.size()) != static_cast<ssize_t>(k.code.size()))
    return internalError(613, "machine code cannot be written to memory");
  k.library = dlopen(("/proc/self/fd/" + std::to_string(k.file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!k.library)
    return internalError(613, std::string("machine code cannot be loaded: ") + dlerror());
  auto table = static_cast<void **>(dlsym(k.library, "imx_imports"));
  for (size_t i = 0; i < imports.names.size(); ++i)
    if (table[i] = import(imports.names[i]); !table[i])
      return internalError(613, "kernels call " + imports.names[i] + ", which is not here");
  return std::move(k);
}

Result<HostKernels> HostKernels::compileText(const std::string &text, const CpuTarget &target) {
  mlir::DialectRegistry registry;
  registerTileKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string first;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    if (first.empty()) {
      llvm::raw_string_ostream stream(first);
      stream << d.getLocation() << ": " << d;
    }
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return badInput(614, "the text is no tile kernel: " + first);
  return compile(*module, target);
}

Result<HostLaunch> HostKernels::launch(const std::string &name, std::vector<ImxView> operands,
                                       const SizeBindings &sizes) const {
  auto record = llvm::find_if(list, [&](const TileKernelRecord &r) { return r.name == name; });
  if (record == list.end())
    return badInput(280, "there is no kernel '" + name + "'");
  auto admitted = checkLaunch(record->contract, operands, sizes);
  if (!admitted)
    return admitted.takeError();
  return HostLaunch{admitted.take(), std::move(operands),
                    static_cast<uint64_t>(record->scratchBytes),
                    reinterpret_cast<ImxKernelFn>(dlsym(library, name.c_str()))};
}

std::vector<LoadedKernel> HostKernels::load(HostKernels kernels) {
  auto shared = std::make_shared<const HostKernels>(std::move(kernels));
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (char c : shared->code)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::vector<LoadedKernel> loaded;
  for (const TileKernelRecord &r : shared->list)
    loaded.push_back({r.contract,
                      "cpu",
                      dlsym(shared->library, r.name.c_str()),
                      static_cast<uint64_t>(r.scratchBytes),
                      r.checks,
                      {},
                      shared,
                      hash});
  return loaded;
}

HostKernels::~HostKernels() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

} // namespace imbrex::codegen
