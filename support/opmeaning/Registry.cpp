#include "support/opmeaning/ops/Families.h"

#include <algorithm>

namespace imbrex::opmeaning {

const std::vector<Operator> &allOperators() {
  static const std::vector<Operator> ops = [] {
    std::vector<Operator> list;
    registerAllFamilies(list);
    std::sort(list.begin(), list.end(),
              [](const Operator &a, const Operator &b) { return a.name < b.name; });
    return list;
  }();
  return ops;
}

const Operator *findOperator(std::string_view name) {
  const auto &ops = allOperators();
  auto it = std::lower_bound(ops.begin(), ops.end(), name,
                             [](const Operator &o, std::string_view n) { return o.name < n; });
  return it != ops.end() && it->name == name ? &*it : nullptr;
}

} // namespace imbrex::opmeaning
