#include "runtime/module/Module.h"

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

/// Bytes of a launch's operands and results; -1 where sizes differ from launch to launch.
int64_t bytesOf(const KernelSpec &k) {
  int64_t total = 0;
  for (const TypeSpec &t : k.args) {
    int64_t bytes = byteSize(t.dtype);
    for (const DimSpec &d : t.dims)
      if (!d.size.isLiteral() || d.size.value < 0 ||
          __builtin_mul_overflow(bytes, d.size.value, &bytes))
        return -1;
    if (__builtin_add_overflow(total, bytes, &total))
      return -1;
  }
  return k.args.empty() ? -1 : total;
}

std::string kernel(const KernelSpec &k) {
  return "{\"name\":" + quoted(k.name) + ",\"operands\":" + number(k.operands) +
         ",\"results\":" + number(k.results) + ",\"flops\":" + number(k.flops) +
         ",\"bytes\":" + number(bytesOf(k)) +
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
  const FunctionSpec &entry = spec.functions[spec.entry];
  return "{\"producer\":" + quoted(spec.producer) + ",\"model\":" + quoted(spec.model) +
         ",\"model_hash\":" + quoted(spec.modelHash) +
         ",\"file_bytes\":" + number(static_cast<int64_t>(fileBytes)) +
         ",\"constant_bytes\":" + number(static_cast<int64_t>(constantBytes)) +
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
