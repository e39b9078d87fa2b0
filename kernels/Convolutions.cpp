// Convolutions and pooling over images [batch, channels, height, width].
//
// Padding needs no case of its own: windows are zeros (or the least float) outside an image.
#include "kernels/Library.h"

#include <limits>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, i32 = DType::I32;
constexpr int64_t kMost = 1 << 20;

namespace {

/// Sizes of a window that moves over an image.
struct Window {
  Size n, c, h, w, oh, ow, kh, kw, top, left;

  explicit Window(Kernel &k)
      : n(k.size("n")), c(k.size("c")), h(k.size("h", {.most = kMost})),
        w(k.size("w", {.most = kMost})), oh(k.size("oh", {.most = kMost})),
        ow(k.size("ow", {.most = kMost})), kh(k.size("kh", {.least = 1, .most = 255})),
        kw(k.size("kw", {.least = 1, .most = 255})), top(k.size("top", {.most = 255})),
        left(k.size("left", {.most = 255})) {}
};

} // namespace

/// Every stride-th column of `count * stride` neighbours.
static Tile everyOther(const Tile &t, int64_t count, int64_t stride) {
  if (stride == 1)
    return reshape(t, {1, count});
  return reshape(slice(reshape(t, {count, stride}), {0, 0}, {count, 1}), {1, count});
}

/// y[n, c, i, j] = bias[c] + sum(r, s) x[n, c, i*stride + r - top, j*stride + s - left] * w[c, r,
/// s]
template <int64_t stride> static void depthwise(Kernel &k) {
  constexpr int64_t width = 64;
  Window g(k);
  Input x = k.input("x", f32, {g.n, g.c, g.h, g.w}), w = k.input("w", f32, {g.c, g.kh, g.kw}),
        bias = k.input("bias", f32, {g.c});
  Output y = k.output("y", f32, {g.n, g.c, g.oh, g.ow});
  Piece p = k.own(y, {1, 1, 1, width});
  Tile start = broadcast(reshape(bias.load({p[1]}, {1}), {1, 1}), {1, width});
  Tile total = k.loop(g.kh, start, [&](Index r, Tile rows) {
    return k.loop(g.kw, rows, [&](Index s, Tile sum) {
      Tile in =
          x.window({p[0], p[1], p[2] * stride + r - g.top, p[3] * (width * stride) + s - g.left},
                   {1, 1, 1, width * stride});
      return sum + everyOther(in, width, stride) * reshape(w.load({p[1], r, s}, {1, 1, 1}), {1, 1});
    });
  });
  p.store(reshape(total, {1, 1, 1, width}));
}
void depthwiseConvolution(Kernel &k) { depthwise<1>(k); }
void depthwiseConvolutionBy2(Kernel &k) { depthwise<2>(k); }

/// y[n, g, f, i, j] = sum(c, r, s) x[n, g, c, i + r - top, j + s - left] * w[g, r, s, f, c]: a
/// convolution of `groups` groups as products of tiles, stride 1.
void groupedConvolution(Kernel &k) {
  constexpr int64_t filters = 32, width = 32, inner = 32;
  Size groups = k.size("groups"), out = k.size("filters");
  Window g(k);
  Input x = k.input("x", f32, {g.n, groups, g.c, g.h, g.w}),
        w = k.input("w", f32, {groups, g.kh, g.kw, out, g.c});
  Output y = k.output("y", f32, {g.n, groups, out, g.oh, g.ow});
  Piece p = k.own(y, {1, 1, filters, 1, width});
  Tile total = k.loop(g.kh, k.zeros(f32, {filters, width}), [&](Index r, Tile rows) {
    return k.loop(g.kw, rows, [&](Index s, Tile columns) {
      return k.loop(tiles(g.c, inner), columns, [&](Index q, Tile sum) {
        Tile image = x.window({p[0], p[1], q * inner, p[3] + r - g.top, p[4] * width + s - g.left},
                              {1, 1, inner, 1, width});
        Tile weights = w.load({p[1], r, s, p[2], q}, {1, 1, 1, filters, inner});
        return mma(reshape(weights, {filters, inner}), reshape(image, {inner, width}), sum);
      });
    });
  });
  p.store(reshape(total, {1, 1, filters, 1, width}));
}

/// y[n, c, i, j] = the greatest x[n, c, i*stride + r - top, j*stride + s - left] within the image
template <int64_t stride> static void maximumPooling(Kernel &k) {
  constexpr int64_t width = 64;
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  Window g(k);
  Input x = k.input("x", f32, {g.n, g.c, g.h, g.w});
  Output y = k.output("y", f32, {g.n, g.c, g.oh, g.ow});
  Piece p = k.own(y, {1, 1, 1, width});
  Tile top = k.loop(g.kh, k.full(f32, {1, width}, lowest), [&](Index r, Tile rows) {
    return k.loop(g.kw, rows, [&](Index s, Tile most) {
      Tile in =
          x.window({p[0], p[1], p[2] * stride + r - g.top, p[3] * (width * stride) + s - g.left},
                   {1, 1, 1, width * stride}, lowest);
      return maximum(most, everyOther(in, width, stride));
    });
  });
  p.store(reshape(top, {1, 1, 1, width}));
}
void maximumPool(Kernel &k) { maximumPooling<1>(k); }
void maximumPoolBy2(Kernel &k) { maximumPooling<2>(k); }

/// y[n, c, i, j] = the mean of x over the part of the window that lies within the image
void averagePool(Kernel &k) {
  constexpr int64_t width = 64;
  Window g(k);
  Input x = k.input("x", f32, {g.n, g.c, g.h, g.w});
  Output y = k.output("y", f32, {g.n, g.c, g.oh, g.ow});
  Piece p = k.own(y, {1, 1, 1, width});
  const auto within = [&](const Tile &at, const Size &extent) {
    return select(lessEqual(0, at), cast(less(at, k.splat(extent, i32, at.shape())), i32), 0);
  };
  auto state = k.loop(g.kh, {k.zeros(f32, {1, width}), k.zeros(i32, {1, width})},
                      [&](Index r, std::vector<Tile> rows) {
                        return k.loop(g.kw, rows, [&](Index s, std::vector<Tile> sums) {
                          Index i = p[2] + r - g.top, j = p[3] * width + s - g.left;
                          Tile in = x.window({p[0], p[1], i, j}, {1, 1, 1, width});
                          Tile column = k.iota(i32, {1, width}, 1) + k.splat(j, i32, {1, width});
                          Tile counts =
                              within(k.splat(i, i32, {1, width}), g.h) * within(column, g.w);
                          return std::vector{sums[0] + reshape(in, {1, width}), sums[1] + counts};
                        });
                      });
  Tile count = cast(maximum(state[1], 1), f32);
  p.store(reshape(state[0] / count, {1, 1, 1, width}));
}

} // namespace imbrex::kernels
