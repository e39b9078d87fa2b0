// The border between the caller's tensors and the VM's: entry checks, staging, results.
#include "runtime/vm/Interpreter.h"
#include "runtime/vm/Strided.h"

#include <algorithm>

namespace imbrex::runtime {
namespace {

alignas(64) std::byte nowhere[64];

std::string shapeText(std::span<const int64_t> shape) {
  std::string text;
  for (int64_t d : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(d);
  return "[" + text + "]";
}

/// Bad shapes of inputs are the caller's mistake.
Error wrongInput(const artifact::PortSpec &port, std::string what, std::string because) {
  return badInput(202, "input '" + port.name + "' " + std::move(what), std::move(because));
}

std::string dimText(const artifact::DimSpec &d, int64_t value) {
  return d.name.empty() ? std::to_string(value) : d.name + " = " + std::to_string(value);
}

std::string sizeText(int64_t size, size_t axis) {
  return "has size " + std::to_string(size) + " on axis " + std::to_string(axis);
}

/// What a symbol admits.
std::string ruleOf(const artifact::SymbolSpec &s) {
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  std::string rule;
  if (s.hi != unbounded && s.lo > 0)
    rule = "between " + std::to_string(s.lo) + " and " + std::to_string(s.hi);
  else if (s.hi != unbounded)
    rule = "at most " + std::to_string(s.hi);
  else if (s.lo > 0)
    rule = "at least " + std::to_string(s.lo);
  if (s.divisor > 1)
    rule += (rule.empty() ? "a multiple of " : " and a multiple of ") + std::to_string(s.divisor);
  return rule;
}

/// The symbol of that name; null for a name of none, as that of an expression.
const artifact::SymbolSpec *symbolNamed(const artifact::FunctionSpec &f, const std::string &name) {
  auto it = std::find_if(f.symbols.begin(), f.symbols.end(),
                         [&](const auto &s) { return !name.empty() && s.name == name; });
  return it == f.symbols.end() ? nullptr : &*it;
}

/// The errors of all inputs as one: the first, and the others behind its reason.
Error together(const std::vector<Error> &errors) {
  Error all = errors[0];
  for (size_t i = 1; i < errors.size(); ++i)
    all.because += "; also, " + errors[i].what + ", and " + errors[i].because;
  return all;
}

} // namespace

bool Interpreter::checkGiven(std::span<const OutputTensor> outputs) {
  const auto &ports = module.entry().outputs;
  if (outputs.size() != ports.size())
    return fail(badInput(201, "the model has " + std::to_string(ports.size()) + " outputs, not " +
                                  std::to_string(outputs.size())));
  std::vector<ByteRange> ranges;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputTensor &out = outputs[i];
    uint64_t bytes = 0;
    if (!out.data)
      continue;
    if (isReference(ports[i].type.dtype))
      return fail(badInput(203, "memory is given for output '" + ports[i].name + "'",
                           "strings and sequences bring their own", "none"));
    if (out.type != ports[i].type.dtype || out.shape.size() != ports[i].type.dims.size() ||
        !denseBytes(out.type, out.shape, bytes))
      return fail(badInput(203,
                           "the memory given for output '" + ports[i].name +
                               "' has another type: " + std::string(name(out.type)) +
                               shapeText(out.shape),
                           "the output is " + std::string(name(ports[i].type.dtype)) + " of rank " +
                               std::to_string(ports[i].type.dims.size())));
    ByteRange range{static_cast<const std::byte *>(out.data), bytes};
    for (const ByteRange &other : ranges)
      if (overlap(range, other))
        return fail(badInput(203, "the memory given for output '" + ports[i].name +
                                      "' overlaps that of another output"));
    ranges.push_back(range);
  }
  return true;
}

bool Interpreter::makeInputs(std::span<const InputTensor> inputs,
                             std::span<const OutputTensor> outputs, std::vector<Value> &values) {
  const auto &ports = module.entry().inputs;
  if (inputs.size() != ports.size())
    return fail(badInput(201, "the model has " + std::to_string(ports.size()) + " inputs, not " +
                                  std::to_string(inputs.size())));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputTensor &in = inputs[i];
    if (in.type != ports[i].type.dtype)
      return fail(wrongInput(ports[i], "has element type " + std::string(name(in.type)),
                             "the model expects " + std::string(name(ports[i].type.dtype))));
    if (in.shape.size() != ports[i].type.dims.size())
      return fail(wrongInput(
          ports[i],
          "has rank " + std::to_string(in.shape.size()) + ", shape " + shapeText(in.shape),
          "the model expects rank " + std::to_string(ports[i].type.dims.size())));
    uint64_t bytes;
    if (!denseBytes(in.type, in.shape, bytes))
      return fail(wrongInput(ports[i], "has the impossible shape " + shapeText(in.shape), {}));
    if (!in.data && bytes)
      return fail(wrongInput(ports[i], "has no data", {}));
    ByteRange range;
    if (!rangeOf(in, range))
      return fail(wrongInput(ports[i], "has impossible strides", {}));
    bool overlaps = std::any_of(outputs.begin(), outputs.end(), [&](const OutputTensor &out) {
      uint64_t outBytes = 0;
      return out.data && denseBytes(out.type, out.shape, outBytes) &&
             overlap(range, {static_cast<const std::byte *>(out.data), outBytes});
    });
    Tensor *t = importInput(i, in, overlaps ? Overlap::WithOutput : Overlap::None);
    if (!t)
      return false;
    values.emplace_back(static_cast<Object *>(t));
  }
  return true;
}

/// In place when nothing speaks against it, otherwise through a dense aligned copy.
Tensor *Interpreter::importInput(size_t index, const InputTensor &input, Overlap overlap) {
  if (isReference(input.type))
    return importItems(index, input);
  uint64_t bytes = 0;
  denseBytes(input.type, input.shape, bytes);
  bool aligned = !plan.needsAlignment[index] || reinterpret_cast<uintptr_t>(input.data) % 64 == 0;
  if (bytes == 0 || (overlap == Overlap::None && aligned && isDense(input))) {
    void *data = bytes ? const_cast<void *>(input.data) : nowhere;
    Tensor *t = Tensor::create(input.type, input.shape, data);
    if (!t)
      noMemory(0);
    return t;
  }
  Tensor *t = newTensor(input.type, input.shape);
  if (t) {
    copyToDense(t->bytes(), input);
    ++counts.stagedInputs;
  }
  return t;
}

bool Interpreter::bind(const Frame &frame) {
  if (!bindSymbols(frame))
    return false;
  if (frame.function->sizes >= 0) {
    frames.push_back(frame); // the sizes function works on the top frame's slots
    bool good = runSizes(static_cast<uint32_t>(frame.function->sizes));
    frames.pop_back();
    if (!good)
      return false;
  }
  return checkInputShapes(frame);
}

bool Interpreter::bindSymbols(const Frame &frame) {
  const artifact::FunctionSpec &f = *frame.function;
  std::vector<Error> wrong;
  for (size_t i = 0; i < f.symbols.size(); ++i) {
    const artifact::SymbolSpec &s = f.symbols[i];
    const artifact::PortSpec &port = f.inputs[s.input];
    std::span<const int64_t> sizes = registers[frame.registers + s.input].tensor()->shape();
    if (s.axis >= sizes.size())
      return fail(wrongInput(port, "has rank " + std::to_string(sizes.size()),
                             "the model reads its axis " + std::to_string(s.axis)));
    int64_t value = sizes[s.axis];
    slots[frame.slots + i] = value;
    if (value < s.lo || value > s.hi || value % s.divisor != 0)
      wrong.push_back(wrongInput(port, sizeText(value, s.axis),
                                 (s.name.empty() ? "it" : "the dimension '" + s.name + "'") +
                                     " must be " + ruleOf(s)));
  }
  return wrong.empty() || fail(together(wrong));
}

/// Every declared size, symbols that occur twice and derived ones included.
bool Interpreter::checkInputShapes(const Frame &frame) {
  const artifact::FunctionSpec &f = *frame.function;
  std::vector<Error> wrong;
  for (size_t i = 0; i < f.inputs.size(); ++i) {
    const artifact::PortSpec &port = f.inputs[i];
    const Tensor &t = *registers[frame.registers + i].tensor();
    if (t.dtype() != port.type.dtype || t.shape().size() != port.type.dims.size())
      return fail(internalError(246, "operand '" + port.name + "' of function '" + f.name +
                                         "' does not have the declared type"));
    for (size_t axis = 0; axis < t.shape().size(); ++axis) {
      const artifact::DimSpec &d = port.type.dims[axis];
      const int64_t expected = sizeOf(d.size, frame);
      if (t.shape()[axis] == expected)
        continue;
      std::string because = "the model expects " + dimText(d, expected);
      if (const auto *s = symbolNamed(f, d.name))
        because += ", the size of axis " + std::to_string(s->axis) + " of input '" +
                   f.inputs[s->input].name + "'";
      wrong.push_back(wrongInput(
          port, sizeText(t.shape()[axis], axis) + ", shape " + shapeText(t.shape()), because));
    }
  }
  return wrong.empty() || fail(together(wrong));
}

bool Interpreter::checkOutput(size_t index, const Tensor &t, const OutputTensor &output) {
  const artifact::PortSpec &port = module.entry().outputs[index];
  bool declared = t.dtype() == port.type.dtype && t.shape().size() == port.type.dims.size();
  for (size_t axis = 0; declared && axis < t.shape().size(); ++axis)
    declared = t.shape()[axis] == sizeOf(port.type.dims[axis].size, top());
  if (!declared)
    return fail(internalError(246, "output '" + port.name + "' came out as " +
                                       std::string(name(t.dtype())) + shapeText(t.shape()) +
                                       ", which is not its declared type"));
  if (output.data &&
      !std::equal(t.shape().begin(), t.shape().end(), output.shape.begin(), output.shape.end()))
    return fail(badInput(
        203, "the memory given for output '" + port.name + "' has shape " + shapeText(output.shape),
        "the output has shape " + shapeText(t.shape()), "memory of that shape, or none"));
  return true;
}

bool Interpreter::exportOutputs(std::span<OutputTensor> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!checkOutput(i, *results[i].tensor(), outputs[i]))
      return false;
  // What leaves with the caller is made first, so that a lack of memory changes nothing.
  std::vector<OutputTensor> done(outputs.begin(), outputs.end());
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!exportOutput(i, done[i]))
      return false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor &t = *results[i].tensor();
    if (outputs[i].data && outputs[i].data != t.view.data && t.byteCount) {
      device.copy(outputs[i].data, t.view.data, t.byteCount);
      ++counts.copiedOutputs;
    }
    outputs[i] = std::move(done[i]);
  }
  return true;
}

/// For an output without memory of the caller: the tensor's own storage, or a copy when it has none
/// (inputs, constants, planned storage) or another output has it already.
bool Interpreter::exportOutput(size_t index, OutputTensor &output) {
  Tensor *t = results[index].tensor();
  if (output.data)
    return true;
  if (isReference(t->dtype()))
    return exportItems(index, output);
  bool taken =
      std::any_of(results.begin(), results.begin() + static_cast<ptrdiff_t>(index),
                  [&](const Value &v) { return v.tensor()->storage.get() == t->storage.get(); });
  Value copied;
  if (!t->storage || taken) {
    Tensor *copy = copyOf(*t);
    if (!copy)
      return false;
    copied = Value(static_cast<Object *>(copy));
    t = copy;
    ++counts.copiedOutputs;
  }
  output.type = t->dtype();
  output.shape.assign(t->shape().begin(), t->shape().end());
  output.storage = t->storage;
  output.data = t->view.data;
  return true;
}

} // namespace imbrex::runtime
