// Handles of the interface as the library's own types.
#pragma once

#include "support/smt/Smt.h"

#include <z3.h>

namespace imbrex::smt {

inline Z3_context z3(const Context &context) { return static_cast<Z3_context>(context.raw()); }
inline Z3_ast ast(Term term) { return static_cast<Z3_ast>(term.handle); }
inline Z3_sort z3(Sort sort) { return static_cast<Z3_sort>(sort.handle); }

inline Outcome outcome(Z3_lbool answer) {
  return answer == Z3_L_TRUE    ? Outcome::Sat
         : answer == Z3_L_FALSE ? Outcome::Unsat
                                : Outcome::Unknown;
}

/// Parameters of one solver or optimizer; freed with the object.
class Parameters {
public:
  Parameters(const Context &context, Limits limits)
      : context(z3(context)), params(Z3_mk_params(this->context)) {
    Z3_params_inc_ref(this->context, params);
    set("timeout", limits.milliseconds ? limits.milliseconds : UINT32_MAX);
    set("rlimit", limits.resources);
  }
  ~Parameters() { Z3_params_dec_ref(context, params); }
  Parameters(const Parameters &) = delete;
  Z3_params get() const { return params; }

private:
  void set(const char *name, uint32_t value) {
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name), value);
  }
  Z3_context context;
  Z3_params params;
};

} // namespace imbrex::smt
