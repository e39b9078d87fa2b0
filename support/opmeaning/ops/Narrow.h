// Narrow types in terms of wide ones: their codes are taken apart and put together with integer
// arithmetic, so that evaluator, kernels and proofs need no further element functions. Sources: OCP
// 8-bit floating point specification (E4M3, E5M2), OCP Microscaling formats (E8M0, E2M1), ONNX's
// table of the FNUZ forms.
#pragma once

#include "support/opmeaning/Builder.h"

namespace imbrex::opmeaning {

/// What becomes of a value beyond the largest finite one, infinities included. Special: infinity
/// where the format has one, else NaN; F4E2M1 has neither and always saturates.
enum class Overflow : uint8_t { Saturate, Special };

/// How F8E8M0 rounds to a power of two; every other type rounds to nearest, ties to even.
enum class PowerRounding : uint8_t { Up, Down, Nearest };

/// v in f32 (narrow floats, exactly), i8 or u8 (narrow integers); v itself when it is wide.
Val widened(Builder &b, const Val &v);

/// v as a narrow type. Integers keep their low bits.
Val narrowed(Builder &b, const Val &v, DType to, Overflow overflow = Overflow::Saturate,
             PowerRounding rounding = PowerRounding::Up);

/// A cast between any two types: plain where both are wide, else by the two above.
Val anyCast(Builder &b, const Val &v, DType to, Overflow overflow = Overflow::Saturate,
            PowerRounding rounding = PowerRounding::Up);

} // namespace imbrex::opmeaning
