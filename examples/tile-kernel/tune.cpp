// tune-kernel [LOG]: chooses the tile of a matrix product for this machine. Run it again with the
// same LOG and it goes on where it was ended, or knows the answer.
//
// Exit codes: 0 good, 1 something failed.
#include "bench/tune/Tune.h"
#include "compiler/jit/Jit.h"
#include "runtime/launch/Launch.h"

#include <cstdio>

using namespace imbrex;
using namespace imbrex::launch;

namespace {

constexpr int64_t kSize = 192;

/// c[m, n] = sum(d) a[m, d] * b[d, n], a tile of rows x columns at a time, `depth` of d at a time.
edsl::KernelFunction product(const tune::Configuration &c) {
  return [rows = c.at("rows"), columns = c.at("columns"), depth = c.at("depth")](edsl::Kernel &k) {
    edsl::Size m = k.size("m"), n = k.size("n"), d = k.size("d");
    edsl::Input a = k.input("a", DType::F32, {m, d}), b = k.input("b", DType::F32, {d, n});
    edsl::Output y = k.output("c", DType::F32, {m, n});
    edsl::Piece p = k.own(y, {rows, columns});
    p.store(k.loop(edsl::tiles(d, depth), k.zeros(DType::F32, {rows, columns}),
                   [&](edsl::Index q, edsl::Tile sum) {
                     return edsl::mma(a.load({p[0], q}, {rows, depth}),
                                      b.load({q, p[1]}, {depth, columns}), sum);
                   }));
  };
}

/// A kernel of this configuration with tensors to run on.
Result<tune::Candidate> make(const Device &cpu, const tune::Configuration &c) {
  auto kernel = jit::compile("product", product(c));
  if (!kernel)
    return kernel.takeError();
  std::vector<float> values(kSize * kSize);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 7) - 3;
  struct State {
    Kernel kernel;
    Tensor<float> a, b, y;
  };
  auto state = std::make_shared<State>(State{
      Kernel(kernel.take()), cpu.from<float>({kSize, kSize}, values).take(),
      cpu.from<float>({kSize, kSize}, values).take(), cpu.empty<float>({kSize, kSize}).take()});
  tune::Candidate candidate;
  candidate.code = state->kernel.codeHash();
  candidate.run = [state]() -> Status {
    auto r = state->kernel(state->a.read(), state->b.read(), state->y.write()).sync();
    return r ? Status() : r.takeError();
  };
  candidate.output = [state] { return state->y.values(); };
  return candidate;
}

} // namespace

int main(int argc, char **argv) {
  Device cpu = Device::cpu(1);
  tune::Options options;
  options.name = "product " + std::to_string(kSize);
  options.axes = {{"rows", {16, 64}}, {"columns", {32, 128}}, {"depth", {64}}};
  options.make = [&](const tune::Configuration &c) { return make(cpu, c); };
  options.log = argc > 1 ? argv[1] : "";
  options.pairs = 12;
  options.leastSeconds = 0.002;
  auto tuning = tune::tune(options);
  if (!tuning) {
    std::fprintf(stderr, "%s\n", tuning.error().str().c_str());
    return 1;
  }
  size_t remembered = 0;
  for (const tune::Verdict &v : tuning->verdicts) {
    remembered += v.remembered;
    std::printf("%-32s %5.2f times as fast as %-32s (%.2f to %.2f, p %.2g)%s\n",
                tune::text(v.challenger).c_str(), v.speed, tune::text(v.leader).c_str(), v.low,
                v.high, v.p, v.faster ? ", leads" : "");
  }
  for (const std::string &remark : tuning->remarks)
    std::printf("%s\n", remark.c_str());
  std::printf("tune-kernel: %s, %zu verdicts, %zu of them remembered\n",
              tune::text(tuning->best).c_str(), tuning->verdicts.size(), remembered);
  return 0;
}
