// The matrix product of tiles: which instructions, which register tile, which layout of operands.
//
//   left    rows of words, one row behind the other at a fixed distance
//   right   panels [columns / width][words of k][width], each word `group` neighbours in k;
//           or rows in a view, a panel a part of each
//   sums    rows in scratch; a register tile of `rows` x 2 vectors lives in registers over all k
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
  /// The accumulator is zero: it is not read.
  void startFromZero() { fromZero = true; }

private:
  struct Left {
    mlir::Value pointer;
    int64_t rowBytes;
  };
  struct Right {
    mlir::Value pointer;    // of the first panel
    mlir::Value panelBytes; // i64, from panel to panel
    mlir::Value wordBytes;  // i64, from word to word
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
  /// Where a register tile's operands begin.
  struct Operands {
    mlir::Value a, bPanel, c;
    int64_t aRowBytes, cRowBytes;
    mlir::Value bWordBytes; // i64
  };
  void registerTile(int64_t rows, const Operands &from);
  llvm::SmallVector<mlir::Value> steps(int64_t count, llvm::ArrayRef<mlir::Value> sums,
                                       mlir::Value a, mlir::Value bPanel, int64_t rows,
                                       const Operands &from);
  mlir::Value multiply(mlir::Value a, mlir::Value b, mlir::Value sum);
  mlir::Value offset(mlir::Value pointer, int64_t bytes);
  mlir::Value offset(mlir::Value pointer, mlir::Value bytes); // i64

  KernelEmitter &e;
  tile::MmaOp op;
  ProductShape s;
  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t m, n, k, kWords;
  bool fromZero = false;
  mlir::Value wordCount; // index: words of k before both sides are zero
  /// Rows, columns and elements of k behind which nothing is computed; absent: all are.
  std::optional<Limit> rowLimit, columnLimit, kLimit;
};

} // namespace imbrex::codegen
