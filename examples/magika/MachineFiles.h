// Some files of this machine, of as many kinds as it has: what the example classifies when it is
// given none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imbrex::magika {

/// At most one readable file for each of a fixed list of file-name endings and of program folders,
/// the first by name. Looks at 60,000 directory entries at most, so it ends within a second on any
/// machine.
std::vector<std::string> filesOfThisMachine(size_t limit);

} // namespace imbrex::magika
