#include "runtime/module/Module.h"

#include "runtime/module/format/KernelBytes.h"

#include <cstdio>

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
    out += escape;
  }
  return out + '"';
}

std::string number(int64_t value) { return std::to_string(value); }

/// `[a,b,…]` of what `text` makes of each item.
template <class List, class Text> std::string array(const List &items, Text text) {
  std::string out = "[";
  for (const auto &item : items)
    out += (out.size() > 1 ? "," : "") + text(item);
  return out + "]";
}

std::string dim(const DimSpec &d) {
  if (d.size.isLiteral())
    return number(d.size.value);
  return d.name.empty() ? "null" : quoted(d.name);
}

std::string port(const PortSpec &p) {
  return "{\"name\":" + quoted(p.name) + ",\"dtype\":" + quoted(name(p.type.dtype)) +
         ",\"shape\":" + array(p.type.dims, dim) + (p.donated ? ",\"donated\":true}" : "}");
}

std::string symbol(const SymbolSpec &s) {
  return "{\"name\":" + quoted(s.name) + ",\"input\":" + number(s.input) +
         ",\"axis\":" + number(s.axis) + ",\"min\":" + number(s.lo) +
         (s.hi == std::numeric_limits<int64_t>::max() ? "" : ",\"max\":" + number(s.hi)) +
         ",\"divisor\":" + number(s.divisor) + "}";
}

/// Known where it is the same at every launch.
std::optional<int64_t> literalSize(const DimSpec &d) {
  if (d.size.isLiteral() && d.size.value >= 0)
    return d.size.value;
  return std::nullopt;
}

std::string kernel(const KernelSpec &k) {
  return "{\"name\":" + quoted(k.name) + ",\"operands\":" + number(k.operands) +
         ",\"results\":" + number(k.results) + ",\"flops\":" + number(k.flops) +
         ",\"bytes\":" + number(bytesOf(k, literalSize)) +
         ",\"grid\":" + (k.plan.empty() ? number(k.grid) : std::string("null")) +
         ",\"sources\":" + array(k.sources, quoted) + ",\"checks\":" + array(k.checks, quoted) +
         "}";
}

std::string variant(const VariantSpec &v) {
  return "{\"target\":" + quoted(v.target) + ",\"kind\":" + quoted(v.kind) +
         ",\"features\":" + array(v.features, quoted) + ",\"priority\":" + number(v.priority) +
         ",\"bytes\":" + number(static_cast<int64_t>(v.code.size())) + "}";
}

std::string function(const FunctionSpec &f) {
  return "{\"name\":" + quoted(f.name) +
         ",\"code_words\":" + number(static_cast<int64_t>(f.code.size())) +
         ",\"registers\":" + number(f.registers) +
         ",\"arena_bytes\":" + (f.arena.isLiteral() ? number(f.arena.value) : std::string("null")) +
         "}";
}

} // namespace

std::string describeArtifact(const ArtifactSpec &spec, uint64_t fileBytes, uint64_t constantBytes) {
  uint64_t gathered = 0;
  for (const ConstantSpec &c : spec.constants)
    gathered += c.gathered ? c.bytes.size() : 0;
  const FunctionSpec &entry = spec.functions[spec.entry];
  return "{\"producer\":" + quoted(spec.producer) + ",\"model\":" + quoted(spec.model) +
         ",\"model_hash\":" + quoted(spec.modelHash) +
         ",\"file_bytes\":" + number(static_cast<int64_t>(fileBytes)) +
         ",\"constant_bytes\":" + number(static_cast<int64_t>(constantBytes)) +
         ",\"gathered_constant_bytes\":" + number(static_cast<int64_t>(gathered)) +
         ",\"constants\":" + number(static_cast<int64_t>(spec.constants.size())) +
         ",\"inputs\":" + array(entry.inputs, port) + ",\"outputs\":" + array(entry.outputs, port) +
         ",\"symbols\":" + array(entry.symbols, symbol) +
         ",\"functions\":" + array(spec.functions, function) +
         ",\"kernels\":" + array(spec.kernels, kernel) +
         ",\"variants\":" + array(spec.variants, variant) +
         ",\"imports\":" + array(spec.imports, quoted) +
         ",\"host_ops\":" + array(spec.hostOps, quoted) +
         ",\"remarks\":" + array(spec.remarks, quoted) + "}";
}

} // namespace imbrex::runtime
