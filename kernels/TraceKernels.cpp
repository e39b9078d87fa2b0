// trace-kernels OUT.mlir: traces and proves the library, in the build. Fails with every fault and
// its line.
#include "kernels/Library.h"

#include <cstdio>
#include <fstream>

int main(int argc, char **argv) {
  using namespace imbrex;
  if (argc != 2) {
    std::fprintf(stderr, "usage: trace-kernels OUT.mlir\n");
    return 2;
  }
  edsl::TraceReport report;
  auto text = edsl::traceKernels(kernels::library(), report);
  if (!text) {
    std::fprintf(stderr, "%s\n", text.error().what.c_str()); // a line for each fault
    return 1;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << *text;
  out.flush();
  if (!out) {
    std::fprintf(stderr, "cannot write %s\n", argv[1]);
    return 2;
  }
  std::printf("kernels: %zu, launch checks %lld, in-kernel checks %lld\nunsafe: %lld\n",
              report.kernels, static_cast<long long>(report.launchChecks),
              static_cast<long long>(report.inKernelChecks),
              static_cast<long long>(report.unsafeRegions));
  return 0;
}
