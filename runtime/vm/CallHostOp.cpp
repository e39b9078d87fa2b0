#include "runtime/vm/Interpreter.h"

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

} // namespace

bool Interpreter::runHostOp() {
  uint32_t op = word();
  std::vector<Tensor *> operands(word());
  for (Tensor *&t : operands)
    t = reg(word()).tensor();
  InterpreterHostCall call(std::move(operands), word(), this,
                           [](void *self, DType type, std::span<const int64_t> shape) {
                             return static_cast<Interpreter *>(self)->newTensor(type, shape);
                           });
  if (Status s = hostOps[op](call); !s)
    return !call.noMemory && fail(s.takeError());
  for (Value &v : call.out) {
    if (!v.tensor())
      return fail(
          internalError(240, "host operation '" + spec.hostOps[op] + "' left a result out"));
    reg(word()) = std::move(v);
  }
  return true;
}

} // namespace imbrex::runtime
