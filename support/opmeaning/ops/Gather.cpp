// Elements picked by index tensors. Negative indices count from the end; an index outside is an
// error.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

bool checkIndices(Builder &b, const Tensor &t) {
  return check(b, isInteger(t.type), "the indices are " + describe(t) + ", not integers");
}

/// Constant indices are checked here, once; others get a requirement per element.
enum class Checked : uint8_t { Statically, PerElement, Clamped };

/// Whether every element of constant operand `i` lies in [-d, d); fails b when one does not.
Checked checkedIndices(Builder &b, size_t i, const Dim &d) {
  const HostTensor *t = b.constant(i);
  auto size = d.constant();
  if (!t || !size)
    return Checked::PerElement;
  for (int64_t v : t->toInts())
    check(b, v >= -*size && v < *size,
          "index " + std::to_string(v) + " is outside an axis of size " + std::to_string(*size));
  return Checked::Statically;
}

/// indices[at] as a legal index of an axis of size d.
Ix legalIndex(Builder &b, const Tensor &indices, const std::vector<Ix> &at, const Dim &d,
              Checked checked) {
  if (checked == Checked::Clamped)
    return max(min(indices.index(at), Ix(d) - 1), 0);
  const Ix place = wrapNegative(b, indices.index(at), d);
  if (checked == Checked::PerElement)
    b.require(inside(place, d), "an index is outside its axis");
  return place;
}

Result<Program> gather(Builder &b, const Attrs &a) {
  auto x = *b.in(0), indices = *b.in(1);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkIndices(b, indices))
    return b.finish({});
  const Dim d = x.dims[*axis];
  const Checked checked = a.i("clamp") != 0 ? Checked::Clamped : checkedIndices(b, 1, d);
  const size_t after = *axis + indices.rank(); // the result's first axis behind the indices'
  std::vector<Dim> dims(x.dims.begin(), x.dims.begin() + static_cast<ptrdiff_t>(*axis));
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), x.dims.begin() + static_cast<ptrdiff_t>(*axis) + 1, x.dims.end());
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at = list(i.first(*axis));
    at.push_back(legalIndex(b, indices, list(i.subspan(*axis, indices.rank())), d, checked));
    for (size_t k = after; k < i.size(); ++k)
      at.push_back(i[k]);
    return x(at);
  });
  return b.finish({y});
}

Result<Program> gatherElements(Builder &b, const Attrs &a) {
  auto x = *b.in(0), indices = *b.in(1);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkIndices(b, indices) ||
      !check(b, x.rank() == indices.rank(),
             "the indices are " + describe(indices) + " for " + describe(x)))
    return b.finish({});
  for (size_t k = 0; k < x.rank(); ++k)
    if (k != *axis)
      b.require(le(indices.dims[k], x.dims[k]), "the indices " + describe(indices) +
                                                    " are larger than " + describe(x) +
                                                    " in axis " + std::to_string(k));
  const Checked checked = checkedIndices(b, 1, x.dims[*axis]);
  auto y = b.def("y", x.type, indices.dims, [&](Axes i) {
    auto at = list(i);
    at[*axis] = legalIndex(b, indices, list(i), x.dims[*axis], checked);
    return x(at);
  });
  return b.finish({y});
}

Result<Program> gatherNd(Builder &b, const Attrs &a) {
  auto x = *b.in(0), indices = *b.in(1);
  const auto batch = static_cast<size_t>(std::max<int64_t>(a.i("batch_dims"), 0));
  if (!checkIndices(b, indices) || !check(b, indices.rank() > batch && x.rank() >= batch,
                                          "batch_dims is " + std::to_string(batch) + " for " +
                                              describe(x) + " and " + describe(indices)))
    return b.finish({});
  auto length = indices.dims.back().constant();
  if (!length && a.i("names") >= 0)
    length = a.i("names");
  if (!check(b, length.has_value(), "the last dimension of the indices is not known") ||
      !check(b, batch + static_cast<size_t>(*length) <= x.rank(),
             "the indices name " + std::to_string(*length) + " axes of " + describe(x)))
    return b.finish({});
  b.require(eq(indices.dims.back(), Dim(*length)),
            "an index does not name " + std::to_string(*length) + " axes");
  const size_t picked = batch + static_cast<size_t>(*length), lead = indices.rank() - 1;
  for (size_t k = 0; k < batch; ++k)
    b.require(eq(x.dims[k], indices.dims[k]), "the batch dimensions differ");
  std::vector<Dim> dims(indices.dims.begin(), indices.dims.end() - 1);
  dims.insert(dims.end(), x.dims.begin() + static_cast<ptrdiff_t>(picked), x.dims.end());
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at = list(i.first(batch));
    for (int64_t n = 0; n < *length; ++n) {
      auto place = list(i.first(lead));
      place.push_back(n);
      at.push_back(legalIndex(b, indices, place, x.dims[batch + static_cast<size_t>(n)],
                              Checked::PerElement));
    }
    for (size_t k = lead; k < i.size(); ++k)
      at.push_back(i[k]);
    return x(at);
  });
  return b.finish({y});
}

/// The first lengths[batch] elements along the time axis in reverse order, the others as they are.
Result<Program> reverseSequence(Builder &b, const Attrs &a) {
  auto x = *b.in(0), lengths = *b.in(1);
  auto time = axisOf(b, a.i("time_axis"), x.rank());
  auto batch = axisOf(b, a.i("batch_axis"), x.rank());
  if (!time || !batch || !checkIndices(b, lengths) ||
      !check(b, *time != *batch, "the time axis is the batch axis") ||
      !check(b, lengths.rank() == 1, "the lengths are " + describe(lengths) + ", not a vector"))
    return b.finish({});
  b.require(eq(lengths.dims[0], x.dims[*batch]), "there is not one length a batch element");
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    const Ix length = lengths.index({i[*batch]});
    b.require(all({le(0, length), le(length, x.dims[*time])}), "a length is outside its axis");
    auto at = list(i);
    at[*time] = b.select(
        lt(i[*time], length), [&] { return length - 1 - i[*time]; }, [&] { return i[*time]; });
    return x(at);
  });
  return b.finish({y});
}

} // namespace

void registerGather(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, Meaning meaning,
                 std::vector<AttrDecl> attrs) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = 2,
                   .maxOperands = 2,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Exact});
  };
  const auto axis = intAttr("axis", 0, "the axis that the indices index");
  add("gather", "Slices of x along an axis, picked by the indices.", gather,
      {axis,
       intAttr("clamp", 0, "1: an index outside takes the nearest place, and none is negative")});
  add("gather_elements", "One element of x for each index.", gatherElements, {axis});
  add("gather_nd", "Slices of x, picked by index tuples in the indices' last dimension.", gatherNd,
      {intAttr("batch_dims", 0, "leading dimensions that x and the indices share"),
       intAttr("names", -1, "how many axes an index names where that is open")});
  add("reverse_sequence", "The beginning of each sequence reversed.", reverseSequence,
      {intAttr("batch_axis", 1, "the axis of sequences"),
       intAttr("time_axis", 0, "the axis of time")});
}

} // namespace imbrex::opmeaning
