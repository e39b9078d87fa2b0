#include "runtime/launch/LaunchTestSupport.h"

#include <chrono>
#include <thread>

namespace imbrex::launch::test {
namespace {

constexpr int64_t kBlock = 4;
std::atomic<int64_t> ranges{0};

DimExpr dim(const char *text) { return DimExpr::parse(text).take(); }

float *elems(const ImxView &v) { return static_cast<float *>(v.data); }

/// Calls `body` for each element of the blocks [begin, end) of an output.
template <class F> int32_t each(const ImxView &out, int64_t begin, int64_t end, F body) {
  ranges.fetch_add(1, std::memory_order_relaxed);
  for (int64_t i = begin * kBlock; i < std::min(end * kBlock, out.shape[0]); ++i)
    body(i);
  return 0;
}

int32_t addCode(const ImxEnv *, const ImxView *v, const int64_t *, int64_t b, int64_t e) {
  return each(v[2], b, e, [&](int64_t i) { elems(v[2])[i] = elems(v[0])[i] + elems(v[1])[i]; });
}
int32_t stepCode(const ImxEnv *, const ImxView *v, const int64_t *, int64_t b, int64_t e) {
  return each(v[1], b, e, [&](int64_t i) { elems(v[1])[i] = 2 * elems(v[0])[i] + 1; });
}
int32_t mixCode(const ImxEnv *, const ImxView *v, const int64_t *, int64_t b, int64_t e) {
  return each(v[1], b, e, [&](int64_t i) { elems(v[1])[i] = 3 * elems(v[1])[i] + elems(v[0])[i]; });
}
int32_t reversedCode(const ImxEnv *, const ImxView *v, const int64_t *d, int64_t b, int64_t e) {
  return each(v[1], b, e, [&](int64_t i) { elems(v[1])[i] = elems(v[0])[d[0] - 1 - i]; });
}
int32_t copyRowsCode(const ImxEnv *, const ImxView *v, const int64_t *d, int64_t b, int64_t e) {
  return each(v[1], b, e, [&](int64_t i) {
    for (int64_t j = 0; j < d[1]; ++j)
      elems(v[1])[i * d[1] + j] = elems(v[0])[i * d[2] + j];
  });
}
int32_t carefulCode(const ImxEnv *, const ImxView *v, const int64_t *, int64_t b, int64_t e) {
  int32_t failed = 0;
  each(v[1], b, e, [&](int64_t i) {
    failed |= elems(v[0])[i] < 0;
    elems(v[1])[i] = 2 * elems(v[0])[i] + 1;
  });
  return failed;
}
int32_t slowCode(const ImxEnv *env, const ImxView *v, const int64_t *d, int64_t b, int64_t e) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return stepCode(env, v, d, b, e);
}
int32_t persistentCode(const ImxEnv *, const ImxView *v, const int64_t *d, int64_t b, int64_t e) {
  for (int64_t block = b; block < e; ++block)
    for (int64_t i = block; i < d[0]; i += d[1])
      elems(v[0])[i] = static_cast<float>(d[1]);
  return 0;
}

LaunchContract::View vector(const char *name, const char *extent, ViewAccess access) {
  return {name, DType::F32, {dim(extent)}, {1}, access};
}

Kernel make(const char *name, ImxKernelFn code, std::vector<LaunchContract::View> views,
            std::vector<LaunchContract::Size> sizes = {{"n"}}) {
  LoadedKernel k;
  k.contract.kernel = name;
  k.contract.sizes = std::move(sizes);
  k.contract.views = std::move(views);
  k.contract.grid = {dim("(n + 3) floordiv 4")};
  k.target = "cpu";
  k.code = reinterpret_cast<const void *>(code);
  k.checks = {"an element is negative"};
  if (std::string_view(name) == "reversed")
    k.contract.facts = {{dim("m"), dim("n"), false, "m >= n", "else it would leave a view"}};
  if (std::string_view(name) == "persistent")
    k.contract.grid = {dim("blocks")};
  return Kernel(std::move(k));
}

constexpr auto read = ViewAccess::Read, write = ViewAccess::Write;

} // namespace

int64_t rangesRun() { return ranges.load(); }

Kernel add() {
  return make("add", addCode,
              {vector("a", "n", read), vector("b", "n", read), vector("c", "n", write)});
}
Kernel step() { return make("step", stepCode, {vector("x", "n", read), vector("y", "n", write)}); }
Kernel mix() {
  return make("mix", mixCode, {vector("x", "n", read), vector("y", "n", ViewAccess::Update)});
}
Kernel reversed() {
  return make("reversed", reversedCode, {vector("x", "m", read), vector("y", "n", write)},
              {{"m"}, {"n"}});
}
Kernel copyRows() {
  return make("copy_rows", copyRowsCode,
              {{"x", DType::F32, {dim("n"), dim("k")}, {dim("s"), 1}, read},
               {"y", DType::F32, {dim("n"), dim("k")}, {dim("k"), 1}, write}},
              {{"n"}, {"k"}, {"s"}});
}
Kernel careful() {
  return make("careful", carefulCode, {vector("x", "n", read), vector("y", "n", write)});
}
Kernel slow() { return make("slow", slowCode, {vector("x", "n", read), vector("y", "n", write)}); }
Kernel persistent() {
  return make("persistent", persistentCode, {vector("y", "n", write)},
              {{"n"}, {"blocks", 1, 64, 1}});
}

} // namespace imbrex::launch::test
