// The checks behind checkStudy, split by what they look at.
#pragma once

#include "stats/language/Study.h"

namespace imbrex::stats {

bool contains(const std::vector<std::string> &list, std::string_view name);

struct StudyChecker {
  Study &study;
  std::vector<Error> errors;

  void checkData();
  void checkVariables();
  void checkDesign();
  void checkAssumptions();
  void checkHypotheses();

private:
  void error(uint16_t code, Place place, std::string what, std::string because = {},
             std::string remedy = {});
  /// nullptr, with an error, when there is none.
  const Variable *declared(const std::string &name, Place place);
  void checkReshape(const ReshapeSpec &reshape);
  void orient(Assumption &a);

  void checkHypothesis(Hypothesis &h);
  bool checkNames(const Hypothesis &h);
  void settleAssociation(Hypothesis &h);
  bool checkCells(const Hypothesis &h);
  void checkRoles(const Hypothesis &h);
  void checkGroups(const Hypothesis &h);
  void checkLinear(const Hypothesis &h);
  void checkComparisons(Hypothesis &h);
  bool settleCompared(Hypothesis &h);
  void checkCategory(const Variable &v, const std::string &category, Place place);
  void checkOrder(const Hypothesis &h);
};

} // namespace imbrex::stats
