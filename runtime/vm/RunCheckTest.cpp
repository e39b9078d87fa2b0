// What the bytecode verifier cannot know is checked while running: each check, and that it leaves a
// context that still works.
#include "runtime/module/format/Assembler.h"
#include "runtime/module/format/Layout.h"
#include "runtime/testing/Repair.h"
#include "runtime/testing/TestModels.h"
#include "runtime/vm/Context.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;
using testing::TestModel;

SizeSpec lit(int64_t v) { return SizeSpec::literal(v); }
std::vector<uint32_t> regs(std::initializer_list<uint32_t> list) { return list; }

alignas(64) float memory[4096];

InputTensor floats(std::span<const int64_t> shape) { return {DType::F32, shape, {}, memory}; }

std::unique_ptr<Context> contextOf(const TestModel &model) {
  auto module = Module::fromMemory(model.bytes(), {});
  EXPECT_TRUE(module.ok()) << module.error().str();
  auto context = Context::create(module.take(), {1, Prefault::Yes});
  EXPECT_TRUE(context.ok()) << context.error().str();
  return context.take();
}

std::string failureOf(Context &context, std::vector<InputTensor> inputs,
                      std::vector<OutputTensor> outputs) {
  Status s = context.run(inputs, outputs);
  return s ? "" : s.error().str();
}

void expectFailure(const std::string &outcome, const std::string &what) {
  EXPECT_NE(outcome.find(what), std::string::npos) << '"' << outcome << '"';
}

/// x: f32[4], n: i64[] → one f32[4]; 8 registers, one slot, 128 bytes of arena; the program
/// computes.
std::string runProgram(int64_t n, const std::function<void(Assembler &)> &program) {
  TestModel m = testing::loopModel();
  FunctionSpec &f = m.spec.functions[0];
  Assembler a;
  program(a);
  f.code = a.take();
  f.sizeSlots = 1;
  auto context = contextOf(m);
  int64_t four[] = {4};
  return failureOf(*context, {floats(four), {DType::I64, {}, {}, &n}}, {{}});
}

TEST(RunCheckTest, PlannedStorageLiesInTheArena) {
  TestModel m = testing::matmulModel();
  m.spec.functions[0].arena = lit(64);
  auto context = contextOf(m);
  int64_t a[] = {2, 2}, b[] = {2, 8}, wide[] = {2, 9};
  EXPECT_EQ(failureOf(*context, {floats(a), floats(b)}, {{}}), "");
  expectFailure(failureOf(*context, {floats(a), floats(wide)}, {{}}),
                "outside the arena of 64 bytes");
  EXPECT_EQ(failureOf(*context, {floats(a), floats(b)}, {{}}), "");
}

TEST(RunCheckTest, KernelsGetWhatTheyAreMadeFor) {
  TestModel m = testing::matmulModel();
  m.spec.kernels[0].args[2].dims[1].size = lit(8);
  auto context = contextOf(m);
  int64_t a[] = {2, 2}, b[] = {2, 8}, wide[] = {2, 9};
  EXPECT_EQ(failureOf(*context, {floats(a), floats(b)}, {{}}), "");
  expectFailure(failureOf(*context, {floats(a), floats(wide)}, {{}}),
                "argument 2 of kernel 'matmul_f32'");
}

TEST(RunCheckTest, ImpossibleGrids) {
  TestModel m = testing::rowSumModel();
  m.spec.functions[0].symbols.clear(); // the slot stays 0
  m.spec.functions[0].inputs[0].type.dims[0].size = lit(2);
  m.spec.functions[0].outputs[0].type.dims[0].size = lit(2);
  Assembler a;
  SizeSpec two[] = {lit(2)}, dims[] = {lit(4), lit((1ll << 40) + 1)};
  a.allocate(1, DType::F32, two);
  a.launch(0, regs({0}), regs({1}), dims);
  a.ret(regs({1}));
  m.spec.functions[0].code = a.take();
  auto context = contextOf(m);
  int64_t shape[] = {2, 4};
  expectFailure(failureOf(*context, {floats(shape)}, {{}}),
                "there is no launch grid for them at kernel 'row_sum_f32'");
}

TEST(RunCheckTest, SizesFromValues) {
  SizeSpec slot[] = {SizeSpec::inSlot(0)};
  auto program = [&](Assembler &a) {
    a.readElement(2, 1, 0);
    a.setSlot(0, 2);
    a.reshape(3, 0, slot);
    a.ret(regs({3}));
  };
  EXPECT_EQ(runProgram(4, program), "");
  expectFailure(runProgram(-1, program), "a size came out as -1");
  expectFailure(runProgram(5, program), "cannot be reshaped");
  expectFailure(runProgram(INT64_MAX, program), "would have shape [9223372036854775807]");
  expectFailure(runProgram(1ll << 50,
                           [&](Assembler &a) {
                             a.readElement(2, 1, 0);
                             a.setSlot(0, 2);
                             a.allocate(3, DType::F32, slot);
                             a.ret(regs({3}));
                           }),
                "no memory for 4503599627370496 bytes");
}

TEST(RunCheckTest, Elements) {
  auto read = [](uint32_t tensor, uint32_t place) {
    return [=](Assembler &a) {
      a.readElement(2, tensor, place);
      a.ret(regs({0}));
    };
  };
  EXPECT_EQ(runProgram(0, read(1, 0)), "");
  expectFailure(runProgram(0, read(1, 1)), "element 1 of a i64 tensor");
  expectFailure(runProgram(0, read(0, 0)), "element 0 of a f32 tensor");
  expectFailure(runProgram(0,
                           [](Assembler &a) {
                             a.shapeOf(2, 1, 0);
                             a.ret(regs({0}));
                           }),
                "axis 0 of a tensor of rank 0");
}

TEST(RunCheckTest, ResultsHaveTheirDeclaredType) {
  expectFailure(runProgram(0, [](Assembler &a) { a.ret(regs({1})); }), "came out as i64[]");
}

TEST(RunCheckTest, InnerFunctionsCheckTheirOperands) {
  TestModel m = testing::branchModel();
  m.spec.functions[1].inputs[1].type.dims[0].size = lit(5);
  auto context = contextOf(m);
  int64_t four[] = {4};
  bool flag = true;
  expectFailure(
      failureOf(*context, {floats(four), {DType::Bool, {}, {}, &flag}}, {{}, {}}),
      "error[E0243]: inside the model, in function 'add': input 'y' has size 4 on axis 0");
}

TEST(RunCheckTest, MemoryOfTheCaller) {
  auto context = contextOf(testing::addModel());
  int64_t shape[] = {4, 8};
  auto run = [&](OutputTensor out) {
    return failureOf(*context, {floats(shape), floats(shape)}, {std::move(out)});
  };
  alignas(64) float out[32];
  EXPECT_EQ(run({DType::F32, {4, 8}, out, {}}), "");
  expectFailure(run({DType::F32, {8, 4}, out, {}}), "the output has shape [4, 8]");
  expectFailure(run({DType::F32, {32}, out, {}}), "the output is f32 of rank 2");
  expectFailure(run({DType::I32, {4, 8}, out, {}}), "has another type: i32[4, 8]");
  expectFailure(failureOf(*context, {floats(shape), floats(shape)}, {}), "has 1 outputs, not 0");
  auto two = contextOf(testing::branchModel());
  int64_t four[] = {4};
  bool flag = true;
  expectFailure(failureOf(*two, {floats(four), {DType::Bool, {}, {}, &flag}},
                          {{DType::F32, {2, 2}, out, {}}, {DType::F32, {4}, out + 2, {}}}),
                "overlaps that of another output");
}

TEST(RunCheckTest, OneRunAtATime) {
  auto context = contextOf(testing::loopModel());
  // The other thread stops within its launch until this one was refused.
  struct Gate {
    std::atomic<bool> inside{false}, leave{false};
  } gate;
  Observer observer;
  observer.user = &gate;
  observer.beforeLaunch = [](void *user, const char *, const uint64_t *, int32_t, int32_t) {
    auto &g = *static_cast<Gate *>(user);
    g.inside = true;
    g.inside.notify_all();
    g.leave.wait(false);
  };
  context->observe(observer);
  int64_t four[] = {4}, one = 1;
  std::vector<InputTensor> in = {floats(four), {DType::I64, {}, {}, &one}};
  std::thread other([&] { EXPECT_EQ(failureOf(*context, in, {{}}), ""); });
  gate.inside.wait(false);
  expectFailure(failureOf(*context, in, {{}}), "the context is running already");
  gate.leave = true;
  gate.leave.notify_all();
  other.join();
  EXPECT_EQ(failureOf(*context, in, {{}}), "");
}

bool sameLaunch(const KernelSpec &a, const KernelSpec &b) {
  return a.entry == b.entry && a.plan == b.plan && a.grid == b.grid &&
         a.scratchBytes == b.scratchBytes;
}

/// Damage that the reader accepts, checksums repaired: the run fails with an error or is right.
/// Damage to bytecode or launches that still makes sense is another program, whose machine code is
/// trusted, and is not run.
TEST(RunCheckTest, AcceptedDamageRunsRight) {
  TestModel m = testing::addModel();
  std::vector<std::byte> whole = m.bytes();
  SectionRecord metadata;
  std::memcpy(&metadata, whole.data() + sizeof(FileHeader), sizeof metadata);
  std::fill(std::begin(memory), std::end(memory), 1.0f);
  int64_t shape[] = {4, 8};
  size_t ran = 0, failed = 0;
  for (size_t i = 0; i < metadata.offset + metadata.size; ++i) {
    std::vector<std::byte> file = whole;
    file[i] ^= std::byte{0x11};
    testing::repairChecksums(file);
    auto module = Module::fromMemory(file, {});
    if (!module || (*module)->entry().code != m.spec.functions[0].code ||
        !sameLaunch((*module)->spec().kernels[0], m.spec.kernels[0]))
      continue;
    auto context = Context::create(module.take(), {1, Prefault::No});
    if (!context)
      continue;
    std::vector<InputTensor> in = {floats(shape), floats(shape)};
    std::vector<OutputTensor> out(1);
    ++ran;
    if (!(*context)->run(in, out).ok()) {
      ++failed;
      continue;
    }
    ASSERT_EQ(out[0].shape, (std::vector<int64_t>{4, 8})) << i;
    for (int64_t n = 0; n < 32; ++n)
      ASSERT_EQ(static_cast<float *>(out[0].data)[n], 2.0f) << i;
  }
  EXPECT_GT(ran, failed);
  EXPECT_GT(failed, 10u) << "types of arguments were among the damage";
}

} // namespace
} // namespace imbrex::runtime
