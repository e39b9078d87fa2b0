#include "compiler/passes/graph/DescribeGraph.h"

#include "compiler/passes/graph/Passes.h"

#include <cstdio>

using namespace mlir;

namespace imbrex::relay {

using artifact::EdgeSpec;
using artifact::NodeSpec;

std::string nodeName(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().str() : std::string();
}

namespace {

std::string textOf(const opmeaning::AttrValue &value) {
  auto real = [](double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", v);
    return std::string(text);
  };
  auto list = [](const auto &values, auto one) {
    std::string text = "[";
    for (const auto &v : values)
      text += (text.size() > 1 ? ", " : "") + one(v);
    return text + "]";
  };
  auto integer = [](int64_t v) { return std::to_string(v); };
  switch (value.index()) {
  case 0:
    return integer(std::get<0>(value));
  case 1:
    return real(std::get<1>(value));
  case 2:
    return "\"" + std::get<2>(value) + "\"";
  case 3:
    return list(std::get<3>(value), integer);
  case 4:
    return list(std::get<4>(value), real);
  default:
    return std::string(name(std::get<5>(value)));
  }
}

/// Those that differ from their defaults.
std::string attributesOf(ApplyOp apply) {
  const opmeaning::Attrs attrs = attrsOf(apply);
  std::string text;
  for (const opmeaning::AttrDecl &decl : apply.op().attrs) {
    auto it = attrs.values.find(decl.name);
    if (it == attrs.values.end() || (decl.fallback && *decl.fallback == it->second))
      continue;
    text += (text.empty() ? "" : ", ") + std::string(decl.name) + " = " + textOf(it->second);
  }
  return text;
}

class Describer {
public:
  GraphDescription run(ModuleOp module) {
    for (FuncOp func : module.getOps<FuncOp>()) {
      for (BlockArgument argument : func.entry().getArguments())
        edges[argument] = {EdgeSpec::input, static_cast<uint16_t>(argument.getArgNumber())};
      visit(func.entry(), -1, 0);
      std::vector<EdgeSpec> &results = out.results.emplace_back();
      for (Value v : func.returnOp().getResults())
        results.push_back(edgeOf(v));
      if (auto rewrites = func->getAttrOfType<ArrayAttr>(kRewrites))
        for (auto r : rewrites.getAsRange<ArrayAttr>())
          out.rewrites.push_back({text(r[0]), text(r[1]), text(r[2])});
      ++function;
    }
    return std::move(out);
  }

private:
  static std::string text(Attribute attr) { return cast<StringAttr>(attr).str(); }

  EdgeSpec edgeOf(Value v) const {
    if (!v)
      return {};
    auto it = edges.find(v);
    return it == edges.end() ? EdgeSpec{EdgeSpec::constant, 0} : it->second;
  }

  NodeSpec &add(Operation *op, std::string what, int32_t parent, uint8_t region) {
    NodeSpec &node = out.nodes.emplace_back();
    node.name = nodeName(op);
    node.op = std::move(what);
    node.function = function;
    node.parent = parent;
    node.region = region;
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      node.results.push_back(toMeaningType(tensorType(result)).str());
      edges[result] = {static_cast<int32_t>(out.nodes.size() - 1), static_cast<uint16_t>(i)};
    }
    return node;
  }

  void addApply(ApplyOp apply, int32_t group, int32_t parent, uint8_t region) {
    std::vector<EdgeSpec> operands;
    for (Value v : apply.operatorOperands())
      operands.push_back(edgeOf(v));
    NodeSpec &node = add(apply, apply.getOperatorName().str(), parent, region);
    node.attributes = attributesOf(apply);
    node.group = group;
    node.operands = std::move(operands);
  }

  int32_t newGroup(Operation *op) {
    op->setAttr(kGroup, Builder(op->getContext()).getI64IntegerAttr(groups));
    return groups++;
  }

  void addFused(FusedOp fused, int32_t parent, uint8_t region) {
    const int32_t group = newGroup(fused);
    for (auto [argument, value] : llvm::zip(fused.entry().getArguments(), fused.getInputs()))
      edges[argument] = edgeOf(value);
    for (ApplyOp apply : fused.entry().getOps<ApplyOp>())
      addApply(apply, group, parent, region);
    for (auto [result, value] : llvm::zip(fused.getResults(), fused.yield().getResults()))
      edges[result] = edgeOf(value);
  }

  void addControl(Operation *op, const char *what, int32_t parent, uint8_t region) {
    std::vector<EdgeSpec> operands, yields;
    for (Value v : op->getOperands())
      operands.push_back(edgeOf(v));
    const auto index = static_cast<int32_t>(out.nodes.size());
    NodeSpec &node = add(op, what, parent, region);
    node.operands = std::move(operands);
    if (auto call = dyn_cast<CallOp>(op))
      node.attributes = call.getCallee().str();
    for (auto [i, inner] : llvm::enumerate(op->getRegions())) {
      for (BlockArgument argument : inner.getArguments())
        edges[argument] = {EdgeSpec::argument, static_cast<uint16_t>(argument.getArgNumber())};
      visit(inner.front(), index, static_cast<uint8_t>(i));
      for (Value v : inner.front().getTerminator()->getOperands())
        yields.push_back(edgeOf(v));
    }
    out.nodes[static_cast<size_t>(index)].yields = std::move(yields);
  }

  /// Depth is that of the text, which the importer bounds.
  void visit(Block &block, int32_t parent, uint8_t region) {
    for (Operation &op : block) {
      if (auto fused = dyn_cast<FusedOp>(op))
        addFused(fused, parent, region);
      else if (auto apply = dyn_cast<ApplyOp>(op))
        addApply(apply, newGroup(apply), parent, region);
      else if (isa<IfOp>(op))
        addControl(&op, "if", parent, region);
      else if (isa<LoopOp>(op))
        addControl(&op, "loop", parent, region);
      else if (isa<CallOp>(op))
        addControl(&op, "call", parent, region);
    }
  }

  GraphDescription out;
  DenseMap<Value, EdgeSpec> edges; // a value without one is a constant
  uint32_t function = 0;
  int32_t groups = 0;
};

} // namespace

GraphDescription describeGraph(ModuleOp module) { return Describer().run(module); }

} // namespace imbrex::relay
