// Resize: along each axis, every output element is a weighted sum of a few input elements at places
// known when importing. An axis costs one gather and product for each tap, or a matrix product
// where there are many.
#include "compiler/frontend/onnx/Converters.h"

#include <algorithm>
#include <cmath>

namespace imbrex::frontend {
namespace {

/// The table of places and weights is made when importing, an entry for each output place and tap.
constexpr double kMaxTable = 1 << 26;
/// More taps than this are cheaper as a matrix.
constexpr size_t kMaxTaps = 6;

/// One axis of the resize.
struct Axis {
  int64_t axis = 0, in = 0, out = 0;
  double scale = 1, roiBegin = 0, roiEnd = 1;
};

/// Taps of all output places: place[t][i] and weight[t][i].
struct Taps {
  std::vector<std::vector<int64_t>> place;
  std::vector<std::vector<double>> weight;
  std::vector<bool> outside; // the result is the extrapolation value
};

struct Settings {
  std::string mode, coordinates, nearest;
  double cubicA = -0.75;
  bool antialias = false, excludeOutside = false;
};

constexpr std::string_view kCoordinates[] = {
    "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
    "align_corners", "asymmetric",           "tf_crop_and_resize"};
constexpr std::string_view kNearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                         "ceil"};

double sourceOf(const Axis &a, const std::string &coordinates, double i) {
  double in = double(a.in), width = a.scale * in;
  if (coordinates == "asymmetric")
    return i / a.scale;
  if (coordinates == "align_corners")
    return width == 1 ? 0 : i * (in - 1) / (width - 1);
  if (coordinates == "tf_crop_and_resize") {
    double extent = (a.roiEnd - a.roiBegin) * (in - 1);
    double begin = a.roiBegin * (in - 1);
    return width == 1 ? begin + extent / 2 : begin + i * extent / (width - 1);
  }
  if (coordinates == "tf_half_pixel_for_nn")
    return (i + 0.5) / a.scale;
  double half = (i + 0.5) / a.scale - 0.5;
  if (coordinates == "pytorch_half_pixel")
    return width == 1 ? -0.5 : half;
  if (coordinates == "half_pixel_symmetric")
    return half + in / 2 * (1 - double(a.out) / width);
  return half;
}

double linearWeight(double x) { return std::max(0.0, 1 - std::abs(x)); }

/// The cubic convolution kernel (Keys 1981) with parameter a.
double cubicWeight(double x, double a) {
  x = std::abs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

int64_t nearestPlace(double x, const std::string &mode) {
  double base = std::floor(x), part = x - base;
  if (part == 0)
    return int64_t(base);
  bool up = mode == "ceil" || (mode == "round_prefer_floor" && part > 0.5) ||
            (mode == "round_prefer_ceil" && part >= 0.5);
  return int64_t(base) + up;
}

/// When shrinking, an antialiasing filter is stretched over all elements that fall into one.
double stretchOf(const Axis &a, const Settings &s) {
  return s.antialias ? std::min(a.scale, 1.0) : 1;
}

/// How far taps lie from the place: 0, one tap; else twice as many taps.
double reachOf(const Axis &a, const Settings &s) {
  double radius = s.mode == "cubic" ? 2 : 1;
  return s.mode == "nearest" ? 0 : std::ceil(radius / stretchOf(a, s));
}

/// Fails for what makes no picture or a table beyond all measure.
void checkAxis(NodeContext &n, const Axis &a, const Settings &s) {
  if (!(a.scale > 0) || !std::isfinite(a.scale))
    return n.invalid("a scale is not above 0");
  double taps = std::max(1.0, 2 * reachOf(a, s));
  double entries = std::max(double(a.out), 1.0) * taps;
  if (2 * reachOf(a, s) > double(kMaxTaps))
    entries = std::max(entries, double(a.out) * double(a.in)); // as a matrix
  if (entries > kMaxTable)
    n.unsupported("resizing axis " + std::to_string(a.axis) + " from " + std::to_string(a.in) +
                  " to " + std::to_string(a.out) + " takes too large a table of weights");
}

Taps tapsOf(const Axis &a, const Settings &s) {
  double stretch = stretchOf(a, s);
  auto reach = int64_t(reachOf(a, s));
  size_t count = reach == 0 ? 1 : size_t(2 * reach);
  Taps t;
  t.place.assign(count, std::vector<int64_t>(size_t(a.out), 0));
  t.weight.assign(count, std::vector<double>(size_t(a.out), 0));
  t.outside.assign(size_t(a.out), false);
  for (size_t i = 0; i < size_t(a.out); ++i) {
    double x = sourceOf(a, s.coordinates, double(i));
    t.outside[i] = s.coordinates == "tf_crop_and_resize" && (x < 0 || x > double(a.in - 1));
    if (reach == 0) {
      t.place[0][i] = std::clamp<int64_t>(nearestPlace(x, s.nearest), 0, a.in - 1);
      t.weight[0][i] = 1;
      continue;
    }
    auto first = int64_t(std::floor(x)) - reach + 1;
    double sum = 0;
    for (size_t k = 0; k < count; ++k) {
      int64_t p = first + int64_t(k);
      double d = (double(p) - x) * stretch;
      double w = s.mode == "cubic" ? cubicWeight(d, s.cubicA) : linearWeight(d);
      if (s.excludeOutside && (p < 0 || p >= a.in))
        w = 0;
      t.place[k][i] = std::clamp<int64_t>(p, 0, a.in - 1);
      t.weight[k][i] = w;
      sum += w;
    }
    if (s.excludeOutside || s.antialias)
      for (size_t k = 0; k < count; ++k)
        t.weight[k][i] /= sum;
  }
  return t;
}

class Resizer {
public:
  Resizer(NodeContext &n, Settings s) : n(n), settings(std::move(s)) {}

  Value along(Value x, const Axis &a, const Taps &t);
  Value withOutside(Value y, const Axis &a, const Taps &t, double value);

private:
  /// One number for each place of an axis, of a type, that broadcasts against y.
  Value perPlace(Value y, int64_t axis, const std::vector<double> &numbers, DType type);

  NodeContext &n;
  Settings settings;
};

Value Resizer::perPlace(Value y, int64_t axis, const std::vector<double> &numbers, DType type) {
  auto raw = HostTensor::of<double>(DType::F64, {int64_t(numbers.size())}, numbers);
  std::vector<int64_t> shape(size_t(n.rank(y)), 1);
  shape[size_t(axis)] = int64_t(numbers.size());
  return n.reshape(n.cast(n.constant(std::move(raw)), type), shape);
}

Value Resizer::along(Value x, const Axis &a, const Taps &t) {
  auto gathered = [&](size_t k) {
    return n.apply("gather", {x, n.intVector(t.place[k])}, attrs({{"axis", a.axis}}));
  };
  if (t.place.size() == 1)
    return gathered(0);
  if (t.place.size() <= kMaxTaps) {
    Value sum;
    for (size_t k = 0; k < t.place.size(); ++k) {
      if (std::ranges::all_of(t.weight[k], [](double w) { return w == 0; }))
        continue;
      Value g = gathered(k);
      Value term = n.apply("mul", {g, perPlace(g, a.axis, t.weight[k], n.dtype(x))});
      sum = sum.valid() ? n.apply("add", {sum, term}) : term;
    }
    return sum;
  }
  std::vector<double> matrix(size_t(a.in * a.out), 0);
  for (size_t k = 0; k < t.place.size(); ++k)
    for (size_t i = 0; i < size_t(a.out); ++i)
      matrix[size_t(t.place[k][i]) * size_t(a.out) + i] += t.weight[k][i];
  Value w =
      n.cast(n.constant(HostTensor::of<double>(DType::F64, {a.in, a.out}, matrix)), n.dtype(x));
  std::vector<int64_t> swap;
  for (int64_t k = 0; k < n.rank(x); ++k)
    swap.push_back(k);
  std::swap(swap[size_t(a.axis)], swap.back());
  return n.transpose(n.apply("matmul", {n.transpose(x, swap), w}), swap);
}

Value Resizer::withOutside(Value y, const Axis &a, const Taps &t, double value) {
  if (std::ranges::none_of(t.outside, [](bool o) { return o; }))
    return y;
  std::vector<double> flags(t.outside.begin(), t.outside.end());
  return n.apply("where",
                 {perPlace(y, a.axis, flags, DType::Bool), n.scalar(value, n.dtype(y)), y});
}

/// Which axes are resized, by sizes or scales, for an input of known sizes along them.
std::optional<std::vector<Axis>> axesOf(NodeContext &n, size_t roiAt, size_t scalesAt,
                                        size_t sizesAt) {
  Value x = n.in(0);
  auto named = n.is("axes");
  if (named.empty())
    for (int64_t k = 0; k < n.rank(x); ++k)
      named.push_back(k);
  n.needConstant(scalesAt, "scales");
  n.needConstant(sizesAt, "sizes");
  n.needConstant(roiAt, "region");
  if (n.failed())
    return std::nullopt;
  const auto *scales = n.has(scalesAt) ? n.constantOf(n.in(scalesAt)) : nullptr;
  const auto *sizes = n.has(sizesAt) ? n.constantOf(n.in(sizesAt)) : nullptr;
  const auto *roi = n.has(roiAt) ? n.constantOf(n.in(roiAt)) : nullptr;
  bool bySize = sizes && sizes->elems() > 0;
  const auto *given = bySize ? sizes : scales;
  if (!given || given->elems() != int64_t(named.size())) {
    n.invalid("its scales or sizes are not one for each axis");
    return std::nullopt;
  }
  std::vector<Axis> axes;
  for (size_t k = 0; k < named.size(); ++k) {
    Axis a;
    a.axis = n.axis(named[k], n.rank(x));
    auto i = int64_t(k);
    if (!bySize && given->toDouble(i) == 1 && (!roi || roi->elems() == 0))
      continue;
    auto in = n.failed() ? std::nullopt : n.dims(x)[size_t(a.axis)].constant();
    if (!in || *in == 0) {
      n.unsupported("the size it resizes is not fixed", "fixing sizes with --dim or --input-shape");
      return std::nullopt;
    }
    a.in = *in;
    a.scale = bySize ? given->toDouble(i) / double(a.in) : given->toDouble(i);
    // The output's size is stated in single precision: 5 * 1.4f is 7.
    double out = std::floor(double(float(a.in) * float(a.scale)));
    a.out = bySize ? given->toInt(i) : std::abs(out) < 0x1p62 ? int64_t(out) : INT64_MAX;
    if (a.out < 0) {
      n.invalid("a size is negative");
      return std::nullopt;
    }
    if (roi && roi->elems() == int64_t(2 * named.size())) {
      a.roiBegin = roi->toDouble(i);
      a.roiEnd = roi->toDouble(i + int64_t(named.size()));
    }
    axes.push_back(a);
  }
  return axes;
}

/// One scale for all axes, so that the picture keeps its form.
void keepAspect(NodeContext &n, std::vector<Axis> &axes) {
  std::string policy = n.s("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch" || axes.empty())
    return;
  double scale = axes[0].scale;
  for (const auto &a : axes)
    scale = policy == "not_larger" ? std::min(scale, a.scale) : std::max(scale, a.scale);
  for (auto &a : axes) {
    a.scale = scale;
    a.out = int64_t(std::min(std::floor(scale * double(a.in) + 0.5), 0x1p62));
  }
}

/// Nearest by a whole factor on both axes of pictures of any size: channels repeated, then moved
/// into blocks.
bool repeatBlocks(NodeContext &n, const Settings &s, size_t scalesAt) {
  Value x = n.in(0);
  const auto *scales = n.has(scalesAt) ? n.constantOf(n.in(scalesAt)) : nullptr;
  if (n.rank(x) != 4 || !scales || scales->elems() != 4 || s.mode != "nearest" ||
      n.hasAttr("axes") || (n.dims(x)[2].constant() && n.dims(x)[3].constant()))
    return false;
  double by = scales->toDouble(2);
  bool centered = s.coordinates.find("half_pixel") != std::string::npos &&
                  s.coordinates != "tf_half_pixel_for_nn" && s.nearest.starts_with("round");
  bool corner = s.coordinates == "asymmetric" && s.nearest == "floor";
  if (scales->toDouble(0) != 1 || scales->toDouble(1) != 1 || scales->toDouble(3) != by || by < 1 ||
      by > 16 || by != std::floor(by) || !(centered || corner))
    return false;
  auto factor = int64_t(by);
  std::vector<Value> copies(size_t(factor * factor), x);
  n.result(n.apply("depth_to_space", {n.concat(copies, 1)},
                   attrs({{"block_size", factor}, {"mode", std::string("dcr")}})));
  return true;
}

/// What it needs is known only when it runs: the operator computes places and weights then.
void resizeOpen(NodeContext &n, const Settings &s, size_t roiAt, size_t scalesAt, size_t sizesAt) {
  auto given = [&](size_t i) {
    return n.has(i) && !n.dims(n.in(i)).empty() && !n.dims(n.in(i))[0].isConstant(0);
  };
  auto a = attrs({{"mode", s.mode},
                  {"coordinates", s.coordinates},
                  {"nearest", s.nearest},
                  {"cubic_coeff_a", s.cubicA},
                  {"antialias", int64_t(s.antialias)},
                  {"aspect", n.s("keep_aspect_ratio_policy", "stretch")},
                  {"exclude_outside", int64_t(s.excludeOutside)},
                  {"extrapolation_value", n.f("extrapolation_value", 0)},
                  {"axes", n.is("axes")}});
  const DType type = n.dtype(n.in(0));
  Value x = s.mode == "nearest" || isFloat(type) ? n.in(0) : n.cast(n.in(0), DType::F32);
  Value scales = given(scalesAt) && !given(sizesAt) ? n.cast(n.in(scalesAt), DType::F32) : Value{};
  Value sizes = given(sizesAt) ? n.cast(n.in(sizesAt), DType::I64) : Value{};
  Value roi = given(roiAt) ? n.cast(n.in(roiAt), DType::F32) : Value{};
  n.result(n.cast(n.apply("resize", {x, scales, sizes, roi}, std::move(a)), type));
}

/// All that decides about places and weights is known.
bool isFixed(NodeContext &n, size_t roiAt, size_t scalesAt, size_t sizesAt) {
  for (size_t i : {roiAt, scalesAt, sizesAt})
    if (n.has(i) && !n.constantOf(n.in(i)))
      return false;
  const auto *scales = n.has(scalesAt) ? n.constantOf(n.in(scalesAt)) : nullptr;
  const auto *sizes = n.has(sizesAt) ? n.constantOf(n.in(sizesAt)) : nullptr;
  const auto axes = n.is("axes");
  for (int64_t k = 0; k < n.rank(n.in(0)); ++k) {
    auto entry = axes.empty() ? k : std::ranges::find(axes, k) - axes.begin();
    bool kept = !(sizes && sizes->elems() > 0) && scales &&
                (entry >= scales->elems() || scales->toDouble(entry) == 1);
    if (!kept && !n.dims(n.in(0))[size_t(k)].constant())
      return false;
  }
  return true;
}

void resizeWith(NodeContext &n, Settings s, size_t roiAt, size_t scalesAt, size_t sizesAt) {
  Value x = n.require(0);
  if (n.failed() || repeatBlocks(n, s, scalesAt))
    return;
  if (!isFixed(n, roiAt, scalesAt, sizesAt))
    return resizeOpen(n, s, roiAt, scalesAt, sizesAt);
  auto axes = axesOf(n, roiAt, scalesAt, sizesAt);
  if (!axes)
    return;
  keepAspect(n, *axes);
  DType type = n.dtype(x);
  if (s.mode != "nearest" && !isFloat(type))
    x = n.cast(x, DType::F32);
  Resizer resizer(n, s);
  std::vector<std::pair<Axis, Taps>> done;
  for (const auto &a : *axes) {
    if (checkAxis(n, a, s); n.failed())
      return;
    Taps t = tapsOf(a, s);
    x = resizer.along(x, a, t);
    done.emplace_back(a, std::move(t));
  }
  for (const auto &[a, t] : done)
    x = resizer.withOutside(x, a, t, n.f("extrapolation_value", 0));
  n.result(n.cast(x, type));
}

void resize10(NodeContext &n) {
  resizeWith(n, {n.s("mode", "nearest"), "asymmetric", "floor"}, 9, 1, 9);
}

/// What operator sets 7 and 8 say with an attribute, as the operand of later sets.
void upsample7(NodeContext &n) {
  const auto given = n.fs("scales");
  const std::vector<float> scales(given.begin(), given.end());
  Value v = n.constant(HostTensor::of<float>(DType::F32, {int64_t(scales.size())}, scales));
  NodeContext later(n.record(), n.proto(), {n.require(0), v}, n.opset());
  if (n.failed())
    return;
  resize10(later);
  later.failed() ? n.fail(*later.failure()) : n.results(later.takeResults());
}

void resize11(NodeContext &n) {
  Settings s{n.s("mode", "nearest"),
             n.s("coordinate_transformation_mode", "half_pixel"),
             n.s("nearest_mode", "round_prefer_floor"),
             n.f("cubic_coeff_a", -0.75),
             n.i("antialias", 0) != 0,
             n.i("exclude_outside", 0) != 0};
  if (s.mode != "nearest" && s.mode != "linear" && s.mode != "cubic")
    return n.invalid("its mode is '" + s.mode + "'", "mode");
  if (std::ranges::find(kCoordinates, s.coordinates) == std::end(kCoordinates))
    return n.invalid("its coordinate_transformation_mode is '" + s.coordinates + "'",
                     "coordinate_transformation_mode");
  if (std::ranges::find(kNearest, s.nearest) == std::end(kNearest))
    return n.invalid("its nearest_mode is '" + s.nearest + "'", "nearest_mode");
  resizeWith(n, std::move(s), 1, 2, 3);
}

constexpr ConverterRow kRows[] = {{"Resize", 10, resize10},
                                  {"Resize", 11, resize11},
                                  {"Upsample", 7, upsample7},
                                  {"Upsample", 9, resize10}};

} // namespace

ConverterRows resizeRows() { return kRows; }

} // namespace imbrex::frontend
