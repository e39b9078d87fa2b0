#include "proof/sql/evaluate/Meaning.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

/// Out of this many results that may be NULL, one is.
constexpr uint64_t NullEvery = 6;

constexpr uint64_t ParameterSalt = 0x70617261;

} // namespace

Meaning Meaning::plain(TextPool &pool) {
  Meaning meaning;
  auto range = [&](BaseType base) -> std::vector<Cell> & { return meaning.ranges[size_t(base)]; };
  range(BaseType::Bool) = {Cell::ofBool(false), Cell::ofBool(true)};
  for (int64_t i = -1; i <= 3; ++i)
    range(BaseType::Int).push_back(Cell::ofInt(i));
  range(BaseType::Number) = range(BaseType::Int);
  range(BaseType::Number).push_back({1, 2, CellTag::Number});
  for (const char *text : {"", "a", "b", "ab"})
    range(BaseType::Text).push_back({pool.intern(text), 1, CellTag::Text});
  auto opaque = [&](BaseType base, std::initializer_list<const char *> texts) {
    for (const char *text : texts)
      range(base).push_back({pool.intern(text), 1, CellTag::Opaque, base});
  };
  opaque(BaseType::Date, {"2020-01-01", "2020-01-02", "2021-01-01"});
  opaque(BaseType::Time, {"00:00:00", "12:00:00"});
  opaque(BaseType::Timestamp,
         {"2020-01-01 00:00:00", "2020-01-01 12:00:00", "2021-01-01 00:00:00"});
  opaque(BaseType::Interval, {"1 day", "2 days"});
  opaque(BaseType::Other, {"p", "q", "r"});
  range(BaseType::Unknown) = range(BaseType::Int);
  return meaning;
}

Cell Meaning::value(uint64_t name, uint64_t arguments, const Type &type) const {
  uint64_t hash = mix(mix(seed, name), arguments);
  if (type.nullable && hash % NullEvery == 0)
    return {};
  const std::vector<Cell> &range = ranges[size_t(type.base)];
  return range.empty() ? Cell{} : range[(hash / NullEvery) % range.size()];
}

Cell Meaning::parameter(const std::string &name, const Type &type) const {
  return value(hashName(name), ParameterSalt, type);
}

void Meaning::note(const std::string &function, const Type &type,
                   const std::vector<Cell> &arguments, const Cell &result) const {
  if (!record)
    return;
  auto known = std::find_if(record->begin(), record->end(),
                            [&](const FunctionCalls &f) { return f.name == function; });
  if (known == record->end())
    known = record->insert(known, {function, type, {}});
  for (const auto &[earlier, value] : known->calls)
    if (earlier == arguments)
      return;
  known->calls.emplace_back(arguments, result);
}

uint64_t hashName(const std::string &name) {
  uint64_t hash = 0;
  for (unsigned char c : name)
    hash = mix(hash, c);
  return hash;
}

} // namespace imbrex::sql
