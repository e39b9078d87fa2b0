// Each rule of *.rules, before and after. The random test of rules/ has their meaning; here stands what matches.
// RUN: imbrex-opt %s --relay-apply-rules --relay-dce --split-input-file | FileCheck %s
// RUN: imbrex-opt %s --relay-apply-rules="allow=fold-batch-norm,fold-scale" --relay-dce --split-input-file | FileCheck %s --check-prefix=FOLD

// Casts go only where nothing is lost on the way: -1 as uint8 is 255, 16777217 as float32 is 16777216.
// CHECK-LABEL: relay.func @casts(
// CHECK-DAG: %[[U:.*]] = relay.apply "cast"(%arg0) {to = ui8}
// CHECK-DAG: %[[A:.*]] = relay.apply "cast"(%[[U]]) {to = f32}
// CHECK-DAG: %[[F:.*]] = relay.apply "cast"(%arg1) {to = f32}
// CHECK-DAG: %[[B:.*]] = relay.apply "cast"(%[[F]]) {to = i64}
// CHECK-DAG: %[[C:.*]] = relay.apply "cast"(%arg0) {to = i16}
// CHECK-DAG: %[[D:.*]] = relay.apply "cast"(%arg0) {to = f32}
// CHECK: relay.return %[[A]], %[[B]], %[[C]], %[[D]], %arg0
relay.func @casts(%x: !relay.tensor<[n], i8>, %y: !relay.tensor<[n], i32>)
    -> (!relay.tensor<[n], f32>, !relay.tensor<[n], i64>, !relay.tensor<[n], i16>, !relay.tensor<[n], f32>, !relay.tensor<[n], i8>) symbols(n) {
  %0 = relay.apply "cast"(%x) {to = ui8} : (!relay.tensor<[n], i8>) -> !relay.tensor<[n], ui8>
  %1 = relay.apply "cast"(%0) {to = f32} : (!relay.tensor<[n], ui8>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "cast"(%y) {to = f32} : (!relay.tensor<[n], i32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "cast"(%2) {to = i64} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], i64>
  %4 = relay.apply "cast"(%x) {to = i32} : (!relay.tensor<[n], i8>) -> !relay.tensor<[n], i32>
  %5 = relay.apply "cast"(%4) {to = i16} : (!relay.tensor<[n], i32>) -> !relay.tensor<[n], i16>
  %6 = relay.apply "cast"(%4) {to = f32} : (!relay.tensor<[n], i32>) -> !relay.tensor<[n], f32>
  %7 = relay.apply "cast"(%4) {to = i8} : (!relay.tensor<[n], i32>) -> !relay.tensor<[n], i8>
  relay.return %1, %3, %5, %6, %7 : !relay.tensor<[n], f32>, !relay.tensor<[n], i64>, !relay.tensor<[n], i16>, !relay.tensor<[n], f32>, !relay.tensor<[n], i8>
}

// -----

// A float that does not fit saturates, an integer wraps: these two casts stay.
// CHECK-LABEL: relay.func @saturates(
// CHECK: %[[F:.*]] = relay.apply "cast"(%arg0) {to = f32}
// CHECK: relay.apply "cast"(%[[F]]) {to = ui8}
relay.func @saturates(%x: !relay.tensor<[n], i8>) -> (!relay.tensor<[n], ui8>) symbols(n) {
  %0 = relay.apply "cast"(%x) {to = f32} : (!relay.tensor<[n], i8>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "cast"(%0) {to = ui8} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], ui8>
  relay.return %1 : !relay.tensor<[n], ui8>
}

// -----

// Only axes of size 1 move: the same bytes.
// CHECK-LABEL: relay.func @ones(
// CHECK: %[[S:.*]] = relay.constant dense<[-1, 4, 1]>
// CHECK: relay.apply "reshape"(%arg0, %[[S]])
relay.func @ones(%x: !relay.tensor<[n, 1, 4], f32>) -> (!relay.tensor<[n, 4, 1], f32>) symbols(n) {
  %0 = relay.apply "transpose"(%x) {perm = [0, 2, 1]} : (!relay.tensor<[n, 1, 4], f32>) -> !relay.tensor<[n, 4, 1], f32>
  relay.return %0 : !relay.tensor<[n, 4, 1], f32>
}

// -----

// Twice is once, or nothing; |-x| is |x| only where there is a sign.
// CHECK-LABEL: relay.func @twice(
// CHECK-DAG: %[[R:.*]] = relay.apply "relu"(%arg0)
// CHECK-DAG: %[[A:.*]] = relay.apply "abs"(%arg0)
// CHECK-DAG: %[[N:.*]] = relay.apply "neg"(%arg1)
// CHECK-DAG: %[[B:.*]] = relay.apply "abs"(%[[N]])
// CHECK: relay.return %arg0, %[[R]], %[[A]], %[[B]]
relay.func @twice(%x: !relay.tensor<[n], f32>, %u: !relay.tensor<[n], ui8>)
    -> (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], ui8>) symbols(n) {
  %0 = relay.apply "neg"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "neg"(%0) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "relu"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "relu"(%2) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %4 = relay.apply "abs"(%0) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %5 = relay.apply "neg"(%u) : (!relay.tensor<[n], ui8>) -> !relay.tensor<[n], ui8>
  %6 = relay.apply "abs"(%5) : (!relay.tensor<[n], ui8>) -> !relay.tensor<[n], ui8>
  relay.return %1, %3, %4, %6 : !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], ui8>
}

// -----

// One operand alone, or the same one twice.
// CHECK-LABEL: relay.func @alone(
// CHECK-NEXT: relay.return %arg0, %arg0, %arg0, %arg0, %arg0
relay.func @alone(%x: !relay.tensor<[n], f32>, %c: !relay.tensor<[n], i1>)
    -> (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>) symbols(n) {
  %0 = relay.apply "concat"(%x) {axis = 0} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "sum"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "max"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "min"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %4 = relay.apply "where"(%c, %x, %x) : (!relay.tensor<[n], i1>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  relay.return %0, %1, %2, %3, %4 : !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>
}

// -----

// Constants meet where the order of rounding is no matter.
// CHECK-LABEL: relay.func @constants(
// CHECK: %[[S:.*]] = relay.apply "add"(%{{.*}}, %{{.*}}) : (!relay.tensor<[], i32>, !relay.tensor<[], i32>)
// CHECK: relay.apply "add"(%arg0, %[[S]])
// CHECK: %[[M:.*]] = relay.apply "mul"(%arg1, %{{.*}})
// CHECK: relay.apply "mul"(%[[M]], %{{.*}})
relay.func @constants(%x: !relay.tensor<[n], i32>, %f: !relay.tensor<[n], f32>) -> (!relay.tensor<[n], i32>, !relay.tensor<[n], f32>) symbols(n) {
  %c = relay.constant dense<3> : tensor<i32>
  %d = relay.constant dense<4> : tensor<i32>
  %e = relay.constant dense<1.0e+30> : tensor<f32>
  %0 = relay.apply "add"(%x, %c) : (!relay.tensor<[n], i32>, !relay.tensor<[], i32>) -> !relay.tensor<[n], i32>
  %1 = relay.apply "add"(%0, %d) : (!relay.tensor<[n], i32>, !relay.tensor<[], i32>) -> !relay.tensor<[n], i32>
  %2 = relay.apply "mul"(%f, %e) : (!relay.tensor<[n], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "mul"(%2, %e) : (!relay.tensor<[n], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n], f32>
  relay.return %1, %3 : !relay.tensor<[n], i32>, !relay.tensor<[n], f32>
}

// -----

// Rounded elsewhere: only where it is allowed.
// CHECK-LABEL: relay.func @batch_norm(
// CHECK: %[[Y:.*]] = relay.apply "conv"(%arg0, %{{.*}})
// CHECK: relay.apply "batch_norm"(%[[Y]],
// FOLD-LABEL: relay.func @batch_norm(
// FOLD-NOT: batch_norm"
// FOLD: relay.apply "conv"(%arg0, %{{.*}}, %{{.*}}) {pads = [1, 1]}
// FOLD-NEXT: relay.return
relay.func @batch_norm(%x: !relay.tensor<[n, 1, 8], f32>) -> (!relay.tensor<[n, 2, 8], f32>) symbols(n) {
  %w = relay.constant dense<0.5> : tensor<2x1x3xf32>
  %s = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.apply "conv"(%x, %w) {pads = [1, 1]} : (!relay.tensor<[n, 1, 8], f32>, !relay.tensor<[2, 1, 3], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %1 = relay.apply "batch_norm"(%0, %s, %s, %s, %s) : (!relay.tensor<[n, 2, 8], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>) -> !relay.tensor<[n, 2, 8], f32>
  relay.return %1 : !relay.tensor<[n, 2, 8], f32>
}

// -----

// Not out of a convolution that others need as it is.
// FOLD-LABEL: relay.func @two_uses(
// FOLD: relay.apply "mul"(
// FOLD-LABEL: relay.func @one_use(
// FOLD: %[[W:.*]] = relay.apply "mul"(%{{.*}}, %{{.*}}) : (!relay.tensor<[4, 4], f32>, !relay.tensor<[], f32>)
// FOLD: relay.apply "matmul"(%arg0, %[[W]])
relay.func @two_uses(%x: !relay.tensor<[n, 4], f32>) -> (!relay.tensor<[n, 4], f32>, !relay.tensor<[n, 4], f32>) symbols(n) {
  %w = relay.constant dense<0.5> : tensor<4x4xf32>
  %c = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 4], f32>, !relay.tensor<[4, 4], f32>) -> !relay.tensor<[n, 4], f32>
  %1 = relay.apply "mul"(%0, %c) : (!relay.tensor<[n, 4], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 4], f32>
  relay.return %0, %1 : !relay.tensor<[n, 4], f32>, !relay.tensor<[n, 4], f32>
}
relay.func @one_use(%x: !relay.tensor<[n, 4], f32>) -> (!relay.tensor<[n, 4], f32>) symbols(n) {
  %w = relay.constant dense<0.5> : tensor<4x4xf32>
  %c = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 4], f32>, !relay.tensor<[4, 4], f32>) -> !relay.tensor<[n, 4], f32>
  %1 = relay.apply "mul"(%0, %c) : (!relay.tensor<[n, 4], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 4], f32>
  relay.return %1 : !relay.tensor<[n, 4], f32>
}

// -----

// Functions that change nothing the second time, and those that undo themselves.
// CHECK-LABEL: relay.func @idempotent(
// CHECK-DAG: %[[ABS:.*]] = relay.apply "abs"(%arg0) :
// CHECK-DAG: %[[CEIL:.*]] = relay.apply "ceil"(%arg0) :
// CHECK-DAG: %[[FLOOR:.*]] = relay.apply "floor"(%arg0) :
// CHECK-DAG: %[[ROUND:.*]] = relay.apply "round"(%arg0) :
// CHECK-DAG: %[[TRUNC:.*]] = relay.apply "trunc"(%arg0) :
// CHECK-DAG: %[[SIGN:.*]] = relay.apply "sign"(%arg0) :
// CHECK: relay.return %[[ABS]], %[[CEIL]], %[[FLOOR]], %[[ROUND]], %[[TRUNC]], %[[SIGN]], %arg1, %arg2
relay.func @idempotent(%x: !relay.tensor<[n], f32>, %b: !relay.tensor<[n], i1>, %u: !relay.tensor<[n], ui8>)
    -> (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], i1>, !relay.tensor<[n], ui8>) symbols(n) {
  %0 = relay.apply "abs"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "abs"(%0) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "ceil"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "ceil"(%2) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %4 = relay.apply "floor"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %5 = relay.apply "floor"(%4) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %6 = relay.apply "round"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %7 = relay.apply "round"(%6) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %8 = relay.apply "trunc"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %9 = relay.apply "trunc"(%8) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %10 = relay.apply "sign"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %11 = relay.apply "sign"(%10) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %12 = relay.apply "logical_not"(%b) : (!relay.tensor<[n], i1>) -> !relay.tensor<[n], i1>
  %13 = relay.apply "logical_not"(%12) : (!relay.tensor<[n], i1>) -> !relay.tensor<[n], i1>
  %14 = relay.apply "bitwise_not"(%u) : (!relay.tensor<[n], ui8>) -> !relay.tensor<[n], ui8>
  %15 = relay.apply "bitwise_not"(%14) : (!relay.tensor<[n], ui8>) -> !relay.tensor<[n], ui8>
  relay.return %1, %3, %5, %7, %9, %11, %13, %15 : !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], i1>, !relay.tensor<[n], ui8>
}

// -----

// Neutral on the other side; repeats and shapes that change nothing.
// CHECK-LABEL: relay.func @other_side(
// CHECK: relay.return %arg0, %arg1, %arg1, %arg0, %arg0
relay.func @other_side(%x: !relay.tensor<[n, 2], f32>, %i: !relay.tensor<[n], i32>)
    -> (!relay.tensor<[n, 2], f32>, !relay.tensor<[n], i32>, !relay.tensor<[n], i32>, !relay.tensor<[n, 2], f32>, !relay.tensor<[n, 2], f32>) symbols(n) {
  %minus = relay.constant dense<-0.0> : tensor<f32>
  %one = relay.constant dense<1> : tensor<i32>
  %zero = relay.constant dense<0> : tensor<i32>
  %ones = relay.constant dense<1> : tensor<2xi64>
  %0 = relay.apply "add"(%minus, %x) : (!relay.tensor<[], f32>, !relay.tensor<[n, 2], f32>) -> !relay.tensor<[n, 2], f32>
  %1 = relay.apply "mul"(%one, %i) : (!relay.tensor<[], i32>, !relay.tensor<[n], i32>) -> !relay.tensor<[n], i32>
  %2 = relay.apply "add"(%zero, %i) : (!relay.tensor<[], i32>, !relay.tensor<[n], i32>) -> !relay.tensor<[n], i32>
  %3 = relay.apply "tile"(%x, %ones) : (!relay.tensor<[n, 2], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[n, 2], f32>
  %4 = relay.apply "expand"(%x, %ones) : (!relay.tensor<[n, 2], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[n, 2], f32>
  relay.return %0, %1, %2, %3, %4 : !relay.tensor<[n, 2], f32>, !relay.tensor<[n], i32>, !relay.tensor<[n], i32>, !relay.tensor<[n, 2], f32>, !relay.tensor<[n, 2], f32>
}

// -----

// Scales go into kernels and their bias.
// FOLD-LABEL: relay.func @scales(
// FOLD-NOT: relay.apply "mul"(%{{.*}}, %{{.*}}) : (!relay.tensor<[n, 2, 8], f32>
// FOLD: relay.apply "conv"(%arg0, %{{.*}}) {pads = [1, 1]}
// FOLD: relay.apply "conv"(%arg0, %{{.*}}, %{{.*}}) {pads = [1, 1]}
// FOLD: relay.apply "conv"(%arg0, %{{.*}}, %{{.*}}) {pads = [1, 1]}
// FOLD-NOT: batch_norm"
// FOLD: relay.return
relay.func @scales(%x: !relay.tensor<[n, 1, 8], f32>) -> (!relay.tensor<[n, 2, 8], f32>, !relay.tensor<[n, 2, 8], f32>, !relay.tensor<[n, 2, 8], f32>) symbols(n) {
  %w = relay.constant dense<0.5> : tensor<2x1x3xf32>
  %s = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.apply "conv"(%x, %w) {pads = [1, 1]} : (!relay.tensor<[n, 1, 8], f32>, !relay.tensor<[2, 1, 3], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %1 = relay.apply "mul"(%0, %c) : (!relay.tensor<[n, 2, 8], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %2 = relay.apply "conv"(%x, %w, %s) {pads = [1, 1]} : (!relay.tensor<[n, 1, 8], f32>, !relay.tensor<[2, 1, 3], f32>, !relay.tensor<[2], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %3 = relay.apply "mul"(%2, %c) : (!relay.tensor<[n, 2, 8], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %4 = relay.apply "conv"(%x, %w, %s) {pads = [1, 1]} : (!relay.tensor<[n, 1, 8], f32>, !relay.tensor<[2, 1, 3], f32>, !relay.tensor<[2], f32>) -> !relay.tensor<[n, 2, 8], f32>
  %5 = relay.apply "batch_norm"(%4, %s, %s, %s, %s) : (!relay.tensor<[n, 2, 8], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>, !relay.tensor<[2], f32>) -> !relay.tensor<[n, 2, 8], f32>
  relay.return %1, %3, %5 : !relay.tensor<[n, 2, 8], f32>, !relay.tensor<[n, 2, 8], f32>, !relay.tensor<[n, 2, 8], f32>
}
