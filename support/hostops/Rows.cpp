// write_row and append_row: what loops collect, run by run.
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

namespace imbrex {

using namespace hostops;

/// Fails unless `row` is one of x's.
static Status checkRow(const HostTensor &x, const HostTensor &row, const char *name) {
  if (row.type() == x.type() &&
      std::equal(x.shape().begin() + 1, x.shape().end(), row.shape().begin(), row.shape().end()))
    return {};
  return wrongValue(std::string(name) + " is given a row of another shape than x has");
}

static HostTensor copied(const HostTensor &x, std::vector<int64_t> shape) {
  HostTensor out(x.type(), std::move(shape));
  copyElements(out, 0, x, 0, x.elems());
  return out;
}

Result<std::vector<HostTensor>> writeRow(HostArgs args) {
  const HostTensor &x = *args[0], &row = *args[1];
  if (auto fits = checkRow(x, row, "write_row"); !fits)
    return fits.takeError();
  const int64_t at = args[2]->toInt(0);
  if (at < 0 || at >= x.shape()[0])
    return wrongValue("write_row is to replace row " + std::to_string(at),
                      "there are " + std::to_string(x.shape()[0]));
  HostTensor out = copied(x, x.shape());
  copyElements(out, at * row.elems(), row, 0, row.elems());
  return std::vector<HostTensor>{std::move(out)};
}

Result<std::vector<HostTensor>> appendRow(HostArgs args) {
  const HostTensor &x = *args[0], &row = *args[1];
  if (auto fits = checkRow(x, row, "append_row"); !fits)
    return fits.takeError();
  auto shape = x.shape();
  ++shape[0];
  HostTensor out = copied(x, std::move(shape));
  copyElements(out, x.elems(), row, 0, row.elems());
  return std::vector<HostTensor>{std::move(out)};
}

} // namespace imbrex
