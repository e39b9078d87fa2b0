#include "compiler/passes/tile/fuzz/RandomKernel.h"

#include <functional>
#include <random>
#include <vector>

namespace imbrex::tile {

namespace {

/// The faults, each of which some rule of the verifier is there for. `None` comes first.
enum class Fault {
  None,
  SwapStore,
  StoreNext,
  StoreZero,
  StoreDouble,
  StoreHalf,
  StoreTwice,
  StoreData,
  GridLong,
  GridShort,
  LostBranch,
  Modulus,
  ReverseEnd,
  LoopLong,
  LoopLate,
  HalvesMeet,
  LoadNext,
  LoadBefore,
  WholeRagged,
  ExtentsSwapped,
  StepLong,
  StartZero,
  Neighbour,
  ShortStride,
  NarrowIndex,
  NegativeDividend,
  OtherTile,
  ReadBeyond,
  OrderBeyond,
  Count
};

constexpr const char *faultNames[] = {
    "none",         "swapped store", "store next",    "store zero",   "store doubled",
    "store halved", "stored twice",  "store by data", "grid long",    "grid short",
    "lost branch",  "wrong modulus", "reverse end",   "loop long",    "loop late",
    "halves meet",  "load next",     "load before",   "whole ragged", "extents swapped",
    "step long",    "start zero",    "neighbour",     "short stride", "narrow index",
    "negative",     "other tile",    "read beyond",   "order beyond"};

class Maker {
public:
  explicit Maker(uint64_t seed) : random(seed) {}
  RandomKernel make();

private:
  int pick(int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  bool is(Fault f) {
    if (fault != f)
      return false;
    applied = true;
    return true;
  }
  std::string name() { return "%v" + std::to_string(next++); }
  std::string line(const std::string &text) {
    body += std::string(depth * 2 + 2, ' ') + text + "\n";
    return {};
  }
  std::string value(const std::string &text) {
    std::string n = name();
    line(n + " = " + text);
    return n;
  }
  std::string constant(int64_t v) {
    return value("arith.constant " + std::to_string(v) + " : index");
  }
  std::string size(const std::string &e) { return value("tile.size \"" + e + "\""); }
  std::string binary(const char *op, const std::string &a, const std::string &b) {
    return value(std::string("arith.") + op + " " + a + ", " + b + " : index");
  }
  std::string tiles(size_t d) const {
    return tile[d] == 1 ? extent[d]
                        : "(" + extent[d] + " + " + std::to_string(tile[d] - 1) + ") floordiv " +
                              std::to_string(tile[d]);
  }
  std::string tensor() const {
    std::string t = "tensor<";
    for (int64_t x : tile)
      t += std::to_string(x) + "x";
    return t + "f32>";
  }

  void chooseShape();
  void chooseViews();
  void places(std::vector<size_t> axes, const std::function<void()> &inside);
  void blocks(const std::vector<size_t> &axes, const std::function<void()> &inside);
  void flat(const std::vector<size_t> &axes, const std::string &p);
  void loops(std::vector<size_t> axes, const std::function<void()> &inside);
  void loop(const std::string &from, const std::string &to, const std::string &step,
            const std::function<void(const std::string &)> &inside);
  void chooseTransform();
  void transform();
  void work();
  void store(const std::vector<std::string> &at);
  std::string load(const std::vector<std::string> &at);

  std::mt19937_64 random;
  Fault fault = Fault::None;
  bool applied = false;
  size_t next = 0, depth = 0;
  std::string body, sizes, grid, args, outType, inType;
  std::vector<std::string> extent; // by axis, as text
  std::vector<int64_t> tile;
  std::vector<std::string> at;    // the coordinates of this block and iteration
  std::vector<std::string> plain; // before they were turned
  bool update = false, transposed = false, divisible = false;
  std::string assume;
  enum class Turn { None, Reverse, Rotate, Skew } turn = Turn::None;
  size_t turned = 0;
  int64_t turnBy = 1, branchAt = 1;
  bool splitsBranch = false;
};

void Maker::chooseShape() {
  const int rank = 1 + pick(3);
  divisible = chance(20);
  for (int d = 0; d < rank; ++d) {
    tile.push_back(std::vector<int64_t>{1, 2, 3, 4, 8}[static_cast<size_t>(pick(5))]);
    if (chance(20)) {
      extent.push_back(std::to_string(tile.back() * (1 + pick(3)) + (divisible ? 0 : pick(2))));
      continue;
    }
    std::string s = "s" + std::to_string(d);
    extent.push_back(s);
    sizes += (sizes.empty() ? "" : ", ") + s + ": " + std::to_string(pick(2)) + " to 65536";
    if (divisible && tile.back() > 1)
      sizes += " by " + std::to_string(tile.back());
  }
}

static std::string list(const std::vector<std::string> &items) {
  std::string text;
  for (const auto &i : items)
    text += (text.empty() ? "" : ", ") + i;
  return text;
}

void Maker::chooseViews() {
  update = is(Fault::Neighbour) || chance(15);
  std::string access = update ? "update" : "write";
  std::string strides;
  if (extent.size() == 2 && (is(Fault::ShortStride) || chance(15))) {
    std::string ld = fault == Fault::ShortStride ? "ld" : chance(50) ? "ld" : "";
    if (ld.empty()) { // column-major
      strides = ", strides [1, " + extent[0] + "]";
    } else {
      sizes += (sizes.empty() ? "" : ", ") + std::string("ld: 1 to 65536");
      strides = ", strides [ld, 1]";
      if (fault != Fault::ShortStride)
        assume = " assume [\"ld >= " + extent[1] + "\"]";
    }
  }
  outType = "!tile.view<[" + list(extent) + "], f32, " + access + strides + ">";
  transposed = extent.size() == 2 && chance(25);
  std::vector<std::string> in = extent;
  if (transposed)
    std::swap(in[0], in[1]);
  if (!transposed && chance(10)) { // an input of another size: launches check it
    sizes += (sizes.empty() ? "" : ", ") + std::string("q: 0 to 65536");
    in[0] = "q";
  }
  inType = "!tile.view<[" + list(in) + "], f32>";
  args = "%x: " + inType + ", %y: " + outType;
  if (is(Fault::StoreData) || is(Fault::ReadBeyond))
    args += ", %d: !tile.view<[8], i32>";
}

void Maker::loop(const std::string &from, const std::string &to, const std::string &step,
                 const std::function<void(const std::string &)> &inside) {
  std::string i = name();
  line("scf.for " + i + " = " + from + " to " + to + " step " + step + " {");
  ++depth;
  inside(i);
  --depth;
  line("}");
}

/// The coordinates of `axes` from the flat number p.
void Maker::flat(const std::vector<size_t> &axes, const std::string &p) {
  if (axes.size() == 2 && !is(Fault::ExtentsSwapped) && chance(40)) {
    std::string columns = size(tiles(axes[1]));
    at[axes[0]] = binary("divui", p, columns);
    at[axes[1]] = binary("remui", p, columns);
    return;
  }
  std::vector<std::string> names, extents;
  for (size_t a : axes) {
    names.push_back(at[a] = name());
    extents.push_back("\"" + tiles(a) + "\"");
  }
  if (fault == Fault::ExtentsSwapped && extents.size() > 1) {
    std::swap(extents[0], extents[1]);
    applied = true;
  }
  std::string group =
      axes.size() == 2 && chance(40) ? " grouped " + std::to_string(1 + pick(4)) : "";
  std::string types;
  for (size_t i = 0; i < axes.size(); ++i)
    types += i ? ", index" : "index";
  line(list(names) + " = tile.unravel " + p + " over [" + list(extents) + "]" + group + " : " +
       types);
}

void Maker::blocks(const std::vector<size_t> &axes, const std::function<void()> &inside) {
  std::string product;
  for (size_t a : axes)
    product += (product.empty() ? "" : " * ") + ("(" + tiles(a) + ")");
  const int scheme = axes.empty() ? 0 : pick(4);
  auto fixGrid = [&](std::string g, size_t a) {
    if (is(Fault::GridLong))
      return g + " + 1";
    if (is(Fault::GridShort))
      return tile[a] == 1 ? extent[a] + " floordiv 2"
                          : extent[a] + " floordiv " + std::to_string(tile[a]);
    return g;
  };
  if (axes.empty()) {
    grid = is(Fault::GridLong) ? "2" : "1";
    inside();
  } else if (scheme == 0) { // an axis of the grid each, in any order
    std::vector<size_t> order = axes;
    std::shuffle(order.begin(), order.end(), random);
    for (size_t k = 0; k < order.size(); ++k) {
      grid += (k ? ", " : "") + fixGrid(tiles(order[k]), order[k]);
      at[order[k]] = value("tile.block " + std::to_string(k));
    }
    inside();
  } else if (scheme == 1) {
    grid = fixGrid(product, axes[0]);
    flat(axes, value("tile.block 0"));
    inside();
  } else if (scheme == 2 || axes.size() != extent.size()) { // persistent, by hand
    sizes += (sizes.empty() ? "" : ", ") + std::string(chance(50) ? "g: 1 to 64" : "g: 0 to 64");
    grid = "g";
    std::string b = value("tile.block 0"), n = size(product);
    std::string step = size(is(Fault::StepLong) ? "g + 1" : "g");
    if (is(Fault::StartZero))
      b = constant(0);
    loop(b, n, step, [&](const std::string &p) {
      flat(axes, p);
      inside();
    });
  } else { // minted
    sizes += (sizes.empty() ? "" : ", ") + std::string(chance(50) ? "g: 1 to 64" : "g: 0 to 64");
    grid = "g";
    std::vector<int64_t> by = tile;
    if (is(Fault::OtherTile))
      by[0] *= 2;
    std::string tiled, names;
    for (size_t d = 0; d < by.size(); ++d) {
      tiled += (d ? ", " : "") + std::to_string(by[d]);
      at[d] = name();
      names += (d ? ", " : "") + at[d] + ": index";
    }
    std::string group = by.size() == 2 && chance(40) ? " grouped 2" : "";
    line("tile.each_piece %y by [" + tiled + "]" + group + " : " + outType + " {");
    body += "^bb0(" + names + "):\n";
    ++depth;
    inside();
    --depth;
    line("}");
  }
}

void Maker::loops(std::vector<size_t> axes, const std::function<void()> &inside) {
  if (axes.empty())
    return inside();
  const size_t a = axes.back();
  axes.pop_back();
  std::string zero = constant(0), one = constant(1);
  std::string n = size(is(Fault::LoopLong) ? tiles(a) + " + 1" : tiles(a));
  auto next = [&](const std::string &i) {
    at[a] = i;
    loops(axes, inside);
  };
  if (is(Fault::LoopLate))
    zero = one;
  if (axes.empty() && chance(30)) { // in two halves
    std::string h = size("(" + tiles(a) + ") floordiv 2");
    std::string from = h, to = n;
    if (is(Fault::HalvesMeet)) {
      if (chance(50)) { // as many iterations as are left, from the start again
        from = zero;
        to = binary("subi", n, h);
      } else {
        from = binary(chance(50) ? "addi" : "subi", h, one);
      }
    }
    loop(zero, h, one, next);
    loop(from, to, one, next);
    return;
  }
  loop(zero, n, one, next);
}

/// Which coordinate is changed and how: the same wherever the kernel stores.
void Maker::chooseTransform() {
  const bool must = fault == Fault::Modulus || fault == Fault::ReverseEnd;
  turned = static_cast<size_t>(pick(static_cast<int>(extent.size())));
  splitsBranch = fault == Fault::LostBranch || chance(20);
  branchAt = 1 + pick(3);
  if (!must && !chance(30))
    return;
  const bool reverses = fault == Fault::ReverseEnd || (fault != Fault::Modulus && chance(40));
  turn = reverses ? Turn::Reverse : extent.size() > 1 && chance(40) ? Turn::Skew : Turn::Rotate;
  turnBy = 1 + pick(3);
}

void Maker::transform() {
  const size_t d = turned;
  if (turn == Turn::None)
    return;
  if (turn == Turn::Reverse) {
    std::string end = size(is(Fault::ReverseEnd) ? tiles(d) : tiles(d) + " - 1");
    at[d] = binary("subi", end, at[d]);
    return;
  }
  std::string by = turn == Turn::Skew ? at[(d + 1) % at.size()] : constant(turnBy);
  std::string sum = binary("addi", at[d], by);
  std::string n = size(is(Fault::Modulus) ? tiles(d) + " + 1" : tiles(d));
  at[d] = binary("remui", sum, n);
}

std::string Maker::load(const std::vector<std::string> &where) {
  std::vector<std::string> from = where;
  if (is(Fault::LoadNext) || is(Fault::LoadBefore)) {
    std::string one = constant(1);
    from[0] = binary(fault == Fault::LoadNext ? "addi" : "subi", from[0], one);
  }
  if (is(Fault::OrderBeyond)) {
    std::string number = binary("addi", from[0], constant(1));
    from[0] = value("tile.unravel " + number + " over [\"" + tiles(0) + "\"] : index");
  }
  std::string whole = divisible || is(Fault::WholeRagged) ? " whole" : "";
  if (!transposed)
    return value("tile.load %x[" + list(from) + "]" + whole + " : " + inType + " -> " + tensor());
  std::swap(from[0], from[1]);
  std::string t = "tensor<" + std::to_string(tile[1]) + "x" + std::to_string(tile[0]) + "xf32>";
  std::string u = value("tile.load %x[" + list(from) + "]" + whole + " : " + inType + " -> " + t);
  return value("tile.transpose " + u + " [1, 0] : " + t + " -> " + tensor());
}

void Maker::store(const std::vector<std::string> &where) {
  std::vector<std::string> to = where;
  if (fault == Fault::SwapStore && to.size() > 1) {
    std::swap(to[0], to[1]);
    applied = true;
  }
  std::string two, one;
  if (is(Fault::StoreNext))
    to[0] = binary("addi", to[0], constant(1));
  if (is(Fault::StoreZero))
    to[0] = constant(0);
  if (is(Fault::StoreDouble))
    to[0] = binary("muli", to[0], constant(2));
  if (is(Fault::StoreHalf))
    to[0] = binary("divui", to[0], constant(2));
  if (is(Fault::NegativeDividend)) // a rotation backwards, that wraps in unsigned arithmetic
    to[0] = binary("remui", binary("subi", to[0], constant(1)), size(tiles(0)));
  if (is(Fault::NarrowIndex)) {
    std::string n = value("arith.index_cast " + to[0] + " : index to i8");
    to[0] = value("arith.index_cast " + n + " : i8 to index");
  }
  if (is(Fault::StoreData)) {
    std::string r = value("tile.read %d[" + constant(0) + "] : !tile.view<[8], i32> -> i32");
    to[0] = value("arith.index_cast " + r + " : i32 to index");
  }
  if (is(Fault::ReadBeyond))
    (void)value("tile.read %d[" + where[0] + "] : !tile.view<[8], i32> -> i32");
  // What a wrong modulus stores must not be refused for where it loads.
  std::string t = load(fault == Fault::Modulus ? plain : where);
  if (update) {
    std::vector<std::string> own = to;
    if (is(Fault::Neighbour))
      own[0] = constant(0);
    std::string old = value("tile.load %y[" + list(own) + "] : " + outType + " -> " + tensor());
    t = value("arith.addf " + t + ", " + old + " : " + tensor());
  }
  std::string text =
      "tile.store " + t + " into %y[" + list(to) + "] : " + tensor() + ", " + outType;
  line(text);
  if (is(Fault::StoreTwice))
    line(text);
}

void Maker::work() {
  std::vector<std::string> saved = plain = at;
  transform();
  if (splitsBranch) {
    std::string limit = constant(branchAt);
    std::string c = value("arith.cmpi slt, " + at[0] + ", " + limit + " : index");
    line("scf.if " + c + " {");
    ++depth;
    store(at);
    --depth;
    if (!is(Fault::LostBranch)) {
      line("} else {");
      ++depth;
      store(at);
      --depth;
    }
    line("}");
  } else {
    store(at);
  }
  at = saved;
}

RandomKernel Maker::make() {
  if (chance(60))
    fault = static_cast<Fault>(1 + pick(static_cast<int>(Fault::Count) - 1));
  chooseShape();
  chooseViews();
  chooseTransform();
  at.resize(extent.size());
  std::vector<size_t> inGrid, inLoops;
  for (size_t d = 0; d < extent.size(); ++d)
    (chance(70) ? inGrid : inLoops).push_back(d);
  blocks(inGrid, [&] { loops(inLoops, [&] { work(); }); });
  RandomKernel k;
  k.fault = applied ? faultNames[static_cast<int>(fault)] : "";
  k.text = "tile.kernel @k(" + args + ")\n    " + (sizes.empty() ? "" : "sizes (" + sizes + ") ") +
           "grid [" + grid + "]" + assume + " {\n" + body + "}\n";
  return k;
}

} // namespace

RandomKernel randomKernel(uint64_t seed) { return Maker(seed * 0x9e3779b97f4a7c15u + 1).make(); }

} // namespace imbrex::tile
