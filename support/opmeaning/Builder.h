// Writes Programs. The types make wrong programs hard to write: sizes (Dim) are not indices (Ix),
// an Ix is not multiplied by an Ix, and no C++ `if` takes a term.
//
//   auto a = *b.in(0), w = *b.in(1);                             // MatMul of two matrices
//   b.require(eq(a.dims[1], w.dims[0]), "the inner dimensions differ");
//   auto y = b.def("y", a.type, {a.dims[0], w.dims[1]}, [&](Axes i) {
//     return b.reduce(Red::Sum, accumulatorFor(a.type), {a.dims[1]}, {}, [&](Axes k) {
//       return a({i[0], k[0]}) * w({k[0], i[1]}); }); });
//   return b.finish({y});
#pragma once

#include "support/opmeaning/Program.h"

#include <functional>
#include <initializer_list>
#include <span>

namespace imbrex::opmeaning {

using Dim = DimExpr;
class Builder;

/// An index. Made from a variable, a number or a Dim; no Ix*Ix, no operator/ and no operator%.
struct Ix {
  const Node *n = nullptr;
  Builder *b = nullptr; // null for a literal until it meets another term
  int64_t literal = 0;
  DimExpr dim = 0;
  enum class Form : uint8_t { Node, Literal, Dim } form = Form::Literal;

  Ix(int64_t v) : literal(v) {}                 // NOLINT
  Ix(const Dim &d) : dim(d), form(Form::Dim) {} // NOLINT
  Ix(const Node *node, Builder *builder) : n(node), b(builder), form(Form::Node) {}
};
Ix operator+(const Ix &a, const Ix &b);
Ix operator-(const Ix &a, const Ix &b);
Ix operator*(const Ix &a, const Dim &d);
Ix operator*(const Dim &d, const Ix &a);
Ix floorDiv(const Ix &a, const Dim &d);
Ix mod(const Ix &a, const Dim &d);
Ix min(const Ix &a, const Ix &b);
Ix max(const Ix &a, const Ix &b);

/// A guard. A guard over literals and Dims only is decided at once where the facts decide it.
struct Pred {
  const Node *n = nullptr; // null: a decided guard
  Builder *b = nullptr;
  bool decided = true;
  // An undecided comparison of two builder-less indices, or an undecided all() or any(), keeps its
  // parts until a Builder interns it.
  Cmp cmp = Cmp::Eq;
  std::shared_ptr<const std::pair<Ix, Ix>> sides;
  enum class Join : uint8_t { None, All, Any } join = Join::None;
  std::shared_ptr<const std::vector<Pred>> parts;
  explicit operator bool() const = delete;
};
Pred eq(const Ix &a, const Ix &b);
Pred ne(const Ix &a, const Ix &b);
Pred lt(const Ix &a, const Ix &b);
Pred le(const Ix &a, const Ix &b);
Pred operator!(const Pred &p);
/// Left to right: a later guard may rely on an earlier one.
Pred all(std::initializer_list<Pred> guards);
Pred all(std::span<const Pred> guards);
Pred any(std::initializer_list<Pred> guards);

/// A scalar with a dtype.
struct Val {
  const Node *n = nullptr;
  Builder *b = nullptr;
  DType type = DType::Invalid;
  explicit operator bool() const = delete;
};
Val operator+(const Val &a, const Val &b);
Val operator-(const Val &a, const Val &b);
Val operator*(const Val &a, const Val &b);
Val operator/(const Val &a, const Val &b);
Val operator-(const Val &a);

using Axes = std::span<const Ix>;
template <class T> using Fn = std::function<T(Axes)>;
template <class T> using Fn0 = std::function<T()>;

/// An operand or an earlier definition, readable.
struct Tensor {
  DType type = DType::Invalid;
  std::vector<Dim> dims;
  Source source;
  Builder *b = nullptr;

  size_t rank() const { return dims.size(); }
  Val operator()(std::vector<Ix> at) const;
  /// The element of an integer tensor as an index.
  Ix index(std::vector<Ix> at) const;
  /// The element as a size: a constant operand's folds, otherwise it opens a run-time size.
  Dim value(std::vector<int64_t> at = {}) const;
};

class Builder {
public:
  Builder(std::vector<Operand> operands, DimFacts facts);

  size_t operandCount() const;
  /// Operand i, or nothing when it is absent or there are fewer.
  std::optional<Tensor> in(size_t i) const;
  /// Operand i's value, or null when it is absent or not constant.
  const HostTensor *constant(size_t i) const;
  /// The elements of an operand as sizes, where they are known by name.
  std::optional<std::vector<Dim>> named(Source source) const;
  const DimFacts &facts() const { return known; }

  /// A guard that must hold; decided false fails finish() with `why`. E0520.
  void require(const Pred &p, std::string why);
  /// Fails finish() with this reason: the type relation does not hold. E0520.
  void fail(std::string why);

  Tensor def(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body);
  Tensor shapeDef(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body);

  /// An empty `where` means always. Indices live inside the lambdas only.
  Val reduce(Red red, DType accumulator, std::vector<Dim> extents, const Fn<Pred> &where,
             const Fn<Val> &body);
  struct BestOf {
    Val value;
    Ix place; // flat place in row-major order over the extents; -1 for an empty set
  };
  BestOf best(Best best, Tie tie, std::vector<Dim> extents, const Fn<Pred> &where,
              const Fn<Val> &body);

  Val select(const Pred &p, const Fn0<Val> &then, const Fn0<Val> &otherwise);
  Ix select(const Pred &p, const Fn0<Ix> &then, const Fn0<Ix> &otherwise);
  Val f(FnId fn, std::initializer_list<Val> args);
  Val f(FnId fn, std::span<const Val> args);
  Val cast(const Val &v, DType type);
  Val cast(const Ix &i, DType type);
  Val bits(const Val &v, DType type); // the same bits as another type of the same size in memory
  Val cast(const Pred &p);            // to Bool
  Val detach(const Val &v);
  Val real(double v, DType type);     // a constant of a float type
  Val integer(int64_t v, DType type); // a constant of an integer type or Bool
  Val constant(double v, DType type); // of any type; integers truncate
  Pred holds(const Val &boolean);     // a Bool scalar as a guard

  /// The size to which two broadcast: equal, or one of them 1 (a requirement). Where nothing is
  /// known of either it is bcast(a, b), decided when it runs.
  Dim broadcast(const Dim &a, const Dim &b, std::string_view what);
  /// Requires that `a` is 1 or `whole`.
  void requireBroadcast(const Dim &a, const Dim &whole, std::string why);
  /// The index with which an operand's dimension of size `a` is read at index i of the dimension to
  /// which it broadcasts: i, or 0 where `a` is 1.
  Ix broadcastIndex(const Ix &i, const Dim &a);

  /// The verified Program in normal form, or the type relation's failure: the first reason given.
  Result<Program> finish(std::vector<Tensor> outputs);

  // For the operators above; not for meanings.
  const Node *node(const Ix &i);
  const Node *node(const Pred &p);
  Program &program() { return prog; }
  /// "$N", a symbol no other open dimension of this Program uses.
  Dim open(Source source, std::vector<int64_t> at);

  /// A guard's truth where the facts and the ranges of the variables in scope decide it.
  std::optional<bool> decide(const Node *guard) const;

private:
  Program prog;
  DimFacts known;
  std::string failure;
  // What the lambda being run may use: variables with their extents, and the guards it is under.
  std::vector<const Node *> scopeVars;
  std::vector<DimExpr> scopeExtents;
  std::vector<const Node *> path;

  Tensor define(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body);
  std::vector<Ix> enter(const std::vector<Dim> &extents);
  void leave(size_t count);
  const Node *under(const Node *guard, const std::function<const Node *()> &term);
  Node fold(const std::vector<Dim> &extents, const Fn<Pred> &where, const Fn<Val> &body,
            TermKind kind);
  const Node *guardNode(Cmp cmp, const Ix &a, const Ix &b);
  const Node *underPath(const Node *guard);
  void learn(const Pred &p);
};

/// f32 for f16, bf16 and f32; f64 for f64; the type itself for integers.
DType accumulatorFor(DType t);

} // namespace imbrex::opmeaning
