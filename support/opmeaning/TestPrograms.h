// Small meanings that several tests share.
#pragma once

#include "support/opmeaning/Builder.h"

namespace imbrex::opmeaning::test {

inline HostTensor reals(std::vector<int64_t> shape, std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), v);
}

inline HostTensor ints(DType type, std::vector<int64_t> shape, std::vector<int64_t> v) {
  HostTensor t(type, std::move(shape));
  for (size_t i = 0; i < v.size(); ++i)
    std::copy_n(reinterpret_cast<const std::byte *>(&v[i]), byteSize(type),
                t.mutableBytes().begin() + static_cast<ptrdiff_t>(i) * byteSize(type));
  return t;
}

inline std::vector<Operand> typed(const std::vector<TensorType> &types) {
  std::vector<Operand> out;
  for (const TensorType &t : types)
    out.push_back(Operand::of(t));
  return out;
}

inline Result<Program> matmul(const std::vector<TensorType> &types) {
  Builder b(typed(types), DimFacts());
  auto a = *b.in(0), w = *b.in(1);
  b.require(eq(a.dims[1], w.dims[0]), "the inner dimensions differ");
  auto y = b.def("y", a.type, {a.dims[0], w.dims[1]}, [&](Axes i) {
    return b.reduce(Red::Sum, accumulatorFor(a.type), {a.dims[1]}, {},
                    [&](Axes k) { return a({i[0], k[0]}) * w({k[0], i[1]}); });
  });
  return b.finish({y});
}

/// Over the last axis of a matrix.
inline Result<Program> softmax(const TensorType &type) {
  Builder b(typed({type}), DimFacts());
  auto x = *b.in(0);
  Dim n = x.dims[1];
  auto m = b.def("m", x.type, {x.dims[0]}, [&](Axes i) {
    return b.reduce(Red::Max, x.type, {n}, {}, [&](Axes k) { return x({i[0], k[0]}); });
  });
  auto e = b.def("e", x.type, x.dims,
                 [&](Axes i) { return b.f(FnId::Exp, {x({i[0], i[1]}) - b.detach(m({i[0]}))}); });
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    return e({i[0], i[1]}) /
           b.reduce(Red::Sum, x.type, {n}, {}, [&](Axes k) { return e({i[0], k[0]}); });
  });
  return b.finish({y});
}

/// NCHW and OCRS, stride 1, the same padding on all sides.
inline Result<Program> conv(const std::vector<TensorType> &types, int64_t pad) {
  Builder b(typed(types), DimFacts());
  auto x = *b.in(0), w = *b.in(1);
  Dim h = x.dims[2], v = x.dims[3], r = w.dims[2], s = w.dims[3];
  std::vector<Dim> dims{x.dims[0], w.dims[0], h + 2 * pad - r + 1, v + 2 * pad - s + 1};
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    auto row = [&](Axes k) { return i[2] + k[1] - pad; };
    auto column = [&](Axes k) { return i[3] + k[2] - pad; };
    return b.reduce(
        Red::Sum, accumulatorFor(x.type), {w.dims[1], r, s},
        [&](Axes k) {
          return all({le(0, row(k)), lt(row(k), h), le(0, column(k)), lt(column(k), v)});
        },
        [&](Axes k) { return x({i[0], k[0], row(k), column(k)}) * w({i[1], k[0], k[1], k[2]}); });
  });
  return b.finish({y});
}

/// y[i] = x[idx[i]], negative indices from the end.
inline Result<Program> gather(const std::vector<TensorType> &types) {
  Builder b(typed(types), DimFacts());
  auto x = *b.in(0), idx = *b.in(1);
  auto y = b.def("y", x.type, idx.dims, [&](Axes i) {
    Ix v = idx.index({i[0]});
    Ix at = b.select(lt(v, 0), [&] { return v + x.dims[0]; }, [&] { return v; });
    b.require(all({le(0, at), lt(at, x.dims[0])}), "an index is outside of the dimension");
    return x({at});
  });
  return b.finish({y});
}

} // namespace imbrex::opmeaning::test
