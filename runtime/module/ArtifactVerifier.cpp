#include "runtime/module/ArtifactVerifier.h"

#include "runtime/abi/bytecode.h"
#include "runtime/abi/kernel.h"
#include "runtime/module/CodeLoader.h"
#include "runtime/module/ElfFile.h"

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;

Error wrong(const std::string &where, const std::string &why) {
  return badInput(
      107, "the artifact is inconsistent", where + ": " + why,
      "compiling the model again; if that does not help, it is a defect of the compiler");
}

bool isDType(DType t) { return byteSize(t) > 0; }

/// A size is a literal ≥ `least`, or a slot below `slots`.
bool isSize(SizeSpec s, uint32_t slots, int64_t least) {
  if (s.slot >= 0)
    return static_cast<uint32_t>(s.slot) < slots && s.value == 0;
  return s.slot == -1 && s.value >= least;
}

bool isType(const TypeSpec &t, uint32_t slots, int64_t least) {
  bool good = isDType(t.dtype) && t.dims.size() <= bytecode::maxRank;
  int64_t product = byteSize(t.dtype);
  for (const DimSpec &d : t.dims) {
    good = good && isSize(d.size, slots, least);
    bool counts = d.size.isLiteral() && d.size.value > 0;
    good = good && (!counts || !__builtin_mul_overflow(product, d.size.value, &product));
  }
  return good;
}

Status checkSymbols(const FunctionSpec &f, const std::string &where) {
  for (const SymbolSpec &s : f.symbols) {
    bool real = s.input < f.inputs.size() && s.axis < f.inputs[s.input].type.dims.size();
    if (!real)
      return wrong(where, "symbol '" + s.name + "' refers to no input's axis");
    if (s.lo < 0 || s.lo > s.hi || s.divisor < 1)
      return wrong(where, "symbol '" + s.name + "' has an empty range");
  }
  return {};
}

Status checkFunction(const FunctionSpec &f, const ArtifactSpec &spec, size_t index) {
  std::string where = "function " + std::to_string(index) + " '" + f.name + "'";
  if (f.sizeSlots > bytecode::maxSlots || f.symbols.size() > f.sizeSlots)
    return wrong(where, "its size vector does not fit its symbols");
  if (f.registers > bytecode::maxRegisters || f.inputs.size() > f.registers ||
      f.inputs.size() > bytecode::maxListLength || f.outputs.size() > bytecode::maxListLength)
    return wrong(where, "its registers do not fit its inputs");
  for (const auto *ports : {&f.inputs, &f.outputs})
    for (const PortSpec &p : *ports)
      if (!isType(p.type, f.sizeSlots, 0))
        return wrong(where, "the type of '" + p.name + "' is no type");
  if (Status s = checkSymbols(f, where); !s)
    return s;
  if (f.sizes < -1 || f.sizes >= static_cast<int64_t>(spec.sizes.size()))
    return wrong(where, "its sizes function does not exist");
  if (f.sizes >= 0) {
    const SizesSpec &s = spec.sizes[static_cast<size_t>(f.sizes)];
    if (uint64_t{s.inputs} + s.outputs > f.sizeSlots)
      return wrong(where, "its sizes function needs more slots than there are");
  }
  if (!isSize(f.arena, f.sizeSlots, 0))
    return wrong(where, "its arena has no size");
  return {};
}

Status checkKernel(const KernelSpec &k, size_t index) {
  std::string where = "kernel " + std::to_string(index) + " '" + k.name + "'";
  if (k.entry.empty())
    return wrong(where, "it has no entry");
  if (k.grid < 0 || k.scratchBytes < 0)
    return wrong(where, "its grid or its scratch memory is negative");
  for (const AliasSpec &a : k.aliases)
    if (a.result >= k.results || a.operand >= k.operands)
      return wrong(where, "a result shares the storage of no operand");
  for (uint16_t operand : k.gathered)
    if (operand >= k.operands)
      return wrong(where, "it gathers from an operand that it does not have");
  if (k.args.empty())
    return {};
  if (k.args.size() != size_t{k.operands} + k.results)
    return wrong(where, "it types " + std::to_string(k.args.size()) + " of its arguments");
  for (const TypeSpec &t : k.args)
    if (!isType(t, k.dims, -1))
      return wrong(where, "the type of an argument is no type");
  return {};
}

Status checkConstant(const ConstantSpec &c, size_t index) {
  int64_t bytes = byteSize(c.dtype);
  bool good = bytes > 0 && c.shape.size() <= bytecode::maxRank;
  for (int64_t d : c.shape)
    good = good && d >= 0 && !__builtin_mul_overflow(bytes, d, &bytes);
  if (!good || static_cast<uint64_t>(bytes) != c.bytes.size())
    return wrong("constant " + std::to_string(index) + " '" + c.name + "'",
                 "its bytes do not fit its type");
  return {};
}

/// The graph is for people: its edges exist and go forward, nothing more.
Status checkGraph(const ArtifactSpec &spec) {
  auto known = [&](const std::vector<EdgeSpec> &list, size_t count) {
    for (const EdgeSpec &e : list)
      if (e.node < EdgeSpec::absent || e.node >= static_cast<int64_t>(count))
        return false;
    return true;
  };
  for (size_t i = 0; i < spec.nodes.size(); ++i) {
    const NodeSpec &n = spec.nodes[i];
    if (n.function >= spec.functions.size() || n.parent < -1 ||
        n.parent >= static_cast<int64_t>(i) || !known(n.operands, i) ||
        !known(n.yields, spec.nodes.size()))
      return wrong("node " + std::to_string(i) + " '" + n.name + "'",
                   "it refers to what does not exist");
  }
  for (const FunctionSpec &f : spec.functions)
    if (!known(f.results, spec.nodes.size()) || f.slotNames.size() > f.sizeSlots)
      return wrong("function '" + f.name + "'", "it refers to nodes or slots that do not exist");
  return {};
}

/// The file of a variant of a known kind; others are somebody else's to judge.
Status checkVariant(const VariantSpec &v) {
  std::optional<Machine> machine = machineOfKind(v.kind);
  if (!machine)
    return {};
  Result<ElfFile> elf = ElfFile::parse(v.code);
  if (!elf) {
    Error e = elf.takeError();
    e.what += " (variant '" + v.target + "')";
    return e;
  }
  if (elf->machine() != *machine)
    return wrong("variant '" + v.target + "'", "its code is not of the kind " + v.kind);
  return {};
}

/// The variant that this machine would load defines everything.
Status checkComplete(const VariantSpec &v, const ArtifactSpec &spec) {
  Result<ElfFile> elf = ElfFile::parse(v.code);
  if (!elf)
    return elf.takeError();
  auto missing = [&](const std::string &symbol) {
    return badInput(109, "the artifact's code is refused (variant '" + v.target + "')",
                    "it does not define '" + symbol + "'", "compiling the model again");
  };
  for (const KernelSpec &k : spec.kernels)
    for (const std::string *symbol : {&k.entry, &k.plan})
      if (!symbol->empty() && !elf->definesFunction(*symbol))
        return missing(*symbol);
  for (const SizesSpec &s : spec.sizes)
    if (!elf->definesFunction(s.entry))
      return missing(s.entry);
  return {};
}

} // namespace

Status verifyArtifact(const ArtifactSpec &spec) {
  if (spec.kernelAbi != IMX_ABI_VERSION)
    return unsupported(102,
                       "the artifact's kernels have ABI version " + std::to_string(spec.kernelAbi),
                       "this runtime calls version " + std::to_string(IMX_ABI_VERSION),
                       "a runtime of the compiler's version");
  if (!spec.externals.empty())
    return unsupported(
        115, "the artifact calls kernels of the library '" + spec.externals[0].library + "'",
        "this runtime loads none", "compiling the model without that library");
  if (spec.entry >= spec.functions.size())
    return wrong("the artifact", "its entry function does not exist");
  for (size_t i = 0; i < spec.kernels.size(); ++i)
    if (Status s = checkKernel(spec.kernels[i], i); !s)
      return s;
  for (size_t i = 0; i < spec.constants.size(); ++i)
    if (Status s = checkConstant(spec.constants[i], i); !s)
      return s;
  for (size_t i = 0; i < spec.functions.size(); ++i)
    if (Status s = checkFunction(spec.functions[i], spec, i); !s)
      return s;
  for (const FunctionSpec &f : spec.functions)
    if (Status s = verifyBytecode(f, spec); !s)
      return s;
  if (Status s = checkGraph(spec); !s)
    return s;
  for (const VariantSpec &v : spec.variants)
    if (Status s = checkVariant(v); !s)
      return s;
  // An artifact for other machines can be read here, and says so when it is to run.
  if (auto chosen = chooseVariant(spec); chosen.ok())
    return checkComplete(**chosen, spec);
  return {};
}

} // namespace imbrex::runtime
