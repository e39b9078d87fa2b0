/* SoftCap of domain com.example: y = cap * tanh(x / cap), with the attribute `cap` (30 where the
 * model gives none). */
#include "imbrex_custom_ops.h"

#include <math.h>
#include <string.h>

static double capOf(const ImxOpCall *call) {
  for (int32_t i = 0; i < call->attribute_count; ++i) {
    const ImxOpAttribute *a = &call->attributes[i];
    if (strcmp(a->name, "cap") == 0 && a->kind == IMX_ATTRIBUTE_REALS && a->count == 1)
      return a->reals[0];
  }
  return 30;
}

/* Runs while compiling, so that a model that cannot work is refused there, and before each run. */
static int32_t infer(ImxOpCall *call, const ImxOpType *inputs, int32_t input_count,
                     ImxOpType *outputs, int32_t output_count) {
  (void)input_count, (void)output_count;
  if (inputs[0].dtype != 12) {
    call->fail(call, "SoftCap takes float32");
    return 1;
  }
  if (capOf(call) <= 0) {
    call->fail(call, "'cap' must be positive");
    return 1;
  }
  outputs[0] = inputs[0]; /* sizes that are open are copied, too: the output has the same */
  return 0;
}

static int32_t compute(ImxOpCall *call, const ImxOpTensor *inputs, int32_t input_count,
                       ImxOpTensor *outputs, int32_t output_count) {
  (void)input_count, (void)output_count;
  const float cap = (float)capOf(call), *x = inputs[0].data;
  float *y = outputs[0].data;
  int64_t elements = 1;
  for (int32_t k = 0; k < inputs[0].rank; ++k)
    elements *= inputs[0].shape[k];
  for (int64_t i = 0; i < elements; ++i)
    y[i] = cap * tanhf(x[i] / cap);
  return 0;
}

static const ImxOp softCap = {
    .size = sizeof(ImxOp),
    .domain = "com.example",
    .name = "SoftCap",
    .since = 1,
    .min_inputs = 1,
    .max_inputs = 1,
    .outputs = 1,
    .infer = infer,
    .compute = compute,
};
static const ImxOp *const ops[] = {&softCap};
static const ImxOpLibrary library = {sizeof(ImxOpLibrary), IMX_OPS_VERSION, 1, ops};

const ImxOpLibrary *imx_op_library(uint32_t host_version) {
  return host_version >= IMX_OPS_VERSION ? &library : 0;
}
