// Errors as values. A user error says what is wrong, why, and what to try; an internal error is a defect of
// ours and says how to report it. Both carry a code and, where there is one, a place.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace imbrex {

/// Exit codes of every command (docs/reference/exit-codes.md).
enum class ExitCode : int {
  Good = 0,
  No = 1,          // the answer is "no": a mismatch, a failed check
  BadInput = 2,    // usage, unreadable or invalid input
  Unsupported = 3, // unknown or not supported
  Internal = 70,   // a defect of ours
};

/// Where in a file: line and column are 1-based, 0 when unknown.
struct FileLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

enum class ErrorKind : uint8_t { BadInput, Unsupported, Internal };

/// One error. Printed as `file:line:col: error[E0123]: what; because …; try …`.
/// Codes: E00xx general and I/O, E01xx .imx artifact, E02xx run time, E03xx .onnx file, E04xx import,
/// E05xx types and shapes, E06xx code generation, E07xx command line, E08xx .npy and other data files.
struct Error {
  ErrorKind kind = ErrorKind::BadInput;
  uint16_t code = 0;
  std::string what;
  std::string because;
  std::string remedy; // the text after "try"
  FileLocation where;

  std::string str() const;
  ExitCode exitCode() const {
    return kind == ErrorKind::BadInput      ? ExitCode::BadInput
           : kind == ErrorKind::Unsupported ? ExitCode::Unsupported
                                            : ExitCode::Internal;
  }
};

inline Error badInput(uint16_t code, std::string what, std::string because = {},
                      std::string remedy = {}, FileLocation where = {}) {
  return {ErrorKind::BadInput,  code, std::move(what), std::move(because), std::move(remedy),
          std::move(where)};
}
inline Error unsupported(uint16_t code, std::string what, std::string because = {},
                         std::string remedy = {}, FileLocation where = {}) {
  return {ErrorKind::Unsupported, code, std::move(what), std::move(because), std::move(remedy),
          std::move(where)};
}
inline Error internalError(uint16_t code, std::string what, FileLocation where = {}) {
  return {ErrorKind::Internal, code, std::move(what), {}, {}, std::move(where)};
}

/// A value or an Error.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state.index() == 0; }
  explicit operator bool() const { return ok(); }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  T take() { return std::move(std::get<0>(state)); }
  const Error &error() const { return std::get<1>(state); }
  Error takeError() { return std::move(std::get<1>(state)); }

private:
  std::variant<T, Error> state;
};

/// Success, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)), good(false) {}
  bool ok() const { return good; }
  explicit operator bool() const { return good; }
  const Error &error() const { return failure; }
  Error takeError() { return std::move(failure); }

private:
  Error failure;
  bool good = true;
};
using Status = Result<void>;

} // namespace imbrex
