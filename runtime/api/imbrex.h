/* Imbrex: run compiled models. The C interface of libimbrex-runtime.so.
 *
 *   ImbrexModule *m;  ImbrexContext *c;
 *   imbrex_module_open("model.imx", NULL, &m);
 *   imbrex_context_create(m, NULL, &c);
 *   ImbrexTensor in = {...}, out = {0};
 *   if (imbrex_run(c, &in, 1, &out, 1) != IMBREX_OK) puts(imbrex_last_error());
 *   imbrex_tensor_release(&out);
 *
 * Threads: a module may be shared by any number of threads; a context belongs to one run at a time
 * (a second run meanwhile gives IMBREX_BUSY); contexts of one module run concurrently.
 * imbrex_last_error is per thread. */
#ifndef IMBREX_H
#define IMBREX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define IMBREX_API __attribute__((visibility("default")))
#else
#define IMBREX_API
#endif

#define IMBREX_VERSION "0.1.0"

typedef enum ImbrexStatus {
  IMBREX_OK = 0,
  IMBREX_BAD_ARGUMENT = 1, /* wrong count, name, dtype or shape */
  IMBREX_BAD_ARTIFACT = 2, /* not an artifact, corrupt, or of a newer version */
  IMBREX_UNSUPPORTED = 3,  /* no code for this machine; a missing host operation */
  IMBREX_BUSY = 4,         /* the context is running already */
  IMBREX_RUN_FAILED = 5,   /* a check of the model failed while running; the text says which */
  IMBREX_NO_MEMORY = 6,
  IMBREX_INTERNAL = 70
} ImbrexStatus;

/* Element types are those of runtime/abi/kernel.h: 1 bool, 2 i8, 3 i16, 4 i32, 5 i64, 6 u8, 7 u16,
 * 8 u32, 9 u64, 10 f16, 11 bf16, 12 f32, 13 f64; and, a byte an element,
 * 14 f8e4m3fn, 15 f8e5m2, 16 f8e4m3fnuz, 17 f8e5m2fnuz, 18 f8e8m0, 19 f4e2m1, 20 i4, 21 u4, 22 i2,
 * 23 u2; 24 string: the elements are ImbrexString; 25 item: they are ImbrexItem. A sequence is a
 * vector of items, an optional value a vector of at most one, a map a row [1, 2] of two: its keys
 * and its values, vectors of one length. All are dense. */
typedef struct ImbrexString {
  const char *data; /* UTF-8, not ended by 0; NULL where size is 0 */
  int64_t size;
} ImbrexString;
/* An element of a sequence: a dense tensor. Of an output it is part of the output's memory. */
typedef struct ImbrexItem {
  const void *data;
  const int64_t *shape;
  int32_t rank;
  uint32_t dtype;
} ImbrexItem;
typedef struct ImbrexTensor {
  void *data;
  uint32_t dtype;
  int32_t rank;
  const int64_t *shape;
  const int64_t *stride; /* in elements; NULL: dense row-major */
  /* Set by the runtime on outputs; call imbrex_tensor_release once. NULL on inputs. */
  void *owner;
} ImbrexTensor;

typedef struct ImbrexModule ImbrexModule;
typedef struct ImbrexContext ImbrexContext;

typedef struct ImbrexModuleOptions {
  uint32_t size;              /* sizeof(ImbrexModuleOptions) */
  int32_t verify_constants;   /* 1: check the constants' checksum too */
  int32_t constants_in_place; /* 1: never copy constants into huge pages */
} ImbrexModuleOptions;

typedef struct ImbrexContextOptions {
  uint32_t size;    /* sizeof(ImbrexContextOptions) */
  int32_t threads;  /* 0: as many as the process may use (cpuset and cgroup quota); 1: the calling
                       thread */
  int32_t prefault; /* 1: bring planned memory in when it is mapped, not at first touch */
} ImbrexContextOptions;

/* The text of this thread's last failure; never NULL, valid until its next call. */
IMBREX_API const char *imbrex_last_error(void);
IMBREX_API const char *imbrex_version(void);

/* Options may be NULL. Opening checks structure, bytecode and checksums of metadata and code.
 * Inspecting a stranger's artifact is safe; creating a context loads its machine code, which is
 * trusted like a shared library. */
IMBREX_API ImbrexStatus imbrex_module_open(const char *path, const ImbrexModuleOptions *,
                                           ImbrexModule **);
/* Bytes are copied. */
IMBREX_API ImbrexStatus imbrex_module_from_memory(const void *bytes, size_t size,
                                                  const ImbrexModuleOptions *, ImbrexModule **);
/* A module stays alive while its contexts do. */
IMBREX_API void imbrex_module_close(ImbrexModule *);

typedef struct ImbrexPort {
  const char *name;
  uint32_t dtype;
  int32_t rank;
  const int64_t *shape;         /* -1 where it depends on the inputs */
  const char *const *dim_names; /* "" where it has none */
  int32_t donated; /* 1: an input whose memory a run may write; its contents are lost */
} ImbrexPort;
IMBREX_API int32_t imbrex_input_count(const ImbrexModule *);
IMBREX_API int32_t imbrex_output_count(const ImbrexModule *);
IMBREX_API ImbrexStatus imbrex_input(const ImbrexModule *, int32_t index, ImbrexPort *);
IMBREX_API ImbrexStatus imbrex_output(const ImbrexModule *, int32_t index, ImbrexPort *);
/* Everything `imbrex info` prints, as JSON; valid as long as the module. */
IMBREX_API const char *imbrex_module_info(ImbrexModule *);

/* Loads a library of custom operators (imbrex_custom_ops.h) for the whole process; its code is
 * trusted. Artifacts name the libraries that they need, and contexts are created only when those
 * are loaded. */
IMBREX_API ImbrexStatus imbrex_load_custom_ops(const char *path);

IMBREX_API ImbrexStatus imbrex_context_create(ImbrexModule *, const ImbrexContextOptions *,
                                              ImbrexContext **);
IMBREX_API void imbrex_context_destroy(ImbrexContext *);
/* Inputs in the order of imbrex_input. An output with data set is written in place (dtype, shape
 * and dense layout must fit); one with data NULL is allocated and filled in. On failure the output
 * structs are left untouched; memory given in them may hold parts of a result. Outputs may overlap
 * inputs, not each other. Inputs that are not dense or not aligned to 64 bytes are copied first
 * where kernels need that. */
IMBREX_API ImbrexStatus imbrex_run(ImbrexContext *, const ImbrexTensor *inputs, int32_t input_count,
                                   ImbrexTensor *outputs, int32_t output_count);
IMBREX_API void imbrex_tensor_release(ImbrexTensor *);

/* What happened since the context was created. The last three count slow paths that aligned, dense
 * tensors and outputs without memory of the caller avoid. Not during a run of another thread; from
 * an observer, which is called on the running thread, it may be asked for. */
typedef struct ImbrexCounters {
  uint32_t size; /* sizeof(ImbrexCounters) */
  uint32_t reserved;
  uint64_t runs;
  uint64_t launches;
  uint64_t allocations;
  uint64_t allocated_bytes;
  uint64_t arena_bytes;
  uint64_t staged_inputs;
  uint64_t copied_outputs;
  uint64_t copied_results;
} ImbrexCounters;
IMBREX_API ImbrexStatus imbrex_context_counters(const ImbrexContext *, ImbrexCounters *);

/* Observers, for profilers and rematerialization: called on the running thread. Each may be NULL.
 * Storage that a tensor has of its own has a number, 1 or more, never used twice by a context;
 * planned storage, constants and the caller's memory have 0. */
typedef struct ImbrexObserver {
  uint32_t size; /* sizeof(ImbrexObserver) */
  void *user;
  /* Another result than 0 refuses: the run fails with IMBREX_NO_MEMORY. */
  int32_t (*before_allocate)(void *user, uint64_t storage, uint64_t bytes);
  /* storages: of the operands, then of the results. */
  void (*before_launch)(void *user, const char *kernel, const uint64_t *storages,
                        int32_t operand_count, int32_t result_count);
  void (*after_launch)(void *user, const char *kernel, int64_t ns);
  /* Storage is given back. Outputs leave with the caller and are not reported. */
  void (*on_release)(void *user, uint64_t storage, uint64_t bytes);
} ImbrexObserver;
/* NULL ends it. IMBREX_BUSY during a run. */
IMBREX_API ImbrexStatus imbrex_context_observe(ImbrexContext *, const ImbrexObserver *);

#ifdef __cplusplus
}
#endif
#endif
