#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>
#include <map>

namespace imbrex {

using namespace hostops;

namespace {

enum Mode : int64_t { Frequency = 0, Inverse = 1, Both = 2 };

/// The pool's n-grams of one length, each with the output column it counts in.
using Grams = std::map<std::vector<int64_t>, int64_t>;

Result<std::vector<Grams>> readPool(const HostTensor &pool, const HostTensor &starts,
                                    const HostTensor &columns) {
  std::vector<Grams> byLength;
  int64_t gram = 0;
  for (int64_t s = 0; s < starts.elems(); ++s) {
    const int64_t length = s + 1, from = starts.toInt(s);
    const int64_t to = s + 1 < starts.elems() ? starts.toInt(s + 1) : pool.elems();
    if (from < 0 || to < from || to > pool.elems() || (to - from) % length != 0)
      return wrongValue("the pool of n-grams does not fit its ngram_counts");
    Grams grams;
    for (int64_t at = from; at < to; at += length, ++gram) {
      if (gram >= columns.elems() || columns.toInt(gram) < 0)
        return wrongValue("ngram_indexes does not fit the pool of n-grams");
      std::vector<int64_t> key;
      for (int64_t i = 0; i < length; ++i)
        key.push_back(pool.toInt(at + i));
      grams.emplace(std::move(key), columns.toInt(gram));
    }
    byLength.push_back(std::move(grams));
  }
  return byLength;
}

} // namespace

Result<std::vector<HostTensor>> tfIdf(HostArgs args) {
  const HostTensor &x = *args[0], &columns = *args[3], &params = *args[5];
  auto pool = readPool(*args[1], *args[2], columns);
  if (!pool)
    return pool.takeError();
  const int64_t least = param(params, 0), most = param(params, 1), skip = param(params, 2);
  const int64_t mode = param(params, 3);
  int64_t width = 0;
  for (int64_t i = 0; i < columns.elems(); ++i)
    width = std::max(width, columns.toInt(i) + 1);
  if (width > (int64_t{1} << 31))
    return wrongValue("tf_idf has an output column beyond 2^31");
  const int64_t rows = x.rank() == 2 ? x.shape()[0] : 1,
                length = x.rank() == 0 ? 1 : x.shape().back();
  HostTensor y(DType::F32,
               x.rank() == 2 ? std::vector<int64_t>{rows, width} : std::vector<int64_t>{width});
  auto *out = y.mutableData<float>();
  std::vector<int64_t> key;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t n = std::max<int64_t>(least, 1); n <= most && n <= int64_t(pool->size()); ++n)
      // Single elements have nothing to skip between them.
      for (int64_t step = 1; step <= (n == 1 ? 1 : skip + 1); ++step)
        for (int64_t at = 0; at + (n - 1) * step < length; ++at) {
          key.clear();
          for (int64_t i = 0; i < n; ++i)
            key.push_back(x.toInt(r * length + at + i * step));
          const Grams &grams = (*pool)[static_cast<size_t>(n - 1)];
          if (auto it = grams.find(key); it != grams.end())
            out[r * width + it->second] += 1;
        }
  if (mode == Frequency)
    return std::vector<HostTensor>{std::move(y)};
  const HostTensor *weights = args[4];
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t g = 0; g < columns.elems(); ++g) {
      float &v = out[r * width + columns.toInt(g)];
      const float weight = weights && g < weights->elems() ? float(weights->toDouble(g)) : 1;
      v = mode == Inverse ? (v > 0 ? weight : 0) : v * weight;
    }
  return std::vector<HostTensor>{std::move(y)};
}

} // namespace imbrex
