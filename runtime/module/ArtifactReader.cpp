#include "runtime/module/ArtifactReader.h"

#include "runtime/module/ArtifactVerifier.h"
#include "runtime/module/format/Crc32c.h"
#include "runtime/module/format/Layout.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace imbrex::runtime {
namespace {

using artifact::FileHeader;
using artifact::SectionKind;
using artifact::SectionRecord;

Error damaged(uint16_t code, std::string why) {
  return badInput(code, "the artifact is damaged", std::move(why),
                  "compiling the model again, or copying the file again");
}

Result<FileHeader> readHeader(std::span<const std::byte> bytes) {
  FileHeader h{};
  if (bytes.size() >= sizeof h)
    std::memcpy(&h, bytes.data(), sizeof h);
  if (bytes.size() < sizeof h || std::memcmp(h.magic, artifact::fileMagic, sizeof h.magic) != 0)
    return badInput(100, "this is not an Imbrex artifact", "it does not begin like one",
                    "`imbrex compile` to make one from a model");
  if (h.version != artifact::formatVersion)
    return unsupported(102, "the artifact has format version " + std::to_string(h.version),
                       "this runtime reads version " + std::to_string(artifact::formatVersion),
                       "a runtime of the compiler's version");
  if (h.fileSize != bytes.size())
    return damaged(103, "it should have " + std::to_string(h.fileSize) + " bytes and has " +
                            std::to_string(bytes.size()));
  bool good = h.sectionCount >= 1 && h.sectionCount <= artifact::maxSections &&
              h.tableOffset == sizeof h &&
              bytes.size() - sizeof h >= h.sectionCount * sizeof(SectionRecord);
  if (!good)
    return damaged(105, "its section table lies outside the file");
  return h;
}

/// Sections ascend, do not overlap and are aligned.
bool isPlaced(const SectionRecord &s, uint64_t &end, uint64_t fileSize) {
  bool good = std::has_single_bit(s.alignment) && s.alignment >= 64 &&
              s.offset % s.alignment == 0 && s.offset >= end && s.offset <= fileSize &&
              s.size <= fileSize - s.offset;
  bool paged =
      s.kind == static_cast<uint32_t>(SectionKind::Metadata) || s.alignment >= artifact::pageBytes;
  end = good ? s.offset + s.size : end;
  return good && paged;
}

} // namespace

Result<SectionTable> readSections(std::span<const std::byte> bytes, ConstantsCheck check) {
  Result<FileHeader> header = readHeader(bytes);
  if (!header)
    return header.takeError();
  auto tableBytes = bytes.subspan(sizeof(FileHeader), header->sectionCount * sizeof(SectionRecord));
  FileHeader blank = *header;
  blank.crc = 0;
  uint32_t crc = artifact::crc32c(0, std::as_bytes(std::span(&blank, 1)));
  if (artifact::crc32c(crc, tableBytes) != header->crc)
    return damaged(104, "the checksum of its header does not fit");

  std::vector<SectionRecord> records(header->sectionCount);
  std::memcpy(records.data(), tableBytes.data(), tableBytes.size());
  uint64_t end = sizeof(FileHeader) + tableBytes.size();
  SectionTable table;
  for (size_t i = 0; i < records.size(); ++i) {
    const SectionRecord &s = records[i];
    if (!isPlaced(s, end, bytes.size()))
      return damaged(105, "section " + std::to_string(i) + " lies outside the file or its place");
    auto part = bytes.subspan(s.offset, s.size);
    bool isConstants = s.kind == static_cast<uint32_t>(SectionKind::Constants);
    if ((!isConstants || check == ConstantsCheck::Verify) && artifact::crc32c(0, part) != s.crc)
      return damaged(104, "the checksum of section " + std::to_string(i) + " does not fit");
    table.sections.push_back({s.kind, part});
  }
  return table;
}

Result<ReadArtifact> readArtifact(std::span<const std::byte> bytes, ConstantsCheck check) {
  Result<SectionTable> table = readSections(bytes, check);
  if (!table)
    return table.takeError();
  Result<ReadArtifact> read = readMetadata(*table);
  if (!read)
    return read.takeError();
  if (Status s = verifyArtifact(read->spec); !s)
    return s.takeError();
  return read;
}

} // namespace imbrex::runtime
