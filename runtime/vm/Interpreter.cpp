#include "runtime/vm/Interpreter.h"

#include "runtime/abi/bytecode.h"

#include <algorithm>

namespace imbrex::runtime {

using bytecode::Op;

namespace {

// A recursion that does not end is reported before memory does.
constexpr size_t maxDepth = 10'000;
constexpr size_t maxRegisterStack = 8u << 20;
constexpr size_t maxSlotStack = 32u << 20;

} // namespace

Interpreter::Interpreter(const Module &module, const Executable &code,
                         std::vector<const HostFunction *> hostOps, Device &device,
                         Prefault prefault)
    : module(module), spec(module.spec()), code(code), hostOps(std::move(hostOps)), device(device),
      plan(planEntry(module.entry(), module.spec())), arena(prefault) {}

Status Interpreter::run(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs) {
  // Whatever happens, exceptions of the standard library included, the stacks are empty afterwards.
  struct Unwind {
    Interpreter &self;
    ~Unwind() { self.unwind(); }
  } guard{*this};
  ++counts.runs;
  if (heap.bytes() > kLeastHeap) // small ones stay: the model's own strings are among them
    heap.clear();
  heapLimit = kLeastHeap;
  given = outputs;
  std::vector<Value> values;
  bool good =
      checkGiven(outputs) && makeInputs(inputs, outputs, values) && enter(module.entry(), values);
  values.clear();
  good = good && loop() && exportOutputs(outputs);
  counts.arenaBytes = arena.mappedBytes();
  if (good)
    return {};
  return std::move(failure);
}

bool Interpreter::enter(const artifact::FunctionSpec &function, std::span<const Value> inputs) {
  if (frames.size() >= maxDepth || registers.size() + function.registers > maxRegisterStack ||
      slots.size() + function.sizeSlots > maxSlotStack)
    return fail(badInput(241, "calls are nested too deeply in function '" + function.name + "'",
                         std::to_string(frames.size()) + " calls have not returned",
                         "checking that the model's recursion ends"));
  Frame frame{&function, 0, registers.size(), slots.size(), {}, 0};
  registers.resize(registers.size() + function.registers);
  slots.resize(slots.size() + function.sizeSlots, 0);
  std::copy(inputs.begin(), inputs.end(),
            registers.begin() + static_cast<ptrdiff_t>(frame.registers));
  if (!bind(frame)) {
    registers.resize(frame.registers);
    slots.resize(frame.slots);
    return false;
  }
  int64_t bytes = sizeOf(function.arena, frame);
  if (bytes < 0 || !arena.push(static_cast<uint64_t>(bytes), frame.arena)) {
    registers.resize(frame.registers);
    slots.resize(frame.slots);
    return noMemory(static_cast<uint64_t>(bytes));
  }
  frames.push_back(frame);
  return true;
}

void Interpreter::leave() {
  Frame &frame = top();
  registers.resize(frame.registers);
  slots.resize(frame.slots);
  arena.pop(frame.arena);
  frames.pop_back();
}

void Interpreter::unwind() {
  while (!frames.empty())
    leave();
  registers.clear();
  slots.clear();
  results.clear();
  given = {};
}

int64_t Interpreter::size() {
  uint32_t low = word();
  uint32_t high = word();
  if (high & bytecode::sizeIsSlot)
    return slots[top().slots + low];
  return static_cast<int64_t>(uint64_t{high} << 32 | low);
}

void Interpreter::sizeList(std::vector<int64_t> &out) {
  uint32_t count = word();
  out.resize(count);
  for (int64_t &value : out)
    value = size();
}

bool Interpreter::loop() {
  while (true) {
    if (static_cast<Op>(top().function->code[top().pc]) == Op::Return) {
      bool done = false;
      if (!finishReturn(done))
        return false;
      if (done)
        return true;
      continue;
    }
    if (!step())
      return false;
  }
}

bool Interpreter::step() {
  switch (static_cast<Op>(word())) {
  case Op::Constant:
    return makeConstant();
  case Op::Planned:
    return makePlanned();
  case Op::Allocate:
    return makeAllocated();
  case Op::Reshape:
    return reshape();
  case Op::Launch:
    return launch();
  case Op::HostOp:
    return runHostOp();
  case Op::Call:
    return callFunction();
  case Op::Jump:
    top().pc = word();
    return true;
  case Op::BranchIfZero:
    return jumpIfZero();
  case Op::Move: {
    uint32_t dst = word();
    reg(dst) = reg(word());
    return true;
  }
  case Op::Release:
    reg(word()) = Value();
    return true;
  case Op::Integer: {
    uint32_t dst = word();
    reg(dst) = Value(size());
    return true;
  }
  case Op::AddInteger:
  case Op::LessInteger: {
    bool adds = static_cast<Op>(top().function->code[top().pc - 1]) == Op::AddInteger;
    uint32_t dst = word();
    int64_t a = reg(word()).integer();
    int64_t b = reg(word()).integer();
    auto sum = static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    reg(dst) = Value(adds ? sum : int64_t{a < b});
    return true;
  }
  case Op::ReadElement:
    return readElement();
  case Op::SetSlot:
    return setSlot();
  case Op::Sizes:
    return runSizes(word());
  case Op::ShapeOf:
    return shapeOf();
  case Op::Return:
    break; // handled by loop()
  }
  return fail(internalError(240, "an instruction that the verifier should have refused"));
}

bool Interpreter::jumpIfZero() {
  int64_t condition = 0;
  if (!scalarOf(reg(word()), 0, condition))
    return false;
  uint32_t target = word();
  if (condition == 0)
    top().pc = target;
  return true;
}

bool Interpreter::setSlot() {
  uint32_t slot = word();
  int64_t value = reg(word()).integer();
  if (value < 0)
    return fail(badInput(243, "a size came out as " + std::to_string(value),
                         "the model computed it from its inputs' values"));
  slots[top().slots + slot] = value;
  return true;
}

bool Interpreter::runSizes(uint32_t index) {
  const artifact::SizesSpec &s = spec.sizes[index];
  auto fn = reinterpret_cast<ImxSizesFn>(const_cast<void *>(code.sizes[index]));
  int64_t *in = slots.data() + top().slots;
  int32_t code = fn(in, in + s.inputs);
  if (code == 0)
    return true;
  auto check = static_cast<size_t>(code - 1);
  return fail(badInput(244, "the sizes of the inputs lead to impossible sizes inside the model",
                       check < s.checks.size()
                           ? s.checks[check]
                           : "check " + std::to_string(code - 1) + " of '" + s.name + "' failed",
                       "other input shapes"));
}

bool Interpreter::callFunction() {
  const artifact::FunctionSpec &function = spec.functions[word()];
  std::vector<Value> inputs(word());
  for (Value &v : inputs)
    v = reg(word());
  size_t resultsAt = top().pc;
  top().pc += 1 + function.outputs.size();
  if (!enter(function, inputs)) {
    // The caller of imbrex_run does not know inner functions' inputs as its own.
    if (failure.code == 202) {
      failure.code = 243;
      failure.what = "inside the model, in function '" + function.name + "': " + failure.what;
    }
    return false;
  }
  top().resultsAt = resultsAt;
  return true;
}

bool Interpreter::finishReturn(bool &done) {
  ++top().pc;
  std::vector<Value> values(word());
  for (Value &v : values) {
    v = reg(word());
    // Planned storage dies with its frame. The entry's results are copied when they are exported.
    Tensor *t = v.tensor();
    if (frames.size() == 1 || t->frame != frames.size())
      continue;
    Tensor *copy = copyOf(*t);
    if (!copy)
      return false;
    v = Value(static_cast<Object *>(copy));
    ++counts.copiedResults;
  }
  if (frames.size() == 1) {
    results = std::move(values);
    done = true;
    return true;
  }
  size_t at = top().resultsAt + 1;
  leave();
  for (Value &v : values)
    reg(top().function->code[at++]) = std::move(v);
  return true;
}

void Interpreter::released(uint64_t storage, uint64_t bytes) {
  if (observer.onRelease)
    observer.onRelease(observer.user, storage, bytes);
}

bool Interpreter::noMemory(uint64_t bytes) {
  return fail(badInput(250, "no memory for " + std::to_string(bytes) + " bytes", {},
                       "smaller inputs, or a machine with more memory"));
}

} // namespace imbrex::runtime
