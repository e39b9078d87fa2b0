// FuseOps: what becomes one kernel.
// RUN: imbrex-opt %s --relay-fuse-ops --split-input-file | FileCheck %s

// Epilogue: a contraction takes the elementwise operators behind it; the one in between belongs to the first. Scalars are
// cloned, larger constants stay operands.
// CHECK-LABEL: relay.func @epilogue(
// CHECK-NEXT: %[[BIAS:.*]] = relay.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK: %[[A:.*]] = relay.fused (%[[X:.*]] = %arg0, %[[W:.*]] = %arg1, %[[B:.*]] = %[[BIAS]]) {{.*}} {
// CHECK-NEXT: %[[HALF:.*]] = relay.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[M:.*]] = relay.apply "matmul"(%[[X]], %[[W]])
// CHECK-NEXT: %[[S:.*]] = relay.apply "add"(%[[M]], %[[B]])
// CHECK-NEXT: %[[H:.*]] = relay.apply "mul"(%[[S]], %[[HALF]])
// CHECK-NEXT: relay.yield %[[H]]
// CHECK: relay.fused ({{.*}} = %[[A]], {{.*}}) {{.*}} {
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.yield
relay.func @epilogue(%x: !relay.tensor<[n, 8], f32>, %w: !relay.tensor<[8, 16], f32>, %v: !relay.tensor<[16, 4], f32>)
    -> (!relay.tensor<[n, 4], f32>) symbols(n) {
  %bias = relay.constant dense<1.0> : tensor<16xf32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 16], f32>) -> !relay.tensor<[n, 16], f32>
  %1 = relay.apply "add"(%0, %bias) : (!relay.tensor<[n, 16], f32>, !relay.tensor<[16], f32>) -> !relay.tensor<[n, 16], f32>
  %2 = relay.apply "mul"(%1, %half) : (!relay.tensor<[n, 16], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 16], f32>
  %3 = relay.apply "matmul"(%2, %v) : (!relay.tensor<[n, 16], f32>, !relay.tensor<[16, 4], f32>) -> !relay.tensor<[n, 4], f32>
  relay.return %3 : !relay.tensor<[n, 4], f32>
}

// -----

// Two uses in one group are one consumer: x * sigmoid(x) behind a contraction.
// CHECK-LABEL: relay.func @silu(
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.apply "sigmoid"
// CHECK-NEXT: relay.apply "mul"
// CHECK-NEXT: relay.yield
// CHECK-NOT: relay.fused
relay.func @silu(%x: !relay.tensor<[n, 8], f32>, %w: !relay.tensor<[8, 16], f32>) -> (!relay.tensor<[n, 16], f32>) symbols(n) {
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 16], f32>) -> !relay.tensor<[n, 16], f32>
  %1 = relay.apply "sigmoid"(%0) : (!relay.tensor<[n, 16], f32>) -> !relay.tensor<[n, 16], f32>
  %2 = relay.apply "mul"(%0, %1) : (!relay.tensor<[n, 16], f32>, !relay.tensor<[n, 16], f32>) -> !relay.tensor<[n, 16], f32>
  relay.return %2 : !relay.tensor<[n, 16], f32>
}

// -----

// One anchor a group: of two products that are added, the later takes the addition.
// CHECK-LABEL: relay.func @two(
// CHECK: %[[P:.*]] = relay.fused
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.yield
// CHECK: relay.fused ({{.*}}%[[P]]
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.apply "add"
// CHECK-NEXT: relay.yield
relay.func @two(%x: !relay.tensor<[n, 8], f32>, %w: !relay.tensor<[8, 8], f32>, %v: !relay.tensor<[8, 8], f32>) -> (!relay.tensor<[n, 8], f32>) symbols(n) {
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %1 = relay.apply "matmul"(%x, %v) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %2 = relay.apply "add"(%0, %1) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  relay.return %2 : !relay.tensor<[n, 8], f32>
}

// -----

// No cycle: the sum's two ways meet, but one leads through a product, so the first sum stays outside.
// CHECK-LABEL: relay.func @diamond(
// CHECK: %[[S:.*]] = relay.fused
// CHECK-NEXT: relay.apply "add"
// CHECK-NEXT: relay.yield
// CHECK: relay.fused ({{.*}}%[[S]]
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.apply "mul"
// CHECK-NEXT: relay.yield
relay.func @diamond(%x: !relay.tensor<[n, 8], f32>, %w: !relay.tensor<[8, 8], f32>) -> (!relay.tensor<[n, 8], f32>) symbols(n) {
  %0 = relay.apply "add"(%x, %x) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %1 = relay.apply "matmul"(%0, %w) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %2 = relay.apply "mul"(%0, %1) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  relay.return %2 : !relay.tensor<[n, 8], f32>
}

// -----

// A reduction is not taken by its broadcast: it would run again for each copy. Cheap arithmetic before it is.
// CHECK-LABEL: relay.func @center(
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "mul"
// CHECK-NEXT: relay.apply "reduce_mean"
// CHECK-NEXT: relay.yield
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "sub"
// CHECK-NEXT: relay.apply "exp"
// CHECK-NEXT: relay.yield
relay.func @center(%x: !relay.tensor<[n, 8], f32>) -> (!relay.tensor<[n, 8], f32>) symbols(n) {
  %0 = relay.apply "mul"(%x, %x) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %1 = relay.apply "reduce_mean"(%0) {axes = [1]} : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 1], f32>
  %2 = relay.apply "sub"(%x, %1) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 1], f32>) -> !relay.tensor<[n, 8], f32>
  %3 = relay.apply "exp"(%2) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  relay.return %3 : !relay.tensor<[n, 8], f32>
}

// -----

// Softmax is one anchor and reads its operand more than once: expensive functions stay before it, cheap ones go in.
// CHECK-LABEL: relay.func @softmax(
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "tanh"
// CHECK-NEXT: relay.yield
// CHECK: relay.fused
// CHECK: relay.apply "mul"
// CHECK-NEXT: relay.apply "softmax"
// CHECK-NEXT: relay.yield
relay.func @softmax(%x: !relay.tensor<[n, 8], f32>, %y: !relay.tensor<[n, 8], f32>)
    -> (!relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>) symbols(n) {
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.apply "tanh"(%x) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %1 = relay.apply "softmax"(%0) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %2 = relay.apply "mul"(%y, %half) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 8], f32>
  %3 = relay.apply "softmax"(%2) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  relay.return %1, %3 : !relay.tensor<[n, 8], f32>, !relay.tensor<[n, 8], f32>
}

// -----

// A contraction takes a transposed view, but no arithmetic that it would repeat.
// CHECK-LABEL: relay.func @views(
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "neg"
// CHECK-NEXT: relay.yield
// CHECK: relay.fused
// CHECK-NEXT: relay.apply "transpose"
// CHECK-NEXT: relay.apply "matmul"
// CHECK-NEXT: relay.yield
relay.func @views(%x: !relay.tensor<[n, 8], f32>, %w: !relay.tensor<[4, 8], f32>) -> (!relay.tensor<[n, 4], f32>) symbols(n) {
  %0 = relay.apply "neg"(%x) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[n, 8], f32>
  %1 = relay.apply "transpose"(%w) : (!relay.tensor<[4, 8], f32>) -> !relay.tensor<[8, 4], f32>
  %2 = relay.apply "matmul"(%0, %1) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[8, 4], f32>) -> !relay.tensor<[n, 4], f32>
  relay.return %2 : !relay.tensor<[n, 4], f32>
}

// -----

// Bare: operators on sizes, and those that open sizes. Branches are fused on their own.
// CHECK-LABEL: relay.func @bare(
// CHECK-NEXT: relay.apply "shape"
// CHECK-NEXT: relay.apply "reshape"{{.*}} opens(k, l)
// CHECK-NEXT: relay.if
// CHECK-NEXT: relay.fused
// CHECK-NEXT: relay.apply "exp"
relay.func @bare(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n, 8], f32>, %s: !relay.tensor<[2], i64>)
    -> (!relay.tensor<[k, l], f32>, !relay.tensor<[2], i64>) symbols(n) {
  %0 = relay.apply "shape"(%x) : (!relay.tensor<[n, 8], f32>) -> !relay.tensor<[2], i64>
  %1 = relay.apply "reshape"(%x, %s) opens(k, l) : (!relay.tensor<[n, 8], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[k, l], f32>
  %2 = relay.if %c -> (!relay.tensor<[k, l], f32>) {
    %3 = relay.apply "exp"(%1) : (!relay.tensor<[k, l], f32>) -> !relay.tensor<[k, l], f32>
    relay.yield %3 : !relay.tensor<[k, l], f32>
  } else {
    relay.yield %1 : !relay.tensor<[k, l], f32>
  }
  relay.return %2, %0 : !relay.tensor<[k, l], f32>, !relay.tensor<[2], i64>
}
