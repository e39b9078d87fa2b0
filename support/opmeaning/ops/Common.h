// What several operator families need: attribute declarations, checks with a reason, axes,
// broadcasting.
#pragma once

#include "support/opmeaning/Operator.h"

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::opmeaning {

// --- declarations -------------------------------------------------------------------------------

AttrDecl intAttr(std::string_view name, int64_t fallback, std::string_view doc);
AttrDecl realAttr(std::string_view name, double fallback, std::string_view doc);
AttrDecl wordAttr(std::string_view name, std::string_view fallback, std::string_view doc);
/// A list, empty unless given.
AttrDecl intsAttr(std::string_view name, std::string_view doc);
AttrDecl typeAttr(std::string_view name, DType fallback, std::string_view doc);
/// An attribute without a default.
AttrDecl requiredAttr(std::string_view name, AttrKind kind, std::string_view doc);

// --- failures -----------------------------------------------------------------------------------

/// The type relation's failure with this reason.
Result<Program> failed(Builder &b, std::string why);
/// False, and b fails, unless `ok`.
bool check(Builder &b, bool ok, std::string why);
bool checkFloat(Builder &b, const Tensor &t);
bool checkNumeric(Builder &b, const Tensor &t);
bool checkSameType(Builder &b, const Tensor &x, const Tensor &y);
/// Fails b unless `t` has exactly one element: a scalar, or a shape of ones.
bool checkScalar(Builder &b, const Tensor &t, std::string_view what);
/// The one element of such a tensor.
Val scalarOf(const Tensor &t);
/// "f32[n, 8]"
std::string describe(const Tensor &t);

// --- dtypes -------------------------------------------------------------------------------------

/// The type in which a composite formula on `t` is computed: f32 for f16, bf16 and f32; f64 for f64
/// and for integers and bools.
DType computeType(DType t);

// --- axes and indices ---------------------------------------------------------------------------

std::vector<Ix> list(Axes i);
/// `i` with negative values counted from the end; nothing (and b fails) when it is outside [-rank,
/// rank).
std::optional<size_t> axisOf(Builder &b, int64_t i, size_t rank);
/// All of them, sorted and once; nothing (and b fails) for one outside or a repeated one.
std::optional<std::vector<size_t>> axesOf(Builder &b, const std::vector<int64_t> &axes,
                                          size_t rank);

/// `d`, or max(d, 1) where d is not proven positive: a legal divisor, equal wherever an element
/// exists.
Dim divisor(const Builder &b, const Dim &d);
Dim product(const std::vector<Dim> &dims, size_t begin, size_t end);
/// The row-major flat place of an index.
Ix flatten(const std::vector<Ix> &at, const std::vector<Dim> &dims);
/// The index of a row-major flat place.
std::vector<Ix> unflatten(const Builder &b, const Ix &flat, const std::vector<Dim> &dims);
/// The index v of an axis of size d, counted from the end where negative.
Ix wrapNegative(Builder &b, const Ix &v, const Dim &d);
/// 0 <= i < d
Pred inside(const Ix &i, const Dim &d);

// --- sizes --------------------------------------------------------------------------------------

/// A constant integer operand's elements; nothing when it is absent or not constant.
std::optional<std::vector<int64_t>> constantInts(const Builder &b, size_t i);
/// A constant integer operand's elements, or those known by name; nothing for any other.
std::optional<std::vector<Dim>> knownInts(const Builder &b, size_t i);
/// Fails b unless operand `t` is a vector of integers of known length; its length.
std::optional<size_t> vectorLength(Builder &b, const Tensor &t, std::string_view what);
/// min and max that fold where the facts decide.
Dim smaller(const Builder &b, const Dim &x, const Dim &y);
Dim larger(const Builder &b, const Dim &x, const Dim &y);
/// dims[k] as an i64 scalar. Precondition: dims is not empty and 0 <= k < its length.
Val sizeAt(Builder &b, const std::vector<Dim> &dims, const Ix &k);

// --- broadcasting -------------------------------------------------------------------------------

/// The multidirectional broadcast of shapes, aligned at their ends.
std::vector<Dim> broadcastDims(Builder &b, const std::vector<std::vector<Dim>> &shapes,
                               std::string_view what);
/// Requires that `t` broadcasts to `dims` without changing them.
bool checkBroadcastsTo(Builder &b, const Tensor &t, const std::vector<Dim> &dims,
                       std::string_view what);
/// t's element at index `i` of a broadcast shape, aligned at the ends.
Val readBroadcast(Builder &b, const Tensor &t, Axes i);

// --- definitions --------------------------------------------------------------------------------

/// A definition of `dims` whose element is `body` computed in computeType and cast to `type`.
Tensor defComputed(Builder &b, std::string name, DType type, std::vector<Dim> dims,
                   const Fn<Val> &body);

} // namespace imbrex::opmeaning
