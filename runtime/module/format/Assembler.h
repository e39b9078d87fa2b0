// Builds the code of one function, instruction by instruction. Registers and indices are the
// caller's; labels become code offsets. The reader's verifier judges the result, this class only
// lays it out.
#pragma once

#include "runtime/abi/bytecode.h"
#include "runtime/module/format/ArtifactSpec.h"

#include <initializer_list>
#include <span>

namespace imbrex::artifact {

class Assembler {
public:
  using Registers = std::span<const uint32_t>;
  using Sizes = std::span<const SizeSpec>;
  struct Label {
    uint32_t index;
  };

  void constant(uint32_t dst, uint32_t index, uint32_t device = bytecode::hostDevice);
  void planned(uint32_t dst, SizeSpec offset, DType type, Sizes shape,
               uint32_t device = bytecode::hostDevice);
  void allocate(uint32_t dst, DType type, Sizes shape, uint32_t device = bytecode::hostDevice);
  void reshape(uint32_t dst, uint32_t src, Sizes shape);
  void launch(uint32_t kernel, Registers operands, Registers results, Sizes dims);
  void hostOp(uint32_t op, Registers operands, Registers results);
  void call(uint32_t function, Registers operands, Registers results);
  void jump(Label target);
  void branchIfZero(uint32_t condition, Label target);
  void move(uint32_t dst, uint32_t src);
  void release(uint32_t reg);
  void ret(Registers values);
  void integer(uint32_t dst, SizeSpec value);
  void addInteger(uint32_t dst, uint32_t a, uint32_t b);
  void lessInteger(uint32_t dst, uint32_t a, uint32_t b);
  void readElement(uint32_t dst, uint32_t tensor, uint32_t place);
  void setSlot(uint32_t slot, uint32_t src);
  void sizes(uint32_t function);
  void shapeOf(uint32_t dst, uint32_t tensor, uint32_t axis);

  /// A label may be used before it is placed.
  Label newLabel();
  void place(Label label);

  /// The finished code. Precondition: every used label is placed.
  std::vector<uint32_t> take();

private:
  void op(bytecode::Op code) { words.push_back(static_cast<uint32_t>(code)); }
  void size(SizeSpec s);
  void list(Registers regs);
  void list(Sizes sizes);
  void reference(Label label);

  static constexpr uint32_t unplaced = 0xffffffffu;
  std::vector<uint32_t> words;
  std::vector<uint32_t> places;                          // by label
  std::vector<std::pair<uint32_t, uint32_t>> references; // (word, label)
};

} // namespace imbrex::artifact
