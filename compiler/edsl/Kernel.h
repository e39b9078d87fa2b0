// The language that kernels are written in: ordinary C++ functions over a Kernel, which records
// what they do into the tile dialect. Tracing and verification happen in the build, so a kernel
// that could race or leave its views fails the build with the line of its source.
//
//   void scale(Kernel &k) {
//     Size n = k.size("n");
//     Input x = k.input("x", DType::F32, {n});
//     Output y = k.output("y", DType::F32, {n});
//     Piece p = k.own(y, {1024});                  the grid follows from the output
//     p.store(x.load(p) * 2.0f);                   a store names no place: it is the block's piece
//   }
#pragma once

#include "compiler/edsl/Values.h"
#include "support/Result.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace imbrex::edsl {

/// The order in which blocks visit a grid of two axes: groups of this many rows, column by column
/// within a group, so that blocks near in time share what they load. 0: one axis of blocks each.
struct Order {
  int64_t group = 0;
};
inline Order grouped(int64_t rows) { return {rows}; }

/// Coordinates of a tile in a view.
using Place = std::vector<IndexOperand>;

class Piece;

/// A view that any block may read.
class Input {
public:
  /// The tile of this shape at tile coordinates; beyond the view's end it is `pad`.
  Tile load(const Place &place, const Shape &shape, double pad = 0, At at = At::current()) const;
  /// The same, and a hint that the next tile on an axis will be read soon.
  Tile loadAhead(const Place &place, const Shape &shape, int64_t axis, double pad = 0,
                 At at = At::current()) const;
  /// The tile at the coordinates of a piece of an output of the same extents.
  Tile load(const Piece &piece, double pad = 0, At at = At::current()) const;
  /// A tile that lies within the view whole.
  Tile loadWhole(const Place &place, const Shape &shape, At at = At::current()) const;
  /// The tile from element offsets on, padded outside the view.
  Tile window(const Place &offsets, const Shape &shape, double pad = 0,
              At at = At::current()) const;
  /// Rows that a tile of integers names; rows outside the view are zeros.
  Tile gather(const Tile &rows, const Place &place, const Shape &shape,
              At at = At::current()) const;
  /// One element of an integer view as an index; uses of it are checked when the kernel runs.
  Index read(const Place &place, At at = At::current()) const;

private:
  friend class Kernel;
  Input(Tracer *tracer, void *view, DType type) : tracer(tracer), view(view), type(type) {}
  Tracer *tracer;
  void *view;
  DType type;
};

/// A view that the kernel writes, each element once. Only its pieces can be stored into.
class Output {
private:
  friend class Kernel;
  Output(Tracer *tracer, void *view, DType type, std::vector<Size> extents)
      : tracer(tracer), view(view), type(type), extents(std::move(extents)) {}
  Tracer *tracer;
  void *view;
  DType type;
  std::vector<Size> extents;
};

/// A piece of an output that belongs to this block.
class Piece {
public:
  const Index &operator[](size_t axis) const { return place[axis]; }
  const Shape &shape() const { return tile; }
  void store(const Tile &value, At at = At::current()) const;
  /// What the piece held before; only of a view made by inOut().
  Tile load(At at = At::current()) const;

private:
  friend class Kernel;
  Piece(Tracer *tracer, void *view, DType type, std::vector<Index> place, Shape tile)
      : tracer(tracer), view(view), type(type), place(std::move(place)), tile(std::move(tile)) {}
  Tracer *tracer;
  void *view;
  DType type;
  std::vector<Index> place;
  Shape tile;
};

/// Stores a row, chunk by chunk: takes what makes the chunk of a number.
using RowStore = std::function<void(const std::function<Tile(Index)> &)>;

/// The same for an index of the first axis: takes what makes a piece of its place on the other
/// axes.
using SliceStore = std::function<void(const std::function<Tile(const std::vector<Index> &)> &)>;

/// What is known of a size.
struct SizeLimits {
  int64_t least = 0, most = (int64_t(1) << 31) - 1, multipleOf = 1;
};

class Kernel {
public:
  explicit Kernel(Tracer &tracer) : tracer(&tracer) {}

  Size size(std::string_view name, SizeLimits limits = {}, At at = At::current());
  /// A fact that each launch checks: a >= b.
  void assumeAtLeast(const Size &a, const Size &b);
  Input input(std::string_view name, DType type, const std::vector<Size> &extents,
              At at = At::current());
  Output output(std::string_view name, DType type, const std::vector<Size> &extents,
                At at = At::current());
  /// Views whose elements do not lie in row-major order without gaps: strides count elements. Of an
  /// output's it is proven, or checked at each launch, that no two elements share a place.
  Input input(std::string_view name, DType type, const std::vector<Size> &extents,
              const std::vector<Size> &strides, At at = At::current());
  Output output(std::string_view name, DType type, const std::vector<Size> &extents,
                const std::vector<Size> &strides, At at = At::current());
  /// An output whose pieces may be loaded before they are stored.
  Output inOut(std::string_view name, DType type, const std::vector<Size> &extents,
               At at = At::current());

  /// Cuts the output into tiles, one for each block, and gives this block its own. Several outputs
  /// must be cut into equally many.
  Piece own(const Output &output, const Shape &tile, Order order = {}, At at = At::current());
  /// As own, with as many blocks as `blocks` says, which share the pieces out among them.
  void eachPiece(const Output &output, const Shape &tile, const Size &blocks, Order order,
                 const std::function<void(const Piece &)> &body, At at = At::current());

  /// Gives each block one index of the output's first axis. The body gets it and, to be called
  /// once, what stores the pieces of `chunk` elements that the other axes are cut into: chunk[0]
  /// is 1.
  void ownSlices(const Output &output, const Shape &chunk,
                 const std::function<void(const Index &, const SliceStore &)> &body,
                 At at = At::current());
  /// Gives each block one row of an output of two axes. The body gets the row's number and, to be
  /// called once, what stores its chunks of [1, chunk] elements.
  void ownRows(const Output &output, int64_t chunk,
               const std::function<void(const Index &, const RowStore &)> &body,
               At at = At::current());

  Tile full(DType type, const Shape &shape, double value, At at = At::current());
  Tile zeros(DType type, const Shape &shape, At at = At::current()) {
    return full(type, shape, 0, at);
  }
  /// Each element its coordinate on the axis, of an integer type.
  Tile iota(DType type, const Shape &shape, int64_t axis, At at = At::current());
  /// An index as a tile of one element of an integer type, for comparisons with iota.
  Tile splat(IndexOperand index, DType type, const Shape &shape, At at = At::current());

  /// for i in 0 … count - 1: the carried tiles.
  std::vector<Tile> loop(IndexOperand count, const std::vector<Tile> &init,
                         const std::function<std::vector<Tile>(Index, std::vector<Tile>)> &body,
                         At at = At::current());
  Tile loop(IndexOperand count, const Tile &init, const std::function<Tile(Index, Tile)> &body,
            At at = At::current());
  void forEach(IndexOperand count, const std::function<void(Index)> &body, At at = At::current());
  void when(const Condition &condition, const std::function<void()> &then,
            const std::function<void()> &otherwise = {}, At at = At::current());

private:
  Tracer *tracer;
};

using KernelFunction = std::function<void(Kernel &)>;

struct NamedKernel {
  std::string name;
  KernelFunction function;
};

/// What tracing and verification of a library found.
struct TraceReport {
  size_t kernels = 0;
  int64_t launchChecks = 0, inKernelChecks = 0, unsafeRegions = 0;
};

/// The kernels as a module of the tile dialect, verified: text. An Error lists every fault with its
/// place in the source.
Result<std::string> traceKernels(const std::vector<NamedKernel> &kernels, TraceReport &report);

} // namespace imbrex::edsl
