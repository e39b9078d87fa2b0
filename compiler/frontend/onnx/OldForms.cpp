// Operator set 6, before broadcasting was by shape alone: operators of two operands say whether and
// along which axis they broadcast.
//
//   Add(a[2, 3, 4], b[3], broadcast = 1, axis = 1)  is  add(a, unsqueeze(b, [1]))
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// The second operand with axes of size 1 behind it, so that its first axis meets `axis` of the
/// first. Its trailing axes meet the first's where no axis is given.
Value aligned(NodeContext &n) {
  Value a = n.require(0), b = n.require(1);
  if (n.failed() || n.i("broadcast", 0) == 0 || !n.hasAttr("axis"))
    return b;
  const int64_t rank = n.rank(b), behind = n.rank(a) - n.axis(n.i("axis", 0), n.rank(a)) - rank;
  if (behind < 0)
    n.invalid("its second operand has more axes than the first has from 'axis' on", "axis");
  std::vector<int64_t> axes;
  for (int64_t k = 0; k < behind; ++k)
    axes.push_back(rank + k);
  return axes.empty() ? b : n.unsqueeze(b, axes);
}

void binary(NodeContext &n, const char *op) {
  Value b = aligned(n);
  n.result(n.apply(op, {n.in(0), b}));
}

/// A slope for each channel, or one for all.
void prelu(NodeContext &n) {
  Value x = n.require(0), slope = n.require(1);
  std::vector<int64_t> behind;
  for (int64_t k = 2; k < n.rank(x) && n.rank(slope) == 1; ++k)
    behind.push_back(k - 1);
  n.result(n.apply("prelu", {x, behind.empty() ? slope : n.unsqueeze(slope, behind)}));
}

constexpr ConverterRow kRows[] = {
    {"Add", 6, [](NodeContext &n) { binary(n, "add"); }},
    {"Div", 6, [](NodeContext &n) { binary(n, "div"); }},
    {"Max", 6, [](NodeContext &n) { variadic(n, "max"); }},
    {"Mean", 6, [](NodeContext &n) { variadic(n, "mean"); }},
    {"Min", 6, [](NodeContext &n) { variadic(n, "min"); }},
    {"Mul", 6, [](NodeContext &n) { binary(n, "mul"); }},
    {"PRelu", 6, prelu},
    {"Pow", 1, [](NodeContext &n) { binary(n, "pow"); }},
    {"Sub", 6, [](NodeContext &n) { binary(n, "sub"); }},
    {"Sum", 6, [](NodeContext &n) { variadic(n, "sum"); }},
};

} // namespace

ConverterRows oldFormRows() { return kRows; }

} // namespace imbrex::frontend
