// The two passes behind verifyBytecode. The rules are written in runtime/abi/bytecode.h.
#pragma once

#include "runtime/module/ArtifactVerifier.h"
#include "runtime/module/format/Decode.h"

#include <deque>

namespace imbrex::runtime {

/// What is known of a register. Writable: Planned or Allocate made the tensor, or it was donated.
enum class Holds : uint8_t { Nothing, Integer, Tensor, Writable };

/// One decoded instruction: operands by kind, in order.
struct Instruction {
  bytecode::Op op;
  std::vector<uint32_t> reads, writes, plain;          // plain: k c f t d u
  std::vector<std::vector<bytecode::SizeWords>> sizes; // single sizes and lists of sizes
  std::vector<uint32_t> counts;                        // lengths of the lists
};

/// Decodes the instruction at `at` and moves behind it; false when it is none.
bool decode(std::span<const uint32_t> code, size_t &at, Instruction &out);

class BytecodeVerifier {
public:
  BytecodeVerifier(const artifact::FunctionSpec &f, const artifact::ArtifactSpec &spec)
      : f(f), spec(spec), code(f.code) {}

  Status run();

private:
  bool fail(std::string why) {
    failure = std::move(why);
    return false;
  }

  // VerifyOperands.cpp: decodes every instruction and checks its operands on their own.
  bool decodeAll();
  bool checkOperands(const Instruction &i);
  bool checkSize(bytecode::SizeWords w);
  bool checkLaunch(const Instruction &i);
  bool checkDevice(uint32_t device);
  bool checkStorage(const Instruction &i);
  bool checkCounts(const char *what, const Instruction &i, size_t reads, size_t writes);
  bool markTarget(uint32_t target);

  // VerifyFlow.cpp: follows what each register holds along all paths.
  bool flow();
  bool flowBlock(size_t block);
  bool step(const Instruction &i, std::vector<Holds> &regs);
  bool needTensor(const std::vector<Holds> &regs, uint32_t r);
  bool needInteger(const std::vector<Holds> &regs, uint32_t r);
  bool enterBlock(uint32_t word, const std::vector<Holds> &regs);

  static constexpr uint64_t workLimit = 1ull << 28; // about a second

  const artifact::FunctionSpec &f;
  const artifact::ArtifactSpec &spec;
  std::span<const uint32_t> code;
  std::string failure;
  bool otherDevice = false; // the failure is one of this runtime, not of the artifact
  size_t failedAt = 0;
  std::vector<bool> starts;              // by word: an instruction begins here
  std::vector<uint32_t> leaders;         // first words of basic blocks, ascending
  std::vector<std::vector<Holds>> entry; // by block; empty: not reached
  std::deque<size_t> work;
  uint64_t workDone = 0;
};

} // namespace imbrex::runtime
