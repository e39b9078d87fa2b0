#include "runtime/launch/Tensor.h"

namespace imbrex::launch {

static Error usedUp(const char *what) {
  return badInput(288, std::string(what) + " is refused: the tensor was given away or is none");
}

Loan Loan::of(const std::shared_ptr<Buffer> &buffer, Borrowing kind, const Site &site) {
  Loan loan;
  if (buffer)
    loan.borrow = std::make_unique<Borrow>(buffer, wholeBox(buffer->shape), kind, site);
  return loan;
}

Loan Loan::part(size_t axis, int64_t begin, int64_t end) const {
  Loan loan;
  loan.fault = fault;
  if (!borrow)
    return loan;
  Box box = borrow->box;
  if (axis < box.size() && end < 0)
    end = box[axis].end - box[axis].begin;
  if (axis >= box.size() || begin < 0 || begin > end || end > box[axis].end - box[axis].begin) {
    loan.fault = badInput(280,
                          "there is no part " + std::to_string(begin) + ":" + std::to_string(end) +
                              " of axis " + std::to_string(axis),
                          "what was lent at " + text(borrow->site) + " is " + text(box));
    return loan;
  }
  box[axis] = {box[axis].begin + begin, box[axis].begin + end};
  loan.borrow = std::make_unique<Borrow>(borrow->buffer, box, borrow->kind, borrow->site);
  return loan;
}

int64_t Loan::elements() const {
  if (!borrow || isEmpty(borrow->box))
    return 0;
  int64_t count = 1;
  for (const Range &r : borrow->box)
    count *= r.end - r.begin;
  return count;
}

Status Loan::usable(const char *what) const {
  if (fault)
    return *fault;
  if (!borrow)
    return usedUp(what);
  return {};
}

/// Rows of it follow each other in memory: behind the first axis of several, all are whole.
static bool contiguous(const Borrow &b) {
  bool partBelow = false;
  for (size_t d = b.box.size(); d-- > 0;) {
    const int64_t extent = b.box[d].end - b.box[d].begin;
    if (partBelow && extent != 1)
      return false;
    partBelow |= extent != b.buffer->shape[d];
  }
  return true;
}

static Use hostUse(const Borrow &b) {
  const bool writes = b.kind == Borrowing::Write;
  return {b.buffer, b.box, !writes, writes, b.site, "the tensor made at " + text(b.buffer->made)};
}

Result<std::byte *> Loan::hostAddress(const char *what) const {
  if (auto s = usable(what); !s)
    return s.takeError();
  Buffer &b = *borrow->buffer;
  auto *base = static_cast<std::byte *>(b.device->backend->hostAddress(b.at(borrow->box)));
  if (!base)
    return unsupported(280, std::string(what) + " is refused: the host does not reach this memory",
                       "it is of a device of its own", "values() and assign(), which copy");
  if (!contiguous(*borrow))
    return unsupported(280, std::string(what) + " is refused: the part " + text(borrow->box) +
                                " is not contiguous");
  Use use = hostUse(*borrow);
  if (auto s = waitFor(*b.device, what, use, borrow.get()); !s)
    return s.takeError();
  if (use.writes)
    markWritten(use);
  return base;
}

Status Loan::copyOut(void *to, uint64_t bytes, const Site &site) const {
  const std::string what = "reading the values at " + text(site);
  if (auto s = usable(what.c_str()); !s)
    return s.takeError();
  Buffer &b = *borrow->buffer;
  if (auto s = waitFor(*b.device, what, hostUse(*borrow), borrow.get()); !s)
    return s.takeError();
  return b.device->backend->download(to, b.memory.get(), bytes);
}

Status Loan::copyIn(const void *from, uint64_t bytes, const Site &site) const {
  const std::string what = "assigning values at " + text(site);
  if (auto s = usable(what.c_str()); !s)
    return s.takeError();
  Buffer &b = *borrow->buffer;
  const auto room = static_cast<uint64_t>(elements() * byteSize(b.type));
  if (bytes != room)
    return badInput(280, what + " is refused: " + std::to_string(bytes) +
                             " bytes for a tensor of " + std::to_string(room));
  Use use = hostUse(*borrow);
  if (auto s = waitFor(*b.device, what, use, borrow.get()); !s)
    return s.takeError();
  if (auto s = b.device->backend->upload(b.memory.get(), from, bytes); !s)
    return s.takeError();
  markWritten(use);
  return {};
}

Status releaseMemory(std::shared_ptr<Buffer> &buffer, const Site &at) {
  const std::string what = "releasing the tensor at " + text(at);
  if (!buffer)
    return usedUp(what.c_str());
  Use all{buffer, wholeBox(buffer->shape), false, true, at, "it"};
  if (auto s = checkBorrows(*buffer->device, what, std::span(&all, 1), {}); !s)
    return s;
  // Work and graphs hold what they use.
  all.buffer = nullptr;
  if (buffer.use_count() > 1)
    return badInput(285, what + " is refused: work that has not ended, or a graph, uses it", "",
                    "waiting for its stream, or dropping the graph, first");
  buffer = nullptr;
  return {};
}

} // namespace imbrex::launch
