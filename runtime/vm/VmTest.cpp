// The parts of the VM that stand alone: what is planned before a run, and strided inputs. Whole
// runs are tested in runtime/api.
#include "runtime/module/format/Assembler.h"
#include "runtime/vm/EntryPlan.h"
#include "runtime/vm/Strided.h"

#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;

const SizeSpec four[] = {SizeSpec::literal(4)};
std::vector<uint32_t> regs(std::initializer_list<uint32_t> list) { return list; }

/// Two inputs; kernel 0 wants alignment, kernel 1 takes anything.
EntryPlan plan(const std::function<void(Assembler &)> &program) {
  Assembler a;
  program(a);
  FunctionSpec f;
  f.inputs.resize(2);
  f.outputs.resize(1);
  f.registers = 8;
  f.code = a.take();
  ArtifactSpec spec;
  spec.kernels.resize(2);
  spec.kernels[1].unaligned = true;
  return planEntry(f, spec);
}

TEST(EntryPlanTest, FollowsOutputsToTheirStorage) {
  EntryPlan p = plan([](Assembler &a) {
    a.allocate(2, DType::F32, four);
    a.reshape(3, 2, four);
    a.move(4, 3);
    a.ret(regs({4}));
  });
  ASSERT_EQ(p.placedOutputs.size(), 1u);
  EXPECT_EQ(p.placedOutputs.at(0), 0u);
}

TEST(EntryPlanTest, LeavesAlonePlacesThatRunTwiceOrMayDiffer) {
  EXPECT_TRUE(plan([](Assembler &a) {
                auto again = a.newLabel();
                a.place(again);
                a.allocate(2, DType::F32, four);
                a.branchIfZero(0, again);
                a.ret(regs({2}));
              }).placedOutputs.empty());
  EXPECT_TRUE(plan([](Assembler &a) {
                auto end = a.newLabel();
                a.allocate(2, DType::F32, four);
                a.branchIfZero(0, end);
                a.allocate(2, DType::F32, four);
                a.place(end);
                a.ret(regs({2}));
              }).placedOutputs.empty());
  EXPECT_TRUE(plan([](Assembler &a) { a.ret(regs({0})); }).placedOutputs.empty());
}

TEST(EntryPlanTest, KnowsWhichInputsMustBeAligned) {
  EntryPlan p = plan([](Assembler &a) {
    a.allocate(2, DType::F32, four);
    a.launch(0, regs({0}), regs({2}), {});
    a.launch(1, regs({1}), regs({2}), {});
    a.shapeOf(3, 1, 0);
    a.ret(regs({2}));
  });
  EXPECT_EQ(p.needsAlignment, (std::vector<bool>{true, false}));
}

/// Copies a strided view of 0, 1, 2, …, the first element being at `first`.
std::vector<float> dense(std::vector<int64_t> shape, std::vector<int64_t> stride,
                         size_t first = 0) {
  std::vector<float> memory(200);
  std::iota(memory.begin(), memory.end(), 0.0f);
  InputTensor in{DType::F32, shape, stride, memory.data() + first};
  size_t count = 1;
  for (int64_t d : shape)
    count *= static_cast<size_t>(d);
  std::vector<float> out(count);
  copyToDense(reinterpret_cast<std::byte *>(out.data()), in);
  return out;
}

TEST(StridedTest, CopiesInRowMajorOrder) {
  using F = std::vector<float>;
  EXPECT_EQ(dense({2, 3}, {3, 1}), (F{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(dense({2, 3}, {1, 2}), (F{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(dense({2, 3}, {-10, 1}, 50), (F{50, 51, 52, 40, 41, 42}));
  EXPECT_EQ(dense({3}, {-1}, 5), (F{5, 4, 3}));
  EXPECT_EQ(dense({2, 2, 2}, {100, 10, 1}), (F{0, 1, 10, 11, 100, 101, 110, 111}));
  EXPECT_EQ(dense({3, 2}, {0, 1}), (F{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(dense({}, {}), (F{0}));
}

TEST(StridedTest, KnowsItsRange) {
  float memory[1];
  auto range = [&](std::vector<int64_t> shape, std::vector<int64_t> stride, ByteRange &r) {
    return rangeOf({DType::F32, shape, stride, memory}, r);
  };
  auto *base = reinterpret_cast<std::byte *>(memory);
  ByteRange r;
  ASSERT_TRUE(range({2, 3}, {10, -1}, r));
  EXPECT_EQ(r.begin, base - 8);
  EXPECT_EQ(r.bytes, 52u);
  EXPECT_FALSE(range({3}, {INT64_MAX / 2}, r));
  EXPECT_FALSE(range({2, 2}, {INT64_MIN, INT64_MIN}, r));
  ASSERT_TRUE(range({0}, {INT64_MAX}, r));
  EXPECT_EQ(r.bytes, 0u);
}

} // namespace
} // namespace imbrex::runtime
