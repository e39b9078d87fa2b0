#include "runtime/vm/EntryPlan.h"

#include "runtime/module/format/Decode.h"

#include <algorithm>

namespace imbrex::runtime {
namespace {

using bytecode::Op;
using bytecode::SizeWords;

/// The only instruction that writes a register, if there is only one.
struct Definition {
  uint32_t writes = 0;
  uint32_t word = 0;
  Op op{};
  uint32_t source = 0; // of Move and Reshape
};

struct Scan {
  std::vector<Definition> definitions;
  std::vector<std::pair<uint32_t, uint32_t>> loops; // words [first, last] of each backward jump
  std::vector<std::vector<uint32_t>> returns;       // registers of each Return
};

void noteUse(EntryPlan &plan, const artifact::ArtifactSpec &spec, Op op, uint32_t kernel,
             uint32_t reg) {
  if (reg >= plan.needsAlignment.size())
    return;
  bool anyAlignment = op == Op::ReadElement || op == Op::ShapeOf || op == Op::BranchIfZero ||
                      op == Op::Release || op == Op::Return ||
                      (op == Op::Launch && spec.kernels[kernel].unaligned);
  if (!anyAlignment)
    plan.needsAlignment[reg] = true;
}

Scan scan(const artifact::FunctionSpec &entry, const artifact::ArtifactSpec &spec,
          EntryPlan &plan) {
  Scan s;
  s.definitions.resize(entry.registers);
  for (uint32_t i = 0; i < entry.inputs.size(); ++i)
    s.definitions[i].writes = 1;
  std::span<const uint32_t> code = entry.code;
  for (size_t at = 0; at < code.size();) {
    auto word = static_cast<uint32_t>(at);
    auto op = static_cast<Op>(code[at]);
    std::vector<uint32_t> reads, writes;
    uint32_t plain = 0;
    bytecode::walkInstruction(code, at, [&](char kind, SizeWords w) {
      if (kind == 'r')
        reads.push_back(w.low);
      else if (kind == 'w')
        writes.push_back(w.low);
      else if (kind == 'k' || kind == 't')
        plain = w.low;
      return true;
    });
    for (uint32_t r : reads)
      noteUse(plan, spec, op, plain, r);
    for (uint32_t w : writes) {
      Definition &d = s.definitions[w];
      d = {d.writes + 1, word, op, reads.empty() ? 0 : reads[0]};
    }
    if ((op == Op::Jump || op == Op::BranchIfZero) && plain <= word)
      s.loops.push_back({plain, word});
    if (op == Op::Return)
      s.returns.push_back(std::move(reads));
  }
  return s;
}

/// Follows Move and Reshape back to an Allocate that runs at most once.
bool traceToAllocate(const Scan &s, uint32_t reg, uint32_t &word) {
  for (size_t steps = 0; steps <= s.definitions.size(); ++steps) {
    const Definition &d = s.definitions[reg];
    if (d.writes != 1)
      return false;
    if (d.op == Op::Allocate) {
      word = d.word;
      return std::none_of(s.loops.begin(), s.loops.end(),
                          [&](auto loop) { return loop.first <= d.word && d.word <= loop.second; });
    }
    if (d.op != Op::Move && d.op != Op::Reshape)
      return false;
    reg = d.source;
  }
  return false;
}

} // namespace

EntryPlan planEntry(const artifact::FunctionSpec &entry, const artifact::ArtifactSpec &spec) {
  EntryPlan plan;
  plan.needsAlignment.assign(entry.inputs.size(), false);
  Scan s = scan(entry, spec, plan);
  if (s.returns.size() != 1)
    return plan;
  for (uint32_t output = 0; output < s.returns[0].size(); ++output)
    if (uint32_t word; traceToAllocate(s, s.returns[0][output], word))
      plan.placedOutputs.try_emplace(word, output);
  return plan;
}

} // namespace imbrex::runtime
