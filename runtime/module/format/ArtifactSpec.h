// An artifact's contents as plain structs: what the compiler hands to the writer, and what the
// reader gives back. The fields are those of Artifact.fbs, where their meaning is written.
#pragma once

#include "support/DType.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace imbrex::artifact {

/// A literal value, or a slot of the function's size vector.
struct SizeSpec {
  int64_t value = 0;
  int32_t slot = -1;

  static SizeSpec literal(int64_t value) { return {value, -1}; }
  static SizeSpec inSlot(int32_t slot) { return {0, slot}; }
  bool isLiteral() const { return slot < 0; }
  bool operator==(const SizeSpec &) const = default;
};

struct DimSpec {
  SizeSpec size;
  std::string name; // "" where the dimension has none
  bool operator==(const DimSpec &) const = default;
};

struct TypeSpec {
  DType dtype = DType::Invalid;
  std::vector<DimSpec> dims;
  bool operator==(const TypeSpec &) const = default;
};

struct SymbolSpec {
  std::string name;
  uint32_t input = 0;
  uint32_t axis = 0;
  int64_t lo = 0;
  int64_t hi = std::numeric_limits<int64_t>::max();
  int64_t divisor = 1;
  bool operator==(const SymbolSpec &) const = default;
};

struct PortSpec {
  std::string name;
  TypeSpec type;
  bool donated = false;
  bool operator==(const PortSpec &) const = default;
};

/// `bytes` is borrowed: the compiler's tensor when writing, the mapped section when reading.
struct ConstantSpec {
  std::string name;
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
  bool gathered = false;
};

struct AliasSpec {
  uint16_t result = 0;
  uint16_t operand = 0;
  bool operator==(const AliasSpec &) const = default;
};

struct KernelSpec {
  std::string name;
  std::string entry;
  uint16_t operands = 0;
  uint16_t results = 0;
  uint16_t dims = 0;
  std::vector<std::string> checks;
  std::vector<std::string> sources;
  int64_t flops = 0;
  bool pure = true;
  bool unaligned = false;
  std::vector<TypeSpec> args; // empty, or one per operand and result
  std::string plan;           // "": `grid` and `scratchBytes` hold for every launch
  int64_t grid = 0;
  int64_t scratchBytes = 0; // per thread
  std::vector<AliasSpec> aliases;
  int32_t group = -1;
  uint32_t clampedReads = 0;
  bool proven = false; // in bounds and each element written once, for all sizes
  std::string work, form;
  std::vector<uint16_t> gathered;
  bool operator==(const KernelSpec &) const = default;
};

struct SizesSpec {
  std::string name;
  std::string entry;
  uint32_t inputs = 0;
  uint32_t outputs = 0;
  std::vector<std::string> checks;
  bool operator==(const SizesSpec &) const = default;
};

/// `code` is borrowed, as constants are. `kind`: "elf-x86-64", "elf-aarch64", or what another
/// loader knows.
struct VariantSpec {
  std::string kind;
  std::string target;
  std::vector<std::string> features;
  uint16_t priority = 0;
  std::span<const std::byte> code;
};

/// A value of the graph.
struct EdgeSpec {
  static constexpr int32_t input = -1, argument = -2, constant = -3, absent = -4;
  int32_t node = absent; // or one of these
  uint16_t index = 0;
  bool operator==(const EdgeSpec &) const = default;
};

struct FunctionSpec {
  std::string name;
  std::vector<PortSpec> inputs;
  std::vector<PortSpec> outputs;
  std::vector<SymbolSpec> symbols;
  int32_t sizes = -1;
  uint32_t sizeSlots = 0;
  uint32_t registers = 0;
  SizeSpec arena;
  std::vector<uint32_t> code;
  std::vector<std::string> slotNames;
  std::vector<std::string> facts;
  std::vector<EdgeSpec> results;
  bool operator==(const FunctionSpec &) const = default;
};

struct NodeSpec {
  std::string name, op, attributes;
  uint32_t function = 0;
  int32_t parent = -1;
  uint8_t region = 0;
  int32_t group = -1;
  std::vector<EdgeSpec> operands;
  std::vector<std::string> results;
  std::vector<EdgeSpec> yields;
  bool operator==(const NodeSpec &) const = default;
};

struct RewriteSpec {
  std::string rule, contract, node;
  bool operator==(const RewriteSpec &) const = default;
};

struct ExternalSpec {
  std::string name;
  std::string library;
  int32_t stateSection = -1;
  bool operator==(const ExternalSpec &) const = default;
};

struct ArtifactSpec {
  std::string producer;
  std::string model;
  std::string modelHash;
  std::vector<FunctionSpec> functions;
  uint32_t entry = 0;
  std::vector<KernelSpec> kernels;
  std::vector<SizesSpec> sizes;
  std::vector<ConstantSpec> constants;
  std::vector<std::string> imports;
  std::vector<std::string> hostOps;
  std::vector<VariantSpec> variants;
  std::vector<std::string> remarks;
  uint32_t kernelAbi = 1;
  std::vector<ExternalSpec> externals;
  std::vector<NodeSpec> nodes;
  std::vector<RewriteSpec> rewrites;
};

} // namespace imbrex::artifact
