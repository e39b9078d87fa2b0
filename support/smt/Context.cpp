// Sorts and terms.
#include "support/smt/Raw.h"

#include <new>

namespace imbrex::smt {

namespace {

// The library's default handler ends the process.
void ignoreError(Z3_context, Z3_error_code) {}

std::vector<Z3_ast> asts(std::span<const Term> terms) {
  std::vector<Z3_ast> result;
  result.reserve(terms.size());
  for (Term term : terms)
    result.push_back(ast(term));
  return result;
}

Z3_symbol symbol(Z3_context context, std::string_view name) {
  return Z3_mk_string_symbol(context, std::string(name).c_str());
}

} // namespace

// The counting of references is left to the context (not the _rc variant): handles stay plain.
Context::Context() {
  Z3_config config = Z3_mk_config();
  context = Z3_mk_context(config);
  Z3_del_config(config);
  if (!context) // there is no memory for one
    throw std::bad_alloc();
  Z3_set_error_handler(z3(*this), ignoreError);
}

Context::~Context() { Z3_del_context(z3(*this)); }

// The library answers null for what it refuses; the first reason stays, and checks refuse from then
// on, so that any term may stand in its place.
Term Context::keep(void *term) {
  if (term)
    return {term};
  if (failureText.empty())
    failureText = Z3_get_error_msg(z3(*this), Z3_get_error_code(z3(*this)));
  return {Z3_mk_true(z3(*this))};
}

Sort Context::boolSort() { return {Z3_mk_bool_sort(z3(*this))}; }
Sort Context::intSort() { return {Z3_mk_int_sort(z3(*this))}; }
Sort Context::realSort() { return {Z3_mk_real_sort(z3(*this))}; }
Sort Context::uninterpretedSort(std::string_view name) {
  return {Z3_mk_uninterpreted_sort(z3(*this), symbol(z3(*this), name))};
}

Enumeration Context::enumeration(std::string_view name, std::span<const std::string> values) {
  std::vector<Z3_symbol> names;
  for (const std::string &value : values)
    names.push_back(symbol(z3(*this), value));
  std::vector<Z3_func_decl> constants(values.size()), testers(values.size());
  Z3_sort sort = Z3_mk_enumeration_sort(z3(*this), symbol(z3(*this), name), unsigned(names.size()),
                                        names.data(), constants.data(), testers.data());
  Enumeration result{{sort}, {}};
  for (Z3_func_decl constant : constants)
    result.values.push_back({Z3_mk_app(z3(*this), constant, 0, nullptr)});
  return result;
}

Term Context::constant(std::string_view name, Sort sort) {
  return keep(Z3_mk_const(z3(*this), symbol(z3(*this), name), z3(sort)));
}

Function Context::function(std::string_view name, std::span<const Sort> arguments, Sort result) {
  std::vector<Z3_sort> sorts;
  for (Sort argument : arguments)
    sorts.push_back(z3(argument));
  return {Z3_mk_func_decl(z3(*this), symbol(z3(*this), name), unsigned(sorts.size()), sorts.data(),
                          z3(result))};
}

Term Context::apply(Function function, std::span<const Term> arguments) {
  std::vector<Z3_ast> operands = asts(arguments);
  return keep(Z3_mk_app(z3(*this), static_cast<Z3_func_decl>(function.handle),
                        unsigned(operands.size()), operands.data()));
}

Term Context::boolean(bool value) {
  return {value ? Z3_mk_true(z3(*this)) : Z3_mk_false(z3(*this))};
}

Term Context::integer(int64_t value) {
  return keep(Z3_mk_int64(z3(*this), value, Z3_mk_int_sort(z3(*this))));
}

Term Context::numeral(const std::string &text, Sort sort) {
  return keep(Z3_mk_numeral(z3(*this), text.c_str(), z3(sort)));
}

Term Context::rational(int64_t numerator, int64_t denominator) {
  std::string text = std::to_string(numerator) + "/" + std::to_string(denominator);
  return keep(Z3_mk_numeral(z3(*this), text.c_str(), Z3_mk_real_sort(z3(*this))));
}

Term Context::conjunction(std::span<const Term> operands) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_and(z3(*this), unsigned(args.size()), args.data()));
}

Term Context::disjunction(std::span<const Term> operands) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_or(z3(*this), unsigned(args.size()), args.data()));
}

Term Context::negation(Term operand) { return keep(Z3_mk_not(z3(*this), ast(operand))); }
Term Context::implies(Term from, Term to) {
  return keep(Z3_mk_implies(z3(*this), ast(from), ast(to)));
}
Term Context::equal(Term a, Term b) { return keep(Z3_mk_eq(z3(*this), ast(a), ast(b))); }

Term Context::distinct(std::span<const Term> operands) {
  std::vector<Z3_ast> args = asts(operands);
  if (args.size() < 2)
    return boolean(true);
  return keep(Z3_mk_distinct(z3(*this), unsigned(args.size()), args.data()));
}

Term Context::choose(Term condition, Term then, Term otherwise) {
  return keep(Z3_mk_ite(z3(*this), ast(condition), ast(then), ast(otherwise)));
}

Term Context::sum(std::span<const Term> operands) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_add(z3(*this), unsigned(args.size()), args.data()));
}

Term Context::product(std::span<const Term> operands) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_mul(z3(*this), unsigned(args.size()), args.data()));
}

Term Context::less(Term a, Term b) { return keep(Z3_mk_lt(z3(*this), ast(a), ast(b))); }
Term Context::lessEqual(Term a, Term b) { return keep(Z3_mk_le(z3(*this), ast(a), ast(b))); }
Term Context::toReal(Term integer) { return keep(Z3_mk_int2real(z3(*this), ast(integer))); }

Term Context::atLeast(std::span<const Term> operands, uint32_t count) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_atleast(z3(*this), unsigned(args.size()), args.data(), count));
}

Term Context::atMost(std::span<const Term> operands, uint32_t count) {
  std::vector<Z3_ast> args = asts(operands);
  return keep(Z3_mk_atmost(z3(*this), unsigned(args.size()), args.data(), count));
}

Sort Context::sortOf(Term term) { return {Z3_get_sort(z3(*this), ast(term))}; }
std::string Context::text(Term term) { return Z3_ast_to_string(z3(*this), ast(term)); }

} // namespace imbrex::smt
