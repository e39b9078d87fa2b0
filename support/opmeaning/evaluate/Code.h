// Terms compiled for one evaluation: sizes are numbers, reads know their data, variables are slots.
// Each piece of code is a small object with one virtual call; there is no look-up and no allocation
// per element.
#pragma once

#include "support/opmeaning/Program.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace imbrex::opmeaning {

union Value {
  double d;  // floats
  int64_t i; // integers, bools, indices, guards
};
inline Value real(double v) { return {.d = v}; }
inline Value integer(int64_t v) { return {.i = v}; }

enum class Fault : uint8_t { None, DivisionByZero, OutOfBounds, TooManySteps };

/// The state of a run.
struct Frame {
  std::vector<int64_t> vars;    // by slot; slot s is bound at loop level s + 1
  std::vector<uint64_t> stamps; // by level: changes whenever the variable of that level does
  uint64_t clock = 0;
  int64_t steps = 0, maxSteps = INT64_MAX;
  Fault fault = Fault::None;

  void set(size_t slot, int64_t v) {
    vars[slot] = v;
    stamps[slot + 1] = ++clock;
  }
  bool step() {
    if (++steps <= maxSteps)
      return true;
    fail(Fault::TooManySteps);
    return false;
  }
  void fail(Fault f) {
    if (fault == Fault::None)
      fault = f;
  }
  bool failed() const { return fault != Fault::None; }
};

class Code {
public:
  virtual ~Code() = default;
  virtual Value run(Frame &f) const = 0;
};

/// base + sum of coefficient * variable; its range over all values of the variables fits in int64.
struct Affine {
  int64_t base = 0;
  std::vector<std::pair<uint32_t, int64_t>> parts; // slot, coefficient
  int64_t lo = 0, hi = 0;

  int64_t at(const Frame &f) const {
    int64_t v = base;
    for (const auto &[slot, c] : parts)
      v += c * f.vars[slot];
    return v;
  }
};

/// Owns the code of one evaluation.
class CodeArena {
public:
  template <class T> T *add(T code) {
    auto p = std::make_unique<T>(std::move(code));
    T *raw = p.get();
    pieces.push_back(std::move(p));
    return raw;
  }

private:
  std::vector<std::unique_ptr<Code>> pieces;
};

} // namespace imbrex::opmeaning
