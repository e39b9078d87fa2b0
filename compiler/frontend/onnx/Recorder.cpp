#include "compiler/frontend/onnx/Recorder.h"

#include "compiler/frontend/onnx/SizeTracking.h"
#include "support/opmeaning/Evaluator.h"
#include "support/opmeaning/Sizes.h"

#include <algorithm>
#include <cctype>

namespace imbrex::frontend {
using opmeaning::Operand;
using opmeaning::TensorType;

/// Tensors above this are weights: they are folded by the compiler's passes, if at all.
static constexpr int64_t kMaxFoldElems = 1 << 16;
/// A recurrent node alone makes an operator a step and gate; a model of more than this is not worth
/// waiting for.
static constexpr int64_t kMaxApplications = 1 << 17;
/// Larger constants are data, not part of a shape; type relations do not see them.
static constexpr int64_t kMaxShapeElems = 4096;

Value Recorder::fresh(TensorType type) {
  const Value v{static_cast<int32_t>(recording.values.size())};
  for (size_t k = 0; k < type.dims.size(); ++k)
    if (auto symbol = type.dims[k].asSymbol())
      if (carriers.emplace(*symbol, Carrier{v, k}).second && !open.empty())
        carriersOfBlocks.back().emplace_back(*symbol);
  recording.values.push_back({std::move(type), std::nullopt, std::nullopt, 0, nullptr});
  return v;
}

Value Recorder::constant(HostTensor value) {
  TensorType type{value.type(), {}};
  for (int64_t d : value.shape())
    type.dims.emplace_back(d);
  Value v = fresh(std::move(type));
  recording.values.back().constant = std::move(value);
  return v;
}

Value Recorder::input(std::string name, TensorType type) {
  Value v = fresh(std::move(type));
  recording.values.back().inputs = uint64_t(1) << std::min<size_t>(recording.inputs.size(), 63);
  recording.inputs.push_back({std::move(name), v});
  return v;
}

std::vector<std::string> Recorder::names(uint64_t inputs) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < recording.inputs.size(); ++i)
    if (inputs >> std::min<size_t>(i, 63) & 1)
      names.push_back(recording.inputs[i].name);
  return names;
}

std::vector<std::string> Recorder::inputsOf(Value v) const { return names(info(v).inputs); }

std::vector<std::string> Recorder::inputsOfSizes(Value v) const {
  uint64_t inputs = 0;
  for (const DimExpr &d : info(v).type.dims)
    for (const std::string &symbol : d.symbols())
      if (auto it = sizeSources.find(symbol); it != sizeSources.end())
        inputs |= it->second;
  return names(inputs);
}

/// Sizes are read from vectors of integers.
static bool mayBeSizes(const TensorType &t) { return isInteger(t.type) && t.dims.size() <= 1; }

std::string Recorder::freshName(const std::string &hint) {
  std::string base;
  for (char c : hint)
    base += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])))
    base = "d" + base;
  std::string name = base;
  for (int n = 1; isReservedDimWord(name) || !usedNames.emplace(name, 0).second; ++n)
    name = base + "_" + std::to_string(n);
  return name;
}

DimExpr Recorder::bindSymbol(const std::string &hint, const std::string &param, SymbolFacts known) {
  std::string name = freshName(hint);
  recording.symbols.push_back({name, param, known});
  (void)facts.add(name, known); // a fresh name contradicts nothing but an empty range
  return DimExpr::symbol(name);
}

static Operand operandOf(const ValueInfo &v) {
  Operand o = Operand::of(v.type);
  if (v.constant && v.constant->elems() <= kMaxShapeElems && !isReference(v.type.type))
    o.constant = v.constant;
  o.sizes = v.sizes;
  return o;
}

std::optional<std::vector<Value>> Recorder::fold(const opmeaning::Operator &op,
                                                 const std::vector<Value> &operands,
                                                 const opmeaning::Attrs &attrs) {
  if (op.effect != opmeaning::Effect::Pure)
    return std::nullopt;
  std::vector<std::optional<HostTensor>> constants;
  for (Value v : operands) {
    if (!v.valid()) {
      constants.emplace_back();
      continue;
    }
    const auto &c = info(v).constant;
    if (!c || c->elems() > kMaxFoldElems)
      return std::nullopt;
    constants.push_back(*c);
  }
  auto results =
      evaluate(op, constants, attrs, opmeaning::Precision::Stepwise, options.maxFoldSteps);
  if (!results)
    return std::nullopt; // too much work, or undefined: left to run time
  std::vector<Value> values;
  for (auto &r : *results)
    values.push_back(constant(std::move(r)));
  return values;
}

/// The tensor of a type whose elements are these sizes; nothing while one is a symbol.
static std::optional<HostTensor> constantSizes(const TensorType &type,
                                               const std::optional<std::vector<DimExpr>> &sizes) {
  if (!sizes || (type.type != DType::I64 && type.type != DType::I32))
    return std::nullopt;
  std::vector<int64_t> shape;
  for (const auto &d : type.dims)
    if (auto c = d.constant())
      shape.push_back(*c);
  HostTensor t(type.type, shape);
  if (shape.size() != type.dims.size() || t.elems() != int64_t(sizes->size()))
    return std::nullopt;
  for (size_t i = 0; i < sizes->size(); ++i) {
    auto c = (*sizes)[i].constant();
    if (!c)
      return std::nullopt;
    if (type.type == DType::I64)
      t.mutableData<int64_t>()[i] = *c;
    else
      t.mutableData<int32_t>()[i] = static_cast<int32_t>(*c);
  }
  return t;
}

Result<std::vector<Value>> Recorder::apply(std::string_view name, std::vector<Value> operands,
                                           opmeaning::Attrs given, const std::string &origin) {
  const auto *op = opmeaning::findOperator(name);
  if (!op)
    return unsupported(410, "operator '" + std::string(name) + "' has no meaning here yet");
  if (++applications > kMaxApplications)
    return unsupported(411, "the model, unrolled, has too many operators",
                       "it has more than " + std::to_string(kMaxApplications),
                       "shorter sequences or fewer nodes");
  while (!operands.empty() && !operands.back().valid())
    operands.pop_back();
  auto attrs = completeAttrs(*op, std::move(given));
  if (!attrs)
    return attrs.takeError();
  std::vector<Operand> typed;
  for (Value v : operands)
    typed.push_back(v.valid() ? operandOf(info(v)) : Operand::absent());
  auto types = typesOf(*op, typed, *attrs, facts);
  if (!types)
    return types.takeError();
  ContainerPtr container;
  for (Value v : operands)
    if (v.valid() && info(v).type.type == DType::Item)
      container = container ? joined(container, info(v).container) : info(v).container;
  const bool items =
      std::ranges::any_of(*types, [](const TensorType &t) { return t.type == DType::Item; });
  if (!items) // there are no constant items
    if (auto folded = fold(*op, operands, *attrs))
      return *folded;
  uint64_t parameters = 0;
  for (Value v : operands)
    parameters |= v.valid() && mayBeSizes(info(v).type) ? info(v).inputs : 0;
  std::map<std::string, DimExpr, std::less<>> renamed;
  Statement s;
  s.op = op, s.attrs = std::move(*attrs), s.operands = std::move(operands), s.origin = origin;
  for (auto &type : *types) {
    for (auto &d : type.dims)
      d = d.substitute([&](std::string_view symbol) -> std::optional<DimExpr> {
        if (symbol.empty() || symbol[0] != '$')
          return std::nullopt;
        auto it = renamed.find(symbol);
        if (it == renamed.end())
          it = renamed.emplace(symbol, DimExpr::symbol(freshName("k"))).first;
        sizeSources[std::string(*it->second.asSymbol())] = parameters;
        return it->second;
      });
    const bool item = type.type == DType::Item;
    s.results.push_back(fresh(std::move(type)));
    if (item)
      setContainer(s.results.back(), container);
  }
  std::vector<const ValueInfo *> infos;
  for (Value v : s.operands)
    infos.push_back(v.valid() ? &info(v) : nullptr);
  auto known = sizesOf(*op, s.attrs, infos);
  if (s.results.size() == 1) {
    const TensorType type = info(s.results[0]).type;
    if (auto value = constantSizes(type, known))
      return std::vector{constant(std::move(*value))};
    // What is known by name does not have to be computed from what it came from.
    if (known && op->name != "sizes")
      if (Value v = this->sizes(*known, type, origin); v.valid())
        return std::vector{v};
  }
  uint64_t sources = 0;
  for (const auto *v : infos)
    sources |= v && op->name != "shape" && op->name != "size" ? v->inputs : 0;
  for (Value v : s.results)
    recording.values[size_t(v.id)].inputs = sources;
  if (!s.results.empty())
    recording.values[size_t(s.results[0].id)].sizes = std::move(known);
  std::vector<Value> results = s.results;
  current().statements.push_back(std::move(s));
  return results;
}

Value Recorder::sizes(const std::vector<DimExpr> &elements, TensorType type,
                      const std::string &origin) {
  std::vector<Value> operands;
  std::string text;
  for (const DimExpr &e : elements) {
    bool carried = true;
    DimExpr place = e.substitute([&](std::string_view symbol) -> std::optional<DimExpr> {
      auto it = carriers.find(symbol);
      carried &= it != carriers.end();
      if (it == carriers.end())
        return std::nullopt;
      size_t o =
          static_cast<size_t>(std::ranges::find(operands, it->second.value) - operands.begin());
      if (o == operands.size())
        operands.push_back(it->second.value);
      return DimExpr::symbol(opmeaning::sizeName(o, it->second.axis));
    });
    if (!carried || !place.valid())
      return {};
    text += (text.empty() ? "" : ", ") + place.str();
  }
  if (operands.empty() || operands.size() > 255) {
    auto value = constantSizes(type, elements);
    return value ? constant(std::move(*value)) : Value{};
  }
  opmeaning::Attrs attrs;
  attrs.values = {{"elements", text}, {"type", type.type}, {"scalar", int64_t(type.dims.empty())}};
  auto made = apply("sizes", std::move(operands), std::move(attrs), origin);
  return made ? made->front() : Value{};
}

void Recorder::openBlock() {
  open.emplace_back();
  carriersOfBlocks.emplace_back();
}

/// Its values cannot be read from outside, so that they carry no symbols there.
Block Recorder::closeBlock() {
  for (const std::string &symbol : carriersOfBlocks.back())
    carriers.erase(symbol);
  carriersOfBlocks.pop_back();
  Block b = std::move(open.back());
  open.pop_back();
  return b;
}

Result<std::vector<Value>> Recorder::conditional(Value condition, Block thenBlock, Block elseBlock,
                                                 const std::string &origin) {
  Statement s;
  s.operands = {condition};
  s.origin = origin;
  for (size_t i = 0; i < thenBlock.results.size(); ++i) {
    const TensorType a = info(thenBlock.results[i]).type, b = info(elseBlock.results[i]).type;
    if (a.type != b.type || a.dims.size() != b.dims.size())
      return unsupported(411, "the branches yield " + a.str() + " and " + b.str(),
                         "a value has one element type and one rank");
    TensorType joined{a.type, {}};
    for (size_t k = 0; k < a.dims.size(); ++k)
      joined.dims.push_back(a.dims[k] == b.dims[k] ? a.dims[k] : DimExpr::symbol(freshName("k")));
    s.results.push_back(fresh(std::move(joined)));
  }
  for (size_t i = 0; i < s.results.size(); ++i)
    recording.values[size_t(s.results[i].id)].inputs = info(condition).inputs |
                                                       info(thenBlock.results[i]).inputs |
                                                       info(elseBlock.results[i]).inputs;
  for (size_t i = 0; i < s.results.size(); ++i)
    setContainer(s.results[i], joined(info(thenBlock.results[i]).container,
                                      info(elseBlock.results[i]).container));
  s.thenBlock = std::make_shared<Block>(std::move(thenBlock));
  s.elseBlock = std::make_shared<Block>(std::move(elseBlock));
  auto results = s.results;
  current().statements.push_back(std::move(s));
  return results;
}

void Recorder::keepBlock() {
  std::vector<std::string> carried = std::move(carriersOfBlocks.back());
  carriersOfBlocks.pop_back();
  if (!carriersOfBlocks.empty())
    std::ranges::move(carried, std::back_inserter(carriersOfBlocks.back()));
  Block b = std::move(open.back());
  open.pop_back();
  auto &into = current().statements;
  into.insert(into.end(), std::make_move_iterator(b.statements.begin()),
              std::make_move_iterator(b.statements.end()));
}

/// Makes sizes that a run changes symbols of their own. True when there was one; E0411 for a value
/// that changes in other ways.
static Result<bool> openChanged(std::vector<TensorType> &carried,
                                const std::vector<TensorType> &next,
                                const std::function<DimExpr()> &symbol,
                                std::vector<std::vector<bool>> &varies) {
  bool changed = false;
  for (size_t i = 0; i < carried.size(); ++i) {
    TensorType &type = carried[i];
    if (type.type != next[i].type || type.dims.size() != next[i].dims.size())
      return unsupported(411,
                         "a value that the loop carries is " + type.str() + " at first and " +
                             next[i].str() + " after a run",
                         "a value has one element type and one rank");
    for (size_t k = 0; k < type.dims.size(); ++k) {
      if (varies[i][k] || type.dims[k] == next[i].dims[k])
        continue;
      type.dims[k] = symbol();
      varies[i][k] = changed = true;
    }
  }
  return changed;
}

/// Joins what containers hold before and after a run. True when that tells more or less than
/// before; E0411 for a container of another kind.
static Result<bool> joinContainers(std::vector<ContainerPtr> &carried,
                                   const std::vector<ContainerPtr> &next) {
  bool changed = false;
  for (size_t i = 0; i < carried.size(); ++i) {
    ContainerPtr both = joined(carried[i], next[i]);
    if (carried[i] && next[i] && (!both || carried[i]->kind != next[i]->kind))
      return unsupported(411,
                         "a sequence or optional that the loop carries holds something else "
                         "after a run",
                         "its elements have one type");
    if (both && !(carried[i] && *both == *carried[i])) {
      carried[i] = std::move(both);
      changed = true;
    }
  }
  return changed;
}

/// What a loop carries.
struct Recorder::Carried {
  std::vector<TensorType> types;
  std::vector<ContainerPtr> containers;
  std::vector<std::vector<bool>> varies; // by axis: a size that a run changes
  uint64_t sources = 0;
};

/// Records condition and body once. True when `carried` had to be widened: what was recorded does
/// not fit then.
Result<bool> Recorder::recordRun(const LoopCode &code, Carried &carried, LoopParts &parts) {
  for (size_t i = 0; i < carried.types.size(); ++i) {
    parts.arguments.push_back(fresh(carried.types[i]));
    setContainer(parts.arguments.back(), carried.containers[i]);
  }
  openBlock();
  auto go = code.condition(parts.arguments);
  parts.condition = closeBlock();
  if (!go)
    return go.takeError();
  parts.condition.results = {*go};
  openBlock();
  auto next = code.body(parts.arguments);
  parts.body = closeBlock();
  if (!next)
    return next.takeError();
  std::vector<TensorType> yielded;
  std::vector<ContainerPtr> held;
  for (Value v : *next) {
    yielded.push_back(info(v).type);
    held.push_back(info(v).container);
    carried.sources |= info(v).inputs;
  }
  auto symbol = [&] { return DimExpr::symbol(freshName("k")); };
  auto resized = openChanged(carried.types, yielded, symbol, carried.varies);
  if (!resized)
    return resized;
  auto other = joinContainers(carried.containers, held);
  if (!other)
    return other;
  parts.body.results = std::move(*next);
  parts.varies = carried.varies;
  return *resized || *other;
}

Result<std::vector<Value>> Recorder::loop(std::vector<Value> inits, const LoopCode &code,
                                          const std::string &origin) {
  Statement s;
  s.operands = std::move(inits);
  s.origin = origin;
  Carried carried;
  for (Value v : s.operands) {
    carried.types.push_back(info(v).type);
    carried.containers.push_back(info(v).container);
    carried.varies.emplace_back(carried.types.back().dims.size(), false);
    carried.sources |= info(v).inputs;
  }
  for (bool again = true; again;) {
    auto parts = std::make_shared<LoopParts>();
    auto widened = recordRun(code, carried, *parts);
    if (!widened)
      return widened.takeError();
    again = *widened;
    s.loop = std::move(parts);
  }
  for (size_t i = 0; i < carried.types.size(); ++i) {
    TensorType &type = carried.types[i];
    for (size_t k = 0; k < type.dims.size(); ++k)
      if (carried.varies[i][k])
        type.dims[k] = DimExpr::symbol(freshName("k"));
    s.results.push_back(fresh(std::move(type)));
    recording.values[size_t(s.results.back().id)].inputs = carried.sources;
    setContainer(s.results.back(), carried.containers[i]);
  }
  auto results = s.results;
  current().statements.push_back(std::move(s));
  return results;
}

Recording Recorder::finish() { return std::move(recording); }

} // namespace imbrex::frontend
