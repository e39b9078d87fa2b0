/* The kernel ABI: how compiled code is called, and what it may call. C, versioned, device-neutral
 * in its records; the function types below are those of host code (CPU variants).
 *
 * A kernel computes points of a launch grid. Points are independent: the runtime may run any
 * partition of the grid into ranges, in any order, on any threads. A kernel never allocates and
 * never blocks. */
#ifndef IMBREX_RUNTIME_ABI_KERNEL_H
#define IMBREX_RUNTIME_ABI_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IMX_ABI_VERSION 1u

/* Element types; the values of imbrex::DType. */
enum ImxDType {
  IMX_INVALID = 0,
  IMX_BOOL = 1,
  IMX_I8 = 2,
  IMX_I16 = 3,
  IMX_I32 = 4,
  IMX_I64 = 5,
  IMX_U8 = 6,
  IMX_U16 = 7,
  IMX_U32 = 8,
  IMX_U64 = 9,
  IMX_F16 = 10,
  IMX_BF16 = 11,
  IMX_F32 = 12,
  IMX_F64 = 13,
  /* Narrow types: a byte each in memory. Floats: their bits; integers: sign- or zero-extended. */
  IMX_F8E4M3FN = 14,
  IMX_F8E5M2 = 15,
  IMX_F8E4M3FNUZ = 16,
  IMX_F8E5M2FNUZ = 17,
  IMX_F8E8M0 = 18,
  IMX_F4E2M1 = 19,
  IMX_I4 = 20,
  IMX_U4 = 21,
  IMX_I2 = 22,
  IMX_U2 = 23
};

/* A tensor as a kernel sees it. Strides are in elements. `data` is never null, not even for an
 * empty tensor, and is aligned to 64 bytes unless the kernel's record says that it takes unaligned
 * operands. */
typedef struct ImxView {
  void *data;
  const int64_t *shape;  /* rank values */
  const int64_t *stride; /* rank values */
  int32_t rank;
  uint32_t dtype; /* enum ImxDType */
} ImxView;

typedef struct ImxEnv ImxEnv;

/* Runs body over 0 ≤ i < n in ranges, on any threads, and returns when all are done: 0, or the
 * first other result. `body` gets an ImxEnv of its thread, in which parallel_for is null. For code
 * that makes its own parallel loops; kernels have their grid. */
typedef int32_t (*ImxParallelBody)(void *context, const ImxEnv *env, int64_t begin, int64_t end);
typedef int32_t (*ImxParallelFor)(const ImxEnv *env, int64_t n, ImxParallelBody body,
                                  void *context);

/* What the host lends to code for the time of one call. Grows at the end only; `size` tells how
 * much is there. */
struct ImxEnv {
  uint32_t abi_version; /* IMX_ABI_VERSION */
  uint32_t size;        /* sizeof(ImxEnv) of the host */
  void *scratch;        /* 64-byte aligned, at least the record's workspace, one per thread */
  uint64_t scratch_bytes;
  const void *const *imports; /* by the artifact's import table: functions the code calls out to */
  uint32_t import_count;
  int32_t thread;              /* 0 ≤ thread < threads of this launch */
  ImxParallelFor parallel_for; /* null: run loops on this thread */
};

/* Calls that a compiler's back end adds by itself (memcpy, a math function) have no ImxEnv at hand.
 * For them a code file may define the object `imx_imports`, an array of pointers in writable
 * memory; when the code is loaded, before anything of it runs, the runtime stores there as many of
 * the artifact's imports, in their order, as it has room for. Sizes functions may use it, too. */

/* Runs grid points begin ≤ g < end. args: operands in the record's order, results last. dims: the
 * values of the record's dimension parameters. Returns 0, or 1 + the index of the record's check
 * that failed. */
typedef int32_t (*ImxKernelFn)(const ImxEnv *env, const ImxView *args, const int64_t *dims,
                               int64_t begin, int64_t end);

/* Sizes from sizes: `in` holds a function's dimension parameters, `out` receives everything that
 * depends on them: extents of intermediate tensors, bytes and offsets of storage. The record says
 * how many of each. Returns 0, or 1 + the index of the check that failed (a size that is negative
 * or overflows).
 *
 * A kernel's plan is one, too: from the dims of a launch to two numbers, the points of the grid and
 * the bytes of scratch memory that each thread needs. It belongs to the code, so variants may
 * differ in it. Any other result than 0 means that there is no such grid. */
typedef int32_t (*ImxSizesFn)(const int64_t *in, int64_t *out);

/* Vendor kernels with state of their own (external code generators): made once from constants, kept
 * across runs, saved into and loaded from the artifact. */
typedef struct ImxExternalState ImxExternalState;
typedef struct ImxExternalVtbl {
  uint32_t abi_version;
  uint32_t size; /* sizeof(ImxExternalVtbl) of whoever fills it in; grows at the end only */
  int32_t (*init)(const ImxView *constants, int32_t count, ImxExternalState **state);
  int32_t (*save)(const ImxExternalState *state, void *buffer, uint64_t *bytes);
  int32_t (*load)(const void *buffer, uint64_t bytes, ImxExternalState **state);
  int32_t (*run)(ImxExternalState *state, const ImxEnv *env, const ImxView *args,
                 const int64_t *dims);
  void (*destroy)(ImxExternalState *state);
} ImxExternalVtbl;

#ifdef __cplusplus
}
#endif
#endif
