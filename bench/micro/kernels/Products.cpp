#include "bench/micro/kernels/Products.h"

#include "bench/micro/kernels/Machine.h"
#include "compiler/codegen/tile-cpu/HostKernels.h"
#include "support/DType.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

namespace imbrex::bench {

namespace {

struct Type {
  const char *in, *out, *zero, *flags;
  int64_t bytes, group; // of an element; elements of k in a word
};

const Type &typeOf(Kind kind) {
  static const Type types[] = {{"f32", "f32", "0.0", "", 4, 1},
                               {"bf16", "f32", "0.0", "", 2, 2},
                               {"i8", "i32", "0", "unsigned_left", 1, 4}};
  return types[int(kind)];
}

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>> &by) {
  for (const auto &[name, value] : by)
    for (size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, value);
  return text;
}

/// The kernel's text: weights in panels of 32 columns, k in words of `group` elements.
std::string kernelText(Kind kind, const Tile &t) {
  const Type &type = typeOf(kind);
  auto n = [](int64_t v) { return std::to_string(v); };
  return replaced(R"(
tile.kernel @gemm(%a: !tile.view<[m, {G}*kg], {in}>, %b: !tile.view<[p, kg, 32, {G}], {in}>, %c: !tile.view<[m, n], {out}, write>)
    sizes (m: 1 to 1048576, n: 1 to 1048576, kg: 1 to 1048576, p: 1 to 1048576)
    grid [(m + {M} - 1) floordiv {M}, (n + {N} - 1) floordiv {N}] assume ["p == (n + 31) floordiv 32"] {
  %i = tile.block 0
  %j = tile.block 1
  %steps = tile.size "(kg + {W} - 1) floordiv {W}"
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<{zero}> : tensor<{M}x{N}x{out}>
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<{M}x{N}x{out}> {
    %x = tile.load %a[%i, %q] : !tile.view<[m, {G}*kg], {in}> -> tensor<{M}x{K}x{in}>
    %w = tile.load %b[%j, %q, %zero, %zero] : !tile.view<[p, kg, 32, {G}], {in}> -> tensor<{P}x{W}x32x{G}x{in}>
    %t = tile.transpose %w [1, 3, 0, 2] : tensor<{P}x{W}x32x{G}x{in}> -> tensor<{W}x{G}x{P}x32x{in}>
    %y = tile.reshape %t : tensor<{W}x{G}x{P}x32x{in}> -> tensor<{K}x{N}x{in}>
    %next = tile.mma %x, %y, %acc {flags} : tensor<{M}x{K}x{in}>, tensor<{K}x{N}x{in}>, tensor<{M}x{N}x{out}>
    scf.yield %next : tensor<{M}x{N}x{out}>
  }
  tile.store %sum into %c[%i, %j] : tensor<{M}x{N}x{out}>, !tile.view<[m, n], {out}, write>
})",
                  {{"in", type.in},
                   {"out", type.out},
                   {"zero", type.zero},
                   {"flags", type.flags},
                   {"G", n(type.group)},
                   {"M", n(t.m)},
                   {"N", n(t.n)},
                   {"K", n(t.k)},
                   {"P", n(t.n / 32)},
                   {"W", n(t.k / type.group)}});
}

} // namespace

const char *nameOf(Kind kind) {
  return kind == Kind::F32 ? "f32" : kind == Kind::BF16 ? "bf16" : "u8s8";
}

std::vector<Shape> shapes() {
  return {{512, 512, 512},   {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096},
          {32, 3072, 1024},  {128, 3072, 1024},  {512, 3072, 1024},  {32, 1024, 3072},
          {128, 1024, 3072}, {512, 1024, 3072},  {32, 2048, 2048},   {128, 2048, 2048},
          {512, 2048, 2048}, {1000, 1000, 1000}, {57, 777, 1300},    {1, 3072, 1024},
          {4, 3072, 1024},   {8, 3072, 1024},    {16, 3072, 1024},   {1, 1024, 3072},
          {8, 1024, 3072},   {1, 2048, 2048},    {8, 2048, 2048},    {16, 2048, 2048}};
}

/// Weights that together are far larger than the caches.
static int64_t copiesFor(Kind kind, const Shape &s) {
  constexpr int64_t kFar = int64_t(128) << 20;
  const int64_t bytes = s.n * s.k * typeOf(kind).bytes;
  return s.m <= kSkinny ? (kFar + bytes - 1) / bytes : 1;
}

struct Problem::State : Product {
  Kind kind;
  Shape s;
  Tile tile;
  int64_t kg, panels, copies;
  Arena a, b, packed, c;
  std::vector<char> expected;
  codegen::HostKernels code;
  std::vector<std::unique_ptr<Arena>> scratch;
  Team team;
  int threads;
  std::vector<codegen::HostLaunch> launches; // one for each copy of the weights
  size_t turn = 0;
  std::vector<std::vector<int64_t>> shapes, strides; // of its operands

  static Tile choose(Kind kind, const Shape &s, Tile t) {
    if (!t.m)
      t.m = std::min<int64_t>(84, s.m);
    // Rows of two register tiles: sums of all of k stay in registers, and memory is read in rows of
    // two panels.
    const bool twice = s.m > 8 && s.m <= kSkinny;
    if (!t.n)
      t.n = twice ? 64 : s.m <= kSkinny ? 32 * std::clamp<int64_t>(14 / s.m, 1, 4) : 256;
    if (!t.k)
      t.k = (twice ? 1024 : 512) * typeOf(kind).group;
    return t;
  }
  static codegen::HostKernels compiled(Kind kind, const Tile &tile, const std::string &elf) {
    auto target = codegen::cpuTargets("cpu:x86-64-v4");
    auto code = codegen::HostKernels::compileText(kernelText(kind, tile), target->front());
    if (!code)
      throw std::runtime_error(code.error().str());
    if (FILE *f = elf.empty() ? nullptr : fopen(elf.c_str(), "wb")) {
      fwrite(code->elf().data(), 1, code->elf().size(), f);
      fclose(f);
    }
    return code.take();
  }

  State(Kind kind, Shape s, Tile t, int threads, const std::string &elf)
      : kind(kind), s(s), tile(choose(kind, s, t)), kg(s.k / typeOf(kind).group),
        panels((s.n + 31) / 32), copies(copiesFor(kind, s)),
        a(size_t(s.m * s.k * typeOf(kind).bytes)), b(size_t(s.k * s.n * typeOf(kind).bytes)),
        packed(size_t(copies * packedBytes())), c(size_t(s.m * s.n * 4)),
        code(compiled(kind, tile, elf)), team(threads), threads(threads) {
    for (int64_t i = 0; i < copies; ++i)
      launches.push_back(checked(packed.as<char>() + i * packedBytes()));
    for (int i = 0; i < threads; ++i)
      scratch.push_back(std::make_unique<Arena>(size_t(code.records()[0].scratchBytes)));
    fill();
  }

  int64_t packedBytes() const { return panels * 32 * s.k * typeOf(kind).bytes; }

  codegen::HostLaunch checked(void *weights) {
    const int64_t g = typeOf(kind).group;
    if (shapes.empty()) { // what launches point to
      shapes = {{s.m, s.k}, {panels, kg, 32, g}, {s.m, s.n}};
      strides = {{s.k, 1}, {kg * 32 * g, 32 * g, g, 1}, {s.n, 1}};
    }
    const DType in = kind == Kind::F32 ? DType::F32 : kind == Kind::BF16 ? DType::BF16 : DType::I8;
    const DType out = kind == Kind::U8S8 ? DType::I32 : DType::F32;
    auto view = [&](size_t i, void *data, DType type) {
      return ImxView{data, shapes[i].data(), strides[i].data(), int32_t(shapes[i].size()),
                     uint32_t(type)};
    };
    auto launch = code.launch(
        "gemm", {view(0, a.as<void>(), in), view(1, weights, in), view(2, c.as<void>(), out)});
    if (!launch)
      throw std::runtime_error(launch.error().str());
    return launch.take();
  }

  template <class T, class From> void fillAs(From from) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> left(kind == Kind::U8S8 ? 0 : -4,
                                            kind == Kind::U8S8 ? 100 : 4),
        right(-4, 4);
    for (int64_t i = 0; i < s.m * s.k; ++i)
      a.as<T>()[i] = from(left(random));
    for (int64_t i = 0; i < s.k * s.n; ++i)
      b.as<T>()[i] = from(right(random));
    const int64_t g = typeOf(kind).group;
    for (int64_t k = 0; k < s.k; ++k)
      for (int64_t n = 0; n < s.n; ++n)
        packed.as<T>()[((n / 32 * kg + k / g) * 32 + n % 32) * g + k % g] = b.as<T>()[k * s.n + n];
  }
  void fill() {
    if (kind == Kind::F32)
      fillAs<float>([](int v) { return float(v); });
    else if (kind == Kind::BF16)
      fillAs<uint16_t>([](int v) { return floatToBfloat16(float(v)); });
    else
      fillAs<int8_t>([](int v) { return int8_t(v); });
    for (int64_t i = 1; i < copies; ++i)
      std::memcpy(packed.as<char>() + i * packedBytes(), packed.as<char>(), size_t(packedBytes()));
  }

  void run() override {
    const codegen::HostLaunch &launch = launches[turn++ % launches.size()];
    const int64_t grid = launch.admitted.points;
    auto range = [&](int t) {
      ImxEnv env{};
      env.abi_version = IMX_ABI_VERSION;
      env.size = sizeof(ImxEnv);
      env.scratch = scratch[size_t(t)]->as<void>();
      launch.run(env, grid * t / threads, grid * (t + 1) / threads);
    };
    if (threads == 1)
      range(0);
    else
      team.each(range);
  }
};

Problem::Problem(Kind kind, Shape shape, Tile tile, int threads, const std::string &elf)
    : state(std::make_unique<State>(kind, shape, tile, threads, elf)) {}
Problem::~Problem() = default;
Product &Problem::ours() { return *state; }

Operands Problem::operands() {
  State &s = *state;
  return {s.kind, s.s.m, s.s.n, s.s.k, s.a.as<void>(), s.b.as<void>(), s.c.as<void>(), s.copies};
}

void Problem::keepExpected() {
  State &s = *state;
  s.expected.assign(s.c.as<char>(), s.c.as<char>() + s.s.m * s.s.n * 4);
  memset(s.c.as<char>(), 0xff, s.expected.size());
}

double Problem::difference() {
  State &s = *state;
  double worst = 0;
  for (int64_t i = 0; i < s.s.m * s.s.n; ++i) {
    double x = s.kind == Kind::U8S8 ? s.c.as<int32_t>()[i] : double(s.c.as<float>()[i]);
    double y = s.kind == Kind::U8S8 ? reinterpret_cast<int32_t *>(s.expected.data())[i]
                                    : double(reinterpret_cast<float *>(s.expected.data())[i]);
    double d = std::fabs(x - y);
    worst = std::isnan(d) ? 1e30 : std::max(worst, d);
  }
  return worst;
}

} // namespace imbrex::bench
