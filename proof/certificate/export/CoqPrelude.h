// What a certificate for Coq starts with; it opens the section that the proof is in.
#pragma once

#include <cstdint>
#include <string>

namespace imbrex::certificate {

enum class Numbers : uint8_t { Whole, Real };

/// The part about refutations (CoqRefutations.cpp).
extern const char *const CoqRefutations;

std::string coqPrelude(Numbers numbers);

} // namespace imbrex::certificate
