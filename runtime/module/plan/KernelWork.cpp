#include "runtime/module/plan/KernelWork.h"

namespace imbrex::runtime {

using artifact::KernelSpec;

namespace {

std::optional<int64_t> valueOf(const std::string &text, const SlotSizes &sizes,
                               const SlotSizes::Values &values) {
  if (text.empty() || text.size() > 4096)
    return std::nullopt;
  Result<DimExpr> size = DimExpr::parse(text);
  return size && size->valid() ? sizes.evaluate(*size, values) : std::nullopt;
}

int64_t bytesOf(const KernelSpec &k, const SlotSizes &sizes, const SlotSizes::Values &values) {
  int64_t total = 0;
  for (const artifact::TypeSpec &t : k.args) {
    int64_t bytes = byteSize(t.dtype);
    for (const artifact::DimSpec &d : t.dims) {
      const bool fixed = d.size.isLiteral() && d.size.value >= 0;
      const std::optional<int64_t> size = fixed ? d.size.value : valueOf(d.name, sizes, values);
      if (!size || __builtin_mul_overflow(bytes, *size, &bytes))
        return -1;
    }
    if (__builtin_add_overflow(total, bytes, &total))
      return -1;
  }
  return k.args.empty() ? -1 : total;
}

} // namespace

KernelWork workOf(const KernelSpec &k, const SlotSizes &sizes, const SlotSizes::Values &values) {
  return {k.flops ? k.flops : valueOf(k.work, sizes, values).value_or(0),
          bytesOf(k, sizes, values)};
}

} // namespace imbrex::runtime
