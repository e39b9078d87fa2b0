// fuzz-tile SECONDS [SEED]: random kernels until the time is over; the last line says how many were
// accepted, how many of these broke a promise, and which share of right kernels was refused.
#include "compiler/passes/tile/fuzz/CheckKernel.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace imbrex::tile;

namespace {

FuzzCounts fuzzFor(mlir::MLIRContext &context, double seconds, uint64_t seed,
                   const VerifyOptions &options, bool untilBad) {
  FuzzCounts counts;
  auto start = std::chrono::steady_clock::now();
  auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  while (passed() < seconds && !(untilBad && counts.bad))
    fuzzOne(context, seed++, options, counts);
  return counts;
}

} // namespace

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  mlir::DialectRegistry registry;
  registry.insert<TileDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  bool good = true;
  for (int rule = 0; rule < kRuleCount && seconds >= 10; ++rule) {
    VerifyOptions options;
    options.without = static_cast<Rule>(rule);
    FuzzCounts counts = fuzzFor(context, 60, seed, options, true);
    std::printf("without '%s': %s after %lld kernels\n", ruleName(options.without.value()),
                counts.bad ? "a bad kernel" : "NO bad kernel",
                static_cast<long long>(counts.kernels));
    good &= counts.bad > 0;
  }
  FuzzCounts counts = fuzzFor(context, seconds, seed, {}, false);
  if (counts.bad)
    std::printf("%s\n", counts.firstBad.c_str());
  for (const std::string &text : counts.refused)
    std::printf("a right kernel that was refused:\n%s\n\n", text.c_str());
  std::printf(
      "fuzz-tile: kernels %lld, accepted %lld, runs %lld, bad %lld, refused-correct %.2f %% "
      "of %lld\n",
      static_cast<long long>(counts.kernels), static_cast<long long>(counts.accepted),
      static_cast<long long>(counts.runs), static_cast<long long>(counts.bad),
      counts.correct
          ? 100.0 * static_cast<double>(counts.refusedCorrect) / static_cast<double>(counts.correct)
          : 0.0,
      static_cast<long long>(counts.correct));
  return good && !counts.bad ? 0 : 1;
}
