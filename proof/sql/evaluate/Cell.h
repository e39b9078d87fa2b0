// Values as the evaluator computes with them: 16 bytes, texts interned in a pool. Numbers are exact
// fractions; what does not fit in 64 bits over 32 bits is an overflow, never a wrong value.
#pragma once

#include "proof/sql/query/Value.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace imbrex::sql {

enum class CellTag : uint8_t { Null, Bool, Number, Text, Opaque };

struct Cell {
  int64_t number = 0; // of Bool, Number (numerator); of Text and Opaque the id in the pool
  uint32_t denominator = 1;
  CellTag tag = CellTag::Null;
  BaseType base = BaseType::Unknown; // of Opaque

  /// Null-safe: NULL equals NULL, as in grouping.
  bool operator==(const Cell &) const = default;
  bool isNull() const { return tag == CellTag::Null; }
  bool isTrue() const { return tag == CellTag::Bool && number != 0; }
  bool isFalse() const { return tag == CellTag::Bool && number == 0; }

  static Cell ofBool(bool value) { return {value, 1, CellTag::Bool}; }
  static Cell ofInt(int64_t value) { return {value, 1, CellTag::Number}; }
};

/// Interned texts. Ids above a mark can be given back when an instance is done.
class TextPool {
public:
  uint32_t intern(std::string_view text);
  const std::string &text(int64_t id) const { return texts[size_t(id)]; }
  uint64_t hash(int64_t id) const { return hashes[size_t(id)]; } // of the text, in every run alike
  size_t mark() const { return texts.size(); }
  void release(size_t mark);

private:
  std::deque<std::string> texts; // a deque: the map's keys point into it
  std::vector<uint64_t> hashes;
  std::unordered_map<std::string_view, uint32_t> ids;
};

/// None: a fraction that does not fit.
std::optional<Cell> toCell(const Value &value, TextPool &pool);
/// As a value of `type`: whole numbers of type Number become fractions over one.
Value toValue(const Cell &cell, const Type &type, const TextPool &pool);

/// Total order within a type: FALSE < TRUE, numbers, texts by bytes. Neither may be NULL.
int compare(const Cell &a, const Cell &b, const TextPool &pool);

/// Equal cells have equal hashes, in every run and pool.
uint64_t hashOf(const Cell &cell, const TextPool &pool);
uint64_t mix(uint64_t a, uint64_t b);

/// Exact arithmetic on numbers; none on overflow. `b` of divide and remainder is not zero.
std::optional<Cell> add(const Cell &a, const Cell &b);
std::optional<Cell> subtract(const Cell &a, const Cell &b);
std::optional<Cell> multiply(const Cell &a, const Cell &b);
std::optional<Cell> divide(const Cell &a, const Cell &b);
std::optional<Cell> remainder(const Cell &a, const Cell &b);
int64_t truncated(const Cell &a);
Cell truncate(const Cell &a); // towards zero
Cell roundHalfAway(const Cell &a);

/// `count` rows of `width` cells, one after the other.
struct Relation {
  std::vector<Cell> cells;
  uint32_t width = 0;
  uint32_t count = 0;

  const Cell *row(size_t index) const { return cells.data() + index * width; }
  void clear(uint32_t newWidth) {
    cells.clear();
    width = newWidth;
    count = 0;
  }
  void append(const Cell *row) {
    cells.insert(cells.end(), row, row + width);
    ++count;
  }
};

bool sameRow(const Cell *a, const Cell *b, uint32_t width);

/// The tables of a database, in the catalog's order.
struct Instance {
  std::vector<Relation> tables;
};

} // namespace imbrex::sql
