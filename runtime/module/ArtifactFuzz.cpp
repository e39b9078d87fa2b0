// Any bytes as an artifact: opened as they are, with checksums repaired, and as the metadata of a
// file whose other parts are good. Nothing is executed; what is accepted is described and
// disassembled.
#include "runtime/module/FileImage.h"
#include "runtime/module/Module.h"
#include "runtime/module/format/Disassembler.h"
#include "runtime/testing/Repair.h"

#include <cstring>

using namespace imbrex;
using namespace imbrex::runtime;

namespace {

void inspect(std::span<const std::byte> bytes) {
  Result<std::shared_ptr<Module>> module =
      Module::fromMemory(bytes, {ConstantsCheck::Verify, ConstantsPlace::Automatic});
  if (!module)
    return;
  (*module)->info();
  for (const auto &f : (*module)->spec().functions)
    artifact::disassemble(f, (*module)->spec());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto bytes = std::as_bytes(std::span(data, size));
  if (size >= 6 && std::memcmp(data, "IMBREX", 6) == 0) {
    inspect(bytes);
    std::vector<std::byte> repaired(bytes.begin(), bytes.end());
    testing::repairChecksums(repaired);
    inspect(repaired);
    return 0;
  }
  inspect(testing::wrapMetadata(bytes));
  return 0;
}
