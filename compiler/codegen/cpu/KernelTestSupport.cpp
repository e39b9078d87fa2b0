#include "compiler/codegen/cpu/KernelTestSupport.h"

#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/FuseProducts.h"
#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/TileKernel.h"
#include "runtime/abi/kernel.h"

#include <bit>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace imbrex::codegen::test {

using namespace opmeaning;

GuardedMemory::GuardedMemory(size_t bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t lines = std::max<size_t>((bytes + 63) / 64 * 64, 64);
  const size_t inner = (lines + page - 1) / page * page;
  mapped = inner + 2 * page;
  base = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED ||
      mprotect(static_cast<char *>(base) + page, inner, PROT_READ | PROT_WRITE) != 0)
    abort();
  tensor = static_cast<char *>(base) + page + inner - lines;
  memset(static_cast<char *>(base) + page, 0xcd, inner);
}

GuardedMemory::GuardedMemory(GuardedMemory &&o) noexcept
    : base(std::exchange(o.base, nullptr)), tensor(o.tensor), mapped(o.mapped) {}

GuardedMemory::~GuardedMemory() {
  if (base)
    munmap(base, mapped);
}

void prepare(Program &program, const DimFacts &facts) {
  std::vector<std::string> remarks;
  lower::foldScalarOperands(program);
  lower::padWindows(program, facts);
  int64_t spareBytes = 1 << 30;
  lower::tileContractions(program, facts, spareBytes, remarks);
  lower::inlineDefs(program, facts);
  lower::splitAccumulators(program);
  lower::foldConstantDefs(program);
}

/// The first definition that a requirement can precede: one behind the last that it reads.
static uint32_t readyAt(const Require &r) {
  uint32_t ready = 0;
  walk(r.guard, [&](const Node *n) {
    bool reads = n->kind == TermKind::VRead || n->kind == TermKind::IxRead;
    if (reads && n->source.kind == Source::Kind::Def)
      ready = std::max(ready, n->source.index + 1);
  });
  return ready;
}

/// What code calls out to: the C library's, and the conversion that older compiler libraries lack.
static void *import(const std::string &name) {
  static constexpr auto toBfloat = [](float v) -> __bf16 {
    return std::bit_cast<__bf16>(floatToBfloat16(v));
  };
  if (name == "__truncsfbf2")
    return reinterpret_cast<void *>(static_cast<__bf16 (*)(float)>(toBfloat));
  return dlsym(RTLD_DEFAULT, name.c_str());
}

CompiledProgram::CompiledProgram(Program given, const DimFacts &facts, const CpuTarget &target)
    : program(std::move(given)) {
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::OpBuilder b(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(b, b.getUnknownLoc()));
  std::vector<std::string> names;
  auto name = [&] { return names.emplace_back("k" + std::to_string(names.size())); };
  std::vector<std::string> plans;
  const lower::ProductFusion fused = lower::fuseProducts(program, facts);
  for (uint32_t i = 0; i <= program.defs.size(); ++i) {
    for (const Require &r : program.requirements)
      if (readyAt(r) == i)
        steps.push_back({lower::buildCheck(*module, program, r, facts, name()), r.why});
    if (i == program.defs.size() || fused.readerOf[i])
      continue;
    if (!fused.products[i] && !fused.productOf[i]) {
      steps.push_back({lower::buildKernel(*module, program, i, facts, name()), ""});
      continue;
    }
    const uint32_t product = fused.productOf[i].value_or(i);
    auto record =
        lower::buildTileKernel(*module, program, product, *fused.products[product],
                               fused.productOf[i] ? std::optional(i) : std::nullopt, facts, name());
    EXPECT_TRUE(record) << record.error().str();
    if (!record)
      return;
    plans.push_back(record->name + ".plan");
    steps.push_back({record.take(), ""});
  }
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  names.insert(names.end(), plans.begin(), plans.end());
  ImportTable imports;
  auto code = emitVariants(*module, {target}, names, imports);
  EXPECT_TRUE(code) << code.error().str();
  if (!code)
    return;
  const std::vector<char> &elf = code->front().elf;
  file = memfd_create("kernels", 0);
  EXPECT_EQ(write(file, elf.data(), elf.size()), static_cast<ssize_t>(elf.size()));
  library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  if (!library)
    return;
  auto table = static_cast<void **>(dlsym(library, "imx_imports"));
  for (size_t i = 0; i < imports.names.size(); ++i) {
    table[i] = import(imports.names[i]);
    EXPECT_NE(table[i], nullptr) << imports.names[i];
  }
}

CompiledProgram::~CompiledProgram() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

static int64_t valueOf(const DimExpr &e, const Sizes &sizes) {
  auto v = e.evaluate(sizes);
  EXPECT_TRUE(v) << e.str() << ": " << v.error().str();
  return v ? *v : 0;
}

int32_t CompiledProgram::call(const Step &step, const std::vector<GuardedMemory> &memory,
                              const Sizes &sizes) {
  const lower::KernelRecord &r = step.record;
  std::vector<ImxView> views;
  auto view = [&](size_t i) { views.push_back({memory[i].data(), nullptr, nullptr, 0, 0}); };
  for (Source s : r.operands)
    view(s.kind == Source::Kind::Operand ? s.index : program.operands.size() + s.index);
  for (uint32_t d : r.results)
    view(program.operands.size() + d);
  std::vector<int64_t> dims;
  for (const std::string &s : r.symbols)
    dims.push_back(sizes.at(s));
  auto fn = reinterpret_cast<ImxKernelFn>(dlsym(library, r.name.c_str()));
  int64_t plan[2] = {r.isTile ? 0 : valueOf(r.grid, sizes), 0};
  if (r.isTile) {
    auto planned = reinterpret_cast<ImxSizesFn>(dlsym(library, (r.name + ".plan").c_str()));
    EXPECT_EQ(planned(dims.data(), plan), 0);
    EXPECT_EQ(plan[0], valueOf(r.grid, sizes));
  }
  GuardedMemory scratch(static_cast<size_t>(plan[1]));
  ImxEnv env{IMX_ABI_VERSION,
             sizeof(ImxEnv),
             scratch.data(),
             static_cast<uint64_t>(plan[1]),
             nullptr,
             0,
             0};
  const int64_t grid = plan[0];
  int32_t first = fn(&env, views.data(), dims.data(), 0, grid / 2);
  return first ? first : fn(&env, views.data(), dims.data(), grid / 2, grid);
}

Outcome CompiledProgram::run(const std::vector<HostTensor> &inputs, const Sizes &sizes) {
  std::vector<GuardedMemory> memory;
  for (size_t i = 0; i < program.operands.size(); ++i) {
    const HostTensor &t = i < inputs.size() ? inputs[i] : *program.operands[i].constant;
    memory.emplace_back(t.bytes().size());
    memcpy(memory.back().data(), t.bytes().data(), t.bytes().size());
  }
  auto shapeOf = [&](const TensorType &t) {
    std::vector<int64_t> shape;
    for (const DimExpr &e : t.dims)
      shape.push_back(valueOf(e, sizes));
    return shape;
  };
  for (const Def &d : program.defs)
    memory.emplace_back(HostTensor(d.type.type, shapeOf(d.type)).bytes().size());
  for (const Step &step : steps)
    if (int32_t code = call(step, memory, sizes)) {
      EXPECT_EQ(code, 1) << "a check kernel has one check";
      return {{}, step.why.empty() ? "a kernel without checks failed" : step.why};
    }
  Outcome out;
  for (uint32_t o : program.outputs) {
    HostTensor h(program.defs[o].type.type, shapeOf(program.defs[o].type));
    memcpy(h.mutableBytes().data(), memory[program.operands.size() + o].data(), h.bytes().size());
    out.outputs.push_back(std::move(h));
  }
  return out;
}

} // namespace imbrex::codegen::test
