// The instructions of the VM. A function's code is a sequence of 32-bit words; an instruction is
// one opcode word and its operands. Registers hold values (tensors, integers); a size operand is
// two words.
//
// Entry: inputs are in registers 0, 1, …; the symbols are in size slots 0, 1, … (slot i is symbol
// i); then the function's sizes function runs. Slots that nothing has set are 0. A sizes function
// reads the slots [0, inputs) and writes [inputs, inputs + outputs), so later stages (SetSlot,
// Sizes) append to earlier ones. Each activation has registers, slots and an arena of its own;
// integers do not pass through calls.
//
// The verifier proves, before anything runs: every register, kernel, constant, function and slot
// index is in range; every jump lands on an instruction; every register is set on all paths before
// it is read and holds the kind of value read; kernels write only tensors that Planned or Allocate
// made (seen through Move and Reshape) and inputs that are donated, never other inputs, constants
// or results of calls; a call donates only what may be written; literal storage lies within a
// literal arena; counts fit the records; the code ends in a terminator. What depends on sizes is
// checked when it runs.
#pragma once

#include <cstdint>

namespace imbrex::bytecode {

// Operand kinds, used by the verifier, the disassembler and the interpreter:
//   r  register read      w  register written     k  kernel      c  constant     f  function
//   t  code offset (words from the function's start)
//   s  size: two words, (low, high) of a Size: high bit of `high` set: `low` is a slot; else a
//   63-bit value d  dtype              u  a plain number       *  a count word follows, then that
//   many of the next kind
enum class Op : uint32_t {
  // dst ← constant c on device u
  Constant = 1, // w c u
  // dst ← a tensor over planned storage: arena bytes [offset, offset + size of shape), dtype, rank,
  // dims;
  // the offset is a multiple of 64. It dies with its activation: Return copies it (counted as a
  // remark).
  Planned = 2, // w s d u *s            u: the device
  // dst ← a tensor in storage of its own: what leaves the function, or has no planned place
  Allocate = 3, // w d u *s
  // dst ← the same bytes under another shape; element counts are equal (checked at run time)
  Reshape = 4, // w r *s
  // run kernel k over its grid, which its record gets from the dimension values
  Launch = 5, // k *r *r *s              operands, results, dims
  // host operation u on operands; the results are new tensors
  HostOp = 6, // u *r *w
  Call = 7,   // f *r *w
  Jump = 8,   // t
  // to t when the Bool or integer scalar in r (a tensor of one element, or an integer) is zero
  BranchIfZero = 9, // r t
  Move = 10,        // w r
  // drops the register's value now instead of at the end
  Release = 11, // r
  Return = 12,  // *r
  // integers, for loops: values in registers, apart from tensors; 64 bits, wrapping
  Integer = 13,     // w s
  AddInteger = 14,  // w r r
  LessInteger = 15, // w r r                 1 or 0
  // dst ← the element at flat place u of a Bool or integer tensor, as an integer
  ReadElement = 16, // w r u
  // size slot u ← the integer in r, which must be ≥ 0: a size known only now
  SetSlot = 17, // u r
  // runs sizes function u (index into the artifact's table), after SetSlot
  Sizes = 18, // u
  // dst ← the size of axis u of r, as an integer
  ShapeOf = 19, // w r u
};

/// The operands of an instruction in the letters above; null for an unknown opcode.
constexpr const char *operandKinds(uint32_t opcode) {
  constexpr const char *kinds[] = {nullptr, "wcu", "wsdu*s", "wdu*s", "wr*s", "k*r*r*s", "u*r*w",
                                   "f*r*w", "t",   "rt",     "wr",    "r",    "*r",      "ws",
                                   "wrr",   "wrr", "wru",    "ur",    "u",    "wru"};
  return opcode < sizeof kinds / sizeof *kinds ? kinds[opcode] : nullptr;
}

constexpr const char *opName(uint32_t opcode) {
  constexpr const char *names[] = {
      "?",          "Constant",    "Planned",      "Allocate", "Reshape", "Launch", "HostOp",
      "Call",       "Jump",        "BranchIfZero", "Move",     "Release", "Return", "Integer",
      "AddInteger", "LessInteger", "ReadElement",  "SetSlot",  "Sizes",   "ShapeOf"};
  return opcode < sizeof names / sizeof *names ? names[opcode] : "?";
}

/// The device of host memory, the only one that this runtime has. A tensor lies on the device that
/// made it; artifacts that name another one are refused.
constexpr uint32_t hostDevice = 0;

/// High bit of a size's second word: the first word is a slot.
constexpr uint32_t sizeIsSlot = 0x80000000u;

// Limits of what the verifier accepts.
constexpr uint32_t maxRank = 64;
constexpr uint32_t maxRegisters = 1u << 16;
constexpr uint32_t maxSlots = 1u << 20;
constexpr uint32_t maxListLength = 4096; // operands, results or dims of one instruction
constexpr uint64_t storageAlignment = 64;

} // namespace imbrex::bytecode
