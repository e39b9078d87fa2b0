// map_labels: from keys to values, of any element types.
#include "support/hostops/Access.h"
#include "support/hostops/Items.h"

#include <bit>
#include <unordered_map>

namespace imbrex {

using namespace hostops;

/// Equal elements of one type have equal numbers; all NaN are one, and so are both zeros.
static uint64_t identity(const HostTensor &t, int64_t i) {
  if (!isFloat(t.type()) && !isNarrowFloat(t.type()))
    return static_cast<uint64_t>(t.toInt(i));
  const double value = t.toDouble(i);
  return std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
}

HostResults mapLabels(HostArgs args, ItemHeap &) {
  const HostTensor &x = *args[0], &keys = *args[1], &values = *args[2], &fallback = *args[3];
  if (x.type() != keys.type() || keys.elems() != values.elems() ||
      values.type() != fallback.type() || fallback.elems() != 1)
    return wrongValue("the keys and values of a mapping do not fit each other");
  std::unordered_map<uint64_t, int64_t> places;
  for (int64_t i = 0; i < keys.elems(); ++i)
    places.emplace(identity(keys, i), i);
  HostTensor out(values.type(), x.shape());
  for (int64_t i = 0; i < x.elems(); ++i) {
    auto found = places.find(identity(x, i));
    copyElement(out, i, found == places.end() ? fallback : values,
                found == places.end() ? 0 : found->second);
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
