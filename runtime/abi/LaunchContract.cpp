#include "runtime/abi/LaunchContract.h"

#include <limits>
#include <set>

namespace imbrex {

namespace {

/// The verifier's arithmetic is shown not to wrap up to these.
constexpr int64_t kMaxElems = int64_t(1) << 60;

std::string listOf(std::span<const int64_t> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

std::string listOf(const std::vector<DimExpr> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + values[i].str();
  return text + "]";
}

/// An integer view's elements may be of either sign.
bool sameStorage(DType declared, DType actual) {
  if (declared == actual)
    return true;
  return isInteger(declared) && isInteger(actual) && byteSize(declared) == byteSize(actual);
}

/// expr == actual solved for the one symbol of it that has no value, when expr is linear in that.
std::optional<std::pair<std::string, int64_t>> solve(const DimExpr &expr, int64_t actual,
                                                     const SizeBindings &known) {
  std::string unknown;
  int64_t factor = 0, rest = 0;
  for (const DimExpr::Term &t : expr.terms()) {
    const bool open = t.factors.size() == 1 && t.factors[0]->kind == DimExpr::AtomKind::Symbol &&
                      !known.count(t.factors[0]->name);
    if (open) {
      if (!unknown.empty())
        return std::nullopt;
      unknown = t.factors[0]->name;
      factor = t.coefficient;
      continue;
    }
    DimExpr term = t.coefficient;
    for (const auto &f : t.factors)
      term = term * (f->kind == DimExpr::AtomKind::Symbol     ? DimExpr::symbol(f->name)
                     : f->kind == DimExpr::AtomKind::FloorDiv ? floorDiv(f->lhs, f->rhs)
                     : f->kind == DimExpr::AtomKind::Mod      ? mod(f->lhs, f->rhs)
                     : f->kind == DimExpr::AtomKind::Min      ? min(f->lhs, f->rhs)
                     : f->kind == DimExpr::AtomKind::Max      ? max(f->lhs, f->rhs)
                                                              : broadcast(f->lhs, f->rhs));
    auto value = term.evaluate(known);
    if (!value || __builtin_add_overflow(rest, *value, &rest))
      return std::nullopt;
  }
  int64_t left = 0;
  if (unknown.empty() || factor == 0 || __builtin_sub_overflow(actual, rest, &left) ||
      left % factor != 0)
    return std::nullopt;
  return std::pair(unknown, left / factor);
}

class Check {
public:
  Check(const LaunchContract &contract, std::span<const ImxView> operands,
        const SizeBindings &given)
      : contract(contract), operands(operands), sizes(given) {}

  Result<AdmittedLaunch> run();
  Status memory() const;

private:
  Status operandsFit() const;
  void bindSizes();
  Status sizesFit() const;
  Status shapesFit() const;
  Status stridesFit(size_t operand) const;
  Status factsHold() const;
  Status nothingOverlaps() const;
  Result<AdmittedLaunch> grid() const;

  Error refused(uint16_t code, const std::string &what, const std::string &because,
                const std::string &remedy = {}) const {
    return badInput(code, "kernel '" + contract.kernel + "' is not launched: " + what,
                    because + (because.empty() || sizes.empty() ? "" : "; ") + sizesText(), remedy);
  }
  std::string sizesText() const {
    std::string text;
    for (const auto &s : contract.sizes)
      if (auto it = sizes.find(s.name); it != sizes.end())
        text += (text.empty() ? "sizes are " : ", ") + s.name + " = " + std::to_string(it->second);
    return text;
  }
  std::string operandText(size_t i) const { return "operand '" + contract.views[i].name + "'"; }

  const LaunchContract &contract;
  std::span<const ImxView> operands;
  SizeBindings sizes;
};

Status Check::operandsFit() const {
  if (operands.size() != contract.views.size())
    return refused(280,
                   "it takes " + std::to_string(contract.views.size()) + " operands, not " +
                       std::to_string(operands.size()),
                   "");
  for (size_t i = 0; i < operands.size(); ++i) {
    const ImxView &o = operands[i];
    const auto &v = contract.views[i];
    if (!sameStorage(v.type, static_cast<DType>(o.dtype)))
      return refused(280,
                     operandText(i) + " has elements of type " +
                         std::string(name(static_cast<DType>(o.dtype))),
                     "the kernel declares " + std::string(name(v.type)));
    if (o.rank != static_cast<int32_t>(v.extents.size()))
      return refused(280, operandText(i) + " has " + std::to_string(o.rank) + " axes",
                     "the kernel declares " + listOf(v.extents));
    if (o.rank > 0 && (!o.shape || !o.stride))
      return refused(280, operandText(i) + " has no shape or strides", "");
    int64_t elems = 1;
    for (int32_t d = 0; d < o.rank; ++d)
      if (o.shape[d] < 0 ||
          __builtin_mul_overflow(elems, std::max<int64_t>(o.shape[d], 1), &elems) ||
          elems > kMaxElems)
        return refused(284, operandText(i) + " has an extent below 0 or more than 2^60 elements",
                       "its shape is " + listOf({o.shape, static_cast<size_t>(o.rank)}));
  }
  return {};
}

void Check::bindSizes() {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < operands.size(); ++i)
      for (int32_t d = 0; d < operands[i].rank; ++d)
        if (auto found = solve(contract.views[i].extents[static_cast<size_t>(d)],
                               operands[i].shape[d], sizes)) {
          sizes.insert(*found);
          more = true;
        }
  }
}

Status Check::sizesFit() const {
  std::set<std::string, std::less<>> declared;
  for (const auto &s : contract.sizes) {
    declared.insert(s.name);
    auto it = sizes.find(s.name);
    if (it == sizes.end())
      return refused(281, "size '" + s.name + "' is not known",
                     "it follows from no operand's extents", "naming it at the launch");
    int64_t v = it->second;
    if (v < s.least || v > s.most)
      return refused(281,
                     s.name + " = " + std::to_string(v) + " lies outside " +
                         std::to_string(s.least) + " to " + std::to_string(s.most),
                     "the kernel is proven for these sizes only");
    if (v % s.multipleOf != 0)
      return refused(281,
                     s.name + " = " + std::to_string(v) + " is no multiple of " +
                         std::to_string(s.multipleOf),
                     "the kernel is proven for multiples only");
  }
  for (const auto &[name, value] : sizes)
    if (!declared.count(name))
      return refused(281, "'" + name + "' is no size of it", "");
  return {};
}

Status Check::shapesFit() const {
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto &extents = contract.views[i].extents;
    for (size_t d = 0; d < extents.size(); ++d) {
      auto want = extents[d].evaluate(sizes);
      if (want && *want == operands[i].shape[d])
        continue;
      return refused(280,
                     operandText(i) + " has extent " + std::to_string(operands[i].shape[d]) +
                         " on axis " + std::to_string(d) + ", which must be " + extents[d].str() +
                         (want ? " = " + std::to_string(*want) : ""),
                     "its shape is " + listOf({operands[i].shape, extents.size()}) +
                         " and the kernel declares " + listOf(extents));
    }
    if (auto s = stridesFit(i); !s)
      return s;
  }
  return {};
}

Status Check::stridesFit(size_t i) const {
  const auto &view = contract.views[i];
  bool empty = false;
  for (size_t d = 0; d < view.extents.size(); ++d)
    empty |= operands[i].shape[d] == 0;
  __int128 reach = 0; // elements from the first to the last
  for (size_t d = 0; d < view.extents.size() && !empty; ++d)
    reach += __int128(operands[i].shape[d] - 1) *
             (operands[i].stride[d] < 0 ? -__int128(operands[i].stride[d]) : operands[i].stride[d]);
  if (reach > kMaxElems)
    return refused(284, operandText(i) + " spans more than 2^60 elements", "");
  for (size_t d = 0; d < view.strides.size() && !empty; ++d) {
    if (operands[i].shape[d] == 1)
      continue; // no second element to reach
    auto want = view.strides[d].evaluate(sizes);
    if (want && *want == operands[i].stride[d])
      continue;
    return refused(280,
                   operandText(i) + " has stride " + std::to_string(operands[i].stride[d]) +
                       " on axis " + std::to_string(d) + ", which must be " +
                       view.strides[d].str() + (want ? " = " + std::to_string(*want) : ""),
                   "the kernel addresses it with strides " + listOf(view.strides));
  }
  return {};
}

Status Check::factsHold() const {
  for (const auto &f : contract.facts) {
    auto left = f.left.evaluate(sizes), right = f.right.evaluate(sizes);
    if (left && right && (f.equal ? *left == *right : *left >= *right))
      continue;
    std::string values = left && right
                             ? ", but " + std::to_string(*left) +
                                   (f.equal ? " is not " : " is below ") + std::to_string(*right)
                             : ", but that has no value";
    return refused(282, "it takes " + f.text + values, f.why);
  }
  return {};
}

/// The bytes from the first to behind the last element; none for an empty operand.
std::pair<uintptr_t, uintptr_t> bytesOf(const ImxView &o) {
  auto low = reinterpret_cast<uintptr_t>(o.data), high = low;
  const auto each = static_cast<uintptr_t>(byteSize(static_cast<DType>(o.dtype)));
  for (int32_t d = 0; d < o.rank; ++d) {
    if (o.shape[d] == 0)
      return {low, low};
    int64_t reach = (o.shape[d] - 1) * o.stride[d];
    (reach < 0 ? low : high) += static_cast<uintptr_t>(reach) * each;
  }
  return {low, high + each};
}

Status Check::nothingOverlaps() const {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (contract.views[i].access == ViewAccess::Read)
      continue;
    auto mine = bytesOf(operands[i]);
    for (size_t j = 0; j < operands.size(); ++j) {
      auto other = bytesOf(operands[j]);
      if (i == j || mine.first >= other.second || other.first >= mine.second ||
          mine.first == mine.second || other.first == other.second)
        continue;
      return refused(283, operandText(i) + " overlaps " + operandText(j) + " in memory",
                     "the kernel writes '" + contract.views[i].name +
                         "', so a block could read or write what another one writes",
                     "an output of its own");
    }
  }
  return {};
}

Result<AdmittedLaunch> Check::grid() const {
  AdmittedLaunch launch{{}, 1};
  for (const auto &s : contract.sizes)
    launch.dims.push_back(sizes.find(s.name)->second);
  for (const DimExpr &e : contract.grid) {
    auto extent = e.evaluate(sizes);
    if (!extent || *extent < 0 || __builtin_mul_overflow(launch.points, *extent, &launch.points) ||
        launch.points > kMaxElems)
      return refused(284, "its grid " + listOf(contract.grid) + " has no such number of blocks",
                     "an extent is negative or there are more than 2^60");
  }
  return launch;
}

Result<AdmittedLaunch> Check::run() {
  if (auto s = operandsFit(); !s)
    return s.takeError();
  bindSizes();
  for (auto step : {&Check::sizesFit, &Check::shapesFit, &Check::factsHold})
    if (auto s = (this->*step)(); !s)
      return s.takeError();
  return grid();
}

Status Check::memory() const {
  for (size_t i = 0; i < operands.size(); ++i) {
    const ImxView &o = operands[i];
    if (!o.data)
      return refused(280, operandText(i) + " has no memory", "");
    if (reinterpret_cast<uintptr_t>(o.data) %
            static_cast<uintptr_t>(byteSize(contract.views[i].type)) !=
        0)
      return refused(280, operandText(i) + " lies at an address that its elements cannot have", "");
  }
  return nothingOverlaps();
}

} // namespace

Result<AdmittedLaunch> checkSizes(const LaunchContract &contract, std::span<const ImxView> operands,
                                  const SizeBindings &given) {
  return Check(contract, operands, given).run();
}

Status checkMemory(const LaunchContract &contract, std::span<const ImxView> operands) {
  return Check(contract, operands, {}).memory();
}

Result<AdmittedLaunch> checkLaunch(const LaunchContract &contract,
                                   std::span<const ImxView> operands, const SizeBindings &given) {
  auto launch = checkSizes(contract, operands, given);
  if (launch)
    if (Status s = checkMemory(contract, operands); !s)
      return s.takeError();
  return launch;
}

Result<std::vector<OperandShape>> operandShapes(const LaunchContract &contract,
                                                const SizeBindings &sizes) {
  std::vector<OperandShape> shapes;
  for (const auto &v : contract.views) {
    OperandShape s;
    for (auto [from, to] : {std::pair(&v.extents, &s.shape), std::pair(&v.strides, &s.strides)})
      for (const DimExpr &e : *from) {
        auto value = e.evaluate(sizes);
        if (!value)
          return value.takeError();
        to->push_back(*value);
      }
    shapes.push_back(std::move(s));
  }
  return shapes;
}

} // namespace imbrex
