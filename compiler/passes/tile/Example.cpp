#include "compiler/passes/tile/Example.h"

#include <set>

using namespace mlir;

namespace imbrex::tile {

/// Executions of one operation that are looked at.
constexpr int64_t kMaxPoints = 20000;

std::optional<int64_t> valueOf(const DimExpr &e, const Values &values) {
  auto v = e.evaluate(values);
  return v ? std::optional(*v) : std::nullopt;
}

static std::set<int64_t> interestingSizes(KernelOp kernel) {
  std::set<int64_t> sizes = {1, 2, 3, 5};
  auto around = [&](int64_t t) {
    if (t > 1 && t <= 4096)
      sizes.insert({t - 1, t, t + 1, 2 * t, 2 * t + 1, 3 * t});
  };
  kernel.walk([&](Operation *op) {
    Value tile;
    if (auto load = dyn_cast<LoadOp>(op))
      tile = load.getResult();
    else if (auto store = dyn_cast<StoreOp>(op))
      tile = store.getValue();
    if (tile)
      for (int64_t t : cast<RankedTensorType>(tile.getType()).getShape())
        around(t);
    if (auto pieces = dyn_cast<EachPieceOp>(op))
      for (int64_t t : pieces.getTile())
        around(t);
  });
  return sizes;
}

std::vector<Values> smallSizes(const IndexSpace &space, size_t limit) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> choices;
  KernelOp kernel = space.kernel();
  std::set<int64_t> good = interestingSizes(kernel);
  for (auto size : kernel.getSizes().getAsRange<SizeParamAttr>()) {
    std::string name = size.getName().str();
    int64_t divisor = 1;
    if (DimExpr e = space.sizeExpr(size.getName()); !e.asSymbol())
      if (e.terms().size() == 1)
        divisor = e.terms()[0].coefficient, name += ".q";
    std::set<int64_t> values;
    for (int64_t v : good) {
      int64_t q = (v + divisor - 1) / divisor;
      if (q * divisor >= size.getLo() && q * divisor <= size.getHi())
        values.insert(q);
    }
    if (values.empty())
      values.insert((size.getLo() + divisor - 1) / divisor);
    choices.push_back({name, {values.begin(), values.end()}});
  }
  std::vector<Values> all;
  // A pseudo-random walk over the product of choices reaches all corners soon.
  uint64_t state = 0x9e3779b97f4a7c15;
  std::set<Values> seen;
  for (size_t tries = 0; tries < limit * 20 && all.size() < limit; ++tries) {
    Values v;
    for (const auto &[name, values] : choices) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      v[name] = values[(state >> 33) % values.size()];
    }
    bool admitted = llvm::all_of(space.guarantees(), [&](const DimExpr &g) {
      auto value = valueOf(g, v);
      return value && *value >= 0;
    });
    for (StringRef s : kernel.getAssumptions().getAsValueRange<StringAttr>()) {
      auto fact = parseFact(s);
      if (!fact || !fact->equal)
        continue;
      auto l = valueOf(space.sizeExpr(fact->left.str()), v),
           r = valueOf(space.sizeExpr(fact->right.str()), v);
      admitted &= l && r && *l == *r;
    }
    if (admitted && seen.insert(v).second)
      all.push_back(v);
    if (choices.empty())
      break;
  }
  return all;
}

namespace {
class Walk {
public:
  Walk(const IndexSpace &space, const Domain &domain,
       const std::function<bool(const Values &)> &visit)
      : space(space), domain(domain), visit(visit) {}

  bool run(Values values) { return next(values, 0); }

private:
  bool next(Values &values, size_t i) {
    if (i == domain.variables.size())
      return leaf(values);
    const Variable &v = *domain.variables[i];
    auto extent = valueOf(v.extent, values);
    if (!extent)
      return false;
    for (int64_t x = 0; x < *extent && !stopped; ++x) {
      values[v.name] = x;
      if (!next(values, i + 1))
        return false;
    }
    values.erase(v.name);
    return true;
  }

  bool leaf(Values values) {
    if (++points > kMaxPoints)
      return false;
    for (const Unraveled &u : space.unraveled()) {
      auto flat = valueOf(u.flat, values);
      std::vector<int64_t> extents;
      for (const DimExpr &e : u.extents) {
        auto x = valueOf(e, values);
        extents.push_back(x.value_or(1));
      }
      if (!flat)
        continue;
      std::vector<int64_t> place = unravel(*flat, extents, u.group);
      for (size_t k = 0; k < place.size(); ++k)
        values[u.variables[k]] = place[k];
    }
    for (const DimExpr &c : domain.conditions) {
      auto x = valueOf(c, values);
      if (!x)
        return false;
      if (*x < 0)
        return true;
    }
    for (const DimExpr &c : domain.checked)
      if (auto x = valueOf(c, values); x && *x < 0)
        return true;
    stopped = !visit(values);
    return true;
  }

  const IndexSpace &space;
  const Domain &domain;
  const std::function<bool(const Values &)> &visit;
  int64_t points = 0;
  bool stopped = false;
};
} // namespace

bool forEachExecution(const IndexSpace &space, const Domain &domain, const Values &sizes,
                      const std::function<bool(const Values &)> &visit) {
  if (domain.opaque)
    return false;
  return Walk(space, domain, visit).run(sizes);
}

std::string describe(const IndexSpace &space, const Values &sizes) {
  std::string text;
  KernelOp kernel = space.kernel();
  for (auto size : kernel.getSizes().getAsRange<SizeParamAttr>()) {
    auto v = valueOf(space.sizeExpr(size.getName()), sizes);
    text +=
        (text.empty() ? "" : ", ") + size.getName().str() + " = " + (v ? std::to_string(*v) : "?");
  }
  return text.empty() ? "at every launch" : "at " + text;
}

std::string describePiece(const std::vector<int64_t> &piece) {
  std::string text = "(";
  for (size_t i = 0; i < piece.size(); ++i)
    text += (i ? ", " : "") + std::to_string(piece[i]);
  return text + ")";
}

std::string describePoint(const IndexSpace &space, const Domain &domain, const Values &point) {
  std::vector<int64_t> blocks, iterations, minted;
  for (const Variable *v : domain.variables) {
    auto found = point.find(v->name);
    auto &list = v->kind == Variable::Kind::Block   ? blocks
                 : v->kind == Variable::Kind::Piece ? minted
                                                    : iterations;
    list.push_back(found == point.end() ? 0 : found->second);
  }
  std::string text = minted.empty() ? "block " + describePiece(blocks)
                                    : "the owner of minted piece " + describePiece(minted);
  return text + (iterations.empty() ? "" : " in iteration " + describePiece(iterations));
}

} // namespace imbrex::tile
