// Turns a contraction into packed operands and a product of tiles, so that one schedule serves
// matrix products and convolutions of every kind.
//
//   c[m,n] = sum(k) X(m,k) * Y(k,n)
// becomes
//   a[mo, k, mi]  = mo*MR + mi < M ? X(mo*MR + mi, k) : 0
//   b[no, k, ni]  = no*NR + ni < N ? Y(k, no*NR + ni) : 0
//   t[mo, mi, no, ni] = sum(k) a[mo, k, mi] * b[no, k, ni]            the packed product
//   c[m, n] = t[m floordiv MR, m mod MR, n floordiv NR, n mod NR]
//
// X and Y may be any terms (a convolution's window read, a cast, an inlined element function); a
// guard of the sum becomes a zero in the operand that it speaks of, which differs from leaving the
// term out only for non-finite elements of the other one: the float contract's licence. Several
// parallel or reduced indices are flattened into m, n or k. Refuses: integer types (no packed
// kernel for them yet), few rows or columns (a plain loop is faster), grouped sums where an index
// occurs in both operands and leaves one side empty.
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// The register tile that packed operands are laid out for: the same for every CPU level, so that
/// weights packed into an artifact serve all of them.
struct PackedTile {
  static constexpr int64_t rows = 8;
  static constexpr int64_t columns = 32;
};

/// Rewrites every contraction of `program` for which it pays; `remarks` says which were left and
/// why. All definitions must be in normal form.
void packContractions(opmeaning::Program &program, const DimFacts &facts,
                      std::vector<std::string> &remarks);

/// Recognises a packed product by its form: t[batch…, mo, mi, no, ni] with the two packed reads
/// above.
bool isPackedProduct(const opmeaning::Program &program, const opmeaning::Def &def);

} // namespace imbrex::lower
