// Emits one tile kernel as a function of the kernel ABI. Each file of this folder holds one family
// of its members: KernelEmitter.cpp the walk and control flow, Nests.cpp loops over tiles,
// Carry.cpp loops in registers, Keep.cpp what loops share, Evaluate.cpp values, Memory.cpp views,
// Reduce.cpp reductions, Product.cpp matrix products.
#pragma once

#include "compiler/codegen/tile-cpu/LowerTile.h"
#include "compiler/codegen/tile-cpu/Plan.h"
#include "compiler/passes/lower/EmitTerm.h"
#include "compiler/passes/lower/KernelFrame.h"

namespace imbrex::codegen {

/// A tile in scratch memory.
struct Buffer {
  mlir::Value memory;                        // memref<?xT>, T the storage type
  mlir::Value pointer;                       // the same as !llvm.ptr
  mlir::Type element;                        // the tile's element type
  llvm::SmallVector<int64_t> shape, strides; // elements
};

/// Consecutive elements of a tile along one axis, or one element.
struct Point {
  llvm::SmallVector<mlir::Value> at; // coordinates of the first
  int64_t axis = -1, lanes = 0;      // lanes 0: one element
  bool inside = true;                // nothing that is read lies beyond an edge
  bool aligned = true;               // the first coordinate on the axis is a multiple of the lanes
};

/// A view of the kernel.
struct View {
  tile::ViewType type;
  mlir::Value memory, pointer;
  llvm::SmallVector<mlir::Value> extents, strides;
  llvm::SmallVector<DimExpr> dims, strideDims;
};

/// Where a tile lies in a view: element coordinates of its first element, by axis.
struct Place {
  const View *view = nullptr;
  llvm::SmallVector<mlir::Value> start;
  llvm::SmallVector<bool> whole; // by axis: the tile ends within the extent in every case
  bool anywhere = false;         // may start before 0, too
};

/// How a transposed tile is computed in square blocks: `lanes` neighbours on either axis.
struct Turn {
  int64_t lanesAxis, rowsAxis, lanes;
};

class KernelEmitter {
public:
  KernelEmitter(mlir::ModuleOp into, tile::KernelOp kernel, const CpuTarget &target,
                const DimFacts &facts);
  Result<TileKernelRecord> emit();

private:
  //===-- KernelEmitter.cpp: the walk ----------------------------------------===//
  using Values = llvm::SmallVector<mlir::Value>;
  /// Emits operations from `op` to the end of its block; returns what the terminator yields of
  /// scalars. In a block that has failed `fallback` is yielded instead.
  Values emitFrom(mlir::Operation *op, llvm::function_ref<Values(mlir::Operation *)> finish,
                  mlir::ValueRange fallback);
  void emitOp(mlir::Operation *op);
  void emitFor(mlir::scf::ForOp op);
  void emitForOnce(mlir::scf::ForOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitEachPiece(tile::EachPieceOp op);
  void emitUnravel(mlir::ValueRange results, mlir::Value flat, mlir::ValueRange extents,
                   std::optional<int64_t> group);
  void emitYields(mlir::scf::ForOp loop, mlir::Operation *yield);
  bool reshaped(tile::ReshapeOp op);
  void emitConstant(mlir::arith::ConstantOp op);
  void fail(mlir::Operation *check, mlir::Value bad);
  mlir::Value notFailed();
  bool mayFail(mlir::Operation *op) const;
  mlir::Value scalar(mlir::Value v) const { return scalars.lookup(v); }
  Error unsupportedOp(mlir::Operation *op, const std::string &why);

  //===-- Small emission helpers ---------------------------------------------===//
  mlir::Value index(int64_t v) { return mlir::arith::ConstantIndexOp::create(b, loc, v); }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SubIOp>(loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::MulIOp>(loc, x, y);
  }
  mlir::Value div(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::DivUIOp>(loc, x, index(y));
  }
  mlir::Value rem(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::RemUIOp>(loc, x, index(y));
  }
  mlir::Value smallest(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::MinSIOp>(loc, x, y);
  }
  mlir::Value largest(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::MaxSIOp>(loc, x, y);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate p, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(loc, p, x, y);
  }
  mlir::Value both(mlir::Value x, mlir::Value y) { // either may be absent, which is true
    return !x ? y : !y ? x : b.createOrFold<mlir::arith::AndIOp>(loc, x, y);
  }
  mlir::Value size(const DimExpr &dim) { return sizes.emit(b, loc, dim); }
  mlir::Value splat(mlir::Value scalar, int64_t lanes) {
    return lanes ? mlir::Value(mlir::vector::BroadcastOp::create(
                       b, loc, mlir::VectorType::get({lanes}, scalar.getType()), scalar))
                 : scalar;
  }
  mlir::Value zero(mlir::Type type) {
    return mlir::arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  }
  /// for i = lo to hi step `step` { body(i) }; nothing is carried.
  void loop(mlir::Value lo, mlir::Value hi, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);

  //===-- Nests.cpp ----------------------------------------------------------===//
  /// The lanes that a nest over `shape` works with, for a tree of tiles.
  Point lanesFor(llvm::ArrayRef<int64_t> shape, mlir::Value tree, unsigned atLeastBits = 8);
  /// Loops over a tile: `body` sees each element once, in vectors along `like.axis`. `limits`,
  /// where given, end an axis early, the lanes' axis behind the vector that holds the end.
  void nest(llvm::ArrayRef<int64_t> shape, const Point &like, llvm::ArrayRef<mlir::Value> limits,
            llvm::function_ref<void(const Point &)> body);
  void nestFrom(size_t axis, llvm::ArrayRef<int64_t> shape, Point &point, int64_t lanes,
                llvm::ArrayRef<mlir::Value> limits, llvm::function_ref<void(const Point &)> body);
  /// Emits twice, for tiles well inside of their views and for others; once when `inside` is null.
  void versions(mlir::Value inside, llvm::function_ref<void(bool)> emit);
  Buffer allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  void materialize(mlir::Value tile, const Buffer &into);
  /// into[j, i] = from[i, j] for f32, in squares of registers.
  void turn(const Buffer &from, const Buffer &into);
  /// Copies the elements of `shape`, from the first on.
  void copy(const Buffer &from, const Buffer &to, llvm::ArrayRef<int64_t> shape);
  void copy(const Buffer &from, const Buffer &to) { copy(from, to, to.shape); }
  bool isOwn(mlir::Value tile) const { return buffers.contains(tile); }
  void emitConcat(tile::ConcatOp op);

  //===-- Carry.cpp ----------------------------------------------------------===//
  /// The vectors to carry in registers, if the loop only computes and they are few.
  std::optional<Point> carriedInRegisters(mlir::scf::ForOp op);
  void emitInRegisters(mlir::scf::ForOp op, const Point &like);
  llvm::SmallVector<Point> vectorsOf(llvm::ArrayRef<int64_t> shape, const Point &like);
  Values yieldsOf(mlir::scf::ForOp op, llvm::ArrayRef<Point> points, mlir::ValueRange carried,
                  bool inside);

  //===-- Keep.cpp -----------------------------------------------------------===//
  /// A function of a loop that another loop computes alike, kept in scratch if `fits`.
  struct Keep {
    enum Role : uint8_t { Writes, Reads };
    mlir::Operation *function;
    mlir::Value fits;
    Buffer row; // [iterations, tile…]
    Role role;
    bool now = false; // in the version of the loop that keeps
  };
  /// Looks for a later loop that computes what this one does; notes both in `keeps`.
  void findKept(mlir::scf::ForOp first);
  /// The vector at p of what `op` computes, from or through what is kept.
  mlir::Value keptOf(mlir::Operation *op, const Point &p,
                     llvm::function_ref<mlir::Value()> compute);

  //===-- Evaluate.cpp -------------------------------------------------------===//
  mlir::Value eval(mlir::Value tile, const Point &p);
  mlir::Value evalNew(mlir::Value tile, const Point &p);
  mlir::Value evalBroadcast(tile::BroadcastOp op, const Point &p);
  mlir::Value evalReshape(tile::ReshapeOp op, const Point &p);
  mlir::Value evalElementwise(mlir::Operation *op, const Point &p);
  mlir::Value evalByElement(mlir::Value tile, const Point &p);
  mlir::Value evalElement(mlir::Value tile, llvm::ArrayRef<mlir::Value> at, bool inside);
  mlir::Type typeAt(mlir::Type element, const Point &p) {
    return p.lanes ? mlir::Type(mlir::VectorType::get({p.lanes}, element)) : element;
  }

  //===-- Turn.cpp -----------------------------------------------------------===//
  /// The tile, read in vectors like `like`, is better computed in square blocks.
  std::optional<Turn> turnOf(mlir::Value tile, const Point &like) const;
  /// A block from p on: a vector along the lanes' axis for each place on the rows' axis.
  Values evalTurned(mlir::Value tile, const Point &p, const Turn &turn);
  void storeTurned(tile::StoreOp op, const Place &place, const Turn &turn);
  void storeStaged(tile::StoreOp op, const Place &place, const Point &lanes, const Turn &turn,
                   tile::LoadOp load, const Buffer &tile);
  /// Visits the first element of each block.
  void nestTurned(llvm::ArrayRef<int64_t> shape, const Turn &turn,
                  llvm::function_ref<void(const Point &)> body);

  //===-- Memory.cpp ---------------------------------------------------------===//
  Place placeOf(mlir::Operation *op, mlir::Value view, mlir::RankedTensorType tile,
                mlir::ValueRange indices);
  Place placeOf(mlir::Operation *read);
  /// The tile lies within its view; null when that is always so.
  mlir::Value insideOf(const Place &place, mlir::RankedTensorType tile,
                       llvm::ArrayRef<int64_t> except = {});
  mlir::Value insideOfTree(mlir::Value tile);
  mlir::Value readView(mlir::Operation *op, const Point &p);
  /// Fetches the line at `flat` of the tile that is read next, as a load may ask.
  void fetchAhead(mlir::Operation *op, const Place &place, mlir::Value flat);
  /// The same for all lines of a load that is used where it lies.
  void fetchAllAhead(tile::LoadOp op);
  mlir::Value addressOf(const View &view, mlir::Value flat);
  mlir::Value readGathered(tile::GatherOp op, const Point &p);
  /// Lanes of `p` that lie within the view, as a mask (lanes) or i1; null: all. Where there is
  /// none, `flat` becomes 0.
  mlir::Value maskOf(const Place &place, const Point &p, mlir::Value *flat = nullptr);
  mlir::Value load(mlir::Value memory, mlir::Value flat, mlir::Value stride, mlir::Type element,
                   int64_t lanes, mlir::Value mask, mlir::Value pad);
  void store(mlir::Value value, mlir::Value memory, mlir::Value flat, mlir::Value stride,
             mlir::Type element, int64_t lanes, mlir::Value mask);
  mlir::Value flatIn(const Place &place, const Point &p);
  mlir::Value readBuffer(const Buffer &buffer, const Point &p);
  void writeBuffer(const Buffer &buffer, const Point &p, mlir::Value value);
  void emitStore(tile::StoreOp op);
  /// Whole vectors of the view are aligned and so many that they would only push others out of the
  /// caches; null: never.
  mlir::Value bypassesCaches(const Place &place, const Point &lanes, mlir::RankedTensorType type);
  /// Emits stores that bypass the caches where `bypasses` says so, and others.
  void bypassing(mlir::Value bypasses, llvm::function_ref<void(bool)> emit);
  /// Stores a whole vector; `bypass`: it is aligned, and goes to memory.
  void storeVector(mlir::Value value, const Place &place, const Point &p, bool bypass);
  void storeLines(tile::StoreOp op, const Place &place, const Point &lanes);
  void emitAtomicAdd(tile::AtomicAddOp op);
  void emitRead(tile::ReadOp op);
  void emitRaw(mlir::Operation *op);
  void emitGatherCheck(tile::GatherOp op);
  void emitViews();

  //===-- Reduce.cpp ---------------------------------------------------------===//
  void emitReduce(tile::ReduceOp op);
  void reduceAcross(tile::ReduceOp op, const Buffer &into, bool inside);
  void reduceAlong(tile::ReduceOp op, const Buffer &into, bool inside);
  void emitScan(tile::ScanOp op);
  mlir::Value join(tile::Kind kind, mlir::Value x, mlir::Value y);
  mlir::Value widen(mlir::Value v, mlir::Type element);
  mlir::Value identity(tile::Kind kind, mlir::Type element, int64_t lanes);

  //===-- Product.cpp --------------------------------------------------------===//
  void emitMma(tile::MmaOp op);
  void emitSums(tile::MmaOp op);
  bool isComputedByProduct(tile::ConcatOp op);
  Buffer accumulatorFor(tile::MmaOp op);

  //===-- FinishProduct.cpp --------------------------------------------------===//
  bool isFinishedByYield(tile::MmaOp op) const;
  llvm::SmallVector<tile::MmaOp> unfinishedBehind(mlir::Value tree) const;
  bool reads(mlir::Value tree, const Buffer &buffer) const;
  /// materialize, for a tile that products are a part of which wait for it.
  void finishProducts(mlir::Value value, const Buffer &into);

  tile::KernelOp kernel;
  const CpuTarget &target;
  const DimFacts &facts;
  Plan plan;
  TileKernelRecord record;
  lower::KernelFrame frame;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Block *top; // the body of the loop over the grid
  lower::SizeEmitter sizes;
  std::vector<View> views;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseSet<mlir::Value> unfinished; // products that are computed with what becomes of them
  llvm::SmallVector<mlir::Operation *> checks;
  mlir::Value status; // where the first failed check of a point is kept
  int64_t scratchUsed = 0;
  bool needsFence = false;                 // some stores bypass the caches
  std::map<mlir::Operation *, Keep> keeps; // by loop
  bool fetches = true;                     // loads that look ahead fetch what they see there
  bool streaming = false;                  // what is read comes from memory, in order
  std::optional<Error> failure;

  /// Values of the loop body that is being emitted.
  struct Known {
    mlir::Value tile;
    Point point;
    mlir::Value value;
  };
  std::vector<Known> known;

  friend class ProductEmitter;
};

} // namespace imbrex::codegen
