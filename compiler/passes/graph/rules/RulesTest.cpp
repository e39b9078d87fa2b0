// Every rule of ../*.rules on random types, shapes, attributes and values: both sides agree as its
// contract says. Operands are drawn so that rules match often; what an operator refuses is drawn
// again.
#include "compiler/passes/graph/rules/Binding.h"
#include "support/opmeaning/Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace imbrex::rules {
namespace {

using opmeaning::Attrs;
using opmeaning::AttrValue;
using Shape = std::vector<int64_t>;
constexpr int64_t mostSteps = 100000;

class Random {
public:
  explicit Random(uint64_t seed) : bits(seed) {}
  int64_t below(int64_t n) { return static_cast<int64_t>(bits() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int64_t oneIn) { return below(oneIn) == 0; }
  template <class T> const T &one(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(bits);
  }

private:
  std::mt19937_64 bits;
};

/// One drawn application of a rule's left side.
class Sample {
public:
  Sample(const Rule &rule, uint64_t seed) : rule(rule), random(seed) {
    for (const Condition &c : rule.conditions) {
      if (c.name == "all")
        fill[c.arguments[0].name] = c.arguments[1].value;
      else if (!c.arguments.empty())
        hints[c.arguments[0].name].push_back(c.name);
    }
    binding.facts = &facts;
    type = drawType();
  }

  /// The left side's value; nothing when an operator refuses what was drawn.
  std::optional<HostTensor> left() {
    std::optional<HostTensor> value = draw(rule.left, drawShape());
    if (!value)
      return std::nullopt;
    binding.result = typeOf(*value);
    for (const auto &[name, tensor] : values)
      binding.values[name] = {typeOf(tensor), true, [tensor] { return std::optional(tensor); }};
    return conditionsHold(rule, binding) ? value : std::nullopt;
  }

  std::optional<HostTensor> right() { return make(rule.right); }

  std::string text() const {
    std::string out = rule.name;
    for (const auto &[name, tensor] : values)
      out += " " + name + ": " + typeOf(tensor).str();
    return out;
  }

private:
  static opmeaning::TensorType typeOf(const HostTensor &t) {
    opmeaning::TensorType type{t.type(), {}};
    for (int64_t size : t.shape())
      type.dims.push_back(size);
    return type;
  }

  bool hinted(const std::string &name, const char *hint) const {
    auto it = hints.find(name);
    return it != hints.end() &&
           std::find(it->second.begin(), it->second.end(), hint) != it->second.end();
  }

  DType drawType() {
    if (rule.contract == Contract::Reals)
      return DType::F64;
    std::vector<DType> types = {DType::F32, DType::F64, DType::F16, DType::BF16, DType::I8,
                                DType::I32, DType::I64, DType::U8,  DType::Bool};
    for (const auto &[name, list] : hints)
      for (const std::string &hint : list)
        if (binds(rule.left, name) && (hint == "integer" || hint == "float"))
          std::erase_if(types,
                        [&](DType t) { return hint == "integer" ? !isInteger(t) : !isFloat(t); });
    return random.one(types);
  }

  static bool binds(const Term &term, const std::string &name) {
    if (term.kind == Term::Kind::Variable)
      return term.name == name;
    return std::any_of(term.arguments.begin(), term.arguments.end(),
                       [&](const Term &t) { return binds(t, name); });
  }

  Shape drawShape() {
    Shape shape;
    for (int64_t rank = random.below(4); rank > 0; --rank)
      shape.push_back(random.chance(12) ? 0 : random.between(1, 3));
    return shape;
  }

  double drawValue(DType t) {
    if (rule.contract == Contract::Reals)
      return random.real(0.5, 2);
    if (t == DType::Bool)
      return static_cast<double>(random.below(2));
    if (!isFloat(t))
      return static_cast<double>(random.chance(3) ? random.between(-3, 3)
                                                  : random.between(-70000, 70000));
    static const std::vector<double> special = {
        0.0, -0.0, 1, -1, 0.5, -1.5, 2.5, NAN, INFINITY, -INFINITY, 1e-30, -1e30, 1e-41, 16777217};
    return random.chance(2) ? random.one(special) : random.real(-3, 3);
  }

  /// Rounded and wrapped by the meaning of cast itself.
  std::optional<HostTensor> tensor(DType t, const Shape &shape, const AttrValue *all = nullptr) {
    int64_t elems = 1;
    for (int64_t size : shape)
      elems *= size;
    const bool real = isFloat(t);
    std::vector<double> reals;
    std::vector<int64_t> integers;
    for (int64_t i = 0; i < elems; ++i) {
      const double v = !all                                   ? drawValue(t)
                       : std::holds_alternative<double>(*all) ? std::get<double>(*all)
                                                              : double(std::get<int64_t>(*all));
      reals.push_back(v);
      if (!real)
        integers.push_back(static_cast<int64_t>(v));
    }
    const HostTensor wide = real ? HostTensor::of<double>(DType::F64, shape, reals)
                                 : HostTensor::of<int64_t>(DType::I64, shape, integers);
    if (wide.type() == t)
      return wide;
    Attrs attrs;
    attrs.values["to"] = t;
    return apply("cast", {wide}, attrs);
  }

  std::optional<HostTensor> apply(std::string_view name, const std::vector<HostTensor> &operands,
                                  const Attrs &given) {
    const opmeaning::Operator *op = opmeaning::findOperator(name);
    auto attrs = opmeaning::completeAttrs(*op, given);
    if (!attrs)
      return std::nullopt;
    const std::vector<std::optional<HostTensor>> list(operands.begin(), operands.end());
    auto results =
        opmeaning::evaluate(*op, list, *attrs, opmeaning::Precision::Stepwise, mostSteps);
    if (!results || results->size() != 1)
      return std::nullopt;
    return (*results)[0];
  }

  std::optional<HostTensor> variable(const std::string &name, DType t, const Shape &shape) {
    if (auto it = values.find(name); it != values.end())
      return it->second;
    if (t == DType::I64 && isSize.count(name))
      return sizes(name, shape);
    auto constant = fill.find(name);
    if (hinted(name, "single") && shape.size() > 1)
      return variable(name, t, {1});
    std::optional<HostTensor> value =
        tensor(t, shape, constant == fill.end() ? nullptr : &constant->second);
    if (value)
      values.emplace(name, *value);
    return value;
  }

  /// A vector of sizes or repeats: small numbers, and mostly those of the operand.
  HostTensor sizes(const std::string &name, const Shape &shape) {
    const bool ones = fill.count(name);
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < (shape.empty() ? 1 : shape[0]); ++i)
      numbers.push_back(ones ? 1
                        : i < static_cast<int64_t>(near.size()) && !random.chance(4)
                            ? near[static_cast<size_t>(i)]
                            : random.between(1, 3));
    return values.emplace(name, HostTensor::of<int64_t>(DType::I64, shape, numbers)).first->second;
  }

  std::optional<HostTensor> draw(const Term &term, const Shape &shape) {
    return draw(term, type, shape);
  }
  std::optional<HostTensor> draw(const Term &term, DType t, const Shape &shape) {
    if (term.kind == Term::Kind::Variable)
      return variable(term.name, t, shape);
    const std::string op = random.one(term.operators);
    std::vector<HostTensor> operands;
    for (size_t i = 0; i < term.arguments.size(); ++i) {
      auto [wanted, size] = wish(op, i, t, shape, operands);
      if (i == 1 && (op == "expand" || op == "tile")) {
        isSize.insert(term.arguments[1].name);
        near = operands[0].shape();
      }
      std::optional<HostTensor> value = draw(term.arguments[i], wanted, size);
      if (!value)
        return std::nullopt;
      operands.push_back(*value);
    }
    if (term.more && op == "reshape")
      operands.push_back(target(operands[0].elems()));
    Attrs attrs = drawAttrs(op, term, operands);
    return apply(op, operands, attrs);
  }

  /// What operand `i` should be, given those before it.
  std::pair<DType, Shape> wish(const std::string &op, size_t i, DType t, const Shape &shape,
                               const std::vector<HostTensor> &before) {
    const Shape first = before.empty() ? shape : before[0].shape();
    auto channels = [&] { return Shape{first.size() > 1 ? first[1] : 1}; };
    if (op == "conv" || (op == "batch_norm" && i == 0))
      return {t, convolution(i, shape, before)};
    if (op == "batch_norm")
      return {t, channels()};
    if (op == "matmul")
      return {t, i == 0 ? Shape{random.between(1, 3), random.between(1, 3)}
                        : Shape{first.back(), random.between(1, 3)}};
    if (op == "where" && i == 0)
      return {DType::Bool, shape};
    if ((op == "expand" || op == "tile") && i == 1)
      return {DType::I64, Shape{static_cast<int64_t>(first.size())}};
    if (i == 0)
      return {t, shape};
    if (random.chance(3))
      return {t, {}};
    return {t, random.chance(3) ? Shape(first.size(), 1) : first};
  }

  /// Operands of a convolution: [n, c, h], [o, c, k], [o].
  Shape convolution(size_t i, const Shape &, const std::vector<HostTensor> &before) {
    if (i == 0)
      return {random.between(1, 2), random.between(1, 3), random.between(3, 6)};
    if (i == 1)
      return {random.between(1, 3), before[0].shape()[1], random.between(1, 3)};
    return {before[1].shape()[0]};
  }

  /// A shape of as many elements.
  HostTensor target(int64_t elems) {
    Shape shape;
    for (int64_t left = elems; left > 1;) {
      int64_t part = random.between(1, left);
      while (left % part)
        --part;
      shape.push_back(part);
      left /= part;
    }
    if (elems == 0 || random.chance(3))
      shape.push_back(elems == 0 ? 0 : 1);
    const auto rank = static_cast<int64_t>(shape.size());
    return HostTensor::of<int64_t>(DType::I64, {rank}, shape);
  }

  Shape permutation(size_t rank) {
    Shape perm(rank);
    for (size_t i = 0; i < rank; ++i)
      perm[i] = static_cast<int64_t>(i);
    if (!random.chance(3))
      for (size_t i = rank; i > 1; --i)
        std::swap(perm[i - 1], perm[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
    return perm;
  }

  AttrValue drawAttr(const std::string &op, const std::string &name, size_t rank) {
    static const std::vector<DType> types = {DType::Bool, DType::I8,  DType::I32, DType::I64,
                                             DType::U8,   DType::U16, DType::F16, DType::BF16,
                                             DType::F32,  DType::F64};
    if (name == "perm")
      return permutation(rank);
    if (name == "to")
      return random.one(types);
    if (name == "axis")
      return random.below(static_cast<int64_t>(rank) + 1);
    if (name == "axes")
      return random.chance(2) ? Shape{random.below(static_cast<int64_t>(rank) + 1)} : Shape{};
    if (name == "epsilon")
      return random.real(0.01, 1);
    ADD_FAILURE() << "nobody draws '" << name << "' of " << op;
    return int64_t{0};
  }

  Attrs drawAttrs(const std::string &op, const Term &term,
                  const std::vector<HostTensor> &operands) {
    const size_t rank = operands.empty() ? 0 : operands[0].shape().size();
    Attrs attrs;
    if (op == "reshape")
      attrs.values["allow_zero"] = int64_t{1};
    if (!term.attrSet.empty()) {
      if (op == "conv") {
        attrs.values["pads"] = Shape{random.below(2), random.below(2)};
        attrs.values["strides"] = Shape{random.between(1, 2)};
      }
      auto complete = opmeaning::completeAttrs(*opmeaning::findOperator(op), attrs);
      binding.attrSets[term.attrSet] = *complete;
      return *complete;
    }
    if (term.more)
      for (const char *name : {"axis", "axes"})
        for (const auto &decl : opmeaning::findOperator(op)->attrs)
          if (decl.name == name)
            attrs.values[name] = drawAttr(op, name, rank);
    if (term.more && op == "cast")
      attrs.values["to"] =
          random.chance(2) ? AttrValue(operands[0].type()) : drawAttr(op, "to", rank);
    for (const NamedAttr &named : term.attrs) {
      if (named.value.kind == AttrTerm::Kind::Value) {
        attrs.values[named.name] = named.value.value;
        continue;
      }
      auto [it, fresh] = binding.attrs.try_emplace(named.value.name, int64_t{0});
      if (fresh)
        it->second = drawAttr(op, named.name, rank);
      attrs.values[named.name] = it->second;
    }
    return attrs;
  }

  std::optional<HostTensor> make(const Term &term) {
    if (term.kind == Term::Kind::Variable)
      return values.at(term.name);
    std::vector<HostTensor> operands;
    for (const Term &argument : term.arguments) {
      std::optional<HostTensor> value = make(argument);
      if (!value)
        return std::nullopt;
      operands.push_back(*value);
    }
    if (term.name == "reshape_to_result")
      return reshaped(operands[0], *reshapeTarget(binding.result));
    if (term.name == "per_channel") {
      Shape shape(operands[1].shape().size(), 1);
      shape[0] = operands[0].elems();
      return reshaped(operands[0], shape);
    }
    if (term.name == "number") {
      const AttrValue value = *evaluate(term.attrs[0].value, binding);
      return tensor(operands[0].type(), {}, &value);
    }
    Attrs attrs;
    if (!term.attrSet.empty())
      attrs = binding.attrSets.at(term.attrSet);
    for (const NamedAttr &named : term.attrs) {
      auto value = evaluate(named.value, binding);
      if (!value)
        return std::nullopt;
      attrs.values[named.name] = *value;
    }
    return apply(term.name, operands, attrs);
  }

  std::optional<HostTensor> reshaped(const HostTensor &x, const Shape &shape) {
    Attrs attrs;
    attrs.values["allow_zero"] = int64_t{1};
    const auto rank = static_cast<int64_t>(shape.size());
    return apply("reshape", {x, HostTensor::of<int64_t>(DType::I64, {rank}, shape)}, attrs);
  }

  const Rule &rule;
  Random random;
  DType type;
  std::map<std::string, HostTensor> values;
  std::map<std::string, AttrValue> fill;
  std::set<std::string> isSize; // variables that hold sizes or repeats
  Shape near;                   // the operand's that they are drawn for
  std::map<std::string, std::vector<std::string>> hints;
  Binding binding;
  DimFacts facts;
};

/// The first element in which the sides differ by more than the contract admits.
std::string difference(const Rule &rule, const HostTensor &a, const HostTensor &b) {
  if (rule.contract == Contract::ExactIntegers && !isInteger(a.type()))
    return "the result is no integer";
  for (int64_t i = 0; i < a.elems(); ++i) {
    const double x = a.toDouble(i), y = b.toDouble(i);
    const bool both = std::isnan(x) && std::isnan(y);
    const bool good = rule.contract == Contract::Reals
                          ? std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(x))
                          : both || (x == y && std::signbit(x) == std::signbit(y));
    if (!good)
      return "element " + std::to_string(i) + ": " + std::to_string(x) + " and " +
             std::to_string(y);
  }
  const bool wideInteger =
      a.type() == DType::I64 || a.type() == DType::U64; // doubles are too short
  return wideInteger && !std::ranges::equal(a.bytes(), b.bytes()) ? "bytes" : "";
}

class EveryRule : public testing::TestWithParam<size_t> {};

TEST_P(EveryRule, SidesAgreeAsTheContractSays) {
  const Rule &rule = allRules()[GetParam()];
  int agreed = 0;
  for (uint64_t seed = 0; seed < 60000 && agreed < 150; ++seed) {
    Sample sample(rule, seed * 7919 + GetParam());
    std::optional<HostTensor> left = sample.left();
    if (!left)
      continue;
    std::optional<HostTensor> right = sample.right();
    // As the pass: what has another type is left alone.
    if (!right || right->type() != left->type() || right->shape() != left->shape())
      continue;
    ASSERT_EQ(difference(rule, *left, *right), "") << sample.text() << ", seed " << seed;
    ++agreed;
  }
  EXPECT_GE(agreed, 150) << rule.name << " was hardly ever applied";
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, testing::Range<size_t>(0, allRules().size()),
                         [](const auto &info) {
                           std::string name = allRules()[info.param].name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Rules, TheDefaultOnesAreExact) {
  for (const Rule &rule : allRules())
    EXPECT_EQ(rule.contract == Contract::Reals, !rule.licence.empty()) << rule.name;
  EXPECT_EQ(licences(), (std::vector<std::string>{"fold-batch-norm", "fold-scale"}));
}

} // namespace
} // namespace imbrex::rules
