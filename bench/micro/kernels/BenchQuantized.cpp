// Products with quantized weights beside llama.cpp's. Run by `make bench-kernels`.
//
//   bench-quantized [--ggml PATH] [--threads N] [--rounds N] [--only TEXT] [--elf FILE]
//
// Both sides start from floats: quantizing the activations is part of the product. Weights are the
// same numbers, in memory, in huge pages. llama.cpp runs with its weights as the file has them and
// rearranged for this CPU; each round's ratio is to the faster of both.
#include "bench/micro/kernels/Blocks.h"
#include "bench/micro/kernels/LibraryKernel.h"
#include "bench/micro/kernels/Llama.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace imbrex::bench {
namespace {

struct Options {
  std::string ggml = "libggml.so", only, elf; // elf: where the last product's machine code goes
  int threads = 1, rounds = 7;
};

struct Shape {
  int64_t m, n, k;
};

/// Rows of weights that are different; the others repeat them.
constexpr int64_t kRows = 256;

std::vector<float> numbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> pick(0, 1);
  std::vector<float> v(static_cast<size_t>(count));
  for (float &x : v)
    x = pick(random);
  return v;
}

/// Our kernels on the same weights: quantizing the activations, where the weights are, and the
/// product.
class Ours {
public:
  Ours(const Format &f, const Shape &s, const std::vector<uint8_t> &rows,
       const std::vector<float> &x, Team &team, int threads) {
    const std::string kernel = (s.m == 1 ? "matvec_" : "matmul_") + std::string(f.kernel);
    const SizeBindings sizes{{"m", s.m}, {"panels", s.n / 32}};
    auto with = [&](const char *name, int64_t value) {
      SizeBindings all = sizes;
      all[name] = value;
      return all;
    };
    if (f.type == bf16().type) {
      product = std::make_unique<LibraryKernel>(kernel, with("pairs", s.k / 2), team, threads);
      std::memcpy(product->data("x"), x.data(), x.size() * 4);
      repeat("w", bf16Panels(kRows, s.k, rows.data()));
      return;
    }
    quantize = std::make_unique<LibraryKernel>(
        "quantize_rows", SizeBindings{{"m", s.m}, {"blocks", s.k / 32}}, team, threads);
    std::map<std::string, void *> shared;
    for (const char *view : {"bytes", "scales", "totals", "firsts"})
      shared[view] = quantize->data(view);
    product =
        std::make_unique<LibraryKernel>(kernel, with("blocks", s.k / 32), team, threads, shared);
    std::memcpy(quantize->data("x"), x.data(), x.size() * 4);
    const Weights w(f, kRows, s.k, rows.data());
    repeat("q", w.quants());
    repeat("high", w.high());
    repeat("scale", w.scales());
    repeat("least", w.leasts());
  }
  void run() {
    if (quantize)
      quantize->run();
    product->run();
  }
  void writeCode(const std::string &to) const { product->writeCode(to); }
  const float *result() const { return static_cast<const float *>(product->data("c")); }
  int64_t weightBytes() const {
    int64_t sum = 0;
    for (const char *view : {"w", "q", "high", "scale", "least"})
      sum += product->has(view) ? product->bytes(view) : 0;
    return sum;
  }

private:
  template <class T> void repeat(const std::string &view, const std::vector<T> &part) {
    if (!product->has(view))
      return;
    const auto bytes = static_cast<size_t>(product->bytes(view));
    for (size_t at = 0; at < bytes; at += part.size() * sizeof(T))
      std::memcpy(static_cast<char *>(product->data(view)) + at, part.data(),
                  std::min(part.size() * sizeof(T), bytes - at));
  }
  std::unique_ptr<LibraryKernel> quantize, product;
};

/// The greatest difference, relative to the elements' root mean square. Both sides round
/// activations to bytes, in blocks of other sizes.
double difference(const float *ours, const std::vector<float> &theirs) {
  double worst = 0, squares = 0;
  for (size_t i = 0; i < theirs.size(); ++i) {
    const double d = std::fabs(double(ours[i]) - double(theirs[i]));
    worst = std::isnan(d) ? INFINITY : std::max(worst, d);
    squares += double(theirs[i]) * double(theirs[i]);
  }
  return worst / std::sqrt(squares / double(theirs.size()));
}

struct Summary {
  std::vector<double> ratios;
  void print(const char *name) const {
    double logs = 0;
    for (double r : ratios)
      logs += std::log(r);
    if (!ratios.empty())
      std::printf("%s: geomean %.2f, min %.2f, n %zu (ours/peer speed)\n", name,
                  std::exp(logs / double(ratios.size())), *std::ranges::min_element(ratios),
                  ratios.size());
  }
};

template <class P> double timed(P &p, double flops, int threads) {
  const int calls = std::max(1, static_cast<int>(0.03 / (flops / 100e9)));
  settle(threads);
  p.run();
  const double start = seconds(threads);
  for (int i = 0; i < calls; ++i)
    p.run();
  return (seconds(threads) - start) / calls;
}

/// A line of the table: the median ratio; 0 when the results differ.
double compare(const Llama &llama, const Format &f, const Shape &s, Team &team, const Options &o) {
  const std::vector<float> x = numbers(s.m * s.k, 1);
  const std::vector<uint8_t> rows = llama.quantize(f.type, numbers(kRows * s.k, 2), s.k);
  Ours ours(f, s, rows, x, team, o.threads);
  ours.writeCode(o.elf);
  std::vector<std::unique_ptr<Llama::Product>> peers;
  for (Llama::Layout layout : {Llama::Layout::File, Llama::Layout::Rearranged})
    if (auto p = llama.product(layout, f.type, s.m, s.n, s.k, rows, x, o.threads))
      peers.push_back(std::move(p));
  ours.run();
  for (auto &p : peers) {
    std::vector<float> theirs;
    p->run();
    p->result(theirs);
    if (double d = difference(ours.result(), theirs); !(d < 0.05)) {
      std::printf("%s: results differ by %g of their root mean square\n", f.name, d);
      return 0;
    }
  }
  const double flops = 2.0 * double(s.m) * double(s.n) * double(s.k);
  std::vector<double> mine, best, ratios;
  std::vector<int> wins(2);
  struct Round {
    double ours, best;
    size_t who;
  };
  auto round = [&] {
    Round r{timed(ours, flops, o.threads), INFINITY, 0};
    for (size_t i = 0; i < peers.size(); ++i)
      if (double t = timed(*peers[i], flops, o.threads); t < r.best) {
        r.best = t;
        r.who = i;
      }
    return r;
  };
  for (const Round &r : leastDisturbed(o.rounds, o.threads, round)) {
    ++wins[r.who];
    mine.push_back(r.ours);
    best.push_back(r.best);
    ratios.push_back(r.best / r.ours);
  }
  std::printf("%-5s %4ldx%ldx%-6ld %9.3f %9.3f %7.2f   %.2f - %.2f  %7.1f  %s\n", f.name, s.m, s.n,
              s.k, median(mine) * 1e3, median(best) * 1e3, median(ratios),
              *std::ranges::min_element(ratios), *std::ranges::max_element(ratios),
              double(ours.weightBytes()) / median(mine) / 1e9,
              wins[1] > wins[0] ? "rearranged" : "as in the file");
  std::fflush(stdout);
  return median(ratios);
}

int run(const Options &o) {
  std::string why;
  const auto llama = Llama::open(o.ggml, why);
  if (!llama) {
    std::printf("llama.cpp is not here (%s); give a library that exports ggml with --ggml\n",
                why.c_str());
    return 3;
  }
  Team team(o.threads);
  struct Group {
    const char *name;
    std::vector<Format> formats;
    std::vector<Shape> shapes;
  };
  const std::vector<Shape> decode{{1, 16384, 4096}, {1, 4096, 12288}},
      prefill{{512, 3072, 1024}, {512, 1024, 3072}, {512, 2048, 2048}};
  const std::vector<Group> groups{{"matvec-bf16", {bf16()}, decode},
                                  {"matvec", formats(), decode},
                                  {"qmatmul-bf16", {bf16()}, prefill},
                                  {"qmatmul", formats(), prefill}};
  std::vector<Summary> sums(groups.size());
  std::printf("%-5s %-17s %9s %9s %7s %13s  %7s  llama.cpp's weights (%d threads)\n", "type",
              "m x n x k", "ours ms", "llama.cpp", "ratio", "spread", "GB/s", o.threads);
  for (size_t g = 0; g < groups.size(); ++g)
    for (const Format &f : groups[g].formats)
      for (const Shape &s : groups[g].shapes) {
        if ((std::string(groups[g].name) + " " + f.name).find(o.only) == std::string::npos)
          continue;
        const double ratio = compare(*llama, f, s, team, o);
        if (ratio == 0)
          return 1;
        sums[g].ratios.push_back(ratio);
      }
  for (size_t g = 0; g < groups.size(); ++g)
    sums[g].print(groups[g].name);
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
    else if (flag == "--ggml" && !value.empty())
      o.ggml = value;
    else if (flag == "--only" && !value.empty())
      o.only = value;
    else if (flag == "--elf" && !value.empty())
      o.elf = value;
    else {
      std::fprintf(stderr, "usage: bench-quantized [--ggml PATH] [--threads N] [--rounds N] "
                           "[--only TEXT] [--elf FILE]\n");
      return 2;
    }
  }
  return imbrex::bench::run(o);
}
