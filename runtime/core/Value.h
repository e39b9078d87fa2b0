// What a register holds: nothing, an integer, or a counted reference to an object. 16 bytes.
#pragma once

#include <cstdint>
#include <utility>

namespace imbrex::runtime {

/// Objects belong to one context, so their counts are not atomic.
enum class ObjectKind : uint8_t { Tensor, Record };
struct Object {
  explicit Object(ObjectKind kind) : kind(kind) {}
  uint32_t refs = 1;
  ObjectKind kind;
};

/// Drops one reference. What an object refers to goes with it, in a loop and not by recursion: a
/// list of a million elements is released in constant stack.
void releaseObject(Object *object);

struct Tensor;
struct Record;

class Value {
public:
  enum class Tag : uint32_t { None, Integer, Object };

  Value() = default;
  explicit Value(int64_t integer) : kind(Tag::Integer) { payload.integer = integer; }
  /// Takes over the reference that `object` comes with.
  explicit Value(Object *object) : kind(Tag::Object) { payload.object = object; }
  Value(const Value &other) : payload(other.payload), kind(other.kind) {
    if (kind == Tag::Object)
      ++payload.object->refs;
  }
  Value(Value &&other) noexcept
      : payload(other.payload), kind(std::exchange(other.kind, Tag::None)) {}
  Value &operator=(Value other) noexcept {
    std::swap(payload, other.payload);
    std::swap(kind, other.kind);
    return *this;
  }
  ~Value() {
    if (kind == Tag::Object)
      releaseObject(payload.object);
  }

  Tag tag() const { return kind; }
  bool isInteger() const { return kind == Tag::Integer; }
  /// Preconditions: the tag fits.
  int64_t integer() const { return payload.integer; }
  Object *object() const { return payload.object; }
  /// Null unless the value is an object of that kind.
  Tensor *tensor() const;
  Record *record() const;
  /// Gives up the reference without releasing it.
  Object *detach() {
    kind = Tag::None;
    return payload.object;
  }

private:
  union {
    int64_t integer;
    Object *object;
  } payload{0};
  Tag kind = Tag::None;
};
static_assert(sizeof(Value) == 16);

} // namespace imbrex::runtime
