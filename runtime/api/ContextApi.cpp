#include "runtime/abi/items.h"
#include "runtime/api/Handles.h"
#include "runtime/vm/Strided.h"

using namespace imbrex;
using namespace imbrex::runtime;

static_assert(sizeof(ImbrexString) == sizeof(ImxString) &&
              offsetof(ImbrexString, size) == offsetof(ImxString, size));
static_assert(sizeof(ImbrexItem) == sizeof(ImxItem) &&
              offsetof(ImbrexItem, shape) == offsetof(ImxItem, shape) &&
              offsetof(ImbrexItem, rank) == offsetof(ImxItem, rank) &&
              offsetof(ImbrexItem, dtype) == offsetof(ImxItem, dtype));

namespace {

/// What ImbrexTensor::owner of an output points at.
struct OutputOwner {
  StorageRef storage;
  std::vector<int64_t> shape;
};

/// False when a tensor of the caller makes no sense by itself.
bool isTensor(const ImbrexTensor &t) {
  return t.dtype >= 1 && t.dtype <= static_cast<uint32_t>(LastDType) && t.rank >= 0 &&
         t.rank <= 64 && (t.rank == 0 || t.shape);
}

std::span<const int64_t> list(const int64_t *values, int32_t rank) {
  return {values, values ? static_cast<size_t>(rank) : 0};
}

bool isDense(const ImbrexTensor &t) {
  return runtime::isDense(InputTensor{static_cast<DType>(t.dtype), list(t.shape, t.rank),
                                      list(t.stride, t.rank), t.data});
}

ImbrexStatus readInputs(const ImbrexTensor *tensors, int32_t count,
                        std::vector<InputTensor> &inputs) {
  for (int32_t i = 0; i < count; ++i) {
    const ImbrexTensor &t = tensors[i];
    if (!isTensor(t))
      return misuse("an input has no valid dtype, rank or shape");
    inputs.push_back(
        {static_cast<DType>(t.dtype), list(t.shape, t.rank), list(t.stride, t.rank), t.data});
  }
  return IMBREX_OK;
}

ImbrexStatus readOutputs(const ImbrexTensor *tensors, int32_t count,
                         std::vector<OutputTensor> &outputs) {
  for (int32_t i = 0; i < count; ++i) {
    const ImbrexTensor &t = tensors[i];
    OutputTensor &out = outputs.emplace_back();
    if (!t.data)
      continue;
    if (!isTensor(t) || !isDense(t))
      return misuse("memory given for an output needs dtype, rank, shape and a dense layout");
    auto shape = list(t.shape, t.rank);
    out = {static_cast<DType>(t.dtype), {shape.begin(), shape.end()}, t.data, {}};
  }
  return IMBREX_OK;
}

/// Hands results over: first everything that can fail, then the caller's structs.
void writeOutputs(std::vector<OutputTensor> &outputs, ImbrexTensor *tensors) {
  std::vector<std::unique_ptr<OutputOwner>> owners(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].storage)
      owners[i] = std::make_unique<OutputOwner>(
          OutputOwner{std::move(outputs[i].storage), std::move(outputs[i].shape)});
  for (size_t i = 0; i < outputs.size(); ++i)
    if (OutputOwner *owner = owners[i].release())
      tensors[i] = {outputs[i].data,
                    static_cast<uint32_t>(outputs[i].type),
                    static_cast<int32_t>(owner->shape.size()),
                    owner->shape.data(),
                    nullptr,
                    owner};
}

ImbrexStatus runContext(Context &context, const ImbrexTensor *inputs, int32_t inputCount,
                        ImbrexTensor *outputs, int32_t outputCount) {
  std::vector<InputTensor> in;
  std::vector<OutputTensor> out;
  if (ImbrexStatus s = readInputs(inputs, inputCount, in); s != IMBREX_OK)
    return s;
  if (ImbrexStatus s = readOutputs(outputs, outputCount, out); s != IMBREX_OK)
    return s;
  if (Status s = context.run(in, out); !s)
    return report(s.error());
  writeOutputs(out, outputs);
  return IMBREX_OK;
}

} // namespace

ImbrexStatus imbrex_context_create(ImbrexModule *module, const ImbrexContextOptions *options,
                                   ImbrexContext **out) {
  if (!module || !out)
    return misuse("imbrex_context_create needs a module and a place for the context");
  ImbrexContextOptions known = readOptions(options);
  if (known.threads < 0)
    return misuse("a context cannot have a negative number of threads");
  return guarded([&] {
    ContextOptions wanted{known.threads, known.prefault ? Prefault::Yes : Prefault::No};
    Result<std::unique_ptr<Context>> context = Context::create(module->module, wanted);
    if (!context)
      return report(context.error());
    auto handle = std::make_unique<ImbrexContext>();
    handle->context = context.take();
    *out = handle.release();
    return IMBREX_OK;
  });
}

void imbrex_context_destroy(ImbrexContext *context) { delete context; }

ImbrexStatus imbrex_run(ImbrexContext *context, const ImbrexTensor *inputs, int32_t inputCount,
                        ImbrexTensor *outputs, int32_t outputCount) {
  if (!context || inputCount < 0 || outputCount < 0 || (inputCount && !inputs) ||
      (outputCount && !outputs))
    return misuse("imbrex_run needs a context, inputs and outputs");
  return guarded(
      [&] { return runContext(*context->context, inputs, inputCount, outputs, outputCount); });
}

void imbrex_tensor_release(ImbrexTensor *tensor) {
  if (!tensor || !tensor->owner)
    return;
  delete static_cast<OutputOwner *>(tensor->owner);
  *tensor = {};
}

ImbrexStatus imbrex_context_counters(const ImbrexContext *context, ImbrexCounters *out) {
  if (!context || !out || out->size < sizeof(uint64_t))
    return misuse("imbrex_context_counters needs a context and a struct with its size set");
  const Counters &c = context->context->counters();
  ImbrexCounters full{out->size,       0,
                      c.runs,          c.launches,
                      c.allocations,   c.allocatedBytes,
                      c.arenaBytes,    c.stagedInputs,
                      c.copiedOutputs, c.copiedResults};
  std::memcpy(out, &full, out->size < sizeof full ? out->size : sizeof full);
  return IMBREX_OK;
}

ImbrexStatus imbrex_context_observe(ImbrexContext *context, const ImbrexObserver *observer) {
  if (!context)
    return misuse("imbrex_context_observe needs a context");
  ImbrexObserver o = readOptions(observer);
  return guarded([&] {
    Status s = context->context->observe(
        {o.user, o.before_allocate, o.before_launch, o.after_launch, o.on_release});
    return s ? IMBREX_OK : report(s.error());
  });
}
