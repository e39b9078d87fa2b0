/* Kernels by hand, for tests of the runtime: built as a shared object without libraries, as the
 * compiler's are. */
#include "runtime/abi/kernel.h"

/* args: x, y, out; dims: elements per grid point, and for the plan the grid. */
int32_t add_f32(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                int64_t end) {
  const float *x = args[0].data, *y = args[1].data;
  float *out = args[2].data;
  for (int64_t i = begin * dims[0]; i < end * dims[0]; ++i)
    out[i] = x[i] + y[i];
  return 0;
}

/* args: a[m,k], b[k,n], c[m,n]; dims: m, k, n; one grid point a row. */
int32_t matmul_f32(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                   int64_t end) {
  const float *a = args[0].data, *b = args[1].data;
  float *c = args[2].data;
  int64_t kk = dims[1], n = dims[2];
  for (int64_t i = begin; i < end; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < kk; ++k)
        sum += a[i * kk + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  return 0;
}

/* args: x[rows, n], out[rows]; dims: n, rows; one grid point a row. Works in scratch; check 0 fails on
 * NaN. */
int32_t row_sum_f32(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                    int64_t end) {
  const float *x = args[0].data;
  float *out = args[1].data, *scratch = env->scratch;
  for (int64_t row = begin; row < end; ++row) {
    scratch[0] = 0;
    for (int64_t j = 0; j < dims[0]; ++j) {
      float v = x[row * dims[0] + j];
      if (v != v)
        return 1;
      scratch[0] += v;
    }
    out[row] = scratch[0];
  }
  return 0;
}

/* args: x, out; calls out through the import table: out = imports[0](x), e.g. tanhf. dims:
 * elements. */
int32_t map_f32(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                int64_t end) {
  float (*fn)(float) = (float (*)(float))env->imports[0];
  const float *x = args[0].data;
  float *out = args[1].data;
  for (int64_t i = begin * dims[0]; i < end * dims[0]; ++i)
    out[i] = fn(x[i]);
  return 0;
}

/* Filled when the code is loaded. */
const void *imx_imports[1];

/* As map_f32, through the table above: out = imx_imports[0](x). */
int32_t map_by_table_f32(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                         int64_t end) {
  float (*fn)(float) = (float (*)(float))imx_imports[0];
  const float *x = args[0].data;
  float *out = args[1].data;
  for (int64_t i = begin * dims[0]; i < end * dims[0]; ++i)
    out[i] = fn(x[i]);
  return 0;
}

/* args: indices i64[rank, count], out i64[count]: the sum of each column. dims: rank, count. */
int32_t column_sum_i64(const ImxEnv *env, const ImxView *args, const int64_t *dims, int64_t begin,
                       int64_t end) {
  const int64_t *x = args[0].data;
  int64_t *out = args[1].data;
  for (int64_t j = begin; j < end; ++j) {
    out[j] = 0;
    for (int64_t i = 0; i < dims[0]; ++i)
      out[j] += x[i * dims[1] + j];
  }
  return 0;
}

/* in: m, k, n; out: bytes of c[m,n], rounded up to 64. Check 0 fails beyond 2^40 elements. */
int32_t matmul_sizes(const int64_t *in, int64_t *out) {
  __int128 elems = (__int128)in[0] * in[2];
  if (elems > ((__int128)1 << 40))
    return 1;
  out[0] = ((int64_t)elems * 4 + 63) / 64 * 64;
  return 0;
}

/* in: count; out: twice the count. */
int32_t double_sizes(const int64_t *in, int64_t *out) {
  out[0] = 2 * in[0];
  return 0;
}

/* Plans for kernels whose grid is one of their dims; the last wants scratch memory. */
int32_t first_dim_plan(const int64_t *in, int64_t *out) {
  out[0] = in[0];
  out[1] = 0;
  return 0;
}

int32_t second_dim_plan(const int64_t *in, int64_t *out) {
  out[0] = in[1];
  out[1] = 0;
  return 0;
}

/* dims: n, rows. No grid beyond 2^40 rows. */
int32_t row_sum_plan(const int64_t *in, int64_t *out) {
  if (in[1] > ((int64_t)1 << 40))
    return 1;
  out[0] = in[1];
  out[1] = 64;
  return 0;
}
