// Random functions: every plan that is made is accepted, and no plan that is accepted, changed ones
// included, lets a launch read bytes that are not its operand's. The judge runs the function.
#include "compiler/passes/memory/CheckPlan.h"
#include "compiler/passes/memory/PlanMemory.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>

namespace imbrex::memory {
namespace {

using namespace mlir;

/// Writes a function of launches, aliases, calls, branches and loops.
class Writer {
public:
  explicit Writer(unsigned seed) : gen(seed) {}

  std::string module() {
    std::vector<int> scope = {0};
    sizeOf = {16};
    block(scope, 5, 2);
    std::string head =
        "vm.kernel @one (1) -> (1) dims [] grid \"1\" checks [] sources [] flops 0\n"
        "vm.kernel @two (2) -> (1) dims [] grid \"1\" checks [] sources [] flops 0\n";
    for (int size : kSizes)
      head += "relay.func @same" + std::to_string(size) + "(%x: " + type(size) + ") -> (" +
              type(size) + ") {\n  relay.return %x : " + type(size) + "\n}\n";
    int result = scope.back();
    return head + "relay.func @main(%v0: " + type(16) + ") -> (" + type(sizeOf[result]) + ") {\n" +
           text + "relay.return " + name(result) + " : " + type(sizeOf[result]) + "\n}\n";
  }

private:
  static constexpr int kSizes[] = {16, 20, 40};
  static std::string type(int size) { return "!relay.tensor<[" + std::to_string(size) + "], f32>"; }
  static std::string name(int v) { return "%v" + std::to_string(v); }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(gen); }
  int fresh(int size) {
    sizeOf.push_back(size);
    return static_cast<int>(sizeOf.size()) - 1;
  }
  int any(const std::vector<int> &scope) {
    return scope[pick(3) ? scope.size() - 1 - pick(std::min<int>(3, scope.size()))
                         : pick(scope.size())];
  }

  /// A buffer and the launch that fills it.
  void launch(const std::vector<int> &scope, const std::string &made, const std::string &madeType) {
    int a = any(scope), b = any(scope);
    text += made + " = vm.buffer : " + madeType + "\nvm.launch ";
    text += pick(2) ? "@one (" + name(a) + " : " + type(sizeOf[a])
                    : "@two (" + name(a) + ", " + name(b) + " : " + type(sizeOf[a]) + ", " +
                          type(sizeOf[b]);
    text += ") into (" + made + " : " + madeType + ")\n";
  }
  int compute(const std::vector<int> &scope, int size) {
    int v = fresh(size);
    launch(scope, name(v), type(size));
    return v;
  }
  std::string condition(const std::vector<int> &scope) {
    std::string c = "%c" + std::to_string(conditions++);
    launch(scope, c, "!relay.tensor<[], i1>");
    return c;
  }
  /// A region's value of this size: one of the scope or a new one.
  int valueOf(std::vector<int> &scope, int size) {
    int v = any(scope);
    return sizeOf[v] == size && pick(3) == 0 ? v : compute(scope, size);
  }
  void yield(int v) { text += "relay.yield " + name(v) + " : " + type(sizeOf[v]) + "\n"; }

  void block(std::vector<int> &scope, int statements, int depth) {
    for (int i = 0; i < statements; ++i) {
      int kind = pick(depth > 0 ? 8 : 5);
      if (kind < 3)
        scope.push_back(compute(scope, kSizes[pick(3)]));
      else if (kind < 5)
        scope.push_back(sameBytes(any(scope), kind == 3));
      else
        scope.push_back(kind == 5 ? branch(scope, depth) : loop(scope, depth));
    }
  }
  int sameBytes(int from, bool alias) {
    int size = sizeOf[from], v = fresh(size);
    std::string t = type(size);
    text += name(v) + (alias ? " = vm.alias " + name(from) + " : " + t + " to " + t + "\n"
                             : " = relay.call @same" + std::to_string(size) + "(" + name(from) +
                                   ") : (" + t + ") -> " + t + "\n");
    return v;
  }
  int branch(const std::vector<int> &scope, int depth) {
    std::string c = condition(scope);
    int size = kSizes[pick(3)], v = fresh(size);
    text += name(v) + " = relay.if " + c + " -> (" + type(size) + ") {\n";
    for (const char *end : {"} else {\n", "}\n"}) {
      std::vector<int> inner = scope;
      block(inner, pick(3), depth - 1);
      yield(valueOf(inner, size));
      text += end;
    }
    return v;
  }
  int loop(const std::vector<int> &scope, int depth) {
    int init = any(scope), size = sizeOf[init], v = fresh(size), i = fresh(size), j = fresh(size);
    text += name(v) + " = relay.loop (" + name(i) + ": " + type(size) + " = " + name(init) +
            ") -> (" + type(size) + ") while {\n";
    std::vector<int> inner = scope;
    inner.push_back(i);
    std::string go = condition(inner);
    text += "relay.yield " + go + " : !relay.tensor<[], i1>\n";
    text += "} do (" + name(j) + ") {\n";
    inner = scope;
    inner.push_back(j);
    block(inner, pick(4), depth - 1);
    yield(valueOf(inner, size));
    text += "}\n";
    return v;
  }

  std::mt19937 gen;
  std::string text;
  std::vector<int> sizeOf;
  int conditions = 0;
};

/// Runs a planned function along one random way and says whether every launch read its operands.
class Run {
public:
  Run(relay::FuncOp func, unsigned seed) : gen(seed) {
    int64_t bytes = 0;
    func.getOperation()->getAttrOfType<StringAttr>(kArena).getValue().getAsInteger(10, bytes);
    words.resize(bytes / 4 + 128); // a changed plan may reach beyond the arena
    instances.push_back({});
    for (Value v : func.entry().getArguments())
      holds[v] = 0;
    region(func.getBody());
  }
  bool good = true;

private:
  /// One execution of a vm.buffer; number 0 is the caller's memory.
  struct Instance {
    std::optional<int64_t> word;
    int64_t length = 0;
  };

  void read(Value v) {
    int id = holds.lookup(v);
    const Instance &i = instances[id];
    for (int64_t k = 0; i.word && k < i.length; ++k)
      good &= words[*i.word + k] == id;
  }

  void region(Region &r) {
    for (Operation &op : r.front())
      run(&op);
  }

  void run(Operation *op) {
    if (auto b = dyn_cast<vm::BufferOp>(op)) {
      Instance i;
      int64_t at = 0;
      if (b.getOffset() && !b.getOffset()->getAsInteger(10, at))
        i.word = at / 4;
      i.length = 1;
      for (const DimExpr &d : relay::tensorType(b.getResult()).getDims())
        i.length *= *d.constant();
      holds[b.getResult()] = static_cast<int>(instances.size());
      instances.push_back(i);
    } else if (auto launch = dyn_cast<vm::LaunchOp>(op)) {
      for (Value v : launch.getInputs())
        read(v);
      for (Value v : launch.getOutputs()) {
        int id = holds.lookup(v);
        for (int64_t k = 0; instances[id].word && k < instances[id].length; ++k)
          words[*instances[id].word + k] = id;
      }
      for (Value v : launch.getInputs()) // read while the results are written
        read(v);
    } else if (isa<vm::AliasOp, relay::CallOp>(op)) {
      read(op->getOperand(0));
      holds[op->getResult(0)] = holds.lookup(op->getOperand(0));
    } else if (auto branch = dyn_cast<relay::IfOp>(op)) {
      read(branch.getCondition());
      bool yes = gen() % 2;
      region(yes ? branch.getThenRegion() : branch.getElseRegion());
      holds[op->getResult(0)] =
          holds.lookup((yes ? branch.thenYield() : branch.elseYield()).getOperand(0));
    } else if (auto loop = dyn_cast<relay::LoopOp>(op)) {
      int carried = holds.lookup(loop.getInits()[0]);
      for (unsigned rounds = gen() % 4;; --rounds) {
        holds[loop.getCondRegion().getArgument(0)] = carried;
        region(loop.getCondRegion());
        if (rounds == 0)
          break;
        holds[loop.getBodyRegion().getArgument(0)] = carried;
        region(loop.getBodyRegion());
        carried = holds.lookup(loop.bodyYield().getOperand(0));
      }
      holds[op->getResult(0)] = carried;
    } else {
      for (Value v : op->getOperands())
        read(v);
      if (isa<relay::ReturnOp>(op))
        good &= !instances[holds.lookup(op->getOperand(0))].word; // the arena ends here
    }
  }

  std::mt19937 gen;
  std::vector<int> words; // which instance wrote each word of the arena last
  std::vector<Instance> instances;
  DenseMap<Value, int> holds;
};

bool runsWell(relay::FuncOp func) {
  for (unsigned seed = 0; seed < 12; ++seed)
    if (!Run(func, seed).good)
      return false;
  return true;
}

std::string textOf(ModuleOp module) {
  std::string s;
  llvm::raw_string_ostream(s) << module;
  return s;
}

TEST(Plan, RandomFunctionsAndChangedPlans) {
  DialectRegistry registry;
  registry.insert<relay::RelayDialect, vm::VmDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  int shared = 0, changes = 0, refused = 0, wrong = 0;
  for (unsigned seed = 0; seed < 1500 && !HasFailure(); ++seed) {
    std::string source = Writer(seed).module();
    auto module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source;
    auto func = module->lookupSymbol<relay::FuncOp>("main");
    planMemory(func);
    auto accepted = checkPlan(func);
    ASSERT_TRUE(accepted) << accepted.error().what << "\n" << textOf(*module);
    ASSERT_TRUE(runsWell(func)) << textOf(*module);
    SmallVector<vm::BufferOp> buffers;
    func.walk([&](vm::BufferOp b) { buffers.push_back(b); });
    llvm::StringMap<int> places;
    for (vm::BufferOp b : buffers)
      shared += b.getOffset() && places[*b.getOffset()]++;
    // One buffer moves.
    std::mt19937 gen(seed);
    for (int change = 0; change < 8 && !buffers.empty(); ++change) {
      vm::BufferOp b = buffers[gen() % buffers.size()];
      auto old = b.getOffsetAttr();
      b.setOffsetAttr(StringAttr::get(&context, std::to_string(64 * (gen() % 5))));
      bool good = runsWell(func), taken = checkPlan(func).ok();
      EXPECT_TRUE(good || !taken) << "accepted, but wrong:\n" << textOf(*module);
      ++changes;
      refused += !taken;
      wrong += !good;
      if (old)
        b.setOffsetAttr(old);
      else
        b.removeOffsetAttr();
    }
  }
  EXPECT_GT(shared, 500) << "hardly any memory is used twice";
  EXPECT_GT(wrong, changes / 10);
  EXPECT_LT(refused, 2 * wrong) << "the checker refuses many plans that work";
}

/// Buffers of sizes that can hardly be compared, all of them alive together or one after the other.
TEST(Plan, SymbolicSizesThatCannotBeComparedGetStorageOfTheirOwn) {
  DialectRegistry registry;
  registry.insert<relay::RelayDialect, vm::VmDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  const char *sizes[] = {"n",
                         "m",
                         "n-3",
                         "min(n, 3)",
                         "max(n, m)",
                         "max(n-m, 0)",
                         "n*m",
                         "(n+3) floordiv 4",
                         "n mod 7",
                         "2*n-m",
                         "min(n, m)+1",
                         "n*m-n",
                         "max(n-3, 0)",
                         "m*m+1",
                         "(n floordiv 2)*m",
                         "5"};
  std::mt19937 gen(1);
  auto pick = [&](size_t below) { return gen() % below; };
  int planned = 0, own = 0;
  for (int round = 0; round < 25; ++round) {
    std::string text = "vm.kernel @one (1) -> (1) dims [] grid \"1\" checks [] sources [] flops 0\n"
                       "relay.func @main(%x: !relay.tensor<[n, m], f32>) -> "
                       "(!relay.tensor<[n, m], f32>) symbols(n, m) {\n";
    std::vector<std::string> names = {"%x"}, types = {"!relay.tensor<[n, m], f32>"};
    for (size_t i = 0, count = 2 + pick(10); i <= count; ++i) {
      bool last = i == count;
      std::string type = std::string("!relay.tensor<[") + (last ? "n" : sizes[pick(16)]) + ", " +
                         (last ? "m" : sizes[pick(16)]) + "], f32>";
      size_t from = pick(2) ? names.size() - 1 : pick(names.size());
      std::string name = "%v" + std::to_string(i);
      text += name + " = vm.buffer : " + type.substr(13) + "\nvm.launch @one (" + names[from] +
              " : " + types[from] + ") into (" + name + " : " + type + ")\n";
      names.push_back(name);
      types.push_back(type);
    }
    text += "relay.return " + names.back() + " : " + types.back() + "\n}\n";
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context, false));
    ASSERT_TRUE(module) << text;
    auto func = module->lookupSymbol<relay::FuncOp>("main");
    planMemory(func);
    auto accepted = checkPlan(func);
    ASSERT_TRUE(accepted) << accepted.error().what << "\n" << textOf(*module);
    func.walk([&](vm::BufferOp b) { ++(b.getOffset() ? planned : own); });
  }
  EXPECT_GT(planned, 25);
  EXPECT_GT(own, 25);
}

} // namespace
} // namespace imbrex::memory
