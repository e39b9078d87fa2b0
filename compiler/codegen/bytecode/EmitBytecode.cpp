#include "compiler/codegen/bytecode/EmitBytecode.h"

#include "compiler/codegen/bytecode/EmitFunction.h"
#include "compiler/codegen/bytecode/ShareKernels.h"
#include "runtime/abi/bytecode.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <map>

namespace imbrex::codegen {

using namespace mlir;

/// The places of a kernel's operands that it gathers from.
static ArrayRef<int64_t> gathered(vm::KernelOp kernel) {
  auto places = kernel->getAttrOfType<DenseI64ArrayAttr>(vm::kGathered);
  return places ? places.asArrayRef() : ArrayRef<int64_t>();
}

/// Whether all that read `value`, through aliases too, are kernels that gather from it.
static bool isGathered(Value value, const SymbolTable &symbols) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (auto alias = dyn_cast<vm::AliasOp>(use.getOwner()))
      return isGathered(alias.getResult(), symbols);
    auto launch = dyn_cast<vm::LaunchOp>(use.getOwner());
    auto kernel = launch ? symbols.lookup<vm::KernelOp>(launch.getKernel()) : vm::KernelOp();
    return kernel && llvm::is_contained(gathered(kernel), use.getOperandNumber());
  });
}

/// The bytes of a constant as the artifact stores them: one byte a Bool. Two of the same type and
/// bytes are one, whatever they are called.
static Status addConstant(relay::ConstantOp op, const SymbolTable &symbols, ArtifactTables &tables,
                          std::multimap<uint64_t, uint32_t> &byContent,
                          artifact::ArtifactSpec &spec, std::vector<HostTensor> &keep) {
  const bool picked = isGathered(op.getResult(), symbols);
  auto alike = [&](uint32_t index) {
    spec.constants[index].gathered &= picked;
    return Status();
  };
  if (auto it = tables.constants.find(op.getValueAttr()); it != tables.constants.end())
    return alike(it->second);
  auto value = relay::toHostTensor(op.getValueAttr());
  if (!value)
    return value.takeError();
  const std::span<const std::byte> bytes = value->bytes();
  const uint64_t hash =
      llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  for (auto [at, end] = byContent.equal_range(hash); at != end; ++at)
    if (const HostTensor &same = keep[at->second]; same.type() == value->type() &&
                                                   same.shape() == value->shape() &&
                                                   std::ranges::equal(same.bytes(), bytes)) {
      tables.constants[op.getValueAttr()] = at->second;
      return alike(at->second);
    }
  keep.push_back(value.take());
  const HostTensor &t = keep.back();
  const auto index = static_cast<uint32_t>(spec.constants.size());
  tables.constants[op.getValueAttr()] = index;
  byContent.emplace(hash, index);
  artifact::ConstantSpec c;
  if (auto name = dyn_cast<NameLoc>(op.getLoc()))
    c.name = name.getName().str();
  c.dtype = t.type();
  c.shape = t.shape();
  c.bytes = t.bytes();
  c.gathered = picked;
  spec.constants.push_back(std::move(c));
  return {};
}

/// A tensor type over a kernel's dims: a size is a literal, the place of a whole symbol among the
/// dims, or not checked.
static artifact::TypeSpec argumentType(relay::TensorType type, vm::KernelOp kernel) {
  auto names = llvm::to_vector(kernel.getDims().getAsValueRange<StringAttr>());
  artifact::TypeSpec out;
  out.dtype = type.getDType();
  for (const DimExpr &d : type.getDims()) {
    artifact::SizeSpec size = artifact::SizeSpec::literal(d.constant().value_or(-1));
    if (auto symbol = d.asSymbol())
      if (auto it = llvm::find(names, StringRef(*symbol)); it != names.end())
        size = artifact::SizeSpec::inSlot(static_cast<int32_t>(it - names.begin()));
    out.dims.push_back({size, d.constant() ? "" : d.str()});
  }
  return out;
}

/// The types of a kernel's arguments, for the runtime's check of each launch: those of the values
/// that it is launched with. Nothing when it is launched with different types.
static std::vector<artifact::TypeSpec> argumentTypes(vm::KernelOp kernel,
                                                     ArrayRef<vm::LaunchOp> launches) {
  std::vector<artifact::TypeSpec> out;
  for (vm::LaunchOp launch : launches) {
    std::vector<artifact::TypeSpec> types;
    for (Value v : llvm::concat<Value>(launch.getInputs(), launch.getOutputs()))
      types.push_back(argumentType(relay::tensorType(v), kernel));
    if (!out.empty() && out != types)
      return {};
    out = std::move(types);
  }
  return out;
}

/// How a kernel is launched: a grid that is a number stands in the record; one over the kernel's
/// dims is compiled into a plan, shared by all kernels whose grids are the same over the places of
/// their dims.
static Status planLaunch(vm::KernelOp op, ModuleOp kernels, llvm::StringMap<std::string> &plans,
                         artifact::KernelSpec &k) {
  if (op->hasAttr(vm::kTile)) {
    k.plan = k.entry + ".plan"; // the code knows its scratch memory
    return {};
  }
  auto grid = DimExpr::parse(op.getGrid().str());
  if (!grid)
    return internalError(602, "the grid of kernel " + k.name + " is no size");
  if (auto points = grid->constant()) {
    k.grid = *points;
    return {};
  }
  auto names = llvm::to_vector(op.getDims().getAsValueRange<StringAttr>());
  bool known = true;
  DimExpr placed = grid->substitute([&](std::string_view symbol) -> std::optional<DimExpr> {
    auto it = llvm::find(names, StringRef(symbol));
    known &= it != names.end();
    return DimExpr::symbol("d" + std::to_string(it - names.begin()));
  });
  if (!known)
    return internalError(602, "the grid of kernel " + k.name + " is not over its sizes");
  auto [it, made] = plans.try_emplace(placed.str(), "plan_" + std::to_string(plans.size()));
  k.plan = it->second;
  if (made)
    emitSizesFunction(kernels, k.plan, {{placed}, {DimExpr(0)}}, [](StringRef symbol) {
      uint32_t place = 0;
      symbol.drop_front().getAsInteger(10, place);
      return place;
    });
  return {};
}

static Result<artifact::KernelSpec> kernelSpec(vm::KernelOp op, ArrayRef<vm::LaunchOp> launches) {
  artifact::KernelSpec k;
  k.name = k.entry = op.getSymName().str();
  if (auto shared = op->getAttrOfType<StringAttr>(kEntry))
    k.entry = shared.str();
  if (std::max({op.getOperands(), op.getResults(), op.getDims().size()}) > bytecode::maxListLength)
    return unsupported(603, "the kernel " + k.name +
                                " has more operands, results or sizes than an artifact holds");
  k.operands = static_cast<uint16_t>(op.getOperands());
  k.results = static_cast<uint16_t>(op.getResults());
  k.dims = static_cast<uint16_t>(op.getDims().size());
  for (auto s : op.getChecks().getAsValueRange<StringAttr>())
    k.checks.push_back(s.str());
  for (auto s : op.getSources().getAsValueRange<StringAttr>())
    k.sources.push_back(s.str());
  k.flops = op.getFlops();
  if (auto group = op->getAttrOfType<IntegerAttr>(vm::kGroup))
    k.group = static_cast<int32_t>(group.getInt());
  if (auto work = op->getAttrOfType<StringAttr>(vm::kWork))
    k.work = work.str();
  if (auto clamped = op->getAttrOfType<IntegerAttr>(vm::kClamped))
    k.clampedReads = static_cast<uint32_t>(clamped.getInt());
  k.proven = op->hasAttr(vm::kTile);
  if (auto form = op->getAttrOfType<StringAttr>(vm::kForm))
    k.form = form.str();
  for (int64_t operand : gathered(op))
    k.gathered.push_back(static_cast<uint16_t>(operand));
  k.args = argumentTypes(op, launches);
  return k;
}

Result<BytecodeModule> emitBytecode(ModuleOp module, ModuleOp kernels, StringRef entry) {
  BytecodeModule out;
  ArtifactTables tables;
  llvm::StringMap<std::string> plans;
  llvm::StringMap<SmallVector<vm::LaunchOp, 1>> launches;
  module.walk([&](vm::LaunchOp op) { launches[op.getKernel()].push_back(op); });
  for (vm::KernelOp op : module.getOps<vm::KernelOp>()) {
    auto k = kernelSpec(op, launches.lookup(op.getSymName()));
    if (!k)
      return k.takeError();
    if (auto s = planLaunch(op, kernels, plans, *k); !s)
      return s.takeError();
    tables.records[op.getSymName()] = op;
    tables.kernels[op.getSymName()] = static_cast<uint32_t>(out.spec.kernels.size());
    out.spec.kernels.push_back(k.take());
  }
  for (relay::FuncOp func : module.getOps<relay::FuncOp>()) {
    auto index = static_cast<uint32_t>(tables.functions.size());
    tables.functions[func.getSymName()] = index;
    if (func.getSymName() == entry)
      out.spec.entry = index;
  }
  module.walk([&](vm::HostOp op) {
    auto [it, isNew] = tables.hostOps.try_emplace(op.getFunction(),
                                                  static_cast<uint32_t>(out.spec.hostOps.size()));
    if (isNew)
      out.spec.hostOps.push_back(op.getFunction().str());
  });
  if (!tables.functions.contains(entry))
    return internalError(602, "there is no function " + entry.str() + " to enter");
  Status status;
  std::multimap<uint64_t, uint32_t> byContent; // indices of constants
  const SymbolTable symbols(module);
  module.walk([&](relay::ConstantOp op) {
    if (status)
      status = addConstant(op, symbols, tables, byContent, out.spec, out.constants);
  });
  if (!status)
    return status.takeError();
  for (relay::FuncOp func : module.getOps<relay::FuncOp>()) {
    auto f = FunctionEmitter(func, kernels, tables, out.spec).emit();
    if (!f)
      return f.takeError();
    out.spec.functions.push_back(f.take());
  }
  return out;
}

} // namespace imbrex::codegen
