#include "runtime/module/format/MetadataWriter.h"

#include "runtime/module/format/Artifact_generated.h"

namespace imbrex::artifact {
namespace {

using flatbuffers::FlatBufferBuilder;
template <class T> using Offset = flatbuffers::Offset<T>;

/// A vector of tables, each made by `make` from one element.
template <class Items, class Make>
auto vectorOf(FlatBufferBuilder &b, const Items &items, Make make) {
  std::vector<decltype(make(items[0]))> offsets;
  offsets.reserve(items.size());
  for (const auto &item : items)
    offsets.push_back(make(item));
  return b.CreateVector(offsets);
}

auto strings(FlatBufferBuilder &b, const std::vector<std::string> &words) {
  return b.CreateVectorOfStrings(words);
}

Offset<TensorType> type(FlatBufferBuilder &b, const TypeSpec &t) {
  auto dims = vectorOf(b, t.dims, [&](const DimSpec &d) {
    Size size(d.size.value, d.size.slot);
    auto name = d.name.empty() ? 0 : b.CreateSharedString(d.name);
    return CreateDim(b, &size, name);
  });
  return CreateTensorType(b, static_cast<uint8_t>(t.dtype), dims);
}

auto ports(FlatBufferBuilder &b, const std::vector<PortSpec> &list) {
  return vectorOf(b, list, [&](const PortSpec &p) {
    auto name = b.CreateString(p.name);
    return CreatePort(b, name, type(b, p.type), p.donated);
  });
}

auto edges(FlatBufferBuilder &b, const std::vector<EdgeSpec> &list) {
  std::vector<Edge> out;
  for (const EdgeSpec &e : list)
    out.emplace_back(e.node, e.index);
  return b.CreateVectorOfStructs(out);
}

Offset<Function> function(FlatBufferBuilder &b, const FunctionSpec &f) {
  auto name = b.CreateString(f.name);
  auto inputs = ports(b, f.inputs);
  auto outputs = ports(b, f.outputs);
  auto symbols = vectorOf(b, f.symbols, [&](const SymbolSpec &s) {
    auto symbolName = b.CreateString(s.name);
    return CreateSymbol(b, symbolName, s.input, s.axis, s.lo, s.hi, s.divisor);
  });
  auto code = b.CreateVector(f.code);
  Size arena(f.arena.value, f.arena.slot);
  return CreateFunction(b, name, inputs, outputs, symbols, f.sizes, f.sizeSlots, f.registers,
                        &arena, code, strings(b, f.slotNames), strings(b, f.facts),
                        edges(b, f.results));
}

Offset<Kernel> kernel(FlatBufferBuilder &b, const KernelSpec &k) {
  auto name = b.CreateString(k.name);
  auto entry = b.CreateString(k.entry);
  auto checks = strings(b, k.checks);
  auto sources = strings(b, k.sources);
  auto args = vectorOf(b, k.args, [&](const TypeSpec &t) { return type(b, t); });
  std::vector<Alias> aliases;
  for (const AliasSpec &a : k.aliases)
    aliases.emplace_back(a.result, a.operand);
  auto work = k.work.empty() ? 0 : b.CreateSharedString(k.work);
  auto form = k.form.empty() ? 0 : b.CreateSharedString(k.form);
  auto plan = k.plan.empty() ? 0 : b.CreateSharedString(k.plan);
  return CreateKernel(b, name, entry, k.operands, k.results, k.dims, checks, sources, k.flops,
                      k.pure, k.unaligned, args, plan, k.grid, k.scratchBytes,
                      b.CreateVectorOfStructs(aliases), k.group, work, k.clampedReads, form,
                      b.CreateVector(k.gathered), k.proven);
}

Offset<Node> node(FlatBufferBuilder &b, const NodeSpec &n) {
  auto name = b.CreateString(n.name);
  auto op = b.CreateSharedString(n.op);
  auto attributes = n.attributes.empty() ? 0 : b.CreateString(n.attributes);
  std::vector<Offset<flatbuffers::String>> types;
  for (const std::string &t : n.results)
    types.push_back(b.CreateSharedString(t));
  return CreateNode(b, name, op, attributes, n.function, n.parent, n.region, n.group,
                    edges(b, n.operands), b.CreateVector(types), edges(b, n.yields));
}

Offset<Rewrite> rewrite(FlatBufferBuilder &b, const RewriteSpec &r) {
  auto rule = b.CreateSharedString(r.rule);
  auto contract = b.CreateSharedString(r.contract);
  return CreateRewrite(b, rule, contract, b.CreateString(r.node));
}

Offset<SizesFunction> sizes(FlatBufferBuilder &b, const SizesSpec &s) {
  auto name = b.CreateString(s.name);
  auto entry = b.CreateString(s.entry);
  return CreateSizesFunction(b, name, entry, s.inputs, s.outputs, strings(b, s.checks));
}

Offset<Constant> constant(FlatBufferBuilder &b, const ConstantSpec &c, uint64_t offset) {
  TypeSpec literal{c.dtype, {}};
  for (int64_t d : c.shape)
    literal.dims.push_back({SizeSpec::literal(d), ""});
  auto name = b.CreateString(c.name);
  return CreateConstant(b, name, type(b, literal), offset, c.bytes.size(), c.gathered);
}

} // namespace

std::vector<std::byte> writeMetadata(const ArtifactSpec &spec,
                                     std::span<const uint64_t> constantOffsets,
                                     SectionIndices indices) {
  FlatBufferBuilder b(64 * 1024);
  auto producer = b.CreateString(spec.producer);
  auto model = b.CreateString(spec.model);
  auto hash = b.CreateString(spec.modelHash);
  auto functions = vectorOf(b, spec.functions, [&](const auto &f) { return function(b, f); });
  auto kernels = vectorOf(b, spec.kernels, [&](const auto &k) { return kernel(b, k); });
  auto sizeFns = vectorOf(b, spec.sizes, [&](const auto &s) { return sizes(b, s); });
  const uint64_t *offset = constantOffsets.data();
  auto constants =
      vectorOf(b, spec.constants, [&](const auto &c) { return constant(b, c, *offset++); });
  uint32_t section = indices.firstVariant;
  auto variants = vectorOf(b, spec.variants, [&](const VariantSpec &v) {
    auto target = b.CreateString(v.target);
    auto kind = b.CreateString(v.kind);
    return CreateCodeVariant(b, target, section++, strings(b, v.features), v.priority, kind);
  });
  auto imports = strings(b, spec.imports);
  auto hostOps = strings(b, spec.hostOps);
  auto remarks = strings(b, spec.remarks);
  auto externals = vectorOf(b, spec.externals, [&](const ExternalSpec &e) {
    auto name = b.CreateString(e.name);
    return CreateExternal(b, name, b.CreateString(e.library), e.stateSection);
  });
  auto nodes = vectorOf(b, spec.nodes, [&](const auto &n) { return node(b, n); });
  auto rewrites = vectorOf(b, spec.rewrites, [&](const auto &r) { return rewrite(b, r); });
  FinishMetadataBuffer(b, CreateMetadata(b, producer, model, hash, functions, spec.entry, kernels,
                                         sizeFns, constants, indices.constants, imports, hostOps,
                                         variants, remarks, spec.kernelAbi, externals, nodes,
                                         rewrites));
  auto bytes = std::as_bytes(std::span(b.GetBufferPointer(), b.GetSize()));
  return {bytes.begin(), bytes.end()};
}

} // namespace imbrex::artifact
