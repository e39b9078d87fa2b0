// SimplifyOps: removes operators that change nothing, and merges reshapes and transposes.
//
// clang-format off
//   identity(x), cast(x) to its type, transpose by 0, 1, …           →  x
//   reshape or expand to its own shape                               →  x
//   reshape(reshape(x)), squeeze, unsqueeze and flatten included     →  reshape(x)
//   transpose(transpose(x))                                          →  transpose(x) or x
//   x * 1, x / 1, x - 0, x + -0.0; for integers x + 0                →  x
// clang-format on
//
// All rewrites are exact in every bit. Refused: x + 0.0 (turns -0.0 into 0.0), and reshapes with a
// check that is left to run time, since removing one would hide its error.
#include "compiler/passes/graph/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <bit>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_SIMPLIFYOPS
#include "compiler/passes/graph/Passes.h.inc"

namespace {

bool isNamed(ApplyOp apply, std::initializer_list<StringRef> names) {
  return llvm::is_contained(names, apply.getOperatorName());
}

/// Keeps the elements in row-major order.
bool isReshape(ApplyOp apply) {
  return isNamed(apply, {"reshape", "flatten", "squeeze", "unsqueeze"});
}

/// Nothing is left to check at run time.
bool isTotal(ApplyOp apply) {
  Result<opmeaning::Program> program = programOf(apply, factsAt(apply));
  return program && program->requirements.empty() && program->opens.empty();
}

SmallVector<int64_t> permOf(ApplyOp transpose) {
  opmeaning::Attrs attrs = attrsOf(transpose);
  SmallVector<int64_t> perm(ArrayRef<int64_t>(attrs.is("perm")));
  if (perm.empty())
    for (int64_t axis = tensorType(transpose.getResult(0)).getRank(); axis-- > 0;)
      perm.push_back(axis);
  return perm;
}

bool isIdentityPerm(ArrayRef<int64_t> perm) {
  for (auto [i, axis] : llvm::enumerate(perm))
    if (static_cast<int64_t>(i) != axis)
      return false;
  return true;
}

/// The one value of all elements of a small constant.
std::optional<HostTensor> smallConstant(Value value) {
  ConstantOp constant = definingConstant(value);
  if (!constant || constant.getValue().getNumElements() == 0 ||
      constant.getValue().getNumElements() > kMaxShapeElems)
    return std::nullopt;
  Result<HostTensor> tensor = toHostTensor(constant.getValue());
  return tensor ? std::optional<HostTensor>(tensor.take()) : std::nullopt;
}

bool allElements(const HostTensor &tensor, llvm::function_ref<bool(double)> test) {
  for (int64_t i = 0, e = tensor.elems(); i < e; ++i)
    if (!test(tensor.toDouble(i)))
      return false;
  return true;
}

/// Is `op` with `constant` on its side `constantIndex` the other operand, bit for bit?
bool isNeutral(StringRef op, unsigned constantIndex, const HostTensor &constant) {
  bool isInt = !isFloat(constant.type());
  bool right = constantIndex == 1;
  auto one = [](double v) { return v == 1; };
  auto plusZero = [](double v) { return v == 0 && !std::signbit(v); };
  auto minusZero = [](double v) { return v == 0 && std::signbit(v); };
  if (op == "mul")
    return allElements(constant, one);
  if (op == "div")
    return right && allElements(constant, one);
  if (op == "add")
    return isInt ? allElements(constant, plusZero) : allElements(constant, minusZero);
  if (op == "sub")
    return right && allElements(constant, plusZero);
  return false;
}

struct ApplyPattern : OpRewritePattern<ApplyOp> {
  using OpRewritePattern<ApplyOp>::OpRewritePattern;

  /// Replaces an operator of one result by a value of the same type.
  static LogicalResult replaceBy(PatternRewriter &rewriter, ApplyOp apply, Value value) {
    if (apply.getNumResults() != 1 || value.getType() != apply.getResult(0).getType())
      return failure();
    rewriter.replaceOp(apply, value);
    return success();
  }

  /// Replaces it by `name` applied anew, if that gives the same type.
  static LogicalResult replaceByApply(PatternRewriter &rewriter, ApplyOp apply, StringRef name,
                                      ArrayRef<Value> operands, opmeaning::Attrs attrs) {
    rewriter.setInsertionPoint(apply);
    Result<ApplyOp> fresh = buildApply(rewriter, apply.getLoc(), name, operands, std::move(attrs));
    if (!fresh)
      return failure();
    if (fresh->getResultTypes() != apply.getResultTypes()) {
      rewriter.eraseOp(*fresh);
      return failure();
    }
    rewriter.replaceOp(apply, fresh->getResults());
    return success();
  }
};

struct RemoveIdentity : ApplyPattern {
  using ApplyPattern::ApplyPattern;
  LogicalResult matchAndRewrite(ApplyOp apply, PatternRewriter &rewriter) const override {
    bool same = isNamed(apply, {"identity", "cast"}) ||
                (isNamed(apply, {"transpose"}) && isIdentityPerm(permOf(apply)));
    bool sameIfTyped = isReshape(apply) || isNamed(apply, {"expand"});
    if (!same && !sameIfTyped)
      return failure();
    if (apply.getInputs()[0].getType() != apply.getResult(0).getType())
      return failure();
    if (sameIfTyped && !isTotal(apply))
      return failure();
    return replaceBy(rewriter, apply, apply.getInputs()[0]);
  }
};

struct MergeTransposes : ApplyPattern {
  using ApplyPattern::ApplyPattern;
  LogicalResult matchAndRewrite(ApplyOp apply, PatternRewriter &rewriter) const override {
    auto inner =
        apply.getInputs().empty() ? ApplyOp() : apply.getInputs()[0].getDefiningOp<ApplyOp>();
    if (!inner || !isNamed(apply, {"transpose"}) || !isNamed(inner, {"transpose"}))
      return failure();
    SmallVector<int64_t> first = permOf(inner);
    std::vector<int64_t> both;
    for (int64_t axis : permOf(apply))
      both.push_back(first[axis]);
    opmeaning::Attrs attrs;
    attrs.values["perm"] = std::move(both);
    return replaceByApply(rewriter, apply, "transpose", {inner.getInputs()[0]}, std::move(attrs));
  }
};

struct MergeReshapes : ApplyPattern {
  using ApplyPattern::ApplyPattern;
  LogicalResult matchAndRewrite(ApplyOp apply, PatternRewriter &rewriter) const override {
    auto inner =
        apply.getInputs().empty() ? ApplyOp() : apply.getInputs()[0].getDefiningOp<ApplyOp>();
    if (!inner || !isReshape(apply) || !isReshape(inner) || !isTotal(apply) || !isTotal(inner))
      return failure();
    Value input = inner.getInputs()[0];
    TensorType type = tensorType(apply.getResult(0));
    if (input.getType() == type)
      return replaceBy(rewriter, apply, input);
    std::optional<std::vector<int64_t>> shape = constantShape(type);
    if (!shape)
      return failure();
    rewriter.setInsertionPoint(apply);
    auto rank = static_cast<int64_t>(shape->size());
    HostTensor tensor = HostTensor::of<int64_t>(DType::I64, {rank}, *shape);
    Value target = constantOf(rewriter, apply.getLoc(), tensor);
    opmeaning::Attrs attrs;
    attrs.values["allow_zero"] = int64_t{llvm::is_contained(*shape, 0) ? 1 : 0};
    return replaceByApply(rewriter, apply, "reshape", {input, target}, std::move(attrs));
  }

  /// A shape operand that gives `type`: at most one symbolic dimension, written as -1.
  static std::optional<std::vector<int64_t>> constantShape(TensorType type) {
    std::vector<int64_t> shape;
    for (const DimExpr &dim : type.getDims()) {
      if (!dim.constant() && llvm::is_contained(shape, -1))
        return std::nullopt;
      shape.push_back(dim.constant().value_or(-1));
    }
    bool bothForms = llvm::is_contained(shape, -1) && llvm::is_contained(shape, 0);
    return bothForms ? std::nullopt : std::optional(std::move(shape));
  }
};

struct RemoveNeutral : ApplyPattern {
  using ApplyPattern::ApplyPattern;
  LogicalResult matchAndRewrite(ApplyOp apply, PatternRewriter &rewriter) const override {
    if (!isNamed(apply, {"add", "sub", "mul", "div"}) || apply.getInputs().size() != 2)
      return failure();
    for (unsigned i : {0u, 1u}) {
      Value other = apply.getInputs()[1 - i];
      if (other.getType() != apply.getResult(0).getType())
        continue;
      std::optional<HostTensor> constant = smallConstant(apply.getInputs()[i]);
      if (constant && isNeutral(apply.getOperatorName(), i, *constant))
        return replaceBy(rewriter, apply, other);
    }
    return failure();
  }
};

class SimplifyOpsPass : public impl::SimplifyOpsBase<SimplifyOpsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RemoveIdentity, MergeTransposes, MergeReshapes, RemoveNeutral>(&getContext());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createSimplifyOpsPass() { return std::make_unique<SimplifyOpsPass>(); }

} // namespace imbrex::relay
