// Random tile kernels for the differential fuzzer: right ones of many schemes (flat and grouped
// orders, persistent loops, split and peeled loops, branches, reversed, rotated and skewed
// coordinates, strides, updates), and the same with one fault put in.
#pragma once

#include <cstdint>
#include <string>

namespace imbrex::tile {

struct RandomKernel {
  std::string text;  // one tile.kernel @k
  std::string fault; // which fault was put in; empty for a right kernel
};

/// The kernel of a seed, the same on every machine.
RandomKernel randomKernel(uint64_t seed);

} // namespace imbrex::tile
