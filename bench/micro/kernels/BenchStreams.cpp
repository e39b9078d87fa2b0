// Kernels that the memory limits, beside loops that only read or copy. Run by `make bench-kernels`.
//
//   bench-streams [--threads N] [--rounds N] [--only TEXT] [--rows N] [--elf FILE]
//
// A round times the kernel and the probe one behind the other, on the same number of threads; at
// one thread by processor time, which other work disturbs less than the clock. A line gives the
// median of the rounds' shares. Products with a vector count the bytes of the weights, other
// kernels what they read and write. With few rows (8 of 4096 floats stay in the second level) the
// kernels of `memory` show what computing alone takes; they are then repeated.
#include "bench/micro/kernels/LibraryKernel.h"
#include "bench/micro/kernels/Probes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

namespace imbrex::bench {
namespace {

constexpr int kRows = 4096;

struct Options {
  int threads = 1, rounds = 9, rows = kRows;
  std::string only, elf; // elf: where the machine code of the last kernel is written
};

enum class Against { Read, Copy };

struct Stream {
  const char *group, *kernel;
  Against against;
  SizeBindings sizes;
  std::vector<std::string> counted; // views whose bytes count; none: all
};

std::vector<Stream> streams(int64_t many) {
  // 64 Mi weights: beyond the caches in every format.
  const SizeBindings vec{{"m", 1}, {"panels", 512}, {"blocks", 128}};
  const SizeBindings bf16{{"m", 1}, {"panels", 512}, {"pairs", 2048}};
  const std::vector<std::string> weights{"q", "high", "scale", "least"};
  const SizeBindings flat{{"n", many * 4096}}, rows{{"rows", many}, {"columns", 4096}},
      square{{"m", many}, {"n", 4096}};
  return {{"matvec-bf16", "matvec_bf16_weights", Against::Read, bf16, {"w"}},
          {"matvec", "matvec_q8", Against::Read, vec, weights},
          {"matvec", "matvec_q6", Against::Read, vec, weights},
          {"matvec", "matvec_q5", Against::Read, vec, weights},
          {"matvec", "matvec_q5_least", Against::Read, vec, weights},
          {"matvec", "matvec_q4", Against::Read, vec, weights},
          {"matvec", "matvec_q4_least", Against::Read, vec, weights},
          {"memory", "add_f32", Against::Copy, flat, {}},
          {"memory", "gelu_f32", Against::Copy, flat, {}},
          {"memory", "silu_multiply_f32", Against::Copy, flat, {}},
          {"memory", "softmax_f32", Against::Copy, rows, {}},
          {"memory", "rms_norm_f32", Against::Copy, rows, {}},
          {"memory", "layer_norm_f32", Against::Copy, rows, {}},
          {"memory", "sum_rows_f32", Against::Read, rows, {}},
          {"memory", "sum_columns_f32", Against::Read, rows, {}},
          {"memory", "transpose_f32", Against::Copy, square, {}}};
}

/// Reads or copies 128 MiB on all threads.
class Probe {
public:
  Probe(Team &team, int threads) : team(team), threads(threads), from(kBytes), to(kBytes) {}
  double bytesPerSecond(Against what) {
    const double start = seconds(threads);
    const size_t part = kBytes / static_cast<size_t>(threads);
    team.each([&](int t) {
      const size_t at = part * static_cast<size_t>(t);
      if (what == Against::Read)
        sink = readStream(from.as<char>() + at, part);
      else
        copyStream(to.as<char>() + at, from.as<char>() + at, part);
    });
    return double(kBytes) * (what == Against::Copy ? 2 : 1) / (seconds(threads) - start);
  }

private:
  static constexpr size_t kBytes = size_t(128) << 20;
  Team &team;
  int threads;
  Arena from, to;
  std::atomic<double> sink = 0;
};

int run(const Options &o) {
  Team team(o.threads);
  Probe probe(team, o.threads);
  std::printf("%-20s %9s %9s %7s %15s   (%d threads)\n", "kernel", "GB/s", "probe", "share",
              "spread", o.threads);
  std::map<std::string, std::vector<double>> groups;
  for (const Stream &s : streams(o.rows)) {
    if (std::string(s.kernel).find(o.only) == std::string::npos)
      continue;
    LibraryKernel kernel(s.kernel, s.sizes, team, o.threads);
    kernel.fill();
    kernel.writeCode(o.elf);
    kernel.run();
    int64_t bytes = s.counted.empty() ? kernel.bytes() : 0;
    for (const std::string &view : s.counted)
      if (kernel.has(view))
        bytes += kernel.bytes(view);
    const int times = s.group == std::string("memory") ? std::max(1, kRows / o.rows) : 1;
    std::vector<double> speeds, probes, shares;
    for (int r = 0; r < o.rounds; ++r) {
      const double start = seconds(o.threads);
      for (int n = 0; n < times; ++n)
        kernel.run();
      speeds.push_back(double(bytes) * times / (seconds(o.threads) - start));
      probes.push_back(probe.bytesPerSecond(s.against));
      shares.push_back(speeds.back() / probes.back());
    }
    std::printf("%-20s %9.1f %9.1f %7.2f   %.2f - %.2f\n", s.kernel, median(speeds) / 1e9,
                median(probes) / 1e9, median(shares), *std::ranges::min_element(shares),
                *std::ranges::max_element(shares));
    std::fflush(stdout);
    groups[s.group].push_back(median(shares));
  }
  for (const auto &[name, shares] : groups) {
    double logs = 0;
    for (double s : shares)
      logs += std::log(s);
    std::printf("%s: geomean %.2f, min %.2f, n %zu (share of the probe)\n", name.c_str(),
                std::exp(logs / double(shares.size())), *std::ranges::min_element(shares),
                shares.size());
  }
  return 0;
}

} // namespace
} // namespace imbrex::bench

int main(int argc, char **argv) {
  imbrex::bench::Options o;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--threads" && std::atoi(value.c_str()) > 0)
      o.threads = std::atoi(value.c_str());
    else if (flag == "--rounds" && std::atoi(value.c_str()) > 0)
      o.rounds = std::atoi(value.c_str());
    else if (flag == "--rows" && std::atoi(value.c_str()) > 0)
      o.rows = std::atoi(value.c_str());
    else if (flag == "--only" && !value.empty())
      o.only = value;
    else if (flag == "--elf" && !value.empty())
      o.elf = value;
    else {
      std::fprintf(stderr, "usage: bench-streams [--threads N] [--rounds N] [--only TEXT] "
                           "[--rows N] [--elf FILE]\n");
      return 2;
    }
  }
  return imbrex::bench::run(o);
}
