#include "compiler/passes/lower/TileEpilogue.h"

#include "compiler/ir/tile/Tile.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/EmitTerm.h"
#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

namespace {

/// A kernel has a view for each.
constexpr size_t kMostReads = 24;

/// The reads of a scalar made of f32 element functions; nothing when it is made of anything else.
bool collectReads(const Node *n, std::vector<const Node *> &reads) {
  switch (n->kind) {
  case TermKind::VRead:
    if (n->type != DType::F32)
      return false;
    if (!llvm::is_contained(reads, n))
      reads.push_back(n);
    return true;
  case TermKind::VConst:
    return n->type == DType::F32 || n->type == DType::Bool;
  case TermKind::PTrue:
    return true;
  case TermKind::VApply:
  case TermKind::VSelect:
    if (n->type != DType::F32 && n->type != DType::Bool)
      return false;
    break;
  case TermKind::PScalar:
  case TermKind::PNot:
  case TermKind::PAnd:
  case TermKind::POr:
    break;
  default:
    return false;
  }
  return llvm::all_of(n->args, [&](const Node *a) { return collectReads(a, reads); });
}

/// The neighbouring axes of the result, from `from` on, that an index of this extent walks in
/// row-major order.
std::optional<std::pair<size_t, size_t>>
rangeOf(IndexForm &form, const Def &reader, const Node *index, const DimExpr &extent, size_t from) {
  for (size_t x = from; x < reader.vars.size(); ++x) {
    if (reader.type.dims[x].isConstant(1))
      continue;
    std::vector<const Node *> vars;
    std::vector<DimExpr> dims;
    DimExpr size = 1;
    for (size_t y = x; y < reader.vars.size(); ++y) {
      vars.push_back(reader.vars[y]);
      dims.push_back(reader.type.dims[y]);
      size = size * dims.back();
      if (size == extent && form.flatten(vars, dims) == index)
        return std::pair(x, y + 1);
    }
  }
  return std::nullopt;
}

/// The reader over the axes of the product: each element keeps its place in memory.
std::optional<Def> overProduct(Program &p, IndexForm &form, const Def &product, const Def &reader) {
  Terms t{p};
  Def d = reader;
  std::vector<Axis> axes;
  DimExpr mine = 1, theirs = 1;
  d.vars.clear();
  for (const DimExpr &e : product.type.dims) {
    d.vars.push_back(p.variable());
    mine = mine * e;
  }
  d.type.dims = product.type.dims;
  for (size_t i = 0; i < reader.vars.size(); ++i) {
    axes.push_back({reader.vars[i], reader.type.dims[i]});
    theirs = theirs * reader.type.dims[i];
  }
  form.bind(d.vars, d.type.dims);
  std::unordered_map<const Node *, const Node *> at;
  if (product.type.dims == reader.type.dims) {
    for (size_t i = 0; i < reader.vars.size(); ++i)
      at[reader.vars[i]] = d.vars[i];
  } else if (mine == theirs) {
    t.unflatten(form.flatten(d.vars, d.type.dims), axes, at);
  } else {
    return std::nullopt;
  }
  auto keep = [&](const Node *r, std::vector<const Node *> where) {
    Node copy = *r;
    copy.args = std::move(where);
    return p.intern(std::move(copy));
  };
  d.body = form.simplifyScalar(rewriteTerm(p, reader.body, at, keep));
  return d;
}

/// The axes of the result that a read walks, in the result's order; extents of 1 are left out.
std::optional<std::vector<TileAxis>> axesOf(Program &p, IndexForm &form, const TileProduct &product,
                                            const Def &reader, const Node *read) {
  const std::vector<DimExpr> &dims = p.typeOf(read->source).dims;
  std::vector<size_t> walked; // axes of the result
  for (size_t i = 0; i < read->args.size(); ++i) {
    if (dims[i].isConstant(1))
      continue;
    auto range = rangeOf(form, reader, form.simplify(read->args[i]), dims[i],
                         walked.empty() ? 0 : walked.back() + 1);
    if (!range)
      return std::nullopt;
    for (size_t x = range->first; x < range->second; ++x)
      walked.push_back(x);
  }
  const bool windows = product.right == TileProduct::Right::Windows;
  const size_t firstColumn = product.outer + product.rows;
  auto take = [&](size_t from, size_t to, TileAxis axis, std::vector<TileAxis> &into) {
    size_t here = 0, all = 0;
    for (size_t x = from; x < to; ++x) {
      all += !reader.type.dims[x].isConstant(1);
      here += llvm::is_contained(walked, x);
    }
    if (here == 0)
      return true;
    if (here != all)
      return false;
    for (size_t x = from; x < to; ++x)
      axis.extent = axis.extent * reader.type.dims[x];
    into.push_back(axis);
    return true;
  };
  std::vector<TileAxis> axes;
  bool good = true;
  for (size_t x = 0; x < product.outer; ++x)
    good &= take(x, x + 1, {TileAxis::Kind::Outer, x}, axes);
  good &= take(product.outer, firstColumn, {TileAxis::Kind::Rows}, axes);
  if (windows)
    for (size_t i = 0; i < product.columns; ++i)
      good &= take(firstColumn + i, firstColumn + i + 1, {TileAxis::Kind::Columns, i}, axes);
  else
    good &= take(firstColumn, reader.vars.size(), {TileAxis::Kind::Columns}, axes);
  return good ? std::optional(axes) : std::nullopt;
}

} // namespace

std::optional<Epilogue> epilogueOf(Program &p, const DimFacts &facts, uint32_t product,
                                   const TileProduct &form, const Def &reader) {
  if (reader.type.type != DType::F32 || form.kind == TileProduct::Kind::Forward)
    return std::nullopt;
  IndexForm index(p, facts);
  auto seen = overProduct(p, index, p.defs[product], reader);
  std::vector<const Node *> reads;
  if (!seen || !collectReads(seen->body, reads) || reads.size() > kMostReads)
    return std::nullopt;
  Epilogue found{std::move(*seen), {}};
  const Def &d = found.reader;
  bool follows = false;
  for (const Node *r : reads) {
    EpilogueRead e{r, r->source == Source{Source::Kind::Def, product}, {}};
    if (e.isProduct) {
      for (size_t i = 0; i < d.vars.size(); ++i)
        if (!d.type.dims[i].isConstant(1) && index.simplify(r->args[i]) != d.vars[i])
          return std::nullopt;
      follows = true;
    } else if (auto axes = axesOf(p, index, form, d, r)) {
      e.axes = *axes;
    } else {
      return std::nullopt;
    }
    found.reads.push_back(std::move(e));
  }
  return follows ? std::optional(std::move(found)) : std::nullopt;
}

namespace {

/// Scalar operations of a block again, on tiles.
class Lifting {
public:
  Lifting(OpBuilder &b, Location loc, int64_t rank)
      : b(b), loc(loc), ones(static_cast<size_t>(rank), 1) {}

  void bind(Value scalar, Value tile) { tiles[scalar] = tile; }

  void lift(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      constants[op->getResult(0)] = constant.getValue();
      return;
    }
    SmallVector<int64_t> shape(ones);
    for (Value v : op->getOperands())
      if (Value tile = tiles.lookup(v))
        for (auto [mine, size] :
             llvm::zip_equal(shape, cast<RankedTensorType>(tile.getType()).getShape()))
          mine = std::max(mine, size);
    OperationState state(loc, op->getName().getStringRef());
    for (Value v : op->getOperands())
      state.operands.push_back(as(v, shape));
    state.addTypes(RankedTensorType::get(shape, op->getResult(0).getType()));
    state.addAttributes(op->getAttrs());
    tiles[op->getResult(0)] = b.create(state)->getResult(0);
  }

  /// The tile of a scalar, broadcast to `shape`.
  Value as(Value scalar, ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, scalar.getType());
    if (auto it = constants.find(scalar); it != constants.end())
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, it->second));
    Value tile = tiles.at(scalar);
    return tile.getType() == type ? tile : Value(tile::BroadcastOp::create(b, loc, type, tile));
  }

private:
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> ones;
  DenseMap<Value, Value> tiles;
  DenseMap<Value, Attribute> constants;
};

} // namespace

Value emitEpilogue(OpBuilder &b, Location loc, Program &p, const DimFacts &facts,
                   const Epilogue &epilogue, ArrayRef<Value> values, RankedTensorType type) {
  const std::vector<EpilogueRead> &reads = epilogue.reads;
  OwningOpRef<ModuleOp> scalars(ModuleOp::create(loc));
  OpBuilder inside(scalars->getBodyRegion());
  SmallVector<Type> types(reads.size(), b.getF32Type());
  auto func = func::FuncOp::create(inside, loc, "f", b.getFunctionType(types, {}));
  Block *block = func.addEntryBlock();
  inside.setInsertionPointToStart(block);
  IndexForm form(p, facts);
  SizeEmitter sizes([](StringRef) { return Value(); });
  TermEmitter terms(p, form, sizes, [](Source) { return Value(); });
  Lifting lifting(b, loc, type.getRank());
  for (size_t i = 0; i < reads.size(); ++i) {
    terms.bindRead(reads[i].read, block->getArgument(static_cast<unsigned>(i)));
    lifting.bind(block->getArgument(static_cast<unsigned>(i)), values[i]);
  }
  Value result = terms.scalar(inside, loc, epilogue.reader.body);
  for (Operation &op : *block)
    lifting.lift(&op);
  return lifting.as(result, type.getShape());
}

} // namespace imbrex::lower
