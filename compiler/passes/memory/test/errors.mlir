// What the plan checker refuses.
// RUN: imbrex-opt %s --vm-check-plan --verify-diagnostics --split-input-file

// The second buffer takes the place of the first, which is read later.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @overlap(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %b = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%a, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// The same, with ranges that meet in part.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @partly(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "64" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %b = vm.buffer at "0" : !relay.tensor<[17], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[17], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// Through an alias.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @alias(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %f = vm.alias %a : !relay.tensor<[16], f32> to !relay.tensor<[16], f32>
  %b = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%f, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// Through a call: its result may be its operand.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0
relay.func @same(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  relay.return %x : !relay.tensor<[16], f32>
}

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @call(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %r = relay.call @same(%a) : (!relay.tensor<[16], f32>) -> !relay.tensor<[16], f32>
  %b = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%r, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// What a call returns may be its operand, and the arena ends with the function.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0
relay.func @same(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) {
  relay.return %x : !relay.tensor<[16], f32>
}

// expected-error @+1 {{a result lies in the arena}}
relay.func @returned_call(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %r = relay.call @same(%a) : (!relay.tensor<[16], f32>) -> !relay.tensor<[16], f32>
  relay.return %r : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a result lies in the arena}}
relay.func @returned(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %o = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer that nothing has written}}
relay.func @unwritten(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it writes a buffer that was written before}}
relay.func @twice(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{an operand shares bytes with a result}}
relay.func @in_place(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %b = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%b : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%b : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{two results share bytes}}
relay.func @one_result_twice(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @split (%x : !relay.tensor<[16], f32>) into (%a, %a : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer that nothing has written}}
relay.func @own_result(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%o : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{two results share bytes}}
relay.func @two_results(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "0" : !relay.tensor<[16], f32>
  %b = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @split (%x : !relay.tensor<[16], f32>) into (%a, %b : !relay.tensor<[16], f32>, !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a buffer ends beyond the arena}}
relay.func @beyond(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "127"} {
  %a = vm.buffer at "64" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// An empty tensor too has a place that can be read.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a buffer ends beyond the arena}}
relay.func @empty(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "64"} {
  %a = vm.buffer at "64" : !relay.tensor<[0], f32>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a buffer begins before the arena}}
relay.func @before(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "-64" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a buffer is not aligned to 64 bytes}}
relay.func @unaligned(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "32" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{the offset needs 'here', which is known only after the function began}}
relay.func @foreign_symbol(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "here" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{the offset '64 +' is no size}}
relay.func @no_size(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %a = vm.buffer at "64 +" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{the arena's size '?' is no size}}
relay.func @no_arena(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "?"} {
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// A size that is opened later.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{the arena's size needs 'k', which is known only after the function began}}
relay.func @late_arena(%x: !relay.tensor<[16], f32>, %s: !relay.tensor<[1], i64>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "64*k"} {
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{the offset needs 'k', which is known only after the function began}}
relay.func @late_offset(%x: !relay.tensor<[16], f32>, %s: !relay.tensor<[1], i64>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %a = vm.buffer at "64*k" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%a : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%a : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a buffer ends beyond the arena}}
relay.func @late_size(%x: !relay.tensor<[16], f32>, %s: !relay.tensor<[1], i64>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  relay.open %s[0] as "k" : !relay.tensor<[1], i64>
  %a = vm.buffer at "0" : !relay.tensor<[k], f32>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// Two sizes that nobody compared.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @symbolic(%x: !relay.tensor<[n], f32>) -> (!relay.tensor<[16], f32>) symbols(n) attributes {vm.arena = "4*n + 1024"} {
  %a = vm.buffer at "0" : !relay.tensor<[n], f32>
  vm.launch @map (%x : !relay.tensor<[n], f32>) into (%a : !relay.tensor<[n], f32>)
  %b = vm.buffer at "256" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[n], f32>) into (%b : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @join (%a, %b : !relay.tensor<[n], f32>, !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{an alias has another size than its source}}
relay.func @alias_size(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %f = vm.alias %x : !relay.tensor<[16], f32> to !relay.tensor<[17], f32>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// An operator that was not lowered.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a value whose storage is not known}}
relay.func @unknown(%x: !relay.tensor<[16], f32>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %y = relay.apply "neg"(%x) : (!relay.tensor<[16], f32>) -> !relay.tensor<[16], f32>
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%y : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{a value carried by a loop lies in the arena}}
relay.func @carried(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %n = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// The second iteration reads what the first has overwritten.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @second_iteration(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%k : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    %t = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// The loop may end after the body has run.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @after_body(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %t = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%t : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%k : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// The condition runs though the body does not.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @after_condition(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    %t = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%i : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%k : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// A buffer made outside and written in every iteration.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it writes a buffer that was written before}}
relay.func @written_by_iterations(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  %r = relay.loop (%i: !relay.tensor<[16], f32> = %x) -> (!relay.tensor<[16], f32>) while {
    relay.yield %go : !relay.tensor<[], i1>
  } do (%j) {
    vm.launch @map (%j : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
    %n = vm.buffer : !relay.tensor<[16], f32>
    vm.launch @map (%k : !relay.tensor<[16], f32>) into (%n : !relay.tensor<[16], f32>)
    relay.yield %n : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// One branch takes the place.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @branch(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
  %r = relay.if %go -> (!relay.tensor<[16], f32>) {
    %t = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%x : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    relay.yield %x : !relay.tensor<[16], f32>
  } else {
    relay.yield %x : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%k : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// A branch's value is overwritten before the result is read.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{it reads a buffer whose bytes another one has taken}}
relay.func @branch_result(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %r = relay.if %go -> (!relay.tensor<[16], f32>) {
    %t = vm.buffer at "0" : !relay.tensor<[16], f32>
    vm.launch @map (%x : !relay.tensor<[16], f32>) into (%t : !relay.tensor<[16], f32>)
    relay.yield %t : !relay.tensor<[16], f32>
  } else {
    relay.yield %x : !relay.tensor<[16], f32>
  }
  %u = vm.buffer at "0" : !relay.tensor<[16], f32>
  vm.launch @map (%x : !relay.tensor<[16], f32>) into (%u : !relay.tensor<[16], f32>)
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%r : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}

// -----

// Written on one path only.
vm.kernel @map (1) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @join (2) -> (1) dims [] grid "1" checks [] sources [] flops 0
vm.kernel @split (1) -> (2) dims [] grid "1" checks [] sources [] flops 0

// expected-error @+1 {{or that one path does not write}}
relay.func @one_path(%x: !relay.tensor<[16], f32>, %go: !relay.tensor<[], i1>) -> (!relay.tensor<[16], f32>) attributes {vm.arena = "256"} {
  %k = vm.buffer at "0" : !relay.tensor<[16], f32>
  %r = relay.if %go -> (!relay.tensor<[16], f32>) {
    vm.launch @map (%x : !relay.tensor<[16], f32>) into (%k : !relay.tensor<[16], f32>)
    relay.yield %x : !relay.tensor<[16], f32>
  } else {
    relay.yield %x : !relay.tensor<[16], f32>
  }
  %o = vm.buffer : !relay.tensor<[16], f32>
  vm.launch @map (%k : !relay.tensor<[16], f32>) into (%o : !relay.tensor<[16], f32>)
  relay.return %o : !relay.tensor<[16], f32>
}
