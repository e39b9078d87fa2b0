// The shape of the loops that tiles become.
// RUN: imbrex-opt %s --tile-to-cpu=target=cpu:x86-64-v4 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,V4
// RUN: imbrex-opt %s --tile-to-cpu=target=cpu:x86-64-v3 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,V3

// Element by element: one load, one store, nothing in between is kept in memory.
// CHECK-LABEL: func.func private @gelu.body
// CHECK: scf.for
// V4: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
// V3: vector.load {{.*}} : memref<?xf32>, vector<8xf32>
// CHECK-NOT: vector.store
// CHECK: math.erf
// CHECK: vector.store
// CHECK-NOT: vector.store
// CHECK: return
tile.kernel @gelu(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 256 to 1048576 by 256) grid [n floordiv 256] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<256xf32>
  %c = arith.constant dense<0.70710678> : tensor<256xf32>
  %h = arith.constant dense<0.5> : tensor<256xf32>
  %s = arith.mulf %t, %c : tensor<256xf32>
  %e = math.erf %s : tensor<256xf32>
  %g = arith.mulf %t, %h : tensor<256xf32>
  %m = arith.mulf %g, %e : tensor<256xf32>
  %o = arith.addf %g, %m : tensor<256xf32>
  tile.store %o into %y[%i] : tensor<256xf32>, !tile.view<[n], f32, write>
}

// What is read next is fetched while this is read.
// CHECK-LABEL: func.func private @ahead.body
// CHECK: llvm.intr.prefetch
// CHECK: vector.load
tile.kernel @ahead(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 256 to 1048576 by 256) grid [n floordiv 256] {
  %i = tile.block 0
  %t = tile.load %x[%i] {ahead = 0 : i64} : !tile.view<[n], f32> -> tensor<256xf32>
  tile.store %t into %y[%i] : tensor<256xf32>, !tile.view<[n], f32, write>
}

// A ragged edge: whole tiles without masks, the last one with them.
// CHECK-LABEL: func.func private @ragged.body
// CHECK: scf.if
// CHECK: vector.load
// CHECK: } else {
// CHECK: vector.create_mask
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
tile.kernel @ragged(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>) sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  %s = arith.addf %t, %t : tensor<64xf32>
  tile.store %s into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// A product with weights in panels: they are used where they lie (three arguments and the sums in
// scratch, no panel is packed), and the sums of a register tile stay in registers over k.
// CHECK-LABEL: func.func private @product.body
// CHECK-NOT: vector.interleave
// V4: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<16xf32>, ){28}[!]}}llvm.ptr, !llvm.ptr) {
// V3: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<8xf32>, ){12}[!]}}llvm.ptr, !llvm.ptr) {
// V4-COUNT-8: llvm.intr.fma({{.*}} : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// V3-COUNT-8: llvm.intr.fma({{.*}} : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK: scf.yield
tile.kernel @product(%a: !tile.view<[42, k], f32>, %b: !tile.view<[2, k, 32], f32>, %c: !tile.view<[42, 64], f32, write>)
    sizes (k: 128 to 65536 by 128) grid [1] {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %steps = tile.size "k floordiv 128"
  %none = arith.constant dense<0.0> : tensor<42x64xf32>
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<42x64xf32> {
    %x = tile.load %a[%zero, %q] : !tile.view<[42, k], f32> -> tensor<42x128xf32>
    %w = tile.load %b[%zero, %q, %zero] : !tile.view<[2, k, 32], f32> -> tensor<2x128x32xf32>
    %t = tile.transpose %w [1, 0, 2] : tensor<2x128x32xf32> -> tensor<128x2x32xf32>
    %y = tile.reshape %t : tensor<128x2x32xf32> -> tensor<128x64xf32>
    %next = tile.mma %x, %y, %acc : tensor<42x128xf32>, tensor<128x64xf32>, tensor<42x64xf32>
    scf.yield %next : tensor<42x64xf32>
  }
  tile.store %sum into %c[%zero, %zero] : tensor<42x64xf32>, !tile.view<[42, 64], f32, write>
}

// What a loop carries stays in registers when it is little, and exp, which both loops compute, is
// kept between them where the row fits.
// CHECK-LABEL: func.func private @carried.body
// V4: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// V3: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<8xf32>, ){7}vector}}<8xf32>)
// CHECK: math.exp
// CHECK: vector.store
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK: } else {
// CHECK: math.exp
tile.kernel @carried(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>) sizes (n: 64 to 1048576 by 64) grid [1] {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %steps = tile.size "n floordiv 64"
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %parts = scf.for %j = %zero to %steps step %one iter_args(%s = %none) -> tensor<64xf32> {
    %t = tile.load %x[%j] : !tile.view<[n], f32> -> tensor<64xf32>
    %e = math.exp %t : tensor<64xf32>
    %next = arith.addf %s, %e : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %total = tile.reduce sum %parts axis 0 : tensor<64xf32> -> tensor<f32>
  %total1 = tile.reshape %total : tensor<f32> -> tensor<1xf32>
  scf.for %j = %zero to %steps step %one {
    %t = tile.load %x[%j] : !tile.view<[n], f32> -> tensor<64xf32>
    %e = math.exp %t : tensor<64xf32>
    %all = tile.broadcast %total1 : tensor<1xf32> -> tensor<64xf32>
    %o = arith.divf %e, %all : tensor<64xf32>
    tile.store %o into %y[%j] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// Parts that are joined and have no axis left.
// CHECK-LABEL: func.func private @no_axis.body
// CHECK: memref.store
tile.kernel @no_axis(%a: !tile.view<[1], f32>, %b: !tile.view<[], f32, write>) grid [1] {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero] : !tile.view<[1], f32> -> tensor<1xf32>
  %all = tile.concat %x axis 0 : tensor<1xf32> -> tensor<1xf32>
  %one = tile.reshape %all : tensor<1xf32> -> tensor<f32>
  tile.store %one into %b[] : tensor<f32>, !tile.view<[], f32, write>
}
