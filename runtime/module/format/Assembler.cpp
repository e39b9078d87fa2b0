#include "runtime/module/format/Assembler.h"

#include <cassert>

namespace imbrex::artifact {

using bytecode::Op;

void Assembler::size(SizeSpec s) {
  if (!s.isLiteral()) {
    words.push_back(static_cast<uint32_t>(s.slot));
    words.push_back(bytecode::sizeIsSlot);
    return;
  }
  assert(s.value >= 0 && "a literal size is not negative");
  auto v = static_cast<uint64_t>(s.value);
  words.push_back(static_cast<uint32_t>(v));
  words.push_back(static_cast<uint32_t>(v >> 32));
}

void Assembler::list(Registers regs) {
  words.push_back(static_cast<uint32_t>(regs.size()));
  words.insert(words.end(), regs.begin(), regs.end());
}

void Assembler::list(Sizes sizes) {
  words.push_back(static_cast<uint32_t>(sizes.size()));
  for (SizeSpec s : sizes)
    size(s);
}

void Assembler::reference(Label label) {
  references.push_back({static_cast<uint32_t>(words.size()), label.index});
  words.push_back(unplaced);
}

void Assembler::constant(uint32_t dst, uint32_t index, uint32_t device) {
  op(Op::Constant);
  words.insert(words.end(), {dst, index, device});
}

void Assembler::planned(uint32_t dst, SizeSpec offset, DType type, Sizes shape, uint32_t device) {
  op(Op::Planned);
  words.push_back(dst);
  size(offset);
  words.insert(words.end(), {static_cast<uint32_t>(type), device});
  list(shape);
}

void Assembler::allocate(uint32_t dst, DType type, Sizes shape, uint32_t device) {
  op(Op::Allocate);
  words.insert(words.end(), {dst, static_cast<uint32_t>(type), device});
  list(shape);
}

void Assembler::reshape(uint32_t dst, uint32_t src, Sizes shape) {
  op(Op::Reshape);
  words.insert(words.end(), {dst, src});
  list(shape);
}

void Assembler::launch(uint32_t kernel, Registers operands, Registers results, Sizes dims) {
  op(Op::Launch);
  words.push_back(kernel);
  list(operands);
  list(results);
  list(dims);
}

void Assembler::hostOp(uint32_t index, Registers operands, Registers results) {
  op(Op::HostOp);
  words.push_back(index);
  list(operands);
  list(results);
}

void Assembler::call(uint32_t function, Registers operands, Registers results) {
  op(Op::Call);
  words.push_back(function);
  list(operands);
  list(results);
}

void Assembler::jump(Label target) {
  op(Op::Jump);
  reference(target);
}

void Assembler::branchIfZero(uint32_t condition, Label target) {
  op(Op::BranchIfZero);
  words.push_back(condition);
  reference(target);
}

void Assembler::move(uint32_t dst, uint32_t src) {
  op(Op::Move);
  words.insert(words.end(), {dst, src});
}

void Assembler::release(uint32_t reg) {
  op(Op::Release);
  words.push_back(reg);
}

void Assembler::ret(Registers values) {
  op(Op::Return);
  list(values);
}

void Assembler::integer(uint32_t dst, SizeSpec value) {
  op(Op::Integer);
  words.push_back(dst);
  size(value);
}

void Assembler::addInteger(uint32_t dst, uint32_t a, uint32_t b) {
  op(Op::AddInteger);
  words.insert(words.end(), {dst, a, b});
}

void Assembler::lessInteger(uint32_t dst, uint32_t a, uint32_t b) {
  op(Op::LessInteger);
  words.insert(words.end(), {dst, a, b});
}

void Assembler::readElement(uint32_t dst, uint32_t tensor, uint32_t place) {
  op(Op::ReadElement);
  words.insert(words.end(), {dst, tensor, place});
}

void Assembler::setSlot(uint32_t slot, uint32_t src) {
  op(Op::SetSlot);
  words.insert(words.end(), {slot, src});
}

void Assembler::sizes(uint32_t function) {
  op(Op::Sizes);
  words.push_back(function);
}

void Assembler::shapeOf(uint32_t dst, uint32_t tensor, uint32_t axis) {
  op(Op::ShapeOf);
  words.insert(words.end(), {dst, tensor, axis});
}

Assembler::Label Assembler::newLabel() {
  places.push_back(unplaced);
  return {static_cast<uint32_t>(places.size() - 1)};
}

void Assembler::place(Label label) { places[label.index] = static_cast<uint32_t>(words.size()); }

std::vector<uint32_t> Assembler::take() {
  for (auto [word, label] : references) {
    assert(places[label] != unplaced && "a used label was never placed");
    words[word] = places[label];
  }
  references.clear();
  return std::move(words);
}

} // namespace imbrex::artifact
