// Matrix products as tile kernels, on operands of any of the three types.
#pragma once

#include "bench/micro/kernels/Peers.h"

#include <string>
#include <vector>

namespace imbrex::bench {

struct Shape {
  int64_t m, n, k;
  std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  }
};

/// What a block of the kernel computes; 0: the kernel's own choice.
struct Tile {
  int64_t m = 0, n = 0, k = 0;
};

const char *nameOf(Kind kind);
/// Products of up to this many rows are bound by the weights, which come from memory.
inline constexpr int64_t kSkinny = 16;
/// Squares, shapes of language models with many and few rows, and shapes that no tile divides.
std::vector<Shape> shapes();

/// Operands of small whole numbers (so that results are exact), and our kernel on them with the
/// weights packed.
class Problem {
public:
  /// Writes the machine code to the file `elf`, when given.
  Problem(Kind kind, Shape shape, Tile tile, int threads, const std::string &elf = {});
  ~Problem();
  Product &ours();
  Operands operands();
  /// Remembers C as it is now, and forgets it in C.
  void keepExpected();
  double difference();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace imbrex::bench
