#include "runtime/module/plan/KernelWork.h"

#include "runtime/module/format/KernelBytes.h"

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

} // namespace

KernelWork workOf(const KernelSpec &k, const SlotSizes &sizes, const SlotSizes::Values &values) {
  return {k.flops ? k.flops : valueOf(k.work, sizes, values).value_or(0),
          artifact::bytesOf(k, [&](const artifact::DimSpec &d) -> std::optional<int64_t> {
            const bool fixed = d.size.isLiteral() && d.size.value >= 0;
            return fixed ? d.size.value : valueOf(d.name, sizes, values);
          })};
}

} // namespace imbrex::runtime
