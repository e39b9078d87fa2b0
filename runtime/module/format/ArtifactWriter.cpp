#include "runtime/module/format/ArtifactWriter.h"

#include "runtime/module/format/Crc32c.h"
#include "runtime/module/format/Layout.h"
#include "runtime/module/format/MetadataWriter.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace imbrex::artifact {
namespace {

/// A piece of the file: borrowed bytes at an offset.
struct Piece {
  uint64_t offset;
  std::span<const std::byte> bytes;
};

/// The whole file as pieces in ascending order; what lies between them is zero.
struct FilePlan {
  FileHeader header{};
  std::vector<SectionRecord> table;
  std::vector<std::byte> metadata;
  std::vector<Piece> pieces;
};

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

Result<void> checkConstant(const ConstantSpec &c) {
  int64_t bytes = byteSize(c.dtype);
  bool fits = bytes > 0;
  for (int64_t d : c.shape)
    fits = fits && d >= 0 && !__builtin_mul_overflow(bytes, d, &bytes);
  if (fits && static_cast<uint64_t>(bytes) == c.bytes.size())
    return {};
  return internalError(101, "constant '" + c.name + "' has " + std::to_string(c.bytes.size()) +
                                " bytes, which do not fit its type");
}

/// Where each constant lies within the section: those that are read whole, then gathered ones.
/// Equal spans share a place.
Result<std::vector<uint64_t>> placeConstants(const ArtifactSpec &spec, std::vector<Piece> &pieces,
                                             uint64_t &sectionBytes) {
  std::map<std::pair<const std::byte *, size_t>, uint64_t> known;
  std::vector<uint64_t> offsets(spec.constants.size());
  sectionBytes = 0;
  for (bool gathered : {false, true})
    for (size_t i = 0; i < spec.constants.size(); ++i) {
      const ConstantSpec &c = spec.constants[i];
      if (c.gathered != gathered)
        continue;
      if (Status s = checkConstant(c); !s)
        return s.takeError();
      auto [it, fresh] = known.try_emplace({c.bytes.data(), c.bytes.size()}, sectionBytes);
      offsets[i] = it->second;
      if (!fresh)
        continue;
      pieces.push_back({sectionBytes, c.bytes});
      sectionBytes = alignUp(sectionBytes + c.bytes.size(), constantAlignment);
    }
  return offsets;
}

/// The checksum of pieces with their zero gaps, up to `bytes`.
uint32_t crcOfPieces(std::span<const Piece> pieces, uint64_t bytes) {
  static constexpr std::byte zeros[4096] = {};
  uint32_t crc = 0;
  uint64_t at = 0;
  auto fill = [&](uint64_t end) {
    for (; at < end; at += std::min<uint64_t>(end - at, sizeof zeros))
      crc = crc32c(crc, {zeros, std::min<uint64_t>(end - at, sizeof zeros)});
  };
  for (const Piece &p : pieces) {
    fill(p.offset);
    crc = crc32c(crc, p.bytes);
    at += p.bytes.size();
  }
  fill(bytes);
  return crc;
}

void addSection(FilePlan &plan, SectionKind kind, uint64_t alignment, std::span<const Piece> pieces,
                uint64_t bytes) {
  uint64_t offset = alignUp(plan.header.fileSize, alignment);
  plan.table.push_back(
      {static_cast<uint32_t>(kind), crcOfPieces(pieces, bytes), offset, bytes, alignment});
  for (const Piece &p : pieces)
    plan.pieces.push_back({offset + p.offset, p.bytes});
  plan.header.fileSize = offset + bytes;
}

void finishHeader(FilePlan &plan) {
  FileHeader &h = plan.header;
  h.crc = crc32c(0, std::as_bytes(std::span(&h, 1)));
  h.crc = crc32c(h.crc, std::as_bytes(std::span(plan.table)));
  std::vector<Piece> front = {{0, std::as_bytes(std::span(&h, 1))},
                              {h.tableOffset, std::as_bytes(std::span(plan.table))}};
  plan.pieces.insert(plan.pieces.begin(), front.begin(), front.end());
}

Result<void> planFile(const ArtifactSpec &spec, FilePlan &plan) {
  std::vector<Piece> constants;
  uint64_t constantBytes = 0;
  Result<std::vector<uint64_t>> offsets = placeConstants(spec, constants, constantBytes);
  if (!offsets)
    return offsets.takeError();
  if (spec.variants.size() + 2 > maxSections)
    return internalError(101, "more than " + std::to_string(maxSections - 2) + " code variants");

  // Section 0 is the metadata, 1 … the variants, the last the constants.
  SectionIndices indices;
  indices.firstVariant = 1;
  indices.constants = spec.constants.empty() ? -1 : static_cast<int32_t>(spec.variants.size() + 1);
  plan.metadata = writeMetadata(spec, *offsets, indices);

  size_t sections = 1 + spec.variants.size() + (indices.constants >= 0);
  std::memcpy(plan.header.magic, fileMagic, sizeof fileMagic);
  plan.header.version = formatVersion;
  plan.header.sectionCount = static_cast<uint32_t>(sections);
  plan.header.tableOffset = sizeof(FileHeader);
  plan.header.fileSize = sizeof(FileHeader) + sections * sizeof(SectionRecord);

  Piece metadata{0, plan.metadata};
  addSection(plan, SectionKind::Metadata, 64, {&metadata, 1}, plan.metadata.size());
  for (const VariantSpec &v : spec.variants) {
    Piece code{0, v.code};
    addSection(plan, SectionKind::Code, pageBytes, {&code, 1}, v.code.size());
  }
  if (indices.constants >= 0)
    addSection(plan, SectionKind::Constants, pageBytes, constants, constantBytes);
  finishHeader(plan);
  return {};
}

Error writeFailed(const std::string &path) {
  return badInput(2, "cannot write '" + path + "'", std::strerror(errno));
}

bool writeAt(int fd, Piece piece) {
  while (!piece.bytes.empty()) {
    ssize_t n =
        ::pwrite(fd, piece.bytes.data(), piece.bytes.size(), static_cast<off_t>(piece.offset));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    piece.bytes = piece.bytes.subspan(static_cast<size_t>(n));
    piece.offset += static_cast<uint64_t>(n);
  }
  return true;
}

} // namespace

Result<void> writeArtifact(const ArtifactSpec &spec, const std::string &path) {
  FilePlan plan;
  if (Status s = planFile(spec, plan); !s)
    return s;
  static std::atomic<unsigned> counter{0};
  std::string temporary =
      path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(counter.fetch_add(1));
  int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return writeFailed(path);
  bool good = true;
  for (const Piece &p : plan.pieces)
    good = good && writeAt(fd, p);
  // The last piece may be shorter than the file: the tail of the constants section is padding.
  good = good && ::ftruncate(fd, static_cast<off_t>(plan.header.fileSize)) == 0;
  good = (::close(fd) == 0) && good;
  good = good && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (good)
    return {};
  Error error = writeFailed(path);
  ::unlink(temporary.c_str());
  return error;
}

Result<std::vector<std::byte>> serializeArtifact(const ArtifactSpec &spec) {
  FilePlan plan;
  if (Status s = planFile(spec, plan); !s)
    return s.takeError();
  std::vector<std::byte> out(plan.header.fileSize);
  for (const Piece &p : plan.pieces)
    std::copy(p.bytes.begin(), p.bytes.end(), out.begin() + static_cast<ptrdiff_t>(p.offset));
  return out;
}

} // namespace imbrex::artifact
