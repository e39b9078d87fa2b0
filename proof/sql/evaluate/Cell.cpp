#include "proof/sql/evaluate/Cell.h"

#include <numeric>

namespace imbrex::sql {

namespace {

uint64_t hashText(std::string_view text) { // FNV-1a
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

/// Numerator and denominator of at most 64 bits each, so that sums of products fit.
std::optional<Cell> fraction(__int128 numerator, __int128 denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  __int128 a = numerator < 0 ? -numerator : numerator, b = denominator;
  while (b != 0) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  if (a > 1) {
    numerator /= a;
    denominator /= a;
  }
  if (numerator > INT64_MAX || numerator < INT64_MIN || denominator > UINT32_MAX)
    return std::nullopt;
  return Cell{int64_t(numerator), uint32_t(denominator), CellTag::Number};
}

} // namespace

uint32_t TextPool::intern(std::string_view text) {
  auto found = ids.find(text);
  if (found != ids.end())
    return found->second;
  uint32_t id = uint32_t(texts.size());
  texts.emplace_back(text);
  hashes.push_back(hashText(text));
  ids.emplace(texts.back(), id);
  return id;
}

void TextPool::release(size_t mark) {
  while (texts.size() > mark) {
    ids.erase(texts.back());
    texts.pop_back();
    hashes.pop_back();
  }
}

std::optional<Cell> toCell(const Value &value, TextPool &pool) {
  switch (value.index()) {
  case 0:
    return Cell{};
  case 1:
    return Cell::ofBool(std::get<bool>(value));
  case 2:
    return Cell::ofInt(std::get<int64_t>(value));
  case 3: {
    const Rational &number = std::get<Rational>(value);
    return fraction(number.numerator, number.denominator);
  }
  case 4:
    return Cell{pool.intern(std::get<std::string>(value)), 1, CellTag::Text};
  default: {
    const Opaque &opaque = std::get<Opaque>(value);
    return Cell{pool.intern(opaque.text), 1, CellTag::Opaque, opaque.base};
  }
  }
}

Value toValue(const Cell &cell, const Type &type, const TextPool &pool) {
  switch (cell.tag) {
  case CellTag::Null:
    return std::monostate{};
  case CellTag::Bool:
    return cell.number != 0;
  case CellTag::Number:
    if (cell.denominator == 1 && type.base != BaseType::Number)
      return cell.number;
    return Rational{cell.number, cell.denominator};
  case CellTag::Text:
    return pool.text(cell.number);
  case CellTag::Opaque:
    return Opaque{cell.base, pool.text(cell.number)};
  }
  return std::monostate{};
}

int compare(const Cell &a, const Cell &b, const TextPool &pool) {
  if (a.tag == CellTag::Text || a.tag == CellTag::Opaque)
    return a.number == b.number ? 0 : pool.text(a.number).compare(pool.text(b.number));
  if (a.denominator == b.denominator)
    return a.number < b.number ? -1 : a.number > b.number;
  __int128 left = __int128(a.number) * b.denominator, right = __int128(b.number) * a.denominator;
  return left < right ? -1 : left > right;
}

uint64_t mix(uint64_t a, uint64_t b) { // splitmix64 of a combination
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t hashOf(const Cell &cell, const TextPool &pool) {
  bool text = cell.tag == CellTag::Text || cell.tag == CellTag::Opaque;
  uint64_t content = text ? pool.hash(cell.number) : mix(uint64_t(cell.number), cell.denominator);
  return mix(content, uint64_t(cell.tag));
}

std::optional<Cell> add(const Cell &a, const Cell &b) {
  int64_t sum;
  if (a.denominator == 1 && b.denominator == 1) {
    if (__builtin_add_overflow(a.number, b.number, &sum))
      return std::nullopt;
    return Cell::ofInt(sum);
  }
  return fraction(__int128(a.number) * b.denominator + __int128(b.number) * a.denominator,
                  __int128(a.denominator) * b.denominator);
}

std::optional<Cell> subtract(const Cell &a, const Cell &b) {
  return fraction(__int128(a.number) * b.denominator - __int128(b.number) * a.denominator,
                  __int128(a.denominator) * b.denominator);
}

std::optional<Cell> multiply(const Cell &a, const Cell &b) {
  return fraction(__int128(a.number) * b.number, __int128(a.denominator) * b.denominator);
}

std::optional<Cell> divide(const Cell &a, const Cell &b) {
  return fraction(__int128(a.number) * b.denominator, __int128(a.denominator) * b.number);
}

std::optional<Cell> remainder(const Cell &a, const Cell &b) {
  std::optional<Cell> quotient = divide(a, b);
  std::optional<Cell> whole = quotient ? multiply(truncate(*quotient), b) : std::nullopt;
  return whole ? subtract(a, *whole) : std::nullopt;
}

int64_t truncated(const Cell &a) { return a.number / int64_t(a.denominator); }

Cell truncate(const Cell &a) { return Cell::ofInt(truncated(a)); }

Cell roundHalfAway(const Cell &a) {
  int64_t whole = truncated(a);
  int64_t rest = a.number % int64_t(a.denominator);
  if (2 * (rest < 0 ? -rest : rest) >= int64_t(a.denominator))
    whole += a.number < 0 ? -1 : 1;
  return Cell::ofInt(whole);
}

bool sameRow(const Cell *a, const Cell *b, uint32_t width) {
  for (uint32_t i = 0; i < width; ++i)
    if (!(a[i] == b[i]))
      return false;
  return true;
}

} // namespace imbrex::sql
