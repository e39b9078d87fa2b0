#include "support/hostops/HostOps.h"

#include "support/hostops/Items.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

namespace imbrex {

using Kind = HostOperand::Kind;

static std::vector<HostFunction> plainFunctions() {
  return {
      {"append_row", appendRow, {{Kind::Any, 1}, {}}, 0},
      {"compress", compress, {{}, {Kind::Bool, 1, 1}}, 2},
      {"couple_pairs", couplePairs, {{Kind::Float, 2, 2}}, 1},
      {"decode_image", decodeImage, {{Kind::Integer, 1, 1}}, 1, 1, nullptr, false, imagesReady},
      {"determinant", determinant, {{Kind::Float, 2}}, 0},
      {"non_max_suppression",
       nonMaxSuppression,
       {{Kind::Float, 3, 3},
        {Kind::Float, 3, 3},
        {Kind::Integer, 0, 1, true},
        {Kind::Float, 0, 1, true},
        {Kind::Float, 0, 1, true}},
       1},
      {"non_zero", nonZero, {{}}, 0},
      {"random", randomNumbers, {{Kind::Integer, 1, 1}}, 4},
      {"tf_idf",
       tfIdf,
       {{Kind::Integer, 0, 2},
        {Kind::Integer, 1, 1},
        {Kind::Integer, 1, 1},
        {Kind::Integer, 1, 1},
        {Kind::Float, 1, 1, true}},
       4},
      {"top_k", topK, {{Kind::Number}, {Kind::Integer, 0, 1}}, 2, 2},
      {"tree_ensemble",
       treeEnsemble,
       {{Kind::Float, 2, 2},
        {Kind::Integer},
        {Kind::Float},
        {Kind::Integer},
        {Kind::Float},
        {Kind::Integer},
        {Kind::Integer},
        {Kind::Float},
        {Kind::Integer},
        {Kind::Float}},
       3},
      {"write_row", writeRow, {{Kind::Any, 1}, {}, {Kind::Integer, 0, 0}}, 0},
  };
}

std::span<const HostFunction> hostFunctions() {
  static const std::vector<HostFunction> all = [] {
    std::vector<HostFunction> list = plainFunctions();
    std::ranges::move(itemFunctions(), std::back_inserter(list));
    std::ranges::sort(list, {}, &HostFunction::name);
    return list;
  }();
  return all;
}

namespace {

/// What libraries of the user brought. Functions stay where they are: contexts point at them.
class Added {
public:
  const HostFunction *find(std::string_view name) {
    std::lock_guard lock(mutex);
    auto it = latest.find(name);
    return it == latest.end() ? nullptr : it->second;
  }
  void add(std::string name, HostFunction function) {
    std::lock_guard lock(mutex);
    HostFunction &kept = all.emplace_back(std::move(function));
    auto it = latest.insert_or_assign(std::move(name), &kept).first;
    kept.name = it->first;
  }

private:
  std::mutex mutex;
  std::deque<HostFunction> all;
  std::map<std::string, const HostFunction *, std::less<>> latest;
};

Added &added() {
  static Added functions;
  return functions;
}

} // namespace

const HostFunction *hostFunction(std::string_view name) {
  auto all = hostFunctions();
  auto it = std::ranges::find(all, name, &HostFunction::name);
  return it == all.end() ? added().find(name) : &*it;
}

void addHostFunction(std::string name, HostFunction function) {
  added().add(std::move(name), std::move(function));
}

static bool fits(const HostTensor &t, const HostOperand &wanted) {
  if (t.rank() < wanted.leastRank || t.rank() > wanted.mostRank)
    return false;
  switch (wanted.kind) {
  case Kind::Any:
    return true;
  case Kind::Number:
    return isFloat(t.type()) || isInteger(t.type());
  case Kind::Float:
    return isFloat(t.type());
  case Kind::Integer:
    return isInteger(t.type());
  case Kind::Bool:
    return t.type() == DType::Bool;
  case Kind::String:
    return t.type() == DType::String;
  case Kind::Item:
    return t.type() == DType::Item;
  }
  return false;
}

Result<std::vector<HostTensor>> HostFunction::operator()(HostArgs args, ItemHeap &heap) const {
  if (variadic)
    return withItems(args, heap);
  auto wrong = [&](size_t i) {
    return badInput(242, "operand " + std::to_string(i) + " of '" + std::string(name) +
                             "' is not of a type that it takes");
  };
  if (args.size() != operands.size() + 1)
    return wrong(args.size());
  std::vector<const HostTensor *> given(args.begin(), args.end());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (given[i] && operands[i].optional && given[i]->elems() == 0)
      given[i] = nullptr;
    if (given[i] ? !fits(*given[i], operands[i]) : !operands[i].optional)
      return wrong(i);
  }
  const HostTensor *last = given.back();
  if (!last || last->type() != DType::I64 || last->rank() != 1 || last->elems() != parameters)
    return wrong(operands.size());
  return withItems ? withItems(given, heap) : compute(given);
}

} // namespace imbrex
