// Facts, fresh names, and substitution of dimension symbols.
#include "compiler/ir/relay/Scope.h"
#include "compiler/ir/relay/Syntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace imbrex::relay {

static std::string_view view(StringRef text) { return {text.data(), text.size()}; }

static Result<DimExpr> dimOf(Attribute text) {
  return DimExpr::parse(view(cast<StringAttr>(text).getValue()));
}

Result<DimFacts> FuncOp::dimFacts() {
  DimFacts facts;
  for (SymbolAttr symbol : symbolList())
    if (Status s = facts.add(view(symbol.getName()),
                             {symbol.getLo(), symbol.getHi(), symbol.getDivisor()});
        !s)
      return s.takeError();
  if (!getEqualities())
    return facts;
  for (Attribute pair : getEqualitiesAttr().getValue()) {
    Result<DimExpr> lhs = dimOf(cast<ArrayAttr>(pair)[0]);
    Result<DimExpr> rhs = dimOf(cast<ArrayAttr>(pair)[1]);
    if (!lhs || !rhs)
      return !lhs ? lhs.takeError() : rhs.takeError();
    if (Status s = facts.addEquality(*lhs, *rhs); !s)
      return s.takeError();
  }
  return facts;
}

static FuncOp functionAround(Operation *op) {
  auto func = dyn_cast<FuncOp>(op);
  return func ? func : op->getParentOfType<FuncOp>();
}

DimFacts factsAt(Operation *op) {
  FuncOp func = functionAround(op);
  if (!func)
    return {};
  Result<DimFacts> facts = func.dimFacts();
  return facts ? facts.take() : DimFacts();
}

std::string freshSymbol(FuncOp func, StringRef hint, ArrayRef<std::string> alsoTaken) {
  llvm::StringSet<> taken;
  for (const std::string &name : alsoTaken)
    taken.insert(name);
  func->walk([&](Operation *op) {
    for (StringRef name : symbolsBoundBy(op))
      taken.insert(name);
    for (StringRef name : symbolsBoundInside(op))
      taken.insert(name);
  });
  std::string name = hint.str();
  for (unsigned i = 1; isReservedDimWord(std::string_view(name)) || taken.contains(name); ++i)
    name = hint.str() + std::to_string(i);
  return name;
}

DimExpr substitute(const DimExpr &dim, const Substitution &symbols) {
  return dim.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    auto found = symbols.find(name);
    return found == symbols.end() ? std::nullopt : std::optional<DimExpr>(found->second);
  });
}

TensorType substitute(TensorType type, const Substitution &symbols) {
  if (type.isStatic())
    return type;
  SmallVector<DimExpr> dims = type.getDims();
  for (DimExpr &dim : dims)
    dim = substitute(dim, symbols);
  return TensorType::get(type.getContext(), dims, type.getElementType());
}

static Error mismatch(size_t index, Type pattern, Type actual, std::string why) {
  std::string text;
  llvm::raw_string_ostream(text) << "type " << index << " is '" << actual << "', not '" << pattern
                                 << "'";
  return badInput(556, text, std::move(why));
}

/// Takes the values of free symbols from the places where they are whole dimensions.
static Result<Substitution> collect(TypeRange patterns, TypeRange actual,
                                    ArrayRef<StringRef> free) {
  Substitution found;
  for (auto [i, pattern, type] : llvm::enumerate(patterns, actual)) {
    auto from = cast<TensorType>(pattern), to = dyn_cast<TensorType>(type);
    if (!to || from.getElementType() != to.getElementType() || from.getRank() != to.getRank())
      return mismatch(i, pattern, type, "element types or ranks differ");
    for (int64_t d = 0; d < from.getRank(); ++d) {
      auto name = dyn_cast<StringAttr>(from.getSizes()[d]);
      if (name && llvm::is_contained(free, name.getValue()))
        found.emplace(name.getValue().str(), to.getDim(d));
    }
  }
  return found;
}

Result<Substitution> matchTypes(TypeRange patterns, TypeRange actual, ArrayRef<StringRef> free) {
  if (patterns.size() != actual.size())
    return badInput(556, std::to_string(actual.size()) + " values where " +
                             std::to_string(patterns.size()) + " are expected");
  Result<Substitution> found = collect(patterns, actual, free);
  if (!found)
    return found;
  for (StringRef name : free)
    if (!found->count(view(name)))
      return badInput(556, "the value of '" + name.str() + "' cannot be read off",
                      "it is no whole dimension of any type");
  for (auto [i, pattern, type] : llvm::enumerate(patterns, actual))
    if (substitute(cast<TensorType>(pattern), *found) != type)
      return mismatch(i, pattern, type,
                      free.empty() ? "the dimensions differ"
                                   : "no single value of each free symbol makes them equal");
  return found;
}

static ArrayAttr without(ArrayAttr names, const Substitution &symbols) {
  SmallVector<Attribute> kept;
  for (Attribute name : names)
    if (!symbols.count(view(cast<StringAttr>(name).getValue())))
      kept.push_back(name);
  return kept.size() == names.size() ? names
         : kept.empty()              ? ArrayAttr()
                                     : ArrayAttr::get(names.getContext(), kept);
}

/// The signature's clauses after the substitution.
static void substituteClauses(FuncOp func, const Substitution &symbols) {
  MLIRContext *context = func.getContext();
  SmallVector<Attribute> kept, equalities;
  for (SymbolAttr symbol : func.symbolList())
    if (!symbols.count(view(symbol.getName())))
      kept.push_back(symbol);
  func.setSymbolsAttr(kept.empty() ? ArrayAttr() : ArrayAttr::get(context, kept));
  if (!func.getEqualities())
    return;
  for (Attribute pair : func.getEqualitiesAttr().getValue()) {
    DimExpr lhs = substitute(*dimOf(cast<ArrayAttr>(pair)[0]), symbols);
    DimExpr rhs = substitute(*dimOf(cast<ArrayAttr>(pair)[1]), symbols);
    if (!(lhs == rhs))
      equalities.push_back(ArrayAttr::get(
          context, {StringAttr::get(context, lhs.str()), StringAttr::get(context, rhs.str())}));
  }
  func.setEqualitiesAttr(equalities.empty() ? ArrayAttr() : ArrayAttr::get(context, equalities));
}

void substituteSymbols(FuncOp func, const Substitution &symbols) {
  auto retype = [&](Value value) {
    if (auto tensor = dyn_cast<TensorType>(value.getType()))
      value.setType(substitute(tensor, symbols));
  };
  SmallVector<OpenOp> closed;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
    if (auto open = dyn_cast<OpenOp>(op)) {
      if (symbols.count(view(open.getSymbol())))
        closed.push_back(open);
    } else if (auto names = op->getAttrOfType<ArrayAttr>("opens")) {
      if (ArrayAttr kept = without(names, symbols))
        op->setAttr("opens", kept);
      else
        op->removeAttr("opens");
    }
  });
  for (OpenOp open : closed)
    open.erase();
  substituteClauses(func, symbols);
  auto changed = [&](Type type) -> Type { return substitute(cast<TensorType>(type), symbols); };
  func.setFunctionType(FunctionType::get(func.getContext(),
                                         llvm::map_to_vector(func.getArgumentTypes(), changed),
                                         llvm::map_to_vector(func.getResultTypes(), changed)));
}

void setResultTypes(FuncOp func) {
  func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                         func.returnOp().getOperandTypes()));
}

} // namespace imbrex::relay
