// The instructions of the VM. A function's code is a sequence of 32-bit words; an instruction is one opcode
// word and its operands. Registers hold values (tensors, integers); a size operand is two words.
//
// The verifier proves, before anything runs: every register, kernel, constant, function and slot index is
// in range; every jump lands on an instruction; every register is set on all paths before it is read and
// holds the kind of value read; storage lies within the arena; the code ends in a terminator.
#pragma once

#include <cstdint>

namespace imbrex::bytecode {

// Operand kinds, used by the verifier, the disassembler and the interpreter:
//   r  register read      w  register written     k  kernel      c  constant     f  function
//   t  code offset (words from the function's start)
//   s  size: two words, (low, high) of a Size: high bit of `high` set: `low` is a slot; else a 63-bit value
//   d  dtype              u  a plain number       *  a count word follows, then that many of the next kind
enum class Op : uint32_t {
  // dst ← constant c
  Constant = 1, // w c
  // dst ← a tensor over planned storage: arena bytes [offset, offset + size of shape), dtype, rank, dims
  Planned = 2, // w s d *s
  // dst ← a tensor in storage of its own: what leaves the function, or has no planned place
  Allocate = 3, // w d *s
  // dst ← the same bytes under another shape; element counts are equal (checked at run time)
  Reshape = 4, // w r *s
  // run kernel k over `grid` points: operands, results, dimension values; scratch bytes per thread
  Launch = 5, // k s s *r *r *s          grid, scratch, operands, results, dims
  // host operation u on operands; the results are new tensors
  HostOp = 6, // u *r *w
  Call = 7,   // f *r *w
  Jump = 8,   // t
  // to t when the Bool or integer scalar in r is zero
  BranchIfZero = 9, // r t
  Move = 10,        // w r
  // drops the register's value now instead of at the end
  Release = 11, // r
  Return = 12,  // *r
  // integers, for loops: values in registers, apart from tensors
  Integer = 13,     // w s
  AddInteger = 14,  // w r r
  LessInteger = 15, // w r r                 1 or 0
  // dst ← the element at flat place u of a Bool or integer tensor, as an integer
  ReadElement = 16, // w r u
  // size slot u ← the integer in r, which must be ≥ 0: a size known only now
  SetSlot = 17, // u r
  // runs sizes function u again, after SetSlot
  Sizes = 18, // u
  // dst ← the size of axis u of r, as an integer
  ShapeOf = 19, // w r u
};

} // namespace imbrex::bytecode
