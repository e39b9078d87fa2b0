// The text of one product's kernel in the tile dialect: views, grid, loop over k, loads of an
// epilogue's operands, store. Sizes are renamed s0, s1, …, which any symbol's name admits.
#pragma once

#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/TileContraction.h"
#include "compiler/passes/lower/TileEpilogue.h"
#include "compiler/passes/lower/TileSizes.h"

namespace imbrex::lower {

/// A tile's type in the text of a kernel: tensor<2x3xf32>.
std::string tileText(const std::vector<int64_t> &shape);

/// Used for one kernel: write(), then what it has found.
class KernelText {
public:
  KernelText(opmeaning::Program &p, const opmeaning::Def &out, const TileProduct &x,
             const DimFacts &facts, const std::vector<EpilogueRead> &reads)
      : p(p), out(out), x(x), facts(facts), reads(reads), sizes(chooseTileSizes(x, out)),
        windows(x.right == TileProduct::Right::Windows) {}

  std::string write(const std::string &name, KernelRecord &record);
  const std::vector<opmeaning::Source> &operands() const { return sources; }
  const TileSizes &tileSizes() const { return sizes; }
  DimExpr gridSize() const { return gridPoints; }

private:
  static std::string list(const std::vector<std::string> &parts);
  static std::string n(int64_t v) { return std::to_string(v); }
  std::string dim(const DimExpr &e) const;

  void findSymbols(KernelRecord &record);

  /// Adds a view; its type's text.
  std::string view(const std::string &name, const std::vector<DimExpr> &dims, bool written = false);
  /// A load, reshaped.
  static std::string load(const std::string &result, const std::string &what,
                          const std::string &type, const std::vector<int64_t> &shape,
                          const std::vector<int64_t> &to, const std::string &mark = "");

  /// The grid: leading axes, columns, then rows, so that a piece of the right side stays in the
  /// cache while rows pass by.
  std::string blocks();

  /// Leading coordinates and extents of an operand.
  std::string leading(const std::vector<size_t> &outer, std::vector<DimExpr> &dims,
                      std::vector<int64_t> &shape) const;

  /// What is no product over k: a step of Winograd's convolution, depthwise windows, extremes.
  std::string step();
  /// The products, over k in steps.
  std::string loop();
  std::string multiplied(const std::string &result, const std::string &into) const;
  /// Rows and columns of the product; of the result they are the other way round when the sides
  /// have changed roles.
  std::vector<int64_t> sums() const;

  std::string operandLoads(const DimExpr &chunks);

  std::string panelLoad(const std::string &what, const std::vector<DimExpr> &dims,
                        std::vector<int64_t> shape);

  /// Which tap a step is at, and where its window begins in the rows of a phase, one behind the
  /// other. A tap has `chunks` steps, a phase's row `columns` phases.
  std::string windowPlace(int64_t chunks, int64_t columns) const;
  std::string windowLoads(const DimExpr &chunks, const std::string &aAt, std::vector<DimExpr> aDims,
                          std::vector<int64_t> aShape, const std::string &bAt,
                          std::vector<DimExpr> bDims, std::vector<int64_t> bShape);

  /// Phases of rows and columns, and rows and columns of a phase, of what windows slide over.
  std::vector<DimExpr> windowAxes() const;

  /// The shape in which an epilogue works: rows, and columns as the result has them.
  std::vector<int64_t> shape() const;

  std::string epilogueLoads();

  /// The sum in the result's shape, marked as the store's value.
  std::string store();

public:
  std::vector<int64_t> storedShape; // of a piece of the result

private:
  static constexpr int64_t kMostElems = (int64_t(1) << 31) - 1;
  opmeaning::Program &p; // lives longer, as the next three do
  const opmeaning::Def &out;
  const TileProduct &x;
  const DimFacts &facts;
  std::vector<EpilogueRead> reads;
  TileSizes sizes;
  bool windows;
  std::vector<std::string> symbols, viewTexts, sizeTexts, grid;
  std::vector<opmeaning::Source> sources;
  DimExpr gridPoints = 1;
};

} // namespace imbrex::lower
