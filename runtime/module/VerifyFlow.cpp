#include "runtime/module/BytecodeVerifier.h"

#include <algorithm>

namespace imbrex::runtime {

using namespace imbrex::artifact;
using bytecode::Op;

namespace {

Holds join(Holds a, Holds b) {
  if (a == b)
    return a;
  bool tensors = a >= Holds::Tensor && b >= Holds::Tensor;
  return tensors ? Holds::Tensor : Holds::Nothing;
}

} // namespace

bool BytecodeVerifier::needTensor(const std::vector<Holds> &regs, uint32_t r) {
  return regs[r] >= Holds::Tensor ||
         fail("register " + std::to_string(r) + " holds no tensor on some path");
}

bool BytecodeVerifier::needInteger(const std::vector<Holds> &regs, uint32_t r) {
  return regs[r] == Holds::Integer ||
         fail("register " + std::to_string(r) + " holds no integer on some path");
}

bool BytecodeVerifier::step(const Instruction &i, std::vector<Holds> &regs) {
  auto set = [&](Holds h) {
    for (uint32_t r : i.writes)
      regs[r] = h;
    return true;
  };
  switch (i.op) {
  case Op::Constant:
    return set(Holds::Tensor);
  case Op::Planned:
  case Op::Allocate:
    return set(Holds::Writable);
  case Op::Integer:
    return set(Holds::Integer);
  case Op::Move: {
    if (regs[i.reads[0]] == Holds::Nothing)
      return fail("register " + std::to_string(i.reads[0]) + " is not set on some path");
    return set(regs[i.reads[0]]);
  }
  case Op::Release:
    if (regs[i.reads[0]] == Holds::Nothing)
      return fail("register " + std::to_string(i.reads[0]) + " is not set on some path");
    regs[i.reads[0]] = Holds::Nothing;
    return true;
  case Op::BranchIfZero:
    return regs[i.reads[0]] != Holds::Nothing || fail("the condition is not set on some path");
  case Op::AddInteger:
  case Op::LessInteger:
    return needInteger(regs, i.reads[0]) && needInteger(regs, i.reads[1]) && set(Holds::Integer);
  case Op::SetSlot:
    return needInteger(regs, i.reads[0]);
  default:
    break;
  }
  for (uint32_t r : i.reads)
    if (!needTensor(regs, r))
      return false;
  if (i.op == Op::Launch)
    for (size_t n = i.counts[0]; n < i.reads.size(); ++n)
      if (regs[i.reads[n]] != Holds::Writable)
        return fail("kernel '" + spec.kernels[i.plain[0]].name + "' would write register " +
                    std::to_string(i.reads[n]) + ", which is an input, a constant or a result");
  if (i.op == Op::Call)
    for (size_t n = 0; n < i.reads.size(); ++n)
      if (spec.functions[i.plain[0]].inputs[n].donated && regs[i.reads[n]] != Holds::Writable)
        return fail("the call would donate register " + std::to_string(i.reads[n]) +
                    ", which is an input, a constant or a result");
  if (i.op == Op::Reshape)
    return set(regs[i.reads[0]]);
  return set(i.op == Op::ReadElement || i.op == Op::ShapeOf ? Holds::Integer : Holds::Tensor);
}

bool BytecodeVerifier::enterBlock(uint32_t word, const std::vector<Holds> &regs) {
  auto block =
      static_cast<size_t>(std::lower_bound(leaders.begin(), leaders.end(), word) - leaders.begin());
  workDone += regs.size() + 1;
  std::vector<Holds> &known = entry[block];
  if (known.empty()) {
    known = regs;
    work.push_back(block);
    return true;
  }
  bool changed = false;
  for (size_t r = 0; r < regs.size(); ++r) {
    Holds merged = join(known[r], regs[r]);
    changed = changed || merged != known[r];
    known[r] = merged;
  }
  if (changed)
    work.push_back(block);
  return true;
}

bool BytecodeVerifier::flowBlock(size_t block) {
  std::vector<Holds> regs = entry[block];
  size_t end = block + 1 < leaders.size() ? leaders[block + 1] : code.size();
  Instruction i{};
  for (size_t at = leaders[block]; at < end;) {
    failedAt = at;
    size_t begin = at;
    decode(code, at, i);
    workDone += at - begin;
    if (!step(i, regs))
      return false;
    if (i.op == Op::Return)
      return true;
    if ((i.op == Op::Jump || i.op == Op::BranchIfZero) && !enterBlock(i.plain[0], regs))
      return false;
    if (i.op == Op::Jump)
      return true;
  }
  return enterBlock(static_cast<uint32_t>(end), regs);
}

bool BytecodeVerifier::flow() {
  entry.resize(leaders.size());
  // One byte a register and block; real functions need kilobytes.
  constexpr uint64_t stateLimit = 256ull << 20;
  if (uint64_t{f.registers} * leaders.size() > stateLimit)
    return fail("the function is too large to be checked");
  // The extra register keeps `entry` of reached blocks from being empty.
  std::vector<Holds> first(f.registers + 1, Holds::Nothing);
  for (size_t n = 0; n < f.inputs.size(); ++n)
    first[n] = f.inputs[n].donated ? Holds::Writable : Holds::Tensor;
  enterBlock(0, first);
  while (!work.empty()) {
    size_t block = work.front();
    work.pop_front();
    if (!flowBlock(block))
      return false;
    if (workDone > workLimit)
      return fail("the function is too large to be checked");
  }
  return true;
}

} // namespace imbrex::runtime
