// check-invariance [ROWS [TEXT]]: is a row's result the same, bit by bit, whatever runs beside it?
//
// For each kernel of the library (whose name has TEXT) 512 (ROWS) rows are computed in one launch
// by one thread. Then, for every M up to that, M of the rows in a launch of their own, from a
// random one on, by 1 to 4 threads, the grid cut at random places. Each row must have the same bits
// as before. Rows are whatever is independent: rows of matrices, images, tokens, sequences.
#include "compiler/codegen/tile-cpu/HostKernels.h"
#include "kernels/Library.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <thread>

namespace imbrex::kernels {
namespace {

using codegen::HostKernels;

/// Memory at an address as kernels ask for.
class Bytes {
public:
  explicit Bytes(size_t count)
      : lines((count + sizeof(Line) - 1) / sizeof(Line) + 1), count(count) {}
  Bytes(const std::byte *from, size_t count) : Bytes(count) { std::memcpy(data(), from, count); }
  std::byte *data() { return lines.front().bytes; }
  const std::byte *data() const { return lines.front().bytes; }
  size_t size() const { return count; }

private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> lines;
  size_t count;
};

/// How a kernel is launched over rows. Views with an extent that follows the rows are cut there,
/// others shared.
struct Case {
  std::string kernel;
  std::string rows; // the size that counts them
  SizeBindings sizes;
  double low = -2, high = 2; // of the inputs' elements
  /// Rows see those before them: `past` counts what a launch leaves out in front, but reads.
  bool hasPast = false;
};

std::vector<Case> cases() {
  const SizeBindings matrix{{"n", 130}, {"d", 300}}, wide{{"columns", 700}};
  const SizeBindings image{{"c", 2},  {"h", 5},  {"w", 70},  {"oh", 3},  {"ow", 35},
                           {"kh", 3}, {"kw", 2}, {"top", 1}, {"left", 1}};
  SizeBindings grouped = image, heads{{"kv_heads", 1}, {"group", 1}, {"window", 100}}, top = wide;
  grouped.insert({{"groups", 2}, {"filters", 33}});
  top["k"] = 5;
  const SizeBindings quantized{{"panels", 2}, {"blocks", 5}}, panels{{"panels", 5}, {"pairs", 530}};
  return {{"softmax_f32", "rows", wide},
          {"rms_norm_f32", "rows", wide},
          {"layer_norm_f32", "rows", wide},
          {"group_norm_f32", "rows", {{"groups", 1}, {"channels", 3}, {"space", 130}}},
          {"sum_rows_f32", "rows", wide},
          {"maximum_rows_f32", "rows", wide},
          {"argmax_rows_f32", "rows", wide},
          {"top_rows_f32", "rows", top},
          {"sample_rows_f32", "rows", wide, 0, 1},
          {"embedding_f32", "tokens", {{"words", 40}, {"width", 300}}, -3, 45},
          {"rotary_embedding_f32", "tokens", {{"heads", 3}}},
          {"matmul_f32", "m", matrix},
          {"matmul_bf16", "m", matrix},
          {"matmul_f16", "m", matrix},
          {"matmul_bf16_weights", "m", panels},
          {"matvec_bf16_weights", "m", panels},
          {"matmul_u8s8", "m", matrix, -128, 127},
          {"batched_matmul_f32", "g", {{"m", 9}, {"n", 33}, {"d", 40}}},
          {"quantize_rows", "m", {{"blocks", 5}}},
          {"matmul_q4", "m", quantized},
          {"matmul_q4_least", "m", quantized},
          {"matmul_q5", "m", quantized},
          {"matmul_q5_least", "m", quantized},
          {"matmul_q6", "m", quantized},
          {"matmul_q8", "m", quantized},
          {"matvec_q4", "m", quantized},
          {"matvec_q4_least", "m", quantized},
          {"matvec_q5", "m", quantized},
          {"matvec_q5_least", "m", quantized},
          {"matvec_q6", "m", quantized},
          {"matvec_q8", "m", quantized},
          {"depthwise_convolution_f32", "n", image},
          {"depthwise_convolution_by2_f32", "n", image},
          {"grouped_convolution_f32", "n", grouped},
          {"maximum_pool_f32", "n", image},
          {"maximum_pool_by2_f32", "n", image},
          {"average_pool_f32", "n", image},
          {"attention_prefill_64_f32", "tokens", heads, -1, 1, true},
          {"attention_prefill_128_f32", "tokens", heads, -1, 1, true},
          {"attention_decode_64_f32", "kv_heads", {{"group", 3}, {"keys", 300}}, -1, 1},
          {"attention_decode_128_f32", "kv_heads", {{"group", 9}, {"keys", 70}}, -1, 1},
          {"attention_combine_64_f32", "kv_heads", {{"group", 3}, {"splits", 7}}, -1, 1},
          {"attention_combine_128_f32", "kv_heads", {{"group", 3}, {"splits", 2}}, -1, 1}};
}

/// Kernels without rows: an element is computed from the inputs at its place, or from its column.
constexpr const char *kWithoutRows[] = {"add_f32",       "gelu_f32",        "silu_multiply_f32",
                                        "transpose_f32", "sum_columns_f32", "append_to_cache_f32"};

int64_t elementsOf(const OperandShape &s) {
  int64_t n = 1;
  for (int64_t e : s.shape)
    n *= e;
  return n;
}

/// A view's memory as [outer][rows][bytes of a row].
struct Cut {
  size_t outer = 1, rowBytes = 0; // rowBytes 0: all rows share the view

  /// Its shape for one row and for many; empty when no axis or several follow the rows.
  static std::optional<Cut> between(const OperandShape &one, const OperandShape &many, int64_t rows,
                                    int64_t each) {
    Cut cut;
    for (size_t d = 0; d < one.shape.size(); ++d) {
      if (one.shape[d] != many.shape[d]) {
        if (cut.rowBytes || many.shape[d] != one.shape[d] * rows)
          return std::nullopt;
        cut.rowBytes = static_cast<size_t>(each * one.shape[d]);
      } else if (cut.rowBytes) {
        cut.rowBytes *= static_cast<size_t>(one.shape[d]);
      } else {
        cut.outer *= static_cast<size_t>(one.shape[d]);
      }
    }
    return cut;
  }
};

void fill(Bytes &bytes, DType type, const Case &c, std::mt19937 &random) {
  std::uniform_real_distribution<float> real(static_cast<float>(c.low), static_cast<float>(c.high));
  const auto each = static_cast<size_t>(byteSize(type));
  for (size_t at = 0; at + each <= bytes.size(); at += each) {
    float v = real(random);
    uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(v));
    if (type == DType::F32)
      bits = std::bit_cast<uint32_t>(v);
    if (type == DType::F16)
      bits = floatToHalf(v);
    if (type == DType::BF16)
      bits = floatToBfloat16(v);
    std::memcpy(bytes.data() + at, &bits, each);
  }
}

class Checker {
public:
  Checker(const Case &c, const HostKernels &code, int64_t most)
      : c(c), code(code), contract(code.records().front().contract), most(most), random(11) {}

  /// An error says which launch differs where.
  Status run() {
    auto one = shapesAt(1), all = shapesAt(most);
    if (!one || !all)
      return (one ? all : one).takeError();
    for (size_t i = 0; i < contract.views.size(); ++i) {
      const int64_t each = byteSize(contract.views[i].type);
      auto cut = Cut::between((*one)[i], (*all)[i], most, each);
      if (!cut)
        return badInput(280, "view " + contract.views[i].name + " of " + c.kernel +
                                 " is neither cut into rows nor shared");
      cuts.push_back(*cut);
      inputs.emplace_back(static_cast<size_t>(elementsOf((*all)[i]) * each));
      fill(inputs.back(), contract.views[i].type, c, random);
    }
    auto expected = launch(0, most, 1);
    if (!expected)
      return expected.takeError();
    for (int64_t m = 1; m <= most; ++m) {
      const int64_t first = std::uniform_int_distribution<int64_t>(0, most - m)(random);
      auto got = launch(first, m, static_cast<int>(m % 4 + 1));
      if (!got)
        return got.takeError();
      if (Status same = compare(*expected, *got, first, m); !same)
        return same;
    }
    return {};
  }

private:
  Result<std::vector<OperandShape>> shapesAt(int64_t rows, int64_t past = 0) {
    SizeBindings sizes = c.sizes;
    sizes[c.rows] = rows;
    if (c.hasPast)
      sizes["past"] = past;
    return operandShapes(contract, sizes);
  }
  bool isKeys(size_t view) const { // rows of them are read from the first on
    const std::string &name = contract.views[view].name;
    return c.hasPast && (name == "k" || name == "v");
  }

  Result<std::vector<Bytes>> launch(int64_t first, int64_t rows, int threads) {
    auto shapes = shapesAt(rows, first);
    if (!shapes)
      return shapes.takeError();
    std::vector<Bytes> memory;
    std::vector<ImxView> views;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Cut &cut = cuts[i];
      if (!cut.rowBytes) {
        memory.push_back(inputs[i]);
        continue;
      }
      const size_t from = isKeys(i) ? 0 : static_cast<size_t>(first),
                   bytes = (static_cast<size_t>(first + rows) - from) * cut.rowBytes;
      memory.emplace_back(cut.outer * bytes);
      for (size_t o = 0; o < cut.outer; ++o)
        std::memcpy(memory.back().data() + o * bytes, place(inputs[i], cut, most, o, from), bytes);
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const OperandShape &s = (*shapes)[i];
      views.push_back({memory[i].data(), s.shape.data(), s.strides.data(),
                       static_cast<int32_t>(s.shape.size()),
                       static_cast<uint32_t>(contract.views[i].type)});
    }
    SizeBindings sizes = c.sizes;
    sizes[c.rows] = rows;
    if (c.hasPast)
      sizes["past"] = first;
    // What a launch does not write must not look as if it had.
    for (size_t i = 0; i < memory.size(); ++i)
      if (contract.views[i].access == ViewAccess::Write)
        std::memset(memory[i].data(), static_cast<int>(rows % 251), memory[i].size());
    auto admitted = code.launch(code.records().front().name, views, sizes);
    if (!admitted)
      return admitted.takeError();
    if (int32_t failed = runInParts(*admitted, threads))
      return badInput(280, c.kernel + " stopped at its check " + std::to_string(failed - 1));
    return memory;
  }

  /// 0, or what a part returned that failed.
  int32_t runInParts(const codegen::HostLaunch &launch, int threads) {
    const int64_t points = launch.admitted.points;
    std::vector<int64_t> cuts{0, points};
    for (int t = 1; t < threads; ++t)
      cuts.push_back(std::uniform_int_distribution<int64_t>(0, points)(random));
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::thread> running;
    std::atomic<int32_t> status = 0;
    for (size_t t = 0; t + 1 < cuts.size(); ++t)
      running.emplace_back([&launch, &status, from = cuts[t], to = cuts[t + 1]] {
        Bytes scratch(launch.scratchBytes);
        ImxEnv env{};
        env.abi_version = IMX_ABI_VERSION;
        env.size = sizeof(ImxEnv);
        env.scratch =
            reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
        env.scratch_bytes = launch.scratchBytes;
        if (int32_t failed = launch.run(env, from, to))
          status = failed;
      });
    for (std::thread &t : running)
      t.join();
    return status;
  }

  Status compare(const std::vector<Bytes> &expected, const std::vector<Bytes> &got, int64_t first,
                 int64_t rows) {
    for (size_t i = 0; i < got.size(); ++i) {
      if (contract.views[i].access == ViewAccess::Read)
        continue;
      const Cut &cut = cuts[i];
      for (size_t n = 0; n < cut.outer * static_cast<size_t>(rows); ++n) {
        const size_t o = n / static_cast<size_t>(rows), r = n % static_cast<size_t>(rows);
        if (std::memcmp(place(expected[i], cut, most, o, static_cast<size_t>(first) + r),
                        place(got[i], cut, rows, o, r), cut.rowBytes) != 0)
          return badInput(280, c.kernel + ": row " + std::to_string(r) + " of " +
                                   std::to_string(rows) + " in '" + contract.views[i].name +
                                   "' is not what it is among " + std::to_string(most));
      }
    }
    return {};
  }
  /// Row `row` of the part `outer` of a view of so many rows.
  static const std::byte *place(const Bytes &of, const Cut &cut, int64_t rows, size_t outer,
                                size_t row) {
    return of.data() + (outer * static_cast<size_t>(rows) + row) * cut.rowBytes;
  }

  const Case &c;
  const HostKernels &code;
  const LaunchContract &contract;
  int64_t most;
  std::mt19937 random;
  std::vector<Bytes> inputs;
  std::vector<Cut> cuts; // of each view
};

/// Compiles and checks one kernel.
Status check(const Case &c, const edsl::NamedKernel &kernel, int64_t rows) {
  edsl::TraceReport report;
  auto text = edsl::traceKernels({kernel}, report);
  if (!text)
    return text.takeError();
  auto targets = codegen::cpuTargets("cpu:native");
  if (!targets)
    return targets.takeError();
  auto code = HostKernels::compileText(*text, targets->front());
  if (!code)
    return code.takeError();
  return Checker(c, *code, rows).run();
}

} // namespace
} // namespace imbrex::kernels

int main(int argc, char **argv) {
  using namespace imbrex;
  const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 512;
  const std::string only = argc > 2 ? argv[2] : "";
  if (argc > 3 || rows < 1 || rows > 4096) {
    std::fprintf(stderr,
                 "usage: check-invariance [ROWS [TEXT]]   1 to 4096 rows, 512; kernels whose "
                 "name has TEXT, all\n");
    return 2;
  }
  const std::vector<kernels::Case> cases = kernels::cases();
  int good = 0, bad = 0;
  for (const edsl::NamedKernel &kernel : kernels::library()) {
    if (std::ranges::find(kernels::kWithoutRows, kernel.name) != std::end(kernels::kWithoutRows) ||
        kernel.name.find(only) == std::string::npos)
      continue;
    auto c = std::ranges::find(cases, kernel.name, &kernels::Case::kernel);
    Status same = c == cases.end() ? badInput(280, kernel.name + " has no case in check-invariance")
                                   : kernels::check(*c, kernel, rows);
    if (!same)
      std::printf("%s\n", same.error().str().c_str());
    ++(same ? good : bad);
  }
  std::printf("invariance: %d of %d kernels, 1 to %lld rows, 1 to 4 threads\n", good, good + bad,
              static_cast<long long>(rows));
  return bad ? 1 : 0;
}
