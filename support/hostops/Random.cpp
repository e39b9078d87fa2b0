// random: numbers from a counter (Philox 4x32-10: Salmon, Moraes, Dror and Shaw 2011), so that
// element i does not depend on how many are drawn.
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <array>
#include <numbers>
#include <sys/random.h>

namespace imbrex {

using namespace hostops;

namespace {

using Block = std::array<uint32_t, 4>;

Block philox(Block counter, uint64_t key) {
  auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * counter[0], b = uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ low, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ high, static_cast<uint32_t>(a)};
    low += 0x9e3779b9;
    high += 0xbb67ae85;
  }
  return counter;
}

/// 53 bits in [0, 1).
double unit(uint32_t a, uint32_t b) {
  return static_cast<double>((uint64_t{a} << 32 | b) >> 11) * 0x1p-53;
}

/// Element i of the stream of a key: uniform in [0, 1), or of the standard normal distribution.
double element(uint64_t key, int64_t i, bool normal) {
  const auto n = static_cast<uint64_t>(i);
  const Block b = philox({static_cast<uint32_t>(n), static_cast<uint32_t>(n >> 32), 0, 0}, key);
  const double u = unit(b[0], b[1]);
  if (!normal) // to float without rounding up to 1
    return u;
  return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * unit(b[2], b[3]));
}

uint64_t entropy() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != sizeof key)
    key = reinterpret_cast<uintptr_t>(&key); // no entropy at all: still some number
  return key;
}

} // namespace

Result<std::vector<HostTensor>> randomNumbers(HostArgs args) {
  const HostTensor &params = *args[1];
  const std::vector<int64_t> shape = args[0]->toInts();
  const auto type = static_cast<DType>(param(params, 3));
  auto count = elementCount(shape);
  if (!count || *count > (int64_t{1} << 40) || (type != DType::F32 && type != DType::F64))
    return wrongValue("random numbers are asked for in an impossible shape or type");
  const uint64_t key = param(params, 1) != 0 ? static_cast<uint64_t>(param(params, 2)) : entropy();
  const bool normal = param(params, 0) != 0;
  HostTensor out(type, shape);
  for (int64_t i = 0; i < *count; ++i) {
    const double v = element(key, i, normal);
    if (type == DType::F64)
      out.mutableData<double>()[i] = v;
    else // 24 bits, so that what is below 1 stays below 1
      out.mutableData<float>()[i] =
          normal ? static_cast<float>(v) : static_cast<float>(std::floor(v * 0x1p24) * 0x1p-24);
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
