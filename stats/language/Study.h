// A study: what a researcher declares. The one form that the text reader, the JSON reader and C++
// programs build, and that everything else reads. Built by hand it needs no places; checkStudy says
// whether it is complete and consistent.
#pragma once

#include "stats/data/Reshape.h"
#include "support/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace imbrex::stats {

/// Where something was declared; line 0 in studies that C++ builds.
struct Place {
  uint32_t line = 0, column = 0;
};

struct DataSource {
  std::string file;         // relative to the study's folder; empty: to be given with --data
  std::string key;          // the column that names the participant; empty: each row is independent
  bool rowOrder = false;    // `key: row order`: the i-th rows of all levels belong together
  std::string table, query; // of a SQLite file
  std::optional<char> delimiter, decimal, thousands;
  std::string encoding;
  std::vector<std::string> missingWords; // replace the usual ones when given
  std::optional<ReshapeSpec> reshape;
  Place place;
};

enum class Measure : uint8_t { Nominal, Ordinal, Interval, Ratio };

struct Variable {
  std::string name;
  Measure measure = Measure::Nominal;
  std::vector<std::string> categories; // Nominal: in any order; Ordinal: from lowest to highest
  std::optional<double> low, high;     // of numbers, inclusive, checked
  ColumnSpec::Others others = ColumnSpec::Others::Refused;
  Place place;

  bool categorical() const { return measure == Measure::Nominal || measure == Measure::Ordinal; }
  bool continuous() const { return !categorical(); }
};

enum class StudyKind : uint8_t { Experiment, Observational };

struct Design {
  StudyKind kind = StudyKind::Observational;
  bool declared = false;
  std::vector<std::string> explanatory; // independent, or contributor
  std::vector<std::string> explained;   // dependent, or outcome
  std::vector<std::string> between, within;
  Place place;
};

/// A property that the researcher vouches for, such as `groups normal: Prob by So`.
struct Assumption {
  std::string property;               // id in the knowledge base: "groups_normal"
  std::vector<std::string> variables; // explanatory first
  Place place;
};

enum class Mode : uint8_t {
  Strict,  // a failing assumption is overridden by the data
  Relaxed, // a failing assumption is reported and kept
};

enum class Order : uint8_t { Greater, Less, Different, Equal };

/// `left > factor * right`, `left = right within margin`.
struct Comparison {
  std::string left, right; // categories
  Order order = Order::Different;
  double factor = 1;
  std::optional<double> margin = {}; // of Equal
  Place place = {};
};

enum class Trend : uint8_t { Either, Positive, Negative };

/// One term of a linear hypothesis.
struct LinearTerm {
  std::string variable;
  Trend trend = Trend::Either;
};

enum class HypothesisForm : uint8_t {
  Association, // `a, b`: related in some way
  Groups,      // `y by x`: the groups of x differ in y, as the comparisons say
  Linear,      // `y ~ x`: y changes linearly with x
  Constant,    // `y > 50`: the centre of y against a number
};

struct Hypothesis {
  HypothesisForm form = HypothesisForm::Association;
  std::string outcome;                 // of all forms but Association
  std::vector<std::string> variables;  // the explanatory ones; all of an Association
  std::vector<LinearTerm> terms;       // of Linear, in the order of variables
  std::vector<std::string> given;      // covariates
  std::vector<Comparison> comparisons; // of Groups: a partial order
  std::string compared;                // the variable whose categories they name
  Order order = Order::Different;      // of Constant
  double constant = 0;
  Place place;
};

struct Study {
  std::string file; // the study's own; "" when there is none
  DataSource data;
  std::vector<Variable> variables;
  Design design;
  std::vector<Assumption> assumptions;
  double alpha = 0.05;
  /// Level of the tests of properties. Not alpha: a stricter alpha must not make assumptions easier
  /// to pass.
  double threshold = 0.05;
  Mode mode = Mode::Strict;
  std::string rules = "default";
  std::string conventions; // empty: the project's own
  std::vector<Hypothesis> hypotheses;

  const Variable *find(std::string_view name) const;
  FileLocation at(Place place) const { return {file, place.line, place.column}; }
};

/// Everything that is wrong with the study itself, in the order of the file: incomplete,
/// contradictory, names that nobody declared. Also settles what may be left open: which variable
/// comparisons are about, which of two variables of an Association is explained. E1232-E1239. An
/// empty result means that the study can be run.
std::vector<Error> checkStudy(Study &study);

/// The columns that the study reads, with their types: variables, and the key as categories.
std::vector<ColumnSpec> columnsOf(const Study &study);

} // namespace imbrex::stats
