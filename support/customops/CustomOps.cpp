#include "support/customops/CustomOps.h"

#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <mutex>

namespace imbrex::customops {
namespace {

constexpr std::string_view kPrefix = "custom ";

/// Everything loaded so far, by function name. Operators are the libraries' own statics.
struct Loaded {
  std::mutex mutex;
  std::map<std::string, const ImxOp *, std::less<>> ops;
};

Loaded &loaded() {
  static Loaded all;
  return all;
}

const ImxOp *find(std::string_view function) {
  std::lock_guard lock(loaded().mutex);
  auto it = loaded().ops.find(function);
  return it == loaded().ops.end() ? nullptr : it->second;
}

/// A call as the library sees it, with what its pointers point at.
class Call {
public:
  Call(const Given &given, std::string name) : name(std::move(name)) {
    for (const Attribute &a : given.attributes)
      raw.push_back({a.name.c_str(), a.kind,
                     static_cast<int64_t>(a.kind == IMX_ATTRIBUTE_INTS    ? a.ints.size()
                                          : a.kind == IMX_ATTRIBUTE_REALS ? a.reals.size()
                                                                          : a.text.size()),
                     a.ints.data(), a.reals.data(), a.text.c_str()});
    call = {sizeof(ImxOpCall), static_cast<int32_t>(raw.size()), raw.data(), fail, allocate, this};
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  Error failure(const char *what) const {
    return badInput(142, "the custom operator " + name + " cannot " + what,
                    reason.empty() ? "it gives no reason" : reason);
  }

  ImxOpCall call{};
  std::string name;
  std::vector<OpenType> types; // of the outputs
  std::vector<HostTensor> outputs;
  std::vector<ImxOpTensor> views;

  /// Memory for an output.
  void make(size_t index, std::vector<int64_t> shape) {
    outputs[index] = HostTensor(types[index].type, std::move(shape));
    ImxOpTensor &view = views[index];
    static std::byte nowhere[64];
    view.data = outputs[index].elems() ? outputs[index].mutableBytes().data() : nowhere;
    view.shape = outputs[index].shape().data();
  }

private:
  static void fail(ImxOpCall *c, const char *text) {
    static_cast<Call *>(c->host)->reason = text ? text : "";
  }
  static void *allocate(ImxOpCall *c, int32_t index, const int64_t *shape) {
    auto &self = *static_cast<Call *>(c->host);
    if (index < 0 || static_cast<size_t>(index) >= self.outputs.size() || !shape ||
        self.views[static_cast<size_t>(index)].data)
      return nullptr;
    const OpenType &type = self.types[static_cast<size_t>(index)];
    std::vector<int64_t> sizes(shape, shape + type.shape.size());
    for (size_t k = 0; k < sizes.size(); ++k)
      if (type.shape[k] >= 0 && sizes[k] != type.shape[k])
        return nullptr;
    auto count = elementCount(sizes);
    if (!count || *count > (int64_t{1} << 56))
      return nullptr;
    self.make(static_cast<size_t>(index), std::move(sizes));
    return self.views[static_cast<size_t>(index)].data;
  }

  std::vector<ImxOpAttribute> raw;
  std::string reason;
};

bool toRaw(const OpenType &t, ImxOpType &raw) {
  raw = {};
  raw.dtype = static_cast<uint32_t>(t.type);
  raw.rank = static_cast<int32_t>(t.shape.size());
  if (t.shape.size() > IMX_OPS_MAX_RANK)
    return false;
  std::ranges::copy(t.shape, raw.size);
  return true;
}

bool fromRaw(const ImxOpType &raw, OpenType &t) {
  if (raw.dtype < 1 || raw.dtype > static_cast<uint32_t>(LastDType) || raw.rank < 0 ||
      raw.rank > IMX_OPS_MAX_RANK || isReference(static_cast<DType>(raw.dtype)))
    return false;
  t = {static_cast<DType>(raw.dtype), {raw.size, raw.size + raw.rank}};
  return true;
}

Result<std::vector<OpenType>> infer(const ImxOp &op, Call &call,
                                    const std::vector<OpenType> &operands) {
  const auto count = static_cast<int32_t>(operands.size());
  if (count < op.min_inputs || count > op.max_inputs)
    return badInput(
        142, "the custom operator " + call.name + " has " + std::to_string(count) + " inputs",
        "it takes " + std::to_string(op.min_inputs) + " to " + std::to_string(op.max_inputs));
  std::vector<ImxOpType> in(operands.size()), out(static_cast<size_t>(op.outputs));
  for (size_t i = 0; i < in.size(); ++i) {
    if (isReference(operands[i].type) || !toRaw(operands[i], in[i]))
      return unsupported(142, "the custom operator " + call.name +
                                  " is given strings, a sequence "
                                  "or a tensor of more than " +
                                  std::to_string(IMX_OPS_MAX_RANK) + " dimensions");
  }
  if (op.infer(&call.call, in.data(), count, out.data(), op.outputs) != 0)
    return call.failure("take its inputs");
  std::vector<OpenType> types(out.size());
  for (size_t i = 0; i < out.size(); ++i)
    if (!fromRaw(out[i], types[i]))
      return badInput(143, "the custom operator " + call.name + " answers with an impossible type",
                      "output " + std::to_string(i) + " has dtype " + std::to_string(out[i].dtype) +
                          " and rank " + std::to_string(out[i].rank));
  return types;
}

/// The host function of an operator: operands, an empty i64 vector, and the encoded attributes.
Result<std::vector<HostTensor>> compute(const ImxOp &op, const std::string &function,
                                        HostArgs args) {
  const HostTensor *last = args.empty() ? nullptr : args.back();
  if (args.size() < 2 || !last || last->type() != DType::U8)
    return badInput(242, "the operands of a custom operator are damaged");
  auto given = decode({reinterpret_cast<const char *>(last->bytes().data()), last->bytes().size()});
  if (!given)
    return given.takeError();
  Call call(*given, describe(function));
  const size_t count = args.size() - 2;
  std::vector<OpenType> types;
  std::vector<ImxOpTensor> in;
  for (size_t i = 0; i < count; ++i) {
    const bool absent = !args[i] || (i < given->absent.size() && given->absent[i]);
    types.push_back(absent ? OpenType{} : OpenType{args[i]->type(), args[i]->shape()});
    in.push_back(absent
                     ? ImxOpTensor{}
                     : ImxOpTensor{const_cast<std::byte *>(args[i]->bytes().data()),
                                   args[i]->shape().data(), static_cast<int32_t>(args[i]->rank()),
                                   static_cast<uint32_t>(args[i]->type())});
  }
  auto inferred = infer(op, call, types);
  if (!inferred)
    return inferred.takeError();
  call.types = inferred.take();
  call.outputs.resize(call.types.size());
  for (const OpenType &t : call.types)
    call.views.push_back(
        {nullptr, nullptr, static_cast<int32_t>(t.shape.size()), static_cast<uint32_t>(t.type)});
  for (size_t i = 0; i < call.types.size(); ++i)
    if (std::ranges::all_of(call.types[i].shape, [](int64_t d) { return d >= 0; })) {
      auto elems = elementCount(call.types[i].shape);
      if (!elems || *elems > (int64_t{1} << 56))
        return badInput(143, "the custom operator " + call.name + " asks for an impossible size");
      call.make(i, call.types[i].shape);
    }
  if (op.compute(&call.call, in.data(), static_cast<int32_t>(count), call.views.data(),
                 op.outputs) != 0)
    return call.failure("compute");
  for (const ImxOpTensor &view : call.views)
    if (!view.data)
      return badInput(143, "the custom operator " + call.name + " leaves an output out");
  return std::move(call.outputs);
}

Error refused(const std::string &path, std::string because) {
  return badInput(141, "'" + path + "' is no library of custom operators", std::move(because),
                  "building it with the imbrex_custom_ops.h of this version");
}

bool isSound(const ImxOp *op) {
  return op && op->size >= sizeof(ImxOp) && op->domain && op->name && op->name[0] &&
         op->since >= 1 && op->min_inputs >= 0 && op->max_inputs >= op->min_inputs &&
         op->max_inputs <= 64 && op->outputs >= 1 && op->outputs <= IMX_OPS_MAX_OUTPUTS &&
         op->infer && op->compute;
}

} // namespace

Status load(const std::string &path) {
  // A name without a folder would be searched for among the system's libraries.
  const std::string file = path.find('/') == std::string::npos ? std::string("./") + path : path;
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return badInput(140, "the custom operators of '" + path + "' cannot be loaded", why ? why : "",
                    "checking the path");
  }
  auto entry = reinterpret_cast<ImxOpLibraryFn>(dlsym(handle, IMX_OP_LIBRARY_SYMBOL));
  if (!entry)
    return refused(path, std::string("it does not export ") + IMX_OP_LIBRARY_SYMBOL);
  const ImxOpLibrary *library = entry(IMX_OPS_VERSION);
  if (!library || library->size < sizeof(ImxOpLibrary) || library->ops_version != IMX_OPS_VERSION)
    return refused(path, "it is of another version of the interface than " +
                             std::to_string(IMX_OPS_VERSION));
  for (int32_t i = 0; i < library->count; ++i)
    if (!library->ops || !isSound(library->ops[i]))
      return refused(path, "its operator " + std::to_string(i) + " is incomplete");
  const std::string name = std::filesystem::path(path).filename().string();
  for (int32_t i = 0; i < library->count; ++i) {
    const ImxOp *op = library->ops[i];
    const std::string function = std::string(kPrefix) + name + " " + op->domain + "." + op->name +
                                 " " + std::to_string(op->since);
    {
      std::lock_guard lock(loaded().mutex);
      loaded().ops[function] = op;
    }
    HostFunction f;
    f.results = static_cast<size_t>(op->outputs);
    f.variadic = true;
    f.withItems = [op, function](HostArgs args, ItemHeap &) {
      return compute(*op, function, args);
    };
    addHostFunction(function, std::move(f));
  }
  return {};
}

std::optional<std::string> functionFor(const std::string &domain, const std::string &name,
                                       int64_t version) {
  std::lock_guard lock(loaded().mutex);
  const ImxOp *best = nullptr;
  std::optional<std::string> found;
  for (const auto &[function, op] : loaded().ops)
    if (op->domain == domain && op->name == name && op->since <= version &&
        (!best || op->since > best->since)) {
      best = op;
      found = function;
    }
  return found;
}

bool isCustom(std::string_view function) { return function.starts_with(kPrefix); }

std::string describe(std::string_view function) {
  std::string text(function.substr(std::min(function.size(), kPrefix.size())));
  const size_t first = text.find(' '), last = text.rfind(' ');
  if (first == std::string::npos || first == last)
    return text;
  return text.substr(first + 1, last - first - 1) + " (version " + text.substr(last + 1) + ") of " +
         text.substr(0, first);
}

Result<std::vector<OpenType>> inferTypes(std::string_view function, const Given &given,
                                         const std::vector<OpenType> &operands) {
  const ImxOp *op = find(function);
  if (!op)
    return unsupported(142, "the custom operator " + describe(function) + " is not loaded", "",
                       "--custom-ops with its library");
  Call call(given, describe(function));
  return infer(*op, call, operands);
}

int outputsOf(std::string_view function) {
  const ImxOp *op = find(function);
  return op ? op->outputs : 0;
}

} // namespace imbrex::customops
