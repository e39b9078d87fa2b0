// What the kernels compute, beside plain loops over doubles.
#include "compiler/codegen/tile-cpu/TileTestSupport.h"
#include "kernels/Library.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace imbrex::kernels {
namespace {

using codegen::test::TileCase;
using Elements = TileCase::Elements;
using Vector = std::vector<double>;

/// The kernel compiled; each is once, as that takes longer than a run.
TileCase *compiled(const std::string &name) {
  static std::map<std::string, std::unique_ptr<TileCase>> cases;
  std::unique_ptr<TileCase> &found = cases[name];
  if (found)
    return found.get();
  for (const edsl::NamedKernel &k : library())
    if (k.name == name) {
      edsl::TraceReport report;
      auto text = edsl::traceKernels({k}, report);
      EXPECT_TRUE(text) << text.error().what;
      if (text)
        found = std::make_unique<TileCase>(*text, TileCase::Levels::Best);
      return found.get();
    }
  ADD_FAILURE() << "no kernel " << name;
  return nullptr;
}

Elements run(const std::string &name, const tile::SizeValues &sizes, const Elements &inputs) {
  TileCase *kernel = compiled(name);
  return kernel ? kernel->compute(sizes, inputs) : Elements();
}

/// Numbers that f32 holds, between -2 and 2.
Vector numbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pick(-512, 512);
  Vector v(static_cast<size_t>(count));
  for (double &x : v)
    x = pick(random) / 256.0;
  return v;
}

void expectNear(const Vector &got, const Vector &want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], want[i], tolerance * std::max(1.0, std::fabs(want[i]))) << "element " << i;
}

//===-- Rows ----------------------------------------------------------------===//

TEST(KernelMeaning, SoftmaxOfRows) {
  const int64_t rows = 3, columns = 700;
  Vector x = numbers(rows * columns, 1), want(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    double total = 0;
    for (int64_t c = 0; c < columns; ++c)
      total += want[r * columns + c] = std::exp(x[r * columns + c]);
    for (int64_t c = 0; c < columns; ++c)
      want[r * columns + c] /= total;
  }
  expectNear(run("softmax_f32", {{"rows", rows}, {"columns", columns}}, {{"x", x}})["y"], want,
             1e-6);
}

TEST(KernelMeaning, NormsOfRows) {
  const int64_t rows = 2, columns = 513;
  const double eps = 1e-5;
  Vector x = numbers(rows * columns, 2), w = numbers(columns, 3), b = numbers(columns, 4),
         rms(x.size()), layer(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    double mean = 0, squares = 0, variance = 0;
    for (int64_t c = 0; c < columns; ++c) {
      mean += x[r * columns + c] / columns;
      squares += x[r * columns + c] * x[r * columns + c] / columns;
    }
    for (int64_t c = 0; c < columns; ++c)
      variance += std::pow(x[r * columns + c] - mean, 2) / columns;
    for (int64_t c = 0; c < columns; ++c) {
      rms[r * columns + c] = x[r * columns + c] / std::sqrt(squares + eps) * w[c];
      layer[r * columns + c] =
          (x[r * columns + c] - mean) / std::sqrt(variance + eps) * w[c] + b[c];
    }
  }
  tile::SizeValues sizes{{"rows", rows}, {"columns", columns}};
  Elements in{{"x", x}, {"weight", w}, {"eps", {eps}}, {"reciprocal_columns", {1.0 / columns}}};
  expectNear(run("rms_norm_f32", sizes, in)["y"], rms, 1e-5);
  in["bias"] = b;
  expectNear(run("layer_norm_f32", sizes, in)["y"], layer, 1e-5);
}

TEST(KernelMeaning, GroupNormOfImages) {
  const int64_t images = 2, groups = 3, channels = 4, space = 130;
  const double eps = 1e-5;
  Vector x = numbers(images * groups * channels * space, 5), w = numbers(groups * channels, 6),
         b = numbers(groups * channels, 7), want(x.size());
  const int64_t each = channels * space;
  for (int64_t r = 0; r < images * groups; ++r) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < each; ++i)
      mean += x[r * each + i] / each;
    for (int64_t i = 0; i < each; ++i)
      variance += std::pow(x[r * each + i] - mean, 2) / each;
    for (int64_t i = 0; i < each; ++i) {
      int64_t channel = r % groups * channels + i / space;
      want[r * each + i] =
          (x[r * each + i] - mean) / std::sqrt(variance + eps) * w[channel] + b[channel];
    }
  }
  expectNear(
      run("group_norm_f32",
          {{"rows", images * groups}, {"groups", groups}, {"channels", channels}, {"space", space}},
          {{"x", x},
           {"weight", w},
           {"bias", b},
           {"eps", {eps}},
           {"reciprocal_elements", {1.0 / each}}})["y"],
      want, 1e-5);
}

//===-- Reductions and choices ----------------------------------------------===//

TEST(KernelMeaning, SumsAndMaxima) {
  const int64_t rows = 37, columns = 1030;
  Vector x = numbers(rows * columns, 8), byRow(rows), byColumn(columns), most(rows, -1e30);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      byRow[r] += x[r * columns + c];
      byColumn[c] += x[r * columns + c];
      most[r] = std::max(most[r], x[r * columns + c]);
    }
  tile::SizeValues sizes{{"rows", rows}, {"columns", columns}};
  expectNear(run("sum_rows_f32", sizes, {{"x", x}})["y"], byRow, 1e-5);
  expectNear(run("sum_columns_f32", sizes, {{"x", x}})["y"], byColumn, 1e-5);
  EXPECT_EQ(run("maximum_rows_f32", sizes, {{"x", x}})["y"], most);
}

TEST(KernelMeaning, TheFirstGreatestElement) {
  const double inf = INFINITY, nan = NAN;
  Vector x{1, 3, 3, nan, nan, nan, -inf, -inf, -inf, inf, 0, inf, nan, -5, nan, 2, 1, nan};
  EXPECT_EQ(run("argmax_rows_f32", {{"rows", 6}, {"columns", 3}}, {{"x", x}})["y"],
            (Vector{1, 0, 0, 0, 1, 0}));
  Vector wide = numbers(4 * 2000, 9), want;
  for (int64_t r = 0; r < 4; ++r)
    want.push_back(static_cast<double>(
        std::max_element(wide.begin() + r * 2000, wide.begin() + (r + 1) * 2000) -
        (wide.begin() + r * 2000)));
  EXPECT_EQ(run("argmax_rows_f32", {{"rows", 4}, {"columns", 2000}}, {{"x", wide}})["y"], want);
}

TEST(KernelMeaning, TheGreatestElementsInOrder) {
  for (auto [columns, k] : {std::pair<int64_t, int64_t>{5, 5}, {1500, 64}, {513, 1}}) {
    const int64_t rows = 3;
    Vector x = numbers(rows * columns, 10), values, places; // many equal ones
    x[1] = -INFINITY;
    x[2] = NAN;
    x[3] = INFINITY;
    for (int64_t r = 0; r < rows; ++r) {
      auto at = [&](int64_t c) {
        double v = x[r * columns + c];
        return std::isnan(v) ? -INFINITY : v;
      };
      std::vector<int64_t> order(static_cast<size_t>(columns));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t p, int64_t q) { return at(p) > at(q); });
      for (int64_t i = 0; i < k; ++i) {
        values.push_back(at(order[i]));
        places.push_back(static_cast<double>(order[i]));
      }
    }
    Elements out =
        run("top_rows_f32", {{"rows", rows}, {"columns", columns}, {"k", k}}, {{"x", x}});
    EXPECT_EQ(out["values"], values);
    EXPECT_EQ(out["places"], places);
  }
}

TEST(KernelMeaning, DrawsFollowTheDistribution) {
  // Eighths, so that sums are exact. Element 0 and the last cannot be drawn.
  Vector row{0, 1, 0, 2, 4, 1, 0}, p, u, want;
  Vector draws{0, 0.12, 0.125, 0.37, 0.375, 0.874, 0.875, 0.999};
  for (double d : draws) {
    p.insert(p.end(), row.begin(), row.end());
    u.push_back(d);
    want.push_back(d < 0.125 ? 1 : d < 0.375 ? 3 : d < 0.875 ? 4 : 5);
  }
  EXPECT_EQ(run("sample_rows_f32", {{"rows", 8}, {"columns", 7}}, {{"p", p}, {"u", u}})["y"], want);
  // One element far behind in a long row.
  Vector wide(3000);
  wide[2999] = 1;
  EXPECT_EQ(
      run("sample_rows_f32", {{"rows", 1}, {"columns", 3000}}, {{"p", wide}, {"u", {0}}})["y"],
      (Vector{2999}));
}

//===-- Products ------------------------------------------------------------===//

Vector product(const Vector &a, const Vector &b, int64_t m, int64_t n, int64_t d) {
  Vector c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t q = 0; q < d; ++q)
      for (int64_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * d + q] * b[q * n + j];
  return c;
}

TEST(KernelMeaning, ProductsOfEachType) {
  const int64_t m = 5, n = 131, d = 70;
  tile::SizeValues sizes{{"m", m}, {"n", n}, {"d", d}};
  Vector a = numbers(m * d, 11), b = numbers(d * n, 12);
  for (double &x : a) // few bits, so that short floats hold them
    x = std::round(x * 8) / 8;
  for (double &x : b)
    x = std::round(x * 8) / 8;
  Vector want = product(a, b, m, n, d);
  expectNear(run("matmul_f32", sizes, {{"a", a}, {"b", b}})["c"], want, 1e-6);
  expectNear(run("matmul_f16", sizes, {{"a", a}, {"b", b}})["c"], want, 1e-3);
  expectNear(run("matmul_bf16", sizes, {{"a", a}, {"b", b}})["c"], want, 8e-3);
  for (double &x : a)
    x = std::fabs(std::round(x * 100)) + 55; // unsigned: up to 255
  for (double &x : b)
    x = std::round(x * 63);
  EXPECT_EQ(run("matmul_u8s8", sizes, {{"a", a}, {"b", b}})["c"], product(a, b, m, n, d))
      << "bytes are signed where they should not be";
}

TEST(KernelMeaning, WeightsInPanelsOfBf16) {
  const int64_t m = 3, panels = 2, pairs = 5, d = pairs * 2, n = panels * 32;
  Vector x = numbers(m * d, 15), w = numbers(n * d, 16), values(w.size()), packed;
  for (double &v : x) // few bits, so that short floats hold them
    v = std::round(v * 8) / 8;
  for (int64_t p = 0; p < panels; ++p)
    for (int64_t i = 0; i < pairs; ++i)
      for (int64_t j = 0; j < 32; ++j)
        for (int64_t part = 0; part < 2; ++part) {
          packed.push_back(std::round(w[(p * 32 + j) * d + i * 2 + part] * 8) / 8);
          values[(i * 2 + part) * n + p * 32 + j] = packed.back();
        }
  tile::SizeValues sizes{{"m", m}, {"panels", panels}, {"pairs", pairs}};
  for (const char *name : {"matmul_bf16_weights", "matvec_bf16_weights"})
    expectNear(run(name, sizes, {{"x", x}, {"w", packed}})["c"], product(x, values, m, n, d), 1e-6);
}

//===-- Quantized weights ---------------------------------------------------===//

/// Random weights q and their views, for panels of 32 columns and blocks of 32 in k.
struct Weights {
  int64_t panels, blocks, perScale; // perScale: elements of k that share a scale
  Vector q, scale, least;           // q [n, k]; scale, least [n, k / perScale]

  /// q up to `most`; `offset`: least values are that many scales below zero, else random.
  Weights(int64_t panels, int64_t blocks, int64_t perScale, int most, std::optional<double> offset)
      : panels(panels), blocks(blocks), perScale(perScale) {
    std::mt19937 random(13);
    std::uniform_int_distribution<int> pick(0, most), part(1, 16);
    for (int64_t i = 0; i < panels * 32 * blocks * 32; ++i)
      q.push_back(pick(random));
    for (int64_t i = 0; i < panels * 32 * blocks * 32 / perScale; ++i) {
      scale.push_back(part(random) / 64.0);
      least.push_back(offset ? -*offset * scale.back() : -part(random) / 8.0);
    }
  }
  int64_t depth() const { return blocks * 32; }
  double at(int64_t n, int64_t k) const {
    const int64_t block = (n * depth() + k) / perScale;
    return q[n * depth() + k] * scale[block] + least[block];
  }
  /// [panels, blocks, count, 32, 4]: `of` gets a column's words of a block, the line and the byte.
  Vector lines(int64_t count,
               const std::function<int(const std::function<int(int64_t)> &, int64_t)> &of) const {
    Vector out;
    for (int64_t p = 0; p < panels; ++p)
      for (int64_t b = 0; b < blocks; ++b)
        for (int64_t line = 0; line < count; ++line)
          for (int64_t n = 0; n < 32; ++n)
            for (int64_t i = 0; i < 4; ++i)
              out.push_back(of(
                  [&](int64_t word) {
                    return static_cast<int>(q[(p * 32 + n) * depth() + b * 32 + word * 4 + i]);
                  },
                  line));
    return out;
  }
  /// [panels, k / perScale, 32] of numbers [n, k / perScale].
  Vector byPanel(const Vector &numbers) const {
    Vector out;
    const int64_t parts = depth() / perScale;
    for (int64_t p = 0; p < panels; ++p)
      for (int64_t s = 0; s < parts; ++s)
        for (int64_t n = 0; n < 32; ++n)
          out.push_back(numbers[(p * 32 + n) * parts + s]);
    return out;
  }
};

/// Quantizes activations and multiplies; expects the product with the weights' values, as near as
/// bytes come to the activations.
void expectQuantized(const std::string &kind, const Weights &w, Elements views) {
  const int64_t m = 3, n = w.panels * 32, d = w.depth();
  Vector x = numbers(m * d, 14);
  tile::SizeValues sizes{{"m", m}, {"blocks", w.blocks}};
  Elements quantized = run("quantize_rows", sizes, {{"x", x}});
  Vector rounded(x.size()), values(static_cast<size_t>(d * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < d; ++j) { // blocks first
      const int64_t block = j / 32 * m + i;
      const double scale = quantized["scales"][block];
      rounded[i * d + j] = quantized["bytes"][block * 32 + j % 32] * scale;
      ASSERT_NEAR(rounded[i * d + j], x[i * d + j], scale * 0.501) << i << ", " << j;
    }
  for (int64_t k = 0; k < d; ++k)
    for (int64_t j = 0; j < n; ++j)
      values[k * n + j] = w.at(j, k);
  for (const char *name : {"bytes", "scales", "totals"})
    views[name] = quantized[name];
  if (kind == "q6")
    views["firsts"] = quantized["firsts"];
  views["scale"] = w.byPanel(w.scale);
  sizes["panels"] = w.panels;
  Vector c = run("matmul_" + kind, sizes, views)["c"];
  expectNear(c, product(rounded, values, m, n, d), 1e-5);
  EXPECT_EQ(run("matvec_" + kind, sizes, views)["c"], c);
}

using Words = const std::function<int(int64_t)> &;
int low(Words q, int64_t line) { return (q(line) & 15) | (q(line + 4) & 15) << 4; }
int fifth(Words q, int64_t) {
  int bits = 0;
  for (int64_t w = 0; w < 8; ++w)
    bits |= (q(w) >> 4 & 1) << w;
  return bits;
}

TEST(KernelMeaning, WeightsOfFourBits) {
  Weights moved(1, 4, 32, 15, 8), free(2, 3, 32, 15, std::nullopt);
  expectQuantized("q4", moved, {{"q", moved.lines(4, low)}});
  expectQuantized("q4_least", free,
                  {{"q", free.lines(4, low)}, {"least", free.byPanel(free.least)}});
}

TEST(KernelMeaning, WeightsOfFiveBits) {
  Weights moved(1, 3, 32, 31, 16), free(1, 2, 32, 31, std::nullopt);
  expectQuantized("q5", moved, {{"q", moved.lines(4, low)}, {"high", moved.lines(1, fifth)}});
  expectQuantized("q5_least", free,
                  {{"q", free.lines(4, low)},
                   {"high", free.lines(1, fifth)},
                   {"least", free.byPanel(free.least)}});
}

TEST(KernelMeaning, WeightsOfSixBits) {
  Weights w(2, 2, 16, 63, 32);
  auto high = [](Words q, int64_t line) {
    int bits = 0;
    for (int64_t step = 0; step < 4; ++step)
      bits |= (q(line + 2 * step) >> 4 & 3) << (2 * step);
    return bits;
  };
  expectQuantized("q6", w, {{"q", w.lines(4, low)}, {"high", w.lines(2, high)}});
}

TEST(KernelMeaning, WeightsOfEightBits) {
  Weights w(2, 3, 32, 255, 128);
  expectQuantized("q8", w, {{"q", w.lines(8, [](Words q, int64_t line) { return q(line); })}});
}

//===-- Images --------------------------------------------------------------===//

struct Image {
  int64_t n, c, h, w, kh, kw, top, left, stride;
  int64_t outHeight() const { return (h + 2 * top - kh) / stride + 1; }
  int64_t outWidth() const { return (w + 2 * left - kw) / stride + 1; }
  tile::SizeValues sizes() const {
    return {{"n", n},   {"c", c},   {"h", h},     {"w", w},       {"oh", outHeight()},
            {"kh", kh}, {"kw", kw}, {"top", top}, {"left", left}, {"ow", outWidth()}};
  }
  /// Calls `visit(output element, window element, image element or -1)` for each of a plane.
  void eachTap(const std::function<void(int64_t, int64_t, int64_t)> &visit) const {
    for (int64_t i = 0; i < outHeight(); ++i)
      for (int64_t j = 0; j < outWidth(); ++j)
        for (int64_t r = 0; r < kh; ++r)
          for (int64_t s = 0; s < kw; ++s) {
            int64_t y = i * stride + r - top, x = j * stride + s - left;
            bool inside = y >= 0 && y < h && x >= 0 && x < w;
            visit(i * outWidth() + j, r * kw + s, inside ? y * w + x : -1);
          }
  }
  int64_t outPlane() const { return outHeight() * outWidth(); }
};

TEST(KernelMeaning, DepthwiseConvolutionAndPools) {
  for (int64_t stride : {1, 2}) {
    Image g{2, 3, 9, 75, 3, 5, 1, 2, stride};
    Vector x = numbers(g.n * g.c * g.h * g.w, 15), w = numbers(g.c * g.kh * g.kw, 16),
           bias = numbers(g.c, 17), conv, most, mean;
    for (int64_t plane = 0; plane < g.n * g.c; ++plane) {
      Vector sums(g.outPlane(), bias[plane % g.c]), tops(g.outPlane(), -1e30), totals(g.outPlane()),
          counts(g.outPlane());
      g.eachTap([&](int64_t out, int64_t tap, int64_t in) {
        if (in < 0)
          return;
        double v = x[plane * g.h * g.w + in];
        sums[out] += v * w[plane % g.c * g.kh * g.kw + tap];
        tops[out] = std::max(tops[out], v);
        totals[out] += v;
        counts[out] += 1;
      });
      conv.insert(conv.end(), sums.begin(), sums.end());
      most.insert(most.end(), tops.begin(), tops.end());
      for (int64_t i = 0; i < g.outPlane(); ++i)
        mean.push_back(totals[i] / counts[i]);
    }
    const std::string by = stride == 2 ? "_by2_f32" : "_f32";
    expectNear(
        run("depthwise_convolution" + by, g.sizes(), {{"x", x}, {"w", w}, {"bias", bias}})["y"],
        conv, 1e-5);
    EXPECT_EQ(run("maximum_pool" + by, g.sizes(), {{"x", x}})["y"], most);
    if (stride == 1)
      expectNear(run("average_pool_f32", g.sizes(), {{"x", x}})["y"], mean, 1e-6);
  }
}

TEST(KernelMeaning, GroupedConvolution) {
  const int64_t groups = 2, filters = 5;
  Image g{2, 3, 6, 40, 3, 3, 1, 1, 1};
  Vector x = numbers(g.n * groups * g.c * g.h * g.w, 18),
         w = numbers(groups * g.kh * g.kw * filters * g.c, 19),
         want(static_cast<size_t>(g.n * groups * filters * g.outPlane()));
  for (int64_t image = 0; image < g.n * groups; ++image)
    for (int64_t f = 0; f < filters; ++f)
      for (int64_t c = 0; c < g.c; ++c)
        g.eachTap([&](int64_t out, int64_t tap, int64_t in) {
          if (in >= 0)
            want[(image * filters + f) * g.outPlane() + out] +=
                x[(image * g.c + c) * g.h * g.w + in] *
                w[((image % groups * g.kh * g.kw + tap) * filters + f) * g.c + c];
        });
  tile::SizeValues sizes = g.sizes();
  sizes["groups"] = groups;
  sizes["filters"] = filters;
  expectNear(run("grouped_convolution_f32", sizes, {{"x", x}, {"w", w}})["y"], want, 1e-5);
}

//===-- Attention -----------------------------------------------------------===//

/// Attention of head h's query at `position` over the keys that `sees` admits.
Vector attend(const Vector &q, const Vector &k, const Vector &v, int64_t query, int64_t keyHead,
              int64_t keys, int64_t width, double scale, const std::function<bool(int64_t)> &sees) {
  Vector out(static_cast<size_t>(width));
  double total = 0;
  for (int64_t j = 0; j < keys; ++j) {
    if (!sees(j))
      continue;
    double score = 0;
    for (int64_t d = 0; d < width; ++d)
      score += q[query * width + d] * k[(keyHead * keys + j) * width + d];
    double weight = std::exp(score * scale);
    total += weight;
    for (int64_t d = 0; d < width; ++d)
      out[d] += weight * v[(keyHead * keys + j) * width + d];
  }
  for (double &x : out)
    x /= total;
  return out;
}

TEST(KernelMeaning, AttentionOfNewTokens) {
  const int64_t kvHeads = 2, group = 3, tokens = 37;
  for (auto [past, window, width] :
       {std::tuple<int64_t, int64_t, int64_t>{0, 1000, 64}, {70, 1000, 64}, {90, 40, 128}}) {
    const int64_t total = past + tokens, heads = kvHeads * group;
    const double scale = 0.125;
    Vector q = numbers(heads * tokens * width, 20), k = numbers(kvHeads * total * width, 21),
           v = numbers(kvHeads * total * width, 22), want;
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < tokens; ++i) {
        Vector row = attend(q, k, v, h * tokens + i, h / group, total, width, scale,
                            [&](int64_t j) { return j <= past + i && j > past + i - window; });
        want.insert(want.end(), row.begin(), row.end());
      }
    expectNear(run("attention_prefill_" + std::to_string(width) + "_f32",
                   {{"kv_heads", kvHeads},
                    {"group", group},
                    {"tokens", tokens},
                    {"past", past},
                    {"window", window}},
                   {{"q", q}, {"k", k}, {"v", v}, {"scale", {scale}}})["o"],
               want, 1e-4);
  }
}

TEST(KernelMeaning, AttentionOfOneTokenInSplits) {
  for (auto [group, keys, width] :
       {std::tuple<int64_t, int64_t, int64_t>{4, 1, 64}, {11, 600, 64}, {1, 257, 128}}) {
    const int64_t kvHeads = 2, splits = (keys + 255) / 256;
    const double scale = 0.25;
    Vector q = numbers(kvHeads * group * width, 23), k = numbers(kvHeads * keys * width, 24),
           v = numbers(kvHeads * keys * width, 25), want;
    for (int64_t h = 0; h < kvHeads * group; ++h) {
      Vector row = attend(q, k, v, h, h / group, keys, width, scale, [](int64_t) { return true; });
      want.insert(want.end(), row.begin(), row.end());
    }
    const std::string w = std::to_string(width) + "_f32";
    Elements parts =
        run("attention_decode_" + w, {{"kv_heads", kvHeads}, {"group", group}, {"keys", keys}},
            {{"q", q}, {"k", k}, {"v", v}, {"scale", {scale}}});
    expectNear(
        run("attention_combine_" + w, {{"kv_heads", kvHeads}, {"group", group}, {"splits", splits}},
            {{"values", parts["values"]}, {"top", parts["top"]}, {"weight", parts["weight"]}})["o"],
        want, 1e-4);
  }
}

TEST(KernelMeaning, ATokenAloneIsAttendedAsAmongOthers) {
  // Bit by bit: text does not depend on what was computed together.
  const int64_t kvHeads = 1, group = 2, keys = 530, width = 64;
  Vector q = numbers(group * keys * width, 28), k = numbers(keys * width, 29),
         v = numbers(keys * width, 30);
  Vector all = run(
      "attention_prefill_64_f32",
      {{"kv_heads", kvHeads}, {"group", group}, {"tokens", keys}, {"past", 0}, {"window", 1 << 20}},
      {{"q", q}, {"k", k}, {"v", v}, {"scale", {0.125}}})["o"];
  for (int64_t seen : {1, 2, 255, 256, 257, 512, 530}) {
    Vector last, want;
    for (int64_t h = 0; h < group; ++h)
      for (int64_t d = 0; d < width; ++d) {
        last.push_back(q[(h * keys + seen - 1) * width + d]);
        want.push_back(all[(h * keys + seen - 1) * width + d]);
      }
    Vector some(k.begin(), k.begin() + seen * width), values(v.begin(), v.begin() + seen * width);
    Elements parts =
        run("attention_decode_64_f32", {{"kv_heads", kvHeads}, {"group", group}, {"keys", seen}},
            {{"q", last}, {"k", some}, {"v", values}, {"scale", {0.125}}});
    EXPECT_EQ(
        run("attention_combine_64_f32",
            {{"kv_heads", kvHeads}, {"group", group}, {"splits", (seen + 255) / 256}},
            {{"values", parts["values"]}, {"top", parts["top"]}, {"weight", parts["weight"]}})["o"],
        want)
        << seen << " keys";
  }
}

//===-- Places --------------------------------------------------------------===//

TEST(KernelMeaning, NewTokensInTheCache) {
  const int64_t tokens = 11, heads = 2, capacity = 20, width = 128;
  Vector x = numbers(tokens * heads * width, 26);
  // The view reaches from the first new token of the first head to the last of the last.
  Vector before(static_cast<size_t>((heads - 1) * capacity * width + tokens * width), 9),
      want = before;
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t t = 0; t < tokens; ++t)
      for (int64_t d = 0; d < width; ++d)
        want[(h * capacity + t) * width + d] = x[(t * heads + h) * width + d];
  EXPECT_EQ(run("append_to_cache_f32",
                {{"tokens", tokens}, {"heads", heads}, {"capacity", capacity}},
                {{"x", x}, {"cache", before}})["cache"],
            want);
}

TEST(KernelMeaning, OutputsBeyondTheCaches) {
  // 16 MiB and more are stored past the caches where rows are aligned, and not where they are not.
  const int64_t n = (4 << 20) + 5;
  Vector a = numbers(n, 31), b = numbers(n, 32), sums(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    sums[i] = a[i] + b[i];
  EXPECT_TRUE(run("add_f32", {{"n", n}}, {{"a", a}, {"b", b}})["c"] == sums);
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{2112, 2048}, {2111, 2049}}) {
    Vector x = numbers(rows * columns, 33), turned(x.size());
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        turned[j * rows + i] = x[i * columns + j];
    EXPECT_TRUE(run("transpose_f32", {{"m", rows}, {"n", columns}}, {{"x", x}})["y"] == turned)
        << rows << " rows";
  }
}

TEST(KernelMeaning, RotationByPosition) {
  const int64_t tokens = 3, heads = 2;
  Vector x = numbers(tokens * heads * 128, 27), cosine, sine, want(x.size());
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t i = 0; i < 64; ++i) {
      cosine.push_back(std::cos(t * std::pow(10000, -i / 64.0)));
      sine.push_back(std::sin(t * std::pow(10000, -i / 64.0)));
    }
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < 64; ++i) {
        const int64_t at = (t * heads + h) * 128 + i;
        double c = cosine[t * 64 + i], s = sine[t * 64 + i];
        want[at] = x[at] * c - x[at + 64] * s;
        want[at + 64] = x[at + 64] * c + x[at] * s;
      }
  expectNear(run("rotary_embedding_f32", {{"tokens", tokens}, {"heads", heads}},
                 {{"x", x}, {"cosine", cosine}, {"sine", sine}})["y"],
             want, 1e-6);
}

} // namespace
} // namespace imbrex::kernels
