// Two categories of a factor, after analyses of several factors.
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/posthoc/MarginalMeans.h"
#include "stats/select/Designs.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

Computed refused(std::string reason) {
  Computed c;
  c.result.refused(std::move(reason));
  return c;
}

/// Tests the difference against shifts, as the prediction asks.
Computed decided(const Contrast &contrast, const std::function<TestResult(double)> &test) {
  Computed c;
  c.result = test(0);
  c.alternative = contrast.alternative;
  c.prediction = contrast.text;
  if (contrast.margin)
    decideEquivalence(c, *contrast.margin, test);
  return c;
}

/// Of marginal means, with the error of the whole model.
Computed marginal(const ComputeSetting &setting, const Contrast *contrast) {
  const Situation &s = setting.situation;
  if (std::string reason = notCategorical(s); !contrast || !reason.empty())
    return refused(contrast ? reason : "there is nothing to compare");
  FactorialDesign design = factorialDesignOf(setting);
  auto factor = std::find(s.explanatory.begin(), s.explanatory.end(), s.hypothesis.compared);
  MarginalPair pair{static_cast<size_t>(factor - s.explanatory.begin()), contrast->first,
                    contrast->second, contrast->factor};
  return decided(*contrast, [&](double shift) {
    pair.hypothesised = shift;
    return marginalContrast(design, pair);
  });
}

/// Of the participants' means: paired within them, Welch's test between them.
Computed ofParticipants(const ComputeSetting &setting, const Contrast *contrast) {
  if (!contrast)
    return refused("there is nothing to compare");
  Result<ParticipantsMeans> means = participantsMeans(setting, *contrast);
  if (!means)
    return refused(means.error().what);
  return decided(*contrast, [&](double shift) {
    LocationOptions options{.hypothesised = shift, .level = setting.level};
    return means->paired ? pairedT(means->first, means->second, options)
                         : welchsT(means->first, means->second, options);
  });
}

} // namespace

const std::vector<NamedComputation> &comparisonComputations() {
  static const std::vector<NamedComputation> list = {{"marginal_contrast", marginal},
                                                     {"participants_contrast", ofParticipants}};
  return list;
}

} // namespace imbrex::stats
