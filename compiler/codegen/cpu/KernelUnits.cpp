#include "compiler/codegen/cpu/KernelUnits.h"

#include "compiler/codegen/tile-cpu/LowerTile.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace imbrex::codegen {

using namespace mlir;

std::string digest(ArrayRef<StringRef> parts) {
  llvm::SHA256 hash;
  for (StringRef part : parts) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string unitSymbol(const std::string &hash, StringRef function) {
  return ("imx_" + hash.substr(0, 32) + "_" + function).str();
}

namespace {

/// Functions that refer to each other, and each tile kernel, in the module's order; functions that
/// stand alone come last, together.
std::vector<std::vector<Operation *>> components(ModuleOp kernels) {
  SymbolTable table(kernels);
  llvm::EquivalenceClasses<Operation *> together;
  DenseSet<Operation *> linked;
  for (Operation &op : *kernels.getBody()) {
    together.insert(&op);
    if (isa<tile::KernelOp>(op))
      linked.insert(&op); // worth a unit of its own: a model repeats it
    auto uses = SymbolTable::getSymbolUses(&op);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *other = table.lookup(use.getSymbolRef().getRootReference())) {
        together.unionSets(&op, other);
        linked.insert(&op);
        linked.insert(other);
      }
  }
  std::vector<std::vector<Operation *>> found;
  std::vector<Operation *> alone;
  DenseMap<Operation *, size_t> place;
  for (Operation &op : *kernels.getBody()) {
    if (!linked.contains(&op)) {
      alone.push_back(&op);
      continue;
    }
    auto [it, isNew] = place.try_emplace(together.getLeaderValue(&op), found.size());
    if (isNew)
      found.emplace_back();
    found[it->second].push_back(&op);
  }
  if (!alone.empty())
    found.push_back(std::move(alone));
  return found;
}

/// A module of copies of `ops` whose symbols are f0, f1, …
KernelUnit unitOf(ArrayRef<Operation *> ops) {
  MLIRContext *context = ops[0]->getContext();
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(context)));
  DenseMap<StringAttr, StringAttr> names;
  KernelUnit unit;
  for (auto [i, op] : llvm::enumerate(ops)) {
    StringAttr name = SymbolTable::getSymbolName(op);
    StringAttr canonical = StringAttr::get(context, "f" + Twine(i));
    names[name] = canonical;
    if (SymbolTable::getSymbolVisibility(op) == SymbolTable::Visibility::Public)
      unit.functions.push_back({canonical.str(), name.str()});
    if (isa<tile::KernelOp>(op))
      unit.functions.push_back({planName(canonical), planName(name)});
    Operation *copy = op->clone();
    SymbolTable::setSymbolName(copy, canonical);
    module->push_back(copy);
  }
  AttrTypeReplacer rename;
  rename.addReplacement([&](FlatSymbolRefAttr ref) -> Attribute {
    StringAttr to = names.lookup(ref.getAttr());
    return to ? FlatSymbolRefAttr::get(to) : ref;
  });
  rename.recursivelyReplaceElementsIn(*module);
  llvm::raw_string_ostream out(unit.text);
  module->print(out, OpPrintingFlags().printGenericOpForm().useLocalScope());
  unit.hash = digest({unit.text});
  return unit;
}

} // namespace

std::vector<KernelUnit> splitUnits(ModuleOp kernels) {
  std::vector<KernelUnit> units;
  llvm::StringMap<size_t> places; // by hash
  for (const std::vector<Operation *> &ops : components(kernels)) {
    KernelUnit unit = unitOf(ops);
    auto [it, isNew] = places.try_emplace(unit.hash, units.size());
    if (isNew)
      units.push_back(std::move(unit));
    else
      llvm::append_range(units[it->second].functions, unit.functions);
  }
  return units;
}

} // namespace imbrex::codegen
