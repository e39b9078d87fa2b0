#include "tools/imbrex-explain/Explain.h"

#include "runtime/module/CodeLoader.h"
#include "runtime/module/Module.h"
#include "runtime/module/plan/KernelWork.h"

#include <limits>
#include <set>

namespace imbrex::tools {

using namespace artifact;
using runtime::SlotSizes;

namespace {

template <class List, class Make> Json listOf(const List &items, Make make) {
  Json list = Json::array();
  for (const auto &item : items)
    list.push(make(item));
  return list;
}

std::string typeText(const TypeSpec &type, const SlotSizes &sizes) {
  std::string text = std::string(name(type.dtype)) + "[";
  for (size_t i = 0; i < type.dims.size(); ++i)
    text += (i ? ", " : "") + (type.dims[i].name.empty() ? sizes.shown(sizes.of(type.dims[i].size))
                                                         : type.dims[i].name);
  return text + "]";
}

/// A kernel's sizes are places among its own dims, and have names only where they are not fixed.
std::string kernelType(const TypeSpec &type) {
  std::string text = std::string(name(type.dtype)) + "[";
  for (size_t i = 0; i < type.dims.size(); ++i) {
    const DimSpec &d = type.dims[i];
    const bool fixed = d.size.isLiteral() && d.size.value >= 0;
    text += (i ? ", " : "") + (fixed            ? std::to_string(d.size.value)
                               : d.name.empty() ? "?"
                                                : d.name);
  }
  return text + "]";
}

Json ports(const std::vector<PortSpec> &list, const SlotSizes &sizes) {
  return listOf(list, [&](const PortSpec &p) {
    return Json::object().set("name", p.name).set("type", typeText(p.type, sizes));
  });
}

Json edges(const std::vector<EdgeSpec> &list) {
  return listOf(list, [](const EdgeSpec &e) {
    return Json::array().push(Json::of(int64_t(e.node))).push(Json::of(int64_t(e.index)));
  });
}

Json symbol(const SymbolSpec &s) {
  const bool open = s.hi == std::numeric_limits<int64_t>::max();
  return Json::object()
      .set("name", s.name)
      .set("min", s.lo)
      .set("max", open ? Json() : Json::of(s.hi))
      .set("divisor", s.divisor)
      .set("input", int64_t(s.input))
      .set("axis", int64_t(s.axis));
}

Json node(const NodeSpec &n) {
  return Json::object()
      .set("name", n.name)
      .set("op", n.op)
      .set("attributes", n.attributes)
      .set("function", int64_t(n.function))
      .set("parent", int64_t(n.parent))
      .set("region", int64_t(n.region))
      .set("group", int64_t(n.group))
      .set("operands", edges(n.operands))
      .set("results", n.results)
      .set("yields", edges(n.yields));
}

Json kernel(const KernelSpec &k, const SlotSizes &sizes, const SlotSizes::Values &values) {
  const runtime::KernelWork work = runtime::workOf(k, sizes, values);
  return Json::object()
      .set("name", k.name)
      .set("code", k.entry)
      .set("group", int64_t(k.group))
      .set("form", k.form)
      .set("clamped_reads", int64_t(k.clampedReads))
      .set("proven", k.proven)
      .set("sources", k.sources)
      .set("operands", int64_t(k.operands))
      .set("results", int64_t(k.results))
      .set("flops", work.flops)
      .set("bytes", work.bytes)
      .set("grid", k.plan.empty() ? Json::of(k.grid) : Json())
      .set("checks", k.checks)
      .set("types", listOf(k.args, [](const TypeSpec &t) { return Json::of(kernelType(t)); }));
}

/// A remark begins with the node that it is about, as kernels name their sources: "Conv_3 (conv):
/// …".
Json remark(const std::string &text, const std::set<std::string> &sources) {
  for (size_t at = text.find(": "); at != text.npos; at = text.find(": ", at + 1)) {
    const std::string place = text.substr(0, at);
    if (!sources.count(place))
      continue;
    const size_t op = place.rfind(" (");
    return Json::object().set("at", place.substr(0, op)).set("text", text.substr(at + 2));
  }
  return Json::object().set("at", "").set("text", text);
}

Json remarks(const ArtifactSpec &spec, const VariantSpec *chosen) {
  std::set<std::string> sources;
  for (const KernelSpec &k : spec.kernels)
    sources.insert(k.sources.begin(), k.sources.end());
  Json list = listOf(spec.remarks, [&](const std::string &r) { return remark(r, sources); });
  const std::set<std::string> host(spec.hostOps.begin(), spec.hostOps.end());
  for (const NodeSpec &n : spec.nodes)
    if (host.count(n.op))
      list.push(Json::object()
                    .set("at", n.name)
                    .set("text", "computed by a function of the runtime, not by a kernel"));
  if (!chosen)
    list.push(Json::object().set("at", "").set("text", "no code variant runs on this machine"));
  return list;
}

Json sizesOf(runtime::Module &module) {
  const ArtifactSpec &spec = module.spec();
  std::set<std::string> functions;
  for (const KernelSpec &k : spec.kernels)
    functions.insert(k.entry);
  Result<Json> info = Json::parse(module.info());
  Json sizes = Json::object()
                   .set("constants", static_cast<int64_t>(spec.constants.size()))
                   .set("functions_of_code", static_cast<int64_t>(functions.size()));
  for (const char *key : {"file_bytes", "constant_bytes"})
    sizes.set(key, info ? info->at(key) : Json());
  return sizes;
}

} // namespace

SlotSizes::Values exampleSizes(const FunctionSpec &f, const SlotSizes::Values &given) {
  SlotSizes::Values values;
  for (const SymbolSpec &s : f.symbols) {
    if (auto it = given.find(s.name); it != given.end()) {
      values[s.name] = it->second;
      continue;
    }
    const int64_t wanted = std::max<int64_t>(s.lo, std::min<int64_t>(s.hi, 8));
    const int64_t above = (wanted + s.divisor - 1) / s.divisor * s.divisor;
    values[s.name] = above <= s.hi ? above : wanted / s.divisor * s.divisor;
  }
  return values;
}

Json explainArtifact(runtime::Module &module, const SlotSizes::Values &given) {
  const ArtifactSpec &spec = module.spec();
  const FunctionSpec &entry = module.entry();
  const SlotSizes sizes(entry);
  const SlotSizes::Values values = exampleSizes(entry, given);
  auto variant = runtime::chooseVariant(spec);
  const VariantSpec *chosen = variant ? *variant : nullptr;
  return Json::object()
      .set("model", spec.model)
      .set("producer", spec.producer)
      .set("inputs", ports(entry.inputs, sizes))
      .set("outputs", ports(entry.outputs, sizes))
      .set("symbols", listOf(entry.symbols, symbol))
      .set("sizes", sizesOf(module))
      .set("variants", listOf(spec.variants,
                              [&](const VariantSpec &v) {
                                return Json::object()
                                    .set("target", v.target)
                                    .set("features", v.features)
                                    .set("bytes", static_cast<int64_t>(v.code.size()))
                                    .set("chosen", &v == chosen);
                              }))
      .set("entry", int64_t(spec.entry))
      .set("functions",
           listOf(spec.functions,
                  [](const FunctionSpec &f) {
                    return Json::object().set("name", f.name).set("results", edges(f.results));
                  }))
      .set("nodes", listOf(spec.nodes, node))
      .set("kernels",
           listOf(spec.kernels, [&](const KernelSpec &k) { return kernel(k, sizes, values); }))
      .set("plans", listOf(spec.functions,
                           [&](const FunctionSpec &f) { return explainPlan(f, spec, given); }))
      .set("host_ops", spec.hostOps)
      .set("remarks", remarks(spec, chosen))
      .set("rewrites", listOf(spec.rewrites, [](const RewriteSpec &r) {
             return Json::object()
                 .set("rule", r.rule)
                 .set("contract", r.contract)
                 .set("node", r.node);
           }));
}

} // namespace imbrex::tools
