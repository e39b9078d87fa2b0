#include "stats/select/Measure.h"

namespace imbrex::stats {
namespace {

const NamedMeasurement *find(std::string_view id) {
  for (const auto *list : {&declaredFacts(), &countedProperties(), &testedProperties()})
    for (const NamedMeasurement &m : *list)
      if (m.id == id)
        return &m;
  return nullptr;
}

} // namespace

std::optional<size_t> measuredVariables(std::string_view id) {
  const NamedMeasurement *m = find(id);
  return m ? std::optional(m->variables) : std::nullopt;
}

Evidence measure(std::string_view id, const Situation &situation,
                 const std::vector<std::string> &variables, double threshold) {
  const NamedMeasurement *m = find(id);
  return m ? m->measure(situation, variables, threshold)
           : Evidence{Answer::Undefined, "nothing measures it", {}};
}

} // namespace imbrex::stats
