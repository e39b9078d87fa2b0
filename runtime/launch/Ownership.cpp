#include "runtime/launch/Ownership.h"

#include <algorithm>
#include <limits>

namespace imbrex::launch {

std::string text(const Site &site) {
  return std::string(site.file_name()) + ":" + std::to_string(site.line());
}

std::byte *Buffer::at(const Box &box) const {
  int64_t elems = 0;
  if (!isEmpty(box))
    for (size_t d = 0; d < box.size(); ++d)
      elems += box[d].begin * strides[d];
  return static_cast<std::byte *>(memory.get()) + elems * byteSize(type);
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string s = "[";
  for (int64_t e : shape)
    s += (s.size() > 1 ? ", " : "") + std::to_string(e);
  return s + "]";
}

Result<std::shared_ptr<Buffer>> makeBuffer(std::shared_ptr<DeviceCore> device, DType type,
                                           std::vector<int64_t> shape, Site made) {
  auto buffer = std::make_shared<Buffer>();
  int64_t bytes = byteSize(type);
  bool bad = false;
  buffer->strides.assign(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 0;) {
    if (d + 1 < shape.size())
      buffer->strides[d] = buffer->strides[d + 1] * std::max<int64_t>(shape[d + 1], 1);
    bad |= shape[d] < 0 ||
           bytes > std::numeric_limits<int64_t>::max() / std::max<int64_t>(shape[d], 1) / 2;
    if (!bad)
      bytes *= std::max<int64_t>(shape[d], 1);
  }
  if (bad)
    return badInput(284, "a tensor cannot have the shape " + shapeText(shape),
                    "an extent is below 0, or there are too many elements");
  buffer->memory = device->backend->allocate(static_cast<uint64_t>(bytes));
  if (!buffer->memory)
    return badInput(250, "there is no memory for a tensor of shape " + shapeText(shape));
  buffer->device = std::move(device);
  buffer->type = type;
  buffer->made = made;
  Box all = wholeBox(shape);
  if (!isEmpty(all))
    buffer->writers.push_back(
        {all, Event::ended(badInput(
                  286, "", "the tensor made at " + text(made) + " was never written there"))});
  buffer->shape = std::move(shape);
  return buffer;
}

Borrow::Borrow(std::shared_ptr<Buffer> b, Box box, Borrowing kind, Site site, Listing listing)
    : buffer(std::move(b)), box(std::move(box)), kind(kind), site(site), listing(listing) {
  if (listing == Listing::Dormant)
    return;
  std::lock_guard lock(buffer->device->mutex);
  buffer->borrows.push_back(this);
}

Borrow::~Borrow() {
  if (listing == Listing::Dormant)
    return;
  std::lock_guard lock(buffer->device->mutex);
  auto &all = buffer->borrows;
  *std::find(all.begin(), all.end(), this) = all.back();
  all.pop_back();
}

//===-- Borrows -------------------------------------------------------------===//

static bool conflicts(const Use &use, const Borrow &borrow) {
  return (use.writes || borrow.kind == Borrowing::Write) && intersect(use.box, borrow.box);
}

static Error refusal(const std::string &what, const Use &use, Borrowing other, const Site &site) {
  const bool both = use.writes && other == Borrowing::Write;
  return badInput(
      285,
      what + " is refused: it " + (use.writes ? "writes" : "reads") + " " + use.operand +
          ", borrowed at " + text(use.site) + ", which is borrowed for " +
          (other == Borrowing::Write ? "writing" : "reading") + " at " + text(site),
      both ? "a part of a tensor has one writer at a time"
           : "nothing reads a part of a tensor that is being written",
      "using or dropping what holds the other borrow first, or parts that do not overlap");
}

Status checkWithin(const std::string &what, std::span<const Use> uses) {
  for (const Use &a : uses)
    for (const Use &b : uses)
      if (&a != &b && a.writes && a.buffer == b.buffer && intersect(a.box, b.box))
        return refusal(what, a, b.writes ? Borrowing::Write : Borrowing::Read, b.site);
  return {};
}

/// own[i] is what use i was borrowed by; it excludes all others, its own operation's too.
static Status checkLocked(const std::string &what, std::span<const Use> uses,
                          std::span<const BorrowRef> own) {
  for (size_t i = 0; i < uses.size(); ++i)
    for (const Borrow *other : uses[i].buffer->borrows)
      if ((own.empty() || other != own[i].get()) && conflicts(uses[i], *other))
        return refusal(what, uses[i], other->kind, other->site);
  return {};
}

Status checkBorrows(DeviceCore &device, const std::string &what, std::span<const Use> uses,
                    std::span<const BorrowRef> own) {
  std::lock_guard lock(device.mutex);
  return checkLocked(what, uses, own);
}

//===-- Order ---------------------------------------------------------------===//

static void dependenciesOf(const Use &use, std::vector<Dependency> &after) {
  for (const auto &w : use.buffer->writers)
    if (intersect(w.box, use.box)) {
      if (use.reads)
        after.push_back({w.event, true});
      else if (!w.event.done())
        after.push_back({w.event, false});
    }
  if (use.writes)
    for (const auto &r : use.buffer->readers)
      if (!r.event.done() && intersect(r.box, use.box))
        after.push_back({r.event, false});
}

static void remember(const Use &use, const Event &event) {
  Buffer &b = *use.buffer;
  if (isEmpty(use.box))
    return;
  std::erase_if(b.readers, [](const Buffer::Past &p) { return p.event.done(); });
  if (!use.writes) {
    b.readers.push_back({use.box, event});
    return;
  }
  // Written anew: who was to write it before does not matter any more.
  std::vector<Buffer::Past> rest;
  for (auto &w : b.writers) {
    if (w.event.done() && w.event.wait())
      continue; // it is there
    for (Box &box : subtract(w.box, use.box))
      rest.push_back({std::move(box), w.event});
  }
  rest.push_back({use.box, event});
  b.writers = std::move(rest);
}

Result<Event> issue(DeviceCore &device, Queue &queue, Work work, std::span<const Use> uses,
                    std::span<const BorrowRef> own) {
  std::lock_guard lock(device.mutex);
  if (auto s = checkLocked(work.what, uses, own); !s)
    return s.takeError();
  Event event;
  for (const Use &use : uses)
    dependenciesOf(use, work.after);
  for (const Use &use : uses) {
    remember(use, event);
    work.keep.push_back(use.buffer);
  }
  // Under the lock: queues get work in the order in which it depends on each other.
  queue.submit(std::move(work), event);
  return event;
}

Status waitFor(DeviceCore &device, const std::string &what, const Use &use, const Borrow *own) {
  std::vector<Dependency> after;
  {
    std::lock_guard lock(device.mutex);
    for (const Borrow *other : use.buffer->borrows)
      if (other != own && conflicts(use, *other))
        return refusal(what, use, other->kind, other->site);
    dependenciesOf(use, after);
  }
  for (const Dependency &d : after)
    if (const Status &s = d.event.wait(); !s && d.needsResult) {
      const Error &e = s.error();
      return badInput(286, what + " is refused: what it reads was not computed",
                      e.code == 286 && !e.because.empty()
                          ? e.because
                          : e.what + (e.because.empty() ? "" : "; because " + e.because));
    }
  return {};
}

void markWritten(const Use &use) {
  std::lock_guard lock(use.buffer->device->mutex);
  remember(use, Event::ended({}));
}

} // namespace imbrex::launch
