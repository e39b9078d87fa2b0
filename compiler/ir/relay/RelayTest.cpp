// The C++ interface of the relay dialect: what text tests cannot say.
#include "compiler/ir/relay/Relay.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace mlir;

namespace imbrex::relay {
namespace {

/// A module with one function of the given arguments, and a builder in it.
struct RelayTest : ::testing::Test {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
  mlir::Location loc = UnknownLoc::get(&context);

  RelayTest() {
    context.loadDialect<RelayDialect>();
    module = ModuleOp::create(loc);
  }

  TensorType type(std::vector<DimExpr> dims, DType element = DType::F32) {
    return TensorType::get(&context, dims, toMlirType(&context, element));
  }

  FuncOp function(ArrayRef<Type> arguments, ArrayRef<SymbolAttr> symbols = {}) {
    builder.setInsertionPointToEnd(module->getBody());
    auto func = FuncOp::create(builder, loc, "f", builder.getFunctionType(arguments, {}), symbols);
    builder.setInsertionPointToStart(&func.entry());
    return func;
  }

  SymbolAttr symbol(StringRef name) { return SymbolAttr::get(&context, name, 1, 64, 1); }

  /// Ends the function and verifies the module.
  bool finish(FuncOp func, ValueRange results = {}) {
    ReturnOp::create(builder, loc, results);
    setResultTypes(func);
    return succeeded(mlir::verify(*module));
  }
};

const DimExpr n = DimExpr::symbol("n");

TEST_F(RelayTest, EqualDimensionsAreEqualTypes) {
  EXPECT_EQ(type({n + 1 + n, 8}), type({n * 2 + 1, 8}));
  EXPECT_NE(type({n, 8}), type({n, 8}, DType::F16));
  EXPECT_EQ(type({2, 3}).staticElems(), 6);
  EXPECT_EQ(type({}).getRank(), 0);
  EXPECT_EQ(type({n, n * 2}).symbols(), std::vector<std::string>{"n"});
  EXPECT_EQ(fromMeaningType(&context, toMeaningType(type({n, 8}))), type({n, 8}));
}

TEST_F(RelayTest, ElementTypesConvertBothWays) {
  for (auto code = static_cast<uint8_t>(DType::Bool); code <= static_cast<uint8_t>(DType::F64);
       ++code)
    EXPECT_EQ(toDType(toMlirType(&context, DType(code))), DType(code)) << int(code);
  EXPECT_EQ(toDType(IntegerType::get(&context, 7)), DType::Invalid);
}

TEST_F(RelayTest, SmallConstantsKeepTheirElements) {
  for (DType element : {DType::Bool, DType::U8, DType::F16, DType::I64, DType::F64}) {
    HostTensor tensor(element, {2, 3});
    tensor.mutableBytes()[byteSize(element) * 4] = std::byte(1);
    Result<HostTensor> back = toHostTensor(toAttr(&context, tensor));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->shape(), tensor.shape());
    EXPECT_TRUE(std::ranges::equal(back->bytes(), tensor.bytes())) << name(element);
  }
}

TEST_F(RelayTest, SplatAndEmptyConstants) {
  std::vector<int32_t> sevens(6, 7);
  auto splat = toHostTensor(toAttr(&context, HostTensor::of<int32_t>(DType::I32, {6}, sevens)));
  ASSERT_TRUE(splat.ok());
  EXPECT_EQ(splat->toInts(), std::vector<int64_t>(6, 7));
  auto empty = toHostTensor(toAttr(&context, HostTensor(DType::F32, {0, 4})));
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->shape(), (std::vector<int64_t>{0, 4}));
}

TEST_F(RelayTest, LargeConstantsShareTheirBytes) {
  HostTensor tensor(DType::F32, {4096});
  std::iota(tensor.mutableData<float>(), tensor.mutableData<float>() + 4096, 0.f);
  const std::byte *bytes = tensor.bytes().data();
  ElementsAttr attr = toAttr(&context, tensor);
  tensor = HostTensor(); // the attribute keeps the bytes
  Result<HostTensor> back = toHostTensor(attr);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->bytes().data(), bytes);
  EXPECT_EQ(back->toDouble(4095), 4095);
}

TEST_F(RelayTest, AppliesAnOperatorWithInferredTypes) {
  FuncOp func = function({type({n, 3}), type({3})}, {symbol("n")});
  func.setArgNames({"x", ""});
  auto y = buildApply(builder, loc, "add", {func.getArgument(0), func.getArgument(1), Value()});
  ASSERT_TRUE(y.ok()) << y.error().str();
  EXPECT_EQ(y->getResult(0).getType(), type({n, 3}));
  EXPECT_FALSE(y->getAbsent().has_value()); // trailing operands left out are dropped
  EXPECT_EQ(func.argName(0), "x");
  EXPECT_TRUE(finish(func, y->getResults()));
  EXPECT_EQ(programOf(*y, factsAt(*y))->outputTypes()[0], toMeaningType(type({n, 3})));
}

TEST_F(RelayTest, FillsDefaultAttributes) {
  FuncOp func = function({type({2, 3})});
  auto y = buildApply(builder, loc, "leaky_relu", {func.getArgument(0)});
  ASSERT_TRUE(y.ok());
  EXPECT_FLOAT_EQ(attrsOf(*y).r("alpha"), 0.01f);
  EXPECT_TRUE(finish(func));
}

TEST_F(RelayTest, RefusesWithTheReasonAndInsertsNothing) {
  FuncOp func = function({type({2, 3}), type({4, 5})});
  auto unknown = buildApply(builder, loc, "frobnicate", {func.getArgument(0)});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, 550);
  auto mismatch = buildApply(builder, loc, "matmul", {func.getArgument(0), func.getArgument(1)});
  ASSERT_FALSE(mismatch.ok());
  EXPECT_EQ(mismatch.error().code, 520);
  EXPECT_FALSE(mismatch.error().because.empty() && mismatch.error().what.empty());
  opmeaning::Attrs attrs;
  attrs.values["gamma"] = int64_t{1};
  auto attribute = buildApply(builder, loc, "neg", {func.getArgument(0)}, attrs);
  ASSERT_FALSE(attribute.ok());
  EXPECT_EQ(attribute.error().code, 530);
  EXPECT_TRUE(func.entry().empty());
}

TEST_F(RelayTest, OpensAnElementOnceForAllUses) {
  FuncOp func = function({type({2}, DType::I64)});
  Value shape = func.getArgument(0);
  auto a = buildApply(builder, loc, "constant_of_shape", {shape});
  auto b = buildApply(builder, loc, "constant_of_shape", {shape});
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->getResult(0).getType(), b->getResult(0).getType());
  EXPECT_EQ(std::distance(func.entry().op_begin<OpenOp>(), func.entry().op_end<OpenOp>()), 2);
  EXPECT_TRUE(finish(func, a->getResults()));
  Result<opmeaning::Program> program = programOf(*b, factsAt(*b));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(openSymbols(*b, *program), (SmallVector<std::string>{"k", "k1"}));
}

TEST_F(RelayTest, NamesSizesThatTheOperatorComputes) {
  FuncOp func = function({type({6}), type({2}, DType::I64)});
  auto a = buildApply(builder, loc, "reshape", {func.getArgument(0), func.getArgument(1)});
  ASSERT_TRUE(a.ok()) << a.error().str();
  ASSERT_TRUE(a->getOpens().has_value());
  EXPECT_EQ(a->getResult(0).getType(), type({DimExpr::symbol("k"), DimExpr::symbol("k1")}));
  EXPECT_TRUE(finish(func, a->getResults()));
}

TEST_F(RelayTest, SpecializesAFunctionToASize) {
  FuncOp func = function({type({n, 3})}, {symbol("n")});
  auto y = buildApply(builder, loc, "transpose", {func.getArgument(0)});
  ASSERT_TRUE(y.ok());
  ASSERT_TRUE(finish(func, y->getResults()));
  substituteSymbols(func, {{"n", DimExpr(8)}});
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  EXPECT_EQ(func.getResultTypes()[0], type({3, 8}));
  EXPECT_TRUE(func.symbolList().empty());
}

} // namespace
} // namespace imbrex::relay
