// What a kind of device brings: memory and queues of work. The rest of this folder knows no device.
//
// A queue runs what it is given in order; queues run side by side. The order between queues is in
// Work::after alone, which the host side derives from who owns what. A GPU implements submit() as a
// wait for foreign events, kernel launches and the record of an event on its own stream; statuses
// travel with events.
#pragma once

#include "runtime/abi/LoadedKernel.h"
#include "runtime/launch/Event.h"

#include <stop_token>

namespace imbrex::launch {

struct Buffer;

/// One kernel over its grid. Not copied, as its operands point into it.
struct KernelCall {
  KernelCall() = default;
  KernelCall(KernelCall &&) = default;
  std::shared_ptr<const LoadedKernel> kernel;
  std::vector<ImxView> operands; // their shapes lie in `sizes`
  std::vector<std::vector<int64_t>> sizes;
  AdmittedLaunch admitted;
};

/// Kernels that run one after another.
using KernelCalls = std::vector<std::shared_ptr<const KernelCall>>;

/// Work starts when `event` has ended; when that failed and `needsResult`, it does not run at all.
struct Dependency {
  Event event;
  bool needsResult = false;
};

struct Work {
  std::string what; // for messages: "kernel 'add' (file.cpp:12)"
  std::shared_ptr<const KernelCalls> calls;
  std::vector<Dependency> after;
  std::vector<std::shared_ptr<Buffer>> keep; // memory it uses, until it ends
  std::stop_token stop;                      // work that has not begun then does not begin
  bool callerFinishes = false;               // who submits it calls Queue::finish next
};

class Queue {
public:
  virtual ~Queue() = default; // waits for its work
  /// Ends `event` when the work has ended. Does not wait.
  virtual void submit(Work work, Event event) = 0;
  /// The caller is about to wait for `event`, submitted here: returns when it has ended. A device
  /// whose work the host may do itself does it here.
  virtual void finish(const Event &event) { event.wait(); }
};

class Backend {
public:
  virtual ~Backend() = default;
  /// Which kernels run here: LoadedKernel::target.
  virtual std::string_view target() const = 0;
  virtual std::unique_ptr<Queue> makeQueue() = 0;
  /// Aligned to 64 bytes and never null for 0 bytes; null when there is no memory.
  virtual std::shared_ptr<void> allocate(uint64_t bytes) = 0;
  /// Where the host reaches this memory, or null.
  virtual void *hostAddress(void *memory) = 0;
  /// Block until done. Nothing else uses the memory meanwhile.
  virtual Status upload(void *to, const void *from, uint64_t bytes) = 0;
  virtual Status download(void *to, const void *from, uint64_t bytes) = 0;
};

/// threads 0: as many as the process may use, for each queue.
std::unique_ptr<Backend> makeCpuBackend(int threads);

} // namespace imbrex::launch
