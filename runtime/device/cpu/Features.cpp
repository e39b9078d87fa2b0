#include "runtime/device/cpu/Features.h"

#include <algorithm>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace imbrex::runtime {
namespace {

#if defined(__x86_64__)

enum Register { EAX, EBX, ECX, EDX };
/// State that the operating system must save (bits of XCR0) for a feature to be usable.
constexpr uint64_t avxState = 0x6, avx512State = 0xe6, amxState = 0x60000;

struct Bit {
  const char *name;
  unsigned leaf, subleaf;
  Register reg;
  unsigned bit;
  uint64_t state;
};
constexpr Bit bits[] = {
    {"sse4.2", 1, 0, ECX, 20, 0},
    {"popcnt", 1, 0, ECX, 23, 0},
    {"movbe", 1, 0, ECX, 22, 0},
    {"avx", 1, 0, ECX, 28, avxState},
    {"fma", 1, 0, ECX, 12, avxState},
    {"f16c", 1, 0, ECX, 29, avxState},
    {"bmi", 7, 0, EBX, 3, 0},
    {"bmi2", 7, 0, EBX, 8, 0},
    {"avx2", 7, 0, EBX, 5, avxState},
    {"avx512f", 7, 0, EBX, 16, avx512State},
    {"avx512dq", 7, 0, EBX, 17, avx512State},
    {"avx512cd", 7, 0, EBX, 28, avx512State},
    {"avx512bw", 7, 0, EBX, 30, avx512State},
    {"avx512vl", 7, 0, EBX, 31, avx512State},
    {"avx512vnni", 7, 0, ECX, 11, avx512State},
    {"avxvnni", 7, 1, EAX, 4, avxState},
    {"avx512bf16", 7, 1, EAX, 5, avx512State},
    {"amx-tile", 7, 0, EDX, 24, amxState},
    {"amx-int8", 7, 0, EDX, 25, amxState},
    {"amx-bf16", 7, 0, EDX, 22, amxState},
    {"lzcnt", 0x80000001u, 0, ECX, 5, 0},
};

uint64_t enabledState() {
  unsigned r[4];
  if (!__get_cpuid(1, &r[EAX], &r[EBX], &r[ECX], &r[EDX]) || !(r[ECX] >> 27 & 1))
    return 0;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

std::vector<std::string> detect() {
  std::vector<std::string> found;
  uint64_t state = enabledState();
  for (const Bit &b : bits) {
    unsigned r[4];
    if (!__get_cpuid_count(b.leaf, b.subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX]))
      continue;
    if ((r[b.reg] >> b.bit & 1) && (state & b.state) == b.state)
      found.push_back(b.name);
  }
  return found;
}

#elif defined(__aarch64__)

struct Bit {
  const char *name;
  unsigned long type;
  unsigned bit;
};
constexpr Bit bits[] = {{"neon", AT_HWCAP, 1}, {"fp16", AT_HWCAP, 10},  {"dotprod", AT_HWCAP, 20},
                        {"sve", AT_HWCAP, 22}, {"i8mm", AT_HWCAP2, 13}, {"bf16", AT_HWCAP2, 14}};

std::vector<std::string> detect() {
  std::vector<std::string> found;
  for (const Bit &b : bits)
    if (getauxval(b.type) >> b.bit & 1)
      found.push_back(b.name);
  return found;
}

#else
std::vector<std::string> detect() { return {}; }
#endif

} // namespace

const std::vector<std::string> &cpuFeatures() {
  static const std::vector<std::string> features = detect();
  return features;
}

bool cpuHas(std::span<const std::string> needed) {
  const auto &have = cpuFeatures();
  return std::all_of(needed.begin(), needed.end(), [&](const std::string &name) {
    return std::find(have.begin(), have.end(), name) != have.end();
  });
}

} // namespace imbrex::runtime
