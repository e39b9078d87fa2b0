#include "runtime/device/cpu/CpuCount.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/cpu/Features.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace imbrex::runtime {
namespace {

struct Visits {
  std::vector<std::atomic<int>> points;
  std::atomic<int> badThread{0};
  int threads = 0;
};

int32_t visit(void *context, int thread, int64_t begin, int64_t end) {
  auto &v = *static_cast<Visits *>(context);
  if (thread < 0 || thread >= v.threads)
    ++v.badThread;
  for (int64_t i = begin; i < end; ++i)
    v.points[static_cast<size_t>(i)].fetch_add(1, std::memory_order_relaxed);
  return 0;
}

TEST(ThreadPoolTest, RunsEachPointOnce) {
  for (int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (int64_t grid : {0, 1, 2, 3, 7, 8, 64, 1000, 4097}) {
      Visits v{std::vector<std::atomic<int>>(static_cast<size_t>(grid)), 0, pool.threads()};
      EXPECT_EQ(pool.run(grid, visit, &v), 0);
      EXPECT_TRUE(std::all_of(v.points.begin(), v.points.end(), [](auto &n) { return n == 1; }));
      EXPECT_EQ(v.badThread, 0);
    }
  }
}

TEST(ThreadPoolTest, ManyGridsInARow) {
  ThreadPool pool(4);
  int64_t sum = 0;
  auto add = [](void *context, int, int64_t begin, int64_t end) -> int32_t {
    for (int64_t i = begin; i < end; ++i)
      __atomic_fetch_add(static_cast<int64_t *>(context), i, __ATOMIC_RELAXED);
    return 0;
  };
  for (int i = 0; i < 2000; ++i)
    pool.run(10, add, &sum);
  EXPECT_EQ(sum, 2000 * 45);
}

TEST(ThreadPoolTest, PassesFailuresOn) {
  ThreadPool pool(4);
  auto fail = [](void *, int, int64_t begin, int64_t end) -> int32_t {
    return begin <= 77 && 77 < end ? 5 : 0;
  };
  EXPECT_EQ(pool.run(100, fail, nullptr), 5);
  auto good = [](void *, int, int64_t, int64_t) -> int32_t { return 0; };
  EXPECT_EQ(pool.run(100, good, nullptr), 0) << "a failure does not stick";
}

TEST(ThreadPoolTest, PoolsRunConcurrently) {
  std::vector<std::thread> callers;
  std::atomic<int> failures{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      ThreadPool pool(2);
      for (int i = 0; i < 50; ++i) {
        Visits v{std::vector<std::atomic<int>>(100), 0, 2};
        pool.run(100, visit, &v);
        if (!std::all_of(v.points.begin(), v.points.end(), [](auto &n) { return n == 1; }))
          ++failures;
      }
    });
  for (auto &t : callers)
    t.join();
  EXPECT_EQ(failures, 0);
}

int32_t useScratch(const ImxEnv *env, const ImxView *, const int64_t *, int64_t begin,
                   int64_t end) {
  auto *p = static_cast<int64_t *>(env->scratch);
  if (env->scratch_bytes < 4096 || reinterpret_cast<uintptr_t>(p) % 64)
    return 1;
  for (int64_t g = begin; g < end; ++g) {
    for (int i = 0; i < 512; ++i)
      p[i] = g;
    for (int i = 0; i < 512; ++i)
      if (p[i] != g)
        return 2;
  }
  return 0;
}

TEST(CpuDeviceTest, ScratchBelongsToOneThread) {
  CpuDevice device(4);
  LaunchRequest request;
  request.code = reinterpret_cast<const void *>(useScratch);
  request.grid = 200;
  request.scratchBytes = 4096;
  EXPECT_EQ(device.launch(request).status, LaunchStatus::Good);
  request.scratchBytes = 100;
  LaunchResult r = device.launch(request);
  EXPECT_EQ(r.status, LaunchStatus::CheckFailed);
  EXPECT_EQ(r.check, 0);
  request.scratchBytes = 1ull << 60;
  EXPECT_EQ(device.launch(request).status, LaunchStatus::NoMemory);
}

/// Fills the thread's scratch once both points are begun, that is, on two threads.
int32_t fillScratch(const ImxEnv *env, const ImxView *, const int64_t *dims, int64_t begin,
                    int64_t end) {
  auto &begun = *reinterpret_cast<std::atomic<int> *>(static_cast<intptr_t>(dims[0]));
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  begun += static_cast<int>(end - begin);
  while (begun < dims[1] && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  std::memset(env->scratch, 1, std::min<uint64_t>(env->scratch_bytes, 8 << 20));
  return 0;
}

TEST(CpuDeviceTest, ScratchOfAllThreadsIsThereBehindALargerOneOfOne) {
  // Large mappings grow downwards: what lies behind the device's first scratch cannot be written.
  constexpr uint64_t kLarge = 256 << 20;
  void *guard = mmap(nullptr, kLarge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CpuDevice device(2);
  LaunchRequest request;
  request.code = reinterpret_cast<const void *>(&fillScratch);
  for (auto [grid, bytes] : {std::pair<int64_t, uint64_t>{1, kLarge}, {2, 8 << 20}}) {
    std::atomic<int> begun = 0;
    const int64_t dims[] = {static_cast<int64_t>(reinterpret_cast<intptr_t>(&begun)), grid};
    request.dims = dims;
    request.grid = grid;
    request.scratchBytes = bytes;
    EXPECT_EQ(device.launch(request).status, LaunchStatus::Good);
    EXPECT_EQ(begun, grid);
  }
  munmap(guard, kLarge);
}

TEST(FeaturesTest, KnowsWhatItHas) {
  EXPECT_TRUE(cpuHas({}));
  std::string nonsense[] = {"warp-drive"};
  EXPECT_FALSE(cpuHas(nonsense));
#if defined(__x86_64__)
  std::string avx2[] = {"avx2"};
  EXPECT_EQ(cpuHas(avx2), static_cast<bool>(__builtin_cpu_supports("avx2")));
  std::string vnni[] = {"avx512vnni"};
  EXPECT_EQ(cpuHas(vnni), static_cast<bool>(__builtin_cpu_supports("avx512vnni")));
#endif
}

class CgroupTest : public testing::Test {
protected:
  void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << text;
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  std::string root = testing::TempDir() + "imbrex-cgroup-" + std::to_string(::getpid());
};

TEST_F(CgroupTest, VersionTwoTakesTheTightestParent) {
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root), 2);
  write("/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root), 1);
}

TEST_F(CgroupTest, VersionOne) {
  write("/proc/self/cgroup", "5:memory:/x\n3:cpu,cpuacct:/x\n");
  write("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroupCpuLimit(root), 3);
}

TEST_F(CgroupTest, NoneAndGarbage) {
  EXPECT_EQ(cgroupCpuLimit(root), 0);
  write("/proc/self/cgroup", "nonsense\n0::/\n");
  write("/sys/fs/cgroup/cpu.max", "x y\n");
  EXPECT_EQ(cgroupCpuLimit(root), 0);
}

TEST(CpuCountTest, HonoursAffinity) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &before)) {
      CPU_SET(i, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usableCpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

} // namespace
} // namespace imbrex::runtime
