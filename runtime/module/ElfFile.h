// Looks into the ELF file of a code variant without loading it.
#pragma once

#include "support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace imbrex::runtime {

enum class Machine : uint8_t { X86_64, AArch64, Other };
/// The machine this runtime was built for.
Machine hostMachine();
/// The machine whose ELF files a code variant of this kind holds; nothing for a kind that is none
/// of ours.
std::optional<Machine> machineOfKind(std::string_view kind);

/// A shared object that meets our rules: 64-bit little-endian, no needed libraries or search paths,
/// no text relocations, no segment both writable and executable, no code run by the loader, nothing
/// undefined.
class ElfFile {
public:
  /// E0109 for what breaks a rule. `bytes` must outlive the result.
  static Result<ElfFile> parse(std::span<const std::byte> bytes);

  Machine machine() const { return target; }
  /// A dynamic symbol that lies in an executable segment.
  bool definesFunction(std::string_view name) const { return functions.contains(name); }
  /// Room of the object `imx_imports` (runtime/abi/kernel.h) in pointers; 0 when there is none.
  size_t importRoom() const { return importPointers; }

private:
  friend class ElfParser;
  Machine target = Machine::Other;
  std::unordered_map<std::string_view, uint64_t> functions;
  size_t importPointers = 0;
};

} // namespace imbrex::runtime
