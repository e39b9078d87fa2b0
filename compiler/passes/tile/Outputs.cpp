#include "compiler/passes/tile/Outputs.h"

#include "compiler/passes/tile/Example.h"

using namespace mlir;

namespace imbrex::tile {

namespace {

/// One store, or several that were joined: a map, and what must hold for it to run.
struct Site {
  StoreOp store;
  Domain domain;
  PieceMap map;
  SmallVector<DimExpr> conditions;
};

/// The loop in which two stores follow on one another, while its range is neither's.
constexpr const char *kJoined = "joined.0";

class Output {
public:
  Output(IndexSpace &space, BlockArgument view, std::vector<DimExpr> &checks)
      : space(space), prover(space), view(view), checks(checks),
        extents(space.extentsOf(cast<ViewType>(view.getType()))) {}

  std::optional<OutputFault> run();

private:
  std::optional<OutputFault> collect();
  std::optional<std::string> example();
  bool visitAll(const Values &sizes, std::map<std::vector<int64_t>, std::string> &writers,
                std::string &fault);
  bool join();
  std::optional<Site> joined(const Site &a, const Site &b);
  bool complement(const Site &a, const Site &b, Site &out);
  std::optional<PieceMap> aligned(const Site &a, const Site &b, size_t k);
  bool follows(const Site &a, const Site &b, Site &out);
  void dropProven(Site &site);
  bool neverRuns(const Site &site);
  bool mayCheck(const DimExpr &a, const DimExpr &b);
  std::vector<int64_t> pieceCounts(const Values &sizes);
  std::string name() { return "'" + space.kernel().viewName(view) + "'"; }

  IndexSpace &space;
  Prover prover;
  BlockArgument view;
  std::vector<DimExpr> &checks;
  SmallVector<DimExpr> extents;
  std::vector<int64_t> tile;
  bool byData = false; // Rule::StoreByData is taken away
  std::vector<Site> sites;
};

std::optional<OutputFault> Output::collect() {
  for (Operation *user : view.getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store)
      continue;
    ArrayRef<int64_t> shape = store.getValue().getType().getShape();
    if (tile.empty())
      tile.assign(shape.begin(), shape.end());
    if (ArrayRef(tile) != shape)
      return OutputFault{store, "stores pieces of " + name() + " in two shapes"};
    Site site{store, space.domainOf(store), {}, {}};
    for (size_t d = 0; d < shape.size(); ++d) {
      DimExpr e = space.of(store.getIndices()[d]);
      if (space.dependsOnData(e) && space.without(Rule::StoreByData))
        byData = true;
      else if (space.dependsOnData(e))
        return OutputFault{store, "stores into " + name() + " at a place on axis " +
                                      std::to_string(d) +
                                      " that depends on data or on arithmetic without an exact "
                                      "form; other blocks may write there"};
      site.map.coordinates.push_back(e);
      site.map.targets.push_back(tileCount(extents[d], shape[d]));
    }
    if (site.domain.opaque)
      return OutputFault{store, "stores into " + name() +
                                    " under a condition that depends on data; pieces may stay "
                                    "unwritten"};
    for (const Variable *v : site.domain.variables) {
      if (space.dependsOnData(v->extent))
        return OutputFault{store,
                           "stores into " + name() + " in a loop whose length depends on data"};
      site.map.variables.push_back({v->name, v->extent});
    }
    site.conditions = site.domain.conditions;
    sites.push_back(std::move(site));
  }
  std::reverse(sites.begin(), sites.end()); // uses are listed last first
  if (sites.empty() && !byData)
    return OutputFault{space.kernel(), "never stores into " + name()};
  return std::nullopt;
}

std::vector<int64_t> Output::pieceCounts(const Values &sizes) {
  std::vector<int64_t> counts;
  for (const DimExpr &t : sites.front().map.targets)
    counts.push_back(valueOf(t, sizes).value_or(-1));
  return counts;
}

bool Output::visitAll(const Values &sizes, std::map<std::vector<int64_t>, std::string> &writers,
                      std::string &fault) {
  const std::vector<int64_t> counts = pieceCounts(sizes);
  for (Site &site : sites) {
    bool known = true;
    bool listed = forEachExecution(space, site.domain, sizes, [&](const Values &point) {
      std::vector<int64_t> piece;
      for (const DimExpr &c : site.map.coordinates) {
        auto x = valueOf(c, point);
        known &= x.has_value();
        piece.push_back(x.value_or(0));
      }
      if (!known)
        return false;
      std::string who = describePoint(space, site.domain, point);
      for (size_t d = 0; d < piece.size(); ++d)
        if (piece[d] < 0 || piece[d] >= counts[d]) {
          fault =
              who + " stores into piece " + describePiece(piece) + " of " + describePiece(counts);
          return false;
        }
      auto [first, isNew] = writers.try_emplace(piece, who);
      if (!isNew)
        fault = first->second + " and " + who + " both write piece " + describePiece(piece);
      return isNew;
    });
    if (!listed || !known)
      return false;
    if (!fault.empty())
      return true;
  }
  return true;
}

std::optional<std::string> Output::example() {
  for (const Values &sizes : smallSizes(space, 60)) {
    std::map<std::vector<int64_t>, std::string> writers;
    std::string fault;
    if (!visitAll(sizes, writers, fault))
      return std::nullopt;
    std::vector<int64_t> counts = pieceCounts(sizes), piece(counts.size(), 0);
    bool any = llvm::all_of(counts, [](int64_t c) { return c > 0; });
    while (fault.empty() && any) {
      if (!writers.contains(piece))
        fault = "nobody writes piece " + describePiece(piece) + " of " + describePiece(counts);
      size_t d = piece.size();
      while (d > 0 && ++piece[d - 1] == counts[d - 1])
        piece[--d] = 0;
      if (d == 0)
        break;
    }
    if (!fault.empty())
      return describe(space, sizes) + " " + fault;
  }
  return std::nullopt;
}

void Output::dropProven(Site &site) {
  if (space.without(Rule::Conditions))
    site.conditions.clear();
  llvm::erase_if(site.conditions, [&](const DimExpr &c) { return prover.notNegative(c); });
}

bool Output::neverRuns(const Site &site) {
  return llvm::any_of(site.conditions,
                      [&](const DimExpr &c) { return prover.notNegative(DimExpr(-1) - c); });
}

/// The two branches of one condition.
bool Output::complement(const Site &a, const Site &b, Site &out) {
  if (a.map.coordinates != b.map.coordinates || a.map.variables.size() != b.map.variables.size())
    return false;
  for (size_t i = 0; i < a.map.variables.size(); ++i)
    if (a.map.variables[i].name != b.map.variables[i].name)
      return false;
  SmallVector<DimExpr> rest = a.conditions, other = b.conditions;
  for (size_t i = 0; i < rest.size(); ++i)
    for (size_t j = 0; j < other.size(); ++j) {
      if (!(rest[i] + other[j] == DimExpr(-1)))
        continue;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
      other.erase(other.begin() + static_cast<ptrdiff_t>(j));
      if (rest != other)
        return false;
      out = a;
      out.conditions = rest;
      return true;
    }
  return false;
}

/// b, by a's names but for loop k of a, which is `joinedName`; a range of one where b has no such
/// loop. Nothing when the other loops differ.
std::optional<PieceMap> Output::aligned(const Site &a, const Site &b, size_t k) {
  PieceMap other = b.map;
  if (other.variables.size() + 1 == a.map.variables.size())
    other.variables.insert(other.variables.begin() + static_cast<ptrdiff_t>(k), {"one.0", 1});
  if (other.variables.size() != a.map.variables.size() || a.conditions != b.conditions)
    return std::nullopt;
  for (size_t i = 0; i < other.variables.size(); ++i) {
    std::string from = other.variables[i].name, to = i == k ? kJoined : a.map.variables[i].name;
    for (DimExpr &c : other.coordinates)
      c = replaced(c, from, DimExpr::symbol(to));
    for (auto &v : other.variables)
      v.extent = replaced(v.extent, from, DimExpr::symbol(to));
    other.variables[i].name = to;
  }
  for (size_t i = 0; i < other.variables.size(); ++i)
    if (i != k && !prover.equal(other.variables[i].extent, a.map.variables[i].extent))
      return std::nullopt;
  return other;
}

/// b continues one of a's loops: at t + (the loop's length) a would store what b stores at t. Or b
/// is the one iteration before a's first.
bool Output::follows(const Site &a, const Site &b, Site &out) {
  for (size_t k = 0; k < a.map.variables.size(); ++k) {
    const auto &t = a.map.variables[k];
    auto other = aligned(a, b, k);
    if (!other || !prover.notNegative(t.extent) || !prover.notNegative(other->variables[k].extent))
      continue;
    const DimExpr length = other->variables[k].extent;
    auto meets = [&](const DimExpr &shift) {
      for (size_t c = 0; c < a.map.coordinates.size(); ++c) {
        DimExpr here = other->coordinates[c],
                there = replaced(a.map.coordinates[c], t.name, DimExpr::symbol(kJoined) + shift);
        if (length.isConstant(1)) {
          here = replaced(here, kJoined, 0);
          there = replaced(there, kJoined, 0);
        }
        if (!(here == there || prover.equal(here, there)))
          return false;
      }
      return true;
    };
    out = a;
    out.map.variables[k].extent = t.extent + length;
    if (meets(t.extent) || space.without(Rule::Joining))
      return true;
    if (!length.isConstant(1) || !meets(-1))
      continue;
    for (DimExpr &c : out.map.coordinates)
      c = replaced(c, t.name, DimExpr::symbol(t.name) - 1);
    return true;
  }
  return false;
}

std::optional<Site> Output::joined(const Site &a, const Site &b) {
  Site out;
  if (complement(a, b, out) || follows(a, b, out))
    return out;
  return std::nullopt;
}

bool Output::join() {
  for (size_t i = 0; i < sites.size(); ++i)
    for (size_t j = 0; j < sites.size(); ++j) {
      if (i == j)
        continue;
      auto both = joined(sites[i], sites[j]);
      if (!both)
        continue;
      sites[i] = *both;
      sites.erase(sites.begin() + static_cast<ptrdiff_t>(j));
      return true;
    }
  return false;
}

/// A launch may check a size that nothing but the grid speaks of: it was chosen for it.
bool Output::mayCheck(const DimExpr &a, const DimExpr &b) {
  auto onlyGrid = [&](const DimExpr &e) {
    auto symbol = e.asSymbol();
    if (!symbol || space.variable(*symbol))
      return false;
    for (BlockArgument v : space.kernel().getViews())
      for (const DimExpr &extent : space.extentsOf(cast<ViewType>(v.getType())))
        if (mentions(extent, *symbol))
          return false;
    return true;
  };
  auto sizesOnly = [&](const DimExpr &e) {
    return llvm::none_of(e.symbols(), [&](const std::string &s) {
      return space.variable(s) || s.starts_with("step.");
    });
  };
  return sizesOnly(a) && sizesOnly(b) && (onlyGrid(a) || onlyGrid(b));
}

std::optional<OutputFault> Output::run() {
  if (auto fault = collect())
    return fault;
  if (byData)
    return std::nullopt;
  std::vector<Site> all = sites;
  while (join())
    ;
  llvm::erase_if(sites, [&](Site &site) { return neverRuns(site); });
  for (Site &site : sites)
    dropProven(site);
  while (join())
    ;
  if (sites.empty())
    sites = all;
  std::string why;
  BijectionResult proof;
  if (sites.size() == 1 && sites.front().conditions.empty()) {
    proof = proveBijection(space, sites.front().map,
                           [&](const DimExpr &a, const DimExpr &b) { return mayCheck(a, b); });
    if (proof.proven()) {
      for (const auto &[a, b] : proof.ifEqual)
        checks.insert(checks.end(), {a - b, b - a});
      for (const DimExpr &e : proof.ifPositive)
        checks.push_back(e - 1);
      // Pieces are dealt out to the blocks that there are.
      if (sites.front().store->getParentOfType<EachPieceOp>())
        for (const DimExpr &blocks : space.grid())
          if (!prover.notNegative(blocks - 1))
            checks.push_back(blocks - 1);
      return std::nullopt;
    }
    why = proof.whyNot;
  } else if (sites.size() == 1) {
    why = "it stores only where " + space.text(sites.front().conditions.front()) + " >= 0";
  } else {
    why = std::to_string(sites.size()) + " stores are not known to meet different pieces";
  }
  Operation *where = sites.back().store;
  sites = all;
  std::string what = "does not write each piece of " + name() + " exactly once";
  if (auto found = example())
    return OutputFault{where, what + ": " + *found};
  return OutputFault{where,
                     "is not known to write each piece of " + name() + " exactly once: " + why};
}

} // namespace

std::optional<OutputFault> proveOutput(IndexSpace &space, BlockArgument view,
                                       std::vector<DimExpr> &checks) {
  return Output(space, view, checks).run();
}

} // namespace imbrex::tile
