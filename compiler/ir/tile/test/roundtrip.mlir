// One example of each form.
// RUN: imbrex-opt %s | imbrex-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @scale(%{{.*}}: !tile.view<[n], f32>, %{{.*}}: !tile.view<[n], f32, write>) sizes (n: 1 to 1048576) grid [(n+255) floordiv 256]
tile.kernel @scale(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 1 to 1048576) grid [(n + 255) floordiv 256] {
  // CHECK: tile.block 0
  %i = tile.block 0
  // CHECK: tile.load %{{.*}}[%{{.*}}] : !tile.view<[n], f32> -> tensor<256xf32>
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<256xf32>
  %two = arith.constant dense<2.0> : tensor<256xf32>
  %s = arith.mulf %t, %two : tensor<256xf32>
  // CHECK: tile.store %{{.*}} into %{{.*}}[%{{.*}}] : tensor<256xf32>, !tile.view<[n], f32, write>
  tile.store %s into %y[%i] : tensor<256xf32>, !tile.view<[n], f32, write>
}

// CHECK-LABEL: tile.kernel @matmul
// CHECK-SAME: sizes (m, n, k: 0 to 65536 by 16) grid [
// CHECK-SAME: assume ["k >= 16"] deny_in_kernel_checks
tile.kernel @matmul(%a: !tile.view<[m, k], bf16>, %b: !tile.view<[k, n], bf16>, %c: !tile.view<[m, n], f32, write>)
    sizes (m, n, k: 0 to 65536 by 16)
    grid [((m + 63) floordiv 64) * ((n + 63) floordiv 64)]
    assume ["k >= 16"] deny_in_kernel_checks {
  %p = tile.block 0
  // CHECK: tile.unravel %{{.*}} over ["(m + 63) floordiv 64", "(n + 63) floordiv 64"] grouped 8 : index, index
  %i, %j = tile.unravel %p over ["(m + 63) floordiv 64", "(n + 63) floordiv 64"] grouped 8 : index, index
  %steps = tile.size "(k + 31) floordiv 32"
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<64x64xf32> {
    %x = tile.load %a[%i, %q] : !tile.view<[m, k], bf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%q, %j] : !tile.view<[k, n], bf16> -> tensor<32x64xbf16>
    // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
    %next = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum into %c[%i, %j] : tensor<64x64xf32>, !tile.view<[m, n], f32, write>
}

// CHECK-LABEL: tile.kernel @persistent
tile.kernel @persistent(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, update, strides [1, m]>)
    sizes (m, n, blocks: 1 to 1024) grid [blocks] {
  // CHECK: tile.each_piece %{{.*}} by [16, 16] grouped 4 : !tile.view<[m, n], f32, update, strides [1, m]> {
  tile.each_piece %y by [16, 16] grouped 4 : !tile.view<[m, n], f32, update, strides [1, m]> {
  ^bb0(%i: index, %j: index):
    // CHECK: tile.load %{{.*}} whole
    %t = tile.load %y[%i, %j] whole : !tile.view<[m, n], f32, update, strides [1, m]> -> tensor<16x16xf32>
    // CHECK: tile.load %{{.*}} pad 1.000000e+00 : f32
    %u = tile.load %x[%i, %j] pad 1.0 : f32 : !tile.view<[m, n], f32> -> tensor<16x16xf32>
    %s = arith.addf %t, %u : tensor<16x16xf32>
    tile.store %s into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, update, strides [1, m]>
  }
}

// CHECK-LABEL: tile.kernel @values
tile.kernel @values(%t: !tile.view<[v, 64], f32>, %ids: !tile.view<[n], i32>, %o: !tile.view<[n, 64], f32, write>,
                    %h: !tile.view<[64], f32, accumulate>)
    sizes (v, n) grid [(n + 7) floordiv 8] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %r = tile.load %ids[%i] : !tile.view<[n], i32> -> tensor<8xi32>
  // CHECK: tile.gather %{{.*}} rows %{{.*}}[%{{.*}}] checked : !tile.view<[v, 64], f32>, tensor<8xi32> -> tensor<8x64xf32>
  %x = tile.gather %t rows %r [%z] checked : !tile.view<[v, 64], f32>, tensor<8xi32> -> tensor<8x64xf32>
  // CHECK: tile.window %{{.*}} at[%{{.*}}, %{{.*}}]
  %w = tile.window %t at [%i, %z] : !tile.view<[v, 64], f32> -> tensor<8x64xf32>
  // CHECK: tile.read
  %first = tile.read %ids[%z] : !tile.view<[n], i32> -> i32
  %zero = arith.constant 0 : i32
  %positive = arith.cmpi sge, %first, %zero : i32
  // CHECK: tile.check %{{.*}}, "ids start below zero"
  tile.check %positive, "ids start below zero"
  // CHECK: tile.reduce maximum %{{.*}} axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  %m = tile.reduce maximum %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<8xf32> -> tensor<8x1xf32>
  %m2 = tile.reshape %m : tensor<8xf32> -> tensor<8x1xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<8x1xf32> -> tensor<8x64xf32>
  %m3 = tile.broadcast %m2 : tensor<8x1xf32> -> tensor<8x64xf32>
  // CHECK: tile.transpose %{{.*}} [1, 0] : tensor<8x64xf32> -> tensor<64x8xf32>
  %tr = tile.transpose %m3 [1, 0] : tensor<8x64xf32> -> tensor<64x8xf32>
  // CHECK: tile.scan sum %{{.*}} axis 1 : tensor<8x64xf32>
  %sc = tile.scan sum %m3 axis 1 : tensor<8x64xf32>
  // CHECK: tile.slice %{{.*}} from [0, 32] : tensor<8x64xf32> -> tensor<8x32xf32>
  %lo = tile.slice %sc from [0, 32] : tensor<8x64xf32> -> tensor<8x32xf32>
  // CHECK: tile.concat %{{.*}}, %{{.*}} axis 1 : tensor<8x32xf32>, tensor<8x32xf32> -> tensor<8x64xf32>
  %cc = tile.concat %lo, %lo axis 1 : tensor<8x32xf32>, tensor<8x32xf32> -> tensor<8x64xf32>
  // CHECK: tile.iota axis 1 : tensor<8x64xi32>
  %io = tile.iota axis 1 : tensor<8x64xi32>
  tile.store %cc into %o[%i, %z] : tensor<8x64xf32>, !tile.view<[n, 64], f32, write>
  %col = tile.reduce sum %x axis 0 : tensor<8x64xf32> -> tensor<64xf32>
  // CHECK: tile.atomic_add
  tile.atomic_add %col into %h[%z] : tensor<64xf32>, !tile.view<[64], f32, accumulate>
  // CHECK: tile.unsafe "each block adds its own line" {
  tile.unsafe "each block adds its own line" {
    // CHECK: tile.raw_load %{{.*}} at %{{.*}} : !tile.view<[v, 64], f32> -> tensor<4xf32>
    %raw, %token = tile.raw_load %t at %i : !tile.view<[v, 64], f32> -> tensor<4xf32>
    // CHECK: tile.raw_store %{{.*}} into %{{.*}} at %{{.*}} after %{{.*}} : tensor<4xf32>
    %done = tile.raw_store %raw into %o at %i after %token : tensor<4xf32>, !tile.view<[n, 64], f32, write>
  }
}
