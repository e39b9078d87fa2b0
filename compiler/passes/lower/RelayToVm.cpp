#include "compiler/passes/lower/RelayToVm.h"

#include "compiler/passes/graph/DescribeGraph.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/FuseProducts.h"
#include "compiler/passes/lower/GroupProgram.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/SplitAxis.h"
#include "compiler/passes/lower/TileKernel.h"
#include "compiler/passes/lower/TransposedWindows.h"
#include "support/hostops/Items.h"

#include <set>

namespace imbrex::lower {

using namespace mlir;
using opmeaning::Def;
using opmeaning::Node;
using opmeaning::Program;
using opmeaning::Source;
using opmeaning::TermKind;

namespace {

/// Letters, digits and underscores: part of an ELF symbol.
std::string plain(StringRef name) {
  std::string out;
  for (char c : name.take_front(40))
    out += isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

/// y[v…] = x[…] with the same place in both: the source, else nothing.
std::optional<Source> aliasSource(Program &p, const Def &d, const DimFacts &facts) {
  const Node *read = d.body;
  if (read->kind != TermKind::VRead || p.typeOf(read->source).type != d.type.type)
    return std::nullopt;
  DimExpr mine = 1, theirs = 1;
  for (const auto &e : d.type.dims)
    mine = mine * e;
  for (const auto &e : p.typeOf(read->source).dims)
    theirs = theirs * e;
  if (!(mine == theirs))
    return std::nullopt;
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  std::vector<const Node *> at(d.vars.begin(), d.vars.end());
  if (form.flatten(at, d.type.dims) != form.flatten(read->args, p.typeOf(read->source).dims))
    return std::nullopt;
  return read->source;
}

class FunctionLowering {
public:
  FunctionLowering(relay::FuncOp func, ModuleOp module, ModuleOp kernels, unsigned &counter,
                   int64_t &spareBytes, std::vector<std::string> &remarks)
      : remarks(remarks), func(func), module(module), kernels(kernels), facts(relay::factsAt(func)),
        counter(counter), spareBytes(spareBytes), b(func.getContext()) {}

  Status run();

private:
  Status lowerFused(relay::FusedOp op);
  Status lowerApply(relay::ApplyOp op);
  void lowerHost(relay::ApplyOp op);
  void lowerTexts(relay::ConstantOp op);
  Status lowerUsed(Operation *op, ArrayRef<relay::ApplyOp> applies, ValueRange yields,
                   function_ref<Value(Value)> outside);
  Status lowerGroup(Location loc, ArrayRef<relay::ApplyOp> applies, ArrayRef<Value> yields,
                    function_ref<Value(Value)> outside, SmallVectorImpl<Value> &results);
  void launch(Location loc, const KernelRecord &record, const Program &p, ArrayRef<Value> operands,
              ArrayRef<Value> buffers, const std::vector<std::string> &sources);
  Value bufferFor(Location loc, const opmeaning::TensorType &type);

  std::vector<std::string> &remarks;
  relay::FuncOp func;
  ModuleOp module, kernels;
  DimFacts facts;
  unsigned &counter;
  int64_t &spareBytes; // by which constants may still grow
  OpBuilder b;
  IntegerAttr group; // of what is being lowered
};

Value FunctionLowering::bufferFor(Location loc, const opmeaning::TensorType &type) {
  return vm::BufferOp::create(b, loc, relay::fromMeaningType(b.getContext(), type), StringAttr());
}

void FunctionLowering::launch(Location loc, const KernelRecord &record, const Program &p,
                              ArrayRef<Value> operands, ArrayRef<Value> buffers,
                              const std::vector<std::string> &sources) {
  auto value = [&](Source s) {
    return s.kind == Source::Kind::Operand ? operands[s.index] : buffers[s.index];
  };
  SmallVector<Value> inputs, outputs;
  for (Source s : record.operands)
    inputs.push_back(value(s));
  for (uint32_t d : record.results)
    outputs.push_back(buffers[d]);
  auto strings = [&](const std::vector<std::string> &list) {
    SmallVector<StringRef> refs(list.begin(), list.end());
    return b.getStrArrayAttr(refs);
  };
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  auto kernel = vm::KernelOp::create(top, loc, record.name, static_cast<int64_t>(inputs.size()),
                                     static_cast<int64_t>(outputs.size()), strings(record.symbols),
                                     record.grid.str(), strings(record.checks), strings(sources),
                                     record.flops);
  kernel->setAttr(vm::kForm, b.getStringAttr(record.form));
  if (!record.work.constant() && record.work.valid())
    kernel->setAttr(vm::kWork, b.getStringAttr(record.work.str()));
  if (!record.gathered.empty())
    kernel->setAttr(vm::kGathered, b.getDenseI64ArrayAttr(record.gathered));
  if (record.isTile)
    kernel->setAttr(vm::kTile, b.getUnitAttr());
  if (record.clampedReads)
    kernel->setAttr(vm::kClamped, b.getI64IntegerAttr(record.clampedReads));
  if (group)
    kernel->setAttr(vm::kGroup, group);
  vm::LaunchOp::create(b, loc, FlatSymbolRefAttr::get(b.getContext(), record.name), inputs,
                       outputs);
}

Status FunctionLowering::lowerGroup(Location loc, ArrayRef<relay::ApplyOp> applies,
                                    ArrayRef<Value> yields, function_ref<Value(Value)> outside,
                                    SmallVectorImpl<Value> &results) {
  auto group = groupProgram(applies, yields, outside, facts);
  if (!group)
    return group.takeError();
  Program &p = group->program;
  foldScalarOperands(p);
  foldIndexTables(p);
  std::vector<std::string> left;
  splitTransposedWindows(p, facts);
  padWindows(p, facts);
  tileContractions(p, facts, spareBytes, left);
  for (const std::string &r : left)
    remarks.push_back(group->sources.front() + ": " + r);
  inlineDefs(p, facts);
  splitAccumulators(p);
  foldConstantDefs(p);

  SmallVector<Value> operands = group->operands;
  for (size_t i = operands.size(); i < p.operands.size(); ++i)
    operands.push_back(relay::constantOf(b, loc, *p.operands[i].constant));
  SmallVector<Value> buffers(p.defs.size());
  auto name = [&](StringRef what) { return "k" + std::to_string(counter++) + "_" + plain(what); };
  std::set<std::string> pending; // symbols that are not known yet
  for (const auto &o : p.opens)
    pending.insert(o.symbol);
  auto known = [&](const DimExpr &e) {
    return llvm::none_of(e.symbols(), [&](const auto &s) { return pending.count(s) != 0; });
  };
  // Checks read what is there before them; those on a definition or an opened size follow it.
  std::vector<bool> checked(p.requirements.size());
  auto check = [&](uint32_t defined) {
    for (size_t r = 0; r < p.requirements.size(); ++r) {
      if (checked[r])
        continue;
      bool ready = true;
      opmeaning::walk(p.requirements[r].guard, [&](const Node *n) {
        bool reads = n->kind == TermKind::VRead || n->kind == TermKind::IxRead;
        ready &= !reads || n->source.kind == Source::Kind::Operand || n->source.index < defined;
        ready &= known(n->dim) && llvm::all_of(n->extents, known);
      });
      ready &= llvm::all_of(p.requirements[r].extents, known);
      if (!ready)
        continue;
      checked[r] = true;
      remarks.push_back(group->sources.front() +
                        ": checked while running: " + p.requirements[r].why);
      auto record = buildCheck(kernels, p, p.requirements[r], facts, name("check"));
      launch(loc, record, p, operands, buffers, group->sources);
    }
  };
  const ProductFusion fused = fuseProducts(p, facts);
  check(0);
  for (uint32_t i = 0; i < p.defs.size(); ++i) {
    if (fused.readerOf[i]) {
      // Computed where it is read.
    } else if (fused.products[i] || fused.productOf[i]) {
      const uint32_t product = fused.productOf[i].value_or(i);
      buffers[i] = bufferFor(loc, p.defs[i].type);
      auto record = buildTileKernel(kernels, p, product, *fused.products[product],
                                    fused.productOf[i] ? std::optional(i) : std::nullopt, facts,
                                    name(p.defs[product].name));
      if (!record)
        return record.takeError();
      launch(loc, *record, p, operands, buffers, group->sources);
    } else if (auto s = aliasSource(p, p.defs[i], facts)) {
      Value from = s->kind == Source::Kind::Operand ? operands[s->index] : buffers[s->index];
      buffers[i] =
          vm::AliasOp::create(b, loc, relay::fromMeaningType(b.getContext(), p.defs[i].type), from);
    } else {
      const Def whole = p.defs[i];
      auto split = splitLastAxis(p, whole, facts);
      if (split)
        p.defs[i] = *split;
      buffers[i] = bufferFor(loc, p.defs[i].type);
      auto record = buildKernel(kernels, p, i, facts, name(whole.name));
      launch(loc, record, p, operands, buffers, group->sources);
      if (split) {
        p.defs[i] = whole;
        buffers[i] = vm::AliasOp::create(b, loc, relay::fromMeaningType(b.getContext(), whole.type),
                                         buffers[i]);
      }
    }
    for (const auto &o : p.opens)
      if (o.source == Source{Source::Kind::Def, i} && pending.erase(o.symbol))
        relay::OpenOp::create(b, loc, buffers[i], b.getDenseI64ArrayAttr(o.at),
                              b.getStringAttr(o.symbol));
    check(i + 1);
  }
  if (llvm::is_contained(checked, false))
    return internalError(601, "a requirement of " + group->sources.front() + " is never checked");
  for (uint32_t o : p.outputs)
    results.push_back(buffers[o]);
  return {};
}

Status FunctionLowering::lowerFused(relay::FusedOp op) {
  group = op->getAttrOfType<IntegerAttr>(relay::kGroup);
  b.setInsertionPoint(op);
  SmallVector<relay::ApplyOp> applies;
  DenseMap<Value, Value> constants;
  for (Operation &inner : op.entry()) {
    if (auto apply = dyn_cast<relay::ApplyOp>(inner))
      applies.push_back(apply);
    else if (auto constant = dyn_cast<relay::ConstantOp>(inner))
      constants[constant.getResult()] = b.clone(*constant)->getResult(0);
  }
  auto outside = [&](Value v) -> Value {
    if (auto arg = dyn_cast<BlockArgument>(v))
      return op.getInputs()[arg.getArgNumber()];
    auto it = constants.find(v);
    return it == constants.end() ? v : it->second;
  };
  return lowerUsed(op, applies, op.yield().getResults(), outside);
}

/// Computes those of `yields` whose results of `op` are read (MaxPool's places seldom are), and
/// replaces them.
Status FunctionLowering::lowerUsed(Operation *op, ArrayRef<relay::ApplyOp> applies,
                                   ValueRange yields, function_ref<Value(Value)> outside) {
  SmallVector<Value> wanted, replaced, computed;
  for (auto [result, yield] : llvm::zip(op->getResults(), yields))
    if (!result.use_empty()) {
      replaced.push_back(result);
      wanted.push_back(yield);
    }
  if (auto s = lowerGroup(op->getLoc(), applies, wanted, outside, computed); !s)
    return s;
  for (auto [result, value] : llvm::zip(replaced, computed))
    result.replaceAllUsesWith(value);
  op->erase();
  return {};
}

/// An operator of support/hostops: its operands, an empty vector for each absent one, and its
/// attributes.
void FunctionLowering::lowerHost(relay::ApplyOp op) {
  const opmeaning::Operator &meaning = op.op();
  SmallVector<Value> inputs = op.operatorOperands();
  if (meaning.maxOperands != 255)
    inputs.resize(meaning.maxOperands);
  for (Value &v : inputs)
    if (!v)
      v = relay::constantOf(b, op.getLoc(), HostTensor(DType::F32, {0}));
  auto attrs = opmeaning::completeAttrs(meaning, relay::attrsOf(op));
  assert(attrs.ok() && "the verifier admits complete attributes only");
  for (const HostTensor &p : opmeaning::hostParameters(meaning, *attrs))
    inputs.push_back(relay::constantOf(b, op.getLoc(), p));
  auto host =
      vm::HostOp::create(b, op.getLoc(), op.getResultTypes(),
                         opmeaning::hostFunctionName(meaning, *attrs), inputs, op.getOpensAttr());
  op->replaceAllUsesWith(host.getResults());
  op.erase();
}

/// A constant of strings: its texts as bytes, which become strings when it runs.
void FunctionLowering::lowerTexts(relay::ConstantOp op) {
  auto value = relay::toHostTensor(op.getValue());
  assert(value.ok() && "the verifier admits such constants only");
  b.setInsertionPoint(op);
  auto vector = [&](const std::vector<int64_t> &v) {
    return relay::constantOf(
        b, op.getLoc(), HostTensor::of<int64_t>(DType::I64, {static_cast<int64_t>(v.size())}, v));
  };
  Value inputs[] = {relay::constantOf(b, op.getLoc(), packTexts(*value)), vector(value->shape()),
                    vector({})};
  auto host =
      vm::HostOp::create(b, op.getLoc(), TypeRange(op.getType()), "texts", inputs, ArrayAttr());
  op.getResult().replaceAllUsesWith(host.getResult(0));
  op.erase();
}

Status FunctionLowering::lowerApply(relay::ApplyOp op) {
  group = op->getAttrOfType<IntegerAttr>(relay::kGroup);
  b.setInsertionPoint(op);
  if (!op.op().meaning) {
    lowerHost(op);
    return {};
  }
  return lowerUsed(op, {op}, op.getResults(), [](Value v) { return v; });
}

Status FunctionLowering::run() {
  SmallVector<Operation *> work;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<relay::FusedOp>(op)) {
      work.push_back(op);
      return WalkResult::skip();
    }
    if (isa<relay::ApplyOp>(op))
      work.push_back(op);
    return WalkResult::advance();
  });
  // A tensor of sizes is mostly asked for its types alone: it is made only if a kernel reads it.
  SmallVector<relay::ApplyOp> sizes;
  for (Operation *op : work) {
    if (auto apply = dyn_cast<relay::ApplyOp>(op); apply && apply.getOperatorName() == "sizes") {
      sizes.push_back(apply);
      continue;
    }
    auto s = isa<relay::FusedOp>(op) ? lowerFused(cast<relay::FusedOp>(op))
                                     : lowerApply(cast<relay::ApplyOp>(op));
    if (!s)
      return s;
  }
  for (relay::ApplyOp apply : sizes)
    if (apply->use_empty())
      apply.erase();
    else if (auto s = lowerApply(apply); !s)
      return s;
  // Constants that were only read while compiling.
  func.walk([this](relay::ConstantOp c) {
    if (c->use_empty())
      c.erase();
    else if (relay::tensorType(c.getResult()).getDType() == DType::String)
      lowerTexts(c);
  });
  return {};
}

} // namespace

/// Of all constants; what is as large as its sizes say.
static int64_t constantBytes(ModuleOp module) {
  int64_t bytes = 0;
  module.walk([&](relay::ConstantOp c) {
    const opmeaning::TensorType type = relay::toMeaningType(relay::tensorType(c.getResult()));
    int64_t size = byteSize(type.type);
    for (const DimExpr &d : type.dims)
      size *= d.constant().value_or(0);
    bytes += size;
  });
  return bytes;
}

Status relayToVm(ModuleOp module, ModuleOp kernels, Weights weights,
                 std::vector<std::string> &remarks) {
  unsigned counter = 0;
  // Speed may cost a model a quarter of its weights in memory, and a small one more.
  constexpr int64_t kSmall = 4 << 20;
  int64_t spareBytes =
      weights == Weights::AsGiven ? 0 : std::max(constantBytes(module) / 4, kSmall);
  SmallVector<relay::FuncOp> functions(module.getOps<relay::FuncOp>());
  for (relay::FuncOp func : functions)
    if (auto s = FunctionLowering(func, module, kernels, counter, spareBytes, remarks).run(); !s)
      return s;
  return {};
}

} // namespace imbrex::lower
