// Resampling: each resized axis maps a place of the result to a coordinate of x, in f32, and takes
// the nearest element, or a weighted sum of two (linear) or four (cubic) neighbours.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>
#include <cmath>

namespace imbrex::opmeaning {
namespace {

constexpr DType real = DType::F32; // coordinates, weights and sizes are stated in f32

enum class Mode : uint8_t { Nearest, Linear, Cubic };

/// A resized axis: x's size and the result's.
struct Axis {
  size_t axis;
  size_t entry; // its place in the operands scales, sizes and roi
  Dim size, result;
  Dim reach = 1; // how far taps lie from the coordinate: twice as many of them
};

/// The words of an attribute, as a choice; nothing, and b fails, for another.
bool oneOf(Builder &b, const Attrs &a, std::string_view name,
           std::initializer_list<std::string_view> words) {
  const auto &given = a.s(name);
  return check(b, std::find(words.begin(), words.end(), given) != words.end(),
               std::string(name) + " is \"" + given + "\", which is not known");
}

class Resampling {
public:
  Resampling(Builder &b, const Attrs &a)
      : b(b), a(a), x(*b.in(0)), scales(b.in(1)), sizes(b.in(2)), roi(b.in(3)) {}

  Result<Program> meaning() {
    if (!checkAttrs() || !findAxes())
      return b.finish({});
    auto dims = x.dims;
    for (const Axis &axis : axes)
      dims[axis.axis] = axis.result;
    for (const Axis &axis : axes)
      coordinates.push_back(coordinateOf(axis));
    return b.finish({mode == Mode::Nearest ? nearest(dims) : weighted(dims)});
  }

private:
  Builder &b;
  const Attrs &a;
  Tensor x;
  std::optional<Tensor> scales, sizes, roi;
  Mode mode = Mode::Nearest;
  bool antialias = false;
  std::optional<Tensor> common; // one scale of all axes, where the picture keeps its form
  std::vector<Axis> axes;
  std::vector<Tensor> coordinates; // of each resized axis, by the result's place

  Val num(double v) const { return b.real(v, real); }
  Val size(const Dim &d) const { return b.cast(Ix(d), real); }
  bool transform(std::string_view word) const { return a.s("coordinates") == word; }

  bool checkAttrs() {
    if (!oneOf(b, a, "mode", {"nearest", "linear", "cubic"}) ||
        !oneOf(b, a, "coordinates",
               {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"}) ||
        !oneOf(b, a, "aspect", {"stretch", "not_larger", "not_smaller"}) ||
        !oneOf(b, a, "nearest", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) ||
        !checkNumeric(b, x) ||
        !check(b, scales.has_value() != sizes.has_value(),
               "scales or sizes must be given, not both"))
      return false;
    mode = a.s("mode") == "nearest"  ? Mode::Nearest
           : a.s("mode") == "linear" ? Mode::Linear
                                     : Mode::Cubic;
    antialias = a.i("antialias") != 0 && mode != Mode::Nearest;
    return check(b, !transform("tf_crop_and_resize") || (roi && roi->type == real),
                 "tf_crop_and_resize needs a region of interest in f32");
  }

  bool findAxes() {
    const Tensor &given = scales ? *scales : *sizes;
    std::vector<int64_t> named = a.is("axes");
    if (named.empty())
      for (size_t k = 0; k < x.rank(); ++k)
        named.push_back(static_cast<int64_t>(k));
    if (!axesOf(b, named, x.rank()) ||
        !check(b, given.rank() == 1 && given.type == (scales ? real : DType::I64),
               "the scales or sizes are " + describe(given)))
      return false;
    const Dim count(static_cast<int64_t>(named.size()));
    b.require(eq(given.dims[0], count), "there is not one scale or size an axis");
    if (roi)
      b.require(eq(product(roi->dims, 0, roi->rank()), count * Dim(2)),
                "the region has not two entries an axis");
    if (sizes && a.s("aspect") != "stretch")
      common = commonScale(named);
    for (size_t k = 0; k < named.size(); ++k) {
      Axis axis{*axisOf(b, named[k], x.rank()), k, 0, 0};
      axis.size = x.dims[axis.axis];
      axis.result = resultSize(axis);
      axis.reach = reachOf(axis);
      if (!isIdentity(axis)) {
        b.require(any({lt(Ix(0), Ix(axis.size)), eq(axis.result, Ix(0))}),
                  "an empty axis cannot be resized");
        axes.push_back(axis);
      }
    }
    return true;
  }

  /// The least or the largest of the scales that the sizes ask for.
  Tensor commonScale(const std::vector<int64_t> &named) {
    const auto count = static_cast<int64_t>(named.size());
    std::vector<Dim> own;
    for (int64_t axis : named)
      own.push_back(x.dims[*axisOf(b, axis, x.rank())]);
    const bool least = a.s("aspect") == "not_larger";
    return b.shapeDef("scale", DType::F64, {}, [&](Axes) {
      return b.reduce(least ? Red::Min : Red::Max, DType::F64, {count}, {}, [&](Axes k) {
        return b.cast((*sizes)({k[0]}), DType::F64) / b.cast(sizeAt(b, own, k[0]), DType::F64);
      });
    });
  }

  /// 1 or 2; when shrinking, an antialiasing filter is stretched over all elements that fall into
  /// one.
  Dim reachOf(const Axis &axis) {
    const int64_t radius = mode == Mode::Cubic ? 2 : 1;
    if (!antialias)
      return radius;
    auto reach = b.shapeDef("reach" + std::to_string(axis.entry), DType::I64, {}, [&](Axes) {
      return b.cast(b.f(FnId::Ceil, {num(double(radius)) / stretchOf(axis)}), DType::I64);
    });
    return reach.value();
  }
  Val stretchOf(const Axis &axis) const { return b.f(FnId::Min, {scaleOf(axis), num(1)}); }

  std::optional<double> constantScale(size_t entry) const {
    const HostTensor *t = scales ? b.constant(1) : nullptr;
    if (!t || static_cast<int64_t>(entry) >= t->elems())
      return std::nullopt;
    return t->toDouble(static_cast<int64_t>(entry));
  }

  /// floor(scale * size), rounded to f32 first; whole scales stay exact for sizes that are not
  /// known.
  Dim resultSize(const Axis &axis) {
    const auto entry = static_cast<int64_t>(axis.entry);
    if (common) {
      auto extent = b.shapeDef("extent" + std::to_string(axis.entry), DType::I64, {}, [&](Axes) {
        const Val exact = (*common)({}) * b.cast(Ix(axis.size), DType::F64);
        return b.cast(b.f(FnId::Floor, {exact + b.real(0.5, DType::F64)}), DType::I64);
      });
      return extent.value();
    }
    if (sizes)
      return sizes->value({entry});
    auto scale = constantScale(axis.entry);
    if (scale && !check(b, *scale > 0, "a scale is not positive"))
      return 0;
    if (scale && *scale == std::floor(*scale) && *scale < 1 << 20)
      return axis.size * Dim(static_cast<int64_t>(*scale));
    auto extent = b.shapeDef("extent" + std::to_string(axis.entry), DType::I64, {}, [&](Axes) {
      return b.cast(b.f(FnId::Floor, {(*scales)({Ix(entry)}) * size(axis.size)}), DType::I64);
    });
    return extent.value();
  }

  /// Nothing happens along an axis that keeps its size, whatever the transformation; a crop may.
  bool isIdentity(const Axis &axis) const {
    if (transform("tf_crop_and_resize") || !b.facts().provenEqual(axis.size, axis.result))
      return false;
    return sizes || constantScale(axis.entry) == 1.0;
  }

  Val scaleOf(const Axis &axis) const {
    if (common)
      return b.cast((*common)({}), real);
    if (sizes)
      return size(axis.result) / size(axis.size);
    return (*scales)({Ix(static_cast<int64_t>(axis.entry))});
  }

  /// (p + 1/2) / scale - 1/2
  Val halfPixel(const Axis &axis, const Ix &p) const {
    return (b.cast(p, real) + num(0.5)) / scaleOf(axis) - num(0.5);
  }

  Tensor coordinateOf(const Axis &axis) {
    return b.def("coordinate" + std::to_string(axis.entry), real, {axis.result},
                 [&](Axes i) { return transformed(axis, i[0]); });
  }

  Val transformed(const Axis &axis, const Ix &p) {
    const Val place = b.cast(p, real), one = num(1);
    auto unless = [&](const Pred &single, const Val &then, const std::function<Val()> &other) {
      return b.select(single, [&] { return then; }, other);
    };
    const Pred single = le(Ix(axis.result), Ix(1));
    if (transform("asymmetric"))
      return place / scaleOf(axis);
    // What is stretched over the corners is the length before it is rounded down to a size.
    if (transform("align_corners"))
      return unless(single, num(0), [&] {
        const Val length = sizes ? size(axis.result) : scaleOf(axis) * size(axis.size);
        return place * size(axis.size - 1) / (length - one);
      });
    if (transform("tf_half_pixel_for_nn"))
      return (place + num(0.5)) / scaleOf(axis);
    if (transform("pytorch_half_pixel"))
      return unless(single, num(0), [&] { return halfPixel(axis, p); });
    if (transform("half_pixel_symmetric")) {
      const Val adjustment = size(axis.result) / (scaleOf(axis) * size(axis.size));
      const Val offset = size(axis.size) / num(2) * (one - adjustment);
      return offset + halfPixel(axis, p);
    }
    if (transform("half_pixel"))
      return halfPixel(axis, p);
    const auto entry = static_cast<int64_t>(axis.entry);
    const Dim half = floorDiv(product(roi->dims, 0, roi->rank()), Dim(2));
    const Val start = (*roi)({Ix(entry)}), end = (*roi)({Ix(half) + entry});
    const Val last = size(axis.size - 1);
    return unless(single, num(0.5) * (start + end) * last, [&] {
      return start * last + place * (end - start) * last / size(axis.result - 1);
    });
  }

  /// value() where every coordinate lies in x, else the extrapolation value; only crops can leave
  /// it.
  Val orOutside(Axes i, DType type, const std::function<Val()> &value) const {
    if (!transform("tf_crop_and_resize"))
      return value();
    std::vector<Pred> within;
    for (size_t n = 0; n < axes.size(); ++n) {
      const Val c = coordinates[n]({i[axes[n].axis]});
      within.push_back(b.holds(b.f(FnId::Le, {num(0), c})));
      within.push_back(b.holds(b.f(FnId::Le, {c, size(axes[n].size - 1)})));
    }
    return b.select(all(std::span<const Pred>(within)), value,
                    [&] { return b.constant(a.r("extrapolation_value"), type); });
  }

  static Ix clamped(const Ix &i, const Dim &size) { return max(min(i, Ix(size - 1)), 0); }

  Val rounded(const Val &c) const {
    const auto &how = a.s("nearest");
    if (how == "floor")
      return b.f(FnId::Floor, {c});
    if (how == "ceil")
      return b.f(FnId::Ceil, {c});
    return how == "round_prefer_floor" ? b.f(FnId::Ceil, {c - num(0.5)})
                                       : b.f(FnId::Floor, {c + num(0.5)});
  }

  Tensor nearest(const std::vector<Dim> &dims) {
    std::vector<Tensor> places;
    for (size_t n = 0; n < axes.size(); ++n)
      places.push_back(
          b.def("place" + std::to_string(axes[n].entry), DType::I64, {axes[n].result},
                [&](Axes i) { return b.cast(rounded(coordinates[n]({i[0]})), DType::I64); }));
    return b.def("y", x.type, dims, [&](Axes i) {
      return orOutside(i, x.type, [&] {
        auto at = list(i);
        for (size_t n = 0; n < axes.size(); ++n)
          at[axes[n].axis] = clamped(places[n].index({i[axes[n].axis]}), axes[n].size);
        return x(at);
      });
    });
  }

  /// The weight of an element `d` away, d >= 0.
  Val kernel(const Val &d) const {
    const Val one = num(1);
    if (mode == Mode::Linear)
      return b.f(FnId::Max, {one - d, num(0)});
    const Val c = num(a.r("cubic_coeff_a"));
    return b.select(
        b.holds(b.f(FnId::Le, {d, one})),
        [&] { return ((c + num(2)) * d - (c + num(3))) * d * d + one; },
        [&] {
          const Val inner = b.f(FnId::Min, {d, num(2)}); // 0 from there on
          return ((c * inner - num(5) * c) * inner + num(8) * c) * inner - num(4) * c;
        });
  }

  /// The weights of an axis by the result's place and tap; where a filter is stretched or taps
  /// outside are left out, shares of their sum.
  Tensor weightsOf(size_t n, const Tensor &base) {
    const Axis &axis = axes[n];
    const std::string entry = std::to_string(axis.entry);
    const bool excludes = a.i("exclude_outside") != 0;
    auto raw = b.def("weight" + entry, real, {axis.result, axis.reach * Dim(2)}, [&](Axes i) {
      const Ix place = base.index({i[0]}) + i[1];
      Val d = b.f(FnId::Abs, {b.cast(place, real) - coordinates[n]({i[0]})});
      if (antialias)
        d = d * stretchOf(axis);
      if (!excludes)
        return kernel(d);
      return b.select(inside(place, axis.size), [&] { return kernel(d); }, [&] { return num(0); });
    });
    if (!excludes && !antialias)
      return raw;
    auto total = b.def("total" + entry, real, {axis.result}, [&](Axes i) {
      return b.reduce(Red::Sum, real, {axis.reach * Dim(2)}, {},
                      [&](Axes t) { return raw({i[0], t[0]}); });
    });
    return b.def("share" + entry, real, raw.dims,
                 [&](Axes i) { return raw(list(i)) / total({i[0]}); });
  }

  Tensor weighted(const std::vector<Dim> &dims) {
    std::vector<Tensor> bases, weights;
    std::vector<Dim> taps;
    for (const Axis &axis : axes)
      taps.push_back(axis.reach * Dim(2));
    for (size_t n = 0; n < axes.size(); ++n) {
      bases.push_back(
          b.def("base" + std::to_string(axes[n].entry), DType::I64, {axes[n].result}, [&](Axes i) {
            const Val floor = b.f(FnId::Floor, {coordinates[n]({i[0]})});
            return b.cast(floor, DType::I64) - b.cast(Ix(axes[n].reach - 1), DType::I64);
          }));
      weights.push_back(weightsOf(n, bases[n]));
    }
    const DType acc = x.type == DType::F64 ? DType::F64 : real;
    return defComputed(b, "y", x.type, dims, [&](Axes i) {
      return orOutside(i, acc, [&] {
        return b.reduce(Red::Sum, acc, taps, {}, [&](Axes t) {
          auto at = list(i);
          std::optional<Val> w;
          for (size_t n = 0; n < axes.size(); ++n) {
            const Ix &p = i[axes[n].axis];
            at[axes[n].axis] = clamped(bases[n].index({p}) + t[n], axes[n].size);
            const Val factor = b.cast(weights[n]({p, t[n]}), acc);
            w = w ? *w * factor : factor;
          }
          const Val v = b.cast(x(at), acc);
          return w ? *w * v : v;
        });
      });
    });
  }
};

Result<Program> resize(Builder &b, const Attrs &a) { return Resampling(b, a).meaning(); }

} // namespace

void registerResize(std::vector<Operator> &ops) {
  ops.push_back(
      {.name = "resize",
       .doc = "x resampled along axes; operands x, scales or sizes, and the region of interest.",
       .minOperands = 1,
       .maxOperands = 4,
       .attrs = {wordAttr("mode", "nearest", "nearest, linear or cubic"),
                 wordAttr("coordinates", "half_pixel",
                          "half_pixel, half_pixel_symmetric, pytorch_half_pixel, align_corners, "
                          "asymmetric, tf_half_pixel_for_nn or tf_crop_and_resize"),
                 wordAttr("nearest", "round_prefer_floor",
                          "round_prefer_floor, round_prefer_ceil, floor or ceil"),
                 realAttr("cubic_coeff_a", -0.75, "the cubic's parameter"),
                 intAttr("antialias", 0, "1: when shrinking, the filter covers all elements"),
                 wordAttr("aspect", "stretch",
                          "how sizes are met: stretch, or with one scale, not_larger or "
                          "not_smaller than they are"),
                 intAttr("exclude_outside", 0, "1: elements outside x have no weight"),
                 realAttr("extrapolation_value", 0, "the value outside x, for a crop"),
                 intsAttr("axes", "the resized axes; none: all")},
       .meaning = resize,
       .contract = FloatContract::Reassociate});
}

} // namespace imbrex::opmeaning
