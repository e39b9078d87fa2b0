#include "runtime/module/plan/CheckPlan.h"

#include "runtime/module/format/Assembler.h"
#include "runtime/module/plan/KernelWork.h"
#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

namespace imbrex::runtime {
namespace {

using artifact::ArtifactSpec;
using artifact::Assembler;
using artifact::FunctionSpec;
using artifact::SizeSpec;

/// A function of f32[16] tensors in an arena of 256 bytes; register 0 is its input.
class Builder {
public:
  Builder() {
    artifact::KernelSpec k;
    k.name = "f";
    k.operands = k.results = 1;
    spec.kernels = {k};
    f.name = "main";
    f.inputs = {{"x", {DType::F32, {{SizeSpec::literal(16), ""}}}}};
    f.registers = 8;
    f.arena = SizeSpec::literal(256);
  }
  Builder &planned(uint32_t r, int64_t offset) {
    return planned(r, SizeSpec::literal(offset), SizeSpec::literal(16));
  }
  Builder &planned(uint32_t r, SizeSpec offset, SizeSpec elems) {
    a.planned(r, offset, DType::F32, std::span(&elems, 1));
    return *this;
  }
  Builder &launch(uint32_t from, uint32_t to) {
    a.launch(0, std::span(&from, 1), std::span(&to, 1), {});
    return *this;
  }
  FunctionPlan ret(uint32_t r) {
    a.ret(std::span(&r, 1));
    f.code = a.take();
    return examinePlan(f, spec);
  }
  Assembler a;
  FunctionSpec f;
  ArtifactSpec spec;
};

/// The one problem, without its place; "" when there is none.
std::string problem(const FunctionPlan &plan) {
  if (plan.problems.empty())
    return "";
  return plan.problems.size() > 1 ? "several"
                                  : plan.problems[0].substr(plan.problems[0].rfind(": ") + 2);
}

TEST(CheckPlan, TensorsMayShareBytesOneAfterTheOther) {
  FunctionPlan plan = Builder()
                          .planned(1, 0)
                          .launch(0, 1)
                          .planned(2, 64)
                          .launch(1, 2)
                          .planned(3, 0)
                          .launch(2, 3)
                          .ret(3);
  EXPECT_EQ(problem(plan), "");
  ASSERT_EQ(plan.tensors.size(), 3u);
  EXPECT_EQ(plan.tensors[0].type, "f32[16]");
  EXPECT_EQ(plan.tensors[0].first, 0u);
  EXPECT_EQ(plan.tensors[0].last, 1u);
  EXPECT_EQ(plan.tensors[2].writer, 2);
  EXPECT_EQ(plan.sharedPairs, 1);
  EXPECT_EQ(plan.steps[1].reads, std::vector<uint32_t>{0});
}

TEST(CheckPlan, ReadsOfBytesThatAnotherTensorTookAreRefused) {
  EXPECT_EQ(problem(Builder().planned(1, 0).launch(0, 1).planned(2, 0).launch(0, 2).ret(1)),
            "register 1 is read after another tensor took its bytes over");
  // Half a tensor is enough.
  EXPECT_EQ(
      problem(Builder().planned(1, 0).launch(0, 1).planned(2, 0).launch(0, 2).launch(1, 2).ret(2)),
      "several");
}

TEST(CheckPlan, ResultsShareNoBytesWithOperands) {
  EXPECT_EQ(problem(Builder().planned(1, 0).launch(0, 1).planned(2, 0).launch(1, 2).ret(2)),
            "a result of 'f' shares bytes with an operand");
  Builder inPlace;
  inPlace.spec.kernels[0].aliases = {{0, 0}};
  EXPECT_EQ(problem(inPlace.planned(1, 0).launch(0, 1).planned(2, 0).launch(1, 2).ret(2)), "");
}

TEST(CheckPlan, WhatNothingWroteIsNotRead) {
  EXPECT_EQ(problem(Builder().planned(1, 0).ret(1)), "register 1 is read before anything wrote it");
}

TEST(CheckPlan, TensorsAreWrittenOnce) {
  EXPECT_EQ(problem(Builder().planned(1, 0).launch(0, 1).launch(0, 1).ret(1)),
            "register 1 is written a second time");
}

TEST(CheckPlan, TensorsLieInTheArena) {
  EXPECT_EQ(problem(Builder().planned(1, 256).launch(0, 1).ret(1)),
            "f32[16] is not proven to lie in the arena");
  EXPECT_EQ(problem(Builder().planned(1, 32).launch(0, 1).ret(1)),
            "f32[16] is not proven to be aligned to 64 bytes");
}

TEST(CheckPlan, BothBranchesCount) {
  Builder b; // the second branch overwrites what both return
  Assembler::Label otherwise = b.a.newLabel(), end = b.a.newLabel();
  b.planned(1, 0).launch(0, 1);
  b.a.branchIfZero(0, otherwise);
  b.a.jump(end);
  b.a.place(otherwise);
  b.planned(2, 0).launch(0, 2);
  b.a.place(end);
  EXPECT_EQ(problem(b.ret(1)), "register 1 is read after another tensor took its bytes over");
}

TEST(CheckPlan, ALoopOverwritesWhatItNeedsNextTime) {
  Builder b;
  Assembler::Label head = b.a.newLabel(), end = b.a.newLabel();
  b.planned(1, 0).launch(0, 1);
  b.a.place(head);
  b.planned(2, 64).launch(1, 2);
  b.planned(3, 0).launch(2, 3); // takes register 1's bytes, which the next round reads
  b.a.branchIfZero(3, end);
  b.a.jump(head);
  b.a.place(end);
  EXPECT_EQ(problem(b.ret(2)), "register 1 is read after another tensor took its bytes over");
}

TEST(CheckPlan, WhatALoopReadsLivesUntilItsEnd) {
  Builder b;
  Assembler::Label head = b.a.newLabel(), end = b.a.newLabel();
  b.planned(1, 0).launch(0, 1); // step 0
  b.a.place(head);
  b.planned(2, 64).launch(1, 2);  // 1
  b.planned(3, 128).launch(2, 3); // 2
  b.a.branchIfZero(3, end);
  b.a.jump(head);
  b.a.place(end);
  FunctionPlan plan = b.ret(3);
  EXPECT_EQ(problem(plan), "");
  EXPECT_EQ(plan.tensors[0].last, 2u);
}

Builder symbolic(std::vector<std::string> slots) {
  Builder b;
  b.f.symbols = {{"batch size", 0, 0, 1, 64, 1}};
  b.f.sizeSlots = static_cast<uint32_t>(slots.size());
  b.f.slotNames = std::move(slots);
  b.f.arena = SizeSpec::inSlot(1);
  return b;
}

TEST(CheckPlan, SymbolicSizesAreProven) {
  Builder b = symbolic({"n", "128*n", "64*n"});
  const auto n16 = SizeSpec::inSlot(0);
  FunctionPlan plan = b.planned(1, SizeSpec::literal(0), n16)
                          .launch(0, 1)
                          .planned(2, SizeSpec::inSlot(2), n16)
                          .launch(1, 2)
                          .ret(2);
  EXPECT_EQ(problem(plan), "");
  EXPECT_EQ(plan.tensors[1].type, "f32[batch size]");
}

TEST(CheckPlan, SizesWithoutANameProveNothing) {
  Builder b = symbolic({"n", "128*n", ""});
  const auto n16 = SizeSpec::inSlot(0);
  FunctionPlan plan = b.planned(1, SizeSpec::inSlot(2), n16).launch(0, 1).ret(1);
  EXPECT_EQ(problem(plan), "f32[batch size] is not proven to lie in the arena");
}

TEST(CheckPlan, TheTestModelsAreGood) {
  for (const testing::TestModel &m : testing::allTestModels()) {
    // Its loop swaps two tensors, which only one who knows the rounds apart can follow: the
    // compiler makes no such plan, and the checker refuses what it cannot follow.
    const bool swaps = m.name == "loop";
    for (const FunctionSpec &f : m.spec.functions)
      if (f.sizeSlots == 0) // the others do not say what their sizes are
        EXPECT_EQ(examinePlan(f, m.spec).problems.empty(), !swaps) << m.name;
  }
}

TEST(SlotSizes, EvaluatesWithTheModelsNames) {
  Builder b = symbolic({"n", "2*n+1"});
  SlotSizes sizes(b.f);
  EXPECT_EQ(sizes.shown(sizes.of(SizeSpec::inSlot(1))), "2*batch size+1");
  EXPECT_EQ(sizes.evaluate(sizes.of(SizeSpec::inSlot(1)), {{"batch size", 3}}), 7);
  EXPECT_EQ(sizes.evaluate(sizes.of(SizeSpec::inSlot(1)), {}), std::nullopt);
}

TEST(KernelWork, FollowsFromSizes) {
  Builder b = symbolic({"n", "2*n+1"});
  artifact::KernelSpec k;
  k.work = "16*n";
  k.args = {{DType::F32, {{SizeSpec::literal(4), ""}, {SizeSpec::inSlot(0), "n"}}},
            {DType::I8, {{SizeSpec::literal(-1), "2*n+1"}}}};
  const KernelWork known = workOf(k, SlotSizes(b.f), {{"batch size", 3}});
  EXPECT_EQ(known.flops, 48);
  EXPECT_EQ(known.bytes, 4 * 4 * 3 + 7);
  EXPECT_EQ(workOf(k, SlotSizes(b.f), {}).bytes, -1);
}

} // namespace
} // namespace imbrex::runtime
