#include "runtime/testing/TestModels.h"

#include "runtime/module/format/ArtifactWriter.h"
#include "runtime/module/format/Assembler.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace imbrex::testing {
namespace {

using namespace imbrex::artifact;

SizeSpec lit(int64_t value) { return SizeSpec::literal(value); }
SizeSpec slot(int32_t index) { return SizeSpec::inSlot(index); }

TypeSpec type(DType dtype, std::vector<DimSpec> dims) { return {dtype, std::move(dims)}; }
PortSpec port(std::string name, TypeSpec t) { return {std::move(name), std::move(t)}; }

KernelSpec kernel(std::string entry, uint16_t operands, uint16_t results, uint16_t dims,
                  std::string plan = {}) {
  KernelSpec k;
  k.name = entry;
  k.entry = std::move(entry);
  k.operands = operands;
  k.results = results;
  k.dims = dims;
  k.plan = std::move(plan);
  k.grid = k.plan.empty() ? 1 : 0;
  return k;
}

TestModel start(std::string name) {
  TestModel m;
  m.name = name;
  m.spec.producer = "imbrex tests";
  m.spec.model = std::move(name);
  m.spec.variants.push_back({hostKind, "generic", {}, 1, testKernels()});
  return m;
}

using Regs = std::initializer_list<uint32_t>;
using SizeList = std::initializer_list<SizeSpec>;
std::span<const uint32_t> regs(const Regs &list) { return {list.begin(), list.size()}; }
std::span<const SizeSpec> sizes(const SizeList &list) { return {list.begin(), list.size()}; }

} // namespace

const std::vector<std::byte> &testKernels() {
  static const std::vector<std::byte> bytes = [] {
    std::ifstream file(IMBREX_TEST_KERNELS, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.empty()) {
      std::fprintf(stderr, "cannot read %s\n", IMBREX_TEST_KERNELS);
      std::abort();
    }
    auto view = std::as_bytes(std::span(text));
    return std::vector<std::byte>(view.begin(), view.end());
  }();
  return bytes;
}

std::vector<std::byte> TestModel::bytes() const {
  auto result = serializeArtifact(spec);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().str().c_str());
    std::abort();
  }
  return result.take();
}

TestModel addModel() {
  TestModel m = start("add");
  KernelSpec add = kernel("add_f32", 2, 1, 1);
  TypeSpec t = type(DType::F32, {{lit(4), ""}, {lit(8), ""}});
  add.args = {t, t, t};
  add.grid = 4;
  add.sources = {"node_1"};
  m.spec.kernels.push_back(add);
  Assembler a;
  a.allocate(2, DType::F32, sizes({lit(4), lit(8)}));
  a.launch(0, regs({0, 1}), regs({2}), sizes({lit(8)}));
  a.ret(regs({2}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", t), port("y", t)};
  f.outputs = {port("out", t)};
  f.registers = 3;
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel matmulModel() {
  TestModel m = start("matmul");
  DimSpec dm{slot(0), "m"}, dk{slot(1), "k"}, dn{slot(2), "n"};
  KernelSpec matmul = kernel("matmul_f32", 2, 1, 3, "first_dim_plan");
  matmul.args = {type(DType::F32, {{slot(0), "m"}, {slot(1), "k"}}),
                 type(DType::F32, {{slot(1), "k"}, {slot(2), "n"}}),
                 type(DType::F32, {{slot(0), "m"}, {slot(2), "n"}})};
  m.spec.kernels = {matmul, kernel("add_f32", 2, 1, 2, "second_dim_plan")};
  m.spec.sizes = {{"matmul sizes", "matmul_sizes", 3, 1, {"a·b has too many elements"}}};
  Assembler a;
  a.planned(2, lit(0), DType::F32, sizes({slot(0), slot(2)}));
  a.launch(0, regs({0, 1}), regs({2}), sizes({slot(0), slot(1), slot(2)}));
  a.allocate(3, DType::F32, sizes({slot(0), slot(2)}));
  a.launch(1, regs({2, 2}), regs({3}), sizes({slot(2), slot(0)}));
  a.ret(regs({3}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("a", type(DType::F32, {dm, dk})), port("b", type(DType::F32, {dk, dn}))};
  f.outputs = {port("out", type(DType::F32, {dm, dn}))};
  f.symbols = {{"m", 0, 0, 1, 1000, 1}, {"k", 0, 1, 0, 1 << 20, 2}, {"n", 1, 1}};
  f.sizes = 0;
  f.sizeSlots = 4;
  f.registers = 4;
  f.arena = slot(3);
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel rowSumModel() {
  TestModel m = start("row_sum");
  KernelSpec sum = kernel("row_sum_f32", 1, 1, 2, "row_sum_plan");
  sum.checks = {"x holds no NaN"};
  m.spec.kernels = {sum};
  DimSpec rows{slot(0), "rows"};
  Assembler a;
  a.allocate(1, DType::F32, sizes({slot(0)}));
  a.launch(0, regs({0}), regs({1}), sizes({lit(4), slot(0)}));
  a.ret(regs({1}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", type(DType::F32, {rows, {lit(4), ""}}))};
  f.outputs = {port("out", type(DType::F32, {rows}))};
  f.symbols = {{"rows", 0, 0}};
  f.sizeSlots = 1;
  f.registers = 2;
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel branchModel() {
  static const float constant[4] = {10, 20, 30, 40};
  TestModel m = start("branch");
  TypeSpec t = type(DType::F32, {{lit(4), ""}});
  m.spec.constants = {{"c", DType::F32, {4}, std::as_bytes(std::span(constant))}};
  m.spec.kernels = {kernel("add_f32", 2, 1, 1)};
  Assembler a;
  auto otherwise = a.newLabel(), end = a.newLabel();
  a.branchIfZero(1, otherwise);
  a.call(1, regs({0, 0}), regs({2}));
  a.jump(end);
  a.place(otherwise);
  a.constant(3, 0);
  a.call(1, regs({0, 3}), regs({2}));
  a.release(3);
  a.place(end);
  a.reshape(4, 2, sizes({lit(2), lit(2)}));
  a.ret(regs({4, 0}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", t), port("flag", type(DType::Bool, {}))};
  f.outputs = {port("out", type(DType::F32, {{lit(2), ""}, {lit(2), ""}})), port("same", t)};
  f.registers = 5;
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));

  Assembler b;
  b.planned(2, lit(64), DType::F32, sizes({lit(4)}));
  b.launch(0, regs({0, 1}), regs({2}), sizes({lit(4)}));
  b.move(3, 2);
  b.ret(regs({3}));
  FunctionSpec add;
  add.name = "add";
  add.inputs = {port("x", t), port("y", t)};
  add.outputs = {port("out", t)};
  add.registers = 4;
  add.arena = lit(128);
  add.code = b.take();
  m.spec.functions.push_back(std::move(add));
  return m;
}

TestModel loopModel() {
  TestModel m = start("loop");
  TypeSpec t = type(DType::F32, {{lit(4), ""}});
  m.spec.kernels = {kernel("add_f32", 2, 1, 1)};
  Assembler a;
  auto again = a.newLabel(), end = a.newLabel();
  a.readElement(2, 1, 0); // count
  a.integer(3, lit(0));   // i
  a.integer(4, lit(1));
  a.move(5, 0); // sum
  a.planned(6, lit(0), DType::F32, sizes({lit(4)}));
  a.planned(7, lit(64), DType::F32, sizes({lit(4)}));
  a.place(again);
  a.lessInteger(8, 3, 2);
  a.branchIfZero(8, end);
  a.launch(0, regs({5, 0}), regs({6}), sizes({lit(4)}));
  a.move(5, 6); // the two places take turns
  a.move(9, 6);
  a.move(6, 7);
  a.move(7, 9);
  a.addInteger(3, 3, 4);
  a.jump(again);
  a.place(end);
  a.ret(regs({5}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", t), port("count", type(DType::I64, {}))};
  f.outputs = {port("out", t)};
  f.registers = 10;
  f.arena = lit(128);
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel nonZeroModel() {
  TestModel m = start("non_zero");
  m.spec.hostOps = {"non_zero"};
  m.spec.kernels = {kernel("column_sum_i64", 1, 1, 2, "second_dim_plan")};
  m.spec.sizes = {{"double", "double_sizes", 1, 1, {}}};
  DimSpec found{slot(0), "found"};
  Assembler a;
  a.allocate(6, DType::I64, sizes({lit(0)})); // no attributes
  a.hostOp(0, regs({0, 6}), regs({1}));
  a.shapeOf(2, 1, 1);
  a.setSlot(0, 2);
  a.sizes(0);
  a.allocate(3, DType::I64, sizes({slot(0)}));
  a.launch(0, regs({1}), regs({3}), sizes({lit(2), slot(0)}));
  a.allocate(4, DType::I8, sizes({slot(1)}));
  a.shapeOf(5, 4, 0);
  a.ret(regs({3, 4}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", type(DType::F32, {{lit(2), ""}, {lit(3), ""}}))};
  f.outputs = {port("out", type(DType::I64, {found})),
               port("twice", type(DType::I8, {{slot(1), ""}}))};
  f.sizeSlots = 2;
  f.registers = 7;
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel tanhModel() {
  TestModel m = start("tanh");
  m.spec.imports = {"tanhf"};
  m.spec.kernels = {kernel("map_f32", 1, 1, 2, "second_dim_plan"),
                    kernel("map_by_table_f32", 1, 1, 2, "second_dim_plan")};
  DimSpec n{slot(0), "n"};
  Assembler a;
  a.allocate(1, DType::F32, sizes({slot(0)}));
  a.allocate(2, DType::F32, sizes({slot(0)}));
  a.launch(0, regs({0}), regs({1}), sizes({lit(1), slot(0)}));
  a.launch(1, regs({0}), regs({2}), sizes({lit(1), slot(0)}));
  a.ret(regs({1, 2}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", type(DType::F32, {n}))};
  f.outputs = {port("out", type(DType::F32, {n})), port("again", type(DType::F32, {n}))};
  f.symbols = {{"n", 0, 0}};
  f.sizeSlots = 1;
  f.registers = 3;
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

TestModel endlessModel() {
  TestModel m = start("endless");
  TypeSpec t = type(DType::F32, {{lit(4), ""}});
  Assembler a;
  a.call(0, regs({0}), regs({1}));
  a.ret(regs({1}));
  FunctionSpec f;
  f.name = "main";
  f.inputs = {port("x", t)};
  f.outputs = {port("out", t)};
  f.registers = 2;
  f.arena = lit(64);
  f.code = a.take();
  m.spec.functions.push_back(std::move(f));
  return m;
}

std::vector<TestModel> allTestModels() {
  std::vector<TestModel> models;
  for (auto make : {addModel, matmulModel, rowSumModel, branchModel, loopModel, nonZeroModel,
                    tanhModel, endlessModel})
    models.push_back(make());
  return models;
}

} // namespace imbrex::testing
