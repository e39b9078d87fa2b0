// Satisfiability modulo theories: Booleans, integers, rationals, enumerations, uninterpreted sorts
// and functions. The only door to Z3 (C API, 4.8.12).
//
//   Context context;
//   Term x = context.constant("x", context.intSort());
//   Solver solver(context, {.milliseconds = 500});
//   solver.add(context.less(x, context.integer(0)));
//   if (solver.check() == Outcome::Unsat) ...
//
// A Context owns every Sort, Function and Term made from it; they are plain handles, valid until
// it dies, and never freed before: make one context per question or small family of questions. No
// global parameter is set, so several contexts live beside each other and beside LLVM's own use of
// the library. One thread per context.
//
// Errors: what the library rejects (ill-sorted terms) or runs out of (time, resources, memory)
// never throws and never ends the process; checks answer Unknown and `failure()` has the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::smt {

struct Term {
  void *handle = nullptr;
  bool operator==(const Term &) const = default;
};
struct Sort {
  void *handle = nullptr;
  bool operator==(const Sort &) const = default;
};
struct Function {
  void *handle = nullptr;
};

/// The constants of an enumeration sort, in the order of their names.
struct Enumeration {
  Sort sort;
  std::vector<Term> values;
};

class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  Sort boolSort();
  Sort intSort();
  Sort realSort();
  Sort uninterpretedSort(std::string_view name);
  Enumeration enumeration(std::string_view name, std::span<const std::string> values);

  /// The same name and sorts give the same symbol.
  Term constant(std::string_view name, Sort sort);
  Function function(std::string_view name, std::span<const Sort> arguments, Sort result);
  Term apply(Function function, std::span<const Term> arguments);

  Term boolean(bool value); // NOLINT: a value, not a switch
  Term integer(int64_t value);
  /// Decimal digits with a sign, or a fraction of such: "-12", "1/3".
  Term numeral(const std::string &text, Sort sort);
  /// `denominator` > 0.
  Term rational(int64_t numerator, int64_t denominator);

  Term conjunction(std::span<const Term> operands);
  Term disjunction(std::span<const Term> operands);
  Term negation(Term operand);
  Term implies(Term from, Term to);
  Term equal(Term a, Term b);
  Term distinct(std::span<const Term> operands);
  Term choose(Term condition, Term then, Term otherwise);

  Term sum(std::span<const Term> operands);
  Term product(std::span<const Term> operands);
  Term less(Term a, Term b);
  Term lessEqual(Term a, Term b);
  Term toReal(Term integer);
  /// Of Booleans: at least / at most `count` hold.
  Term atLeast(std::span<const Term> operands, uint32_t count);
  Term atMost(std::span<const Term> operands, uint32_t count);

  Sort sortOf(Term term);
  /// SMT-LIB text of a term, for messages and for re-checking elsewhere.
  std::string text(Term term);
  /// The first thing the library refused; empty: nothing.
  const std::string &failure() const { return failureText; }

  void *raw() const { return context; } // for this folder only

private:
  Term keep(void *term);
  void *context;
  std::string failureText;
};

enum class Outcome : uint8_t { Sat, Unsat, Unknown };

/// Per check. Both hold: the resource count makes runs repeatable, the time is the fuse.
struct Limits {
  uint32_t milliseconds = 2000;
  uint32_t resources = 0; // 0: no limit; about 1e6 a second
};

/// Values of a satisfiable check.
class Model {
public:
  Model(Context &context, void *model);
  Model(const Model &other);
  Model &operator=(const Model &) = delete;
  ~Model();

  bool holds(Term term) const;                     // of sort Bool; false when it is open
  std::optional<int64_t> integer(Term term) const; // nothing: no integer, or too large
  std::string text(Term term) const;               // "3", "1/2", an enumeration's constant
  /// Do both terms have the same value?
  bool same(Term a, Term b) const;

private:
  void *evaluate(Term term) const;
  Context *context;
  void *model;
};

class Solver {
public:
  explicit Solver(Context &context, Limits limits = {});
  ~Solver();
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  void setLimits(Limits limits);
  void add(Term formula);
  void push();
  void pop();
  Outcome check() { return check({}); }
  /// `assumptions` are Boolean constants or their negations.
  Outcome check(std::span<const Term> assumptions);
  /// After Sat.
  Model model();
  /// After Unsat with assumptions: a subset of them that suffices, not always a least one.
  std::vector<Term> core();
  /// The assertions as an SMT-LIB script with check-sat.
  std::string script();

private:
  Context &context;
  void *solver;
};

/// Weighted soft constraints: finds a model that meets all hard ones and loses least weight.
class Optimizer {
public:
  explicit Optimizer(Context &context, Limits limits = {});
  ~Optimizer();
  Optimizer(const Optimizer &) = delete;
  Optimizer &operator=(const Optimizer &) = delete;

  void add(Term formula);
  void addSoft(Term formula, uint32_t weight, std::string_view group = "goal");
  void push();
  void pop();
  Outcome check();
  Model model();

private:
  Context &context;
  void *optimizer;
};

} // namespace imbrex::smt
