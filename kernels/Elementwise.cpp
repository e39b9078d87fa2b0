// Kernels that compute each element from those at its place.
#include "kernels/Library.h"

#include <numbers>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32;
/// Elements a block computes: enough work to start a block for, small enough to share out.
constexpr int64_t kBlock = 4096;

/// c[n] = a[n] + b[n]
void add(Kernel &k) {
  Size n = k.size("n");
  Input a = k.input("a", f32, {n}), b = k.input("b", f32, {n});
  Output c = k.output("c", f32, {n});
  Piece p = k.own(c, {kBlock});
  p.store(a.load(p) + b.load(p));
}

/// y[n] = x/2 * (1 + erf(x / sqrt 2))
void gelu(Kernel &k) {
  Size n = k.size("n");
  Input x = k.input("x", f32, {n});
  Output y = k.output("y", f32, {n});
  Piece p = k.own(y, {kBlock});
  Tile t = x.load(p);
  p.store(t * 0.5 * (erf(t * (1 / std::numbers::sqrt2)) + 1));
}

/// y[n] = gate * sigmoid(gate) * up: the middle of a gated feed-forward layer
void siluMultiply(Kernel &k) {
  Size n = k.size("n");
  Input gate = k.input("gate", f32, {n}), up = k.input("up", f32, {n});
  Output y = k.output("y", f32, {n});
  Piece p = k.own(y, {kBlock});
  Tile g = gate.load(p);
  p.store(g / (exp(-g) + 1) * up.load(p));
}

} // namespace imbrex::kernels
