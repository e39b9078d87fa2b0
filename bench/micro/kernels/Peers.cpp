#include "bench/micro/kernels/Peers.h"

#include "bench/micro/kernels/Machine.h"

#include <dlfcn.h>
#include <stdexcept>
#include <vector>

namespace imbrex::bench {

namespace {

/// oneDNN 3's C interface, as far as it is used here; the numbers are those of its headers.
struct Dnn {
  using Handle = void *;
  struct Arg {
    int arg;
    Handle memory;
  };
  static constexpr int kAny = 1, kAb = 3, kWeightsMd = 131, kSrc = 1, kDst = 17, kWeights = 33;
  int (*engineCreate)(Handle *, int, size_t);
  int (*streamCreate)(Handle *, Handle, unsigned);
  int (*mdCreate)(Handle *, int, const int64_t *, int, int);
  int (*memoryCreate)(Handle *, Handle, Handle, void *);
  int (*matmulPd)(Handle *, Handle, Handle, Handle, Handle, Handle, Handle);
  int (*reorderPd)(Handle *, Handle, Handle, Handle, Handle, Handle);
  Handle (*queryMd)(Handle, int, int);
  size_t (*mdBytes)(Handle);
  int (*primitiveCreate)(Handle *, Handle);
  int (*execute)(Handle, Handle, int, const Arg *);
  int (*wait)(Handle);
  Handle engine = nullptr, stream = nullptr;
};

template <class F> void find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function)
    throw std::runtime_error(std::string("no ") + name);
}

void check(int status) {
  if (status != 0)
    throw std::runtime_error("oneDNN says " + std::to_string(status));
}

Dnn open(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw std::runtime_error(dlerror());
  Dnn d;
  find(library, "dnnl_engine_create", d.engineCreate);
  find(library, "dnnl_stream_create", d.streamCreate);
  find(library, "dnnl_memory_desc_create_with_tag", d.mdCreate);
  find(library, "dnnl_memory_create", d.memoryCreate);
  find(library, "dnnl_matmul_primitive_desc_create", d.matmulPd);
  find(library, "dnnl_reorder_primitive_desc_create", d.reorderPd);
  find(library, "dnnl_primitive_desc_query_md", d.queryMd);
  find(library, "dnnl_memory_desc_get_size", d.mdBytes);
  find(library, "dnnl_primitive_create", d.primitiveCreate);
  find(library, "dnnl_primitive_execute", d.execute);
  find(library, "dnnl_stream_wait", d.wait);
  check(d.engineCreate(&d.engine, 1, 0));
  check(d.streamCreate(&d.stream, d.engine, 1));
  return d;
}

class DnnProduct : public Product {
public:
  DnnProduct(const std::string &path, const Operands &o) : dnn(open(path)) {
    const int in = o.kind == Kind::F32 ? 3 : o.kind == Kind::BF16 ? 2 : 6;
    const int weights = o.kind == Kind::U8S8 ? 5 : in, out = o.kind == Kind::U8S8 ? 4 : 3;
    auto md = [&](int64_t rows, int64_t columns, int type, int tag) {
      int64_t dims[12] = {rows, columns};
      Dnn::Handle h = nullptr;
      check(dnn.mdCreate(&h, 2, dims, type, tag));
      return h;
    };
    auto memory = [&](Dnn::Handle desc, const void *data) {
      Dnn::Handle h = nullptr;
      check(dnn.memoryCreate(&h, desc, dnn.engine, const_cast<void *>(data)));
      return h;
    };
    Dnn::Handle a = md(o.m, o.k, in, Dnn::kAb), b = md(o.k, o.n, weights, Dnn::kAb);
    Dnn::Handle c = md(o.m, o.n, out, Dnn::kAb), any = md(o.k, o.n, weights, Dnn::kAny),
                pd = nullptr;
    check(dnn.matmulPd(&pd, dnn.engine, a, any, nullptr, c, nullptr));
    check(dnn.primitiveCreate(&primitive, pd));
    Dnn::Handle plain = memory(b, o.b), reorder = nullptr, order = nullptr;
    const Dnn::Handle format = dnn.queryMd(pd, Dnn::kWeightsMd, 0);
    const size_t each = (dnn.mdBytes(format) + 4095) / 4096 * 4096;
    arena = std::make_unique<Arena>(each * static_cast<size_t>(o.copies));
    check(dnn.reorderPd(&order, b, dnn.engine, dnn.queryMd(pd, Dnn::kWeightsMd, 0), dnn.engine,
                        nullptr));
    check(dnn.primitiveCreate(&reorder, order));
    for (int64_t i = 0; i < o.copies; ++i) {
      packed.push_back(memory(format, arena->as<char>() + each * static_cast<size_t>(i)));
      Dnn::Arg move[] = {{Dnn::kSrc, plain}, {Dnn::kDst, packed.back()}};
      check(dnn.execute(reorder, dnn.stream, 2, move));
      check(dnn.wait(dnn.stream));
    }
    args[0] = {Dnn::kSrc, memory(a, o.a)};
    args[2] = {Dnn::kDst, memory(c, o.c)};
  }
  void run() override {
    args[1] = {Dnn::kWeights, packed[turn++ % packed.size()]};
    check(dnn.execute(primitive, dnn.stream, 3, args));
    check(dnn.wait(dnn.stream));
  }

private:
  Dnn dnn;
  Dnn::Handle primitive = nullptr;
  std::unique_ptr<Arena> arena; // in huge pages, as ours are
  std::vector<Dnn::Handle> packed;
  size_t turn = 0;
  Dnn::Arg args[3] = {};
};

class BlasProduct : public Product {
public:
  BlasProduct(const std::string &path, const Operands &o) : o(o) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw std::runtime_error(dlerror());
    sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
    if (!sgemm) // the build for Python
      find(library, "scipy_cblas_sgemm", sgemm);
  }
  void run() override {
    sgemm(101, 111, 111, int(o.m), int(o.n), int(o.k), 1, static_cast<const float *>(o.a), int(o.k),
          static_cast<const float *>(o.b), int(o.n), 0, static_cast<float *>(o.c), int(o.n));
  }

private:
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int, const float *,
                         int, float, float *, int);
  Operands o;
  Sgemm sgemm = nullptr;
};

} // namespace

std::unique_ptr<Product> oneDnn(const std::string &library, const Operands &o, std::string &why) {
  try {
    return std::make_unique<DnnProduct>(library, o);
  } catch (const std::exception &e) {
    why = e.what();
    return nullptr;
  }
}

std::unique_ptr<Product> openBlas(const std::string &library, const Operands &o, std::string &why) {
  if (o.kind != Kind::F32)
    return nullptr;
  try {
    return std::make_unique<BlasProduct>(library, o);
  } catch (const std::exception &e) {
    why = e.what();
    return nullptr;
  }
}

} // namespace imbrex::bench
