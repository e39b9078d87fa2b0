#include "runtime/host_ops/HostOps.h"

#include <cstring>

namespace imbrex::runtime {

Status callHostFunction(const HostFunction &function, HostCall &call, ItemHeap &heap) {
  std::vector<HostTensor> borrowed;
  std::vector<const HostTensor *> args;
  for (Tensor *t : call.operands()) {
    // The call's registers keep the bytes while it runs.
    std::shared_ptr<const void> none(t, [](const void *) {});
    auto shape = t->shape();
    borrowed.emplace_back(t->dtype(), std::vector<int64_t>(shape.begin(), shape.end()),
                          std::span<const std::byte>(t->bytes(), t->byteCount), std::move(none));
  }
  for (const HostTensor &t : borrowed)
    args.push_back(&t);
  auto results = function(args, heap);
  if (!results)
    return results.takeError();
  if (call.resultCount() > results->size())
    return badInput(242, "'" + std::string(function.name) + "' gives fewer results than asked for");
  for (size_t i = 0; i < call.resultCount(); ++i) {
    const HostTensor &from = (*results)[i];
    Tensor *to = call.makeResult(i, from.type(), from.shape());
    if (!to)
      return badInput(250, "no memory for a result of '" + std::string(function.name) + "'");
    if (!from.bytes().empty())
      std::memcpy(to->bytes(), from.bytes().data(), from.bytes().size());
  }
  return {};
}

} // namespace imbrex::runtime
