#include "compiler/reference/TileMemory.h"

namespace imbrex::tile {

using namespace mlir;

static constexpr int64_t kNobody = -1, kSeveral = -2;
/// The most elements of a view that the interpreter keeps counts for.
static constexpr int64_t kMaxElems = int64_t(1) << 26;

static Result<std::vector<int64_t>> valuesOf(ArrayRef<DimExpr> dims, const SizeValues &sizes) {
  std::vector<int64_t> values;
  for (const DimExpr &dim : dims) {
    auto value = dim.evaluate(sizes);
    if (!value)
      return value.takeError();
    if (*value < 0)
      return badInput(545, "the size " + dim.str() + " is " + std::to_string(*value),
                      "a size of a view is not negative");
    values.push_back(*value);
  }
  return values;
}

/// Storage elements from the first to the last; 0 for an empty view.
static Result<int64_t> reach(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  __int128 last = 0, elems = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    elems *= shape[d];
    last += __int128(shape[d] - 1) * strides[d];
    if (elems > kMaxElems || last > kMaxElems)
      return badInput(545, "a view of more elements than the interpreter keeps counts of");
  }
  return elems == 0 ? 0 : static_cast<int64_t>(last) + 1;
}

Result<int64_t> viewBytes(ViewType view, const SizeValues &sizes) {
  auto shape = valuesOf(view.getDims(), sizes), strides = valuesOf(view.getStrideDims(), sizes);
  if (!shape)
    return shape.takeError();
  if (!strides)
    return strides.takeError();
  auto elems = reach(*shape, *strides);
  if (!elems)
    return elems.takeError();
  return *elems * elementBytes(view.getElementType());
}

Result<ViewMemory> ViewMemory::make(ViewType type, const SizeValues &sizes, ViewBytes &bytes) {
  auto needed = viewBytes(type, sizes);
  if (!needed)
    return needed.takeError();
  if (static_cast<int64_t>(bytes.size()) < *needed)
    return badInput(545, "a view has " + std::to_string(bytes.size()) + " bytes of memory",
                    "its extents need " + std::to_string(*needed));
  ViewMemory m;
  m.type = type;
  m.shape = valuesOf(type.getDims(), sizes).take();
  m.strides = valuesOf(type.getStrideDims(), sizes).take();
  m.data = bytes.data();
  int64_t elems = 1;
  for (int64_t e : m.shape)
    elems *= e;
  m.uses.resize(static_cast<size_t>(elems));
  m.writer.assign(static_cast<size_t>(elems), kNobody);
  m.reader = m.writer;
  return m;
}

bool ViewMemory::contains(ArrayRef<int64_t> at) const {
  for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
    if (coordinate < 0 || coordinate >= extent)
      return false;
  return true;
}

size_t ViewMemory::number(ArrayRef<int64_t> at) const {
  int64_t flat = 0;
  for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
    flat = flat * extent + coordinate;
  return static_cast<size_t>(flat);
}

std::byte *ViewMemory::address(ArrayRef<int64_t> at) const {
  int64_t offset = 0;
  for (auto [coordinate, stride] : llvm::zip_equal(at, strides))
    offset += coordinate * stride;
  return data + offset * elementBytes(elementType());
}

Element ViewMemory::read(ArrayRef<int64_t> at, int64_t block) {
  size_t n = number(at);
  ++uses[n].reads;
  uses[n].raced |= writer[n] != kNobody && writer[n] != block;
  reader[n] = reader[n] == kNobody || reader[n] == block ? block : kSeveral;
  return loadElement(elementType(), address(at));
}

void ViewMemory::write(ArrayRef<int64_t> at, const Element &value, int64_t block) {
  size_t n = number(at);
  ++uses[n].writes;
  uses[n].raced |= writer[n] != kNobody && writer[n] != block;
  uses[n].raced |= reader[n] != kNobody && reader[n] != block;
  writer[n] = block;
  storeElement(elementType(), value, address(at));
}

void ViewMemory::add(ArrayRef<int64_t> at, const Element &value) {
  ++uses[number(at)].adds;
  Element old = loadElement(elementType(), address(at));
  Element sum =
      isa<FloatType>(elementType())
          ? realElement(elementType(), old.real + value.real)
          : wholeElement(elementType(), int64_t(uint64_t(old.whole) + uint64_t(value.whole)));
  storeElement(elementType(), sum, address(at));
}

std::optional<std::vector<int64_t>> ViewMemory::atOffset(int64_t offset) const {
  if (offset < 0 || offset >= static_cast<int64_t>(uses.size()))
    return std::nullopt;
  std::vector<int64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0; offset /= shape[d])
    at[d] = offset % shape[d];
  return at;
}

} // namespace imbrex::tile
