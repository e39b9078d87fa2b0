// What tile-verify proves, and the checks that it leaves to the launch or the kernel.
// RUN: imbrex-opt %s --tile-verify --split-input-file | FileCheck %s

// Every block its own piece; the input is read at the same place.
// CHECK-LABEL: @elementwise
// CHECK-NOT: checks
// CHECK-NOT: tile.check
tile.kernel @elementwise(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A transpose: the axes of the grid are permuted.
// CHECK-LABEL: @transpose
// CHECK-NOT: checks
tile.kernel @transpose(%x: !tile.view<[m, n], f32>, %y: !tile.view<[n, m], f32, write>)
    sizes (m, n) grid [(m + 15) floordiv 16, (n + 31) floordiv 32] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x32xf32>
  %u = tile.transpose %t [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
  tile.store %u into %y[%j, %i] : tensor<32x16xf32>, !tile.view<[n, m], f32, write>
}

// -----

// The pieces in reverse.
// CHECK-LABEL: @reversed
// CHECK-NOT: checks
tile.kernel @reversed(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %last = tile.size "(n + 63) floordiv 64 - 1"
  %p = arith.subi %last, %i : index
  %t = tile.load %x[%p] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%p] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Rotated by three, and skewed: each row of pieces is rotated by its number.
// CHECK-LABEL: @rotated
// CHECK-NOT: checks
tile.kernel @rotated(%y: !tile.view<[m, n], f32, write>)
    sizes (m: 1 to 65536, n: 1 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %three = arith.constant 3 : index
  %columns = tile.size "(n + 15) floordiv 16"
  %s = arith.addi %j, %i : index
  %s3 = arith.addi %s, %three : index
  %p = arith.remui %s3, %columns : index
  %t = arith.constant dense<1.0> : tensor<16x16xf32>
  tile.store %t into %y[%i, %p] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// A flat grid, taken apart by division.
// CHECK-LABEL: @flat
// CHECK-NOT: checks
tile.kernel @flat(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 1 to 65536, n: 1 to 65536) grid [((m + 15) floordiv 16) * ((n + 15) floordiv 16)] {
  %p = tile.block 0
  %columns = tile.size "(n + 15) floordiv 16"
  %i = arith.divui %p, %columns : index
  %j = arith.remui %p, %columns : index
  %t = arith.constant dense<1.0> : tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// The same in groups of rows; the loads follow.
// CHECK-LABEL: @grouped
// CHECK-NOT: checks
tile.kernel @grouped(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [((m + 15) floordiv 16) * ((n + 15) floordiv 16)] {
  %p = tile.block 0
  %i, %j = tile.unravel %p over ["(m + 15) floordiv 16", "(n + 15) floordiv 16"] grouped 8 : index, index
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// A persistent kernel by hand: block b of g takes the pieces b, b + g, …
// CHECK-LABEL: @grid_stride
// CHECK-NOT: checks
tile.kernel @grid_stride(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536, g: 1 to 1024) grid [g] {
  %b = tile.block 0
  %n = tile.size "((m + 15) floordiv 16) * ((n + 15) floordiv 16)"
  %g = tile.size "g"
  scf.for %p = %b to %n step %g {
    %i, %j = tile.unravel %p over ["(m + 15) floordiv 16", "(n + 15) floordiv 16"] : index, index
    %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
    tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// Minted pieces.
// CHECK-LABEL: @minted
// CHECK-NOT: checks
tile.kernel @minted(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m, n, g: 1 to 1024) grid [g] {
  tile.each_piece %y by [16, 16] grouped 4 : !tile.view<[m, n], f32, write> {
  ^bb0(%i: index, %j: index):
    %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
    tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// A loop in two halves.
// CHECK-LABEL: @halves
// CHECK-NOT: checks
tile.kernel @halves(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 0 to 65536) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %h = tile.size "((n + 63) floordiv 64) floordiv 2"
  %n = tile.size "(n + 63) floordiv 64"
  scf.for %i = %z to %h step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
  scf.for %i = %h to %n step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// The first piece before the loop, and the last behind it.
// CHECK-LABEL: @peeled
// CHECK-NOT: checks
tile.kernel @peeled(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 65 to 65536) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = tile.size "(n + 63) floordiv 64 - 1"
  %t = tile.load %x[%z] whole : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%z] : tensor<64xf32>, !tile.view<[n], f32, write>
  scf.for %i = %one to %last step %one {
    %u = tile.load %x[%i] whole : !tile.view<[n], f32> -> tensor<64xf32>
    tile.store %u into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
  %v = tile.load %x[%last] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %v into %y[%last] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Both branches of one condition.
// CHECK-LABEL: @branches
// CHECK-NOT: checks
tile.kernel @branches(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %last = tile.size "n floordiv 64"
  %whole = arith.cmpi slt, %i, %last : index
  scf.if %whole {
    %t = tile.load %x[%i] whole : !tile.view<[n], f32> -> tensor<64xf32>
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  } else {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Whole tiles, of a size that the kernel says is a multiple.
// CHECK-LABEL: @multiple
// CHECK-NOT: checks
tile.kernel @multiple(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 0 to 65536 by 64) grid [n floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] whole : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A column of the grid walks over the rows: a matrix product with its inner axis in a loop.
// CHECK-LABEL: @product
// CHECK-NOT: checks
tile.kernel @product(%a: !tile.view<[m, k], f32>, %b: !tile.view<[k, n], f32>, %c: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536, k: 0 to 65536) grid [(m + 15) floordiv 16] {
  %i = tile.block 0
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %columns = tile.size "(n + 31) floordiv 32"
  %steps = tile.size "(k + 7) floordiv 8"
  %none = arith.constant dense<0.0> : tensor<16x32xf32>
  scf.for %j = %zero to %columns step %one {
    %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<16x32xf32> {
      %x = tile.load %a[%i, %q] : !tile.view<[m, k], f32> -> tensor<16x8xf32>
      %y = tile.load %b[%q, %j] : !tile.view<[k, n], f32> -> tensor<8x32xf32>
      %s = tile.mma %x, %y, %acc : tensor<16x8xf32>, tensor<8x32xf32>, tensor<16x32xf32>
      scf.yield %s : tensor<16x32xf32>
    }
    tile.store %sum into %c[%i, %j] : tensor<16x32xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// An update of the block's own piece.
// CHECK-LABEL: @update
// CHECK-NOT: checks
tile.kernel @update(%y: !tile.view<[n], f32, update>) sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %y[%i] : !tile.view<[n], f32, update> -> tensor<64xf32>
  %u = arith.addf %t, %t : tensor<64xf32>
  tile.store %u into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, update>
}

// -----

// Rows with a leading dimension that the kernel assumes long enough.
// CHECK-LABEL: @leading
// CHECK-NOT: checks
tile.kernel @leading(%y: !tile.view<[m, n], f32, write, strides [ld, 1]>)
    sizes (m: 0 to 65536, n: 0 to 65536, ld: 1 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16]
    assume ["ld >= n"] {
  %i = tile.block 0
  %j = tile.block 1
  %t = arith.constant dense<1.0> : tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write, strides [ld, 1]>
}

// -----

// A part of a larger tensor: an assumption counts as often as the stride has it.
// CHECK-LABEL: @part
// CHECK-NOT: checks
tile.kernel @part(%y: !tile.view<[heads, tokens, 128], f32, write, strides [128*capacity, 128, 1]>)
    sizes (heads: 0 to 65536, tokens: 0 to 65536, capacity: 1 to 65536) grid [heads, tokens, 1]
    assume ["capacity >= tokens"] {
  %h = tile.block 0
  %t = tile.block 1
  %z = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<1x1x128xf32>
  tile.store %one into %y[%h, %t, %z] : tensor<1x1x128xf32>, !tile.view<[heads, tokens, 128], f32, write, strides [128*capacity, 128, 1]>
}

// -----

// Two inputs of sizes that nothing relates: each launch checks.
// CHECK-LABEL: @unrelated
// CHECK-SAME: checks ["((k+63) floordiv 64)-((n+63) floordiv 64) >= 0"]
tile.kernel @unrelated(%x: !tile.view<[k], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, k) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[k], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// The same, assumed.
// CHECK-LABEL: @related
// CHECK-NOT: checks
tile.kernel @related(%x: !tile.view<[k], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, k) grid [(n + 63) floordiv 64] assume ["k == n"] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[k], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A grid that is given as a size of its own: each launch checks that it is the right one.
// CHECK-LABEL: @free_grid
// CHECK-SAME: checks [{{.*}}g{{.*}} >= 0", {{.*}}g{{.*}} >= 0"]
tile.kernel @free_grid(%y: !tile.view<[n], f32, write>) sizes (n, g) grid [g] {
  %i = tile.block 0
  %t = arith.constant dense<1.0> : tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Whole tiles of any size: each launch checks that the last is one.
// CHECK-LABEL: @whole
// CHECK-SAME: checks ["n-64*((n+63) floordiv 64) >= 0"]
tile.kernel @whole(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] whole : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// An index that data gives is checked in the kernel, before the loop in which it does not change.
// CHECK-LABEL: @data_index
// CHECK: arith.cmpi sge
// CHECK: tile.check
// CHECK: arith.cmpi slt
// CHECK: tile.check
// CHECK: scf.for
// CHECK-NOT: tile.check
tile.kernel @data_index(%x: !tile.view<[n], f32>, %c: !tile.view<[1], i64>, %y: !tile.view<[64], f32, write>)
    sizes (n: 64 to 65536) grid [1] {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %l = tile.read %c[%zero] : !tile.view<[1], i64> -> i64
  %p = arith.index_cast %l : i64 to index
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %k = %zero to %four step %one iter_args(%acc = %none) -> tensor<64xf32> {
    %t = tile.load %x[%p] : !tile.view<[n], f32> -> tensor<64xf32>
    %s = arith.addf %acc, %t : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  }
  tile.store %sum into %y[%zero] : tensor<64xf32>, !tile.view<[64], f32, write>
}

// -----

// A check of the kernel's own does as well.
// CHECK-LABEL: @own_check
// CHECK-COUNT-1: tile.check
// CHECK-NOT: tile.check
tile.kernel @own_check(%x: !tile.view<[n], f32>, %c: !tile.view<[1], i64>, %y: !tile.view<[64], f32, write>)
    sizes (n: 64 to 65536) grid [1] deny_in_kernel_checks {
  %zero = arith.constant 0 : index
  %l = tile.read %c[%zero] : !tile.view<[1], i64> -> i64
  %p = arith.index_cast %l : i64 to index
  %count = tile.size "(n + 63) floordiv 64"
  %low = arith.cmpi sge, %p, %zero : index
  %high = arith.cmpi slt, %p, %count : index
  %good = arith.andi %low, %high : i1
  tile.check %good, "the page lies within the cache"
  %t = tile.load %x[%p] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%zero] : tensor<64xf32>, !tile.view<[64], f32, write>
}

// -----

// No block would write nothing: each launch checks that there is one.
// CHECK-LABEL: @any_blocks
// CHECK-SAME: checks ["g-1 >= 0"]
tile.kernel @any_blocks(%y: !tile.view<[n], f32, write>) sizes (n, g: 0 to 64) grid [g] {
  %b = tile.block 0
  %n = tile.size "(n + 63) floordiv 64"
  %g = tile.size "g"
  %t = arith.constant dense<1.0> : tensor<64xf32>
  scf.for %i = %b to %n step %g {
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}
