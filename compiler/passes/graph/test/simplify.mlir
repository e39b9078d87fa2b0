// ApplyRules; CSE and canonicalization as MLIR brings them.
// RUN: imbrex-opt %s --relay-apply-rules --split-input-file | FileCheck %s
// RUN: imbrex-opt %s --cse --canonicalize --split-input-file | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: relay.func @identities(
// CHECK-NEXT: relay.return %arg0
relay.func @identities(%x: !relay.tensor<[n, 3], f32>) -> (!relay.tensor<[n, 3], f32>) symbols(n) {
  %0 = relay.apply "identity"(%x) : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32>
  %1 = relay.apply "cast"(%0) {to = f32} : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32>
  %2 = relay.apply "transpose"(%1) {perm = [0, 1]} : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32>
  %3 = relay.apply "transpose"(%2) : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[3, n], f32>
  %4 = relay.apply "transpose"(%3) : (!relay.tensor<[3, n], f32>) -> !relay.tensor<[n, 3], f32>
  %s = relay.constant dense<[0, 3]> : tensor<2xi64>
  %5 = relay.apply "reshape"(%4, %s) : (!relay.tensor<[n, 3], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[n, 3], f32>
  relay.return %5 : !relay.tensor<[n, 3], f32>
}

// -----

// Exact in every bit: -0.0 + 0.0 is 0.0, so adding 0.0 stays.
// CHECK-LABEL: relay.func @neutral(
// CHECK: %[[Z:.*]] = relay.constant dense<0.000000e+00>
// CHECK-NEXT: relay.apply "add"(%arg0, %[[Z]])
// CHECK-NEXT: relay.return
relay.func @neutral(%x: !relay.tensor<[n], f32>, %i: !relay.tensor<[n], i32>)
    -> (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], i32>) symbols(n) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %minus = relay.constant dense<-0.0> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<1xf32>
  %none = relay.constant dense<0> : tensor<i32>
  %0 = relay.apply "mul"(%one, %x) : (!relay.tensor<[1], f32>, !relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "div"(%0, %one) : (!relay.tensor<[n], f32>, !relay.tensor<[1], f32>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "sub"(%1, %zero) : (!relay.tensor<[n], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "add"(%2, %minus) : (!relay.tensor<[n], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n], f32>
  %4 = relay.apply "add"(%3, %zero) : (!relay.tensor<[n], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n], f32>
  %5 = relay.apply "add"(%i, %none) : (!relay.tensor<[n], i32>, !relay.tensor<[], i32>) -> !relay.tensor<[n], i32>
  relay.return %3, %4, %5 : !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], i32>
}

// -----

// Not neutral: the result is larger than the operand.
// CHECK-LABEL: relay.func @broadcast(
// CHECK: relay.apply "mul"
relay.func @broadcast(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[2, n], f32>) symbols(n) {
  %one = relay.constant dense<1.0> : tensor<2x1xf32>
  %0 = relay.apply "mul"(%x, %one) : (!relay.tensor<[n], f32>, !relay.tensor<[2, 1], f32>) -> !relay.tensor<[2, n], f32>
  relay.return %0 : !relay.tensor<[2, n], f32>
}

// -----

// CHECK-LABEL: relay.func @merge(
// CHECK: %[[S:.*]] = relay.constant dense<[-1, 6]>
// CHECK: %[[R:.*]] = relay.apply "reshape"(%arg0, %[[S]]) : (!relay.tensor<[n, 2, 3], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[n, 6], f32>
// CHECK: %[[T:.*]] = relay.apply "transpose"(%arg0) {perm = [2, 0, 1]}
// CHECK-NEXT: relay.return %[[R]], %[[T]]
relay.func @merge(%x: !relay.tensor<[n, 2, 3], f32>) -> (!relay.tensor<[n, 6], f32>, !relay.tensor<[3, n, 2], f32>) symbols(n) {
  %0 = relay.apply "unsqueeze"(%x) {axes = [1]} : (!relay.tensor<[n, 2, 3], f32>) -> !relay.tensor<[n, 1, 2, 3], f32>
  %1 = relay.apply "flatten"(%0) : (!relay.tensor<[n, 1, 2, 3], f32>) -> !relay.tensor<[n, 6], f32>
  %2 = relay.apply "transpose"(%x) {perm = [1, 2, 0]} : (!relay.tensor<[n, 2, 3], f32>) -> !relay.tensor<[2, 3, n], f32>
  %3 = relay.apply "transpose"(%2) {perm = [1, 2, 0]} : (!relay.tensor<[2, 3, n], f32>) -> !relay.tensor<[3, n, 2], f32>
  relay.return %1, %3 : !relay.tensor<[n, 6], f32>, !relay.tensor<[3, n, 2], f32>
}

// -----

// Equal operators with equal attributes are one; others are not, and nothing unused stays.
// CSE-LABEL: relay.func @cse(
// CSE-NEXT: %[[A:.*]] = relay.apply "leaky_relu"(%arg0) {alpha = 5.000000e-01}
// CSE-NEXT: %[[B:.*]] = relay.apply "leaky_relu"(%arg0) {alpha = 2.500000e-01}
// CSE-NEXT: relay.return %[[A]], %[[A]], %[[B]]
relay.func @cse(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>) symbols(n) {
  %0 = relay.apply "leaky_relu"(%x) {alpha = 0.5} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %1 = relay.apply "leaky_relu"(%x) {alpha = 0.5} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %2 = relay.apply "leaky_relu"(%x) {alpha = 0.25} : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  %3 = relay.apply "exp"(%x) : (!relay.tensor<[n], f32>) -> !relay.tensor<[n], f32>
  relay.return %0, %1, %2 : !relay.tensor<[n], f32>, !relay.tensor<[n], f32>, !relay.tensor<[n], f32>
}
