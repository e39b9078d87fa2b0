#include "compiler/codegen/tile-cpu/TileTestSupport.h"

#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/reference/TileElements.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace imbrex::codegen::test {

using namespace mlir;
using tile::ViewBytes;

static DialectRegistry dialects() {
  DialectRegistry registry;
  registerTileKernelDialects(registry);
  return registry;
}

static bool runsHere(const CpuTarget &target) {
  auto features = llvm::sys::getHostCPUFeatures();
  return llvm::all_of(target.needs, [&](const std::string &f) { return features.lookup(f); });
}

TileCase::TileCase(const std::string &text, Levels levels)
    : context(dialects(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  std::vector<CpuTarget> targets = cpuTargets("cpu").take();
  std::erase_if(targets, [](const CpuTarget &target) { return !runsHere(target); });
  if (levels == Levels::Best)
    targets.erase(targets.begin(), targets.end() - 1);
  for (const CpuTarget &target : targets) {
    if (!module)
      continue;
    auto code = HostKernels::compile(*module, target);
    EXPECT_TRUE(code) << target.name << ": " << code.error().str();
    if (!code)
      continue;
    variants.push_back(code.take());
    names.push_back(target.name);
  }
}

/// Quarters of whole numbers, so that sums of products of a few hundred are exact in f32.
static ViewBytes randomBytes(tile::ViewType view, const tile::SizeValues &sizes,
                             const Compare &compare, std::mt19937 &random) {
  ViewBytes bytes(static_cast<size_t>(tile::viewBytes(view, sizes).take()));
  Type element = view.getElementType();
  std::uniform_int_distribution<int64_t> pick(compare.smallest, compare.largest);
  const auto each = static_cast<size_t>(tile::elementBytes(element));
  for (size_t at = 0; at + each <= bytes.size(); at += each) {
    int64_t n = pick(random);
    tile::Element value = isa<FloatType>(element) ? tile::realElement(element, double(n) / 4)
                                                  : tile::wholeElement(element, n);
    tile::storeElement(element, value, bytes.data() + at);
  }
  return bytes;
}

static void expectSame(Type element, const ViewBytes &got, const ViewBytes &want,
                       const Compare &compare, const std::string &where) {
  const auto each = static_cast<size_t>(tile::elementBytes(element));
  int reported = 0;
  for (size_t at = 0; at + each <= want.size() && reported < 5; at += each) {
    auto x = tile::loadElement(element, got.data() + at),
         y = tile::loadElement(element, want.data() + at);
    bool same = x.whole == y.whole;
    if (isa<FloatType>(element))
      same = (std::isnan(x.real) && std::isnan(y.real)) || x.real == y.real ||
             std::fabs(x.real - y.real) <= compare.absolute + compare.relative * std::fabs(y.real);
    if (!same) {
      ADD_FAILURE() << where << " element " << at / each << ": " << x.real << "/" << x.whole
                    << ", expected " << y.real << "/" << y.whole;
      ++reported;
    }
  }
}

void TileCase::run(const tile::SizeValues &sizes, const Compare &compare,
                   const std::map<size_t, ViewBytes> &given) {
  ASSERT_TRUE(module);
  std::mt19937 random(7);
  std::vector<ViewBytes> inputs;
  for (BlockArgument view : kernel().getViews()) {
    auto it = given.find(view.getArgNumber());
    inputs.push_back(it != given.end() ? it->second
                                       : randomBytes(cast<tile::ViewType>(view.getType()), sizes,
                                                     compare, random));
  }
  std::vector<ViewBytes> expected = inputs;
  auto reference = tile::interpret(kernel(), sizes, expected);
  ASSERT_TRUE(reference) << reference.error().str();
  EXPECT_EQ(reference->badAccesses, 0u) << reference->firstBad[0];
  for (size_t v = 0; v < variants.size(); ++v) {
    SCOPED_TRACE(names[v]);
    runOn(variants[v], sizes, compare, inputs, expected, reference->failedCheck);
  }
}

TileCase::Outcome TileCase::execute(const HostKernels &code, const tile::SizeValues &sizes,
                                    const std::vector<ViewBytes> &inputs) {
  const TileKernelRecord &record = code.records().front();
  std::vector<GuardedMemory> memory;
  std::vector<ImxView> views;
  auto shapes = operandShapes(record.contract, sizes);
  EXPECT_TRUE(shapes) << shapes.error().str();
  if (!shapes)
    return {};
  for (auto [i, input] : llvm::enumerate(inputs)) {
    memory.emplace_back(input.size());
    memcpy(memory.back().data(), input.data(), input.size());
    const OperandShape &s = (*shapes)[i];
    views.push_back({memory.back().data(), s.shape.data(), s.strides.data(),
                     static_cast<int32_t>(s.shape.size()),
                     static_cast<uint32_t>(record.contract.views[i].type)});
  }
  auto launch = code.launch(record.name, views, {sizes.begin(), sizes.end()});
  EXPECT_TRUE(launch) << launch.error().str();
  if (!launch)
    return {};
  GuardedMemory scratch(static_cast<size_t>(record.scratchBytes));
  ImxEnv env{};
  env.abi_version = IMX_ABI_VERSION;
  env.size = sizeof(ImxEnv);
  env.scratch = scratch.data();
  env.scratch_bytes = static_cast<uint64_t>(record.scratchBytes);
  int64_t grid = launch->admitted.points, middle = grid / 3;
  Outcome outcome;
  outcome.status = launch->run(env, middle, grid);
  if (int32_t first = launch->run(env, 0, middle))
    outcome.status = first;
  for (auto [input, at] : llvm::zip_equal(inputs, memory)) {
    outcome.views.emplace_back(input.size());
    memcpy(outcome.views.back().data(), at.data(), input.size());
  }
  return outcome;
}

void TileCase::runOn(const HostKernels &code, const tile::SizeValues &sizes, const Compare &compare,
                     const std::vector<ViewBytes> &inputs, const std::vector<ViewBytes> &expected,
                     int32_t failedCheck) {
  Outcome outcome = execute(code, sizes, inputs);
  EXPECT_EQ(outcome.status != 0, failedCheck != 0) << outcome.status << " and " << failedCheck;
  if (failedCheck != 0)
    return;
  for (auto [n, view] : llvm::enumerate(kernel().getViews()))
    expectSame(cast<tile::ViewType>(view.getType()).getElementType(), outcome.views[n], expected[n],
               compare, kernel().viewName(view));
}

TileCase::Elements TileCase::compute(const tile::SizeValues &sizes, const Elements &inputs) {
  if (!module || variants.empty())
    return {};
  std::vector<ViewBytes> memory;
  for (BlockArgument view : kernel().getViews()) {
    auto type = cast<tile::ViewType>(view.getType());
    const auto each = static_cast<size_t>(tile::elementBytes(type.getElementType()));
    memory.emplace_back(static_cast<size_t>(tile::viewBytes(type, sizes).take()));
    auto given = inputs.find(kernel().viewName(view));
    if (given == inputs.end())
      continue;
    EXPECT_EQ(given->second.size() * each, memory.back().size()) << given->first;
    for (size_t i = 0; i < given->second.size() && (i + 1) * each <= memory.back().size(); ++i) {
      double v = given->second[i];
      tile::storeElement(type.getElementType(),
                         isa<FloatType>(type.getElementType())
                             ? tile::realElement(type.getElementType(), v)
                             : tile::wholeElement(type.getElementType(), static_cast<int64_t>(v)),
                         memory.back().data() + i * each);
    }
  }
  Outcome outcome = execute(variants.back(), sizes, memory);
  EXPECT_EQ(outcome.status, 0);
  Elements out;
  for (auto [view, bytes] : llvm::zip_equal(kernel().getViews(), outcome.views)) {
    Type element = cast<tile::ViewType>(view.getType()).getElementType();
    const auto each = static_cast<size_t>(tile::elementBytes(element));
    std::vector<double> &elements = out[kernel().viewName(view)];
    for (size_t at = 0; at + each <= bytes.size(); at += each) {
      tile::Element e = tile::loadElement(element, bytes.data() + at);
      elements.push_back(isa<FloatType>(element) ? e.real : static_cast<double>(e.whole));
    }
  }
  return out;
}

} // namespace imbrex::codegen::test
