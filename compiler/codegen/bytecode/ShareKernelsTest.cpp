#include "compiler/codegen/bytecode/ShareKernels.h"

#include "compiler/codegen/cpu/EmitCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace imbrex::codegen {
namespace {

using namespace mlir;

/// Kernels @k0, @k1, … whose bodies store at an index that `index` computes.
class Kernels {
public:
  Kernels() : context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void add(const std::string &index) {
    std::string name = "k" + std::to_string(count++);
    records +=
        "vm.kernel @" + name + "(0) -> (1) dims [\"n\"] grid \"1\" checks [] sources [] flops 0\n";
    functions +=
        "func.func private @" + name + R"(.body(%p: !llvm.ptr, %n: i64, %b: i64, %e: i64) -> i32 {
      %i = arith.index_cast %b : i64 to index
      )" +
        index + R"(
      %at = arith.index_cast %j : index to i64
      %q = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.mlir.constant(1.0 : f32) : f32
      llvm.store %v, %q : f32, !llvm.ptr
      %r = arith.constant 0 : i32
      return %r : i32
    }
    func.func @)" +
        name + R"((%env: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr, %b: i64, %e: i64) -> i32 {
      %p = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %n = llvm.load %dims : !llvm.ptr -> i64
      %r = call @)" +
        name + R"(.body(%p, %n, %b, %e) : (!llvm.ptr, i64, i64, i64) -> i32
      return %r : i32
    }
    )";
  }

  void share() {
    module = parseSourceString<ModuleOp>(records, &context);
    kernels = parseSourceString<ModuleOp>(functions, &context);
    ASSERT_TRUE(module && kernels) << functions;
    shareKernels(*module, *kernels);
    EXPECT_TRUE(succeeded(verify(*kernels)));
  }
  size_t left() { // two functions each
    auto all = kernels->getOps<func::FuncOp>();
    return size_t(std::distance(all.begin(), all.end())) / 2;
  }
  /// "entry (dims)"
  std::string record(const std::string &name) {
    auto k = module->lookupSymbol<vm::KernelOp>(name);
    auto entry = k->getAttrOfType<StringAttr>(kEntry);
    std::string text = (entry ? entry.str() : name) + " (";
    for (StringRef d : k.getDims().getAsValueRange<StringAttr>())
      text += (text.back() == '(' ? "" : ", ") + d.str();
    return text + ")";
  }

private:
  static DialectRegistry registry() {
    DialectRegistry r;
    registerKernelDialects(r);
    r.insert<relay::RelayDialect, vm::VmDialect>();
    return r;
  }
  MLIRContext context;
  int count = 0;
  std::string records, functions;
  OwningOpRef<ModuleOp> module, kernels;
};

std::string plus(int64_t c) {
  return "%c = arith.constant " + std::to_string(c) + " : index\n%j = arith.addi %i, %c : index";
}
std::string times(int64_t c) {
  return "%c = arith.constant " + std::to_string(c) + " : index\n%j = arith.muli %i, %c : index";
}

TEST(ShareKernels, EqualOnesShareAFunction) {
  Kernels k;
  k.add(plus(1));
  k.add(plus(2));
  k.add(plus(1));
  k.add(times(1));
  k.add("%j = arith.addi %i, %i : index");
  k.share();
  EXPECT_EQ(k.left(), 4u);
  EXPECT_EQ(k.record("k2"), "k0 (n)");
  EXPECT_EQ(k.record("k1"), "k1 (n)") << "two kernels are no reason to know less";
  EXPECT_EQ(k.record("k3"), "k3 (n)");
}

TEST(ShareKernels, ManyDifferInWhatIsAddedOnly) {
  Kernels k;
  for (int i = 0; i < 20; ++i)
    k.add(plus(8 * i));
  k.share();
  EXPECT_EQ(k.left(), 1u);
  EXPECT_EQ(k.record("k0"), "k0 (n, 0)");
  EXPECT_EQ(k.record("k19"), "k0 (n, 152)");
}

TEST(ShareKernels, FactorsAndNegativeNumbersStayInTheCode) {
  Kernels factors, negative;
  for (int i = 1; i <= 20; ++i) {
    factors.add(times(i));
    negative.add(plus(-i));
  }
  factors.share();
  EXPECT_EQ(factors.left(), 20u);
  negative.share();
  EXPECT_EQ(negative.left(), 20u);
}

} // namespace
} // namespace imbrex::codegen
