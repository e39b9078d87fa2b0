// What the relay dialect refuses, and how it says so. One case a section.
// RUN: imbrex-opt %s --verify-diagnostics --split-input-file

// == Types ==

// expected-error @+1 {{a dimension cannot be negative: -1}}
relay.func private @negative(%x: !relay.tensor<[-1], f32>) -> () { relay.return }

// -----

// expected-error @+1 {{a tensor has elements of type i1 to i64, ui2 to ui64, f16 to f64, bf16 or a narrow float, not 'i7'}}
relay.func private @element(%x: !relay.tensor<[1], i7>) -> () { relay.return }

// -----

// expected-error @+1 {{expected a dimension}}
relay.func private @missing(%x: !relay.tensor<[n, ], f32>) -> () { relay.return }

// -----

// expected-error @+1 {{takes and returns relay tensors, not 'i32'}}
relay.func @builtin(%x: i32) { relay.return }

// -----

// == Symbols of a function ==

// expected-error @+1 {{'relay.func' op binds 'm', but no argument has it as a whole dimension and no equality gives its value}}
relay.func @unbound(%x: !relay.tensor<[n, m + 1], f32>) symbols(n, m) { relay.return }

// -----

// expected-error @+1 {{mentions 'n', which nothing binds before this place}}
relay.func @undeclared(%x: !relay.tensor<[n], f32>) { relay.return }

// -----

// expected-error @+1 {{no size 'n' is at least 9 and at most 8}}
relay.func @empty(%x: !relay.tensor<[n], f32>) symbols(n: 9 to 8) { relay.return }

// -----

// expected-error @+1 {{the divisor of 'n' must be positive, not 0}}
relay.func @divisor(%x: !relay.tensor<[n], f32>) symbols(n by 0) { relay.return }

// -----

// expected-note @+1 {{first bound here}}
relay.func @twice(%x: !relay.tensor<[n], f32>, %s: !relay.tensor<[], i64>) symbols(n: 1 to 4) {
  // expected-error @+1 {{the symbol 'n' is bound twice in one function}}
  relay.open %s as "n" : !relay.tensor<[], i64>
  relay.return
}

// -----

relay.func @dominance(%s: !relay.tensor<[1], i64>) {
  // expected-error @+1 {{mentions 'k', which nothing binds before this place}}
  %x = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[1], i64>) -> !relay.tensor<[k], f32>
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  relay.return
}

// -----

// A name opened in one branch is not seen in the other.
relay.func @region(%c: !relay.tensor<[], i1>, %s: !relay.tensor<[1], i64>) {
  relay.if %c {
    relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  } else {
    // expected-error @+1 {{a result's size is an element of operand 0; because its value is known only at run time and no relay.open names it}}
    %x = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[1], i64>) -> !relay.tensor<[k], f32>
  }
  relay.return
}

// -----

// == relay.func and relay.return ==

relay.func @values(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[n], f32>) symbols(n) {
  // expected-error @+1 {{has 0 values, but @values returns 1}}
  relay.return
}

// -----

relay.func @other(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[2*n], f32>) symbols(n) {
  // expected-error @+1 {{value 0 is '!relay.tensor<[n], f32>', but @other returns '!relay.tensor<[2*n], f32>'}}
  relay.return %x : !relay.tensor<[n], f32>
}

// -----

// expected-error @+1 {{unknown attribute 'relay.size' of argument 0}}
relay.func @attribute(%x: !relay.tensor<[1], f32> {relay.size = 1 : i64}) { relay.return }

// -----

// == relay.constant ==

relay.func @vector() {
  // expected-error @+1 {{a constant has a fixed shape and elements of type i1}}
  %0 = relay.constant dense<1> : tensor<2xindex>
  relay.return
}

// -----

relay.func @resource() {
  // expected-error @+1 {{the constant has no data; because its resource 'nowhere' is missing}}
  %0 = relay.constant dense_resource<nowhere> : tensor<2xf32>
  relay.return
}

// -----

// == relay.apply ==

relay.func @unknown(%x: !relay.tensor<[1], f32>) {
  // expected-error @+1 {{there is no operator 'frobnicate'}}
  %0 = relay.apply "frobnicate"(%x) : (!relay.tensor<[1], f32>) -> !relay.tensor<[1], f32>
  relay.return
}

// -----

relay.func @attribute(%x: !relay.tensor<[1], f32>) {
  // expected-error @+1 {{operator 'leaky_relu' has no attribute 'beta'}}
  %0 = relay.apply "leaky_relu"(%x) {beta = 1.0} : (!relay.tensor<[1], f32>) -> !relay.tensor<[1], f32>
  relay.return
}

// -----

relay.func @incomplete(%x: !relay.tensor<[1], f32>) {
  // expected-error @+1 {{stores 0 of the 1 attributes of 'leaky_relu'; try the short form}}
  %0 = "relay.apply"(%x) <{operator_name = "leaky_relu", operator_attrs = {}}> : (!relay.tensor<[1], f32>) -> !relay.tensor<[1], f32>
  relay.return
}

// -----

relay.func @kind(%x: !relay.tensor<[1], f32>) {
  // expected-error @+1 {{attribute 'alpha' has a value of no known kind; because an operator's attribute is an i64, f64, string, array of i64 or f64, or an element type}}
  %0 = "relay.apply"(%x) <{operator_name = "leaky_relu", operator_attrs = {alpha = 1.0 : f32}}> : (!relay.tensor<[1], f32>) -> !relay.tensor<[1], f32>
  relay.return
}

// -----

// The type relation's reason is part of the message.
relay.func @relation(%x: !relay.tensor<[n, 3], f32>, %w: !relay.tensor<[4, 5], f32>) symbols(n) {
  // expected-error @+1 {{"matmul": }}
  %0 = relay.apply "matmul"(%x, %w) : (!relay.tensor<[n, 3], f32>, !relay.tensor<[4, 5], f32>) -> !relay.tensor<[n, 5], f32>
  relay.return
}

// -----

relay.func @result(%x: !relay.tensor<[n, 3], f32>) symbols(n) {
  // expected-error @+1 {{"transpose" of these operands gives '!relay.tensor<[3, n], f32>', but result 0 is stated as '!relay.tensor<[n, 3], f32>'}}
  %0 = relay.apply "transpose"(%x) : (!relay.tensor<[n, 3], f32>) -> !relay.tensor<[n, 3], f32>
  relay.return
}

// -----

relay.func @results(%x: !relay.tensor<[3], f32>) {
  // expected-error @+1 {{"neg" has 1 results, not 2}}
  %0:2 = relay.apply "neg"(%x) : (!relay.tensor<[3], f32>) -> (!relay.tensor<[3], f32>, !relay.tensor<[3], f32>)
  relay.return
}

// -----

relay.func @absent(%x: !relay.tensor<[3], f32>) {
  // expected-error @+1 {{ends with an operand that is left out; try to drop it}}
  %0 = relay.apply "clip"(%x, _) : (!relay.tensor<[3], f32>) -> !relay.tensor<[3], f32>
  relay.return
}

// -----

relay.func @open(%s: !relay.tensor<[2], i64>) {
  relay.open %s[0] as "k" : !relay.tensor<[2], i64>
  // expected-error @+1 {{a result's size is an element of operand 0; because its value is known only at run time and no relay.open names it; try a relay.open of that element before this operation}}
  %0 = relay.apply "constant_of_shape"(%s) : (!relay.tensor<[2], i64>) -> !relay.tensor<[k, k], f32>
  relay.return
}

// -----

relay.func @opens(%x: !relay.tensor<[4], f32>, %s: !relay.tensor<[2], i64>) {
  // expected-error @+1 {{a result has a size that the operator computes when it runs; because 'opens' names 1 such sizes and there are more}}
  %0 = relay.apply "reshape"(%x, %s) opens(k) : (!relay.tensor<[4], f32>, !relay.tensor<[2], i64>) -> !relay.tensor<[k, k], f32>
  relay.return
}

// -----

relay.func @surplus(%x: !relay.tensor<[4], f32>) {
  // expected-error @+1 {{'opens' names 1 sizes; because the operator computes 0}}
  %0 = relay.apply "neg"(%x) opens(k) : (!relay.tensor<[4], f32>) -> !relay.tensor<[4], f32>
  relay.return
}

// -----

// == relay.open ==

relay.func @float(%s: !relay.tensor<[1], f32>) {
  // expected-error @+1 {{takes a size from integers, not from '!relay.tensor<[1], f32>'}}
  relay.open %s[0] as "k" : !relay.tensor<[1], f32>
  relay.return
}

// -----

relay.func @outside(%s: !relay.tensor<[2], i64>) {
  // expected-error @+1 {{element 2 is outside of '!relay.tensor<[2], i64>'}}
  relay.open %s[2] as "k" : !relay.tensor<[2], i64>
  relay.return
}

// -----

relay.func @rank(%s: !relay.tensor<[2], i64>) {
  // expected-error @+1 {{names one element of a tensor of rank 0 or 1, not [] of '!relay.tensor<[2], i64>'}}
  relay.open %s as "k" : !relay.tensor<[2], i64>
  relay.return
}

// -----

relay.func @same(%s: !relay.tensor<[2], i64>) {
  // expected-error @+1 {{names an element twice in one block: 'k' and 'l'; try one name for both}}
  relay.open %s[0] as "k" : !relay.tensor<[2], i64>
  relay.open %s[0] as "l" : !relay.tensor<[2], i64>
  relay.return
}

// -----

// == relay.if ==

relay.func @branches(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n], f32>, %y: !relay.tensor<[3], f32>) symbols(n) {
  // expected-error @+1 {{the else branch does not yield the result types: type 0 is '!relay.tensor<[3], f32>', not '!relay.tensor<[n], f32>'; because the dimensions differ}}
  %r = relay.if %c -> (!relay.tensor<[n], f32>) {
    relay.yield %x : !relay.tensor<[n], f32>
  } else {
    relay.yield %y : !relay.tensor<[3], f32>
  }
  relay.return
}

// -----

relay.func @branchRank(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n], f32>, %y: !relay.tensor<[3, 3], f32>) symbols(n) {
  // expected-error @+1 {{type 0 is '!relay.tensor<[3, 3], f32>', not '!relay.tensor<[k], f32>'; because element types or ranks differ}}
  %r = relay.if %c opens(k) -> (!relay.tensor<[k], f32>) {
    relay.yield %x : !relay.tensor<[n], f32>
  } else {
    relay.yield %y : !relay.tensor<[3, 3], f32>
  }
  relay.return
}

// -----

// One symbol stands for one size.
relay.func @branchSizes(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n, 2], f32>, %y: !relay.tensor<[3, 3], f32>) symbols(n) {
  // expected-error @+1 {{the then branch does not yield the result types: type 0 is '!relay.tensor<[n, 2], f32>', not '!relay.tensor<[k, k], f32>'; because no single value of each free symbol makes them equal}}
  %r = relay.if %c opens(k) -> (!relay.tensor<[k, k], f32>) {
    relay.yield %x : !relay.tensor<[n, 2], f32>
  } else {
    relay.yield %y : !relay.tensor<[3, 3], f32>
  }
  relay.return
}

// -----

relay.func @unread(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[n], f32>) symbols(n) {
  // expected-error @+1 {{'opens' names 'k', but no type has it as a whole dimension; its value could not be read off}}
  %r = relay.if %c opens(k) -> (!relay.tensor<[k + 1], f32>) {
    relay.yield %x : !relay.tensor<[n], f32>
  } else {
    relay.yield %x : !relay.tensor<[n], f32>
  }
  relay.return
}

// -----

// == relay.loop ==

relay.func @condition(%x: !relay.tensor<[], i64>) {
  // expected-error @+1 {{the while region yields one !relay.tensor<[], i1>}}
  %r = relay.loop (%i: !relay.tensor<[], i64> = %x) -> (!relay.tensor<[], i64>) while {
    relay.yield %i : !relay.tensor<[], i64>
  } do (%j) {
    relay.yield %j : !relay.tensor<[], i64>
  }
  relay.return
}

// -----

relay.func @grows(%go: !relay.tensor<[], i1>, %x: !relay.tensor<[4], f32>) {
  // expected-error @+1 {{the body does not yield what is carried: type 0 is '!relay.tensor<[8], f32>', not '!relay.tensor<[4], f32>'; because the dimensions differ}}
  %r = relay.loop (%a: !relay.tensor<[4], f32> = %x) -> (!relay.tensor<[4], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%b) {
    %c = relay.apply "concat"(%b, %b) {axis = 0} : (!relay.tensor<[4], f32>, !relay.tensor<[4], f32>) -> !relay.tensor<[8], f32>
    relay.yield %c : !relay.tensor<[8], f32>
  }
  relay.return
}

// -----

relay.func @leaks(%go: !relay.tensor<[], i1>, %x: !relay.tensor<[4], f32>) {
  // expected-error @+1 {{mentions 'k', whose binder does not dominate this place}}
  %r = relay.loop (%a: !relay.tensor<[k], f32> = %x: !relay.tensor<[4], f32>) entry(k) -> (!relay.tensor<[k], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%b) {
    relay.yield %b : !relay.tensor<[k], f32>
  }
  relay.return
}

// -----

// == relay.call ==

relay.func @caller(%x: !relay.tensor<[3], f32>) {
  // expected-error @+1 {{there is no relay.func @nobody}}
  relay.call @nobody(%x) : (!relay.tensor<[3], f32>) -> ()
  relay.return
}

// -----

relay.func @square(%x: !relay.tensor<[n, n], f32>) symbols(n) { relay.return }
relay.func @caller(%x: !relay.tensor<[3, 4], f32>) {
  // expected-error @+1 {{operands do not fit @square: type 0 is '!relay.tensor<[3, 4], f32>', not '!relay.tensor<[n, n], f32>'}}
  relay.call @square(%x) : (!relay.tensor<[3, 4], f32>) -> ()
  relay.return
}

// -----

// == relay.fused ==

relay.func @captures(%x: !relay.tensor<[3], f32>) {
  // expected-error @+1 {{the region yields other types than the results}}
  %y = relay.fused (%a = %x) : (!relay.tensor<[3], f32>) -> !relay.tensor<[4], f32> {
    relay.yield %a : !relay.tensor<[3], f32>
  }
  relay.return
}

// -----

relay.func @nested(%x: !relay.tensor<[], i1>) {
  relay.fused (%a = %x) : (!relay.tensor<[], i1>) -> () {
    // expected-error @+1 {{cannot be in a fusion group; only relay.apply and relay.constant can}}
    relay.if %a {
    } else {
    }
  }
  relay.return
}
