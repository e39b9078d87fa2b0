// Seeded random numbers that are the same on every machine and library: xoshiro256++ (Blackman and
// Vigna 2019), seeded through splitmix64. The distributions of <random> differ between standard
// libraries, so none is used.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace imbrex::stats {

class Random {
public:
  explicit Random(uint64_t seed);

  uint64_t next();
  /// In [0, 1), multiples of 2^-53.
  double uniform();
  /// Each of 0 .. bound-1 equally likely, without bias (Lemire 2019).
  uint64_t below(uint64_t bound);
  /// Standard normal, by the polar method (Marsaglia and Bray 1964).
  double normal();

  /// Fisher-Yates.
  template <class T> void shuffle(std::span<T> values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

private:
  uint64_t state[4];
  double spare = 0;
  bool hasSpare = false;
};

} // namespace imbrex::stats
