// What is printed reads back as the same; the generic form prints as the short one.
// RUN: imbrex-opt %s | imbrex-opt | FileCheck %s
// RUN: imbrex-opt %s --mlir-print-op-generic | imbrex-opt | FileCheck %s

// Dimensions are kept in canonical form; facts and equalities stand in the signature.
// CHECK-LABEL: relay.func @types(
// CHECK-SAME: %{{.*}}: !relay.tensor<[n, 2*n+1, 8], f32> {relay.name = "x"}
// CHECK-SAME: !relay.tensor<[], i1>
// CHECK-SAME: !relay.tensor<[n floordiv 2, m], ui8>
// CHECK-SAME: -> (!relay.tensor<[n, 2*n+1, 8], f32> {relay.name = "y"})
// CHECK-SAME: symbols(n: 1 to 64 by 8, m: 2 to *, i32) where(i32 = 2*m) {
relay.func @types(%x: !relay.tensor<[n, 1 + n + n, 8], f32> {relay.name = "x"},
                  %b: !relay.tensor<[], i1>, %c: !relay.tensor<[n floordiv 2, m], ui8>,
                  %d: !relay.tensor<[i32, max(m, n)], bf16>)
    -> (!relay.tensor<[n, 2*n+1, 8], f32> {relay.name = "y"})
    symbols(n: 1 to 64 by 8, m: 2 to *, i32) where(i32 = 2*m) {
  relay.return %x : !relay.tensor<[n, 2*n+1, 8], f32>
}

// Default attributes are not printed, others are; an optional operand left out is `_`.
// CHECK-LABEL: relay.func private @apply(
relay.func private @apply(%x: !relay.tensor<[n, 3], f32>, %hi: !relay.tensor<[], f32>)
    -> (!relay.tensor<[n, 3], f32>, !relay.tensor<[n, 3], i1>) symbols(n) {
  // CHECK: %clip = relay.apply "clip"(%arg0, _, %arg1) : (!relay.tensor<[n, 3], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 3], f32>
  %0 = relay.apply "clip"(%x, _, %hi) : (!relay.tensor<[n, 3], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 3], f32>
  // CHECK: relay.apply "is_inf"(%clip) {detect_negative = 0} :
  %1 = relay.apply "is_inf"(%0) {detect_negative = 0, detect_positive = 1} : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], i1>
  // CHECK: relay.apply "leaky_relu"(%clip) {alpha = 2.500000e-01} :
  %2 = relay.apply "leaky_relu"(%0) {alpha = 0.25} : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32>
  // CHECK: relay.apply "transpose"(%leaky_relu) {perm = [1, 0]} :
  %3 = relay.apply "transpose"(%2) {perm = [1, 0]} : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[3, n], f32>
  // CHECK: relay.apply "cast"(%transpose) {to = f64} :
  %4 = relay.apply "cast"(%3) {to = f64} : (!relay.tensor<[3, n], f32>) -> !relay.tensor<[3, n], f64>
  relay.return %2, %1 : !relay.tensor<[n, 3], f32>, !relay.tensor<[n, 3], i1>
}

// Constants: dense, bool, unsigned, splat, resource.
// CHECK-LABEL: relay.func @constants(
relay.func @constants() -> (!relay.tensor<[2], f32>) {
  // CHECK: relay.constant dense<[true, false]> : tensor<2xi1>
  %0 = relay.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: relay.constant dense<255> : tensor<4x4xui8>
  %1 = relay.constant dense<255> : tensor<4x4xui8>
  // CHECK: relay.constant dense_resource<w> : tensor<2xf32>
  %2 = relay.constant dense_resource<w> : tensor<2xf32>
  relay.return %2 : !relay.tensor<[2], f32>
}

// Sizes known at run time only: an element of a tensor is named by relay.open, a size that an operator
// computes by its own `opens`. Types after them may mention the names.
// CHECK-LABEL: relay.func @open(
relay.func @open(%x: !relay.tensor<[n], f32>, %shape: !relay.tensor<[2], i64>)
    -> (!relay.tensor<[k, l], f32>) symbols(n) {
  // CHECK: relay.open %arg1[0] as "s" : !relay.tensor<[2], i64>
  relay.open %shape[0] as "s" : !relay.tensor<[2], i64>
  relay.open %shape[1] as "t" : !relay.tensor<[2], i64>
  // CHECK: relay.apply "constant_of_shape"(%arg1) : (!relay.tensor<[2], i64>) -> !relay.tensor<[s, t], f32>
  %z = relay.apply "constant_of_shape"(%shape) : (!relay.tensor<[2], i64>) -> !relay.tensor<[s, t], f32>
  // CHECK: relay.apply "reshape"(%arg0, %arg1) {allow_zero = 1} opens(k, l) : {{.*}} -> !relay.tensor<[k, l], f32>
  %y = relay.apply "reshape"(%x, %shape) {allow_zero = 1} opens(k, l) : (!relay.tensor<[n], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[k, l], f32>
  relay.return %y : !relay.tensor<[k, l], f32>
}

// What leaves a branch with two sizes gets a fresh symbol.
// CHECK-LABEL: relay.func @branch(
relay.func @branch(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n], f32>) -> (!relay.tensor<[k], f32>) symbols(n) {
  // CHECK: relay.if %arg0 opens(k) -> (!relay.tensor<[k], f32>) {
  %r = relay.if %c opens(k) -> (!relay.tensor<[k], f32>) {
    // CHECK: relay.yield
    relay.yield %x : !relay.tensor<[n], f32>
  // CHECK: } else {
  } else {
    %y = relay.apply "concat"(%x, %x) {axis = 0} : (!relay.tensor<[n], f32>, !relay.tensor<[n], f32>) -> !relay.tensor<[2*n], f32>
    relay.yield %y : !relay.tensor<[2*n], f32>
  }
  relay.if %c {
  } else {
  }
  relay.return %r : !relay.tensor<[k], f32>
}

// A loop that doubles a tensor until a counter is used up.
// CHECK-LABEL: relay.func @loop(
relay.func @loop(%n: !relay.tensor<[], i64>, %x: !relay.tensor<[4], f32>) -> (!relay.tensor<[r], f32>) {
  %zero = relay.constant dense<0> : tensor<i64>
  %one = relay.constant dense<1> : tensor<i64>
  // CHECK: relay.loop (%[[I:.*]]: !relay.tensor<[], i64> = %arg0, %[[A:.*]]: !relay.tensor<[k], f32> = %arg1: !relay.tensor<[4], f32>)
  // CHECK-SAME: entry(k) opens(r) -> (!relay.tensor<[], i64>, !relay.tensor<[r], f32>) while {
  %r:2 = relay.loop (%i: !relay.tensor<[], i64> = %n, %a: !relay.tensor<[k], f32> = %x: !relay.tensor<[4], f32>)
      entry(k) opens(r) -> (!relay.tensor<[], i64>, !relay.tensor<[r], f32>) while {
    %go = relay.apply "greater"(%i, %zero) : (!relay.tensor<[], i64>, !relay.tensor<[], i64>) -> !relay.tensor<[], i1>
    relay.yield %go : !relay.tensor<[], i1>
  // CHECK: } do (%[[J:.*]], %[[B:.*]]) {
  } do (%j, %b) {
    %next = relay.apply "sub"(%j, %one) : (!relay.tensor<[], i64>, !relay.tensor<[], i64>) -> !relay.tensor<[], i64>
    %twice = relay.apply "concat"(%b, %b) {axis = 0} : (!relay.tensor<[k], f32>, !relay.tensor<[k], f32>) -> !relay.tensor<[2*k], f32>
    relay.yield %next, %twice : !relay.tensor<[], i64>, !relay.tensor<[2*k], f32>
  }
  relay.return %r#1 : !relay.tensor<[r], f32>
}

// A call: the callee's n is 2*m here; a size that only the callee knows is a fresh symbol.
// CHECK-LABEL: relay.func @call(
relay.func @call(%x: !relay.tensor<[2*m], f32>, %s: !relay.tensor<[2], i64>, %y: !relay.tensor<[m], f32>)
    -> (!relay.tensor<[p, q], f32>) symbols(m) {
  // CHECK: relay.call @open(%arg0, %arg1) opens(p, q) : (!relay.tensor<[2*m], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[p, q], f32>
  %r = relay.call @open(%x, %s) opens(p, q) : (!relay.tensor<[2*m], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[p, q], f32>
  relay.return %r : !relay.tensor<[p, q], f32>
}

// A fusion group: values come in as operands, small constants may be inside.
// CHECK-LABEL: relay.func @fused(
relay.func @fused(%x: !relay.tensor<[n, 3], f32>) -> (!relay.tensor<[n, 3], f32>) symbols(n) {
  // CHECK: relay.fused (%[[IN:.*]] = %arg0) : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32> {
  %y = relay.fused (%a = %x) : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32> {
    // CHECK: relay.constant
    %one = relay.constant dense<1.0> : tensor<f32>
    // CHECK: relay.apply "add"(%[[IN]],
    %0 = relay.apply "add"(%a, %one) : (!relay.tensor<[n, 3], f32>, !relay.tensor<[], f32>) -> !relay.tensor<[n, 3], f32>
    relay.yield %0 : !relay.tensor<[n, 3], f32>
  }
  relay.return %y : !relay.tensor<[n, 3], f32>
}

// Texts stand in constants; a sequence is a vector of items, whose type is named where one is taken out.
// CHECK-LABEL: relay.func @references
relay.func @references(%s: !relay.tensor<[n], !relay.item>) -> (!relay.tensor<[k0, k1], f32>, !relay.tensor<[2], i1>) symbols(n) {
  // CHECK: relay.constant dense<["a", "b c"]> : tensor<2x!relay.string>
  %t = relay.constant dense<["a", "b c"]> : tensor<2x!relay.string>
  %e = relay.apply "equal"(%t, %t) : (!relay.tensor<[2], !relay.string>, !relay.tensor<[2], !relay.string>) -> !relay.tensor<[2], i1>
  %p = relay.constant dense<0> : tensor<i64>
  %x = relay.apply "sequence_at"(%s, %p) {dtype = 12, rank = 2} opens(k0, k1) : (!relay.tensor<[n], !relay.item>, !relay.tensor<[], i64>) -> !relay.tensor<[k0, k1], f32>
  relay.return %x, %e : !relay.tensor<[k0, k1], f32>, !relay.tensor<[2], i1>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
