#include "runtime/device/cpu/CpuCount.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace imbrex::runtime {
namespace {

/// The smaller of two limits, where 0 is none.
int tighter(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

int limitOf(double quota, double period) {
  if (quota <= 0 || period <= 0)
    return 0;
  double cpus = quota / period;
  auto whole = static_cast<int>(std::min(cpus, 65536.0));
  return std::max(1, whole < cpus ? whole + 1 : whole);
}

int readV2(const std::string &folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max")
    return 0;
  return limitOf(std::strtod(quota.c_str(), nullptr), period);
}

int readV1(const std::string &folder) {
  double quota = 0, period = 0;
  std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return limitOf(quota, period);
}

/// The tightest limit of a group and its parents. A container may see its own group as the root, so
/// a path that is not there is no error.
int tightestUpwards(const std::string &mount, std::string group, int (*read)(const std::string &)) {
  int limit = 0;
  while (true) {
    limit = tighter(limit, read(mount + group));
    size_t slash = group.rfind('/');
    if (slash == std::string::npos || group.empty())
      return limit;
    group.resize(slash);
  }
}

} // namespace

int cgroupCpuLimit(const std::string &root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  int limit = 0;
  // "hierarchy:controllers:/path"; version 2 has hierarchy 0 and no controllers.
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':');
    size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    std::string mount = root + "/sys/fs/cgroup";
    if (controllers.empty())
      limit = tighter(limit, tightestUpwards(mount, group, readV2));
    else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
      limit = tighter(limit, tightestUpwards(mount + "/" + controllers, group, readV1));
  }
  return limit;
}

int usableCpus() {
  int count = 0;
  // Machines beyond 1024 CPUs need a larger mask than the fixed type.
  for (int cpus = CPU_SETSIZE; cpus <= 1 << 16 && count == 0; cpus *= 4) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (sched_getaffinity(0, bytes, set) == 0)
      count = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
  }
  if (count == 0)
    count = static_cast<int>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
  return std::max(1, tighter(count, cgroupCpuLimit("")));
}

} // namespace imbrex::runtime
