// Sizes functions, compiled and called: values, and what is impossible.
#include "compiler/codegen/bytecode/SizeTable.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "runtime/abi/kernel.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace imbrex::codegen {
namespace {

/// Compiles what `emit` adds to a module under the name "f".
class Compiled {
public:
  explicit Compiled(llvm::function_ref<void(mlir::ModuleOp)> emit) {
    mlir::DialectRegistry registry;
    registerKernelDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    mlir::OpBuilder b(&context);
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(b, b.getUnknownLoc()));
    emit(*module);
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
    ImportTable imports;
    auto code = emitVariants(*module, cpuTargets("cpu:native").take(), {"f"}, imports);
    EXPECT_TRUE(code) << code.error().str();
    int fd = memfd_create("sizes", 0);
    const auto &elf = code->front().elf;
    EXPECT_EQ(write(fd, elf.data(), elf.size()), static_cast<ssize_t>(elf.size()));
    library = dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << dlerror();
    close(fd);
    function = reinterpret_cast<ImxSizesFn>(dlsym(library, "f"));
  }
  ~Compiled() { dlclose(library); }
  int32_t operator()(const int64_t *in, int64_t *out) const { return function(in, out); }

private:
  void *library = nullptr;
  ImxSizesFn function = nullptr;
};

DimExpr size(const char *text) { return DimExpr::parse(text).take(); }

/// Over a and b.
struct Case {
  const char *text;
  int64_t a, b;
  int64_t expected; // -1: impossible
};

constexpr int64_t big = int64_t{1} << 62;
const Case cases[] = {
    {"2*a*b + 3", 5, 7, 73},    {"a - b", 5, 5, 0},
    {"a - b", 5, 6, -1},        {"(a - b) floordiv 4 + 10", 1, 4, 9},
    {"(a - b) mod 4", 1, 4, 1}, {"(a - 4) floordiv b", 8, 2, 2},
    {"(a - 4) mod b", 8, 3, 1}, {"a floordiv b", 8, 0, -1},
    {"a mod b", 8, 0, -1},      {"a floordiv (b - 4)", 8, 1, -1},
    {"min(a, b)", 3, 4, 3},     {"max(a - b, 0)", 3, 4, 0},
    {"a*b", big, 4, -1},        {"a*b", big, 1, big},
    {"a + b", big, big, -1},    {"4*a", big, 0, -1},
    {"a*b - a*b + a", 3, 0, 3},
};

TEST(SizeCodeTest, ValuesAndImpossibleSizes) {
  for (auto when : {WhenImpossible::Fail, WhenImpossible::MinusOne})
    for (const Case &c : cases) {
      std::vector<std::string> checks;
      Compiled f([&](mlir::ModuleOp module) {
        checks = emitSizesFunction(module, "f", {{size(c.text), when}},
                                   [](llvm::StringRef s) { return s == "a" ? 0u : 1u; });
      });
      int64_t in[] = {c.a, c.b}, out[] = {-7};
      bool fails = c.expected < 0 && when == WhenImpossible::Fail;
      EXPECT_EQ(f(in, out), fails ? 1 : 0) << c.text;
      if (!fails)
        EXPECT_EQ(out[0], c.expected) << c.text;
      EXPECT_EQ(checks.size(), when == WhenImpossible::Fail ? 1u : 0u);
    }
}

/// A size that only a branch needs does not fail the stage; the check says which size did.
TEST(SizeCodeTest, StagesFailForWhatTheyNeedThemselves) {
  SizeTable table;
  table.openStage({"n"}, 0);
  EXPECT_TRUE(table.need(size("n - 8"), 1));
  EXPECT_TRUE(table.need(size("n - 2"), 0));
  EXPECT_TRUE(table.need(size("n - 1"), 1));
  EXPECT_TRUE(table.need(size("n - 1"), 0));
  EXPECT_FALSE(table.need(size("n + m"), 0)) << "no stage opens m";
  table.finish();
  EXPECT_EQ(table.slotCount(), 4u);
  EXPECT_EQ(table.of(size("n - 2"))->slot, 2);
  EXPECT_FALSE(table.of(size("n - 3")).has_value());
  EXPECT_FALSE(table.slotOfSymbol("m").has_value());
  std::optional<artifact::SizesSpec> spec;
  Compiled f([&](mlir::ModuleOp module) { spec = table.emit(0, "f", module); });
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->checks,
            (std::vector<std::string>{"the size n-2 is negative or cannot be computed",
                                      "the size n-1 is negative or cannot be computed"}));
  int64_t slots[] = {4, -7, -7, -7};
  EXPECT_EQ(f(slots, slots + spec->inputs), 0);
  EXPECT_EQ(std::vector<int64_t>(slots, slots + 4), (std::vector<int64_t>{4, -1, 2, 3}));
  slots[0] = 1;
  EXPECT_EQ(f(slots, slots + spec->inputs), 1);
  slots[0] = 0;
  EXPECT_EQ(f(slots, slots + spec->inputs), 1) << "the first of two";
}

} // namespace
} // namespace imbrex::codegen
