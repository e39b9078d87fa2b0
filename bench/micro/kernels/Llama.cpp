#include "bench/micro/kernels/Llama.h"

#include <algorithm>
#include <dlfcn.h>
#include <stdexcept>
#include <sys/mman.h>

namespace imbrex::bench {

/// ggml's C interface, as far as it is used here.
struct Llama::Interface {
  using Handle = void *;
  struct InitParams {
    size_t bytes;
    void *memory;
    bool noData;
  };
  Handle (*init)(InitParams);
  void (*free)(Handle);
  Handle (*newTensor2d)(Handle, int, int64_t, int64_t);
  Handle (*mulMat)(Handle, Handle, Handle);
  Handle (*newGraph)(Handle);
  void (*expand)(Handle, Handle);
  size_t (*quantizeChunk)(int, const float *, void *, int64_t, int64_t, int64_t, const float *);
  size_t (*rowSize)(int, int64_t);
  Handle (*cpuInit)();
  void (*setThreads)(Handle, int);
  int (*compute)(Handle, Handle);
  void (*freeBackend)(Handle);
  Handle (*plainBuffer)();
  Handle (*rearrangedBuffer)() = nullptr;
  Handle (*allocate)(Handle, Handle);
  void *(*base)(Handle);
  size_t (*bufferBytes)(Handle);
  void (*freeBuffer)(Handle);
  void (*set)(Handle, const void *, size_t, size_t);
  void (*get)(Handle, void *, size_t, size_t);
  bool (*supports)(Handle, Handle);
  Handle (*device)(Handle);
};

namespace {

template <class F> void find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function)
    throw std::runtime_error(std::string("no ") + name);
}

constexpr int kF32 = 0;

} // namespace

std::unique_ptr<Llama> Llama::open(const std::string &path, std::string &why) {
  // A module of Python wants the interpreter's symbols.
  dlopen("libpython3.11.so.1.0", RTLD_NOW | RTLD_GLOBAL);
  // It brings C++ templates that this program has too, made by another compiler.
  void *library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) {
    why = dlerror();
    return nullptr;
  }
  std::unique_ptr<Llama> llama(new Llama());
  llama->ggml = std::make_unique<Interface>();
  Interface &g = *llama->ggml;
  try {
    find(library, "ggml_init", g.init);
    find(library, "ggml_free", g.free);
    find(library, "ggml_new_tensor_2d", g.newTensor2d);
    find(library, "ggml_mul_mat", g.mulMat);
    find(library, "ggml_new_graph", g.newGraph);
    find(library, "ggml_build_forward_expand", g.expand);
    find(library, "ggml_quantize_chunk", g.quantizeChunk);
    find(library, "ggml_row_size", g.rowSize);
    find(library, "ggml_backend_cpu_init", g.cpuInit);
    find(library, "ggml_backend_cpu_set_n_threads", g.setThreads);
    find(library, "ggml_backend_graph_compute", g.compute);
    find(library, "ggml_backend_free", g.freeBackend);
    find(library, "ggml_backend_cpu_buffer_type", g.plainBuffer);
    find(library, "ggml_backend_alloc_ctx_tensors_from_buft", g.allocate);
    find(library, "ggml_backend_buffer_get_base", g.base);
    find(library, "ggml_backend_buffer_get_size", g.bufferBytes);
    find(library, "ggml_backend_buffer_free", g.freeBuffer);
    find(library, "ggml_backend_tensor_set", g.set);
    find(library, "ggml_backend_tensor_get", g.get);
    find(library, "ggml_backend_supports_op", g.supports);
  } catch (const std::exception &e) {
    why = e.what();
    return nullptr;
  }
  g.rearrangedBuffer = reinterpret_cast<Interface::Handle (*)()>(
      dlsym(library, "_Z35ggml_backend_cpu_repack_buffer_typev"));
  return llama;
}

Llama::~Llama() = default;

std::vector<uint8_t> Llama::quantize(int type, const std::vector<float> &numbers, int64_t k) const {
  const int64_t rows = static_cast<int64_t>(numbers.size()) / k;
  std::vector<uint8_t> out(ggml->rowSize(type, k) * static_cast<size_t>(rows));
  ggml->quantizeChunk(type, numbers.data(), out.data(), 0, rows, k, nullptr);
  return out;
}

class Llama::Graph : public Llama::Product {
public:
  Graph(const Interface &g, Layout layout, int type, int64_t m, int64_t n, int64_t k, int threads)
      : g(g), elems(static_cast<size_t>(m * n)) {
    backend = g.cpuInit();
    g.setThreads(backend, threads);
    forWeights = g.init({1 << 20, nullptr, true});
    others = g.init({1 << 20, nullptr, true});
    weights = g.newTensor2d(forWeights, type, k, n);
    input = g.newTensor2d(others, kF32, k, m);
    buffers.push_back(inHugePages(
        g.allocate(forWeights, layout == Layout::File ? g.plainBuffer() : g.rearrangedBuffer())));
    output = g.mulMat(others, weights, input);
    graph = g.newGraph(others);
    g.expand(graph, output);
    buffers.push_back(inHugePages(g.allocate(others, g.plainBuffer())));
  }
  ~Graph() override {
    for (Interface::Handle b : buffers)
      g.freeBuffer(b);
    g.free(others);
    g.free(forWeights);
    g.freeBackend(backend);
  }
  bool works() const { return g.supports(backend, output); }
  void fill(const std::vector<uint8_t> &all, const std::vector<float> &x) {
    g.set(weights, all.data(), 0, all.size());
    g.set(input, x.data(), 0, x.size() * 4);
  }
  void run() override {
    if (g.compute(backend, graph) != 0)
      throw std::runtime_error("ggml does not compute");
  }
  void result(std::vector<float> &c) override {
    c.resize(elems);
    g.get(output, c.data(), 0, elems * 4);
  }

private:
  /// As our memory is; nothing was written yet.
  Interface::Handle inHugePages(Interface::Handle buffer) {
    constexpr uintptr_t kPage = 2 << 20;
    const auto from = (reinterpret_cast<uintptr_t>(g.base(buffer)) + kPage - 1) / kPage * kPage,
               to = reinterpret_cast<uintptr_t>(g.base(buffer)) + g.bufferBytes(buffer);
    if (from < to)
      madvise(reinterpret_cast<void *>(from), to - from, MADV_HUGEPAGE);
    return buffer;
  }
  const Interface &g;
  size_t elems;
  Interface::Handle backend, forWeights, others, weights, input, output, graph;
  std::vector<Interface::Handle> buffers;
};

std::unique_ptr<Llama::Product> Llama::product(Layout layout, int type, int64_t m, int64_t n,
                                               int64_t k, const std::vector<uint8_t> &rows,
                                               const std::vector<float> &x, int threads) const {
  if (layout == Layout::Rearranged && !ggml->rearrangedBuffer)
    return nullptr;
  auto graph = std::make_unique<Graph>(*ggml, layout, type, m, n, k, threads);
  if (!graph->works())
    return nullptr;
  std::vector<uint8_t> all(ggml->rowSize(type, k) * static_cast<size_t>(n));
  for (size_t at = 0; at < all.size(); at += rows.size())
    std::copy_n(rows.begin(), std::min(rows.size(), all.size() - at),
                all.begin() + static_cast<std::ptrdiff_t>(at));
  graph->fill(all, x);
  return graph;
}

} // namespace imbrex::bench
