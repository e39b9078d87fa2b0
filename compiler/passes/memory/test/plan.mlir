// Plans: each buffer's place, and the checker accepts it.
// RUN: imbrex-opt %s --vm-plan-memory --vm-check-plan --split-input-file | FileCheck %s

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0

// A chain: the third buffer takes the first one's place; the result keeps storage of its own.
// CHECK-LABEL: relay.func @chain(
// CHECK: vm.buffer at "0" : <[100], f32>
// CHECK: vm.buffer at "448" : <[100], f32>
// CHECK: vm.buffer at "0" : <[100], f32>
// CHECK: vm.buffer : <[100], f32>
relay.func @chain(%x: !relay.tensor<[100], f32>) -> (!relay.tensor<[100], f32>) {
  %a = vm.buffer : !relay.tensor<[100], f32>
  vm.launch @map (%x : !relay.tensor<[100], f32>) into (%a : !relay.tensor<[100], f32>)
  %b = vm.buffer : !relay.tensor<[100], f32>
  vm.launch @map (%a : !relay.tensor<[100], f32>) into (%b : !relay.tensor<[100], f32>)
  %c = vm.buffer : !relay.tensor<[100], f32>
  vm.launch @map (%b : !relay.tensor<[100], f32>) into (%c : !relay.tensor<[100], f32>)
  %d = vm.buffer : !relay.tensor<[100], f32>
  vm.launch @map (%c : !relay.tensor<[100], f32>) into (%d : !relay.tensor<[100], f32>)
  relay.return %d : !relay.tensor<[100], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0

// An alias keeps its source's bytes: %b cannot take %a's place.
// CHECK-LABEL: relay.func @alias(
// CHECK: vm.buffer at "0" : <[4, 4], f32>
// CHECK: vm.buffer at "64" : <[16], f32>
relay.func @alias(%x: !relay.tensor<[4, 4], f32>) -> (!relay.tensor<[16], f32>) {
  %a = vm.buffer : !relay.tensor<[4, 4], f32>
  vm.launch @map (%x : !relay.tensor<[4, 4], f32>) into (%a : !relay.tensor<[4, 4], f32>)
  %f = vm.alias %a : !relay.tensor<[4, 4], f32> to !relay.tensor<[16], f32>
  %b = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%f : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %c = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%f, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%c : !relay.tensor<[16], f32>)
  relay.return %c : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0

// What a function returns may be what it was given: %a lives as long as the call's result, and %e escapes.
relay.func @same(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  relay.return %x : !relay.tensor<[16], f32>
}
// CHECK-LABEL: relay.func @call(
// CHECK: %[[A:.*]] = vm.buffer at "0"
// CHECK: relay.call
// CHECK: %[[B:.*]] = vm.buffer at "64"
// CHECK: %[[E:.*]] = vm.buffer :
relay.func @call(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  %a = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %r = relay.call @same(%a) : (!relay.tensor<[16], f32>) -> !relay.tensor<[16], f32>
  %b = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %e = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%r, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%e : !relay.tensor<[16], f32>)
  %s = relay.call @same(%e) : (!relay.tensor<[16], f32>) -> !relay.tensor<[16], f32>
  relay.return %s : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0

// Equal expressions share a stretch behind the fixed part; the arena is their sum.
// CHECK-LABEL: relay.func @symbolic(
// CHECK-SAME: vm.arena = "
// CHECK: vm.buffer at "0" : <[8], f32>
// CHECK: vm.buffer at "64" : <[n], f32>
// CHECK: vm.buffer at "{{.*n.*}}" : <[n], f32>
// CHECK: vm.buffer at "64" : <[n], f32>
relay.func @symbolic(%x: !relay.tensor<[n], f32>, %y: !relay.tensor<[8], f32>) -> (!relay.tensor<[n], f32>) symbols(n) {
  %s = vm.buffer : !relay.tensor<[8], f32>
  vm.launch @map (%y : !relay.tensor<[8], f32>) into (%s : !relay.tensor<[8], f32>)
  %a = vm.buffer : !relay.tensor<[n], f32>
  vm.launch @map (%s : !relay.tensor<[8], f32>) into (%a : !relay.tensor<[n], f32>)
  %b = vm.buffer : !relay.tensor<[n], f32>
  vm.launch @map (%a : !relay.tensor<[n], f32>) into (%b : !relay.tensor<[n], f32>)
  %c = vm.buffer : !relay.tensor<[n], f32>
  vm.launch @map (%b : !relay.tensor<[n], f32>) into (%c : !relay.tensor<[n], f32>)
  %d = vm.buffer : !relay.tensor<[n], f32>
  vm.launch @map (%c : !relay.tensor<[n], f32>) into (%d : !relay.tensor<[n], f32>)
  relay.return %d : !relay.tensor<[n], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0

// A size that is opened later is not known when the arena is made.
// CHECK-LABEL: relay.func @opened(
// CHECK: vm.buffer at "0" : <[1], i64>
// CHECK: vm.buffer : <[k], f32>
relay.func @opened(%x: !relay.tensor<[1], i64>) -> (!relay.tensor<[4], f32>) {
  %s = vm.buffer : !relay.tensor<[1], i64>
  vm.launch @map (%x : !relay.tensor<[1], i64>) into (%s : !relay.tensor<[1], i64>)
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %a = vm.buffer : !relay.tensor<[k], f32>
  vm.launch @map (%x : !relay.tensor<[1], i64>) into (%a : !relay.tensor<[k], f32>)
  %b = vm.buffer : !relay.tensor<[4], f32>
  vm.launch @map (%a : !relay.tensor<[k], f32>) into (%b : !relay.tensor<[4], f32>)
  relay.return %b : !relay.tensor<[4], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0

// The carried value is read while the next one is written: each iteration has a buffer of its own.
// CHECK-LABEL: relay.func @carried(
// CHECK: relay.loop
// CHECK: vm.buffer : <[16], f32>
relay.func @carried(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) {
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  relay.return %r : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0

// What is read in a loop's body lives until the loop ends; what the body yields has storage of its own, what decides is
// read at once.
// CHECK-LABEL: relay.func @loop(
// CHECK: vm.buffer at "0" : <[16], f32>
// CHECK: relay.loop
// CHECK: vm.buffer at "64" : <[], i1>
// CHECK: vm.buffer at "64" : <[16], f32>
// CHECK: vm.buffer : <[16], f32>
relay.func @loop(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  %k = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    %go = vm.buffer : !relay.tensor<[], i1>
    vm.launch @map (%i : !relay.tensor<[16], f32>) into (%go : !relay.tensor<[], i1>)
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %t = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @join (%t, %k : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0

// A branch's value lives on as the result of the if.
// CHECK-LABEL: relay.func @branch(
// CHECK: relay.if
// CHECK: vm.buffer at "0" : <[16], f32>
// CHECK: else
// CHECK: vm.buffer at "64" : <[16], f32>
// CHECK: vm.buffer at "128" : <[16], f32>
relay.func @branch(%c: !relay.tensor<[], i1>, %x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  %r = relay.if %c -> (!relay.tensor<[16], f32>) {
    %a = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
    relay.yield %a : !relay.tensor<[16], f32>
  } else {
    %b = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
    relay.yield %b : !relay.tensor<[16], f32>
  }
  %t = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%t : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}
