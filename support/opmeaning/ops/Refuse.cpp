// The end of a path that cannot be followed: refuse.
//
// A branch whose operators do not fit the sizes of this compilation still stands in the model, and
// running it has to end with the reason. This is the value that such a branch yields.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

/// Zeros, for a result that nobody sees; what counts is the requirement.
Result<Program> refuse(Builder &b, const Attrs &a) {
  auto condition = *b.in(0);
  if (!check(b, condition.type == DType::Bool, "it refuses by a bool, not " + describe(condition)))
    return b.finish({});
  if (!checkScalar(b, condition, "condition") ||
      !check(b, std::ranges::all_of(a.is("shape"), [](int64_t d) { return d >= 0; }),
             "a size is negative"))
    return b.finish({});
  const Pred held = b.holds(scalarOf(condition));
  b.require(a.i("when") ? !held : held, a.s("why"));
  const DType t = a.t("type");
  auto y = b.def("y", t, std::vector<Dim>(a.is("shape").begin(), a.is("shape").end()),
                 [&](Axes) { return b.constant(0, t); });
  return b.finish({y});
}

} // namespace

void registerRefuse(std::vector<Operator> &ops) {
  ops.push_back({.name = "refuse",
                 .doc = "Fails with a message where a condition has one value; zeros where it has "
                        "the other.",
                 .attrs = {intAttr("when", 1, "1: fails when the condition holds; 0: when not"),
                           wordAttr("why", "", "the message"),
                           typeAttr("type", DType::F32, "the result's element type"),
                           intsAttr("shape", "the result's sizes")},
                 .meaning = refuse,
                 .contract = FloatContract::Exact});
}

} // namespace imbrex::opmeaning
