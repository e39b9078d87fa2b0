// How we call Boost.Math: extended precision inside, NaN and infinity instead of exceptions.
// Private to this folder.
#pragma once

#include <boost/math/policies/policy.hpp>

#include <exception>
#include <limits>

namespace imbrex::stats {

namespace bmp = boost::math::policies;
using BoostPolicy =
    bmp::policy<bmp::domain_error<bmp::ignore_error>, bmp::pole_error<bmp::ignore_error>,
                bmp::overflow_error<bmp::ignore_error>, bmp::underflow_error<bmp::ignore_error>,
                bmp::denorm_error<bmp::ignore_error>, bmp::rounding_error<bmp::ignore_error>,
                bmp::evaluation_error<bmp::ignore_error>,
                bmp::indeterminate_result_error<bmp::ignore_error>, bmp::promote_double<true>,
                bmp::discrete_quantile<bmp::integer_round_up>>;

/// What Boost computes, or NaN: a few of its functions throw in spite of the policy.
template <class Function> double guarded(Function compute) {
  try {
    return static_cast<double>(compute());
  } catch (const std::exception &) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

} // namespace imbrex::stats
