#include "runtime/api/Handles.h"
#include "support/customops/CustomOps.h"

using namespace imbrex;
using namespace imbrex::runtime;

namespace {

ModuleOptions optionsOf(const ImbrexModuleOptions *options) {
  ImbrexModuleOptions known = readOptions(options);
  return {known.verify_constants ? ConstantsCheck::Verify : ConstantsCheck::Skip,
          known.constants_in_place ? ConstantsPlace::InPlace : ConstantsPlace::Automatic};
}

std::vector<ImbrexPortStore> storePorts(const std::vector<artifact::PortSpec> &ports) {
  std::vector<ImbrexPortStore> stores;
  for (const artifact::PortSpec &p : ports) {
    ImbrexPortStore &store = stores.emplace_back();
    for (const artifact::DimSpec &d : p.type.dims) {
      store.shape.push_back(d.size.isLiteral() ? d.size.value : -1);
      store.names.push_back(d.name.c_str());
    }
  }
  return stores;
}

ImbrexStatus finishOpen(Result<std::shared_ptr<Module>> module, ImbrexModule **out) {
  if (!module)
    return report(module.error());
  auto handle = std::make_unique<ImbrexModule>();
  handle->module = module.take();
  handle->inputs = storePorts(handle->module->entry().inputs);
  handle->outputs = storePorts(handle->module->entry().outputs);
  *out = handle.release();
  return IMBREX_OK;
}

ImbrexStatus describePort(const std::vector<artifact::PortSpec> &ports,
                          const std::vector<ImbrexPortStore> &stores, int32_t index,
                          ImbrexPort *out) {
  if (!out || index < 0 || static_cast<size_t>(index) >= ports.size())
    return misuse("there is no input or output of that index");
  auto i = static_cast<size_t>(index);
  *out = {ports[i].name.c_str(),
          static_cast<uint32_t>(ports[i].type.dtype),
          static_cast<int32_t>(stores[i].shape.size()),
          stores[i].shape.data(),
          stores[i].names.data(),
          ports[i].donated};
  return IMBREX_OK;
}

} // namespace

ImbrexStatus imbrex_load_custom_ops(const char *path) {
  if (!path)
    return misuse("imbrex_load_custom_ops needs a path");
  return guarded([&] {
    Status s = customops::load(path);
    return s ? IMBREX_OK : report(s.error());
  });
}

ImbrexStatus imbrex_module_open(const char *path, const ImbrexModuleOptions *options,
                                ImbrexModule **out) {
  if (!path || !out)
    return misuse("imbrex_module_open needs a path and a place for the module");
  return guarded([&] { return finishOpen(Module::open(path, optionsOf(options)), out); });
}

ImbrexStatus imbrex_module_from_memory(const void *bytes, size_t size,
                                       const ImbrexModuleOptions *options, ImbrexModule **out) {
  if ((!bytes && size) || !out)
    return misuse("imbrex_module_from_memory needs bytes and a place for the module");
  return guarded([&] {
    std::span<const std::byte> view(static_cast<const std::byte *>(bytes), size);
    return finishOpen(Module::fromMemory(view, optionsOf(options)), out);
  });
}

void imbrex_module_close(ImbrexModule *module) { delete module; }

int32_t imbrex_input_count(const ImbrexModule *module) {
  return module ? static_cast<int32_t>(module->inputs.size()) : 0;
}

int32_t imbrex_output_count(const ImbrexModule *module) {
  return module ? static_cast<int32_t>(module->outputs.size()) : 0;
}

ImbrexStatus imbrex_input(const ImbrexModule *module, int32_t index, ImbrexPort *out) {
  if (!module)
    return misuse("imbrex_input needs a module");
  return describePort(module->module->entry().inputs, module->inputs, index, out);
}

ImbrexStatus imbrex_output(const ImbrexModule *module, int32_t index, ImbrexPort *out) {
  if (!module)
    return misuse("imbrex_output needs a module");
  return describePort(module->module->entry().outputs, module->outputs, index, out);
}

const char *imbrex_module_info(ImbrexModule *module) {
  if (!module)
    return "{}";
  try {
    return module->module->info().c_str();
  } catch (...) {
    return "{}";
  }
}
