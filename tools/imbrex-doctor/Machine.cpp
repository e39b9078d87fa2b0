#include "tools/imbrex-doctor/Machine.h"

#include "runtime/api/imbrex.h"
#include "runtime/device/cpu/CpuCount.h"
#include "runtime/device/cpu/Features.h"
#include "tools/common/Cache.h"
#include "tools/common/Files.h"
#include "tools/common/Process.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace imbrex::tools {

namespace {

/// The value of `key` in lines of "key : value"; "" when there is none.
std::string field(const std::string &text, const std::string &key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key))
      continue;
    size_t at = line.find_first_of(":=");
    if (at == std::string::npos)
      continue;
    size_t start = line.find_first_not_of(" \t\"", at + 1);
    size_t end = line.find_last_not_of(" \t\"");
    return start == std::string::npos ? "" : line.substr(start, end - start + 1);
  }
  return "";
}

Json textOrNull(const std::string &text) { return text.empty() ? Json() : Json::of(text); }

/// Bytes of a "12345 kB" field of /proc/meminfo.
Json kilobytes(const std::string &text) {
  return text.empty()
             ? Json()
             : Json::of(static_cast<int64_t>(std::strtoll(text.c_str(), nullptr, 10)) * 1024);
}

Json systemFacts() {
  utsname names = {};
  uname(&names);
  return Json::object()
      .set("name", textOrNull(field(readText("/etc/os-release"), "PRETTY_NAME")))
      .set("kernel", names.release)
      .set("machine", names.machine);
}

/// The best code variant that a default artifact holds for this processor.
std::string levelOf() {
  using runtime::cpuHas;
  const std::vector<std::string> v3 = {"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt", "movbe"};
  const std::vector<std::string> v4 = {"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"};
  if (!cpuHas(v3))
    return "";
  return cpuHas(v4) ? "x86-64-v4" : "x86-64-v3";
}

Json cpuFacts() {
  std::string info = readText("/proc/cpuinfo");
  return Json::object()
      .set("model", textOrNull(field(info, "model name")))
      .set("level", textOrNull(levelOf()))
      .set("features", runtime::cpuFeatures());
}

int affinityCount() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

Json threadFacts() {
  int quota = runtime::cgroupCpuLimit("");
  return Json::object()
      .set("usable", int64_t(runtime::usableCpus()))
      .set("cpuset", int64_t(affinityCount()))
      .set("cgroup_quota", quota > 0 ? Json::of(int64_t(quota)) : Json());
}

/// The cgroup's limit in bytes, or null.
Json memoryLimit() {
  std::istringstream groups(readText("/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    std::string file;
    if (line.starts_with("0::"))
      file = "/sys/fs/cgroup" + line.substr(3) + "/memory.max";
    else if (line.find(":memory:") != std::string::npos)
      file = "/sys/fs/cgroup/memory" + line.substr(line.rfind(':') + 1) + "/memory.limit_in_bytes";
    std::string text = file.empty() ? "" : readText(file);
    uint64_t bytes = std::strtoull(text.c_str(), nullptr, 10);
    if (bytes > 0 && bytes < (1ull << 60))
      return Json::of(bytes);
  }
  return Json();
}

/// "[always] madvise never" says "always".
std::string chosen(const std::string &text) {
  size_t from = text.find('['), to = text.find(']');
  return to == std::string::npos || from == std::string::npos
             ? ""
             : text.substr(from + 1, to - from - 1);
}

Json memoryFacts() {
  std::string info = readText("/proc/meminfo");
  return Json::object()
      .set("total", kilobytes(field(info, "MemTotal")))
      .set("available", kilobytes(field(info, "MemAvailable")))
      .set("cgroup_limit", memoryLimit())
      .set("page", int64_t(sysconf(_SC_PAGESIZE)))
      .set("huge_pages",
           textOrNull(chosen(readText("/sys/kernel/mm/transparent_hugepage/enabled"))));
}

Json programFacts() {
  Json programs = Json::object();
  for (const char *name : {"run", "compile", "info", "explain", "bench", "verify", "sql", "tea"}) {
    Result<std::string> path = findCommand(name);
    programs.set(std::string("imbrex-") + name, path ? Json::of("found") : Json());
  }
  for (const char *name : {"clang-22", "ld.lld-22", "cmake", "ninja", "protoc", "flatc", "python3"})
    programs.set(name, textOrNull(firstLineOf(name, {"--version"})));
  return programs;
}

/// What is kept between runs, in bytes.
Json cacheFacts() {
  Result<std::string> folder = userCacheFolder(), kernels = kernelFolder();
  return Json::object()
      .set("folder", folder ? Json::of(*folder) : Json())
      .set("models", folder ? Json::of(folderUse(*folder).bytes) : Json())
      .set("kernels", kernels ? Json::of(folderUse(*kernels).bytes) : Json());
}

/// Libraries and provers that are used where they are installed; null where they are not.
Json engineFacts() {
  const std::pair<const char *, const char *> libraries[] = {{"CUDA driver", "libcuda.so.1"},
                                                             {"oneDNN", "libdnnl.so.3"},
                                                             {"OpenBLAS", "libopenblas.so.0"},
                                                             {"DuckDB", "libduckdb.so"}};
  Json found = Json::object();
  for (auto [name, library] : libraries) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    link_map *map = nullptr;
    const bool known = handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map;
    found.set(name, known ? Json::of(map->l_name) : Json());
    if (handle)
      dlclose(handle);
  }
  for (const char *name : {"z3", "cvc5"})
    found.set(name, textOrNull(firstLineOf(name, {"--version"})));
  return found;
}

/// What makes models slow or not run at all here, in words.
std::vector<std::string> remarksOn(const Json &machine) {
  std::vector<std::string> remarks;
  if (machine.at("cpu").at("level").isNull() &&
      machine.at("system").at("machine").toText() == "x86_64")
    remarks.push_back(
        "this processor is older than x86-64-v3: artifacts for the default target do not "
        "run; compile with --target cpu:native");
  std::string huge = machine.at("memory").at("huge_pages").toText();
  if (huge == "never" || huge == "null")
    remarks.push_back("huge pages are off: large weights are read more slowly");
  Json quota = machine.at("threads").at("cgroup_quota");
  if (!quota.isNull() && quota.toInt() < machine.at("threads").at("cpuset").toInt())
    remarks.push_back("the control group allows fewer CPUs than the machine has");
  if (machine.at("programs").at("imbrex-compile").isNull())
    remarks.push_back("the compiler is not installed: only .imx artifacts run");
  if (Result<std::string> kernels = kernelFolder(); !kernels)
    remarks.push_back("nothing that is compiled is kept: " + kernels.error().what + ", because " +
                      kernels.error().because);
  return remarks;
}

} // namespace

Json examineMachine() {
  Json machine = Json::object();
  machine.set("imbrex", IMBREX_VERSION)
      .set("system", systemFacts())
      .set("cpu", cpuFacts())
      .set("threads", threadFacts())
      .set("memory", memoryFacts())
      .set("programs", programFacts())
      .set("engines", engineFacts())
      .set("cache", cacheFacts());
  return machine.set("remarks", remarksOn(machine));
}

} // namespace imbrex::tools
