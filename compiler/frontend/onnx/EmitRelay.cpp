#include "compiler/frontend/onnx/EmitRelay.h"

#include "compiler/ir/relay/Relay.h"

#include "mlir/IR/Verifier.h"

#include <set>

namespace imbrex::frontend {
using namespace mlir;

namespace {

class Emitter {
public:
  Emitter(MLIRContext &context, const Recording &recording)
      : recording(recording), builder(&context), unknown(UnknownLoc::get(&context)) {}

  Result<OwningOpRef<ModuleOp>> run();

private:
  void createFunction(ModuleOp module);
  Status emitBlock(const frontend::Block &block);
  Status emitApply(const Statement &s);
  Status emitIf(const Statement &s);
  Status emitLoop(const Statement &s);
  Status emitRegion(Region &region, const frontend::Block &block);
  void joinTypes(relay::IfOp draft, SmallVectorImpl<Type> &types,
                 SmallVectorImpl<Attribute> &opens);
  mlir::Value valueOf(frontend::Value v);
  Location locationOf(const std::string &origin) {
    return NameLoc::get(builder.getStringAttr(origin));
  }

  const Recording &recording;
  OpBuilder builder;
  Location unknown;
  relay::FuncOp function;
  DimFacts facts;
  std::map<int32_t, mlir::Value> values;
};

SmallVector<StringRef> portNames(const std::vector<Port> &ports) {
  return llvm::map_to_vector(ports, [](const Port &port) { return StringRef(port.name); });
}

} // namespace

void Emitter::createFunction(ModuleOp module) {
  auto *context = builder.getContext();
  SmallVector<Type> inputs;
  for (const auto &port : recording.inputs)
    inputs.push_back(relay::fromMeaningType(context, recording[port.value].type));
  SmallVector<relay::SymbolAttr> symbols;
  for (const auto &s : recording.symbols)
    symbols.push_back(
        relay::SymbolAttr::get(context, s.name, s.facts.lo, s.facts.hi, s.facts.divisor));
  builder.setInsertionPointToEnd(module.getBody());
  function = relay::FuncOp::create(builder, unknown, "main", FunctionType::get(context, inputs, {}),
                                   symbols);
  SmallVector<NamedAttribute> names;
  for (const auto &s : recording.symbols)
    if (!s.param.empty() && s.param != s.name)
      names.push_back(builder.getNamedAttr(s.name, builder.getStringAttr(s.param)));
  if (!names.empty())
    function->setAttr(relay::kSymbolNames, builder.getDictionaryAttr(names));
  function.setArgNames(portNames(recording.inputs));
  for (size_t i = 0; i < recording.inputs.size(); ++i)
    values[recording.inputs[i].value.id] = function.entry().getArgument(unsigned(i));
  builder.setInsertionPointToStart(&function.entry());
}

/// Constants are made where first used, at the function's start, so that they reach every region.
mlir::Value Emitter::valueOf(frontend::Value v) {
  if (!v.valid())
    return {};
  if (auto it = values.find(v.id); it != values.end())
    return it->second;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.entry());
  return values[v.id] = relay::constantOf(builder, unknown, *recording[v].constant);
}

Status Emitter::emitApply(const Statement &s) {
  SmallVector<mlir::Value> operands;
  for (auto v : s.operands)
    operands.push_back(valueOf(v));
  auto made =
      relay::buildApply(builder, locationOf(s.origin),
                        StringRef(s.op->name.data(), s.op->name.size()), operands, s.attrs, facts);
  if (!made)
    return internalError(414, "node '" + s.origin +
                                  "' was typed when recorded but not when "
                                  "emitted: " +
                                  made.error().str());
  for (auto [v, result] : llvm::zip(s.results, (*made)->getResults()))
    values[v.id] = result;
  return {};
}

Status Emitter::emitRegion(Region &region, const frontend::Block &block) {
  OpBuilder::InsertionGuard guard(builder);
  region.getBlocks().clear();
  builder.createBlock(&region);
  if (auto done = emitBlock(block); !done)
    return done;
  SmallVector<mlir::Value> results;
  for (auto v : block.results)
    results.push_back(valueOf(v));
  relay::YieldOp::create(builder, unknown, results);
  return {};
}

static std::set<std::string, std::less<>> symbolsInside(Operation *op) {
  std::set<std::string, std::less<>> inside;
  op->walk([&](Operation *inner) {
    if (inner != op)
      for (StringRef s : relay::symbolsBoundBy(inner))
        inside.insert(s.str());
  });
  return inside;
}

/// A size on which the branches differ, or that only a branch knows, gets a fresh symbol.
void Emitter::joinTypes(relay::IfOp draft, SmallVectorImpl<Type> &types,
                        SmallVectorImpl<Attribute> &opens) {
  auto inside = symbolsInside(draft);
  auto known = [&](const DimExpr &d) {
    for (const auto &s : d.symbols())
      if (inside.count(s))
        return false;
    return true;
  };
  std::set<std::string> taken;
  for (auto [a, b] : llvm::zip(draft.thenYield().getResults(), draft.elseYield().getResults())) {
    auto type = relay::toMeaningType(relay::tensorType(a));
    auto other = relay::toMeaningType(relay::tensorType(b));
    for (size_t k = 0; k < type.dims.size(); ++k) {
      if (type.dims[k] == other.dims[k] && known(type.dims[k]))
        continue;
      std::string hint = "k", name;
      for (int n = 0; name.empty() || !taken.insert(name).second; ++n)
        name = relay::freshSymbol(function, hint + (n ? std::to_string(n) : ""));
      opens.push_back(builder.getStringAttr(name));
      type.dims[k] = DimExpr::symbol(name);
    }
    types.push_back(relay::fromMeaningType(builder.getContext(), type));
  }
}

Status Emitter::emitIf(const Statement &s) {
  Location location = locationOf(s.origin);
  mlir::Value condition = valueOf(s.operands[0]);
  if (relay::tensorType(condition).getRank() != 0) { // a condition of one element
    auto scalar = relay::buildApply(
        builder, location, "reshape",
        {condition, relay::constantOf(builder, location, HostTensor(DType::I64, {0}))}, {}, facts);
    if (!scalar)
      return scalar.takeError();
    condition = (*scalar)->getResult(0);
  }
  // The results' types follow from the branches: they are built in a draft and moved.
  auto draft = relay::IfOp::create(builder, location, TypeRange(), condition, ArrayAttr());
  if (auto done = emitRegion(draft.getThenRegion(), *s.thenBlock); !done)
    return done;
  if (auto done = emitRegion(draft.getElseRegion(), *s.elseBlock); !done)
    return done;
  SmallVector<Type> types;
  SmallVector<Attribute> opens;
  joinTypes(draft, types, opens);
  auto made = relay::IfOp::create(builder, location, types, condition,
                                  opens.empty() ? ArrayAttr() : builder.getArrayAttr(opens));
  made.getThenRegion().takeBody(draft.getThenRegion());
  made.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  for (auto [v, result] : llvm::zip(s.results, made.getResults()))
    values[v.id] = result;
  return {};
}

Status Emitter::emitLoop(const Statement &s) {
  Location location = locationOf(s.origin);
  SmallVector<mlir::Value> inits;
  SmallVector<Type> carried, types;
  SmallVector<Attribute> entry, opens;
  std::vector<std::string> taken;
  auto symbol = [&](SmallVectorImpl<Attribute> &names) {
    taken.push_back(relay::freshSymbol(function, "k", taken));
    names.push_back(builder.getStringAttr(taken.back()));
    return DimExpr::symbol(taken.back());
  };
  for (size_t i = 0; i < s.operands.size(); ++i) {
    inits.push_back(valueOf(s.operands[i]));
    auto inside = relay::toMeaningType(relay::tensorType(inits.back())), after = inside;
    for (size_t k = 0; k < inside.dims.size(); ++k)
      if (s.loop->varies[i][k]) {
        inside.dims[k] = symbol(entry);
        after.dims[k] = symbol(opens);
      }
    carried.push_back(relay::fromMeaningType(builder.getContext(), inside));
    types.push_back(relay::fromMeaningType(builder.getContext(), after));
  }
  auto names = [&](ArrayRef<Attribute> list) {
    return list.empty() ? ArrayAttr() : builder.getArrayAttr(list);
  };
  auto loop = relay::LoopOp::create(builder, location, types, inits, names(entry), names(opens));
  for (auto [region, part] : {std::pair(&loop.getCondRegion(), &s.loop->condition),
                              std::pair(&loop.getBodyRegion(), &s.loop->body)}) {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block =
        builder.createBlock(region, {}, carried, SmallVector<Location>(carried.size(), location));
    for (auto [v, argument] : llvm::zip(s.loop->arguments, block->getArguments()))
      values[v.id] = argument;
    if (auto done = emitBlock(*part); !done)
      return done;
    SmallVector<mlir::Value> results;
    for (auto v : part->results)
      results.push_back(valueOf(v));
    relay::YieldOp::create(builder, unknown, results);
  }
  for (auto [v, result] : llvm::zip(s.results, loop.getResults()))
    values[v.id] = result;
  return {};
}

Status Emitter::emitBlock(const frontend::Block &block) {
  for (const auto &s : block.statements)
    if (auto done = s.op ? emitApply(s) : s.loop ? emitLoop(s) : emitIf(s); !done)
      return done;
  return {};
}

Result<OwningOpRef<ModuleOp>> Emitter::run() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(unknown);
  createFunction(*module);
  facts = relay::factsAt(function);
  if (auto done = emitBlock(recording.body); !done)
    return done.takeError();
  SmallVector<mlir::Value> results;
  for (const auto &port : recording.outputs)
    results.push_back(valueOf(port.value));
  relay::ReturnOp::create(builder, unknown, results);
  relay::setResultTypes(function);
  function.setResultNames(portNames(recording.outputs));
  if (failed(verify(*module)))
    return internalError(414, "the imported module is not valid relay IR");
  return module;
}

Result<OwningOpRef<ModuleOp>> emitRelay(MLIRContext &context, const Recording &recording) {
  return Emitter(context, recording).run();
}

Result<OwningOpRef<ModuleOp>> importModel(MLIRContext &context, const onnx::Model &model,
                                          const ImportOptions &options, ImportProblems &problems) {
  auto recording = record(model, options, problems);
  if (!recording)
    return recording.takeError();
  return emitRelay(context, *recording);
}

} // namespace imbrex::frontend
