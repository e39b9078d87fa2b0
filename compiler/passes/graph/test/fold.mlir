// FoldConstants, FoldIf and EliminateDeadCode.
// RUN: imbrex-opt %s --relay-fold-constants --relay-fold-if --relay-dce --split-input-file | FileCheck %s

// Constants through two operators.
// CHECK-LABEL: relay.func @arithmetic(
// CHECK-NEXT: %[[C:.*]] = relay.constant dense<[8, 10]> : tensor<2xi64>
// CHECK-NEXT: relay.return %[[C]]
relay.func @arithmetic() -> (!relay.tensor<[2], i64>) {
  %a = relay.constant dense<[1, 2]> : tensor<2xi64>
  %b = relay.constant dense<3> : tensor<i64>
  %two = relay.constant dense<2> : tensor<i64>
  %0 = relay.apply "add"(%a, %b) : (!relay.tensor<[2], i64>, !relay.tensor<[], i64>) -> !relay.tensor<[2], i64>
  %1 = relay.apply "mul"(%0, %two) : (!relay.tensor<[2], i64>, !relay.tensor<[], i64>) -> !relay.tensor<[2], i64>
  relay.return %1 : !relay.tensor<[2], i64>
}

// -----

// The shape of a static value folds though the value does not, and the reshape's opened size becomes a number:
// in the function's result, too.
// CHECK-LABEL: relay.func @shape(
// CHECK-SAME: -> !relay.tensor<[6, 4], f32>
// CHECK-NOT: opens
// CHECK: relay.apply "reshape"{{.*}} -> !relay.tensor<[6, 4], f32>
// CHECK: relay.apply "neg"{{.*}} -> !relay.tensor<[6, 4], f32>
relay.func @shape(%x: !relay.tensor<[2, 3, 4], f32>) -> (!relay.tensor<[k, l], f32>) {
  %s = relay.apply "shape"(%x) : (!relay.tensor<[2, 3, 4], f32>) -> !relay.tensor<[3], i64>
  %i = relay.constant dense<2> : tensor<1xi64>
  %d = relay.apply "gather"(%s, %i) : (!relay.tensor<[3], i64>, !relay.tensor<[1], i64>) -> !relay.tensor<[1], i64>
  %m = relay.constant dense<-1> : tensor<1xi64>
  %t = relay.apply "concat"(%m, %d) {axis = 0} : (!relay.tensor<[1], i64>, !relay.tensor<[1], i64>) -> !relay.tensor<[2], i64>
  %r = relay.apply "reshape"(%x, %t) opens(k, l) : (!relay.tensor<[2, 3, 4], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[k, l], f32>
  %n = relay.apply "neg"(%r) : (!relay.tensor<[k, l], f32>) -> !relay.tensor<[k, l], f32>
  relay.return %n : !relay.tensor<[k, l], f32>
}

// -----

// A relay.open of a constant is a number.
// CHECK-LABEL: relay.func @open(
// CHECK-SAME: -> !relay.tensor<[5], f32>
// CHECK-NOT: relay.open
relay.func @open(%x: !relay.tensor<[], f32>) -> (!relay.tensor<[k], f32>) {
  %a = relay.constant dense<[2]> : tensor<1xi64>
  %b = relay.constant dense<[3]> : tensor<1xi64>
  %s = relay.apply "add"(%a, %b) : (!relay.tensor<[1], i64>, !relay.tensor<[1], i64>) -> !relay.tensor<[1], i64>
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %z = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[1], i64>) -> !relay.tensor<[k], f32>
  // CHECK: relay.apply "add"{{.*}} -> !relay.tensor<[5], f32>
  %y = relay.apply "add"(%x, %z) : (!relay.tensor<[], f32>, !relay.tensor<[k], f32>) -> !relay.tensor<[k], f32>
  relay.return %y : !relay.tensor<[k], f32>
}

// -----

// Left alone: an integer division by zero, for run time to report.
// CHECK-LABEL: relay.func @undefined(
// CHECK: relay.apply "div"
relay.func @undefined() -> (!relay.tensor<[], i32>) {
  %a = relay.constant dense<1> : tensor<i32>
  %b = relay.constant dense<0> : tensor<i32>
  %0 = relay.apply "div"(%a, %b) : (!relay.tensor<[], i32>, !relay.tensor<[], i32>) -> !relay.tensor<[], i32>
  relay.return %0 : !relay.tensor<[], i32>
}

// -----

// Left alone: a result that would make the artifact grow.
// CHECK-LABEL: relay.func @large(
// CHECK: relay.apply "constant_of_shape"
relay.func @large() -> (!relay.tensor<[1000, 1000], f32>) {
  %s = relay.constant dense<1000> : tensor<2xi64>
  %0 = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[2], i64>) -> !relay.tensor<[1000, 1000], f32>
  relay.return %0 : !relay.tensor<[1000, 1000], f32>
}

// -----

// The chosen branch replaces the relay.if; what was a fresh symbol is the branch's size.
// CHECK-LABEL: relay.func @if(
// CHECK-SAME: -> !relay.tensor<[2*n], f32>
// CHECK-NEXT: %[[R:.*]] = relay.apply "concat"
// CHECK-NEXT: %[[E:.*]] = relay.apply "exp"(%[[R]]) : (!relay.tensor<[2*n], f32>) -> !relay.tensor<[2*n], f32>
// CHECK-NEXT: relay.return %[[E]]
relay.func @if(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[k], f32>) symbols(n) {
  %a = relay.constant dense<1> : tensor<i64>
  %b = relay.constant dense<2> : tensor<i64>
  %c = relay.apply "less"(%b, %a) : (!relay.tensor<[], i64>, !relay.tensor<[], i64>) -> !relay.tensor<[], i1>
  %r = relay.if %c opens(k) -> (!relay.tensor<[k], f32>) {
    relay.yield %x : !relay.tensor<[n], f32>
  } else {
    %d = relay.apply "concat"(%x, %x) {axis = 0} : (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>) -> !relay.tensor<[2*n], f32>
    relay.yield %d : !relay.tensor<[2*n], f32>
  }
  %e = relay.apply "exp"(%r) : (!relay.tensor<[k], f32>) -> !relay.tensor<[k], f32>
  relay.return %e : !relay.tensor<[k], f32>
}

// -----

// Dead: an operator that opens sizes, its user, a relay.open, a relay.if. Alive: what a type mentions.
// CHECK-LABEL: relay.func @dead(
// CHECK-NEXT: relay.open %{{.*}}[0] as "m"
// CHECK-NEXT: %[[Z:.*]] = relay.apply "constant_of_shape"
// CHECK-NEXT: relay.return %[[Z]]
relay.func @dead(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n], f32>, %s: !relay.tensor<[2], i64>, %t: !relay.tensor<[1], i64>)
    -> (!relay.tensor<[m], f32>) symbols(n) {
  %r = relay.apply "reshape"(%x, %s) opens(j, k) : (!relay.tensor<[n], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[j, k], f32>
  %e = relay.apply "exp"(%r) : (!relay.tensor<[j, k], f32>) -> !relay.tensor<[j, k], f32>
  relay.open %s[1] as "l" : !relay.tensor<[2], i64>
  relay.open %t[0] as "m" : !relay.tensor<[1], i64>
  %i = relay.if %c -> (!relay.tensor<[j, k], f32>) {
    relay.yield %e : !relay.tensor<[j, k], f32>
  } else {
    relay.yield %r : !relay.tensor<[j, k], f32>
  }
  %z = relay.apply "constant_of_shape"(%t) : (!relay.tensor<[1], i64>) -> !relay.tensor<[m], f32>
  relay.return %z : !relay.tensor<[m], f32>
}
