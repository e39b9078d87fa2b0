// Who may touch which memory, and in which order: the part of the host side that makes launches
// safe. Tensors, operations and graphs are made of it.
//
// Buffer    memory with a shape; alive as long as anybody holds it
// Borrow    somebody will read, or write, a part of a buffer: a guard in the program, or an
//           operation that was not started yet. A borrow for writing excludes every other one of
//           the same elements; that is checked when one of them is used, and both are named.
// Use       what work that starts now reads and writes. It waits for earlier work that wrote what
//           it reads, or used what it writes, on whatever stream.
//
// All of it is guarded by one mutex a device. A launch costs one lock and a walk over the borrows
// and uses of its own buffers.
#pragma once

#include "runtime/launch/Backend.h"
#include "runtime/launch/Box.h"

#include <source_location>
#include <span>

namespace imbrex::launch {

using Site = std::source_location;
std::string text(const Site &site); // "file.cpp:12"

struct DeviceCore;

enum class Borrowing : uint8_t { Read, Write };

class Borrow;

struct Buffer {
  std::shared_ptr<DeviceCore> device;
  std::shared_ptr<void> memory;
  DType type = DType::Invalid;
  std::vector<int64_t> shape, strides; // row-major
  Site made;

  std::byte *at(const Box &box) const;

  // Guarded by the device's mutex. `writers` are disjoint: who wrote each element last, or failed
  // to. `readers` used elements since they were written.
  struct Past {
    Box box;
    Event event;
  };
  std::vector<const Borrow *> borrows;
  std::vector<Past> writers, readers;
};

/// Memory of a new tensor, which nobody wrote yet. E0250 when there is none.
Result<std::shared_ptr<Buffer>> makeBuffer(std::shared_ptr<DeviceCore> device, DType type,
                                           std::vector<int64_t> shape, Site made);

/// Listed with its buffer as long as it lives; a dormant one only describes.
class Borrow {
public:
  enum class Listing : uint8_t { Listed, Dormant };
  Borrow(std::shared_ptr<Buffer> buffer, Box box, Borrowing kind, Site site,
         Listing listing = Listing::Listed);
  ~Borrow();
  Borrow(const Borrow &) = delete;
  std::shared_ptr<Buffer> buffer;
  Box box;
  Borrowing kind;
  Site site;
  Listing listing;
};
using BorrowRef = std::unique_ptr<Borrow>;

struct Use {
  std::shared_ptr<Buffer> buffer;
  Box box;
  bool reads = false, writes = false;
  Site site;
  std::string operand; // its name, for messages
};

struct DeviceCore {
  explicit DeviceCore(std::unique_ptr<Backend> b)
      : backend(std::move(b)), usual(backend->makeQueue()) {}
  std::unique_ptr<Backend> backend;
  std::mutex mutex;
  std::unique_ptr<Queue> usual; // where work goes that names no stream
};

/// Whether the uses of one operation go together: E0285 where it would read, or write again, what
/// it writes.
Status checkWithin(const std::string &what, std::span<const Use> uses);
/// Whether borrows other than `own` permit these uses. E0285 names both places.
Status checkBorrows(DeviceCore &device, const std::string &what, std::span<const Use> uses,
                    std::span<const BorrowRef> own);
/// The same, and hands the work to a queue, after what it depends on.
Result<Event> issue(DeviceCore &device, Queue &queue, Work work, std::span<const Use> uses,
                    std::span<const BorrowRef> own);
/// For the host: as above, then waits until nothing earlier is in the way. E0286 when what it wants
/// to read was not computed.
Status waitFor(DeviceCore &device, const std::string &what, const Use &use, const Borrow *own);
/// The host has written this.
void markWritten(const Use &use);

} // namespace imbrex::launch
