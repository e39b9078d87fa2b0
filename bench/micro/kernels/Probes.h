// What this machine's memory gives at the moment: loops that do nothing else.
#pragma once

#include <cstddef>

namespace imbrex::bench {

/// Reads `bytes` (a multiple of 1024) from `from` as four streams; the sum, so that they are read.
double readStream(const char *from, size_t bytes);
/// Copies with stores that bypass the caches. Addresses are multiples of 64.
void copyStream(char *to, const char *from, size_t bytes);

} // namespace imbrex::bench
