// The CPU as a device: kernels run on the calling thread and a pool of workers.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/cpu/ThreadPool.h"

#include <memory>
#include <vector>

namespace imbrex::runtime {

/// Belongs to one context. Workers start with the first launch that has more than one grid point.
class CpuDevice final : public Device {
public:
  /// threads 0: as many as the process may use.
  explicit CpuDevice(int threads);
  ~CpuDevice() override;

  std::string_view name() const override { return "cpu"; }
  StorageRef allocate(uint64_t bytes) override { return pool->allocate(bytes); }
  void copy(void *to, const void *from, uint64_t bytes) override;
  LaunchResult launch(const LaunchRequest &request) override;
  Event record() override { return 0; }
  void wait(Event) override {}

private:
  bool ensureScratch(uint64_t bytes, int threads);

  int threadCount;
  std::shared_ptr<StoragePool> pool;
  std::unique_ptr<ThreadPool> threads;
  std::byte *scratch = nullptr;
  uint64_t scratchPerThread = 0;
  uint64_t scratchMapped = 0;
};

} // namespace imbrex::runtime
