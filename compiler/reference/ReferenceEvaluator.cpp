#include "compiler/reference/ReferenceEvaluator.h"

#include "compiler/ir/relay/Relay.h"

#include "llvm/ADT/TypeSwitch.h"

namespace imbrex::reference {
using namespace mlir;

/// Calls nest at most this deep: the walk is recursive.
static constexpr int kMaxCallDepth = 1000;

namespace {

using Values = std::vector<HostTensor>;

class Evaluator {
public:
  Evaluator(ModuleOp module, const Options &options) : module(module), options(options) {}

  Result<Values> call(relay::FuncOp function, const Values &inputs);

private:
  /// Runs a block on its arguments and gives what its terminator holds.
  Result<Values> run(mlir::Block &block, const Values &arguments);
  Status step(Operation &op);
  Status apply(relay::ApplyOp op);
  Status constant(relay::ConstantOp op);
  Status branch(relay::IfOp op);
  Status loop(relay::LoopOp op);
  Status callOp(relay::CallOp op);

  Values lookup(ValueRange range) const;
  Status bind(ValueRange results, Values values);

  ModuleOp module;
  const Options &options;
  llvm::DenseMap<Value, HostTensor> values;
  int depth = 0;
};

} // namespace

/// The node an operation came from, for errors.
static std::string originOf(Operation *op) {
  if (auto name = llvm::dyn_cast<NameLoc>(op->getLoc()))
    return "node '" + name.getName().str() + "': ";
  return op->getName().getStringRef().str() + ": ";
}

static Error at(Operation *op, Error e) {
  e.what = originOf(op) + e.what;
  return e;
}

Values Evaluator::lookup(ValueRange range) const {
  Values out;
  for (Value v : range)
    out.push_back(values.lookup(v));
  return out;
}

Status Evaluator::bind(ValueRange results, Values given) {
  if (results.size() != given.size())
    return internalError(546, "an operation yields " + std::to_string(given.size()) +
                                  " values and declares " + std::to_string(results.size()));
  for (auto [v, tensor] : llvm::zip(results, given))
    values[v] = std::move(tensor);
  return {};
}

Status Evaluator::apply(relay::ApplyOp op) {
  std::vector<std::optional<HostTensor>> operands;
  for (Value v : op.operatorOperands())
    operands.push_back(v ? std::optional(values.lookup(v)) : std::nullopt);
  const opmeaning::Attrs attrs = relay::attrsOf(op);
  auto results = opmeaning::evaluate(op.op(), operands, attrs, options.precision, options.maxSteps);
  if (!results)
    return at(op, results.takeError());
  if (options.afterApply)
    options.afterApply(op.op(), attrs, operands, *results);
  return bind(op->getResults(), results.take());
}

Status Evaluator::constant(relay::ConstantOp op) {
  auto tensor = relay::toHostTensor(op.getValue());
  if (!tensor)
    return at(op, tensor.takeError());
  values[op.getResult()] = tensor.take();
  return {};
}

Status Evaluator::branch(relay::IfOp op) {
  bool taken = values.lookup(op.getCondition()).toInt(0) != 0;
  auto results = run((taken ? op.getThenRegion() : op.getElseRegion()).front(), {});
  if (!results)
    return results.takeError();
  return bind(op->getResults(), results.take());
}

Status Evaluator::loop(relay::LoopOp op) {
  Values carried = lookup(op.getInits());
  while (true) {
    auto go = run(op.getCondRegion().front(), carried);
    if (!go)
      return go.takeError();
    if ((*go)[0].toInt(0) == 0)
      return bind(op->getResults(), std::move(carried));
    auto next = run(op.getBodyRegion().front(), carried);
    if (!next)
      return next.takeError();
    carried = next.take();
  }
}

Status Evaluator::callOp(relay::CallOp op) {
  auto callee = module.lookupSymbol<relay::FuncOp>(op.getCallee());
  if (depth >= kMaxCallDepth)
    return at(op, badInput(546, "calls nest too deeply for the reference evaluator"));
  // A recursive call binds the same values again: the caller's come back afterwards.
  auto saved = values;
  ++depth;
  auto results = call(callee, lookup(op.getInputs()));
  --depth;
  values = std::move(saved);
  if (!results)
    return results.takeError();
  return bind(op->getResults(), results.take());
}

Status Evaluator::step(Operation &op) {
  return llvm::TypeSwitch<Operation *, Status>(&op)
      .Case([&](relay::ApplyOp o) { return apply(o); })
      .Case([&](relay::ConstantOp o) { return constant(o); })
      .Case([&](relay::IfOp o) { return branch(o); })
      .Case([&](relay::LoopOp o) { return loop(o); })
      .Case([&](relay::CallOp o) { return callOp(o); })
      .Case([&](relay::OpenOp) { return Status(); }) // names a size; values carry their own
      .Case([&](relay::FusedOp o) -> Status {
        auto results = run(o.entry(), lookup(o.getInputs()));
        return results ? bind(o->getResults(), results.take()) : results.takeError();
      })
      .Default([&](Operation *o) {
        return unsupported(546, o->getName().getStringRef().str() + " has no reference meaning");
      });
}

Result<Values> Evaluator::run(mlir::Block &block, const Values &arguments) {
  if (auto done = bind(block.getArguments(), arguments); !done)
    return done.takeError();
  for (Operation &op : block.without_terminator())
    if (auto done = step(op); !done)
      return done.takeError();
  return lookup(block.getTerminator()->getOperands());
}

Result<Values> Evaluator::call(relay::FuncOp function, const Values &inputs) {
  return run(function.entry(), inputs);
}

static Status checkInputs(relay::FuncOp function, const Values &inputs) {
  auto types = function.getArgumentTypes();
  if (types.size() != inputs.size())
    return badInput(545, "the function takes " + std::to_string(types.size()) + " inputs, not " +
                             std::to_string(inputs.size()));
  std::map<std::string, int64_t, std::less<>> sizes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto type = relay::toMeaningType(llvm::cast<relay::TensorType>(types[i]));
    auto wrong = [&] {
      return badInput(545,
                      "input '" + function.argName(unsigned(i)).str() + "' must be " + type.str());
    };
    if (inputs[i].type() != type.type || inputs[i].rank() != int64_t(type.dims.size()))
      return wrong();
    for (size_t k = 0; k < type.dims.size(); ++k) {
      int64_t size = inputs[i].shape()[k];
      if (auto c = type.dims[k].constant(); c && *c != size)
        return wrong();
      if (auto s = type.dims[k].asSymbol())
        if (auto [it, fresh] = sizes.emplace(*s, size); !fresh && it->second != size)
          return wrong();
    }
  }
  return {};
}

Result<Values> evaluate(ModuleOp module, StringRef name, const Values &inputs,
                        const Options &options) {
  auto function = module.lookupSymbol<relay::FuncOp>(name);
  if (!function)
    return badInput(545, "the module has no function '" + name.str() + "'");
  if (auto fits = checkInputs(function, inputs); !fits)
    return fits.takeError();
  return Evaluator(module, options).call(function, inputs);
}

} // namespace imbrex::reference
