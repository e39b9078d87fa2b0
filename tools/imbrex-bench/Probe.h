// What this machine can do now: the ceilings beside which measured kernels stand. Probed within
// seconds of them, with as many threads, since shared machines change.
#pragma once

namespace imbrex::bench {

struct Ceilings {
  double flops = 0; // floating-point operations a second in f32 registers; 0: not known here
  double bytes = 0; // bytes read and written a second by copying memory that fits no cache
};

/// Takes about a third of a second, and 64 MiB a thread.
Ceilings probe(int threads);

} // namespace imbrex::bench
