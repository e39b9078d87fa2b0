/* For tests: operators that work, and some that do not keep the rules. */
#include "imbrex_custom_ops.h"

#include <stddef.h>
#include <string.h>

static double real(ImxOpCall *call, const char *name, double fallback) {
  for (int32_t i = 0; i < call->attribute_count; ++i)
    if (strcmp(call->attributes[i].name, name) == 0 &&
        call->attributes[i].kind == IMX_ATTRIBUTE_REALS)
      return call->attributes[i].reals[0];
  return fallback;
}

static int64_t elements(const ImxOpTensor *t) {
  int64_t n = 1;
  for (int32_t k = 0; k < t->rank; ++k)
    n *= t->shape[k];
  return n;
}

/* y = scale * x + bias, the bias optional. */
static int32_t scaleInfer(ImxOpCall *call, const ImxOpType *in, int32_t n, ImxOpType *out,
                          int32_t m) {
  (void)n, (void)m;
  if (in[0].dtype != 12) {
    call->fail(call, "it takes f32");
    return 1;
  }
  out[0] = in[0];
  return 0;
}
static int32_t scaleCompute(ImxOpCall *call, const ImxOpTensor *in, int32_t n, ImxOpTensor *out,
                            int32_t m) {
  (void)m;
  const float *x = in[0].data, *bias = n > 1 ? in[1].data : NULL;
  const float scale = (float)real(call, "scale", 1);
  float *y = out[0].data;
  for (int64_t i = 0; i < elements(&in[0]); ++i)
    y[i] = scale * x[i] + (bias ? bias[0] : 0);
  return 0;
}

/* The positive elements: a size that only the values tell. */
static int32_t positiveInfer(ImxOpCall *call, const ImxOpType *in, int32_t n, ImxOpType *out,
                             int32_t m) {
  (void)call, (void)n, (void)m;
  out[0].dtype = in[0].dtype;
  out[0].rank = 1;
  out[0].size[0] = IMX_OPS_OPEN;
  return 0;
}
static int32_t positiveCompute(ImxOpCall *call, const ImxOpTensor *in, int32_t n, ImxOpTensor *out,
                               int32_t m) {
  (void)n, (void)m, (void)out;
  const float *x = in[0].data;
  int64_t count = 0, at = 0;
  for (int64_t i = 0; i < elements(&in[0]); ++i)
    count += x[i] > 0;
  float *y = call->allocate(call, 0, &count);
  if (!y)
    return 1;
  for (int64_t i = 0; i < elements(&in[0]); ++i)
    if (x[i] > 0)
      y[at++] = x[i];
  return 0;
}

static int32_t wrongInfer(ImxOpCall *call, const ImxOpType *in, int32_t n, ImxOpType *out,
                          int32_t m) {
  (void)call, (void)in, (void)n, (void)m;
  out[0].dtype = 99;
  return 0;
}
static int32_t nothing(ImxOpCall *call, const ImxOpTensor *in, int32_t n, ImxOpTensor *out,
                       int32_t m) {
  (void)call, (void)in, (void)n, (void)out, (void)m;
  return 0;
}

static const ImxOp scale = {sizeof(ImxOp), "test.ops",  "Scale", 1, 1, 2, 1,
                            scaleInfer,    scaleCompute};
static const ImxOp positive = {sizeof(ImxOp), "test.ops",     "Positive", 2, 1, 1, 1,
                               positiveInfer, positiveCompute};
static const ImxOp forgetful = {sizeof(ImxOp), "test.ops", "Forgetful", 1, 1, 1, 1,
                                positiveInfer, nothing};
static const ImxOp wrong = {sizeof(ImxOp), "test.ops", "Wrong", 1, 0, 1, 1, wrongInfer, nothing};
static const ImxOp *const ops[] = {&scale, &positive, &forgetful, &wrong};
static const ImxOpLibrary library = {sizeof(ImxOpLibrary), IMX_OPS_VERSION, 4, ops};

const ImxOpLibrary *imx_op_library(uint32_t host_version) {
  return host_version >= IMX_OPS_VERSION ? &library : NULL;
}
