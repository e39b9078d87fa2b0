#include "compiler/passes/lower/Winograd.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>
#include <array>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

constexpr int64_t kLargePicture = 1 << 14; // places
constexpr int64_t kPiece = 4, kWindow = 6; // of the result, and what it reads
constexpr double kA = kNearPoint, kB = kFarPoint, kA2 = kA * kA, kB2 = kB * kB;
constexpr double kForward[6][6] = {
    {kA2 * kB2, 0, -(kA2 + kB2), 0, 1, 0}, {0, -kA * kB2, -kB2, kA, 1, 0},
    {0, kA * kB2, -kB2, -kA, 1, 0},        {0, -kB * kA2, -kA2, kB, 1, 0},
    {0, kB * kA2, -kA2, -kB, 1, 0},        {0, kA2 * kB2, 0, -(kA2 + kB2), 0, 1}};
constexpr double kInverse[4][6] = {{1, 1, 1, 1, 1, 0},
                                   {0, kA, -kA, kB, -kB, 0},
                                   {0, kA2, kA2, kB2, kB2, 0},
                                   {0, kA * kA2, -kA * kA2, kB * kB2, -kB * kB2, 1}};
constexpr double kOfA = 2 * kA2 * (kA2 - kB2), kOfB = 2 * kB2 * (kB2 - kA2);
constexpr double kWeights[6][3] = {{1 / (kA2 * kB2), 0, 0},
                                   {1 / kOfA, kA / kOfA, kA2 / kOfA},
                                   {1 / kOfA, -kA / kOfA, kA2 / kOfA},
                                   {1 / kOfB, kB / kOfB, kB2 / kOfB},
                                   {1 / kOfB, -kB / kOfB, kB2 / kOfB},
                                   {0, 0, 1}};

template <size_t Rows, size_t Columns> HostTensor tableOf(const double (&table)[Rows][Columns]) {
  HostTensor t(DType::F32, {int64_t(Rows), int64_t(Columns)});
  for (size_t i = 0; i < Rows * Columns; ++i)
    t.mutableData<float>()[i] = static_cast<float>(table[i / Columns][i % Columns]);
  return t;
}

/// G w G^T for each pair of channels, packed in panels: [6, 6, ceil(m / 32), c, 32].
HostTensor transformedWeights(const HostTensor &weights) {
  const int64_t rows = weights.shape()[0], depth = weights.shape()[1];
  const int64_t panels = (rows + kPanel - 1) / kPanel, plane = panels * depth * kPanel;
  HostTensor out(DType::F32, {kWindow, kWindow, panels, depth, kPanel});
  const auto *w = weights.data<float>();
  auto *to = out.mutableData<float>();
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t c = 0; c < depth; ++c) {
      const float *g = w + (m * depth + c) * 9;
      double half[6][3];
      for (int u = 0; u < 6; ++u)
        for (int j = 0; j < 3; ++j)
          half[u][j] =
              kWeights[u][0] * g[j] + kWeights[u][1] * g[3 + j] + kWeights[u][2] * g[6 + j];
      float *at = to + (m / kPanel * depth + c) * kPanel + m % kPanel;
      for (int u = 0; u < 6; ++u)
        for (int v = 0; v < 6; ++v, at += plane)
          *at = static_cast<float>(half[u][0] * kWeights[v][0] + half[u][1] * kWeights[v][1] +
                                   half[u][2] * kWeights[v][2]);
    }
  return out;
}

/// Two elements of a table, multiplied.
const Node *factor(Terms &t, Source table, std::array<const Node *, 4> at) {
  Node x{.kind = TermKind::VRead};
  x.type = DType::F32;
  x.source = table;
  x.args = {at[0], at[1]};
  Node y = x;
  y.args = {at[2], at[3]};
  Node both{.kind = TermKind::VApply};
  both.type = DType::F32;
  both.fn = FnId::Mul;
  both.args = {t.p.intern(std::move(x)), t.p.intern(std::move(y))};
  return t.p.intern(std::move(both));
}

/// How a picture is cut into pieces.
struct Pieces {
  DimExpr count = 1; // pictures
  int64_t down = 1, across = 1;
  DimExpr all() const { return count * (down * across); }
};

/// Where the first step reads: [n, 4*th + i, 4*tw + j, c].
std::vector<const Node *> forwardPlace(Terms &t, const Pieces &s, const Node *piece, const Node *i,
                                       const Node *j, const Node *channel) {
  const Node *row = t.mod(t.div(piece, s.across), s.down);
  return {t.div(piece, s.down * s.across), t.add(t.mul(row, kPiece), i),
          t.add(t.mul(t.mod(piece, s.across), kPiece), j), channel};
}

/// Where the last step reads: [u, v, t, m].
std::vector<const Node *> inversePlace(Terms &t, const Pieces &s,
                                       const std::vector<const Node *> &at, const Node *u,
                                       const Node *v) {
  const Node *row = t.add(t.mul(at[0], s.down), t.div(at[2], kPiece));
  return {u, v, t.add(t.mul(row, s.across), t.div(at[3], kPiece)), at[1]};
}

class Rewrite {
public:
  Rewrite(Program &p, const DimFacts &facts, const Def &d, const ContractionParts &parts,
          uint32_t first)
      : p(p), t{p}, form(p, facts), def(d), parts(parts), first(first) {
    form.bind(d.vars, d.type.dims);
    for (const Axis &r : parts.reduced)
      form.bind(r.var, r.extent);
  }

  std::optional<std::vector<Def>> make(int64_t &spareBytes) {
    if (!isConvolution() || !pays())
      return std::nullopt;
    if (growth() > spareBytes)
      return std::nullopt;
    spareBytes -= growth();
    const uint32_t last = channelsLast(), pieces = forward(last), sums = products(pieces);
    inverse(sums);
    return std::move(made);
  }

private:
  bool isConvolution() {
    const Node *weights = parts.left;
    if (def.type.type != DType::F32 || def.vars.size() != 4 || parts.leftGuard ||
        parts.rightGuard || parts.rows.size() != 1 || parts.columns.size() != 2 ||
        parts.reduced.size() != 3 || !parts.outerOfLeft.empty() ||
        weights->kind != TermKind::VRead || parts.right->kind != TermKind::VRead ||
        weights->type != DType::F32 || parts.right->type != DType::F32 ||
        weights->source.kind != Source::Kind::Operand || weights->args.size() != 4 ||
        parts.right->args.size() != 4)
      return false;
    constant = p.operands[weights->source.index].constant;
    if (!constant || constant->type() != DType::F32)
      return false;
    channel = parts.reduced[0].var;
    down = parts.reduced[1].var;
    across = parts.reduced[2].var;
    const Node *expected[] = {def.vars[1], channel, down, across};
    for (size_t i = 0; i < 4; ++i)
      if (form.simplify(weights->args[i]) != expected[i])
        return false;
    const std::vector<int64_t> &shape = constant->shape();
    if (shape[2] != 3 || shape[3] != 3 || !slides(2, down) || !slides(3, across))
      return false;
    bool plain = true;
    for (size_t i = 0; i < 2; ++i)
      walk(parts.right->args[i], [&](const Node *n) {
        plain &= n != down && n != across && n != def.vars[2] && n != def.vars[3];
      });
    return plain && sizes();
  }

  /// The read's index is the place and the tap, from a constant on.
  bool slides(size_t axis, const Node *tap) {
    auto slide = slideOf(form.simplify(parts.right->args[axis]), def.vars[axis], tap);
    if (!slide || slide->stride != 1)
      return false;
    start[axis - 2] = slide->start;
    return true;
  }

  bool sizes() {
    auto h = def.type.dims[2].constant(), w = def.type.dims[3].constant();
    if (!h || !w)
      return false;
    height = *h;
    width = *w;
    s.count = def.type.dims[0];
    s.down = (height + kPiece - 1) / kPiece;
    s.across = (width + kPiece - 1) / kPiece;
    for (size_t i = 0; i < 2; ++i) {
      auto size = p.typeOf(parts.right->source).dims[i + 2].constant();
      if (!size)
        return false;
      memory[i] = *size;
    }
    return true;
  }

  /// In cycles for a place, of a machine with two vectors of 16 multiplied a cycle.
  bool pays() const {
    const int64_t rows = constant->shape()[0], depth = constant->shape()[1];
    if (!winogradChannels(rows) || !winogradChannels(depth) || s.down * s.across < 9 ||
        s.across > 128)
      return false;
    const double waste = double(s.down * s.across * kPiece * kPiece) / double(height * width);
    const double direct = 9. * double(rows * depth) / 28;
    // Plain windows of few channels leave them first; of a large picture each channel's elements
    // are on pages of their own.
    const double copy = rows < kPanel && height * width > kLargePicture ? 8 : 0;
    const double here = waste * (2.25 * double(rows * depth) / 24 + 1.2 * double(rows) +
                                 (1.6 + copy) * double(depth));
    return here < 0.9 * direct;
  }

  /// Bytes by which the weights grow, panels being filled.
  int64_t growth() const {
    const int64_t rows = llvm::alignTo(uint64_t(constant->shape()[0]), uint64_t(kPanel));
    const int64_t there = rows * constant->shape()[1] * kWindow * kWindow;
    return (there - constant->elems()) * int64_t(sizeof(float));
  }

  const Node *axisVar(Def &d, const DimExpr &extent) {
    d.vars.push_back(p.variable());
    d.type.dims.push_back(extent);
    return d.vars.back();
  }
  Def begin(const char *suffix) {
    Def d;
    d.name = def.name + suffix;
    d.type.type = DType::F32;
    return d;
  }
  uint32_t end(Def d) {
    made.push_back(std::move(d));
    return first + static_cast<uint32_t>(made.size() - 1);
  }
  Source table(HostTensor value) {
    p.operands.push_back(Operand::of(std::move(value)));
    return {Source::Kind::Operand, static_cast<uint32_t>(p.operands.size() - 1)};
  }

  uint32_t channelsLast() {
    Def d = begin(".windows");
    std::unordered_map<const Node *, const Node *> vars;
    vars[def.vars[0]] = axisVar(d, s.count);
    const Node *inside = nullptr;
    for (size_t i = 0; i < 2; ++i) {
      const int64_t extent = ((i == 0 ? s.down : s.across) + 1) * kPiece;
      const Node *at = axisVar(d, extent);
      if (extent + start[i] > memory[i])
        inside = t.both(inside, t.less(at, memory[i] - start[i]));
      vars[def.vars[2 + i]] = at;
      vars[i == 0 ? down : across] = t.size(0);
    }
    vars[channel] = axisVar(d, constant->shape()[1]);
    auto keep = [&](const Node *r, std::vector<const Node *> at) {
      Node copy = *r;
      copy.args = std::move(at);
      return p.intern(std::move(copy));
    };
    const Node *value = rewriteTerm(p, parts.right, vars, keep);
    d.body = inside ? t.select(inside, value) : value;
    return end(std::move(d));
  }

  uint32_t forward(uint32_t from) {
    Def d = begin(".pieces");
    const Node *u = axisVar(d, kWindow), *v = axisVar(d, kWindow), *piece = axisVar(d, s.all()),
               *c = axisVar(d, constant->shape()[1]), *i = p.variable(), *j = p.variable();
    const Node *read = t.read(from, DType::F32, forwardPlace(t, s, piece, i, j, c));
    d.body =
        t.sum({i, j}, {kWindow, kWindow}, factor(t, table(tableOf(kForward)), {u, i, v, j}), read);
    return end(std::move(d));
  }

  uint32_t products(uint32_t from) {
    Def d = begin(".products");
    const Node *u = axisVar(d, kWindow), *v = axisVar(d, kWindow), *piece = axisVar(d, s.all()),
               *m = axisVar(d, constant->shape()[0]), *c = p.variable();
    Node weights{.kind = TermKind::VRead};
    weights.type = DType::F32;
    weights.source = table(transformedWeights(*constant));
    weights.args = {u, v, t.div(m, kPanel), c, t.mod(m, kPanel)};
    d.body = t.sum({c}, {constant->shape()[1]}, t.read(from, DType::F32, {u, v, piece, c}),
                   p.intern(std::move(weights)));
    return end(std::move(d));
  }

  void inverse(uint32_t from) {
    Def d = def;
    const Node *u = p.variable(), *v = p.variable();
    const Node *read = t.read(from, DType::F32, inversePlace(t, s, d.vars, u, v));
    d.body = t.sum({u, v}, {kWindow, kWindow},
                   factor(t, table(tableOf(kInverse)),
                          {t.mod(d.vars[2], kPiece), u, t.mod(d.vars[3], kPiece), v}),
                   read);
    end(std::move(d));
  }

  Program &p;
  Terms t;
  IndexForm form;
  const Def &def;
  const ContractionParts &parts;
  uint32_t first;
  std::optional<HostTensor> constant;
  const Node *channel = nullptr, *down = nullptr, *across = nullptr;
  int64_t height = 0, width = 0, start[2] = {}, memory[2] = {};
  Pieces s;
  std::vector<Def> made;
};

/// `table` is a constant with these elements.
bool holds(const Program &p, Source source, const HostTensor &table) {
  if (source.kind != Source::Kind::Operand)
    return false;
  const auto &value = p.operands[source.index].constant;
  return value && value->type() == DType::F32 && value->shape() == table.shape() &&
         std::equal(table.data<float>(), table.data<float>() + table.elems(), value->data<float>());
}

} // namespace

std::optional<std::vector<Def>> winograd(Program &p, const DimFacts &facts, const Def &d,
                                         const ContractionParts &parts, uint32_t first,
                                         int64_t &spareBytes) {
  return Rewrite(p, facts, d, parts, first).make(spareBytes);
}

std::optional<TileProduct> winogradStepOf(Program &p, const Def &d, const DimFacts &facts) {
  const Node *sum = d.body;
  if (d.vars.size() != 4 || sum->red != Red::Sum || sum->vars.size() != 2 ||
      !sum->extents[0].isConstant(kWindow) || !sum->extents[1].isConstant(kWindow) ||
      sum->args[1]->kind != TermKind::VApply || sum->args[1]->fn != FnId::Mul)
    return std::nullopt;
  const Node *both = sum->args[1]->args[0], *read = sum->args[1]->args[1];
  if (both->kind != TermKind::VApply || both->fn != FnId::Mul || read->kind != TermKind::VRead ||
      read->type != DType::F32 || read->args.size() != 4)
    return std::nullopt;
  const Node *x = both->args[0], *y = both->args[1];
  if (x->kind != TermKind::VRead || y->kind != TermKind::VRead || !(x->source == y->source))
    return std::nullopt;
  Terms t{p};
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  form.bind(sum->vars, sum->extents);
  const bool isForward = holds(p, x->source, tableOf(kForward));
  if (!isForward && !holds(p, x->source, tableOf(kInverse)))
    return std::nullopt;
  const std::vector<DimExpr> &there = p.typeOf(read->source).dims, &here = d.type.dims;
  const DimExpr &rows = isForward ? there[1] : here[2], &columns = isForward ? there[2] : here[3];
  if (!rows.constant() || !columns.constant())
    return std::nullopt;
  Pieces s;
  s.count = isForward ? there[0] : here[0];
  s.down = isForward ? *rows.constant() / kPiece - 1 : (*rows.constant() + kPiece - 1) / kPiece;
  s.across =
      isForward ? *columns.constant() / kPiece - 1 : (*columns.constant() + kPiece - 1) / kPiece;
  const Node *u = d.vars[0], *v = d.vars[1], *i = sum->vars[0], *j = sum->vars[1];
  const auto place =
      isForward ? forwardPlace(t, s, d.vars[2], i, j, d.vars[3]) : inversePlace(t, s, d.vars, i, j);
  const Node *tables[] = {isForward ? u : t.mod(d.vars[2], kPiece), i,
                          isForward ? v : t.mod(d.vars[3], kPiece), j};
  const Node *found[] = {x->args[0], x->args[1], y->args[0], y->args[1]};
  for (size_t k = 0; k < 4; ++k)
    if (form.simplify(found[k]) != form.simplify(tables[k]) ||
        form.simplify(read->args[k]) != form.simplify(place[k]))
      return std::nullopt;
  const DimExpr &channels = isForward ? there[3] : here[1];
  if (!channels.constant() || !winogradChannels(channels))
    return std::nullopt;
  const std::vector<DimExpr> pieces =
      isForward ? std::vector<DimExpr>{kWindow, kWindow, s.all(), there[3]}
                : std::vector<DimExpr>{kWindow, kWindow, s.all(), here[1]};
  const std::vector<DimExpr> pictures = {s.count, (s.down + 1) * kPiece, (s.across + 1) * kPiece,
                                         there[3]};
  if ((isForward ? here : there) != pieces || (isForward && there != pictures))
    return std::nullopt;
  TileProduct step;
  step.kind = isForward ? TileProduct::Kind::Forward : TileProduct::Kind::Inverse;
  step.right = TileProduct::Right::Windows;
  step.a = step.b = read;
  step.outer = isForward ? 2 : 1;
  step.rows = 1;
  step.columns = isForward ? 1 : 2;
  step.m = isForward ? there[3] : here[1];
  step.n = isForward ? s.all() : rows * columns;
  step.k = 8; // additions, about
  step.piecesDown = s.down;
  step.piecesAcross = s.across;
  return step;
}

int64_t winogradChannels(const DimExpr &channels) {
  for (int64_t each : {32, 16, 24})
    if (*channels.constant() % each == 0)
      return each;
  return 0;
}

} // namespace imbrex::lower
