// Tile kernels beside the libraries that one would use instead. Run by `make bench-kernels`.
//
//   bench-kernels [--onednn PATH] [--openblas PATH] [--threads N] [--rounds N] [--only TEXT]
//   [--tile MxNxK]
//
// Rounds alternate; a line gives the median of the rounds' ratios. At one thread processor time is
// compared, which a loaded machine disturbs less than the clock.
#include "bench/micro/kernels/Machine.h"
#include "bench/micro/kernels/Peers.h"
#include "bench/micro/kernels/Products.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace imbrex::bench {
namespace {

struct Options {
  std::string oneDnn = "libdnnl.so.3", openBlas = "libopenblas.so.0", only, elf;
  int threads = 1, rounds = 7;
  Tile tile;
};

struct Contest {
  std::vector<double> ours, theirs, ratios;
};

/// Alternates, each side long enough that the clock's steps do not matter.
Contest compete(Product &ours, Product &theirs, double flops, const Options &o) {
  Contest c;
  int calls = std::max(1, int(0.04 / (flops / 150e9)));
  auto time = [&](Product &p) {
    settle(o.threads);
    p.run();
    double start = seconds(o.threads);
    for (int i = 0; i < calls; ++i)
      p.run();
    return (seconds(o.threads) - start) / calls;
  };
  auto round = [&] {
    const double x = time(ours);
    return std::pair(x, time(theirs));
  };
  for (auto [x, y] : leastDisturbed(o.rounds, o.threads, round)) {
    c.ours.push_back(x);
    c.theirs.push_back(y);
    c.ratios.push_back(y / x);
  }
  return c;
}

struct Summary {
  double logs = 0, least = 1e9;
  int n = 0;
  void add(double ratio) {
    logs += std::log(ratio);
    least = std::min(least, ratio);
    ++n;
  }
  void print(const std::string &name) const {
    if (n)
      std::printf("%s: geomean %.3f, min %.3f, n %d (ours/peer speed)\n", name.c_str(),
                  std::exp(logs / n), least, n);
  }
};

int run(const Options &o) {
  std::printf("%-6s %-16s %9s %9s %7s %15s %9s %7s\n", "type", "m x n x k", "ours", "oneDNN",
              "ratio", "spread", "OpenBLAS", "ratio");
  Summary all, byKind[3], blas, skinny;
  for (Kind kind : {Kind::F32, Kind::BF16, Kind::U8S8})
    for (const Shape &shape : shapes()) {
      const bool isSkinny = shape.m <= kSkinny;
      std::string name = std::string(nameOf(kind)) + " " + shape.name();
      if (name.find(o.only) == std::string::npos)
        continue;
      std::string why;
      Problem problem(kind, shape, o.tile, o.threads, o.elf);
      auto &ours = problem.ours();
      Operands operands = problem.operands();
      auto theirs = oneDnn(o.oneDnn, operands, why);
      if (!theirs) {
        std::printf("oneDNN is not here (%s); give its library with --onednn\n", why.c_str());
        return 3;
      }
      theirs->run();
      problem.keepExpected();
      ours.run();
      if (double error = problem.difference(); error > 1e-3) {
        std::printf("%s: results differ by %g\n", name.c_str(), error);
        return 1;
      }
      const double flops = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
      Contest c = compete(ours, *theirs, flops, o);
      double ratio = median(c.ratios);
      std::printf("%-6s %-16s %9.1f %9.1f %7.3f   %.3f - %.3f", nameOf(kind), shape.name().c_str(),
                  flops / 1e9 / *std::min_element(c.ours.begin(), c.ours.end()),
                  flops / 1e9 / *std::min_element(c.theirs.begin(), c.theirs.end()), ratio,
                  *std::min_element(c.ratios.begin(), c.ratios.end()),
                  *std::max_element(c.ratios.begin(), c.ratios.end()));
      (isSkinny ? skinny : all).add(ratio);
      if (!isSkinny)
        byKind[int(kind)].add(ratio);
      if (auto other =
              o.threads == 1 && !isSkinny ? openBlas(o.openBlas, operands, why) : nullptr) {
        Contest d = compete(ours, *other, flops, o);
        std::printf(" %9.1f %7.3f",
                    flops / 1e9 / *std::min_element(d.theirs.begin(), d.theirs.end()),
                    median(d.ratios));
        blas.add(median(d.ratios));
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  blas.print("gemm-openblas");
  for (Kind kind : {Kind::F32, Kind::BF16, Kind::U8S8})
    byKind[int(kind)].print(std::string("gemm-") + nameOf(kind));
  skinny.print("gemm-skinny");
  all.print("gemm");
  return 0;
}

} // namespace
} // namespace imbrex::bench

int main(int argc, char **argv) {
  using namespace imbrex::bench;
  Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string flag = argv[i], value = argv[i + 1];
    if (flag == "--onednn")
      o.oneDnn = value;
    else if (flag == "--openblas")
      o.openBlas = value;
    else if (flag == "--threads")
      o.threads = std::atoi(value.c_str());
    else if (flag == "--rounds")
      o.rounds = std::atoi(value.c_str());
    else if (flag == "--only")
      o.only = value;
    else if (flag == "--elf")
      o.elf = value;
    else if (flag == "--tile")
      std::sscanf(value.c_str(), "%ldx%ldx%ld", &o.tile.m, &o.tile.n, &o.tile.k);
  }
  setenv("OMP_NUM_THREADS", std::to_string(o.threads).c_str(), 1);
  setenv("OPENBLAS_NUM_THREADS", std::to_string(o.threads).c_str(), 1);
  return run(o);
}
