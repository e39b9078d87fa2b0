// The libraries that kernels are compared with, opened at run time: oneDNN (matrix products with
// weights that it packed once) and OpenBLAS. Neither is needed to build.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace imbrex::bench {

enum class Kind : uint8_t { F32, BF16, U8S8 };

/// One matrix product on given operands: rows of A, row-major B, C of f32 or i32.
class Product {
public:
  virtual ~Product() = default;
  virtual void run() = 0;
};

struct Operands {
  Kind kind;
  int64_t m, n, k;
  const void *a, *b;
  void *c;
  int64_t copies = 1; // of the weights, used in turn: more than one so that no cache has them
};

/// Null when the library cannot be opened; `why` then says so.
std::unique_ptr<Product> oneDnn(const std::string &library, const Operands &o, std::string &why);
std::unique_ptr<Product> openBlas(const std::string &library, const Operands &o, std::string &why);

} // namespace imbrex::bench
