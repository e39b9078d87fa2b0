#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>

namespace imbrex {

using namespace hostops;

namespace {

struct Box {
  double y0, x0, y1, x1;
  double area() const { return (y1 - y0) * (x1 - x0); }
};

Box boxAt(const HostTensor &boxes, int64_t place, bool centered) {
  double v[4];
  for (int i = 0; i < 4; ++i)
    v[i] = boxes.toDouble(place * 4 + i);
  if (centered) // x center, y center, width, height
    return {v[1] - v[3] / 2, v[0] - v[2] / 2, v[1] + v[3] / 2, v[0] + v[2] / 2};
  // Two opposite corners, in any order.
  return {std::min(v[0], v[2]), std::min(v[1], v[3]), std::max(v[0], v[2]), std::max(v[1], v[3])};
}

double overlap(const Box &a, const Box &b) {
  const double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  const double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  if (height <= 0 || width <= 0)
    return 0;
  const double shared = height * width;
  return shared / (a.area() + b.area() - shared);
}

double numberOr(const HostTensor *t, double otherwise) {
  return t && t->elems() > 0 ? t->toDouble(0) : otherwise;
}

} // namespace

Result<std::vector<HostTensor>> nonMaxSuppression(HostArgs args) {
  const HostTensor &boxes = *args[0], &scores = *args[1];
  const int64_t batches = boxes.shape()[0], count = boxes.shape()[1];
  const int64_t classes = scores.shape()[1];
  if (boxes.shape()[2] != 4 || scores.shape()[0] != batches || scores.shape()[2] != count)
    return wrongValue("non_max_suppression has scores that do not fit its boxes");
  const int64_t most = args[2] && args[2]->elems() > 0 ? args[2]->toInt(0) : 0;
  const double iou = numberOr(args[3], 0), least = numberOr(args[4], -INFINITY);
  const bool centered = param(*args[5], 0) != 0;
  std::vector<int64_t> kept;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t c = 0; c < classes; ++c) {
      auto score = [&](int64_t i) { return scores.toDouble((b * classes + c) * count + i); };
      std::vector<int64_t> order;
      for (int64_t i = 0; i < count; ++i)
        if (score(i) > least)
          order.push_back(i);
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t x, int64_t y) { return score(x) > score(y); });
      std::vector<Box> chosen;
      for (int64_t i : order) {
        if (static_cast<int64_t>(chosen.size()) >= most)
          break;
        const Box box = boxAt(boxes, b * count + i, centered);
        if (std::ranges::any_of(chosen,
                                [&](const Box &other) { return overlap(box, other) > iou; }))
          continue;
        chosen.push_back(box);
        kept.insert(kept.end(), {b, c, i});
      }
    }
  return std::vector<HostTensor>{
      HostTensor::of<int64_t>(DType::I64, {static_cast<int64_t>(kept.size() / 3), 3}, kept)};
}

} // namespace imbrex
