#include "compiler/passes/tile/IndexSpace.h"

using namespace mlir;

namespace imbrex::tile {

static std::string_view view(StringRef s) { return {s.data(), s.size()}; }

bool mentions(const DimExpr &e, std::string_view name) {
  return llvm::is_contained(e.symbols(), name);
}

DimExpr replaced(const DimExpr &e, std::string_view name, const DimExpr &by) {
  return e.substitute([&](std::string_view s) -> std::optional<DimExpr> {
    return s == name ? std::optional(by) : std::nullopt;
  });
}

DimExpr rebuilt(DimExpr::AtomKind kind, const DimExpr &lhs, const DimExpr &rhs) {
  switch (kind) {
  case DimExpr::AtomKind::FloorDiv:
    return floorDiv(lhs, rhs);
  case DimExpr::AtomKind::Mod:
    return mod(lhs, rhs);
  case DimExpr::AtomKind::Min:
    return min(lhs, rhs);
  case DimExpr::AtomKind::Max:
    return max(lhs, rhs);
  case DimExpr::AtomKind::Broadcast:
    return broadcast(lhs, rhs);
  case DimExpr::AtomKind::Symbol:
    break;
  }
  llvm_unreachable("a symbol has no operands");
}

DimExpr exprOf(const DimExpr::Atom &atom) {
  return atom.kind == DimExpr::AtomKind::Symbol ? DimExpr::symbol(atom.name)
                                                : rebuilt(atom.kind, atom.lhs, atom.rhs);
}

DimExpr mapAtoms(
    const DimExpr &e,
    llvm::function_ref<DimExpr(const DimExpr::Atom &, const DimExpr &, const DimExpr &)> change) {
  DimExpr sum = 0;
  for (const DimExpr::Term &t : e.terms()) {
    DimExpr product = t.coefficient;
    for (const auto &f : t.factors) {
      const bool leaf = f->kind == DimExpr::AtomKind::Symbol;
      product = product * change(*f, leaf ? f->lhs : mapAtoms(f->lhs, change),
                                 leaf ? f->rhs : mapAtoms(f->rhs, change));
    }
    sum = sum + product;
  }
  return sum;
}

std::optional<Linear> linearIn(const DimExpr &e, std::string_view name) {
  Linear parts;
  for (const DimExpr::Term &term : e.terms()) {
    DimExpr product = term.coefficient, bare = term.coefficient;
    size_t uses = 0;
    for (const auto &factor : term.factors) {
      if (factor->kind == DimExpr::AtomKind::Symbol && factor->name == name) {
        ++uses;
        continue;
      }
      DimExpr f = exprOf(*factor);
      if (mentions(f, name))
        return std::nullopt;
      bare = bare * f;
    }
    if (uses > 1)
      return std::nullopt;
    (uses ? parts.factor : parts.rest) = (uses ? parts.factor : parts.rest) + bare;
  }
  return parts;
}

std::vector<int64_t> unravel(int64_t flat, const std::vector<int64_t> &extents, int64_t group) {
  if (group) {
    const int64_t rows = extents[0], columns = extents[1], g = flat / (group * columns);
    const int64_t inGroup = std::max<int64_t>(1, std::min(group, rows - g * group));
    const int64_t rest = flat - g * group * columns;
    return {g * group + rest % inGroup, rest / inGroup};
  }
  std::vector<int64_t> place(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    place[i] = i ? flat % std::max<int64_t>(1, extents[i]) : flat;
    flat /= std::max<int64_t>(1, extents[i]);
  }
  return place;
}

//===-- Sizes ---------------------------------------------------------------===//

/// `s mod c == 0` says that c divides s.
static std::optional<std::pair<std::string, int64_t>> divisibility(const Fact &fact) {
  if (!fact.equal || !fact.right.isConstant(0) || fact.left.terms().size() != 1)
    return std::nullopt;
  const DimExpr::Term &t = fact.left.terms()[0];
  if (t.coefficient != 1 || t.factors.size() != 1 || t.factors[0]->kind != DimExpr::AtomKind::Mod ||
      !t.factors[0]->rhs.constant())
    return std::nullopt;
  auto symbol = t.factors[0]->lhs.asSymbol();
  if (!symbol)
    return std::nullopt;
  return std::pair(std::string(*symbol), *t.factors[0]->rhs.constant());
}

DimExpr IndexSpace::exact(const DimExpr &e) const {
  return e.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    auto found = divisors.find(name);
    if (found == divisors.end())
      return std::nullopt;
    return DimExpr::symbol(std::string(name) + ".q") * found->second;
  });
}

std::string IndexSpace::text(const DimExpr &e) const {
  DimExpr plain = e.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    if (!name.ends_with(".q"))
      return std::nullopt;
    name.remove_suffix(2);
    auto found = divisors.find(name);
    return floorDiv(DimExpr::symbol(name), found->second);
  });
  return plain.str();
}

void IndexSpace::readSizes() {
  std::vector<Fact> known;
  for (ArrayAttr list : {kernelOp.getAssumptions(), kernelOp.getChecks()})
    for (StringRef s : list.getAsValueRange<StringAttr>())
      known.push_back(parseFact(s).take());
  std::map<std::string, SymbolFacts> sizes;
  for (auto s : kernelOp.getSizes().getAsRange<SizeParamAttr>())
    sizes[s.getName().str()] = {s.getLo(), s.getHi(), s.getDivisor()};
  for (const Fact &fact : known)
    if (auto d = divisibility(fact))
      if (auto it = sizes.find(d->first); it != sizes.end() && d->second > 0)
        it->second.divisor = std::lcm(it->second.divisor, d->second);
  for (const auto &[name, f] : sizes) {
    if (f.divisor == 1) {
      (void)facts.add(name, f);
      continue;
    }
    divisors[name] = f.divisor;
    (void)facts.add(name + ".q", {(f.lo + f.divisor - 1) / f.divisor, f.hi / f.divisor, 1});
  }
  for (const Fact &fact : known) {
    DimExpr l = exact(fact.left), r = exact(fact.right);
    if (fact.equal)
      (void)facts.addEquality(l, r);
    else
      launch.push_back(l - r);
  }
  auto atMost = [&](llvm::ArrayRef<DimExpr> extents) {
    DimExpr product = 1;
    for (const DimExpr &e : extents)
      product = product * e;
    if (product.valid() && !product.constant())
      launch.push_back(DimExpr(kMaxViewElems) - product);
  };
  for (BlockArgument v : kernelOp.getViews())
    atMost(extentsOf(cast<ViewType>(v.getType())));
  atMost(grid());
}

SmallVector<DimExpr> IndexSpace::extentsOf(ViewType view) const {
  return llvm::map_to_vector(view.getDims(), [&](const DimExpr &e) { return exact(e); });
}

SmallVector<DimExpr> IndexSpace::stridesOf(ViewType view) const {
  return llvm::map_to_vector(view.getStrideDims(), [&](const DimExpr &e) { return exact(e); });
}

SmallVector<DimExpr> IndexSpace::grid() const {
  KernelOp op = kernelOp;
  return llvm::map_to_vector(op.getGridDims(), [&](const DimExpr &e) { return exact(e); });
}

DimExpr IndexSpace::sizeExpr(StringRef s) const { return exact(DimExpr::parse(view(s)).take()); }

//===-- Values --------------------------------------------------------------===//

DimExpr IndexSpace::fresh(Variable::Kind kind, DimExpr extent, Operation *op) {
  static constexpr const char *names[] = {"block.", "loop.", "order.", "piece.", "data."};
  std::string name = names[static_cast<int>(kind)] + std::to_string(count++);
  all[name] = {kind, name, extent, op};
  return DimExpr::symbol(name);
}

const Variable *IndexSpace::variable(std::string_view name) const {
  auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

const Unraveled *IndexSpace::orderOf(std::string_view name) const {
  for (const Unraveled &u : orders)
    if (llvm::is_contained(u.variables, name))
      return &u;
  return nullptr;
}

bool IndexSpace::dependsOnData(const DimExpr &e) const {
  return llvm::any_of(e.symbols(), [&](const std::string &name) {
    const Variable *v = variable(name);
    if (!v)
      return false;
    if (v->kind == Variable::Kind::Data)
      return true;
    return dependsOnData(v->extent);
  });
}

IndexSpace::IndexSpace(KernelOp kernel, VerifyOptions options)
    : kernelOp(kernel), options(options) {
  readSizes();
  SmallVector<DimExpr> extents = grid();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    std::string name = "block." + std::to_string(count++);
    all[name] = {Variable::Kind::Block, name, extents[axis], kernel};
  }
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value v : op->getResults())
      if (v.getType().isIndex() || (isa<IntegerType>(v.getType()) && !v.getType().isInteger(1)))
        (void)of(v);
    for (Region &region : op->getRegions())
      for (BlockArgument a : region.getArguments())
        if (a.getType().isIndex())
          (void)of(a);
  });
}

DimExpr IndexSpace::of(Value index) {
  auto found = values.find(index);
  if (found != values.end())
    return found->second;
  DimExpr e = compute(index);
  if (!e.valid())
    e = data(index.getDefiningOp());
  values.insert({index, e});
  return e;
}

DimExpr IndexSpace::compute(Value index) {
  if (auto result = dyn_cast<OpResult>(index))
    return computeOp(result.getOwner(), result.getResultNumber());
  auto argument = cast<BlockArgument>(index);
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(owner); loop && index == loop.getInductionVar()) {
    DimExpr lower = of(loop.getLowerBound()), upper = of(loop.getUpperBound()),
            step = of(loop.getStep());
    premise(loop, step - 1, "its step is positive");
    DimExpr count = fresh(Variable::Kind::Loop, ceilDiv(upper - lower, step), loop);
    return lower + step * count;
  }
  if (auto pieces = dyn_cast<EachPieceOp>(owner)) {
    DimExpr extent = extentsOf(pieces.getView().getType())[argument.getArgNumber()];
    return fresh(Variable::Kind::Piece,
                 tileCount(extent, pieces.getTile()[argument.getArgNumber()]), pieces);
  }
  return data(owner);
}

void IndexSpace::divides(Operation *op, const DimExpr &value, const DimExpr &by,
                         bool roundsOtherwise) {
  premise(op, by - 1, "its divisor is positive");
  if (roundsOtherwise)
    premise(op, value, "its dividend is not negative");
}

DimExpr IndexSpace::computeOp(Operation *op, unsigned result) {
  if (auto block = dyn_cast<BlockOp>(op))
    return DimExpr::symbol("block." + std::to_string(block.getAxis()));
  if (auto size = dyn_cast<SizeOp>(op))
    return sizeExpr(size.getValue());
  if (auto order = dyn_cast<UnravelOp>(op)) {
    Unraveled u{
        op, of(order.getFlat()), {}, {}, static_cast<int64_t>(order.getGroup().value_or(0))};
    for (StringRef s : order.getExtents().getAsValueRange<StringAttr>()) {
      u.extents.push_back(sizeExpr(s));
      u.variables.push_back(
          std::string(*fresh(Variable::Kind::Order, u.extents.back(), op).asSymbol()));
    }
    for (auto [value, name] : llvm::zip_equal(order.getResults(), u.variables))
      values.insert({value, DimExpr::symbol(name)});
    orders.push_back(std::move(u));
    return values.find(op->getResult(result))->second;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      return value.getValue().getSExtValue();
  Type type = op->getResult(result).getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto kept = [&](const DimExpr &e) {
    narrow.push_back({op, e, bits});
    return e;
  };
  auto in = [&](unsigned i) { return of(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, DimExpr>(op)
      .Case([&](arith::AddIOp) { return kept(in(0) + in(1)); })
      .Case([&](arith::SubIOp) { return kept(in(0) - in(1)); })
      .Case([&](arith::MulIOp) { return kept(in(0) * in(1)); })
      .Case<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>([&](auto) {
        divides(op, in(0), in(1), !isa<arith::FloorDivSIOp>(op));
        return floorDiv(in(0), in(1));
      })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) {
        divides(op, in(0), in(1), isa<arith::CeilDivUIOp>(op));
        return ceilDiv(in(0), in(1));
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        divides(op, in(0), in(1), true);
        return mod(in(0), in(1));
      })
      .Case([&](arith::MinSIOp) { return min(in(0), in(1)); })
      .Case([&](arith::MaxSIOp) { return max(in(0), in(1)); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](auto) {
        premise(op, in(0), "its operands are not negative");
        premise(op, in(1), "its operands are not negative");
        return isa<arith::MinUIOp>(op) ? min(in(0), in(1)) : max(in(0), in(1));
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>([&](auto) { return kept(in(0)); })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](auto) {
        premise(op, in(0), "its operand is not negative");
        return kept(in(0));
      })
      .Default([&](Operation *) { return data(op); });
}

//===-- Domains -------------------------------------------------------------===//

void IndexSpace::addCondition(Value condition, bool holds, Domain &domain) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && holds) {
    addCondition(both.getLhs(), true, domain);
    addCondition(both.getRhs(), true, domain);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare) {
    domain.opaque = true;
    return;
  }
  using P = arith::CmpIPredicate;
  DimExpr l = of(compare.getLhs()), r = of(compare.getRhs());
  if (P given = compare.getPredicate();
      given == P::ult || given == P::ule || given == P::ugt || given == P::uge) {
    premise(compare, l, "its operands are not negative");
    premise(compare, r, "its operands are not negative");
  }
  P p = compare.getPredicate();
  if (!holds)
    p = arith::invertPredicate(p);
  switch (p) {
  case P::slt:
  case P::ult:
    domain.conditions.push_back(r - l - 1);
    break;
  case P::sle:
  case P::ule:
    domain.conditions.push_back(r - l);
    break;
  case P::sgt:
  case P::ugt:
    domain.conditions.push_back(l - r - 1);
    break;
  case P::sge:
  case P::uge:
    domain.conditions.push_back(l - r);
    break;
  case P::eq:
    domain.conditions.push_back(l - r);
    domain.conditions.push_back(r - l);
    break;
  case P::ne:
    domain.opaque = true;
    break;
  }
}

Domain IndexSpace::domainOf(Operation *op) {
  Domain domain;
  std::vector<const Variable *> inner; // innermost first
  bool pieces = false;
  // What was checked before holds here.
  auto addChecks = [&](Operation *until) {
    for (Operation *o = until->getPrevNode(); o; o = o->getPrevNode())
      if (auto check = dyn_cast<CheckOp>(o)) {
        Domain before;
        addCondition(check.getCondition(), true, before);
        domain.checked.append(before.conditions);
      }
  };
  addChecks(op);
  Operation *child = op;
  for (Operation *parent = op->getParentOp(); parent != kernelOp.getOperation();
       child = parent, parent = parent->getParentOp()) {
    addChecks(parent);
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      addCondition(branch.getCondition(), child->getParentRegion() == &branch.getThenRegion(),
                   domain);
      continue;
    }
    for (auto it = all.rbegin(); it != all.rend(); ++it)
      if (it->second.op == parent && it->second.kind != Variable::Kind::Data)
        inner.push_back(&it->second);
    pieces |= isa<EachPieceOp>(parent);
  }
  // A piece is dealt to one block: which one does not matter.
  if (!pieces)
    for (size_t axis = 0; axis < kernelOp.getGrid().size(); ++axis)
      domain.variables.push_back(variable("block." + std::to_string(axis)));
  domain.variables.insert(domain.variables.end(), inner.rbegin(), inner.rend());
  return domain;
}

SmallVector<DimExpr> IndexSpace::factsWithin(const Domain &domain) const {
  SmallVector<DimExpr> known(domain.conditions);
  known.append(domain.checked);
  for (const Variable *v : domain.variables) {
    if (dependsOnData(v->extent))
      continue;
    addPositive(v->extent, known);
  }
  return known;
}

/// e >= 1, and what follows: x floordiv d >= 0 means x >= 0; less of a variable is more; a product
/// of sizes that is at least 1 has no factor below 1.
void IndexSpace::addPositive(const DimExpr &e, SmallVectorImpl<DimExpr> &known) const {
  known.push_back(e - 1);
  const auto &terms = e.terms();
  if (terms.size() == 1 && terms[0].coefficient > 0 && terms[0].factors.size() > 1) {
    for (const auto &f : terms[0].factors)
      if (facts.provenAtLeast(exprOf(*f), 0))
        known.push_back(exprOf(*f) - 1);
    return;
  }
  DimExpr less = e - 1;
  if (less.terms().size() == 1 && less.terms()[0].coefficient == 1 &&
      less.terms()[0].factors.size() == 1 &&
      less.terms()[0].factors[0]->kind == DimExpr::AtomKind::FloorDiv)
    return addPositive(less.terms()[0].factors[0]->lhs + 1, known);
  for (const std::string &name : e.symbols())
    if (const Variable *v = variable(name); v && v->kind != Variable::Kind::Data)
      if (auto parts = linearIn(e, name); parts && parts->factor.isConstant(-1))
        return addPositive(parts->rest, known);
}

} // namespace imbrex::tile
