// Memory of a device with one owner, and the ways to lend it.
//
//   Tensor<float> x = device.from<float>({2, 3}, values).take();      owns; cannot be copied
//   x.read()     Read<float>     lent for reading; many at a time
//   x.write()    Write<float>    lent for writing; excludes every other loan of the same elements
//   x.give()     Given<float>    given away; comes back from the operation that it was given to
//
// What is checked, and when. Use of a tensor, a loan or an operation that was given away is a
// compile error where clang can see it (-Werror=consumed), an error with E0288 elsewhere. Loans
// that exclude each other are refused when one of them is used (E0285, with both places).
//
// Lifetime: an owner may go while its memory is lent or in use. It never waits: the memory goes
// with the last loan or operation that holds it. release() is the way to know.
//
// A tensor is as thread-safe as an int: const members from any thread, others from one at a time.
#pragma once

#include "runtime/launch/Ownership.h"
#include "runtime/launch/Typestate.h"

#include <optional>

namespace imbrex::launch {

/// 16-bit floats as a device holds them.
struct Half {
  uint16_t bits = 0;
};
struct BFloat16 {
  uint16_t bits = 0;
};

/// The DType of a C++ type; no element type is Invalid.
template <class T> constexpr DType elementType() {
  if constexpr (std::is_same_v<T, float>)
    return DType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::F64;
  else if constexpr (std::is_same_v<T, Half>)
    return DType::F16;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return DType::BF16;
  else if constexpr (std::is_same_v<T, bool>)
    return DType::Bool;
  else if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 1   ? (std::is_signed_v<T> ? DType::I8 : DType::U8)
           : sizeof(T) == 2 ? (std::is_signed_v<T> ? DType::I16 : DType::U16)
           : sizeof(T) == 4 ? (std::is_signed_v<T> ? DType::I32 : DType::U32)
                            : (std::is_signed_v<T> ? DType::I64 : DType::U64);
  else
    return DType::Invalid;
}
template <class T>
concept Element = elementType<T>() != DType::Invalid;

using Shape = std::vector<int64_t>;

/// What loans of every type have in common. Not for users.
struct Loan {
  BorrowRef borrow; // null: of a tensor that was given away
  std::optional<Error> fault;

  static Loan of(const std::shared_ptr<Buffer> &buffer, Borrowing kind, const Site &site);
  /// The part [begin, end) of an axis.
  Loan part(size_t axis, int64_t begin, int64_t end) const;
  /// Waits until the host may use it. The address, or an Error.
  Result<std::byte *> hostAddress(const char *what) const;
  Status copyOut(void *to, uint64_t bytes, const Site &site) const;
  Status copyIn(const void *from, uint64_t bytes, const Site &site) const;
  int64_t elements() const;
  Status usable(const char *what) const;
};

/// A loan for reading.
template <Element T> class [[nodiscard]] IMX_OWNED Read {
public:
  Read(Read &&) noexcept = default;
  Read &operator=(Read &&) noexcept = default;

  /// A part of it: elements [begin, end) of an axis. Of a temporary loan the rest ends.
  IMX_USES Read part(size_t axis, int64_t begin, int64_t end) const & {
    return Read(loan.part(axis, begin, end));
  }
  Read part(size_t axis, int64_t begin, int64_t end) && {
    Read kept(loan.part(axis, begin, end));
    loan = {};
    return kept;
  }
  /// Its elements in row-major order, of a part that is contiguous, on a device whose memory the
  /// host reaches. Waits for who writes them; they stay as they are while the loan lives.
  IMX_USES Result<std::span<const T>> host() const & {
    auto at = loan.hostAddress("reading on the host");
    if (!at)
      return at.takeError();
    return std::span<const T>(reinterpret_cast<const T *>(*at),
                              static_cast<size_t>(loan.elements()));
  }
  Result<std::span<const T>> host() && = delete; // the loan would be gone
  /// For kernels: a loan cannot be copied.
  IMX_USES_UP Read lend() { return std::move(*this); }

private:
  template <Element> friend class Tensor;
  friend struct Access;
  explicit Read(Loan loan) : loan(std::move(loan)) {}
  Loan loan;
};

/// A loan for writing: a piece of a tensor that belongs to whoever holds this.
template <Element T> class [[nodiscard]] IMX_OWNED Write {
public:
  Write(Write &&) noexcept = default;
  Write &operator=(Write &&) noexcept = default;

  /// The part [begin, end) of an axis; the rest is nobody's loan any more.
  IMX_USES_UP Write part(size_t axis, int64_t begin, int64_t end) {
    Write rest(loan.part(axis, begin, end));
    loan = {};
    return rest;
  }
  /// Two pieces, [0, at) and [at, end) of an axis; they can be written at the same time.
  IMX_USES_UP std::pair<Write, Write> split(size_t axis, int64_t at) {
    Write low(loan.part(axis, 0, at)), high(loan.part(axis, at, -1));
    loan = {};
    return {std::move(low), std::move(high)};
  }
  /// Pieces of `extent` along an axis; the last one may be shorter.
  IMX_USES_UP std::vector<Write> pieces(size_t axis, int64_t extent) {
    std::vector<Write> all;
    const int64_t end = loan.borrow && axis < loan.borrow->box.size()
                            ? loan.borrow->box[axis].end - loan.borrow->box[axis].begin
                            : 0;
    for (int64_t at = 0; extent > 0 && at < end; at += extent)
      all.push_back(Write(loan.part(axis, at, std::min(at + extent, end))));
    loan = {};
    return all;
  }
  /// As Read::host, to be written. Counts as written from now on.
  IMX_USES Result<std::span<T>> host() & {
    auto at = loan.hostAddress("writing on the host");
    if (!at)
      return at.takeError();
    return std::span<T>(reinterpret_cast<T *>(*at), static_cast<size_t>(loan.elements()));
  }
  Result<std::span<T>> host() && = delete; // the loan would be gone
  /// For kernels: hands the piece over.
  IMX_USES_UP Write lend() { return std::move(*this); }

private:
  template <Element> friend class Tensor;
  friend struct Access;
  explicit Write(Loan loan) : loan(std::move(loan)) {}
  Loan loan;
};

template <Element T> class Given;

template <Element T> class IMX_OWNED Tensor {
public:
  /// None: as one that was given away.
  Tensor() = default;
  Tensor(Tensor &&) noexcept = default;
  Tensor &operator=(Tensor &&) noexcept = default;

  IMX_USES const Shape &shape() const {
    static const Shape none;
    return buffer ? buffer->shape : none;
  }
  IMX_USES Read<T> read(Site at = Site::current()) const {
    return Read<T>(Loan::of(buffer, Borrowing::Read, at));
  }
  IMX_USES Write<T> write(Site at = Site::current()) {
    return Write<T>(Loan::of(buffer, Borrowing::Write, at));
  }
  IMX_USES_UP Given<T> give(Site at = Site::current());

  /// All elements in row-major order, when what writes them has ended.
  IMX_USES Result<std::vector<T>> values(Site at = Site::current()) const {
    Loan loan = Loan::of(buffer, Borrowing::Read, at);
    // Not std::vector<bool>, whose elements have no addresses.
    std::vector<T> out(static_cast<size_t>(loan.elements()));
    static_assert(!std::is_same_v<T, bool>, "read elements of type bool as uint8_t");
    if (auto s = loan.copyOut(out.data(), out.size() * sizeof(T), at); !s)
      return s.takeError();
    return out;
  }
  /// Overwrites all elements, when what uses them has ended.
  IMX_USES Status assign(std::span<const T> values, Site at = Site::current()) {
    return Loan::of(buffer, Borrowing::Write, at)
        .copyIn(values.data(), values.size() * sizeof(T), at);
  }
  /// Gives the memory back now. E0285 when it is lent or in use, and then it stays.
  IMX_USES Status release(Site at = Site::current()) { return releaseBuffer(buffer, at); }

private:
  friend struct Access;
  explicit Tensor(std::shared_ptr<Buffer> buffer) : buffer(std::move(buffer)) {}
  static Status releaseBuffer(std::shared_ptr<Buffer> &buffer, const Site &at);
  std::shared_ptr<Buffer> buffer;
};

/// A tensor on its way into an operation.
template <Element T> class [[nodiscard]] IMX_OWNED Given {
public:
  Given(Given &&) noexcept = default;

private:
  template <Element> friend class Tensor;
  friend struct Access;
  Given(Loan loan, Tensor<T> tensor) : loan(std::move(loan)), tensor(std::move(tensor)) {}
  Loan loan;
  Tensor<T> tensor;
};

template <Element T> Given<T> Tensor<T>::give(Site at) {
  Loan loan = Loan::of(buffer, Borrowing::Write, at);
  return {std::move(loan), std::move(*this)};
}

Status releaseMemory(std::shared_ptr<Buffer> &buffer, const Site &at);
template <Element T>
Status Tensor<T>::releaseBuffer(std::shared_ptr<Buffer> &buffer, const Site &at) {
  return releaseMemory(buffer, at);
}

/// The inside of these classes, for the rest of this folder.
struct Access {
  template <class Lent> static Loan &loan(Lent &lent) { return lent.loan; }
  template <Element T> static Tensor<T> tensor(Given<T> &given) {
    return make<T>(std::move(given.tensor.buffer));
  }
  template <Element T> static Tensor<T> make(std::shared_ptr<Buffer> buffer) {
    return Tensor<T>(std::move(buffer));
  }
  template <Element T> static const std::shared_ptr<Buffer> &buffer(const Tensor<T> &tensor) {
    return tensor.buffer;
  }
};

} // namespace imbrex::launch
