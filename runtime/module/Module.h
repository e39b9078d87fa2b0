// An open artifact: verified, inspectable, and, once a context wants to run it, with its code
// loaded.
#pragma once

#include "runtime/module/ArtifactReader.h"
#include "runtime/module/CodeLoader.h"
#include "runtime/module/FileImage.h"

#include <mutex>

namespace imbrex::runtime {

enum class ConstantsPlace : uint8_t {
  Automatic, // small sections in place, large ones copied into huge pages
  InPlace,
};

struct ModuleOptions {
  ConstantsCheck check = ConstantsCheck::Skip;
  ConstantsPlace place = ConstantsPlace::Automatic;
};

/// What running needs, resolved once. Indices are those of the artifact's tables.
struct Executable {
  std::vector<const void *> kernels;        // ImxKernelFn
  std::vector<const void *> plans;          // ImxSizesFn by kernel; null: the record tells
  std::vector<const void *> sizes;          // ImxSizesFn
  std::vector<const void *> imports;        // for ImxEnv
  std::vector<const std::byte *> constants; // 64-byte aligned
  std::string target;                       // of the chosen variant
};

/// Shared by any number of threads and contexts.
class Module {
public:
  static Result<std::shared_ptr<Module>> open(const std::string &path, ModuleOptions options);
  /// Copies the bytes.
  static Result<std::shared_ptr<Module>> fromMemory(std::span<const std::byte> bytes,
                                                    ModuleOptions options);
  ~Module();

  const artifact::ArtifactSpec &spec() const { return contents.spec; }
  const artifact::FunctionSpec &entry() const { return spec().functions[spec().entry]; }

  /// Loads code and places constants at the first call; later calls return the same. Errors E0110
  /// to E0112.
  Result<const Executable *> executable();

  /// What `imbrex info` prints, as JSON (runtime/module/ModuleInfo.cpp); made at the first call.
  const std::string &info();

private:
  Module(std::shared_ptr<const FileImage> image, ReadArtifact contents, ModuleOptions options)
      : image(std::move(image)), contents(std::move(contents)), options(options) {}
  static Result<std::shared_ptr<Module>> make(std::shared_ptr<const FileImage> image,
                                              ModuleOptions options);
  Status load();
  Status resolveCode();
  Status fillImportTable(const artifact::VariantSpec &variant);
  Status placeConstants();

  std::shared_ptr<const FileImage> image;
  ReadArtifact contents;
  ModuleOptions options;

  std::mutex mutex; // guards what follows
  bool loaded = false;
  Executable ready;
  std::unique_ptr<LoadedCode> code;
  std::byte *copiedConstants = nullptr;
  uint64_t copiedBytes = 0;
  std::unique_ptr<FilePart> scattered; // gathered constants
  std::string json;
};

/// The JSON of Module::info.
std::string describeArtifact(const artifact::ArtifactSpec &spec, uint64_t fileBytes,
                             uint64_t constantBytes);

} // namespace imbrex::runtime
