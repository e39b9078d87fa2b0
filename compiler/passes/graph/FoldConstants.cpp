// FoldConstants: computes operators whose operands are constants with the reference evaluator.
//
// clang-format off
//   %s = relay.apply "shape"(%x) : ([2, 3]) -> [2]
//   %p = relay.apply "reduce_prod"(%s) …                      %r = relay.apply "reshape"(%x, dense<[6]>)
//   %r = relay.apply "reshape"(%x, %p) opens(k) : … -> [k]  →        : … -> [6]
// clang-format on
//
// An operator that reads sizes only (shape, size) folds when the sizes are known, though its
// operand is not constant. Types that depended on the values are refined. Refused: random and
// collective operators, undefined results (an integer division by zero stays for run time to
// report), violated requirements, results that would make the artifact grow, and more work than the
// step limit.
#include "compiler/passes/graph/Passes.h"
#include "support/opmeaning/Evaluator.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "compiler/passes/graph/Passes.h.inc"

namespace {

using Operands = std::vector<std::optional<HostTensor>>;

/// Does any definition read elements of operand `index`, and not only its sizes?
bool readsElements(const opmeaning::Program &program, uint32_t index) {
  bool found = false;
  auto visit = [&](const opmeaning::Node *node) {
    bool reads =
        node->kind == opmeaning::TermKind::VRead || node->kind == opmeaning::TermKind::IxRead;
    found |= reads && node->source.kind == opmeaning::Source::Kind::Operand &&
             node->source.index == index;
  };
  for (const opmeaning::Def &def : program.defs)
    opmeaning::walk(def.body, visit);
  for (const opmeaning::Require &require : program.requirements)
    opmeaning::walk(require.guard, visit);
  return found;
}

class FoldConstantsPass : public impl::FoldConstantsBase<FoldConstantsPass> {
  using impl::FoldConstantsBase<FoldConstantsPass>::FoldConstantsBase;

  void runOnOperation() override {
    // Each round may make types static, which lets shape operators fold in the next.
    for (bool changed = true; changed;) {
      changed = foldAll();
      Result<bool> refined = changed ? refineTypes(getOperation()) : Result<bool>(false);
      if (!refined) {
        report(refined.error());
        return signalPassFailure();
      }
    }
  }

  void report(const Error &error) {
    InFlightDiagnostic diag = emitError(toMlirLocation(&getContext(), error.where)) << error.what;
    if (!error.because.empty())
      diag << "; because " << error.because;
  }

  bool foldAll() {
    bool changed = false;
    SmallVector<ApplyOp> applies;
    getOperation()->walk([&](ApplyOp apply) { applies.push_back(apply); });
    for (ApplyOp apply : applies)
      changed |= fold(apply);
    return changed;
  }

  /// All values of the operands, or nothing; `size` counts their bytes.
  static std::optional<Operands> constantOperands(ApplyOp apply, int64_t &size) {
    Operands values;
    for (Value operand : apply.operatorOperands()) {
      values.emplace_back();
      if (!operand)
        continue;
      ConstantOp constant = definingConstant(operand);
      if (!constant)
        return std::nullopt;
      Result<HostTensor> tensor = toHostTensor(constant.getValue());
      if (!tensor)
        return std::nullopt;
      size += tensor->bytes().size();
      values.back() = tensor.take();
    }
    return values;
  }

  bool resultsFit(ApplyOp apply, int64_t operandBytes) {
    int64_t total = 0;
    for (Type type : apply.getResultTypes()) {
      auto tensor = cast<TensorType>(type);
      if (tensor.getDType() == DType::Item)
        return false; // there are no constant items
      std::optional<int64_t> elems = tensor.staticElems();
      if (!elems)
        return isOpenResult(apply);
      if (*elems > maxSteps)
        return false;
      total += *elems * byteSize(tensor.getDType());
    }
    return total <= std::max<int64_t>(maxBytes, 2 * operandBytes);
  }

  /// Sizes that the operator computes: their bound is the step limit alone.
  static bool isOpenResult(ApplyOp apply) { return apply.getOpens().has_value(); }

  /// An operator of sizes only, all of them known: its Program without the operand.
  static Result<std::vector<HostTensor>> evaluateSizes(ApplyOp apply, int64_t maxSteps) {
    Result<opmeaning::Program> program = programOf(apply, factsAt(apply));
    if (!program)
      return program.takeError();
    Operands none(program->operands.size());
    for (auto [i, operand] : llvm::enumerate(program->operands)) {
      if (operand.constant) {
        none[i] = operand.constant;
        continue;
      }
      if (operand.present && readsElements(*program, i))
        return badInput(559, "operand " + std::to_string(i) + " is not constant");
      operand = opmeaning::Operand::absent();
    }
    return opmeaning::evaluate(*program, none, opmeaning::Precision::Stepwise, maxSteps);
  }

  bool fold(ApplyOp apply) {
    if (apply.op().effect != opmeaning::Effect::Pure)
      return false;
    int64_t operandBytes = 0;
    std::optional<Operands> values = constantOperands(apply, operandBytes);
    if (!resultsFit(apply, operandBytes))
      return false;
    bool onlySizes = !values && llvm::all_of(apply.getInputs(), [](Value operand) {
      return tensorType(operand).isStatic();
    });
    if (!values && (!onlySizes || !apply.op().meaning))
      return false;
    auto results = values ? opmeaning::evaluate(apply.op(), *values, attrsOf(apply),
                                                opmeaning::Precision::Stepwise, maxSteps)
                          : evaluateSizes(apply, maxSteps);
    if (!results)
      return false;
    return replace(apply, *results);
  }

  static bool mentions(TypeRange types, StringRef name) {
    return llvm::any_of(types, [&](Type type) {
      return llvm::is_contained(cast<TensorType>(type).symbols(), name);
    });
  }

  static bool replace(ApplyOp apply, ArrayRef<HostTensor> results) {
    OpBuilder builder(apply);
    // A size that the operator opened is now a number wherever a type mentions it.
    SmallVector<Type> types;
    for (const HostTensor &result : results) {
      SmallVector<DimExpr> dims(result.shape().begin(), result.shape().end());
      types.push_back(
          TensorType::get(apply.getContext(), dims, toMlirType(apply.getContext(), result.type())));
    }
    SmallVector<StringRef> opens = symbolsBoundBy(apply);
    llvm::erase_if(opens, [&](StringRef name) { return !mentions(apply.getResultTypes(), name); });
    Result<Substitution> sizes = matchTypes(apply.getResultTypes(), types, opens);
    if (!sizes)
      return false;
    if (!sizes->empty())
      substituteSymbols(apply->getParentOfType<FuncOp>(), *sizes);
    for (auto [value, result] : llvm::zip_equal(apply.getResults(), results))
      value.replaceAllUsesWith(constantOf(builder, apply.getLoc(), result));
    apply.erase();
    return true;
  }
};

} // namespace

std::unique_ptr<Pass> createFoldConstantsPass() { return std::make_unique<FoldConstantsPass>(); }

} // namespace imbrex::relay
