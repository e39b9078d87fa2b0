// Variances and bit operations over a group. A deviation is known where the variance is the square
// of a fraction; elsewhere the run does not count, since no fraction is its value.
#include "proof/sql/evaluate/Program.h"

#include <cmath>
#include <map>

namespace imbrex::sql::evaluate {

namespace {

std::optional<int64_t> squareRoot(int64_t number) {
  auto root = int64_t(std::llround(std::sqrt(double(number))));
  return root * root == number ? std::optional(root) : std::nullopt;
}

/// The mean of the squared distances from the mean; over one less for a sample.
std::optional<Cell> variance(const std::vector<Cell> &values, bool sample) {
  std::optional<Cell> sum = Cell::ofInt(0), squares = sum;
  for (const Cell &value : values) {
    std::optional<Cell> square = multiply(value, value);
    sum = sum ? add(*sum, value) : sum;
    squares = squares && square ? add(*squares, *square) : std::nullopt;
  }
  auto count = int64_t(values.size());
  std::optional<Cell> square = sum ? multiply(*sum, *sum) : std::nullopt;
  std::optional<Cell> part = square ? divide(*square, Cell::ofInt(count)) : std::nullopt;
  std::optional<Cell> total = part && squares ? subtract(*squares, *part) : std::nullopt;
  return total ? divide(*total, Cell::ofInt(sample ? count - 1 : count)) : std::nullopt;
}

Cell spreadOf(KnownAggregate known, const std::vector<Cell> &values, Run &run) {
  bool sample = known == KnownAggregate::VarSamp || known == KnownAggregate::StddevSamp;
  if (values.size() < (sample ? 2 : 1))
    return {};
  std::optional<Cell> result = variance(values, sample);
  if (!result) {
    run.fail(Fault::Overflow, "a number beyond 64 bits");
    return {};
  }
  if (known == KnownAggregate::VarPop || known == KnownAggregate::VarSamp)
    return *result;
  std::optional<int64_t> top = squareRoot(result->number), below = squareRoot(result->denominator);
  if (!top || !below) {
    run.fail(Fault::NotDetermined, "a square root that is no fraction");
    return {};
  }
  return *divide(Cell::ofInt(*top), Cell::ofInt(*below));
}

} // namespace

KnownAggregate knownAggregate(const Aggregate &aggregate) {
  static const std::map<std::string, KnownAggregate> names = {
      {"VAR_POP", KnownAggregate::VarPop},       {"VAR_SAMP", KnownAggregate::VarSamp},
      {"STDDEV_POP", KnownAggregate::StddevPop}, {"STDDEV_SAMP", KnownAggregate::StddevSamp},
      {"BIT_AND", KnownAggregate::BitAnd},       {"BIT_OR", KnownAggregate::BitOr},
      {"BIT_XOR", KnownAggregate::BitXor}};
  auto found = names.find(aggregate.name);
  if (aggregate.kind != AggregateKind::Uninterpreted || found == names.end() ||
      aggregate.arguments.size() != 1)
    return KnownAggregate::None;
  BaseType of = aggregate.arguments[0]->type.base, to = aggregate.type.base;
  bool bits = found->second >= KnownAggregate::BitAnd;
  bool fits = bits ? of == BaseType::Int && to == BaseType::Int
                   : (of == BaseType::Int || of == BaseType::Number) && to == BaseType::Number;
  return fits ? found->second : KnownAggregate::None;
}

Cell knownAggregateOver(KnownAggregate known, const std::vector<Cell> &values, Run &run) {
  if (known < KnownAggregate::BitAnd)
    return spreadOf(known, values, run);
  if (values.empty())
    return {};
  int64_t bits = values[0].number;
  for (size_t i = 1; i < values.size(); ++i)
    bits = known == KnownAggregate::BitAnd  ? bits & values[i].number
           : known == KnownAggregate::BitOr ? bits | values[i].number
                                            : bits ^ values[i].number;
  return Cell::ofInt(bits);
}

} // namespace imbrex::sql::evaluate
