// Regions of a picture, sampled between its elements.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

/// Where samples lie along one spatial axis: for region r, output place p and sample s of it, the
/// lower of two neighbours, the share of the upper one, and whether the sample lies in the picture
/// (give or take one element). How many samples a region has of those, where that differs.
struct SampleAxis {
  Dim size;
  Tensor low, share, inside;
  std::optional<Tensor> count;

  Ix lower(Axes at) const { return low.index(list(at)); }
  Ix upper(Axes at) const { return min(lower(at) + 1, Ix(size - Dim(1))); }
};

struct Align {
  Tensor rois;
  double scale;
  bool halfPixel;
  Dim samples;                 // of the region with most
  std::optional<double> fixed; // samples of each region; nothing: as many as it has elements
  DType type;
};

/// `first` and `last` are the columns of `rois` that bound a region along this axis.
SampleAxis sampleAxis(Builder &b, const Align &a, const std::string &name, const Dim &size,
                      int64_t places, int64_t first, int64_t last) {
  const DType t = a.type;
  const std::vector<Dim> dims = {a.rois.dims[0], Dim(places), a.samples};
  auto bound = [&](const Ix &r, int64_t column) {
    return b.cast(a.rois({r, Ix(column)}), t) * b.real(a.scale, t) -
           b.real(a.halfPixel ? 0.5 : 0, t);
  };
  auto binOf = [&](const Ix &r) {
    const Val whole = bound(r, last) - bound(r, first);
    const Val length = a.halfPixel ? whole : b.f(FnId::Max, {whole, b.real(1, t)});
    return length / b.real(static_cast<double>(places), t);
  };
  std::optional<Tensor> count;
  if (!a.fixed)
    count = b.def(name + "_count", t, {a.rois.dims[0]}, [&](Axes i) {
      return b.f(FnId::Max, {b.f(FnId::Ceil, {binOf(i[0])}), b.real(0, t)});
    });
  auto at = b.def(name, t, dims, [&](Axes i) {
    const Val bin = binOf(i[0]), all = count ? (*count)({i[0]}) : b.real(*a.fixed, t);
    const Val part = (b.cast(i[2], t) + b.real(0.5, t)) / all;
    return bound(i[0], first) + b.cast(i[1], t) * bin + part * bin;
  });
  auto low = b.def(name + "_low", DType::I64, dims, [&](Axes i) {
    const Val floor = b.f(FnId::Floor, {b.f(FnId::Max, {at(list(i)), b.real(0, t)})});
    return b.f(FnId::Min, {b.cast(floor, DType::I64), b.cast(Ix(size - Dim(1)), DType::I64)});
  });
  auto share = b.def(name + "_share", t, dims, [&](Axes i) {
    const Val lower = low(list(i)), last = b.cast(Ix(size - Dim(1)), DType::I64);
    return b.select(
        b.holds(b.f(FnId::Le, {last, lower})), [&] { return b.real(0, t); },
        [&] { return b.f(FnId::Max, {at(list(i)), b.real(0, t)}) - b.cast(lower, t); });
  });
  auto inside = b.def(name + "_inside", DType::Bool, dims, [&](Axes i) {
    const Val v = at(list(i));
    return b.f(FnId::And,
               {b.f(FnId::Le, {b.real(-1, t), v}), b.f(FnId::Le, {v, b.cast(Ix(size), t)})});
  });
  return {size, low, share, inside, count};
}

/// The four weighted neighbours of a sample.
std::vector<Val> neighbours(Builder &b, const Tensor &x, DType t, const Ix &image,
                            const Ix &channel, const SampleAxis &y, Axes atY, const SampleAxis &z,
                            Axes atZ) {
  const Val highY = y.share(list(atY)), highX = z.share(list(atZ));
  const Val lowY = b.real(1, t) - highY, lowX = b.real(1, t) - highX;
  auto read = [&](const Ix &row, const Ix &column) {
    return b.cast(x({image, channel, row, column}), t);
  };
  return {lowY * lowX * read(y.lower(atY), z.lower(atZ)),
          lowY * highX * read(y.lower(atY), z.upper(atZ)),
          highY * lowX * read(y.upper(atY), z.lower(atZ)),
          highY * highX * read(y.upper(atY), z.upper(atZ))};
}

Result<Program> roiAlign(Builder &b, const Attrs &a) {
  auto x = *b.in(0), rois = *b.in(1), images = *b.in(2);
  const int64_t height = a.i("output_height"), width = a.i("output_width"),
                samples = a.i("samples");
  const auto open = b.in(3);
  if (!checkFloat(b, x) || !checkSameType(b, x, rois) ||
      !check(b, !open || open->rank() == 1, "the samples' places are no vector") ||
      !check(b, x.rank() == 4 && rois.rank() == 2 && images.rank() == 1 && isInteger(images.type),
             "it takes pictures of four axes, a list of boxes and a picture for each") ||
      !check(b, height > 0 && width > 0 && (open || samples > 0),
             "sizes and samples must be positive") ||
      !check(b, a.s("mode") == "avg" || a.s("mode") == "max", "the mode is '" + a.s("mode") + "'"))
    return b.finish({});
  b.require(eq(rois.dims[1], Dim(4)), "a box has four numbers");
  b.require(eq(images.dims[0], rois.dims[0]), "there is not one picture for each box");
  const DType t = accumulatorFor(x.type);
  const Dim most = open ? open->dims[0] : Dim(samples);
  const auto fixed = open ? std::nullopt : std::optional(static_cast<double>(samples));
  const Align align{rois, a.r("scale"), a.i("half_pixel") != 0, most, fixed, t};
  const auto rows = sampleAxis(b, align, "row", x.dims[2], height, 1, 3);
  const auto columns = sampleAxis(b, align, "column", x.dims[3], width, 0, 2);
  const bool averages = a.s("mode") == "avg";
  auto y =
      defComputed(b, "y", x.type, {rois.dims[0], x.dims[1], Dim(height), Dim(width)}, [&](Axes i) {
        auto has = [&](const SampleAxis &axis, const Ix &k) {
          return b.holds(b.f(FnId::Lt, {b.cast(k, t), (*axis.count)({i[0]})}));
        };
        const Fn<Pred> exists = [&](Axes k) { return all({has(rows, k[0]), has(columns, k[1])}); };
        const Val folded =
            b.reduce(averages ? Red::Sum : Red::Max, t, {most, most}, open ? exists : Fn<Pred>(),
                     [&](Axes k) {
                       const std::vector<Ix> atRow = {i[0], i[2], k[0]},
                                             atColumn = {i[0], i[3], k[1]};
                       const Pred inside =
                           all({b.holds(rows.inside(atRow)), b.holds(columns.inside(atColumn))});
                       return b.select(
                           inside,
                           [&] {
                             auto four = neighbours(b, x, t, images.index({i[0]}), i[1], rows,
                                                    atRow, columns, atColumn);
                             if (averages)
                               return four[0] + four[1] + four[2] + four[3];
                             return b.f(FnId::Max, {b.f(FnId::Max, {four[0], four[1]}),
                                                    b.f(FnId::Max, {four[2], four[3]})});
                           },
                           [&] { return b.real(0, t); });
                     });
        if (!open)
          return averages ? folded / b.real(static_cast<double>(samples * samples), t) : folded;
        const Val number = (*rows.count)({i[0]}) * (*columns.count)({i[0]});
        if (averages)
          return folded / b.f(FnId::Max, {number, b.real(1, t)});
        return b.select(
            b.holds(b.f(FnId::Lt, {b.real(0, t), number})), [&] { return folded; },
            [&] { return b.real(0, t); });
      });
  return b.finish({y});
}

/// The elements of a region's parts along one spatial axis: from low to high, which is not among
/// them.
struct PartAxis {
  Dim size;
  Tensor low, high;
};

/// Edges in whole elements, half away from 0, both of them inside; parts may overlap by one.
PartAxis partAxis(Builder &b, const Tensor &rois, double scale, const std::string &name,
                  const Dim &size, int64_t parts, int64_t first, int64_t last) {
  const DType t = DType::F64;
  auto edge = [&](const Ix &r, int64_t column) {
    const Val v = b.cast(rois({r, Ix(column)}), t) * b.real(scale, t);
    return b.f(FnId::Sign, {v}) * b.f(FnId::Floor, {b.f(FnId::Abs, {v}) + b.real(0.5, t)});
  };
  auto bound = [&](const std::string &suffix, FnId round, int64_t next) {
    return b.def(name + suffix, DType::I64, {rois.dims[0], Dim(parts)}, [&](Axes i) {
      const Val start = edge(i[0], first);
      const Val length = b.f(FnId::Max, {edge(i[0], last) - start + b.real(1, t), b.real(1, t)});
      // As one number of f32, in which others compute it: it decides between two elements.
      const Val bin = b.cast(
          b.cast(length, DType::F32) / b.real(static_cast<double>(parts), DType::F32), DType::F32);
      const Val at = (b.cast(i[1], DType::F32) + b.real(double(next), DType::F32)) * bin;
      const Val whole = b.cast(b.f(round, {at}), t) + start;
      const Val kept = b.f(FnId::Min, {b.f(FnId::Max, {whole, b.real(0, t)}), b.cast(Ix(size), t)});
      return b.cast(kept, DType::I64);
    });
  };
  return {size, bound("_low", FnId::Floor, 0), bound("_high", FnId::Ceil, 1)};
}

Result<Program> maxRoiPool(Builder &b, const Attrs &a) {
  auto x = *b.in(0), rois = *b.in(1), most = *b.in(2);
  const int64_t height = a.i("output_height"), width = a.i("output_width");
  if (!checkFloat(b, x) || !checkSameType(b, x, rois) ||
      !check(b, x.rank() == 4 && rois.rank() == 2 && most.rank() == 1 && height > 0 && width > 0,
             "it takes pictures of four axes, a list of boxes, and a vector of places"))
    return b.finish({});
  b.require(eq(rois.dims[1], Dim(5)), "a box has a picture and four numbers");
  const auto rows = partAxis(b, rois, a.r("scale"), "row", x.dims[2], height, 2, 4);
  const auto columns = partAxis(b, rois, a.r("scale"), "column", x.dims[3], width, 1, 3);
  auto image = b.def("image", DType::I64, {rois.dims[0]},
                     [&](Axes i) { return b.cast(rois({i[0], Ix(0)}), DType::I64); });
  const DType t = x.type;
  auto y = b.def("y", t, {rois.dims[0], x.dims[1], Dim(height), Dim(width)}, [&](Axes i) {
    const std::vector<Ix> atRow = {i[0], i[2]}, atColumn = {i[0], i[3]};
    auto place = [&](const PartAxis &axis, const std::vector<Ix> &at, const Ix &k) {
      return min(axis.low.index(at) + k, Ix(axis.size - Dim(1)));
    };
    auto has = [&](const PartAxis &axis, const std::vector<Ix> &at, const Ix &k) {
      return lt(axis.low.index(at) + k, axis.high.index(at));
    };
    const Val best = b.reduce(
        Red::Max, t, {most.dims[0], most.dims[0]},
        [&](Axes k) { return all({has(rows, atRow, k[0]), has(columns, atColumn, k[1])}); },
        [&](Axes k) {
          return x({image.index({i[0]}), i[1], place(rows, atRow, k[0]),
                    place(columns, atColumn, k[1])});
        });
    return b.select(
        all({lt(rows.low.index(atRow), rows.high.index(atRow)),
             lt(columns.low.index(atColumn), columns.high.index(atColumn))}),
        [&] { return best; }, [&] { return b.real(0, t); });
  });
  return b.finish({y});
}

} // namespace

void registerRegions(std::vector<Operator> &ops) {
  ops.push_back({.name = "roi_align",
                 .doc = "Boxes of pictures, resampled to one size; operands x, boxes, the "
                        "picture of each, and a vector as long as the most samples where each box "
                        "has its own number.",
                 .minOperands = 3,
                 .maxOperands = 4,
                 .attrs = {intAttr("output_height", 1, "rows of a result"),
                           intAttr("output_width", 1, "columns of a result"),
                           intAttr("samples", 1, "samples an output element and axis"),
                           realAttr("scale", 1, "from the boxes' unit to x's elements"),
                           intAttr("half_pixel", 1, "1: elements are centred at halves"),
                           wordAttr("mode", "avg", "avg or max of the samples")},
                 .meaning = roiAlign});
  ops.push_back(
      {.name = "max_roi_pool",
       .doc = "The most of each part of boxes of pictures; operands x, boxes with their picture, a "
              "vector as long as a part may be.",
       .minOperands = 3,
       .maxOperands = 3,
       .attrs = {intAttr("output_height", 1, "rows of parts"),
                 intAttr("output_width", 1, "columns of parts"),
                 realAttr("scale", 1, "from the boxes' unit to x's elements")},
       .meaning = maxRoiPool});
}

} // namespace imbrex::opmeaning
