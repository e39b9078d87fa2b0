#include "compiler/codegen/bytecode/ShareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <map>

namespace imbrex::codegen {

using namespace mlir;

namespace {

/// From so many functions on that differ in numbers, these become dims.
constexpr size_t kMinParameterized = 8;
/// A launch passes each number.
constexpr size_t kMaxNumbers = 8;

/// A number that a kernel computes indices with; nothing for any other operation.
std::optional<int64_t> indexNumber(Operation *op) {
  auto constant = dyn_cast<arith::ConstantIndexOp>(op);
  return constant ? std::optional(constant.value()) : std::nullopt;
}

/// One kernel: its record, its functions, and the operations of its body in order.
struct Kernel {
  vm::KernelOp record;
  func::FuncOp entry, body;
  std::vector<Operation *> ops;
  std::vector<int64_t> numbers; // of all indexNumber operations, in order
  llvm::hash_code hash = 0;
};

std::optional<Kernel> kernelOf(vm::KernelOp record, SymbolTable &functions) {
  Kernel k;
  k.record = record;
  k.entry = functions.lookup<func::FuncOp>(record.getSymName());
  k.body = functions.lookup<func::FuncOp>((record.getSymName() + ".body").str());
  if (!k.entry || !k.body)
    return std::nullopt;
  k.hash = llvm::hash_value(k.body.getFunctionType().getAsOpaquePointer());
  k.body.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    k.ops.push_back(op);
    k.hash = llvm::hash_combine(k.hash, op->getName(), op->getNumOperands(), op->getResultTypes());
    if (auto number = indexNumber(op))
      k.numbers.push_back(*number);
    else
      k.hash = llvm::hash_combine(k.hash, op->getAttrDictionary());
  });
  return k;
}

/// The same operations on the same values, whatever the numbers are.
class Comparison {
public:
  bool same(Kernel &a, Kernel &b) {
    if (a.hash != b.hash || a.ops.size() != b.ops.size() ||
        a.body.getFunctionType() != b.body.getFunctionType() ||
        a.body.getArgAttrsAttr() != b.body.getArgAttrsAttr() ||
        !sameBlocks(a.body.getBody(), b.body.getBody()))
      return false;
    for (auto [x, y] : llvm::zip(a.ops, b.ops))
      if (!sameOp(x, y))
        return false;
    return true;
  }

private:
  bool sameOp(Operation *x, Operation *y) {
    if (x->getName() != y->getName() || x->getNumOperands() != y->getNumOperands() ||
        x->getResultTypes() != y->getResultTypes() || x->getNumRegions() != y->getNumRegions() ||
        x->getNumSuccessors() || y->getNumSuccessors() ||
        blocks.lookup(x->getBlock()) != y->getBlock())
      return false;
    if (!indexNumber(x) && x->getAttrDictionary() != y->getAttrDictionary())
      return false;
    for (auto [u, v] : llvm::zip(x->getOperands(), y->getOperands()))
      if (values.lookup(u) != v)
        return false;
    for (auto [u, v] : llvm::zip(x->getResults(), y->getResults()))
      values[u] = v;
    for (auto [u, v] : llvm::zip(x->getRegions(), y->getRegions()))
      if (!sameBlocks(u, v))
        return false;
    return true;
  }
  bool sameBlocks(Region &x, Region &y) {
    if (x.getBlocks().size() != y.getBlocks().size())
      return false;
    for (auto [p, q] : llvm::zip(x, y)) {
      if (p.getArgumentTypes() != q.getArgumentTypes())
        return false;
      blocks[&p] = &q;
      for (auto [u, v] : llvm::zip(p.getArguments(), q.getArguments()))
        values[u] = v;
    }
    return true;
  }

  DenseMap<Value, Value> values;
  DenseMap<Block *, Block *> blocks;
};

/// Kernels of the same operations.
using Family = std::vector<Kernel>;

/// The operations whose numbers differ in a family, by their place among all numbers; nothing when
/// there are too many, or code is better for knowing one.
std::optional<std::vector<size_t>> differing(const Family &family) {
  std::vector<size_t> places;
  size_t at = 0;
  for (Operation *op : family[0].ops) {
    if (!indexNumber(op))
      continue;
    auto differs = [&](const Kernel &k) { return k.numbers[at] != family[0].numbers[at]; };
    if (llvm::any_of(family, differs)) {
      bool added = llvm::all_of(op->getUsers(), [](Operation *u) { return isa<arith::AddIOp>(u); });
      bool negative = llvm::any_of(family, [&](const Kernel &k) { return k.numbers[at] < 0; });
      if (!added || negative || places.size() == kMaxNumbers)
        return std::nullopt;
      places.push_back(at);
    }
    ++at;
  }
  return places;
}

/// Makes the numbers at `places` of a kernel's functions parameters behind its dims.
void parameterize(Kernel &k, ArrayRef<size_t> places) {
  const size_t dims = k.record.getDims().size();
  std::vector<Operation *> numbers;
  for (Operation *op : k.ops)
    if (indexNumber(op))
      numbers.push_back(op);
  auto call = cast<func::CallOp>(*k.entry.getBody().front().getOps<func::CallOp>().begin());
  SmallVector<Value> arguments(call.getOperands());
  OpBuilder b(call);
  Type i64 = b.getI64Type();
  for (auto [j, place] : llvm::enumerate(places)) {
    Operation *number = numbers[place];
    const unsigned at = k.body.getNumArguments() - 2; // before the range of grid points
    (void)k.body.insertArgument(at, i64, {}, number->getLoc());
    OpBuilder inside = OpBuilder::atBlockBegin(&k.body.getBody().front());
    Value index = arith::IndexCastOp::create(inside, number->getLoc(), inside.getIndexType(),
                                             k.body.getArgument(at));
    number->getResult(0).replaceAllUsesWith(index);
    number->erase();
    Value base = k.entry.getArgument(2);
    Value from = LLVM::GEPOp::create(b, call.getLoc(), base.getType(), b.getI8Type(), base,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(8 * (dims + j))});
    arguments.insert(arguments.end() - 2, LLVM::LoadOp::create(b, call.getLoc(), i64, from));
  }
  call->setOperands(arguments);
}

void serveBy(Kernel &k, Kernel &shared) {
  k.record->setAttr(kEntry, shared.record.getSymNameAttr());
  k.entry.erase();
  k.body.erase();
}

void share(Family &family) {
  std::map<std::vector<int64_t>, std::vector<Kernel *>> equal; // by their numbers
  for (Kernel &k : family)
    equal[k.numbers].push_back(&k);
  auto places = equal.size() > kMinParameterized ? differing(family) : std::nullopt;
  if (!places) {
    for (auto &[numbers, kernels] : equal)
      for (Kernel *k : llvm::drop_begin(kernels))
        serveBy(*k, *kernels[0]);
    return;
  }
  Builder b(family[0].record.getContext());
  parameterize(family[0], *places);
  for (Kernel &k : family) {
    SmallVector<Attribute> dims(k.record.getDims().getValue());
    for (size_t place : *places)
      dims.push_back(b.getStringAttr(std::to_string(k.numbers[place])));
    k.record.setDimsAttr(b.getArrayAttr(dims));
    if (&k != &family[0])
      serveBy(k, family[0]);
  }
}

} // namespace

void shareKernels(ModuleOp module, ModuleOp kernels) {
  SymbolTable functions(kernels);
  std::vector<Family> families;
  DenseMap<size_t, SmallVector<size_t, 1>> byHash;
  for (vm::KernelOp record : module.getOps<vm::KernelOp>()) {
    auto k = kernelOf(record, functions);
    if (!k)
      continue;
    auto &candidates = byHash[size_t(k->hash)];
    auto found =
        llvm::find_if(candidates, [&](size_t f) { return Comparison().same(families[f][0], *k); });
    if (found != candidates.end()) {
      families[*found].push_back(std::move(*k));
      continue;
    }
    candidates.push_back(families.size());
    families.push_back({std::move(*k)});
  }
  for (Family &family : families)
    share(family);
}

} // namespace imbrex::codegen
