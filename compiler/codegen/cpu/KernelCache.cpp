#include "compiler/codegen/cpu/KernelCache.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <elf.h>
#include <link.h>

namespace imbrex::codegen {

namespace {

constexpr llvm::StringLiteral kMagic = "imbrex kernel 1\n";
constexpr size_t kDigestChars = 64;

/// The build id among the notes of a loaded object: "" when there is none.
std::string buildId(const dl_phdr_info &object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = object.dlpi_phdr[i];
    if (header.p_type != PT_NOTE)
      continue;
    const char *at = reinterpret_cast<const char *>(object.dlpi_addr + header.p_vaddr);
    const char *end = at + header.p_memsz;
    const size_t step = header.p_align == 8 ? 8 : 4;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto &note = *reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof note, *content = name + llvm::alignTo(note.n_namesz, 4);
      if (note.n_type == NT_GNU_BUILD_ID &&
          llvm::StringRef(name, note.n_namesz) == llvm::StringRef("GNU\0", 4))
        return llvm::toHex(llvm::StringRef(content, note.n_descsz));
      at = content + llvm::alignTo(note.n_descsz, step);
    }
  }
  return {};
}

struct Identities {
  std::vector<std::string> ids;
  bool complete = true;
};

/// The program itself has no name; of the libraries only those of the compiler count.
int collect(dl_phdr_info *object, size_t, void *to) {
  llvm::StringRef name(object->dlpi_name ? object->dlpi_name : "");
  auto &found = *static_cast<Identities *>(to);
  if (!name.empty() && !name.contains("libLLVM") && !name.contains("libMLIR"))
    return 0;
  std::string id = buildId(*object);
  found.complete &= !id.empty();
  found.ids.push_back(id);
  return 0;
}

std::string checksum(const std::string &key, llvm::StringRef object) {
  return digest({key, object});
}

} // namespace

std::string compilerIdentity() {
  Identities found;
  dl_iterate_phdr(collect, &found);
  if (!found.complete || found.ids.empty())
    return {};
  std::sort(found.ids.begin(), found.ids.end());
  return digest(std::vector<llvm::StringRef>(found.ids.begin(), found.ids.end()));
}

KernelCache::KernelCache(const std::string &folder, uint64_t limitBytes) {
  if (folder.empty())
    return;
  identity = compilerIdentity();
  KeptFiles kept(folder, limitBytes);
  Status ready = kept.prepare();
  if (identity.empty())
    remark("machine code is not kept; because this compiler was linked without a build id");
  else if (!ready)
    remark("machine code is not kept; because of this: " + ready.error().what + ": " +
           ready.error().because);
  else
    files.emplace(std::move(kept));
}

void KernelCache::remark(std::string text) {
  std::lock_guard lock(remarking);
  remarks.push_back(std::move(text));
}

std::string KernelCache::keyOf(const KernelUnit &unit, const CpuTarget &target) const {
  const std::string numbers = std::to_string(target.vectorBits);
  return digest({identity, target.triple, target.cpu, target.features, numbers, unit.hash});
}

std::optional<std::vector<char>> KernelCache::find(const std::string &key) {
  if (!files)
    return std::nullopt;
  std::optional<std::string> content = files->read(key);
  if (!content)
    return std::nullopt;
  llvm::StringRef rest(*content);
  if (rest.consume_front(kMagic) && rest.size() > kDigestChars &&
      rest.take_front(kDigestChars) == checksum(key, rest.drop_front(kDigestChars))) {
    rest = rest.drop_front(kDigestChars);
    return std::vector<char>(rest.begin(), rest.end());
  }
  remark("the kept machine code " + files->path(key) + " is compiled again; because it is damaged");
  return std::nullopt;
}

void KernelCache::keep(const std::string &key, const std::vector<char> &object) {
  if (!files)
    return;
  llvm::StringRef bytes(object.data(), object.size());
  const std::string content = kMagic.str() + checksum(key, bytes) + bytes.str();
  if (files->write(key, std::as_bytes(std::span(content))))
    changed = true;
  else if (!refused.exchange(true))
    remark("machine code is not kept; because " + files->path(key) + " cannot be written");
}

std::vector<std::string> KernelCache::close() {
  if (files && changed.exchange(false))
    files->evict();
  return std::move(remarks);
}

} // namespace imbrex::codegen
