// Checks, models, unsatisfiable cores, soft constraints.
#include "support/smt/Raw.h"

namespace imbrex::smt {

Model::Model(Context &context, void *model) : context(&context), model(model) {
  if (model)
    Z3_model_inc_ref(z3(context), static_cast<Z3_model>(model));
}
Model::Model(const Model &other) : Model(*other.context, other.model) {}
Model::~Model() {
  if (model)
    Z3_model_dec_ref(z3(*context), static_cast<Z3_model>(model));
}

void *Model::evaluate(Term term) const {
  Z3_ast value = nullptr;
  if (!model || !Z3_model_eval(z3(*context), static_cast<Z3_model>(model), ast(term), true, &value))
    return nullptr;
  return value;
}

bool Model::holds(Term term) const {
  auto *value = static_cast<Z3_ast>(evaluate(term));
  return value && Z3_get_bool_value(z3(*context), value) == Z3_L_TRUE;
}

std::optional<int64_t> Model::integer(Term term) const {
  auto *value = static_cast<Z3_ast>(evaluate(term));
  int64_t result = 0;
  if (!value || !Z3_is_numeral_ast(z3(*context), value) ||
      !Z3_get_numeral_int64(z3(*context), value, &result))
    return std::nullopt;
  return result;
}

std::string Model::text(Term term) const {
  auto *value = static_cast<Z3_ast>(evaluate(term));
  if (!value)
    return {};
  // The library takes true and false for numerals, without digits.
  bool isTruth = Z3_get_bool_value(z3(*context), value) != Z3_L_UNDEF;
  if (!isTruth && Z3_is_numeral_ast(z3(*context), value))
    return Z3_get_numeral_string(z3(*context), value);
  return Z3_ast_to_string(z3(*context), value);
}

bool Model::same(Term a, Term b) const {
  auto *x = static_cast<Z3_ast>(evaluate(a));
  auto *y = static_cast<Z3_ast>(evaluate(b));
  return x && y && Z3_is_eq_ast(z3(*context), x, y);
}

Solver::Solver(Context &context, Limits limits)
    : context(context), solver(Z3_mk_simple_solver(z3(context))) {
  Z3_solver_inc_ref(z3(context), static_cast<Z3_solver>(solver));
  setLimits(limits);
}

Solver::~Solver() { Z3_solver_dec_ref(z3(context), static_cast<Z3_solver>(solver)); }

void Solver::setLimits(Limits limits) {
  Parameters parameters(context, limits);
  Z3_solver_set_params(z3(context), static_cast<Z3_solver>(solver), parameters.get());
}

void Solver::add(Term formula) {
  Z3_solver_assert(z3(context), static_cast<Z3_solver>(solver), ast(formula));
}
void Solver::push() { Z3_solver_push(z3(context), static_cast<Z3_solver>(solver)); }
void Solver::pop() { Z3_solver_pop(z3(context), static_cast<Z3_solver>(solver), 1); }

Outcome Solver::check(std::span<const Term> assumptions) {
  // A term that the library refused to build would weaken or falsify the question.
  if (!context.failure().empty())
    return Outcome::Unknown;
  std::vector<Z3_ast> literals;
  for (Term assumption : assumptions)
    literals.push_back(ast(assumption));
  return outcome(Z3_solver_check_assumptions(z3(context), static_cast<Z3_solver>(solver),
                                             unsigned(literals.size()), literals.data()));
}

Model Solver::model() {
  return {context, Z3_solver_get_model(z3(context), static_cast<Z3_solver>(solver))};
}

std::vector<Term> Solver::core() {
  Z3_ast_vector core = Z3_solver_get_unsat_core(z3(context), static_cast<Z3_solver>(solver));
  Z3_ast_vector_inc_ref(z3(context), core);
  std::vector<Term> result;
  for (unsigned i = 0; i < Z3_ast_vector_size(z3(context), core); ++i)
    result.push_back({Z3_ast_vector_get(z3(context), core, i)});
  Z3_ast_vector_dec_ref(z3(context), core);
  return result;
}

std::string Solver::script() {
  return std::string(Z3_solver_to_string(z3(context), static_cast<Z3_solver>(solver))) +
         "(check-sat)\n";
}

Optimizer::Optimizer(Context &context, Limits limits)
    : context(context), optimizer(Z3_mk_optimize(z3(context))) {
  auto *raw = static_cast<Z3_optimize>(optimizer);
  Z3_optimize_inc_ref(z3(context), raw);
  Parameters parameters(context, limits);
  Z3_optimize_set_params(z3(context), raw, parameters.get());
}

Optimizer::~Optimizer() { Z3_optimize_dec_ref(z3(context), static_cast<Z3_optimize>(optimizer)); }

void Optimizer::add(Term formula) {
  Z3_optimize_assert(z3(context), static_cast<Z3_optimize>(optimizer), ast(formula));
}

void Optimizer::addSoft(Term formula, uint32_t weight, std::string_view group) {
  Z3_optimize_assert_soft(z3(context), static_cast<Z3_optimize>(optimizer), ast(formula),
                          std::to_string(weight).c_str(),
                          Z3_mk_string_symbol(z3(context), std::string(group).c_str()));
}

void Optimizer::push() { Z3_optimize_push(z3(context), static_cast<Z3_optimize>(optimizer)); }
void Optimizer::pop() { Z3_optimize_pop(z3(context), static_cast<Z3_optimize>(optimizer)); }

Outcome Optimizer::check() {
  if (!context.failure().empty())
    return Outcome::Unknown;
  return outcome(Z3_optimize_check(z3(context), static_cast<Z3_optimize>(optimizer), 0, nullptr));
}

Model Optimizer::model() {
  return {context, Z3_optimize_get_model(z3(context), static_cast<Z3_optimize>(optimizer))};
}

} // namespace imbrex::smt
