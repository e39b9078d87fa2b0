/* Operators of your own, in a shared library that Imbrex loads: one C header, nothing to link
 * against.
 *
 *   static int32_t infer(ImxOpCall *call, const ImxOpType *in, int32_t n, ImxOpType *out, int32_t
 * m) { out[0] = in[0]; return 0;
 *   }
 *   static int32_t compute(ImxOpCall *call, const ImxOpTensor *in, int32_t n, ImxOpTensor *out,
 * int32_t m) { … } static const ImxOp softcap = {sizeof(ImxOp), "com.example", "SoftCap", 1, 1, 1,
 * 1, infer, compute}; static const ImxOp *const ops[] = {&softcap}; static const ImxOpLibrary
 * library = {sizeof(ImxOpLibrary), IMX_OPS_VERSION, 1, ops}; const ImxOpLibrary
 * *imx_op_library(uint32_t host_version) { return &library; }
 *
 * The compiler calls `infer`; the runtime calls both, so that results can be allocated. Callbacks
 * may be called on any thread, several at a time. They must not keep pointers that they are given.
 */
#ifndef IMBREX_CUSTOM_OPS_H
#define IMBREX_CUSTOM_OPS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IMX_OPS_VERSION 1
#define IMX_OPS_MAX_RANK 8
#define IMX_OPS_MAX_OUTPUTS 16

/* Element types: 1 bool, 2 i8, 3 i16, 4 i32, 5 i64, 6 u8, 7 u16, 8 u32, 9 u64, 10 f16, 11 bf16, 12
 * f32, 13 f64 and the narrow ones of imbrex.h. */

/* dtype 0: an optional input that is left out. A size that is not known yet is a negative number:
 * equal numbers stand for equal sizes. Copy it where an output has the same size; IMX_OPS_OPEN is a
 * size of its own. */
#define IMX_OPS_OPEN (-1)
typedef struct ImxOpType {
  uint32_t dtype;
  int32_t rank;
  int64_t size[IMX_OPS_MAX_RANK];
} ImxOpType;

/* Dense and row-major. data of an input that is left out is NULL, and its dtype 0. */
typedef struct ImxOpTensor {
  void *data;
  const int64_t *shape;
  int32_t rank;
  uint32_t dtype;
} ImxOpTensor;

typedef enum ImxOpAttributeKind {
  IMX_ATTRIBUTE_INTS = 1,  /* an integer or a list of them */
  IMX_ATTRIBUTE_REALS = 2, /* a number or a list of them */
  IMX_ATTRIBUTE_TEXT = 3
} ImxOpAttributeKind;

typedef struct ImxOpAttribute {
  const char *name;
  int32_t kind;
  int64_t count; /* of elements; of bytes of a text */
  const int64_t *ints;
  const double *reals;
  const char *text; /* ended by 0 */
} ImxOpAttribute;

/* One node, or one run of it. Members are added at the end only; `size` says how many there are. */
typedef struct ImxOpCall {
  uint32_t size;
  int32_t attribute_count;
  const ImxOpAttribute *attributes; /* as the model gives them */
  /* Why a callback fails, for the user; it then returns another number than 0. */
  void (*fail)(struct ImxOpCall *, const char *text);
  /* While computing: memory for output `index` whose sizes infer left open. NULL when there is
   * none, or when the shape does not fit what was inferred. */
  void *(*allocate)(struct ImxOpCall *, int32_t index, const int64_t *shape);
  void *host; /* the host's own */
} ImxOpCall;

typedef struct ImxOp {
  uint32_t size; /* sizeof(ImxOp) */
  const char *domain;
  const char *name;
  int32_t since; /* the first version of the domain that has this form */
  int32_t min_inputs, max_inputs;
  int32_t outputs;
  int32_t (*infer)(ImxOpCall *, const ImxOpType *inputs, int32_t input_count, ImxOpType *outputs,
                   int32_t output_count);
  /* Outputs have memory where infer, asked with the sizes at hand, gave all sizes; the others' data
   * is NULL until `allocate` is called. Every element must be written. */
  int32_t (*compute)(ImxOpCall *, const ImxOpTensor *inputs, int32_t input_count,
                     ImxOpTensor *outputs, int32_t output_count);
} ImxOp;

typedef struct ImxOpLibrary {
  uint32_t size;        /* sizeof(ImxOpLibrary) */
  uint32_t ops_version; /* IMX_OPS_VERSION */
  int32_t count;
  const ImxOp *const *ops;
} ImxOpLibrary;

/* What a library exports. NULL: it cannot work with that version. */
#define IMX_OP_LIBRARY_SYMBOL "imx_op_library"
typedef const ImxOpLibrary *(*ImxOpLibraryFn)(uint32_t host_version);

#ifdef __cplusplus
}
#endif
#endif
