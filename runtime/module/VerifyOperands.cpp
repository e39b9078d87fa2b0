#include "runtime/module/BytecodeVerifier.h"

#include <algorithm>

namespace imbrex::runtime {

using namespace imbrex::artifact;
using bytecode::Op;
using bytecode::SizeWords;

bool decode(std::span<const uint32_t> code, size_t &at, Instruction &out) {
  out = {static_cast<Op>(code[at]), {}, {}, {}, {}, {}};
  uint32_t listed = 0;
  bool listStarts = false;
  return bytecode::walkInstruction(code, at, [&](char kind, SizeWords w) {
    if (kind == '*') {
      out.counts.push_back(w.low);
      listed = w.low;
      listStarts = true;
      return true;
    }
    if (kind == 'r')
      out.reads.push_back(w.low);
    else if (kind == 'w')
      out.writes.push_back(w.low);
    else if (kind != 's')
      out.plain.push_back(w.low);
    else if (listed && !listStarts)
      out.sizes.back().push_back(w);
    else
      out.sizes.push_back({w});
    listStarts = false;
    listed -= listed ? 1 : 0;
    return true;
  });
}

bool BytecodeVerifier::checkSize(SizeWords w) {
  if (!w.isSlot())
    return true;
  if (w.high != bytecode::sizeIsSlot || w.low >= f.sizeSlots)
    return fail("size slot " + std::to_string(w.low) + " does not exist");
  return true;
}

bool BytecodeVerifier::markTarget(uint32_t target) {
  if (target >= code.size())
    return fail("it jumps to word " + std::to_string(target) + ", outside the code");
  leaders.push_back(target);
  return true;
}

bool BytecodeVerifier::decodeAll() {
  starts.assign(code.size(), false);
  leaders = {0};
  Instruction i{};
  for (size_t at = 0; at < code.size();) {
    failedAt = at;
    starts[at] = true;
    if (!decode(code, at, i))
      return fail("this is no instruction");
    if (!checkOperands(i))
      return false;
    bool ends = i.op == Op::Jump || i.op == Op::Return;
    if (at == code.size() && !ends)
      return fail("the code ends without Return or Jump");
    if ((ends || i.op == Op::BranchIfZero) && at < code.size())
      leaders.push_back(static_cast<uint32_t>(at));
  }
  if (code.empty())
    return fail("there is no code");
  std::sort(leaders.begin(), leaders.end());
  leaders.erase(std::unique(leaders.begin(), leaders.end()), leaders.end());
  for (uint32_t word : leaders)
    if (!starts[word])
      return fail("it jumps to word " + std::to_string(word) + ", into an instruction");
  return true;
}

bool BytecodeVerifier::checkCounts(const char *what, const Instruction &i, size_t reads,
                                   size_t writes) {
  if (i.reads.size() == reads && i.writes.size() == writes)
    return true;
  return fail(std::string(what) + " takes " + std::to_string(reads) + " operands and gives " +
              std::to_string(writes) + " results");
}

bool BytecodeVerifier::checkLaunch(const Instruction &i) {
  if (i.plain[0] >= spec.kernels.size())
    return fail("kernel " + std::to_string(i.plain[0]) + " does not exist");
  const KernelSpec &k = spec.kernels[i.plain[0]];
  if (i.counts[0] != k.operands || i.counts[1] != k.results || i.counts[2] != k.dims)
    return fail("the launch does not fit the record of kernel '" + k.name + "'");
  return true;
}

bool BytecodeVerifier::checkDevice(uint32_t device) {
  if (device == bytecode::hostDevice)
    return true;
  otherDevice = true;
  return fail("it uses device " + std::to_string(device));
}

/// Shapes of Planned, Allocate and Reshape: rank, literal sizes; planned storage within a literal
/// arena.
bool BytecodeVerifier::checkStorage(const Instruction &i) {
  if (i.counts[0] > bytecode::maxRank)
    return fail("the rank is " + std::to_string(i.counts[0]));
  bool planned = i.op == Op::Planned;
  int64_t bytes = 1;
  if (i.op != Op::Reshape) {
    if (!checkDevice(i.plain[1]))
      return false;
    if (i.plain[0] > 0xff || byteSize(static_cast<DType>(i.plain[0])) == 0)
      return fail("element type " + std::to_string(i.plain[0]) + " does not exist");
    bytes = byteSize(static_cast<DType>(i.plain[0]));
  }
  bool literal = true;
  bool empty = false;
  if (i.counts[0])
    for (SizeWords w : i.sizes.back()) {
      literal = literal && !w.isSlot();
      empty = empty || (!w.isSlot() && w.literal() == 0);
      if (!w.isSlot() && w.literal() && __builtin_mul_overflow(bytes, w.literal(), &bytes))
        return fail("the shape has more bytes than can be counted");
    }
  if (!planned || i.sizes[0][0].isSlot())
    return true;
  int64_t offset = i.sizes[0][0].literal();
  if (offset % static_cast<int64_t>(bytecode::storageAlignment))
    return fail("planned storage is not aligned");
  int64_t end;
  bool fits = !__builtin_add_overflow(offset, literal && !empty ? bytes : 0, &end) &&
              (!f.arena.isLiteral() || end <= f.arena.value);
  return fits || fail("planned storage lies outside the arena");
}

bool BytecodeVerifier::checkOperands(const Instruction &i) {
  for (const auto *regs : {&i.reads, &i.writes})
    for (uint32_t r : *regs)
      if (r >= f.registers)
        return fail("register " + std::to_string(r) + " does not exist");
  for (const auto &list : i.sizes)
    for (SizeWords w : list)
      if (!checkSize(w))
        return false;
  switch (i.op) {
  case Op::Constant:
    if (i.plain[0] >= spec.constants.size())
      return fail("the constant does not exist");
    return checkDevice(i.plain[1]);
  case Op::Planned:
  case Op::Allocate:
  case Op::Reshape:
    return checkStorage(i);
  case Op::Launch:
    return checkLaunch(i);
  case Op::HostOp:
    return i.plain[0] < spec.hostOps.size() || fail("the host operation does not exist");
  case Op::Call:
    if (i.plain[0] >= spec.functions.size())
      return fail("the function does not exist");
    return checkCounts("the function", i, spec.functions[i.plain[0]].inputs.size(),
                       spec.functions[i.plain[0]].outputs.size());
  case Op::Jump:
  case Op::BranchIfZero:
    return markTarget(i.plain[0]);
  case Op::Return:
    return checkCounts("the caller", i, f.outputs.size(), 0);
  case Op::SetSlot:
    return i.plain[0] < f.sizeSlots || fail("the size slot does not exist");
  case Op::Sizes: {
    if (i.plain[0] >= spec.sizes.size())
      return fail("the sizes function does not exist");
    const SizesSpec &s = spec.sizes[i.plain[0]];
    return uint64_t{s.inputs} + s.outputs <= f.sizeSlots ||
           fail("the sizes function needs more slots than there are");
  }
  default:
    return true;
  }
}

Status BytecodeVerifier::run() {
  if (decodeAll() && flow())
    return {};
  if (otherDevice)
    return unsupported(114, "the artifact needs a device that this runtime does not have",
                       "in function '" + f.name + "' at word " + std::to_string(failedAt) + ": " +
                           failure,
                       "compiling the model for the host alone");
  return badInput(
      108, "the bytecode of function '" + f.name + "' is refused",
      "at word " + std::to_string(failedAt) + ": " + failure,
      "compiling the model again; if that does not help, it is a defect of the compiler");
}

Status verifyBytecode(const FunctionSpec &function, const ArtifactSpec &spec) {
  return BytecodeVerifier(function, spec).run();
}

} // namespace imbrex::runtime
