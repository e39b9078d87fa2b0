// The table of converters: one row for each form of an operator, one function a family. A new
// operator is a row in its family's file; a new family is declared here and listed in
// Converters.cpp.
#pragma once

#include "compiler/frontend/onnx/NodeContext.h"

#include <span>

namespace imbrex::frontend {

using Converter = void (*)(NodeContext &);

/// `convert` handles `op` from operator set `since` until the next row of the same operator.
struct ConverterRow {
  std::string_view op;
  int64_t since;
  Converter convert;
};
using ConverterRows = std::span<const ConverterRow>;

ConverterRows elementwiseRows();
ConverterRows activationRows();
ConverterRows reduceRows();
ConverterRows constantRows();
ConverterRows shapeRows();
ConverterRows sliceRows();
ConverterRows gatherRows();
ConverterRows linearRows();
ConverterRows convRows();
ConverterRows poolRows();
ConverterRows normalizeRows();
ConverterRows quantizeRows();
ConverterRows lossRows();
ConverterRows recurrentRows();
ConverterRows attentionRows();
ConverterRows signalRows();
ConverterRows resizeRows();
ConverterRows sequenceStateRows();
ConverterRows trainingRows();
ConverterRows gridSampleRows();
ConverterRows placeRows();
ConverterRows searchingRows();
ConverterRows regionRows();
ConverterRows oldFormRows();
ConverterRows sequenceRows();
ConverterRows stringRows();
ConverterRows deformConvRows();
ConverterRows randomRows();
ConverterRows treeRows();
ConverterRows mlFeatureRows();
ConverterRows linearModelRows();
ConverterRows supportVectorRows();
ConverterRows mapRows();

/// Sum, Max and the like: any number of operands, all present.
void variadic(NodeContext &n, const char *op);

/// An optional that holds `v`, and what an optional holds.
Value optionalOf(NodeContext &n, Value v);
Value elementOfOptional(NodeContext &n, Value optional);

/// A vector of constant strings, and the list of strings that is an attribute (nothing: there is
/// none).
Value textVector(NodeContext &n, const std::vector<std::string> &texts);
std::optional<std::vector<std::string>> textList(NodeContext &n, std::string_view name);
/// As ONNX's Cast does it, from and to strings too.
Value castValue(NodeContext &n, Value v, DType to);

/// Drawn anew each time it runs, or from the node's seed: f64 for f64, else f32; uniform in [0, 1)
/// or of the standard normal distribution.
Value drawn(NodeContext &n, bool normal, const std::vector<DimExpr> &shape, DType type);

/// A node that a function of the user's libraries computes (customops::functionFor).
void convertCustom(NodeContext &n, const std::string &function);

/// Operators of other domains are named DOMAIN.OP. The row for `op` in operator set `opset`: null
/// when there is none, with `first` the earliest set that has one (0: none has).
const ConverterRow *findConverter(std::string_view op, int64_t opset, int64_t &first);
/// All rows, for documentation: sorted by operator, then set.
std::vector<ConverterRow> allConverters();

} // namespace imbrex::frontend
