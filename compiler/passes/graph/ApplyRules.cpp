// ApplyRules: rewrites the graph by the rules of *.rules (rules/README.md).
//
// clang-format off
//   %0 = relay.apply "transpose"(%x) {perm = [1, 0]}
//   %1 = relay.apply "transpose"(%0) {perm = [1, 0]}   →   %x, and {relay.rewrites = [["merge-transposes", …], …]}
// clang-format on
//
// Exact rules always; those over the reals where their licence is allowed. Refused: whatever has
// another type than what it replaces, and folding into an operator whose result is used elsewhere
// too, which would compute it twice. Each application is noted on the function, for the artifact.
#include "compiler/passes/graph/DescribeGraph.h"
#include "compiler/passes/graph/Passes.h"
#include "compiler/passes/graph/rules/Binding.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_APPLYRULES
#include "compiler/passes/graph/Passes.h.inc"

namespace {

using rules::Binding;
using rules::Rule;
using rules::Term;

/// The left side against operators, from its root upwards.
class Matcher {
public:
  explicit Matcher(const Rule &rule) : rule(rule) {}

  bool match(ApplyOp root) {
    if (root->getNumResults() != 1 || !matchApply(rule.left, root))
      return false;
    facts = factsAt(root);
    binding.facts = &facts;
    binding.result = toMeaningType(tensorType(root.getResult(0)));
    return true;
  }

  Binding binding;
  std::map<std::string, Value, std::less<>> values;
  SmallVector<ApplyOp> matched; // the root first

private:
  bool matchTerm(const Term &term, Value value) {
    if (!value)
      return false;
    if (term.kind == Term::Kind::Variable)
      return bind(term.name, value);
    auto apply = value.getDefiningOp<ApplyOp>();
    return apply && apply->getNumResults() == 1 && matchApply(term, apply);
  }

  bool bind(const std::string &name, Value value) {
    auto [it, fresh] = values.try_emplace(name, value);
    if (!fresh)
      return it->second == value;
    ConstantOp constant = definingConstant(value);
    binding.values[name] = {toMeaningType(tensorType(value)), bool(constant),
                            [constant]() mutable -> std::optional<HostTensor> {
                              Result<HostTensor> tensor = toHostTensor(constant.getValue());
                              return tensor ? std::optional(tensor.take()) : std::nullopt;
                            }};
    return true;
  }

  bool matchApply(const Term &term, ApplyOp apply) {
    if (!llvm::is_contained(term.operators, apply.getOperatorName()))
      return false;
    SmallVector<Value> operands = apply.operatorOperands();
    if (operands.size() < term.arguments.size() ||
        (!term.more && operands.size() != term.arguments.size()))
      return false;
    matched.push_back(apply);
    for (auto [argument, operand] : llvm::zip(term.arguments, operands))
      if (!matchTerm(argument, operand))
        return false;
    return matchAttrs(term, apply);
  }

  bool matchAttrs(const Term &term, ApplyOp apply) {
    const opmeaning::Attrs attrs = attrsOf(apply);
    if (!term.attrSet.empty()) {
      binding.attrSets[term.attrSet] = attrs;
      return true;
    }
    for (const opmeaning::AttrDecl &decl : apply.op().attrs) {
      auto value = attrs.values.find(decl.name);
      auto named = llvm::find_if(term.attrs, [&](const auto &a) { return a.name == decl.name; });
      if (named == term.attrs.end()) {
        const bool usual =
            value == attrs.values.end() || (decl.fallback && *decl.fallback == value->second);
        if (!usual && !term.more)
          return false;
      } else if (value == attrs.values.end() || !matchAttr(*named, apply, value->second)) {
        return false;
      }
    }
    return true;
  }

  bool matchAttr(const rules::NamedAttr &named, ApplyOp apply, const opmeaning::AttrValue &value) {
    const auto rank = static_cast<size_t>(tensorType(apply.getResult(0)).getRank());
    const auto seen = rules::seenAttr(apply.getOperatorName(), named.name, value, rank);
    if (named.value.kind == rules::AttrTerm::Kind::Value)
      return named.value.value == seen;
    auto [it, fresh] = binding.attrs.try_emplace(named.value.name, seen);
    return fresh || it->second == seen;
  }

  const Rule &rule;
  DimFacts facts;
};

/// The right side as new operators.
class Maker {
public:
  Maker(PatternRewriter &rewriter, Location loc, const Matcher &match)
      : rewriter(rewriter), loc(loc), match(match) {}

  /// Null when it cannot be made.
  Value make(const Term &term) {
    if (term.kind == Term::Kind::Variable)
      return match.values.find(term.name)->second;
    SmallVector<Value> operands;
    for (const Term &argument : term.arguments) {
      operands.push_back(make(argument));
      if (!operands.back())
        return {};
    }
    if (rules::findForm(term.name))
      return makeForm(term, operands);
    opmeaning::Attrs attrs;
    if (!term.attrSet.empty())
      attrs = match.binding.attrSets.find(term.attrSet)->second;
    for (const rules::NamedAttr &attr : term.attrs) {
      auto value = rules::evaluate(attr.value, match.binding);
      if (!value)
        return {};
      attrs.values[attr.name] = *value;
    }
    return apply(term.name, operands, std::move(attrs));
  }

  /// What was made, for nothing.
  void undo() {
    for (Operation *op : llvm::reverse(made))
      rewriter.eraseOp(op);
  }

private:
  Value apply(StringRef name, ArrayRef<Value> operands, opmeaning::Attrs attrs) {
    Result<ApplyOp> fresh = buildApply(rewriter, loc, name, operands, std::move(attrs));
    if (!fresh)
      return {};
    made.push_back(*fresh);
    return (*fresh)->getNumResults() == 1 ? (*fresh)->getResult(0) : Value();
  }

  Value constant(const HostTensor &tensor) {
    Value value = constantOf(rewriter, loc, tensor);
    made.push_back(value.getDefiningOp());
    return value;
  }

  Value reshape(Value x, const std::vector<int64_t> &shape) {
    const auto rank = static_cast<int64_t>(shape.size());
    opmeaning::Attrs attrs;
    attrs.values["allow_zero"] = int64_t{llvm::is_contained(shape, 0) ? 1 : 0};
    return apply("reshape", {x, constant(HostTensor::of<int64_t>(DType::I64, {rank}, shape))},
                 std::move(attrs));
  }

  Value makeForm(const Term &term, ArrayRef<Value> operands) {
    if (term.name == "reshape_to_result") {
      if (toMeaningType(tensorType(operands[0])) == match.binding.result)
        return operands[0];
      auto shape = rules::reshapeTarget(match.binding.result);
      return shape ? reshape(operands[0], *shape) : Value();
    }
    if (term.name == "per_channel") {
      std::vector<int64_t> shape(static_cast<size_t>(tensorType(operands[1]).getRank()), 1);
      if (shape.empty())
        return {};
      shape[0] = -1;
      return reshape(operands[0], shape);
    }
    auto value = rules::evaluate(term.attrs[0].value, match.binding);
    const auto *number = value ? std::get_if<double>(&*value) : nullptr;
    if (!number)
      return {};
    Value real = constant(HostTensor::of<double>(DType::F64, {}, std::span(number, 1)));
    opmeaning::Attrs attrs;
    attrs.values["to"] = tensorType(operands[0]).getDType();
    return apply("cast", {real}, std::move(attrs));
  }

  PatternRewriter &rewriter;
  Location loc;
  const Matcher &match;
  SmallVector<Operation *> made;
};

/// The rewrites of each function, in order. An attribute that grew with each of them would be kept
/// in all its lengths.
using Notes = llvm::MapVector<FuncOp, SmallVector<Attribute>>;

void note(ApplyOp root, const Rule &rule, Notes &notes) {
  Builder b(root.getContext());
  notes[root->getParentOfType<FuncOp>()].push_back(
      b.getStrArrayAttr({rule.name, rules::contractText(rule), nodeName(root)}));
}

void attach(Notes &notes) {
  for (auto &[func, made] : notes) {
    SmallVector<Attribute> all;
    if (auto known = func->getAttrOfType<ArrayAttr>(kRewrites))
      llvm::append_range(all, known);
    llvm::append_range(all, made);
    func->setAttr(kRewrites, ArrayAttr::get(func.getContext(), all));
  }
}

class RulePattern : public OpRewritePattern<ApplyOp> {
public:
  RulePattern(MLIRContext *context, const Rule &rule, Notes &notes)
      : OpRewritePattern(context), rule(rule), notes(notes) {}

  LogicalResult matchAndRewrite(ApplyOp root, PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(rule.left.operators, root.getOperatorName()))
      return failure();
    Matcher match(rule);
    if (!match.match(root) || !isWorthIt(match))
      return failure();
    match.binding.total = [&] { return llvm::all_of(match.matched, isTotal); };
    if (!rules::conditionsHold(rule, match.binding))
      return failure();
    rewriter.setInsertionPoint(root);
    Maker maker(rewriter, root.getLoc(), match);
    Value value = maker.make(rule.right);
    if (!value || value.getType() != root.getResult(0).getType()) {
      maker.undo();
      return failure();
    }
    note(root, rule, notes);
    rewriter.replaceOp(root, value);
    return success();
  }

private:
  /// Folding moves work out of an operator that goes: not out of one that others need as it is.
  bool isWorthIt(const Matcher &match) const {
    return rule.contract != rules::Contract::Reals ||
           llvm::all_of(ArrayRef(match.matched).drop_front(),
                        [](ApplyOp inner) { return inner->hasOneUse(); });
  }

  static bool isTotal(ApplyOp apply) {
    Result<opmeaning::Program> program = programOf(apply, factsAt(apply));
    return program && program->requirements.empty() && program->opens.empty();
  }

  const Rule &rule;
  Notes &notes;
};

class ApplyRulesPass : public impl::ApplyRulesBase<ApplyRulesPass> {
  using impl::ApplyRulesBase<ApplyRulesPass>::ApplyRulesBase;

  bool isAllowed(const Rule &rule) const {
    return rule.contract != rules::Contract::Reals || llvm::is_contained(allow, rule.licence);
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    Notes notes;
    for (const Rule &rule : rules::allRules())
      if (isAllowed(rule))
        patterns.add<RulePattern>(&getContext(), rule, notes);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
    attach(notes);
  }
};

} // namespace

std::unique_ptr<Pass> createApplyRulesPass(ArrayRef<std::string> allowed) {
  ApplyRulesOptions options;
  options.allow.assign(allowed.begin(), allowed.end());
  return std::make_unique<ApplyRulesPass>(options);
}

} // namespace imbrex::relay
