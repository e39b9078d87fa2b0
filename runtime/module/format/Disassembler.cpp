#include "runtime/module/format/Disassembler.h"

#include "runtime/module/format/Decode.h"

#include <cstdio>

namespace imbrex::artifact {
namespace {

template <class Table> std::string named(const char *prefix, uint32_t index, const Table &table) {
  std::string text = prefix + std::to_string(index);
  if (index < table.size())
    text += " \"" + table[index].name + '"';
  return text;
}

std::string operand(char kind, bytecode::SizeWords w, const ArtifactSpec &artifact) {
  switch (kind) {
  case 'r':
  case 'w':
    return "%" + std::to_string(w.low);
  case 'k':
    return named("k", w.low, artifact.kernels);
  case 'c':
    return named("c", w.low, artifact.constants);
  case 'f':
    return named("f", w.low, artifact.functions);
  case 't':
    return "@" + std::to_string(w.low);
  case 's':
    return w.isSlot() ? "$" + std::to_string(w.low) : std::to_string(w.literal());
  case 'd':
    return w.low <= static_cast<uint32_t>(LastDType) ? std::string(name(static_cast<DType>(w.low)))
                                                      : "dtype?" + std::to_string(w.low);
  default:
    return std::to_string(w.low);
  }
}

} // namespace

std::string disassemble(const FunctionSpec &function, const ArtifactSpec &artifact) {
  std::string out;
  std::span<const uint32_t> code = function.code;
  for (size_t at = 0; at < code.size();) {
    char head[48];
    std::snprintf(head, sizeof head, "%5zu: %s", at, bytecode::opName(code[at]));
    std::string line = head;
    uint32_t listLeft = 0;
    bool inList = false;
    bool good = bytecode::walkInstruction(code, at, [&](char kind, bytecode::SizeWords w) {
      if (kind == '*') {
        line += " [";
        listLeft = w.low;
        inList = listLeft != 0;
        line += inList ? "" : "]";
        return true;
      }
      bool first = line.back() == '[';
      line += (first ? "" : " ") + operand(kind, w, artifact);
      if (inList && --listLeft == 0) {
        line += "]";
        inList = false;
      }
      return true;
    });
    if (!good) {
      std::snprintf(head, sizeof head, "%5zu: <bad code>\n", at);
      return out + head;
    }
    out += line + "\n";
  }
  return out;
}

} // namespace imbrex::artifact
