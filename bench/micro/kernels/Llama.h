// llama.cpp's matrix product on the CPU (ggml), opened at run time from any library that exports
// its C interface, such as that of the xllamacpp wheel. Not needed to build.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace imbrex::bench {

class Llama {
public:
  /// Opens the library; null when that is not possible, and `why` says so.
  static std::unique_ptr<Llama> open(const std::string &library, std::string &why);
  ~Llama();

  /// Rows of `k` floats as blocks of a type.
  std::vector<uint8_t> quantize(int type, const std::vector<float> &numbers, int64_t k) const;

  /// How weights lie: as in the file, or rearranged for this CPU when they are loaded.
  enum class Layout { File, Rearranged };
  /// c[m, n] = sum(k) x[m, k] * w[n, k] with weights in memory, in huge pages.
  class Product {
  public:
    virtual ~Product() = default;
    virtual void run() = 0;
    virtual void result(std::vector<float> &c) = 0;
  };
  /// Null where the type has no such layout. `rows` holds some rows of blocks, which repeat.
  std::unique_ptr<Product> product(Layout layout, int type, int64_t m, int64_t n, int64_t k,
                                   const std::vector<uint8_t> &rows, const std::vector<float> &x,
                                   int threads) const;

private:
  Llama() = default;
  struct Interface;
  std::unique_ptr<Interface> ggml;
  class Graph;
};

} // namespace imbrex::bench
