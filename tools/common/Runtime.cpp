#include "tools/common/Runtime.h"

#include "tools/common/CallerItems.h"

#include <cstdlib>

namespace imbrex::tools {

namespace {

Error lastError(ImbrexStatus status) { return runtimeError(status, imbrex_last_error()); }

Port portOf(const ImbrexPort &raw) {
  Port port;
  port.name = raw.name;
  port.type = static_cast<DType>(raw.dtype);
  for (int32_t i = 0; i < raw.rank; ++i) {
    port.shape.push_back(raw.shape[i]);
    port.dimNames.push_back(raw.dim_names && raw.dim_names[i] ? raw.dim_names[i] : "");
  }
  return port;
}

using PortFn = ImbrexStatus (*)(const ImbrexModule *, int32_t, ImbrexPort *);

Result<std::vector<Port>> portsOf(const ImbrexModule *module, int32_t count, PortFn get) {
  std::vector<Port> ports;
  for (int32_t i = 0; i < count; ++i) {
    ImbrexPort raw = {};
    if (ImbrexStatus status = get(module, i, &raw); status != IMBREX_OK)
      return lastError(status);
    ports.push_back(portOf(raw));
  }
  return ports;
}

/// Takes over the runtime's memory.
HostTensor adopt(ImbrexTensor raw) {
  auto type = static_cast<DType>(raw.dtype);
  std::vector<int64_t> shape(raw.shape, raw.shape + raw.rank);
  int64_t elems = 1;
  for (int64_t size : shape)
    elems *= size;
  if (isReference(type)) {
    HostTensor t = fromCaller(type, std::move(shape), raw.data);
    imbrex_tensor_release(&raw);
    return t;
  }
  std::span bytes(static_cast<const std::byte *>(raw.data),
                  static_cast<size_t>(elems * byteSize(type)));
  std::shared_ptr<const void> owner(raw.data,
                                    [raw](const void *) mutable { imbrex_tensor_release(&raw); });
  return HostTensor(type, std::move(shape), bytes, std::move(owner));
}

} // namespace

bool isDamage(const Error &error) {
  return error.code >= 100 && error.code <= 109 && error.code != 102;
}

bool isUndamaged(const std::string &path) {
  Result<Module> module = Module::open(path, Constants::Checked);
  return module || !isDamage(module.error());
}

Error runtimeError(ImbrexStatus status, const std::string &text) {
  Error error;
  error.kind = status == IMBREX_INTERNAL      ? ErrorKind::Internal
               : status == IMBREX_UNSUPPORTED ? ErrorKind::Unsupported
                                              : ErrorKind::BadInput;
  error.what = text;
  size_t tag = text.find("error[E"), end = text.find("]: ", tag);
  if (tag == std::string::npos || end == std::string::npos)
    return error;
  error.code = static_cast<uint16_t>(std::strtoul(text.c_str() + tag + 7, nullptr, 10));
  error.what = text.substr(end + 3);
  size_t place = text.rfind(": ", tag);
  if (place != std::string::npos && place < tag)
    error.where.file = text.substr(0, place);
  return error;
}

Result<Module> Module::open(const std::string &path, Constants constants) {
  ImbrexModuleOptions options = {};
  options.size = sizeof options;
  options.verify_constants = constants == Constants::Checked;
  ImbrexModule *raw = nullptr;
  if (ImbrexStatus status = imbrex_module_open(path.c_str(), &options, &raw); status != IMBREX_OK)
    return lastError(status);
  Module module;
  module.module.reset(raw, imbrex_module_close);
  module.file = path;
  auto inputs = portsOf(raw, imbrex_input_count(raw), imbrex_input);
  auto outputs = portsOf(raw, imbrex_output_count(raw), imbrex_output);
  if (!inputs || !outputs)
    return !inputs ? inputs.takeError() : outputs.takeError();
  module.inputPorts = inputs.take();
  module.outputPorts = outputs.take();
  return module;
}

std::map<std::string, int64_t, std::less<>> dimSizes(const Module &module,
                                                     const std::vector<HostTensor> &inputs) {
  std::map<std::string, int64_t, std::less<>> sizes;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (size_t axis = 0; axis < module.inputs()[i].dimNames.size(); ++axis)
      if (const std::string &name = module.inputs()[i].dimNames[axis]; !name.empty())
        sizes[name] = inputs[i].shape()[axis];
  return sizes;
}

Status loadCustomOps(const std::vector<std::string> &paths) {
  for (const std::string &path : paths)
    if (ImbrexStatus status = imbrex_load_custom_ops(path.c_str()); status != IMBREX_OK)
      return lastError(status);
  return {};
}

Result<Context> Context::create(const Module &module, int threads) {
  ImbrexContextOptions options = {};
  options.size = sizeof options;
  options.threads = threads;
  ImbrexContext *raw = nullptr;
  if (ImbrexStatus status = imbrex_context_create(module.handle(), &options, &raw);
      status != IMBREX_OK)
    return lastError(status);
  Context context;
  context.context.reset(raw, imbrex_context_destroy);
  context.outputCount = module.outputs().size();
  return context;
}

Status Context::observe(const ImbrexObserver *observer) {
  if (ImbrexStatus status = imbrex_context_observe(context.get(), observer); status != IMBREX_OK)
    return lastError(status);
  return {};
}

Result<std::vector<HostTensor>> Context::run(const std::vector<HostTensor> &inputs) {
  std::vector<ImbrexTensor> given(inputs.size()), produced(outputCount);
  CallerItems items;
  for (size_t i = 0; i < inputs.size(); ++i) {
    // The runtime reads inputs only; its struct serves outputs too.
    given[i].data = isReference(inputs[i].type())
                        ? const_cast<void *>(items.of(inputs[i]))
                        : const_cast<std::byte *>(inputs[i].bytes().data());
    given[i].dtype = static_cast<uint32_t>(inputs[i].type());
    given[i].rank = static_cast<int32_t>(inputs[i].rank());
    given[i].shape = inputs[i].shape().data();
  }
  ImbrexStatus status = imbrex_run(context.get(), given.data(), static_cast<int32_t>(given.size()),
                                   produced.data(), static_cast<int32_t>(produced.size()));
  if (status != IMBREX_OK)
    return lastError(status);
  std::vector<HostTensor> outputs;
  for (const ImbrexTensor &tensor : produced)
    outputs.push_back(adopt(tensor));
  return outputs;
}

} // namespace imbrex::tools
