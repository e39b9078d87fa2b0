// From the vm dialect to records and code: what is told of kernels, when storage is released, and
// what is refused.
#include "compiler/codegen/bytecode/EmitBytecode.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "runtime/module/format/Disassembler.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace imbrex::codegen {
namespace {

/// The artifact's tables for a module, or the error's text.
class Emitted {
public:
  explicit Emitted(llvm::StringRef text)
      : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    mlir::OpBuilder b(&context);
    kernels = mlir::ModuleOp::create(b, b.getUnknownLoc());
    if (!module) {
      error = "no module";
      return;
    }
    auto made = emitBytecode(*module, *kernels, "main");
    if (made)
      out = made.take();
    else
      error = made.error().str();
  }
  std::string code(size_t f) const { return disassemble(out.spec.functions[f], out.spec); }

  std::string error;
  BytecodeModule out;

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry r;
    registerKernelDialects(r);
    r.insert<relay::RelayDialect, vm::VmDialect>();
    return r;
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module, kernels;
};

constexpr const char *kernelsText = R"(
  vm.kernel @k(1) -> (1) dims ["n"] grid "2*n" checks [] sources [] flops 0
  vm.kernel @l(1) -> (1) dims ["m", "n"] grid "2*m" checks [] sources [] flops 0
  vm.kernel @one(1) -> (1) dims [] grid "3" checks [] sources [] flops 0
)";

/// A main function over x: f32[n, m] with result f32[n, 4] that starts with `body`.
std::string mainOf(const std::string &body) {
  return std::string(kernelsText) + R"(
  relay.func @main(%x: !relay.tensor<[n, m], f32>) -> (!relay.tensor<[n, 4], f32>) symbols(n, m) {
)" + body +
         R"(
    %out = vm.buffer : <[n, 4], f32>
    vm.launch @k(%x : !relay.tensor<[n, m], f32>) into(%out : !relay.tensor<[n, 4], f32>)
    relay.return %out : !relay.tensor<[n, 4], f32>
  })";
}

size_t count(const std::string &text, const std::string &word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++n;
  return n;
}

TEST(EmitBytecodeTest, RecordsTellArgumentsAndPlans) {
  Emitted e(mainOf(""));
  ASSERT_EQ(e.error, "");
  const auto &k = e.out.spec.kernels;
  ASSERT_EQ(k.size(), 3u);
  ASSERT_EQ(k[0].args.size(), 2u);
  EXPECT_EQ(k[0].args[0].dims[0].size, artifact::SizeSpec::inSlot(0));
  EXPECT_EQ(k[0].args[0].dims[1].size, artifact::SizeSpec::literal(-1)) << "m is no dim of k";
  EXPECT_EQ(k[0].args[1].dims[1].size, artifact::SizeSpec::literal(4));
  EXPECT_EQ(k[0].plan, k[1].plan) << "twice the first dim, both";
  EXPECT_EQ(k[2].plan, "");
  EXPECT_EQ(k[2].grid, 3);
  EXPECT_TRUE(k[1].args.empty()) << "never launched";
}

TEST(EmitBytecodeTest, StorageOfItsOwnIsReleasedAfterItsLastUse) {
  Emitted e(mainOf(R"(
    %a = vm.buffer : <[n, 8], f32>
    %p = vm.buffer at "0" : <[n, 8], f32>
    vm.launch @one(%x : !relay.tensor<[n, m], f32>) into(%a : !relay.tensor<[n, 8], f32>)
    %b = vm.alias %a : !relay.tensor<[n, 8], f32> to !relay.tensor<[8, n], f32>
    vm.launch @one(%b : !relay.tensor<[8, n], f32>) into(%p : !relay.tensor<[n, 8], f32>)
  )"));
  ASSERT_EQ(e.error, "");
  std::string code = e.code(0);
  EXPECT_EQ(count(code, "Release"), 2u) << code; // %a and its alias; not planned, not returned
  EXPECT_LT(code.find("Reshape"), code.find("Release")) << code;
  EXPECT_GT(code.rfind("Release"), code.find("Launch", code.find("Reshape"))) << code;
  EXPECT_TRUE(e.out.spec.kernels[2].args.empty()) << "launched with two types";
}

TEST(EmitBytecodeTest, BothBranchesReleaseWhatTheyMade) {
  Emitted e(mainOf(R"(
    %c = relay.constant dense<true> : tensor<i1>
    %r = relay.if %c -> (!relay.tensor<[n, 4], f32>) {
      %t = vm.buffer : <[n, 4], f32>
      vm.launch @one(%x : !relay.tensor<[n, m], f32>) into(%t : !relay.tensor<[n, 4], f32>)
      relay.yield %t : !relay.tensor<[n, 4], f32>
    } else {
      %f = vm.buffer : <[n, 4], f32>
      vm.launch @one(%x : !relay.tensor<[n, m], f32>) into(%f : !relay.tensor<[n, 4], f32>)
      relay.yield %f : !relay.tensor<[n, 4], f32>
    }
  )"));
  ASSERT_EQ(e.error, "");
  EXPECT_EQ(count(e.code(0), "Release"), 3u) << e.code(0); // one in each arm, and the unused result
}

TEST(EmitBytecodeTest, EqualConstantsAreStoredOnce) {
  Emitted e(mainOf(R"(
    %a = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = relay.constant dense_resource<b> : tensor<2xf32>
    %c = relay.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %d = relay.constant dense<[1.0, 3.0]> : tensor<2xf32>
  )") + R"({-# dialect_resources: {builtin: {b: "0x040000000000803F00000040"}} #-})");
  ASSERT_EQ(e.error, "");
  EXPECT_EQ(e.out.spec.constants.size(), 3u);
}

TEST(EmitBytecodeTest, ConstantsThatAllReadersGatherFromAreGathered) {
  Emitted e(R"(
  vm.kernel @pick(2) -> (1) dims [] grid "3" checks [] sources [] flops 0 {vm.gathered = array<i64: 1>}
  vm.kernel @all(1) -> (1) dims [] grid "3" checks [] sources [] flops 0
)" + mainOf(R"(
    %a = relay.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %view = vm.alias %a : <[1, 2], f32> to <[2], f32>
    %b = relay.constant dense<[1.0, 3.0]> : tensor<2xf32>
    %same = relay.constant dense_resource<b> : tensor<2xf32>
    %t = vm.buffer : <[2], f32>
    vm.launch @pick(%b, %view : !relay.tensor<[2], f32>, !relay.tensor<[2], f32>) into(%t : !relay.tensor<[2], f32>)
    vm.launch @pick(%t, %b : !relay.tensor<[2], f32>, !relay.tensor<[2], f32>) into(%t : !relay.tensor<[2], f32>)
    vm.launch @pick(%t, %same : !relay.tensor<[2], f32>, !relay.tensor<[2], f32>) into(%t : !relay.tensor<[2], f32>)
  )") + R"({-# dialect_resources: {builtin: {b: "0x040000000000803F00004040"}} #-})");
  ASSERT_EQ(e.error, "");
  ASSERT_EQ(e.out.spec.constants.size(), 2u);
  EXPECT_TRUE(e.out.spec.constants[0].gathered) << "read through a view";
  EXPECT_FALSE(e.out.spec.constants[1].gathered) << "the first launch reads it whole";
  EXPECT_EQ(e.out.spec.kernels[0].gathered, std::vector<uint16_t>{1});
  EXPECT_TRUE(e.out.spec.kernels[1].gathered.empty());
}

TEST(EmitBytecodeTest, ReferencesToNothingAreInternalErrors) {
  auto refused = [](const std::string &text, const std::string &why) {
    std::string error = Emitted(text).error;
    EXPECT_NE(error.find("E0602"), std::string::npos) << error;
    EXPECT_NE(error.find(why), std::string::npos) << error;
  };
  refused("", "no function main");
  refused(mainOf(R"(%a = vm.buffer : <[z], f32>)"), "the size z of an unknown symbol");
  refused(mainOf(R"(%a = vm.buffer at "4*(" : <[n], f32>)"), "a size that is none");
  refused(mainOf(R"(
    %a = vm.buffer : <[n], f32>
    vm.launch @nobody(%x : !relay.tensor<[n, m], f32>) into(%a : !relay.tensor<[n], f32>))"),
          "unknown kernel nobody");
}

} // namespace
} // namespace imbrex::codegen
