#include "runtime/module/ElfFile.h"

#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace imbrex::runtime {

std::optional<Machine> machineOfKind(std::string_view kind) {
  if (kind == "elf-x86-64")
    return Machine::X86_64;
  if (kind == "elf-aarch64")
    return Machine::AArch64;
  return std::nullopt;
}

Machine hostMachine() {
#if defined(__x86_64__)
  return Machine::X86_64;
#elif defined(__aarch64__)
  return Machine::AArch64;
#else
  return Machine::Other;
#endif
}

namespace {

// Tags that make the loader read other files or run code.
constexpr int64_t refusedTags[] = {
    DT_NEEDED,     DT_RPATH, DT_RUNPATH,  DT_INIT,   DT_FINI,      DT_TEXTREL,      DT_INIT_ARRAY,
    DT_FINI_ARRAY, DT_AUDIT, DT_DEPAUDIT, DT_FILTER, DT_AUXILIARY, DT_PREINIT_ARRAY};

constexpr uint64_t maxMemory = 4ull << 30; // of one segment

} // namespace

class ElfParser {
public:
  explicit ElfParser(std::span<const std::byte> bytes) : bytes(bytes) {}
  Result<ElfFile> run() {
    if (readHeader() && readSegments() && readDynamic() && readSymbols())
      return std::move(out);
    return badInput(109, "the artifact's code is refused", failure, "compiling the model again");
  }

private:
  bool fail(std::string why) {
    failure = std::move(why);
    return false;
  }
  /// A copy of the record at a file offset, so that alignment does not matter.
  template <class T> bool read(uint64_t offset, T &record) const {
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
      return false;
    std::memcpy(&record, bytes.data() + offset, sizeof(T));
    return true;
  }
  /// The file offset of `count` bytes at an address; false when no segment's file part has them
  /// all.
  bool fileOffset(uint64_t address, uint64_t count, uint64_t &offset) const;
  bool isExecutable(uint64_t address) const;
  bool isWritable(uint64_t address, uint64_t count) const;

  bool readHeader();
  bool readSegments();
  bool checkLoad(const Elf64_Phdr &p, uint64_t &lastEnd);
  bool readDynamic();
  bool countSymbols(uint32_t &count);
  bool countByGnuHash(uint32_t &count);
  bool readSymbols();
  bool readName(uint32_t name, std::string_view &text) const;

  std::span<const std::byte> bytes;
  std::string failure = "it is no ELF shared object for 64-bit little-endian machines";
  ElfFile out;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> loads;
  Elf64_Phdr dynamic{};
  uint64_t symbolTable = 0, stringTable = 0, stringBytes = 0, hash = 0, gnuHash = 0;
};

bool ElfParser::readHeader() {
  if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_ident[EI_VERSION] != EV_CURRENT || header.e_type != ET_DYN)
    return false;
  out.target = header.e_machine == EM_X86_64    ? Machine::X86_64
               : header.e_machine == EM_AARCH64 ? Machine::AArch64
                                                : Machine::Other;
  if (out.target == Machine::Other)
    return fail("it is for machine " + std::to_string(header.e_machine) +
                ", which no runtime of ours is for");
  return header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum > 0 && header.e_phnum <= 64;
}

bool ElfParser::checkLoad(const Elf64_Phdr &p, uint64_t &lastEnd) {
  if (p.p_offset > bytes.size() || p.p_filesz > bytes.size() - p.p_offset ||
      p.p_filesz > p.p_memsz || p.p_memsz > maxMemory || p.p_vaddr > (1ull << 46) ||
      p.p_vaddr < lastEnd || (p.p_vaddr - p.p_offset) % 4096)
    return fail("a segment lies outside the file or its place");
  if ((p.p_flags & PF_W) && (p.p_flags & PF_X))
    return fail("a segment is both writable and executable");
  lastEnd = p.p_vaddr + p.p_memsz;
  loads.push_back(p);
  return true;
}

bool ElfParser::readSegments() {
  uint64_t lastEnd = 0;
  for (uint32_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr p;
    if (header.e_phoff > bytes.size() || !read(header.e_phoff + i * sizeof p, p))
      return fail("its program headers lie outside the file");
    if (p.p_type == PT_LOAD && !checkLoad(p, lastEnd))
      return false;
    if (p.p_type == PT_INTERP || p.p_type == PT_TLS)
      return fail("it asks for an interpreter or thread-local storage");
    if (p.p_type == PT_GNU_STACK && (p.p_flags & PF_X))
      return fail("it asks for an executable stack");
    if (p.p_type == PT_DYNAMIC)
      dynamic = p;
  }
  uint64_t offset;
  if (loads.empty() || dynamic.p_type != PT_DYNAMIC ||
      !fileOffset(dynamic.p_vaddr, dynamic.p_filesz, offset) || offset != dynamic.p_offset)
    return fail("it has no dynamic section");
  return true;
}

bool ElfParser::fileOffset(uint64_t address, uint64_t count, uint64_t &offset) const {
  for (const Elf64_Phdr &p : loads)
    if (address >= p.p_vaddr && address - p.p_vaddr <= p.p_filesz &&
        count <= p.p_filesz - (address - p.p_vaddr)) {
      offset = p.p_offset + (address - p.p_vaddr);
      return true;
    }
  return false;
}

bool ElfParser::isExecutable(uint64_t address) const {
  for (const Elf64_Phdr &p : loads)
    if ((p.p_flags & PF_X) && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
      return true;
  return false;
}

bool ElfParser::isWritable(uint64_t address, uint64_t count) const {
  for (const Elf64_Phdr &p : loads)
    if ((p.p_flags & PF_W) && address >= p.p_vaddr && address - p.p_vaddr <= p.p_memsz &&
        count <= p.p_memsz - (address - p.p_vaddr))
      return true;
  return false;
}

bool ElfParser::readDynamic() {
  for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn d;
    if (!read(dynamic.p_offset + at, d))
      return fail("its dynamic section lies outside the file");
    if (d.d_tag == DT_NULL)
      return true;
    for (int64_t tag : refusedTags)
      if (d.d_tag == tag)
        return fail("its dynamic section has tag " + std::to_string(tag) +
                    " (another library, a search path, text relocations or start-up code)");
    if (d.d_tag == DT_FLAGS && (d.d_un.d_val & DF_TEXTREL))
      return fail("it has text relocations");
    if (d.d_tag == DT_SYMENT && d.d_un.d_val != sizeof(Elf64_Sym))
      return fail("its symbols have an unknown size");
    uint64_t *place = d.d_tag == DT_SYMTAB     ? &symbolTable
                      : d.d_tag == DT_STRTAB   ? &stringTable
                      : d.d_tag == DT_STRSZ    ? &stringBytes
                      : d.d_tag == DT_HASH     ? &hash
                      : d.d_tag == DT_GNU_HASH ? &gnuHash
                                               : nullptr;
    if (place)
      *place = d.d_un.d_val;
  }
  return fail("its dynamic section does not end");
}

/// DT_GNU_HASH knows the last symbol of each chain only: find the highest bucket, walk to its end.
bool ElfParser::countByGnuHash(uint32_t &count) {
  uint64_t at;
  uint32_t head[4]; // buckets, first symbol, bloom words, shift
  if (!fileOffset(gnuHash, sizeof head, at) || !read(at, head))
    return false;
  uint64_t buckets = at + sizeof head + uint64_t{head[2]} * 8;
  uint64_t chains = buckets + uint64_t{head[0]} * 4;
  if (chains > bytes.size())
    return false;
  uint32_t last = 0;
  for (uint32_t i = 0, symbol; i < head[0]; ++i) {
    if (!read(buckets + uint64_t{i} * 4, symbol))
      return false;
    last = symbol > last ? symbol : last;
  }
  count = head[1];
  if (last < head[1])
    return true; // no defined symbols
  for (uint32_t entry = 0; !(entry & 1); ++last)
    if (!read(chains + uint64_t{last - head[1]} * 4, entry))
      return false;
  count = last;
  return true;
}

bool ElfParser::countSymbols(uint32_t &count) {
  uint64_t at;
  uint32_t head[2]; // buckets, chains: one chain entry a symbol
  if (hash) {
    if (!fileOffset(hash, sizeof head, at) || !read(at, head))
      return false;
    count = head[1];
    return true;
  }
  return gnuHash && countByGnuHash(count);
}

bool ElfParser::readName(uint32_t name, std::string_view &text) const {
  uint64_t at;
  if (name >= stringBytes || !fileOffset(stringTable, stringBytes, at))
    return false;
  auto *begin = reinterpret_cast<const char *>(bytes.data() + at + name);
  size_t length = ::strnlen(begin, stringBytes - name);
  text = {begin, length};
  return length < stringBytes - name;
}

bool ElfParser::readSymbols() {
  failure = "its dynamic symbols are broken";
  uint32_t count = 0;
  uint64_t table;
  if (!countSymbols(count) || !fileOffset(symbolTable, uint64_t{count} * sizeof(Elf64_Sym), table))
    return false;
  for (uint32_t i = 1; i < count; ++i) { // symbol 0 is a placeholder
    Elf64_Sym s;
    std::string_view name;
    if (!read(table + uint64_t{i} * sizeof s, s) || !readName(s.st_name, name))
      return false;
    if (s.st_shndx == SHN_UNDEF)
      return fail("it calls '" + std::string(name.substr(0, 100)) +
                  "' directly and not through the import table");
    unsigned type = ELF64_ST_TYPE(s.st_info);
    if ((type == STT_FUNC || type == STT_NOTYPE) && isExecutable(s.st_value))
      out.functions.emplace(name, s.st_value);
    if (name == "imx_imports") {
      if (type != STT_OBJECT || s.st_value % 8 || !isWritable(s.st_value, s.st_size))
        return fail("its import table lies outside writable memory");
      out.importPointers = s.st_size / 8;
    }
  }
  return true;
}

Result<ElfFile> ElfFile::parse(std::span<const std::byte> bytes) { return ElfParser(bytes).run(); }

} // namespace imbrex::runtime
