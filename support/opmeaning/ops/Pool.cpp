// Pooling: one number from each window of [n, c, …], or from each whole channel.
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/Windows.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

/// A pooled operand: its windows, the result's dimensions, and an element of a window.
struct Pooled {
  Tensor x;
  Windows windows;
  std::vector<Dim> dims;

  Fn<Pred> exists(Axes i) const {
    if (!windows.padded())
      return {};
    return [this, i](Axes r) { return windows.inInput(i.subspan(2), r); };
  }
  std::vector<Ix> at(Axes i, Axes r) const {
    std::vector<Ix> place = {i[0], i[1]};
    for (const Ix &p : windows.place(i.subspan(2), r))
      place.push_back(p);
    return place;
  }
};

bool checkImage(Builder &b, const Tensor &x) {
  return check(b, x.rank() >= 3, describe(x) + " has no spatial axes behind [n, c]");
}

std::optional<Pooled> pooledOf(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  if (!checkNumeric(b, x) || !checkImage(b, x) ||
      !check(b, !a.is("kernel").empty(), "the attribute kernel is empty"))
    return std::nullopt;
  auto sizes = listOf(b, a, "kernel", x.rank() - 2, 1, 1);
  if (!sizes)
    return std::nullopt;
  auto windows =
      Windows::of(b, a, {x.dims.begin() + 2, x.dims.end()}, {sizes->begin(), sizes->end()},
                  a.i("ceil_mode") != 0 ? Rounding::Ceil : Rounding::Floor);
  if (!windows)
    return std::nullopt;
  Pooled p{x, *windows, {x.dims[0], x.dims[1]}};
  for (const Dim &d : windows->positions())
    p.dims.push_back(d);
  return p;
}

/// The flat place in x of the window's winner; storage order 1 counts the spatial axes from the
/// first.
Ix flatPlace(const Pooled &p, Axes i, const std::vector<Ix> &winner, bool firstFastest) {
  const auto at = p.at(i, winner);
  std::vector<Ix> image(at.begin() + 2, at.end());
  std::vector<Dim> sizes(p.x.dims.begin() + 2, p.x.dims.end());
  if (firstFastest) {
    std::reverse(image.begin(), image.end());
    std::reverse(sizes.begin(), sizes.end());
  }
  const Ix channel = at[0] * p.x.dims[1] + at[1];
  return channel * product(sizes, 0, sizes.size()) + flatten(image, sizes);
}

Result<Program> maxPool(Builder &b, const Attrs &a) {
  auto p = pooledOf(b, a);
  if (!p)
    return b.finish({});
  auto y = b.def("y", p->x.type, p->dims, [&](Axes i) {
    return b.reduce(Red::Max, p->x.type, p->windows.kernel(), p->exists(i),
                    [&](Axes r) { return p->x(p->at(i, r)); });
  });
  auto winner = b.def("winner", DType::I64, p->dims, [&](Axes i) {
    auto best = b.best(Best::Max, Tie::First, p->windows.kernel(), p->exists(i),
                       [&](Axes r) { return p->x(p->at(i, r)); });
    return b.cast(best.place, DType::I64);
  });
  auto indices = b.def("indices", DType::I64, p->dims, [&](Axes i) {
    const Ix place = winner.index(list(i));
    auto flat = [&] {
      return flatPlace(*p, i, unflatten(b, place, p->windows.kernel()), a.i("storage_order") != 0);
    };
    if (!p->windows.padded())
      return b.cast(flat(), DType::I64);
    return b.cast(b.select(lt(place, 0), [] { return Ix(-1); }, flat), DType::I64);
  });
  return b.finish({y, indices});
}

/// What an average divides by: the window's elements in the input, or in the input and its padding.
Val divisorOf(Builder &b, const Pooled &p, Axes i, bool includePad, DType acc) {
  const auto kernel = p.windows.kernel();
  bool whole = includePad || !p.windows.padded();
  for (const WindowAxis &w : p.windows.axes)
    whole = whole && !w.endsBeyond;
  if (whole)
    return b.cast(Ix(product(kernel, 0, kernel.size())), acc);
  auto counted = [&](Axes r) {
    return includePad ? p.windows.inPadding(i.subspan(2), r) : p.windows.inInput(i.subspan(2), r);
  };
  return b.reduce(Red::Sum, acc, kernel, counted, [&](Axes) { return b.constant(1, acc); });
}

Result<Program> averagePool(Builder &b, const Attrs &a) {
  auto p = pooledOf(b, a);
  if (!p || !checkFloat(b, p->x))
    return b.finish({});
  const DType acc = accumulatorFor(p->x.type);
  auto y = defComputed(b, "y", p->x.type, p->dims, [&](Axes i) {
    const Val sum = b.reduce(Red::Sum, acc, p->windows.kernel(), p->exists(i),
                             [&](Axes r) { return b.cast(p->x(p->at(i, r)), acc); });
    return sum / divisorOf(b, *p, i, a.i("count_include_pad") != 0, acc);
  });
  return b.finish({y});
}

/// |x| to the p; the common powers without a call.
Val power(Builder &b, const Val &x, int64_t p) {
  const Val size = b.f(FnId::Abs, {x});
  if (p == 1)
    return size;
  return p == 2 ? x * x : b.f(FnId::Pow, {size, b.constant(static_cast<double>(p), x.type)});
}
Val root(Builder &b, const Val &x, int64_t p) {
  if (p == 1)
    return x;
  return p == 2 ? b.f(FnId::Sqrt, {x})
                : b.f(FnId::Pow, {x, b.constant(1.0 / static_cast<double>(p), x.type)});
}

Result<Program> lpPool(Builder &b, const Attrs &a) {
  auto p = pooledOf(b, a);
  const int64_t n = a.i("p");
  if (!p || !checkFloat(b, p->x) || !check(b, n >= 1, "p is less than 1"))
    return b.finish({});
  const DType acc = accumulatorFor(p->x.type);
  auto y = defComputed(b, "y", p->x.type, p->dims, [&](Axes i) {
    const Val sum = b.reduce(Red::Sum, acc, p->windows.kernel(), p->exists(i),
                             [&](Axes r) { return power(b, b.cast(p->x(p->at(i, r)), acc), n); });
    return root(b, sum, n);
  });
  return b.finish({y});
}

/// A number from each channel: y[n, c, 0, …] = body(reduce over the spatial axes).
struct Channel {
  Builder &b;
  Tensor x;
  DType acc;
  Axes i;

  Val over(Red red, const std::function<Val(const Val &)> &term) const {
    return b.reduce(red, acc, {x.dims.begin() + 2, x.dims.end()}, {}, [&](Axes k) {
      std::vector<Ix> at = {i[0], i[1]};
      at.insert(at.end(), k.begin(), k.end());
      return term(b.cast(x(at), acc));
    });
  }
};

Result<Program> global(Builder &b, const std::function<Val(const Channel &)> &body) {
  auto x = *b.in(0);
  if (!checkFloat(b, x) || !checkImage(b, x))
    return b.finish({});
  std::vector<Dim> dims(x.rank(), Dim(1));
  dims[0] = x.dims[0];
  dims[1] = x.dims[1];
  const DType acc = accumulatorFor(x.type);
  auto y = defComputed(b, "y", x.type, dims, [&](Axes i) { return body(Channel{b, x, acc, i}); });
  return b.finish({y});
}

Val plain(const Val &v) { return v; }

Result<Program> globalMax(Builder &b, const Attrs &) {
  return global(b, [](const Channel &c) { return c.over(Red::Max, plain); });
}
Result<Program> globalAverage(Builder &b, const Attrs &) {
  return global(b, [](const Channel &c) {
    return c.over(Red::Sum, plain) / c.b.cast(Ix(product(c.x.dims, 2, c.x.rank())), c.acc);
  });
}
Result<Program> globalLp(Builder &b, const Attrs &a) {
  const int64_t p = a.i("p");
  if (!check(b, p >= 1, "p is less than 1"))
    return b.finish({});
  return global(b, [p](const Channel &c) {
    return root(c.b, c.over(Red::Sum, [&](const Val &v) { return power(c.b, v, p); }), p);
  });
}

} // namespace

void registerPool(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, Meaning meaning,
                 std::vector<AttrDecl> attrs, uint8_t maxResults = 1) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .maxResults = maxResults,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Reassociate});
  };
  auto windowed = [](std::vector<AttrDecl> own) {
    auto attrs = windowAttrs();
    attrs.push_back(requiredAttr("kernel", AttrKind::Ints, "the window's sizes"));
    attrs.push_back(intAttr("ceil_mode", 0, "1: a last window may reach beyond the end"));
    attrs.insert(attrs.end(), own.begin(), own.end());
    return attrs;
  };
  const auto p = intAttr("p", 2, "the norm");
  add("max_pool", "The largest element of each window, and its flat place in x.", maxPool,
      windowed({intAttr("storage_order", 0, "1: places count the spatial axes from the first")}),
      2);
  add("average_pool", "The mean of each window.", averagePool,
      windowed({intAttr("count_include_pad", 0, "1: the padding counts, as zeros")}));
  add("lp_pool", "The p-norm of each window.", lpPool, windowed({p}));
  add("global_max_pool", "The largest element of each channel.", globalMax, {});
  add("global_average_pool", "The mean of each channel.", globalAverage, {});
  add("global_lp_pool", "The p-norm of each channel.", globalLp, {p});
}

} // namespace imbrex::opmeaning
