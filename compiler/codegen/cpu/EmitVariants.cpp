#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/cpu/KernelCache.h"
#include "compiler/codegen/cpu/KernelUnits.h"
#include "compiler/codegen/tile-cpu/LowerTile.h"

#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include "llvm/Support/Threading.h"

#include <thread>

namespace imbrex::codegen {

using namespace mlir;

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect, tile::TileDialect,
                  ub::UBDialect, vector::VectorDialect>();
  linalg::registerTilingInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {

/// Machine code of each unit, for each target; empty where it is not there yet.
using Objects = std::vector<std::vector<std::vector<char>>>; // [target][unit]

/// One thread's compiler: an MLIR context is one thread's.
class UnitCompiler {
public:
  UnitCompiler(const std::vector<CpuTarget> &targets, KernelCache &cache)
      : targets(targets), cache(cache), context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  Status compile(const KernelUnit &unit, size_t place, Objects &objects) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(unit.text, &context);
    if (!module)
      return internalError(610, "the text of a kernel cannot be read back");
    const bool tiles = !module->getOps<tile::KernelOp>().empty();
    bool lowered = false; // all but tile kernels are lowered for all targets alike
    for (size_t t = 0; t < targets.size(); ++t) {
      if (!objects[t][place].empty())
        continue;
      OwningOpRef<ModuleOp> own;
      const bool alone = tiles || targets.size() == 1;
      if (tiles) {
        own = module->clone();
        if (auto records = lowerTileKernels(*own, targets[t]); !records)
          return records.takeError();
      }
      if (own || !lowered)
        if (auto s = lowerToLlvm(own ? *own : *module, alone ? &targets[t] : nullptr); !s)
          return s;
      lowered = true;
      auto object = emitObject(own ? *own : *module, targets[t], unitSymbol(unit.hash, ""));
      if (!object)
        return object.takeError();
      cache.keep(cache.keyOf(unit, targets[t]), *object);
      objects[t][place] = object.take();
    }
    return {};
  }

private:
  static DialectRegistry registry() {
    DialectRegistry r;
    registerKernelDialects(r);
    return r;
  }

  const std::vector<CpuTarget> &targets;
  KernelCache &cache;
  MLIRContext context;
};

/// Fills in what the cache has; the units that lack something, those with most to do first.
std::vector<size_t> unitsToCompile(const std::vector<KernelUnit> &units,
                                   const std::vector<CpuTarget> &targets, KernelCache &cache,
                                   Objects &objects, size_t &missing) {
  std::vector<size_t> open;
  for (size_t u = 0; u < units.size(); ++u) {
    const size_t before = missing;
    for (size_t t = 0; t < targets.size(); ++t)
      if (auto kept = cache.find(cache.keyOf(units[u], targets[t])))
        objects[t][u] = std::move(*kept);
      else
        ++missing;
    if (missing > before)
      open.push_back(u);
  }
  llvm::sort(open, [&](size_t a, size_t b) {
    return std::pair(units[b].text.size(), a) < std::pair(units[a].text.size(), b);
  });
  return open;
}

/// Compiles `open` on so many threads, this one among them.
Status compileUnits(const std::vector<KernelUnit> &units, const std::vector<size_t> &open,
                    const std::vector<CpuTarget> &targets, KernelCache &cache, unsigned threads,
                    Objects &objects) {
  std::vector<Status> done(open.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    size_t at = next++;
    if (at >= open.size())
      return;
    UnitCompiler compiler(targets, cache);
    for (; at < open.size(); at = next++)
      done[at] = compiler.compile(units[open[at]], open[at], objects);
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min<size_t>(threads, open.size()); ++i)
    others.emplace_back(work);
  work();
  for (std::thread &t : others)
    t.join();
  for (Status &s : done)
    if (!s)
      return std::move(s);
  return {};
}

SymbolNames exportedNames(const std::vector<KernelUnit> &units,
                          const std::vector<std::string> &exported) {
  const std::set<std::string> wanted(exported.begin(), exported.end());
  SymbolNames names;
  for (const KernelUnit &unit : units)
    for (const auto &[function, name] : unit.functions)
      if (wanted.contains(name))
        names.push_back({name, unitSymbol(unit.hash, function)});
  return names;
}

} // namespace

Result<std::vector<CodeVariant>> emitVariants(ModuleOp kernels,
                                              const std::vector<CpuTarget> &targets,
                                              const std::vector<std::string> &exported,
                                              ImportTable &imports, const EmitOptions &options,
                                              EmitReport *report) {
  const std::vector<KernelUnit> units = splitUnits(kernels);
  KernelCache cache(options.cache);
  Objects objects(targets.size(), std::vector<std::vector<char>>(units.size()));
  size_t missing = 0;
  const std::vector<size_t> open = unitsToCompile(units, targets, cache, objects, missing);
  const unsigned threads =
      options.threads ? options.threads : llvm::hardware_concurrency().compute_thread_count();
  if (auto s = compileUnits(units, open, targets, cache, threads, objects); !s)
    return s.takeError();
  std::vector<std::string> remarks = cache.close();
  if (report)
    *report = {units.size() * targets.size(), missing, std::move(remarks)};
  const SymbolNames names = exportedNames(units, exported);
  std::vector<CodeVariant> variants;
  for (size_t t = 0; t < targets.size(); ++t) {
    auto elf = linkShared(objects[t], targets[t], names, imports);
    if (!elf)
      return elf.takeError();
    variants.push_back({targets[t], elf.take()});
  }
  return variants;
}

} // namespace imbrex::codegen
