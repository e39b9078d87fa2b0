#include "runtime/module/Module.h"

#include "runtime/core/Pages.h"
#include "runtime/module/ElfFile.h"
#include "runtime/module/Imports.h"

#include <algorithm>

namespace imbrex::runtime {
namespace {

// Below, mapping the file's pages in one go is cheaper than a copy; above, reading weights through
// small pages costs more in every run than the copy does once.
constexpr uint64_t copyThreshold = 8ull << 20;

} // namespace

Result<std::shared_ptr<Module>> Module::make(std::shared_ptr<const FileImage> image,
                                             ModuleOptions options) {
  Result<ReadArtifact> read = readArtifact(image->bytes(), options.check);
  if (!read)
    return read.takeError();
  return std::shared_ptr<Module>(new Module(std::move(image), read.take(), options));
}

Result<std::shared_ptr<Module>> Module::open(const std::string &path, ModuleOptions options) {
  Result<std::shared_ptr<const FileImage>> image = FileImage::open(path);
  if (!image)
    return image.takeError();
  Result<std::shared_ptr<Module>> module = make(image.take(), options);
  if (module)
    return module;
  Error e = module.takeError();
  e.where.file = path;
  return e;
}

Result<std::shared_ptr<Module>> Module::fromMemory(std::span<const std::byte> bytes,
                                                   ModuleOptions options) {
  Result<std::shared_ptr<const FileImage>> image = FileImage::copyOf(bytes);
  if (!image)
    return image.takeError();
  return make(image.take(), options);
}

Module::~Module() { unmapPages(copiedConstants, copiedBytes); }

Status Module::fillImportTable(const artifact::VariantSpec &variant) {
  Result<ElfFile> elf = ElfFile::parse(variant.code);
  if (!elf)
    return elf.takeError();
  size_t room = std::min(elf->importRoom(), ready.imports.size());
  auto *table = static_cast<const void **>(const_cast<void *>(code->symbol("imx_imports")));
  if (room && !table)
    return badInput(112, "the artifact's code cannot be loaded",
                    "the system's loader does not find its import table",
                    "compiling the model again");
  std::copy_n(ready.imports.begin(), room, table);
  return {};
}

Status Module::resolveCode() {
  std::string missing;
  for (const std::string &name : spec().imports) {
    ready.imports.push_back(importByName(name));
    if (!ready.imports.back())
      missing += (missing.empty() ? "" : ", ") + name;
  }
  if (!missing.empty())
    return unsupported(111, "this runtime does not provide what the artifact's code calls",
                       "it lacks: " + missing, "a runtime of the compiler's version");
  if (spec().kernels.empty() && spec().sizes.empty())
    return {};
  Result<const artifact::VariantSpec *> variant = chooseVariant(spec());
  if (!variant)
    return variant.takeError();
  ready.target = (*variant)->target;
  Result<std::unique_ptr<LoadedCode>> library = LoadedCode::load((*variant)->code);
  if (!library)
    return library.takeError();
  code = library.take();
  if (Status s = fillImportTable(**variant); !s)
    return s;
  bool complete = true;
  for (const auto &k : spec().kernels) {
    complete = (ready.kernels.emplace_back(code->symbol(k.entry)) != nullptr) && complete;
    ready.plans.push_back(k.plan.empty() ? nullptr : code->symbol(k.plan));
    complete = (k.plan.empty() || ready.plans.back()) && complete;
  }
  for (const auto &s : spec().sizes)
    complete = (ready.sizes.emplace_back(code->symbol(s.entry)) != nullptr) && complete;
  if (!complete)
    return badInput(112, "the artifact's code cannot be loaded",
                    "the system's loader does not find all of its kernels",
                    "compiling the model again");
  return {};
}

/// Gathered constants stand behind the others (runtime/module/format/ArtifactWriter.cpp) and stay
/// in the file: a run touches few of their pages.
Status Module::placeConstants() {
  const std::byte *section = contents.constants.data();
  uint64_t bytes = 0; // of those that are read whole
  for (const auto &c : spec().constants)
    if (!c.gathered && !c.bytes.empty())
      bytes = std::max<uint64_t>(bytes, c.bytes.data() + c.bytes.size() - section);
  const std::byte *base = section;
  if (image->isMappedFile() && options.place == ConstantsPlace::Automatic &&
      bytes >= copyThreshold) {
    copiedBytes = bytes;
    copiedConstants = static_cast<std::byte *>(mapPages(copiedBytes, Prefault::No));
    if (!copiedConstants)
      return badInput(250, "no memory for " + std::to_string(bytes) + " bytes of constants", {},
                      "the option that uses constants in place");
    auto offset = static_cast<uint64_t>(section - image->bytes().data());
    if (!image->readInto(copiedConstants, offset, bytes))
      return badInput(1, "cannot read the artifact's constants",
                      "the file cannot be read any more");
    base = copiedConstants;
  } else {
    image->populate(contents.constants.first(bytes));
  }
  const std::byte *rest = section + bytes;
  if (uint64_t size = contents.constants.size() - bytes;
      image->isMappedFile() && size >= hugePageBytes)
    if (scattered = image->mapForScatteredReads({rest, size}); scattered)
      rest = scattered->data();
  alignas(64) static const std::byte empty[64] = {};
  for (const auto &c : spec().constants) {
    const auto offset = static_cast<uint64_t>(c.bytes.data() - section);
    const bool whole = offset + c.bytes.size() <= bytes;
    ready.constants.push_back(c.bytes.empty() ? empty
                              : whole         ? base + offset
                                              : rest + (offset - bytes));
  }
  return {};
}

Status Module::load() {
  ready = {};
  if (Status s = resolveCode(); !s)
    return s;
  return placeConstants();
}

Result<const Executable *> Module::executable() {
  std::lock_guard lock(mutex);
  if (!loaded) {
    if (Status s = load(); !s)
      return s.takeError();
    loaded = true;
  }
  return static_cast<const Executable *>(&ready);
}

const std::string &Module::info() {
  std::lock_guard lock(mutex);
  if (json.empty())
    json = describeArtifact(spec(), image->bytes().size(), contents.constants.size());
  return json;
}

} // namespace imbrex::runtime
