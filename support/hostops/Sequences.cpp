// Sequences: vectors of items, each the number of a whole tensor in the heap.
#include "support/hostops/Access.h"
#include "support/hostops/Items.h"

namespace imbrex {

using namespace hostops;

namespace {

/// Its own bytes: operands are borrowed from the caller.
HostTensor owned(const HostTensor &t) {
  HostTensor copy(t.type(), t.shape());
  std::ranges::copy(t.bytes(), copy.mutableBytes().begin());
  return copy;
}

HostTensor sequenceOf(const std::vector<uint64_t> &items) {
  return HostTensor::of<uint64_t>(DType::Item, {static_cast<int64_t>(items.size())}, items);
}

std::vector<uint64_t> itemsIn(const HostTensor &sequence) {
  return {sequence.data<uint64_t>(), sequence.data<uint64_t>() + sequence.elems()};
}

/// The operand as a place in [0, count]; `fallback` where it is absent.
Result<size_t> placeIn(const HostTensor *operand, int64_t count, int64_t fallback) {
  if (operand && operand->elems() != 1)
    return wrongValue("the place in a sequence is not one number");
  const int64_t given = operand ? operand->toInt(0) : fallback;
  const int64_t place = given < 0 ? given + count : given;
  if (place < 0 || place > count)
    return wrongValue("place " + std::to_string(given) + " lies outside of a sequence",
                      "it has " + std::to_string(count) + " elements");
  return static_cast<size_t>(place);
}

std::string typeText(DType type, int64_t rank) {
  return std::string(name(type)) + " of rank " + std::to_string(rank);
}

/// Elements begin, begin + 1, … of x along an axis.
HostTensor part(const HostTensor &x, size_t axis, int64_t begin, int64_t length) {
  const AxisView view(x.shape(), axis);
  std::vector<int64_t> shape = x.shape();
  shape[axis] = length;
  HostTensor out(x.type(), shape);
  for (int64_t o = 0; o < view.outer; ++o)
    copyElements(out, o * length * view.inner, x, (o * view.extent + begin) * view.inner,
                 length * view.inner);
  return out;
}

/// The lengths of the parts of an axis.
Result<std::vector<int64_t>> partLengths(const HostTensor *split, int64_t extent) {
  std::vector<int64_t> lengths;
  if (split && split->rank() == 1) {
    int64_t sum = 0;
    for (int64_t length : split->toInts()) {
      if (length < 0 || length > extent - sum)
        return wrongValue("the parts of a split do not add up to its axis");
      sum += length;
      lengths.push_back(length);
    }
    if (sum != extent)
      return wrongValue("the parts of a split do not add up to its axis");
    return lengths;
  }
  const int64_t step = split ? split->toInt(0) : 1;
  if (step < 1)
    return wrongValue("a split asks for parts of length " + std::to_string(step));
  for (int64_t at = 0; at < extent; at += std::min(step, extent - at))
    lengths.push_back(std::min(step, extent - at));
  return lengths;
}

} // namespace

HostResults itemOf(HostArgs args, ItemHeap &heap) {
  return std::vector{sequenceOf({heap.tensor(owned(*args[0]))})};
}

HostResults sequenceAt(HostArgs args, ItemHeap &heap) {
  const HostTensor &sequence = *args[0], &params = *args[2];
  auto place = placeIn(args[1], sequence.elems(), 0);
  if (!place)
    return place.takeError();
  if (*place == static_cast<size_t>(sequence.elems()))
    return wrongValue("place " + std::to_string(*place) + " lies outside of a sequence",
                      "it has " + std::to_string(sequence.elems()) + " elements");
  auto t = heap.tensorAt(sequence.data<uint64_t>()[*place]);
  if (!t)
    return wrongValue("an element of a sequence refers to nothing");
  if (static_cast<int64_t>(t->type()) != param(params, 0) || t->rank() != param(params, 1))
    return wrongValue("an element of a sequence is " + typeText(t->type(), t->rank()),
                      "the model was compiled for " +
                          typeText(static_cast<DType>(param(params, 0)), param(params, 1)));
  return std::vector{std::move(*t)};
}

HostResults sequenceInsert(HostArgs args, ItemHeap &) {
  auto items = itemsIn(*args[0]);
  auto place = placeIn(args[2], args[0]->elems(), args[0]->elems());
  if (!place)
    return place.takeError();
  if (args[1]->elems() != 1)
    return wrongValue("a sequence takes in one element at a time");
  items.insert(items.begin() + static_cast<ptrdiff_t>(*place), args[1]->data<uint64_t>()[0]);
  return std::vector{sequenceOf(items)};
}

HostResults sequenceErase(HostArgs args, ItemHeap &) {
  auto items = itemsIn(*args[0]);
  auto place = placeIn(args[1], args[0]->elems(), -1);
  if (!place)
    return place.takeError();
  if (*place >= items.size())
    return wrongValue("a sequence has no element to erase at place " + std::to_string(*place));
  items.erase(items.begin() + static_cast<ptrdiff_t>(*place));
  return std::vector{sequenceOf(items)};
}

HostResults splitToItems(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0], &params = *args[2];
  auto axis = axisParam(params, 0, x.shape());
  if (!axis || (args[1] && args[1]->rank() == 0 && args[1]->elems() != 1))
    return wrongValue("a split has an axis outside of its operand");
  auto lengths = partLengths(args[1], x.shape()[*axis]);
  if (!lengths)
    return lengths.takeError();
  std::vector<uint64_t> items;
  int64_t at = 0;
  for (int64_t length : *lengths) {
    HostTensor piece = part(x, *axis, at, length);
    at += length;
    if (!args[1] && param(params, 1) == 0) {
      std::vector<int64_t> shape = piece.shape();
      shape.erase(shape.begin() + static_cast<ptrdiff_t>(*axis));
      HostTensor flat(piece.type(), shape);
      copyElements(flat, 0, piece, 0, piece.elems());
      piece = std::move(flat);
    }
    items.push_back(heap.tensor(std::move(piece)));
  }
  return std::vector{sequenceOf(items)};
}

HostResults concatItems(HostArgs args, ItemHeap &heap) {
  const HostTensor &sequence = *args[0], &params = *args[1];
  const bool newAxis = param(params, 1) != 0;
  const auto type = static_cast<DType>(param(params, 2));
  std::vector<HostTensor> parts;
  for (uint64_t item : itemsIn(sequence)) {
    auto t = heap.tensorAt(item);
    if (!t || t->type() != type || t->rank() + newAxis != param(params, 3))
      return wrongValue("an element of a sequence is not of the type that the model was compiled "
                        "for");
    parts.push_back(std::move(*t));
  }
  if (parts.empty())
    return wrongValue("an empty sequence cannot be concatenated");
  std::vector<int64_t> shape = parts[0].shape();
  if (newAxis)
    shape.push_back(0); // for the range of axis only
  auto axis = axisParam(params, 0, shape);
  if (!axis)
    return wrongValue("the axis lies outside of the elements of a sequence");
  if (newAxis) {
    shape.pop_back();
    shape.insert(shape.begin() + static_cast<ptrdiff_t>(*axis), 1);
  }
  int64_t total = 0;
  for (const HostTensor &t : parts) {
    std::vector<int64_t> own = t.shape(), first = parts[0].shape();
    if (!newAxis)
      total += own[*axis], own[*axis] = first[*axis] = 0;
    if (own != first)
      return wrongValue("the elements of a sequence have different sizes");
  }
  shape[*axis] = newAxis ? static_cast<int64_t>(parts.size()) : total;
  auto count = elementCount(shape);
  if (!count)
    return count.takeError();
  HostTensor out(type, shape);
  const AxisView view(shape, *axis);
  int64_t at = 0;
  for (const HostTensor &t : parts) {
    const int64_t width = newAxis ? 1 : t.shape()[*axis];
    for (int64_t o = 0; o < view.outer; ++o)
      copyElements(out, (o * view.extent + at) * view.inner, t, o * width * view.inner,
                   width * view.inner);
    at += width;
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
