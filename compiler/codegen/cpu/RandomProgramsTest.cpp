// Groups of operators put together at random, lowered as one Program, compiled and compared with
// the evaluator at several sizes.
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ProgramTestSupport.h"

namespace imbrex {
namespace {

using namespace opmeaning;
using lower::test::with;

constexpr unsigned kSeeds = 24;

/// A Program that grows an operator at a time over f32 values.
class Group {
public:
  explicit Group(unsigned seed) : gen(seed) {
    addInput({DimExpr::symbol("n"), pick(2) ? DimExpr(6) : DimExpr(40)});
    addInput({pick(2) ? DimExpr::symbol("n") : DimExpr(6), 6});
    addInput({pick(2) ? DimExpr(40) : DimExpr(6), 33});
    for (int tries = 0; tries < 40 && applied < 5; ++tries)
      step();
    // The last values are results; what nothing reads is dropped.
    for (size_t i = values.size(); i-- > 0 && program.outputs.size() < 2;)
      if (values[i].kind == Source::Kind::Def)
        program.outputs.push_back(values[i].index);
  }

  Program program;
  std::string text;

  std::vector<HostTensor> inputs(int64_t n) {
    std::vector<HostTensor> out;
    for (const Operand &o : program.operands) {
      std::vector<int64_t> shape;
      for (const DimExpr &d : o.type.dims)
        shape.push_back(*d.evaluate({{"n", n}}));
      out.push_back(lower::test::random(shape, static_cast<unsigned>(n + out.size())));
    }
    return out;
  }

private:
  int64_t pick(int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(gen); }

  void addInput(std::vector<DimExpr> dims) {
    values.push_back({Source::Kind::Operand, static_cast<uint32_t>(program.operands.size())});
    program.operands.push_back(Operand::of(TensorType{DType::F32, std::move(dims)}));
  }

  Source any() { return values[pick(2) ? values.size() - 1 : pick(values.size())]; }

  void step() {
    Source a = any(), b = any();
    const auto rank = static_cast<int64_t>(program.typeOf(a).dims.size());
    auto axis = with({{"axis", rank ? pick(rank) : 0}});
    auto axes =
        with({{"axes", std::vector<int64_t>{rank ? pick(rank) : 0}}, {"keepdims", pick(2)}});
    std::vector<int64_t> reversed;
    for (int64_t i = rank; i-- > 0;)
      reversed.push_back(i);
    static const char *const unary[] = {"relu", "neg", "abs", "sigmoid"};
    static const char *const binary[] = {"add", "sub", "mul"};
    static const char *const reduce[] = {"reduce_sum", "reduce_max", "reduce_mean"};
    switch (pick(9)) {
    case 0:
      return apply(unary[pick(4)], {a}, {});
    case 1:
    case 2:
      return apply(binary[pick(3)], {a, b}, {});
    case 3:
      return apply("transpose", {a}, with({{"perm", reversed}}));
    case 4:
      return apply("concat", {a, b}, axis);
    case 5:
      return apply(reduce[pick(3)], {a}, axes);
    case 6:
      return apply("softmax", {a}, axis);
    default:
      return apply("matmul", {a, b}, {});
    }
  }

  void apply(const char *name, const std::vector<Source> &args, Attrs given) {
    const Operator *op = findOperator(name);
    ASSERT_NE(op, nullptr) << name;
    auto attrs = completeAttrs(*op, std::move(given));
    ASSERT_TRUE(attrs) << attrs.error().str();
    std::vector<Operand> operands;
    std::vector<std::optional<Source>> sources;
    for (Source s : args) {
      operands.push_back(Operand::of(program.typeOf(s)));
      sources.push_back(s);
    }
    auto part = meaningOf(*op, operands, *attrs, {});
    if (!part || !part->opens.empty())
      return; // the operands do not fit
    if (!part->requirements.empty() && pick(4))
      return; // fits only for one size
    // Keep tensors small: a product of open sizes grows quickly.
    auto elems = DimExpr(1);
    for (const DimExpr &d : part->output(0).type.dims)
      elems = elems * d;
    if (elems.evaluate({{"n", 40}}).take() > 40000)
      return;
    for (Source s : lower::append(program, *part, sources))
      values.push_back(s);
    ++applied;
    text += std::string(name) + " ";
  }

  std::mt19937 gen;
  std::vector<Source> values;
  int applied = 0;
};

TEST(RandomPrograms, CompiledGroupsAreWhatTheyMean) {
  int compared = 0, refused = 0;
  for (unsigned seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    Group group(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + group.text + "\n" + group.program.str());
    struct Case {
      int64_t n;
      std::vector<HostTensor> inputs, expected;
      bool fails;
    };
    std::vector<Case> cases;
    for (int64_t n : {0, 1, 6, 40}) {
      auto inputs = group.inputs(n);
      auto out = evaluate(group.program, {inputs.begin(), inputs.end()});
      ASSERT_TRUE(out || out.error().code == 541) << out.error().str();
      cases.push_back({n, inputs, out ? out.take() : std::vector<HostTensor>(), !out});
    }
    codegen::test::prepare(group.program, DimFacts());
    codegen::test::CompiledProgram code(std::move(group.program), DimFacts());
    ASSERT_TRUE(code.ok());
    for (const Case &c : cases) {
      SCOPED_TRACE("n = " + std::to_string(c.n));
      auto got = code.run(c.inputs, {{"n", c.n}});
      ASSERT_EQ(!got.failed.empty(), c.fails) << got.failed;
      ++(c.fails ? refused : compared);
      if (!c.fails)
        lower::test::expectEqual(got.outputs, c.expected, 2e-4);
    }
  }
  EXPECT_GT(compared, refused) << "most sizes should fit";
}

} // namespace
} // namespace imbrex
