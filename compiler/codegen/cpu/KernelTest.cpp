// Operators as compiled kernels, one definition after the other, against the reference evaluator.
#include "runtime/abi/kernel.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/PackContraction.h"
#include "support/opmeaning/Evaluator.h"

#include <cmath>
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace imbrex {
namespace {

using namespace opmeaning;
using mlir::ModuleOp;

HostTensor randomTensor(DType type, std::vector<int64_t> shape, unsigned seed) {
  HostTensor t(type, std::move(shape));
  std::mt19937 gen(seed);
  for (int64_t i = 0; i < t.elems(); ++i) {
    float v = std::uniform_real_distribution<float>(-2, 2)(gen);
    if (type == DType::F32)
      t.mutableData<float>()[i] = v;
    else if (type == DType::I32)
      t.mutableData<int32_t>()[i] = static_cast<int32_t>(v * 50);
    else if (type == DType::I64)
      t.mutableData<int64_t>()[i] = static_cast<int64_t>(v * 50);
    else if (type == DType::Bool)
      t.mutableData<uint8_t>()[i] = v > 0;
  }
  return t;
}

/// 64-byte aligned memory with room to read past the end of an empty tensor.
struct Buffer {
  void *data;
  explicit Buffer(size_t bytes) : data(std::aligned_alloc(64, (bytes + 127) / 64 * 64)) {
    memset(data, 0xcd, (bytes + 127) / 64 * 64);
  }
  Buffer(Buffer &&o) noexcept : data(std::exchange(o.data, nullptr)) {}
  ~Buffer() { std::free(data); }
};

/// Compiles `program` and runs its kernels in order.
std::vector<HostTensor> run(Program program, const std::vector<HostTensor> &inputs) {
  DimFacts facts;
  lower::foldScalarOperands(program);
  std::vector<std::string> remarks;
  lower::packContractions(program, facts, remarks);
  lower::inlineDefs(program, facts);
  lower::splitAccumulators(program);

  mlir::DialectRegistry registry;
  codegen::registerKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::OpBuilder b(&context);
  mlir::OwningOpRef<ModuleOp> module(ModuleOp::create(b, b.getUnknownLoc()));
  std::vector<lower::KernelRecord> records;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < program.defs.size(); ++i) {
    names.push_back("k" + std::to_string(i));
    records.push_back(lower::buildKernel(*module, program, i, facts, names.back()));
  }
  if (getenv("IMBREX_DUMP"))
    module->dump();
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  codegen::ImportTable imports;
  auto code =
      codegen::emitVariants(*module, codegen::cpuTargets("cpu:native").take(), names, imports);
  EXPECT_TRUE(code) << code.error().str();
  if (!code)
    return {};
  int fd = memfd_create("kernels", 0);
  EXPECT_EQ(write(fd, code->front().elf.data(), code->front().elf.size()),
            ssize_t(code->front().elf.size()));
  void *lib = dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(lib, nullptr) << dlerror();
  auto table = static_cast<void **>(dlsym(lib, "imx_imports"));
  for (size_t i = 0; i < imports.names.size(); ++i) {
    table[i] = dlsym(RTLD_DEFAULT, imports.names[i].c_str());
    EXPECT_NE(table[i], nullptr) << imports.names[i];
  }

  std::vector<Buffer> memory;
  auto bytes = [&](const TensorType &t) {
    int64_t n = byteSize(t.type);
    for (const auto &e : t.dims)
      n *= *e.constant();
    return static_cast<size_t>(n);
  };
  for (const auto &in : inputs) {
    memory.emplace_back(in.bytes().size());
    memcpy(memory.back().data, in.bytes().data(), in.bytes().size());
  }
  for (const Def &d : program.defs)
    memory.emplace_back(bytes(d.type));
  for (const auto &r : records) {
    std::vector<ImxView> views;
    for (Source s : r.operands)
      views.push_back(
          {memory[s.kind == Source::Kind::Operand ? s.index : inputs.size() + s.index].data,
           nullptr, nullptr, 0, 0});
    for (uint32_t d : r.results)
      views.push_back({memory[inputs.size() + d].data, nullptr, nullptr, 0, 0});
    auto fn = reinterpret_cast<ImxKernelFn>(dlsym(lib, r.name.c_str()));
    ImxEnv env{IMX_ABI_VERSION, sizeof(ImxEnv), nullptr, 0, nullptr, 0, 0};
    int64_t grid = *r.grid.constant();
    EXPECT_EQ(fn(&env, views.data(), nullptr, 0, grid / 2), 0);
    EXPECT_EQ(fn(&env, views.data(), nullptr, grid / 2, grid), 0);
  }
  std::vector<HostTensor> out;
  for (uint32_t o : program.outputs) {
    const TensorType &t = program.defs[o].type;
    std::vector<int64_t> shape;
    for (const auto &e : t.dims)
      shape.push_back(*e.constant());
    HostTensor h(t.type, shape);
    memcpy(h.mutableBytes().data(), memory[inputs.size() + o].data, h.bytes().size());
    out.push_back(std::move(h));
  }
  dlclose(lib);
  close(fd);
  return out;
}

/// Compares compiled results with the evaluator's, element by element.
void expectSame(const char *name, const std::vector<HostTensor> &inputs, Attrs given = {},
                double tolerance = 1e-5) {
  SCOPED_TRACE(name);
  const Operator *op = findOperator(name);
  ASSERT_NE(op, nullptr);
  auto attrs = completeAttrs(*op, std::move(given));
  ASSERT_TRUE(attrs) << attrs.error().str();
  std::vector<Operand> operands;
  std::vector<std::optional<HostTensor>> values;
  for (const auto &in : inputs) {
    TensorType t{in.type(), {}};
    for (int64_t s : in.shape())
      t.dims.push_back(s);
    operands.push_back(Operand::of(t));
    values.push_back(in);
  }
  auto program = meaningOf(*op, operands, *attrs, {});
  ASSERT_TRUE(program) << program.error().str();
  auto expected = evaluate(*program, values);
  ASSERT_TRUE(expected) << expected.error().str();
  auto got = run(program.take(), inputs);
  ASSERT_EQ(got.size(), expected->size());
  for (size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].shape(), (*expected)[k].shape());
    for (int64_t i = 0; i < got[k].elems(); ++i) {
      double g = got[k].toDouble(i), e = (*expected)[k].toDouble(i);
      ASSERT_LE(std::abs(g - e), tolerance * std::max(1.0, std::abs(e))) << "at " << i;
    }
  }
}

Attrs with(std::map<std::string, AttrValue, std::less<>> values) { return {std::move(values)}; }

TEST(Kernel, Elementwise) {
  expectSame("add", {randomTensor(DType::F32, {3, 5}, 1), randomTensor(DType::F32, {5}, 2)});
  expectSame("relu", {randomTensor(DType::F32, {100000}, 1)});
  expectSame("tanh", {randomTensor(DType::F32, {7, 11}, 1)});
  expectSame("less", {randomTensor(DType::F32, {4, 6}, 1), randomTensor(DType::F32, {4, 6}, 2)});
  expectSame("div", {randomTensor(DType::I32, {40}, 1), randomTensor(DType::I32, {1}, 2)});
}

TEST(Kernel, Movement) {
  expectSame("transpose", {randomTensor(DType::F32, {3, 4, 5}, 1)},
             with({{"perm", std::vector<int64_t>{2, 0, 1}}}));
  expectSame("concat", {randomTensor(DType::I64, {3, 4}, 1), randomTensor(DType::I64, {3, 2}, 2)},
             with({{"axis", int64_t(1)}}));
}

TEST(Kernel, Reductions) {
  expectSame("reduce_sum", {randomTensor(DType::F32, {33, 65}, 1)},
             with({{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t(0)}}));
  expectSame("reduce_max", {randomTensor(DType::F32, {33, 65}, 1)},
             with({{"axes", std::vector<int64_t>{1}}}));
  expectSame("softmax", {randomTensor(DType::F32, {4, 100}, 1)});
  expectSame("argmax", {randomTensor(DType::F32, {4, 100}, 1)}, with({{"axis", int64_t(1)}}));
}

TEST(Kernel, Contractions) {
  expectSame("matmul", {randomTensor(DType::F32, {3, 7}, 1), randomTensor(DType::F32, {7, 5}, 2)});
  expectSame("matmul",
             {randomTensor(DType::F32, {50, 70}, 1), randomTensor(DType::F32, {70, 90}, 2)});
  expectSame("matmul",
             {randomTensor(DType::F32, {2, 33, 20}, 1), randomTensor(DType::F32, {2, 20, 40}, 2)});
  expectSame(
      "conv",
      {randomTensor(DType::F32, {1, 3, 20, 20}, 1), randomTensor(DType::F32, {8, 3, 3, 3}, 2)},
      with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}}));
}

} // namespace
} // namespace imbrex
