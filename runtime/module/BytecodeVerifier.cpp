// Two passes: decode every instruction and check its operands on their own; then follow what each
// register holds along all paths. The rules are written in runtime/abi/bytecode.h.
#include "runtime/module/ArtifactVerifier.h"
#include "runtime/module/format/Decode.h"

#include <algorithm>
#include <deque>

namespace imbrex::runtime {
namespace {

using namespace imbrex::artifact;
using bytecode::Op;
using bytecode::SizeWords;

/// What is known of a register. Writable: Planned or Allocate made the tensor.
enum class Holds : uint8_t { Nothing, Integer, Tensor, Writable };

Holds join(Holds a, Holds b) {
  if (a == b)
    return a;
  bool tensors = a >= Holds::Tensor && b >= Holds::Tensor;
  return tensors ? Holds::Tensor : Holds::Nothing;
}

/// One decoded instruction: operands by kind, in order.
struct Instruction {
  Op op;
  std::vector<uint32_t> reads, writes, plain; // plain: k c f t d u
  std::vector<std::vector<SizeWords>> sizes;  // single sizes and lists of sizes
  std::vector<uint32_t> counts;               // lengths of the lists
};

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

class Verifier {
public:
  Verifier(const FunctionSpec &f, const ArtifactSpec &spec) : f(f), spec(spec), code(f.code) {}

  Status run() {
    if (!decodeAll() || !flow())
      return badInput(108, "the bytecode of function '" + f.name + "' is refused",
                      "at word " + std::to_string(failedAt) + ": " + failure,
                      "compiling the model again; if that does not help, it is a defect of the "
                      "compiler");
    return {};
  }

private:
  bool fail(std::string why) {
    failure = std::move(why);
    return false;
  }

  // First pass.
  bool decodeAll();
  bool checkOperands(const Instruction &i);
  bool checkSize(SizeWords w);
  bool checkLaunch(const Instruction &i);
  bool checkStorage(const Instruction &i);
  bool checkCounts(const char *what, const Instruction &i, size_t reads, size_t writes);
  bool markTarget(uint32_t target);

  // Second pass.
  bool flow();
  bool flowBlock(size_t block);
  bool step(const Instruction &i, std::vector<Holds> &regs);
  bool needTensor(const std::vector<Holds> &regs, uint32_t r);
  bool needInteger(const std::vector<Holds> &regs, uint32_t r);
  bool enterBlock(uint32_t word, const std::vector<Holds> &regs);

  static constexpr uint64_t workLimit = 1ull << 28; // about a second

  const FunctionSpec &f;
  const ArtifactSpec &spec;
  std::span<const uint32_t> code;
  std::string failure;
  size_t failedAt = 0;
  std::vector<bool> starts;              // by word: an instruction begins here
  std::vector<uint32_t> leaders;         // first words of basic blocks, ascending
  std::vector<std::vector<Holds>> entry; // by block; empty: not reached
  std::deque<size_t> work;
  uint64_t workDone = 0;
};

bool Verifier::checkSize(SizeWords w) {
  if (!w.isSlot())
    return true;
  if (w.high != bytecode::sizeIsSlot || w.low >= f.sizeSlots)
    return fail("size slot " + std::to_string(w.low) + " does not exist");
  return true;
}

bool Verifier::markTarget(uint32_t target) {
  if (target >= code.size())
    return fail("it jumps to word " + std::to_string(target) + ", outside the code");
  leaders.push_back(target);
  return true;
}

bool Verifier::decodeAll() {
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

bool Verifier::checkCounts(const char *what, const Instruction &i, size_t reads, size_t writes) {
  if (i.reads.size() == reads && i.writes.size() == writes)
    return true;
  return fail(std::string(what) + " takes " + std::to_string(reads) + " operands and gives " +
              std::to_string(writes) + " results");
}

bool Verifier::checkLaunch(const Instruction &i) {
  if (i.plain[0] >= spec.kernels.size())
    return fail("kernel " + std::to_string(i.plain[0]) + " does not exist");
  const KernelSpec &k = spec.kernels[i.plain[0]];
  if (i.counts[0] != k.operands || i.counts[1] != k.results || i.counts[2] != k.dims)
    return fail("the launch does not fit the record of kernel '" + k.name + "'");
  return true;
}

/// Shapes of Planned, Allocate and Reshape: rank, literal sizes; planned storage within a literal
/// arena.
bool Verifier::checkStorage(const Instruction &i) {
  if (i.counts[0] > bytecode::maxRank)
    return fail("the rank is " + std::to_string(i.counts[0]));
  bool planned = i.op == Op::Planned;
  int64_t bytes = 1;
  if (i.op != Op::Reshape) {
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

bool Verifier::checkOperands(const Instruction &i) {
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
    return i.plain[0] < spec.constants.size() || fail("the constant does not exist");
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
    return uint32_t{s.inputs} + s.outputs <= f.sizeSlots ||
           fail("the sizes function needs more slots than there are");
  }
  default:
    return true;
  }
}

bool Verifier::needTensor(const std::vector<Holds> &regs, uint32_t r) {
  return regs[r] >= Holds::Tensor ||
         fail("register " + std::to_string(r) + " holds no tensor on some path");
}

bool Verifier::needInteger(const std::vector<Holds> &regs, uint32_t r) {
  return regs[r] == Holds::Integer ||
         fail("register " + std::to_string(r) + " holds no integer on some path");
}

bool Verifier::step(const Instruction &i, std::vector<Holds> &regs) {
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
  if (i.op == Op::Reshape)
    return set(regs[i.reads[0]]);
  return set(i.op == Op::ReadElement || i.op == Op::ShapeOf ? Holds::Integer : Holds::Tensor);
}

bool Verifier::enterBlock(uint32_t word, const std::vector<Holds> &regs) {
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

bool Verifier::flowBlock(size_t block) {
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

bool Verifier::flow() {
  entry.resize(leaders.size());
  // One byte a register and block; real functions need kilobytes.
  constexpr uint64_t stateLimit = 256ull << 20;
  if (uint64_t{f.registers} * leaders.size() > stateLimit)
    return fail("the function is too large to be checked");
  // The extra register keeps `entry` of reached blocks from being empty.
  std::vector<Holds> first(f.registers + 1, Holds::Nothing);
  std::fill_n(first.begin(), f.inputs.size(), Holds::Tensor);
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

} // namespace

Status verifyBytecode(const FunctionSpec &function, const ArtifactSpec &spec) {
  return Verifier(function, spec).run();
}

} // namespace imbrex::runtime
