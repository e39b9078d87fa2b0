// How many threads this process may keep busy.
#pragma once

#include <string>

namespace imbrex::runtime {

/// CPUs of the affinity mask, further limited by the cgroup's CPU quota (v1 and v2, rounded up); at
/// least 1.
int usableCpus();

/// The quota in CPUs as the files under `root` state it ("" is the machine), rounded up; 0 when
/// there is none. `root` stands before /proc/self/cgroup and /sys/fs/cgroup, for tests.
int cgroupCpuLimit(const std::string &root);

} // namespace imbrex::runtime
