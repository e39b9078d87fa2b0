// What the VM asks of a device. Work is issued in order; a device may run it later, and then says
// with events when it is done. The CPU runs it at once.
#pragma once

#include "runtime/abi/kernel.h"
#include "runtime/core/Storage.h"

#include <span>
#include <string_view>

namespace imbrex::runtime {

struct LaunchRequest {
  const void *code = nullptr; // on the CPU an ImxKernelFn
  std::span<const ImxView> args;
  const int64_t *dims = nullptr;
  int64_t grid = 0;
  uint64_t scratchBytes = 0; // per thread
  std::span<const void *const> imports;
};

enum class LaunchStatus : uint8_t { Good, CheckFailed, NoMemory };
struct LaunchResult {
  LaunchStatus status = LaunchStatus::Good;
  int32_t check = 0; // index of the record's check that failed
};

/// A point in the device's order of work.
using Event = uint64_t;

class Device {
public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;
  /// Empty when there is no memory.
  virtual StorageRef allocate(uint64_t bytes) = 0;
  virtual void copy(void *to, const void *from, uint64_t bytes) = 0;
  /// Runs all points of the grid; the request's arrays need to live until the call returns only.
  virtual LaunchResult launch(const LaunchRequest &request) = 0;
  /// Marks what was issued so far; wait returns when that is done.
  virtual Event record() = 0;
  virtual void wait(Event event) = 0;
};

} // namespace imbrex::runtime
