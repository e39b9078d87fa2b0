#include "runtime/testing/Repair.h"

#include "runtime/module/format/Crc32c.h"
#include "runtime/module/format/Layout.h"
#include "runtime/testing/TestModels.h"

#include <algorithm>
#include <cstring>

namespace imbrex::testing {

using namespace imbrex::artifact;

void repairChecksums(std::vector<std::byte> &file) {
  FileHeader h;
  if (file.size() < sizeof h)
    return;
  std::memcpy(&h, file.data(), sizeof h);
  std::memcpy(h.magic, fileMagic, sizeof h.magic);
  h.version = formatVersion;
  h.fileSize = file.size();
  h.tableOffset = sizeof h;
  uint64_t room = (file.size() - sizeof h) / sizeof(SectionRecord);
  h.sectionCount = static_cast<uint32_t>(std::min<uint64_t>({h.sectionCount, room, maxSections}));
  if (h.sectionCount == 0)
    return;
  std::vector<SectionRecord> table(h.sectionCount);
  std::memcpy(table.data(), file.data() + sizeof h, table.size() * sizeof(SectionRecord));
  for (SectionRecord &s : table)
    if (s.offset <= file.size() && s.size <= file.size() - s.offset)
      s.crc = crc32c(0, std::span<const std::byte>(file).subspan(s.offset, s.size));
  h.crc = 0;
  h.crc = crc32c(crc32c(0, std::as_bytes(std::span(&h, 1))), std::as_bytes(std::span(table)));
  std::memcpy(file.data(), &h, sizeof h);
  std::memcpy(file.data() + sizeof h, table.data(), table.size() * sizeof(SectionRecord));
}

std::vector<std::byte> wrapMetadata(std::span<const std::byte> metadata) {
  constexpr uint64_t constantBytes = 256;
  const auto &elf = testKernels();
  FileHeader h{};
  h.sectionCount = 3;
  auto page = [](uint64_t v) { return (v + pageBytes - 1) / pageBytes * pageBytes; };
  uint64_t metadataAt = 192; // behind header and table, aligned to 64
  uint64_t codeAt = page(metadataAt + metadata.size());
  uint64_t constantsAt = page(codeAt + elf.size());
  SectionRecord table[] = {
      {static_cast<uint32_t>(SectionKind::Metadata), 0, metadataAt, metadata.size(), 64},
      {static_cast<uint32_t>(SectionKind::Code), 0, codeAt, elf.size(), pageBytes},
      {static_cast<uint32_t>(SectionKind::Constants), 0, constantsAt, constantBytes, pageBytes}};
  std::vector<std::byte> file(constantsAt + constantBytes);
  std::memcpy(file.data(), &h, sizeof h);
  std::memcpy(file.data() + sizeof h, table, sizeof table);
  std::copy(metadata.begin(), metadata.end(), file.begin() + static_cast<ptrdiff_t>(metadataAt));
  std::copy(elf.begin(), elf.end(), file.begin() + static_cast<ptrdiff_t>(codeAt));
  repairChecksums(file);
  return file;
}

} // namespace imbrex::testing
