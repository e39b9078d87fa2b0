#include "runtime/device/cpu/CpuDevice.h"

#include "runtime/core/Pages.h"
#include "runtime/device/cpu/CpuCount.h"

#include <cstring>

namespace imbrex::runtime {
namespace {

// Released outputs that wait for the next run.
constexpr uint64_t keepBytes = 256ull << 20;

struct GridRun {
  const LaunchRequest *request;
  std::byte *scratch;
  uint64_t scratchStride;
};

int32_t runRange(void *context, int thread, int64_t begin, int64_t end) {
  const auto &run = *static_cast<GridRun *>(context);
  const LaunchRequest &r = *run.request;
  ImxEnv env{IMX_ABI_VERSION,
             sizeof(ImxEnv),
             run.scratch + run.scratchStride * static_cast<uint64_t>(thread),
             r.scratchBytes,
             r.imports.data(),
             static_cast<uint32_t>(r.imports.size()),
             thread,
             nullptr};
  return reinterpret_cast<ImxKernelFn>(const_cast<void *>(r.code))(&env, r.args.data(), r.dims,
                                                                   begin, end);
}

} // namespace

CpuDevice::CpuDevice(int threads)
    : threadCount(threads > 0 ? threads : usableCpus()),
      pool(std::make_shared<StoragePool>(keepBytes)) {}

CpuDevice::~CpuDevice() { unmapPages(scratch, scratchMapped); }

void CpuDevice::copy(void *to, const void *from, uint64_t bytes) {
  if (bytes)
    std::memcpy(to, from, bytes);
}

bool CpuDevice::ensureScratch(uint64_t bytes, int count) {
  if (bytes > (1ull << 40))
    return false;
  // A cache line between threads' pieces, and never the same set of the L1 cache for all of them.
  uint64_t each = (bytes + 63) / 64 * 64 + 64;
  // Pieces lie as far apart as the largest so far.
  if (each <= scratchPerThread && scratchPerThread * static_cast<uint64_t>(count) <= scratchMapped)
    return true;
  each = std::max(each, scratchPerThread);
  unmapPages(scratch, scratchMapped);
  scratchMapped = each * static_cast<uint64_t>(count);
  scratch = static_cast<std::byte *>(mapPages(scratchMapped, Prefault::No));
  scratchPerThread = scratch ? each : 0;
  scratchMapped = scratch ? scratchMapped : 0;
  return scratch != nullptr;
}

LaunchResult CpuDevice::launch(const LaunchRequest &request) {
  if (request.grid <= 0)
    return {};
  bool alone = request.grid == 1 || threadCount == 1;
  if (!alone && !threads)
    threads = std::make_unique<ThreadPool>(threadCount);
  if (!ensureScratch(request.scratchBytes, alone ? 1 : threads->threads()))
    return {LaunchStatus::NoMemory, 0};
  GridRun run{&request, scratch, scratchPerThread};
  int32_t code =
      alone ? runRange(&run, 0, 0, request.grid) : threads->run(request.grid, runRange, &run);
  if (code)
    return {LaunchStatus::CheckFailed, code - 1};
  return {};
}

} // namespace imbrex::runtime
