// One case per rule: a program that breaks it, and what is said about it.
#include "runtime/module/ArtifactVerifier.h"
#include "runtime/module/format/Assembler.h"

#include <functional>
#include <gtest/gtest.h>

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;

const SizeSpec four[] = {SizeSpec::literal(4)};
const SizeSpec huge[] = {SizeSpec::literal(1ll << 40), SizeSpec::literal(1ll << 40)};
SizeSpec lit(int64_t v) { return SizeSpec::literal(v); }
std::vector<uint32_t> regs(std::initializer_list<uint32_t> list) { return list; }

/// A function with input %0, output one tensor, 8 registers, 3 slots, 256 bytes of arena; kernel 0
/// reads one tensor and writes one. "" when it is accepted.
std::string verify(const std::function<void(Assembler &)> &program) {
  Assembler a;
  program(a);
  FunctionSpec f;
  f.name = "main";
  f.inputs.resize(1);
  f.outputs.resize(1);
  f.registers = 8;
  f.sizeSlots = 3;
  f.arena = lit(256);
  f.code = a.take();
  ArtifactSpec spec;
  spec.kernels.resize(1);
  spec.kernels[0].name = "k";
  spec.kernels[0].operands = spec.kernels[0].results = 1;
  spec.constants.resize(1);
  spec.sizes.resize(2);
  spec.sizes[0].inputs = 2;
  spec.sizes[0].outputs = 1;
  spec.sizes[1].inputs = 3;
  spec.sizes[1].outputs = 1;
  spec.hostOps = {"op"};
  spec.functions = {f};
  Status s = verifyBytecode(f, spec);
  return s ? "" : s.error().because;
}

void expectRefused(const std::string &why, const std::function<void(Assembler &)> &program) {
  std::string because = verify(program);
  EXPECT_NE(because.find(why), std::string::npos) << '"' << because << '"';
}

TEST(BytecodeVerifierTest, AcceptsAGoodProgram) {
  EXPECT_EQ(verify([](Assembler &a) {
              auto other = a.newLabel(), end = a.newLabel();
              a.planned(1, lit(64), DType::F32, four);
              a.launch(0, regs({0}), regs({1}), {});
              a.branchIfZero(0, other);
              a.move(2, 1);
              a.jump(end);
              a.place(other);
              a.constant(2, 0);
              a.place(end);
              a.sizes(0);
              a.ret(regs({2}));
            }),
            "");
}

TEST(BytecodeVerifierTest, Structure) {
  expectRefused("there is no code", [](Assembler &) {});
  expectRefused("ends without Return or Jump", [](Assembler &a) { a.move(1, 0); });
  expectRefused("gives 0 results", [](Assembler &a) { a.ret(regs({0, 0})); });
  expectRefused("outside the code", [](Assembler &a) {
    auto end = a.newLabel();
    a.jump(end);
    a.place(end);
  });
}

TEST(BytecodeVerifierTest, Indices) {
  expectRefused("register 8 does not exist", [](Assembler &a) { a.ret(regs({8})); });
  expectRefused("the constant does not exist", [](Assembler &a) { a.constant(1, 1); });
  expectRefused("kernel 1 does not exist",
                [](Assembler &a) { a.launch(1, regs({0}), regs({0}), {}); });
  expectRefused("does not fit the record",
                [](Assembler &a) { a.launch(0, regs({0}), regs({}), {}); });
  expectRefused("host operation does not exist",
                [](Assembler &a) { a.hostOp(1, regs({0}), regs({1})); });
  expectRefused("the function does not exist",
                [](Assembler &a) { a.call(1, regs({0}), regs({1})); });
  expectRefused("takes 1 operands", [](Assembler &a) { a.call(0, regs({}), regs({1})); });
  expectRefused("size slot 3", [](Assembler &a) { a.integer(1, SizeSpec::inSlot(3)); });
  expectRefused("size slot does not exist", [](Assembler &a) {
    a.integer(1, lit(0));
    a.setSlot(3, 1);
  });
  expectRefused("needs more slots", [](Assembler &a) { a.sizes(1); });
  expectRefused("sizes function does not exist", [](Assembler &a) { a.sizes(2); });
}

TEST(BytecodeVerifierTest, Storage) {
  expectRefused("outside the arena",
                [](Assembler &a) { a.planned(1, lit(256), DType::F32, four); });
  expectRefused("not aligned", [](Assembler &a) { a.planned(1, lit(8), DType::F32, four); });
  expectRefused("more bytes than can be counted",
                [](Assembler &a) { a.allocate(1, DType::F32, huge); });
  expectRefused("element type 99",
                [](Assembler &a) { a.allocate(1, static_cast<DType>(99), four); });
  std::vector<SizeSpec> deep(65, lit(1));
  expectRefused("the rank is 65", [&](Assembler &a) { a.allocate(1, DType::F32, deep); });
}

TEST(BytecodeVerifierTest, WhatRegistersHold) {
  expectRefused("holds no tensor", [](Assembler &a) { a.ret(regs({1})); });
  expectRefused("is not set", [](Assembler &a) {
    a.move(1, 2);
    a.ret(regs({0}));
  });
  expectRefused("holds no tensor", [](Assembler &a) {
    a.release(0);
    a.ret(regs({0}));
  });
  expectRefused("holds no integer", [](Assembler &a) {
    a.addInteger(1, 0, 0);
    a.ret(regs({0}));
  });
  expectRefused("holds no tensor", [](Assembler &a) {
    a.integer(1, lit(0));
    a.ret(regs({1}));
  });
  expectRefused("holds no tensor on some path", [](Assembler &a) {
    auto end = a.newLabel();
    a.branchIfZero(0, end);
    a.constant(1, 0);
    a.place(end);
    a.ret(regs({1}));
  });
  expectRefused("holds no tensor on some path", [](Assembler &a) {
    auto again = a.newLabel();
    a.move(1, 0);
    a.place(again);
    a.shapeOf(2, 1, 0);
    a.release(1);
    a.branchIfZero(2, again);
    a.ret(regs({0}));
  });
}

TEST(BytecodeVerifierTest, KernelsWriteOnlyWhatWasMade) {
  auto writes = [](std::function<void(Assembler &)> make) {
    return [make](Assembler &a) {
      make(a);
      a.launch(0, regs({0}), regs({1}), {});
      a.ret(regs({0}));
    };
  };
  expectRefused("would write register 1", writes([](Assembler &a) { a.move(1, 0); }));
  expectRefused("would write register 1", writes([](Assembler &a) { a.constant(1, 0); }));
  expectRefused("would write register 1", writes([](Assembler &a) { a.reshape(1, 0, four); }));
  expectRefused("would write register 1",
                writes([](Assembler &a) { a.call(0, regs({0}), regs({1})); }));
  expectRefused("would write register 1",
                writes([](Assembler &a) { a.hostOp(0, regs({0}), regs({1})); }));
  EXPECT_EQ(verify(writes([](Assembler &a) {
              a.allocate(2, DType::F32, four);
              a.reshape(3, 2, four);
              a.move(1, 3);
            })),
            "");
}

/// A function that writes its input %0 in place, and one that calls it with what `make` puts into
/// %1.
std::string donate(bool donated, const std::function<void(Assembler &)> &make) {
  ArtifactSpec spec;
  spec.kernels.resize(1);
  spec.kernels[0].name = "k";
  spec.kernels[0].operands = spec.kernels[0].results = 1;
  spec.constants.resize(1);
  spec.functions.resize(2);
  for (FunctionSpec &f : spec.functions) {
    f.inputs.resize(1);
    f.outputs.resize(1);
    f.registers = 3;
    f.arena = lit(64);
  }
  Assembler inner, outer;
  inner.launch(0, regs({0}), regs({0}), {});
  inner.ret(regs({0}));
  spec.functions[1].inputs[0].donated = donated;
  spec.functions[1].code = inner.take();
  make(outer);
  outer.call(1, regs({1}), regs({2}));
  outer.ret(regs({2}));
  spec.functions[0].code = outer.take();
  for (const FunctionSpec &f : spec.functions)
    if (Status s = verifyBytecode(f, spec); !s)
      return s.error().because;
  return "";
}

TEST(BytecodeVerifierTest, DonatedInputsMayBeWritten) {
  auto planned = [](Assembler &a) { a.planned(1, lit(0), DType::F32, four); };
  EXPECT_EQ(donate(true, planned), "");
  EXPECT_NE(donate(false, planned).find("would write register 0"), std::string::npos);
  for (auto make : {+[](Assembler &a) { a.constant(1, 0); }, +[](Assembler &a) { a.move(1, 0); }})
    EXPECT_NE(donate(true, make).find("would donate register 1"), std::string::npos);
}

TEST(BytecodeVerifierTest, OtherDevicesAreUnsupported) {
  Assembler a;
  a.constant(1, 0, 1);
  a.ret(regs({1}));
  ArtifactSpec spec;
  spec.constants.resize(1);
  FunctionSpec f;
  f.outputs.resize(1);
  f.registers = 2;
  f.code = a.take();
  Status s = verifyBytecode(f, spec);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, 114);
  EXPECT_EQ(s.error().kind, ErrorKind::Unsupported);
}

TEST(BytecodeVerifierTest, ArbitraryWordsAreJudged) {
  // Every prefix and every changed word of a good program ends in a verdict.
  Assembler a;
  auto again = a.newLabel();
  a.place(again);
  a.planned(1, lit(0), DType::F32, four);
  a.launch(0, regs({0}), regs({1}), {});
  a.branchIfZero(0, again);
  a.ret(regs({1}));
  std::vector<uint32_t> good = a.take();
  ArtifactSpec spec;
  spec.kernels.resize(1);
  spec.kernels[0].operands = spec.kernels[0].results = 1;
  FunctionSpec f;
  f.inputs.resize(1);
  f.outputs.resize(1);
  f.registers = 2;
  f.arena = lit(64);
  spec.functions = {f};
  f.code = good;
  EXPECT_TRUE(verifyBytecode(f, spec).ok());
  for (size_t i = 0; i < good.size(); ++i) {
    f.code.assign(good.begin(), good.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(verifyBytecode(f, spec).ok());
    for (uint32_t word : {0u, 1u, 2u, 5u, 12u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      f.code = good;
      f.code[i] = word;
      (void)verifyBytecode(f, spec).ok();
    }
  }
}

} // namespace
} // namespace imbrex::runtime
