// Whole models through the C interface.
#include "runtime/api/imbrex.h"
#include "runtime/module/format/Assembler.h"
#include "runtime/testing/TestModels.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <thread>

namespace imbrex {
namespace {

using Shape = std::vector<int64_t>;
constexpr uint32_t f32 = 12, i64 = 5, boolean = 1;

struct ModuleCloser {
  void operator()(ImbrexModule *m) const { imbrex_module_close(m); }
};
struct ContextCloser {
  void operator()(ImbrexContext *c) const { imbrex_context_destroy(c); }
};
using ModuleHandle = std::unique_ptr<ImbrexModule, ModuleCloser>;
using ContextHandle = std::unique_ptr<ImbrexContext, ContextCloser>;

ModuleHandle open(const testing::TestModel &model) {
  auto bytes = model.bytes();
  ImbrexModule *m = nullptr;
  EXPECT_EQ(imbrex_module_from_memory(bytes.data(), bytes.size(), nullptr, &m), IMBREX_OK)
      << imbrex_last_error();
  return ModuleHandle(m);
}

ContextHandle contextOf(const ModuleHandle &module, int threads = 2) {
  ImbrexContextOptions options{sizeof(ImbrexContextOptions), threads, 0};
  ImbrexContext *c = nullptr;
  EXPECT_EQ(imbrex_context_create(module.get(), &options, &c), IMBREX_OK) << imbrex_last_error();
  return ContextHandle(c);
}

/// 64-byte aligned floats.
struct Floats {
  explicit Floats(std::vector<float> values) : count(values.size()) {
    data = static_cast<float *>(std::aligned_alloc(64, (count * 4 + 127) / 64 * 64));
    std::copy(values.begin(), values.end(), data);
  }
  ~Floats() { std::free(data); }
  Floats(const Floats &) = delete;
  std::vector<float> values() const { return {data, data + count}; }
  float *data;
  size_t count;
};

ImbrexTensor tensor(const void *data, uint32_t dtype, const Shape &shape,
                    const Shape *stride = nullptr) {
  return {const_cast<void *>(data),           dtype,
          static_cast<int32_t>(shape.size()), shape.data(),
          stride ? stride->data() : nullptr,  nullptr};
}

template <class T> std::vector<T> valuesOf(const ImbrexTensor &t) {
  int64_t count = std::accumulate(t.shape, t.shape + t.rank, int64_t{1}, std::multiplies<>());
  auto *p = static_cast<const T *>(t.data);
  return {p, p + count};
}

ImbrexCounters countersOf(const ContextHandle &c) {
  ImbrexCounters counters{};
  counters.size = sizeof counters;
  EXPECT_EQ(imbrex_context_counters(c.get(), &counters), IMBREX_OK);
  return counters;
}

std::vector<float> range(size_t n, float first = 0) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

TEST(RunTest, AddsAndAllocatesTheOutput) {
  auto module = open(testing::addModel());
  auto context = contextOf(module);
  Floats x(range(32)), y(range(32, 100));
  Shape shape{4, 8};
  ImbrexTensor in[] = {tensor(x.data, f32, shape), tensor(y.data, f32, shape)}, out{};
  ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  auto result = valuesOf<float>(out);
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], 100 + 2 * static_cast<float>(i));
  EXPECT_EQ(Shape(out.shape, out.shape + out.rank), shape);
  ImbrexCounters c = countersOf(context);
  EXPECT_EQ(c.staged_inputs, 0u);
  EXPECT_EQ(c.copied_outputs, 0u);
  EXPECT_EQ(c.launches, 1u);
  // An output outlives everything.
  context.reset();
  module.reset();
  EXPECT_EQ(valuesOf<float>(out)[31], 162);
  imbrex_tensor_release(&out);
  EXPECT_EQ(out.data, nullptr);
}

TEST(RunTest, OneTensorMayLeaveAsTwoOutputs) {
  testing::TestModel model = testing::addModel();
  artifact::FunctionSpec &f = model.spec.functions[0];
  f.outputs.push_back(f.outputs[0]);
  f.outputs[1].name = "again";
  artifact::Assembler a;
  std::vector<artifact::SizeSpec> sizes = {artifact::SizeSpec::literal(4),
                                           artifact::SizeSpec::literal(8)};
  std::vector<uint32_t> in = {0, 1}, out = {2}, both = {2, 2};
  a.allocate(2, DType::F32, sizes);
  a.launch(0, in, out, std::span(sizes).subspan(1));
  a.ret(both);
  f.code = a.take();
  auto module = open(model);
  auto context = contextOf(module);
  Floats x(range(32));
  Shape shape{4, 8};
  ImbrexTensor given[] = {tensor(x.data, f32, shape), tensor(x.data, f32, shape)}, made[2] = {};
  ASSERT_EQ(imbrex_run(context.get(), given, 2, made, 2), IMBREX_OK) << imbrex_last_error();
  EXPECT_NE(made[0].data, made[1].data) << "who writes into one must not change the other";
  EXPECT_EQ(valuesOf<float>(made[0]), valuesOf<float>(made[1]));
  EXPECT_EQ(countersOf(context).copied_outputs, 1u);
  imbrex_tensor_release(&made[0]);
  EXPECT_EQ(valuesOf<float>(made[1])[31], 62);
  imbrex_tensor_release(&made[1]);
}

TEST(RunTest, WritesInPlace) {
  auto module = open(testing::addModel());
  auto context = contextOf(module);
  Floats x(range(32)), y(range(32)), z(range(32, -1));
  Shape shape{4, 8};
  ImbrexTensor in[] = {tensor(x.data, f32, shape), tensor(y.data, f32, shape)};
  ImbrexTensor out = tensor(z.data, f32, shape);
  ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(z.data[31], 62);
  EXPECT_EQ(countersOf(context).allocations, 0u);
  EXPECT_EQ(countersOf(context).copied_outputs, 0u);
  // Over an input: that input is staged.
  out.data = x.data;
  ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(x.data[31], 62);
  EXPECT_EQ(countersOf(context).staged_inputs, 1u);
  // Misaligned memory of the caller is filled by a copy.
  std::vector<float> odd(40);
  out.data = odd.data() + (reinterpret_cast<uintptr_t>(odd.data()) % 64 == 0 ? 1 : 0);
  ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(static_cast<float *>(out.data)[31], 93);
  EXPECT_EQ(countersOf(context).copied_outputs, 1u);
}

TEST(RunTest, StagesStridedAndMisalignedInputs) {
  auto module = open(testing::addModel());
  auto context = contextOf(module);
  std::vector<float> columns(8 * 4 + 1);
  float *transposed = columns.data() + 1;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      transposed[j * 4 + i] = static_cast<float>(i * 8 + j);
  Floats reversed(range(32));
  Shape shape{4, 8}, stride{1, 4}, backwards{-8, -1};
  ImbrexTensor in[] = {tensor(transposed, f32, shape, &stride),
                       tensor(reversed.data + 31, f32, shape, &backwards)};
  ImbrexTensor out{};
  ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  for (float v : valuesOf<float>(out))
    EXPECT_EQ(v, 31);
  EXPECT_EQ(countersOf(context).staged_inputs, 2u);
  imbrex_tensor_release(&out);
  Shape wild{INT64_MAX, 1};
  in[0].stride = wild.data();
  EXPECT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_BAD_ARGUMENT);
}

TEST(RunTest, SymbolicMatmul) {
  auto module = open(testing::matmulModel());
  auto context = contextOf(module);
  for (int64_t m : {1, 3, 64, 500}) {
    int64_t k = 4, n = m + 1;
    Floats a(std::vector<float>(static_cast<size_t>(m * k), 2.0f));
    Floats b(std::vector<float>(static_cast<size_t>(k * n), 3.0f));
    Shape sa{m, k}, sb{k, n};
    ImbrexTensor in[] = {tensor(a.data, f32, sa), tensor(b.data, f32, sb)}, out{};
    ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
    EXPECT_EQ(Shape(out.shape, out.shape + 2), (Shape{m, n}));
    for (float v : valuesOf<float>(out))
      ASSERT_EQ(v, 48);
    imbrex_tensor_release(&out);
  }
}

std::string failure(const ContextHandle &context, std::vector<ImbrexTensor> in,
                    ImbrexStatus status) {
  ImbrexTensor out{};
  EXPECT_EQ(imbrex_run(context.get(), in.data(), static_cast<int32_t>(in.size()), &out, 1), status);
  EXPECT_EQ(out.data, nullptr);
  return imbrex_last_error();
}

TEST(EntryCheckTest, NamesInputAxisExpectedAndGot) {
  auto module = open(testing::matmulModel());
  auto context = contextOf(module);
  Floats data(range(4096));
  auto t = [&](const Shape &s) { return tensor(data.data, f32, s); };
  Shape s34{3, 4}, s54{5, 4}, s43{4, 3}, s33{3, 3}, s04{0, 4}, s4{4}, s2000{2000, 2}, s23{2, 3},
      negative{-3, 4};
  auto bad = IMBREX_BAD_ARGUMENT;
  EXPECT_EQ(failure(context, {t(s34), t(s54)}, bad),
            "error[E0202]: input 'b' has size 5 on axis 0, shape [5, 4]; because the model expects "
            "k = 4, the size of axis 1 of input 'a'");
  EXPECT_EQ(failure(context, {t(s33), t(s34)}, bad),
            "error[E0202]: input 'a' has size 3 on axis 1; because the dimension 'k' must be at "
            "most 1048576 and a multiple of 2");
  EXPECT_EQ(failure(context, {t(s04), t(s43)}, bad),
            "error[E0202]: input 'a' has size 0 on axis 0; because the dimension 'm' must be "
            "between 1 and 1000");
  EXPECT_EQ(failure(context, {t(s2000), t(s23)}, bad),
            "error[E0202]: input 'a' has size 2000 on axis 0; because the dimension 'm' must be "
            "between 1 and 1000");
  // Every fact that does not hold is named.
  Shape s2001{2000, 1};
  EXPECT_EQ(failure(context, {t(s2001), t(s23)}, bad),
            "error[E0202]: input 'a' has size 2000 on axis 0; because the dimension 'm' must be "
            "between 1 and 1000; also, input 'a' has size 1 on axis 1, and the dimension 'k' must "
            "be at most 1048576 and a multiple of 2");
  EXPECT_EQ(failure(context, {t(s4), t(s43)}, bad),
            "error[E0202]: input 'a' has rank 1, shape [4]; because the model expects rank 2");
  EXPECT_EQ(failure(context, {tensor(data.data, i64, s34), t(s43)}, bad),
            "error[E0202]: input 'a' has element type i64; because the model expects f32");
  EXPECT_EQ(failure(context, {t(s34)}, bad), "error[E0201]: the model has 2 inputs, not 1");
  EXPECT_EQ(failure(context, {t(negative), t(s43)}, bad),
            "error[E0202]: input 'a' has the impossible shape [-3, 4]");
  EXPECT_EQ(failure(context, {tensor(nullptr, f32, s34), t(s43)}, bad),
            "error[E0202]: input 'a' has no data");
  // And the context still works.
  ImbrexTensor in[] = {t(s34), t(s43)}, out{};
  EXPECT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
  imbrex_tensor_release(&out);
}

TEST(EntryCheckTest, SizesFunctionsCheckToo) {
  auto module = open(testing::matmulModel());
  auto context = contextOf(module);
  Floats data(range(16));
  // k = 0: no bytes are read, however large n is.
  Shape a{1000, 0}, b{0, 1ll << 40};
  EXPECT_EQ(
      failure(context, {tensor(data.data, f32, a), tensor(data.data, f32, b)}, IMBREX_RUN_FAILED),
      "error[E0244]: the sizes of the inputs lead to impossible sizes inside the model; "
      "because a·b has too many elements; try other input shapes");
}

TEST(RunTest, FailedChecksOfKernelsAreReported) {
  testing::TestModel model = testing::rowSumModel();
  model.spec.kernels[0].sources = {"total (reduce_sum)"};
  auto module = open(model);
  auto context = contextOf(module, 3);
  Shape shape{50, 4};
  Floats x(std::vector<float>(200, 1.0f));
  ImbrexTensor in = tensor(x.data, f32, shape), out{};
  ASSERT_EQ(imbrex_run(context.get(), &in, 1, &out, 1), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(valuesOf<float>(out), std::vector<float>(50, 4.0f));
  imbrex_tensor_release(&out);
  x.data[133] = std::nanf("");
  EXPECT_EQ(failure(context, {in}, IMBREX_RUN_FAILED),
            "error[E0247]: a check of the model failed at node total (reduce_sum); because x holds "
            "no NaN (its operands are f32[50, 4]); try inputs of other values or shapes");
  x.data[133] = 1;
  EXPECT_EQ(imbrex_run(context.get(), &in, 1, &out, 1), IMBREX_OK);
  imbrex_tensor_release(&out);
}

TEST(RunTest, EmptyTensors) {
  auto module = open(testing::rowSumModel());
  auto context = contextOf(module);
  Shape shape{0, 4};
  ImbrexTensor in = tensor(nullptr, f32, shape), out{};
  ASSERT_EQ(imbrex_run(context.get(), &in, 1, &out, 1), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(out.shape[0], 0);
  EXPECT_NE(out.data, nullptr);
  imbrex_tensor_release(&out);
}

TEST(RunTest, BranchesCallsAndReturnedInputs) {
  auto module = open(testing::branchModel());
  auto context = contextOf(module);
  Floats x({1, 2, 3, 4});
  Shape s4{4}, scalar{};
  for (bool flag : {true, false}) {
    ImbrexTensor in[] = {tensor(x.data, f32, s4), tensor(&flag, boolean, scalar)};
    ImbrexTensor out[2] = {};
    ASSERT_EQ(imbrex_run(context.get(), in, 2, out, 2), IMBREX_OK) << imbrex_last_error();
    std::vector<float> expected =
        flag ? std::vector<float>{2, 4, 6, 8} : std::vector<float>{11, 22, 33, 44};
    EXPECT_EQ(valuesOf<float>(out[0]), expected);
    EXPECT_EQ(valuesOf<float>(out[1]), x.values());
    EXPECT_NE(out[1].data, x.data) << "a returned input is a copy";
    for (auto &t : out)
      imbrex_tensor_release(&t);
  }
  EXPECT_EQ(countersOf(context).copied_results, 2u);
}

TEST(RunTest, LoopsOverPlannedStorage) {
  auto module = open(testing::loopModel());
  auto context = contextOf(module, 1);
  Floats x({1, 2, 3, 4}), given({0, 0, 0, 0});
  Shape s4{4}, scalar{};
  for (int64_t count : {0, 1, 2, 1000}) {
    ImbrexTensor in[] = {tensor(x.data, f32, s4), tensor(&count, i64, scalar)};
    ImbrexTensor out = tensor(given.data, f32, s4);
    ASSERT_EQ(imbrex_run(context.get(), in, 2, &out, 1), IMBREX_OK) << imbrex_last_error();
    auto factor = static_cast<float>(count + 1);
    EXPECT_EQ(given.values(), (std::vector<float>{factor, 2 * factor, 3 * factor, 4 * factor}));
  }
}

TEST(RunTest, HostOperationsAndSizesKnownLate) {
  auto module = open(testing::nonZeroModel());
  auto context = contextOf(module);
  Floats x({0, 1, 0, 1, 0, 1});
  Shape shape{2, 3};
  ImbrexTensor in = tensor(x.data, f32, shape), out[2] = {};
  ASSERT_EQ(imbrex_run(context.get(), &in, 1, out, 2), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(valuesOf<int64_t>(out[0]), (std::vector<int64_t>{1, 1, 3}));
  EXPECT_EQ(out[1].shape[0], 6);
  for (auto &t : out)
    imbrex_tensor_release(&t);
}

TEST(RunTest, ImportsReachTheHost) {
  auto module = open(testing::tanhModel());
  auto context = contextOf(module);
  Floats x(range(100, -50));
  Shape shape{100};
  ImbrexTensor in = tensor(x.data, f32, shape), out[2] = {};
  ASSERT_EQ(imbrex_run(context.get(), &in, 1, out, 2), IMBREX_OK) << imbrex_last_error();
  for (auto &t : out) {
    for (size_t i = 0; i < 100; ++i)
      EXPECT_EQ(valuesOf<float>(t)[i], std::tanh(x.data[i]));
    imbrex_tensor_release(&t);
  }
}

TEST(RunTest, EndlessRecursionIsAnError) {
  auto module = open(testing::endlessModel());
  auto context = contextOf(module);
  Floats x({1, 2, 3, 4});
  Shape shape{4};
  EXPECT_NE(
      failure(context, {tensor(x.data, f32, shape)}, IMBREX_RUN_FAILED).find("nested too deeply"),
      std::string::npos);
}

TEST(ConcurrencyTest, EightContextsOfOneModule) {
  auto module = open(testing::matmulModel());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int n = 0; n < 8; ++n)
    threads.emplace_back([&, n] {
      auto context = contextOf(module, 2);
      for (int i = 0; i < 20; ++i) {
        int64_t m = 1 + (n * 7 + i) % 40;
        Floats a(std::vector<float>(static_cast<size_t>(m * 4), 1.0f));
        Floats b(std::vector<float>(4 * 5, static_cast<float>(n)));
        Shape sa{m, 4}, sb{4, 5};
        ImbrexTensor in[] = {tensor(a.data, f32, sa), tensor(b.data, f32, sb)}, out{};
        if (imbrex_run(context.get(), in, 2, &out, 1) != IMBREX_OK)
          ++wrong;
        for (float v : valuesOf<float>(out))
          wrong += v != static_cast<float>(8 * n);
        imbrex_tensor_release(&out);
      }
    });
  for (auto &t : threads)
    t.join();
  EXPECT_EQ(wrong, 0);
}

struct Seen {
  int64_t allocated = 0, released = 0;
  std::vector<std::string> kernels;
  ImbrexContext *context = nullptr;
  ImbrexStatus nested = IMBREX_OK, observed = IMBREX_OK;
  uint64_t launches = 0;
  std::set<uint64_t> alive;
  int64_t budget = INT64_MAX;
};

TEST(ObserverTest, SeesAllocationsLaunchesAndReleases) {
  auto module = open(testing::nonZeroModel());
  auto context = contextOf(module);
  Seen seen;
  seen.context = context.get();
  ImbrexObserver observer{};
  observer.size = sizeof observer;
  observer.user = &seen;
  observer.before_allocate = [](void *user, uint64_t storage, uint64_t bytes) -> int32_t {
    auto &s = *static_cast<Seen *>(user);
    EXPECT_TRUE(s.alive.insert(storage).second) << "numbers are not used twice";
    s.allocated += static_cast<int64_t>(bytes);
    return s.allocated > s.budget;
  };
  observer.before_launch = [](void *user, const char *kernel, const uint64_t *storages,
                              int32_t operands, int32_t results) {
    auto &s = *static_cast<Seen *>(user);
    ASSERT_EQ(operands + results, 2);
    EXPECT_NE(storages[0], storages[1]);
    EXPECT_TRUE(s.alive.contains(storages[0]) && s.alive.contains(storages[1]));
    s.kernels.push_back(kernel);
    ImbrexTensor t{};
    s.nested = imbrex_run(s.context, &t, 0, nullptr, 0);
    s.observed = imbrex_context_observe(s.context, nullptr);
    ImbrexCounters counters{};
    counters.size = sizeof counters;
    EXPECT_EQ(imbrex_context_counters(s.context, &counters), IMBREX_OK);
    s.launches = counters.launches;
  };
  observer.after_launch = [](void *user, const char *, int64_t ns) {
    EXPECT_GE(ns, 0);
    static_cast<Seen *>(user)->kernels.push_back("done");
  };
  observer.on_release = [](void *user, uint64_t storage, uint64_t bytes) {
    auto &s = *static_cast<Seen *>(user);
    EXPECT_TRUE(s.alive.contains(storage));
    s.released += static_cast<int64_t>(bytes);
  };
  ASSERT_EQ(imbrex_context_observe(context.get(), &observer), IMBREX_OK);
  Floats x({0, 1, 0, 1, 0, 1});
  Shape shape{2, 3};
  ImbrexTensor in = tensor(x.data, f32, shape), out[2] = {};
  ASSERT_EQ(imbrex_run(context.get(), &in, 1, out, 2), IMBREX_OK) << imbrex_last_error();
  EXPECT_EQ(seen.kernels, (std::vector<std::string>{"column_sum_i64", "done"}));
  EXPECT_EQ(seen.allocated, 2 * 3 * 8 + 3 * 8 + 6);
  EXPECT_EQ(seen.released, 2 * 3 * 8) << "outputs leave, the indices are released";
  EXPECT_EQ(seen.nested, IMBREX_BUSY);
  EXPECT_EQ(seen.observed, IMBREX_BUSY) << "the callbacks of a run stay those it began with";
  EXPECT_EQ(seen.launches, 1u);
  EXPECT_EQ(seen.alive.size(), 4u) << "the host operation has an empty list of attributes";
  ImbrexTensor refused[2] = {};
  seen.budget = 0;
  EXPECT_EQ(imbrex_run(context.get(), &in, 1, refused, 2), IMBREX_NO_MEMORY);
  EXPECT_NE(std::strstr(imbrex_last_error(), "observer refuses"), nullptr);
  EXPECT_EQ(refused[0].data, nullptr);
  for (auto &t : out)
    imbrex_tensor_release(&t);
}

TEST(ModuleTest, DescribesItself) {
  auto module = open(testing::matmulModel());
  ASSERT_EQ(imbrex_input_count(module.get()), 2);
  ImbrexPort port{};
  ASSERT_EQ(imbrex_input(module.get(), 1, &port), IMBREX_OK);
  EXPECT_STREQ(port.name, "b");
  EXPECT_EQ(port.shape[0], -1);
  EXPECT_STREQ(port.dim_names[0], "k");
  EXPECT_EQ(imbrex_output(module.get(), 1, &port), IMBREX_BAD_ARGUMENT);
  EXPECT_NE(std::strstr(imbrex_module_info(module.get()), "\"inputs\":[{\"name\":\"a\""), nullptr);
}

TEST(ModuleTest, MisuseIsAnError) {
  ImbrexModule *m = nullptr;
  EXPECT_EQ(imbrex_module_open(nullptr, nullptr, &m), IMBREX_BAD_ARGUMENT);
  EXPECT_EQ(imbrex_module_open("/nonexistent.imx", nullptr, &m), IMBREX_BAD_ARGUMENT);
  EXPECT_EQ(imbrex_module_from_memory("hello", 5, nullptr, &m), IMBREX_BAD_ARTIFACT);
  EXPECT_EQ(imbrex_run(nullptr, nullptr, 0, nullptr, 0), IMBREX_BAD_ARGUMENT);
  imbrex_module_close(nullptr);
  imbrex_context_destroy(nullptr);
  imbrex_tensor_release(nullptr);
  EXPECT_STREQ(imbrex_version(), "0.1.0");
}

TEST(ModuleTest, CodeForOtherMachinesCanBeInspectedButNotRun) {
  testing::TestModel model = testing::addModel();
  model.spec.variants[0].features = {"warp-drive"};
  auto module = open(model);
  ImbrexContext *c = nullptr;
  EXPECT_EQ(imbrex_context_create(module.get(), nullptr, &c), IMBREX_UNSUPPORTED);
  EXPECT_NE(std::strstr(imbrex_last_error(), "warp-drive"), nullptr);
  model = testing::addModel();
  model.spec.imports = {"system"};
  module = open(model);
  EXPECT_EQ(imbrex_context_create(module.get(), nullptr, &c), IMBREX_UNSUPPORTED);
  EXPECT_NE(std::strstr(imbrex_last_error(), "system"), nullptr);
}

} // namespace
} // namespace imbrex
