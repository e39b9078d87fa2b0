// What folding finds wrong with a program.
// RUN: imbrex-opt %s --relay-fold-constants --verify-diagnostics --split-input-file

relay.func @negative() {
  %a = relay.constant dense<[2]> : tensor<1xi64>
  %s = relay.apply "neg"(%a) : (!relay.tensor<[1], i64>) -> !relay.tensor<[1], i64>
  // expected-error @+1 {{the size 'k' is -2; because a size cannot be negative}}
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %z = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[1], i64>) -> !relay.tensor<[k], f32>
  relay.return
}

// -----

// The type relation's reason, once the shape is known.
relay.func @reshape(%x: !relay.tensor<[6], f32>) {
  %a = relay.constant dense<[2, 2]> : tensor<2xi64>
  %s = relay.apply "add"(%a, %a) : (!relay.tensor<[2], i64>, !relay.tensor<[2], i64>) -> !relay.tensor<[2], i64>
  // expected-error @+1 {{cannot take the shape}}
  %r = relay.apply "reshape"(%x, %s) opens(k, l) : (!relay.tensor<[6], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[k, l], f32>
  relay.return
}
