// One hypothesis of a study with its data: what properties are measured on, and what roles in the
// knowledge stand for.
#pragma once

#include "stats/data/Sample.h"
#include "stats/language/Study.h"

#include <memory>

namespace imbrex::stats {

class Situation {
public:
  /// `table` nullptr: there is no data yet (planning). All must outlive this.
  Situation(const Study &study, const Hypothesis &hypothesis, const Table *table);

  const Study &study;
  const Hypothesis &hypothesis;
  const Table *table;

  std::vector<std::string> explanatory; // of the hypothesis
  std::vector<std::string> explained;   // none or one
  std::vector<std::string> ordered;     // as written, the explained one last

  bool hasData() const { return table && table->rows > 0; }
  bool within(std::string_view name) const;
  bool anyWithin() const;
  const Variable &variable(const std::string &name) const { return *study.find(name); }
  const Column *column(const std::string &name) const {
    return table ? table->find(name) : nullptr;
  }
  const Column *key() const { return study.data.key.empty() ? nullptr : column(study.data.key); }

  /// Rows in which no variable of the hypothesis is missing.
  const CompleteRows &rows() const;
  /// Values of y by category of x, over rows().
  std::vector<std::vector<double>> groups(const std::string &x, const std::string &y) const;
  /// Values of y by combination of categories, those of the last x fastest; empty combinations too.
  std::vector<std::vector<double>> cells(const std::vector<std::string> &xs,
                                         const std::string &y) const;
  std::vector<double> values(const std::string &name) const;
  std::vector<int> codes(const std::string &name) const;
  /// Participants by combination of the categories of xs, those of the last x fastest, matched by
  /// the study's key. E1220.
  Result<Matched> matched(const std::vector<std::string> &xs, const std::string &y) const;
  Result<Matched> matched(const std::string &x, const std::string &y) const {
    return matched(std::vector<std::string>{x}, y);
  }
  /// The explanatory variables that are within participants, or those that are not.
  std::vector<std::string> withinFactors() const;
  std::vector<std::string> betweenFactors() const;
  /// Counts of a by b.
  std::vector<std::vector<double>> counts(const std::string &a, const std::string &b) const;

private:
  mutable std::unique_ptr<CompleteRows> complete;
};

} // namespace imbrex::stats
