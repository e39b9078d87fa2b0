// The matrix product of tiles: which instructions, which register tile, which layout of operands.
//
//   left    rows of words, one row behind the other at a fixed distance
//   right   panels [columns / width][words of k][width], each word `group` neighbours in k;
//           or rows in a view, a panel a part of each
//   sums    rows in scratch; a register tile of `rows` x some vectors lives in registers over all k
//
// What the kernel makes of the sums, element by element, can be computed as they leave the
// registers (finish), so that sums of short k are never stored.
//
// A word is what one lane multiplies: one f32 or f64, two bf16 or i16, four bytes.
#pragma once

#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

enum class ProductKind : uint8_t {
  Fma,      // acc += a * b
  PairsF32, // vdpbf16ps
  PairsI32, // vpdpwssd, or vpmaddwd and an addition
  BytesI32, // vpdpbusd
};

/// How a product is done on a target.
struct ProductShape {
  ProductKind kind = ProductKind::Fma;
  mlir::Type word, packed, sum; // word in memory, element of a packed operand, accumulator
  int64_t group = 1;            // elements of k in a word
  int64_t lanes = 16;           // accumulators in a vector
  int64_t rows = 14;            // the most rows of a register tile
  static constexpr int64_t kVectors = 2;

  int64_t width() const { return lanes * kVectors; }
  int64_t wordBytes() const { return sum.getIntOrFloatBitWidth() / 8; }
};

ProductShape productShape(tile::MmaOp op, const CpuTarget &target);

/// Emits one product.
class ProductEmitter {
public:
  ProductEmitter(KernelEmitter &kernel, tile::MmaOp op);
  void emit(const Buffer &sums);
  /// Writes `value`, which elementwise operations make of the sums, into `to`; no others.
  void finish(mlir::Value value, const Buffer &to);
  /// The accumulator is zero: it is not read.
  void startFromZero() { fromZero = true; }
  /// The right side, joined of parts, is computed word by word in registers: too few rows want it
  /// for it to pay in scratch.
  bool computesWordsOf(tile::ConcatOp parts);

private:
  /// Up to how many words of k there is no loop.
  static constexpr int64_t kStraight = 8;
  struct Left {
    mlir::Value pointer;
    int64_t rowBytes;
  };
  struct Right {
    mlir::Value pointer;    // of the first panel
    mlir::Value panelBytes; // i64, from panel to panel
    mlir::Value wordBytes;  // i64, from word to word
    tile::ConcatOp parts;   // where words are computed as they are needed: no pointer then
  };
  Left left();
  std::optional<Left> leftAlready();
  llvm::SmallVector<int64_t> heights() const;
  void copyRows(const Point &like, llvm::function_ref<void(const Point &)> write);
  Right right();
  Right packRight();
  std::optional<Right> packedAlready();
  std::optional<Right> computedAsPanels();
  std::optional<Right> rowsAlready();
  Right inPlaceIf(mlir::Value inside, llvm::function_ref<Right()> inPlace);
  mlir::Value bytes64(int64_t bytes);
  void packTurned(const Buffer &into, mlir::Value panel, const Turn &turn);
  void packPanel(const Buffer &into, mlir::Value panel, int64_t columns, bool inside);
  mlir::Value panelVector(mlir::Value word, mlir::Value column, int64_t valid, bool inside);
  mlir::Value converted(mlir::Value v, bool isLeft);
  /// How far an operand's axis reaches before only zeros follow; null: to its end.
  struct Limit {
    mlir::Value elems;
    DimExpr extent = 0;
    mlir::Value tileIndex;
  };
  std::optional<Limit> limitOf(mlir::Value operand, int64_t axis);
  void findLimits();
  /// A register tile: its height, its vectors side by side and where it begins.
  struct RegisterTile {
    int64_t rows, vectors;
    mlir::Value row, column; // in the tile
    mlir::Value a;
    llvm::SmallVector<mlir::Value> panels; // the right side's
    mlir::Value firstPanel;
    tile::ConcatOp parts; // as Right has them
    int64_t aRowBytes;
    mlir::Value bWordBytes; // i64
  };
  mlir::Value computedVector(const RegisterTile &t, int64_t word, int64_t vector);
  int64_t panelsAtOnce() const;
  void registerTiles(const Left &a, const Right &r);
  void rowsOfTiles(const Left &a, const Right &r, mlir::Value first, int64_t panels);
  void registerTile(const RegisterTile &t);
  llvm::SmallVector<mlir::Value> firstSums(const RegisterTile &t, llvm::ArrayRef<Point> places);
  void writeSums(const RegisterTile &t, llvm::ArrayRef<Point> places, mlir::ValueRange sums);
  /// `count` steps of k from the carried values on: sums, left side, panels of the right.
  llvm::SmallVector<mlir::Value> steps(int64_t count, mlir::ValueRange carried,
                                       const RegisterTile &t);
  llvm::SmallVector<mlir::Value> keepRepeated(mlir::Value tree);
  void keepStoredLimits();
  mlir::Value multiply(mlir::Value a, mlir::Value b, mlir::Value sum);
  mlir::Value offset(mlir::Value pointer, int64_t bytes);
  mlir::Value offset(mlir::Value pointer, mlir::Value bytes); // i64

  KernelEmitter &e;
  tile::MmaOp op;
  ProductShape s;
  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t m, n, k, kWords;
  bool fromZero = false, inside = true; // inside: nothing beside the sums lies beyond an edge
  Buffer into;                          // of the sums, or of what is made of them
  mlir::Value finished;                 // what is made of them; null: nothing
  mlir::Value wordCount;                // index: words of k before both sides are zero
  /// Rows, columns and elements of k behind which nothing is computed; absent: all are.
  std::optional<Limit> rowLimit, columnLimit, kLimit;
};

} // namespace imbrex::codegen
