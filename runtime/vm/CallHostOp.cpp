#include "runtime/vm/Interpreter.h"

#include <algorithm>
#include <cstring>

namespace imbrex::runtime {
namespace {

/// A host operation's view of the running instruction.
class InterpreterHostCall final : public HostCall {
public:
  using Make = Tensor *(*)(void *, DType, std::span<const int64_t>);
  InterpreterHostCall(std::vector<Tensor *> in, size_t results, void *self, Make make)
      : in(std::move(in)), out(results), self(self), make(make) {}
  std::span<Tensor *const> operands() const override { return in; }
  size_t resultCount() const override { return out.size(); }
  Tensor *makeResult(size_t index, DType type, std::span<const int64_t> shape) override {
    Tensor *t = make(self, type, shape);
    out[index] = t ? Value(static_cast<Object *>(t)) : Value();
    noMemory = noMemory || !t;
    return t;
  }

  std::vector<Tensor *> in;
  std::vector<Value> out;
  void *self;
  Make make;
  bool noMemory = false; // the interpreter holds the reason
};

/// Nobody but one register holds the tensor's bytes.
bool isAlone(const Tensor &t) { return t.refs == 1 && t.storage && t.storage->isUnique(); }

/// `row` has the element type and shape of x's rows.
bool isRowOf(const Tensor &x, const Tensor &row) {
  return x.dtype() == row.dtype() && !x.shape().empty() &&
         std::ranges::equal(x.shape().subspan(1), row.shape());
}

/// The place that write_row names, where it can be written into x's own bytes.
std::optional<int64_t> placeInside(std::span<Tensor *const> operands) {
  const Tensor &x = *operands[0], &row = *operands[1], &at = *operands[2];
  if (operands.size() != 4 || !isAlone(x) || !isRowOf(x, row) || at.dtype() != DType::I64 ||
      at.byteCount != sizeof(int64_t))
    return std::nullopt;
  int64_t place = 0;
  std::memcpy(&place, at.bytes(), sizeof place);
  return place >= 0 && place < x.shape()[0] ? std::optional(place) : std::nullopt;
}

} // namespace

/// x with a row more. Its storage keeps room for as many rows again, which the next call takes when
/// nobody else holds x. Null when it does not fit or there is no memory.
Tensor *Interpreter::appended(const Tensor &x, const Tensor &row) {
  std::vector<int64_t> longer(x.shape().begin(), x.shape().end());
  ++longer[0];
  Value room; // keeps new storage until the result holds it
  const Tensor *base = &x;
  if (!isAlone(x) || x.storage->bytes() - x.byteCount < row.byteCount) {
    std::vector<int64_t> wide = longer;
    if (__builtin_mul_overflow(wide[0], int64_t{2}, &wide[0]))
      wide = longer;
    Tensor *fresh = newTensor(x.dtype(), wide);
    if (!fresh)
      return nullptr;
    room = Value(static_cast<Object *>(fresh));
    device.copy(fresh->view.data, x.view.data, x.byteCount);
    base = fresh;
  }
  Tensor *t = Tensor::create(x.dtype(), longer, base->view.data);
  if (!t) {
    noMemory(0);
    return nullptr;
  }
  t->storage = base->storage;
  t->storageNumber = base->storageNumber;
  t->listener = base->listener;
  device.copy(t->bytes() + x.byteCount, row.view.data, row.byteCount);
  return t;
}

/// write_row and append_row without a copy of x: nothing when that cannot be. A loop that collects
/// values runs in time linear in what it collects.
Value Interpreter::rowInPlace(const HostFunction &function, const Value &x,
                              std::span<Tensor *const> operands) {
  if (function.compute == writeRow) {
    auto place = placeInside(operands);
    if (!place)
      return {};
    const Tensor &row = *operands[1];
    device.copy(operands[0]->bytes() + static_cast<uint64_t>(*place) * row.byteCount, row.view.data,
                row.byteCount);
    return x;
  }
  if (function.compute != appendRow || operands.size() != 3 || !isRowOf(*operands[0], *operands[1]))
    return {};
  Tensor *t = appended(*operands[0], *operands[1]);
  return t ? Value(static_cast<Object *>(t)) : Value();
}

bool Interpreter::runHostOp() {
  uint32_t op = word();
  std::vector<Tensor *> operands(word());
  const Value *first = nullptr;
  for (Tensor *&t : operands) {
    const Value &v = reg(word());
    first = first ? first : &v;
    t = v.tensor();
  }
  const uint32_t resultCount = word();
  if (resultCount == 1 && operands.size() >= 2)
    if (Value row = rowInPlace(*hostOps[op], *first, operands); row.tensor()) {
      reg(word()) = std::move(row);
      return true;
    }
  InterpreterHostCall call(std::move(operands), resultCount, this,
                           [](void *self, DType type, std::span<const int64_t> shape) {
                             return static_cast<Interpreter *>(self)->newTensor(type, shape);
                           });
  if (Status s = callHostFunction(*hostOps[op], call, heap); !s)
    return !call.noMemory && fail(s.takeError());
  for (Value &v : call.out) {
    if (!v.tensor())
      return fail(
          internalError(240, "host operation '" + spec.hostOps[op] + "' left a result out"));
    reg(word()) = std::move(v);
  }
  if (heap.bytes() > heapLimit)
    collectItems();
  return true;
}

/// Every string and item that a run still needs is an element of a tensor in a register, or in an
/// item that is. Numbers left behind in memory that was used again keep at most too much alive.
void Interpreter::collectItems() {
  std::vector<std::span<const uint64_t>> roots;
  for (const Value &v : registers)
    if (const Tensor *t = v.tensor(); t && isReference(t->dtype()))
      roots.emplace_back(reinterpret_cast<const uint64_t *>(t->bytes()),
                         t->byteCount / sizeof(uint64_t));
  heap.keepOnly(roots);
  heapLimit = std::max(kLeastHeap, 2 * heap.bytes());
}

} // namespace imbrex::runtime
