#include "runtime/launch/Kernel.h"
#include "runtime/launch/Graph.h"

namespace imbrex::launch {

Error usedOperation() {
  return badInput(288, "an operation is used that was started or given away already");
}

Error foreignCapture() {
  return badInput(290, "a shared operation cannot start within a graph",
                  "the graph would run it again with every replay",
                  "starting it before the graph is recorded");
}

Status finished(const Starting &at) {
  Status first;
  for (const Event &e : at.events)
    if (const Status &s = e.wait(); !s && first)
      first = s;
  return first;
}

Result<AdmittedLaunch> Kernel::admit(std::span<const ImxView> operands) const {
  std::vector<int64_t> shapes;
  for (const ImxView &o : operands) {
    shapes.push_back(o.dtype);
    shapes.push_back(o.rank);
    shapes.insert(shapes.end(), o.shape, o.shape + o.rank);
    shapes.insert(shapes.end(), o.stride, o.stride + o.rank);
  }
  {
    std::lock_guard lock(last->mutex);
    if (!last->shapes.empty() && last->shapes == shapes && last->sizes == sizes)
      return last->launch;
  }
  auto launch = checkSizes(kernel->contract, operands, sizes);
  if (launch) {
    std::lock_guard lock(last->mutex);
    last->shapes = std::move(shapes);
    last->sizes = sizes;
    last->launch = *launch;
  }
  return launch;
}

std::shared_ptr<DeviceCore> Launch::device() const {
  for (const Loan &l : loans)
    if (l.borrow)
      return l.borrow->buffer->device;
  return nullptr;
}

Result<KernelCall> Launch::prepare(std::vector<Use> &uses) const {
  const LaunchContract &contract = kernel.contract();
  const std::string what = "kernel '" + contract.kernel + "'";
  KernelCall call;
  call.kernel = kernel.kernel;
  if (loans.empty())
    return badInput(280, what + " is refused: it is launched without operands");
  for (size_t i = 0; i < loans.size(); ++i) {
    if (auto s = loans[i].usable(what.c_str()); !s)
      return s.takeError();
    const Borrow &b = *loans[i].borrow;
    std::vector<int64_t> sizes;
    for (const Range &r : b.box)
      sizes.push_back(r.end - r.begin);
    sizes.insert(sizes.end(), b.buffer->strides.begin(), b.buffer->strides.end());
    call.sizes.push_back(std::move(sizes));
    const auto rank = static_cast<int32_t>(b.box.size());
    const int64_t *shape = call.sizes.back().data();
    call.operands.push_back(
        {b.buffer->at(b.box), shape, shape + rank, rank, static_cast<uint32_t>(b.buffer->type)});
    if (i >= contract.views.size())
      continue;
    const auto &view = contract.views[i];
    const bool writes = view.access != ViewAccess::Read;
    if (writes && b.kind == Borrowing::Read)
      return badInput(285,
                      what + " is refused: it writes operand '" + view.name +
                          "', which was lent for reading at " + text(b.site),
                      "", "write() or give() instead of read()");
    uses.push_back({b.buffer, b.box, view.access != ViewAccess::Write, writes, b.site,
                    "operand '" + view.name + "'"});
  }
  for (const Loan &l : loans)
    if (l.borrow->buffer->device != device())
      return badInput(280, what + " is refused: its operands are on different devices");
  auto admitted = kernel.admit(call.operands);
  if (!admitted)
    return admitted.takeError();
  // Loans of one tensor that exclude each other are told as such, not as addresses that overlap.
  if (auto s = checkWithin(what, uses); !s)
    return s.takeError();
  if (auto s = checkMemory(contract, call.operands); !s)
    return s.takeError();
  call.admitted = admitted.take();
  if (std::string_view target = device()->backend->target(); kernel.kernel->target != target)
    return badInput(280, what + " is refused: it is code for " + kernel.kernel->target +
                             ", and its operands are on " + std::string(target));
  return call;
}

Status Launch::start(Starting &at) {
  std::vector<Use> uses;
  auto call = prepare(uses);
  if (!call)
    return call.takeError();
  if (at.device != loans.front().borrow->buffer->device.get() && !at.capture)
    return badInput(280, "kernel '" + kernel.contract().kernel +
                             "' is refused: the stream and the operands are of different devices");
  const std::string what = "kernel '" + kernel.contract().kernel + "'";
  if (at.capture)
    return at.capture->add(*this, call.take(), std::move(uses));
  std::vector<BorrowRef> own;
  for (Loan &l : loans)
    own.push_back(std::move(l.borrow));
  Work work{.what = what};
  auto calls = std::make_shared<KernelCalls>();
  calls->push_back(std::make_shared<const KernelCall>(call.take()));
  work.calls = std::move(calls);
  return at.issue(std::move(work), uses, own);
}

} // namespace imbrex::launch
