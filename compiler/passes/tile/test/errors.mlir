// What a kernel must not do, and in which words it is refused.
// RUN: imbrex-opt %s --tile-verify --verify-diagnostics --split-input-file

//===-- Every element once ---------------------------------------------------===//

// The head permutation: reads head h, writes the head that h was permuted to, which two may share.
tile.kernel @head_permutation(%x: !tile.view<[h, n], f32>, %order: !tile.view<[h], i32>, %y: !tile.view<[h, n], f32, write>)
    sizes (h, n: 0 to 65536) grid [h, (n + 63) floordiv 64] {
  %i = tile.block 0
  %j = tile.block 1
  %to = tile.read %order[%i] : !tile.view<[h], i32> -> i32
  %p = arith.index_cast %to : i32 to index
  %t = tile.load %x[%i, %j] : !tile.view<[h, n], f32> -> tensor<1x64xf32>
  // expected-error @+1 {{kernel @head_permutation stores into 'y' at a place on axis 0 that depends on data or on arithmetic without an exact form; other blocks may write there}}
  tile.store %t into %y[%p, %j] : tensor<1x64xf32>, !tile.view<[h, n], f32, write>
}

// -----

// The store has its indices swapped.
tile.kernel @swapped(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  // expected-error @+1 {{kernel @swapped does not write each piece of 'y' exactly once: at m = 15, n = 33 block (0, 1) stores into piece (1, 0) of (1, 3)}}
  tile.store %t into %y[%j, %i] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// One row of pieces is written by all.
tile.kernel @unwritten_row(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  %z = arith.constant 0 : index
  // expected-error @+1 {{kernel @unwritten_row does not write each piece of 'y' exactly once: at m = 48, n = 5 block (0, 0) and block (1, 0) both write piece (0, 0)}}
  tile.store %t into %y[%z, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// One column of pieces is written by all.
tile.kernel @same_column(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %z = arith.constant 0 : index
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  // expected-error @+1 {{kernel @same_column does not write each piece of 'y' exactly once: at m = 15, n = 33 block (0, 0) and block (0, 1) both write piece (0, 0)}}
  tile.store %t into %y[%i, %z] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// The grid has one block too many.
tile.kernel @grid_too_long(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 64) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @grid_too_long does not write each piece of 'y' exactly once: at n = 192 block (3) stores into piece (3) of (3)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// The last, ragged piece has no block.
tile.kernel @grid_too_short(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [n floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @grid_too_short does not write each piece of 'y' exactly once: at n = 63 nobody writes piece (0) of (1)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// The blocks of a second axis repeat the work.
tile.kernel @repeated(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64, 2] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @repeated does not write each piece of 'y' exactly once: at n = 63 block (0, 0) and block (0, 1) both write piece (0)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A loop stores the same piece again.
tile.kernel @in_a_loop(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %k = %zero to %two step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @in_a_loop does not write each piece of 'y' exactly once: at n = 63 block (0) in iteration (0) and block (0) in iteration (1) both write piece (0)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Two stores of the same piece.
tile.kernel @twice(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  // expected-error @+1 {{kernel @twice does not write each piece of 'y' exactly once: at n = 63 block (0) and block (0) both write piece (0)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Every second piece.
tile.kernel @strided(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %two = arith.constant 2 : index
  %p = arith.muli %i, %two : index
  %z = arith.constant 0 : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @strided does not write each piece of 'y' exactly once: at n = 129 block (2) stores into piece (4) of (3)}}
  tile.store %t into %y[%p] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A swizzle that is not one: two blocks meet.
tile.kernel @double_swizzle(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %two = arith.constant 2 : index
  %h = arith.divui %i, %two : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @double_swizzle does not write each piece of 'y' exactly once: at n = 129 block (0) and block (1) both write piece (0)}}
  tile.store %t into %y[%h] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A rotation whose modulus is not the number of pieces.
tile.kernel @wrong_modulus(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %n = tile.size "(n + 63) floordiv 64 + 1"
  %one = arith.constant 1 : index
  %s = arith.addi %i, %one : index
  %r = arith.remui %s, %n : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @wrong_modulus does not write each piece of 'y' exactly once: at n = 63 block (0) stores into piece (1) of (1)}}
  tile.store %t into %y[%r] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Rows and columns by the wrong divisor.
tile.kernel @wrong_divisor(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [((m + 15) floordiv 16) * ((n + 15) floordiv 16)] {
  %p = tile.block 0
  %c = tile.size "(m + 15) floordiv 16"
  %i = arith.divui %p, %c : index
  %j = arith.remui %p, %c : index
  %t = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{kernel @wrong_divisor does not write each piece of 'y' exactly once: at m = 15, n = 33 block (1) stores into piece (1, 0) of (1, 3)}}
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// tile.unravel over other extents than the output has.
tile.kernel @wrong_extents(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [((m + 15) floordiv 16) * ((n + 15) floordiv 16)] {
  %p = tile.block 0
  %i, %j = tile.unravel %p over ["(n + 15) floordiv 16", "(m + 15) floordiv 16"] : index, index
  %t = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{kernel @wrong_extents does not write each piece of 'y' exactly once: at m = 15, n = 33 block (1) stores into piece (1, 0) of (1, 3)}}
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// tile.unravel of too few numbers.
tile.kernel @few_numbers(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16] {
  %p = tile.block 0
  %i, %j = tile.unravel %p over ["(m + 15) floordiv 16", "(n + 15) floordiv 16"] grouped 4 : index, index
  %t = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{kernel @few_numbers does not write each piece of 'y' exactly once: at m = 15, n = 33 nobody writes piece (0, 1) of (1, 3)}}
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// A persistent loop that steps by one block less.
tile.kernel @persistent_step(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, g: 2 to 1024) grid [g] {
  %b = tile.block 0
  %n = tile.size "(n + 63) floordiv 64"
  %g = tile.size "g - 1"
  scf.for %i = %b to %n step %g {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @persistent_step does not write each piece of 'y' exactly once: at n = 128, g = 2 block (0) in iteration (1) and block (1) in iteration (0) both write piece (1)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// A persistent loop that starts at piece 0 in every block.
tile.kernel @persistent_start(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, g: 2 to 1024) grid [g] {
  %b = tile.block 0
  %z = arith.constant 0 : index
  %n = tile.size "(n + 63) floordiv 64"
  %g = tile.size "g"
  scf.for %i = %z to %n step %g {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @persistent_start does not write each piece of 'y' exactly once: at n = 63, g = 64 block (0) in iteration (0) and block (1) in iteration (0) both write piece (0)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// A split loop whose halves overlap.
tile.kernel @overlapping_halves(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 128 to 65536) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %h = tile.size "((n + 63) floordiv 64) floordiv 2"
  %n = tile.size "(n + 63) floordiv 64"
  %h2 = arith.addi %h, %one : index
  scf.for %i = %z to %h2 step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
  scf.for %i = %h to %n step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @overlapping_halves does not write each piece of 'y' exactly once: at n = 129 block (0) in iteration (1) and block (0) in iteration (0) both write piece (1)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// A split loop whose halves leave one piece out.
tile.kernel @gap(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 128 to 65536) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %h = tile.size "((n + 63) floordiv 64) floordiv 2"
  %n = tile.size "(n + 63) floordiv 64"
  %h2 = arith.addi %h, %one : index
  scf.for %i = %z to %h step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
  scf.for %i = %h2 to %n step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @gap does not write each piece of 'y' exactly once: at n = 129 nobody writes piece (1) of (3)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Stored in one branch only.
tile.kernel @one_branch(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %c = arith.cmpi slt, %i, %one : index
  scf.if %c {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @one_branch does not write each piece of 'y' exactly once: at n = 129 nobody writes piece (1) of (3)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Both branches store, under conditions that overlap.
tile.kernel @overlapping_branches(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %c = arith.cmpi sle, %i, %one : index
  %d = arith.cmpi sge, %i, %one : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  scf.if %c {
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
  scf.if %d {
  // expected-error @+1 {{kernel @overlapping_branches does not write each piece of 'y' exactly once: at n = 129 block (1) and block (1) both write piece (1)}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Under a condition that data decides.
tile.kernel @data_branch(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %f = tile.read %x[%z] : !tile.view<[n], f32> -> f32
  %none = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %f, %none : f32
  scf.if %c {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @data_branch stores into 'y' under a condition that depends on data; pieces may stay unwritten}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// In a loop whose length data decides.
tile.kernel @data_loop(%x: !tile.view<[n], f32>, %c: !tile.view<[1], i64>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %l = tile.read %c[%z] : !tile.view<[1], i64> -> i64
  %u = arith.index_cast %l : i64 to index
  scf.for %i = %z to %u step %one {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
    // expected-error @+1 {{kernel @data_loop stores into 'y' at a place on axis 0 that depends on data or on arithmetic without an exact form; other blocks may write there}}
    tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

// Arithmetic that has no exact form here.
tile.kernel @xor(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %p = arith.xori %i, %one : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @xor stores into 'y' at a place on axis 0 that depends on data or on arithmetic without an exact form; other blocks may write there}}
  tile.store %t into %y[%p] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Pieces of two shapes.
tile.kernel @two_shapes(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @two_shapes stores pieces of 'y' in two shapes}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  %s = tile.slice %t from [0] : tensor<64xf32> -> tensor<32xf32>
  tile.store %s into %y[%i] : tensor<32xf32>, !tile.view<[n], f32, write>
}

// -----

// An output that is never written.
// expected-error @+1 {{kernel @never never stores into 'y'}}
tile.kernel @never(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
}

// -----

// A second output is written too rarely.
tile.kernel @second_output(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>, %z: !tile.view<[2 * n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  // expected-error @+1 {{kernel @second_output does not write each piece of 'z' exactly once: at n = 63 nobody writes piece (1) of (2)}}
  tile.store %t into %z[%i] : tensor<64xf32>, !tile.view<[2 * n], f32, write>
}

// -----

// Minted pieces of another tile than the store's.
tile.kernel @other_tile(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536, g) grid [g] {
  tile.each_piece %y by [32, 16] : !tile.view<[m, n], f32, write> {
  ^bb0(%i: index, %j: index):
    %t = arith.constant dense<0.0> : tensor<16x16xf32>
    // expected-error @+1 {{kernel @other_tile does not write each piece of 'y' exactly once: at m = 17, n = 3, g = 16 nobody writes piece (1, 0) of (2, 1)}}
    tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// Minted pieces of another output.
tile.kernel @other_output(%x: !tile.view<[n, m], f32, write>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536, g) grid [g] {
  tile.each_piece %x by [16, 16] : !tile.view<[n, m], f32, write> {
  ^bb0(%i: index, %j: index):
    %t = arith.constant dense<0.0> : tensor<16x16xf32>
    tile.store %t into %x[%i, %j] : tensor<16x16xf32>, !tile.view<[n, m], f32, write>
    // expected-error @+1 {{kernel @other_output does not write each piece of 'y' exactly once: at m = 15, n = 33, g = 48 the owner of minted piece (1, 0) stores into piece (1, 0) of (1, 3)}}
    tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// A minted piece, mixed with the block that it was minted in.
tile.kernel @piece_and_block(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536, g) grid [g] {
  %b = tile.block 0
  tile.each_piece %y by [16, 16] : !tile.view<[m, n], f32, write> {
  ^bb0(%i: index, %j: index):
    %t = arith.constant dense<0.0> : tensor<16x16xf32>
    %p = arith.addi %i, %b : index
    // expected-error @+1 {{kernel @piece_and_block is not known to write each piece of 'y' exactly once: the coordinate block.0+piece.1 is not known to meet each of (m+15) floordiv 16 values once, and piece.1 (0 to below (m+15) floordiv 16) is left}}
    tile.store %t into %y[%p, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
  }
}

// -----

// A grouped order by hand, whose last group is not cut off.
tile.kernel @ragged_group(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [((m + 15) floordiv 16) * ((n + 15) floordiv 16)] {
  %p = tile.block 0
  %four = arith.constant 4 : index
  %per = tile.size "4 * ((n + 15) floordiv 16)"
  %g = arith.divui %p, %per : index
  %r = arith.remui %p, %per : index
  %first = arith.muli %g, %four : index
  %low = arith.remui %r, %four : index
  %i = arith.addi %first, %low : index
  %j = arith.divui %r, %four : index
  %t = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{kernel @ragged_group does not write each piece of 'y' exactly once: at m = 15, n = 33 block (1) stores into piece (1, 0) of (1, 3)}}
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

//===-- In bounds ------------------------------------------------------------===//

// One tile too far.
tile.kernel @next_tile(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %p = arith.addi %i, %one : index
  // expected-error @+1 {{kernel @next_tile reads tile block.0+1 of axis 0 of 'x', which must be below (n+63) floordiv 64, but never is: at n = 63 block (0) has 1, of 1}}
  %t = tile.load %x[%p] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// One tile before the first.
tile.kernel @tile_before(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %p = arith.subi %i, %one : index
  // expected-error @+1 {{kernel @tile_before reads tile block.0-1 of axis 0 of 'x', which must be at least 0, but never is: at n = 63 block (0) has -1}}
  %t = tile.load %x[%p] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A tile index where the view has smaller tiles.
tile.kernel @wrong_tile(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %n = tile.size "n"
  // expected-error @+1 {{kernel @wrong_tile reads tile n of axis 0 of 'x', which must be below (n+63) floordiv 64, but never is: at n = 63 block (0) has 63, of 1}}
  %t = tile.load %x[%n] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A loop that runs one step too long.
tile.kernel @loop_too_long(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 1 to 65536, n: 1 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tile.size "(n + 15) floordiv 16 + 1"
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = scf.for %k = %zero to %n step %one iter_args(%a = %none) -> tensor<16x16xf32> {
    // expected-error @+1 {{kernel @loop_too_long reads tile loop.2 of axis 1 of 'x', which must be below (n+15) floordiv 16, but never is: at m = 15, n = 33 block (0, 0) in iteration (3) has 3, of 3}}
    %l = tile.load %x[%i, %k] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
    %s = arith.addf %a, %l : tensor<16x16xf32>
    scf.yield %s : tensor<16x16xf32>
  }
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// Whole tiles of a view that has ragged ones at every admitted size.
tile.kernel @never_whole(%x: !tile.view<[64 * q + 1], f32>, %y: !tile.view<[64 * q + 1], f32, write>)
    sizes (q) grid [q + 1] {
  %i = tile.block 0
  // expected-error @+1 {{kernel @never_whole reads tile block.0 of axis 0 of 'x', which must be whole: its 64 elements must end by 64*q+1, but never is: at q = 63 block (63) has 63, of 63}}
  %t = tile.load %x[%i] whole : !tile.view<[64 * q + 1], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[64 * q + 1], f32, write>
}

// -----

// An element beyond the last.
tile.kernel @beyond(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %n = tile.size "n"
  // expected-error @+1 {{kernel @beyond reads element n of axis 0 of 'x', which must be below n, but never is: at n = 63 block (0) has 63, of 63}}
  %f = tile.read %x[%n] : !tile.view<[n], f32> -> f32
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// An element below the first.
tile.kernel @below(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %m = arith.constant -1 : index
  // expected-error @+1 {{kernel @below reads element -1 of axis 0 of 'x', which must be at least 0, but never is: at n = 63 block (0) has -1}}
  %f = tile.read %x[%m] : !tile.view<[n], f32> -> f32
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// The other axis' index.
tile.kernel @other_axis(%x: !tile.view<[4, 1024], f32>, %y: !tile.view<[1024, 4], f32, write>)
    grid [64, 1] {
  %i = tile.block 0
  %j = tile.block 1
  // expected-error @+1 {{kernel @other_axis reads tile block.0 of axis 0 of 'x', which must be below 1, but never is: at every launch block (1, 0) has 1, of 1}}
  %t = tile.load %x[%i, %j] : !tile.view<[4, 1024], f32> -> tensor<4x16xf32>
  %u = tile.transpose %t [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
  tile.store %u into %y[%i, %j] : tensor<16x4xf32>, !tile.view<[1024, 4], f32, write>
}

// -----

// A gather reads beyond on an axis that it does not gather.
tile.kernel @gather_column(%t: !tile.view<[v, 64], f32>, %ids: !tile.view<[n], i32>, %y: !tile.view<[n, 64], f32, write>)
    sizes (v, n) grid [(n + 7) floordiv 8] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = tile.load %ids[%i] : !tile.view<[n], i32> -> tensor<8xi32>
  // expected-error @+1 {{kernel @gather_column reads tile 1 of axis 1 of 't', which must be below 1, but never is: at v = 1, n = 9 block (0) has 1, of 1}}
  %x = tile.gather %t rows %r [%one] : !tile.view<[v, 64], f32>, tensor<8xi32> -> tensor<8x64xf32>
  tile.store %x into %y[%i, %z] : tensor<8x64xf32>, !tile.view<[n, 64], f32, write>
}

// -----

// A data-dependent index where checks in the kernel are denied.
tile.kernel @denied(%x: !tile.view<[n], f32>, %c: !tile.view<[1], i64>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] deny_in_kernel_checks {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %l = tile.read %c[%z] : !tile.view<[1], i64> -> i64
  %u = arith.index_cast %l : i64 to index
  // expected-error @+1 {{kernel @denied reads tile data.1 of axis 0 of 'x', which must be at least 0; it depends on data, and the kernel denies checks while it runs}}
  %t = tile.load %x[%u] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Rows that are checked where checks in the kernel are denied.
tile.kernel @denied_rows(%t: !tile.view<[v, 64], f32>, %ids: !tile.view<[n], i32>, %y: !tile.view<[n, 64], f32, write>)
    sizes (v, n) grid [(n + 7) floordiv 8] deny_in_kernel_checks {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %r = tile.load %ids[%i] : !tile.view<[n], i32> -> tensor<8xi32>
  // expected-error @+1 {{kernel @denied_rows checks the rows that it gathers; the kernel denies checks while it runs}}
  %x = tile.gather %t rows %r [%z] checked : !tile.view<[v, 64], f32>, tensor<8xi32> -> tensor<8x64xf32>
  tile.store %x into %y[%i, %z] : tensor<8x64xf32>, !tile.view<[n, 64], f32, write>
}

// -----

// tile.unravel of a number that is too large.
tile.kernel @large_number(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %p = tile.size "((m + 15) floordiv 16) * ((n + 15) floordiv 16)"
  // expected-error @+1 {{kernel @large_number takes the number ((m+15) floordiv 16)*((n+15) floordiv 16) apart, which must be below ((m+15) floordiv 16)*((n+15) floordiv 16), but never is: at m = 15, n = 33 block (0, 0) has 3, of 3}}
  %a, %b = tile.unravel %p over ["(m + 15) floordiv 16", "(n + 15) floordiv 16"] : index, index
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%a, %b] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write>
}

// -----

// An atomic addition beyond the last tile.
tile.kernel @atomic_beyond(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, accumulate>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %one = arith.constant 1 : index
  %p = arith.addi %i, %one : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{kernel @atomic_beyond adds to tile block.0+1 of axis 0 of 'y', which must be below (n+63) floordiv 64, but never is: at n = 63 block (0) has 1, of 1}}
  tile.atomic_add %t into %y[%p] : tensor<64xf32>, !tile.view<[n], f32, accumulate>
}

// -----

//===-- No integer wraps -----------------------------------------------------===//

// A view of 2^31 elements and more, indexed in 32 bits.
tile.kernel @wide_view(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 0 to 1099511627776) grid [(n + 63) floordiv 64] {
  %b = tile.block 0
  // expected-error @+1 {{kernel @wide_view computes an index that may leave 32 bits: block.0; smaller limits of the kernel's sizes would prove that it does not}}
  %b32 = arith.index_cast %b : index to i32
  %s = arith.constant 64 : i32
  %o = arith.muli %b32, %s : i32
  %q = arith.divui %o, %s : i32
  %i = arith.index_cast %q : i32 to index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A block number that 16 bits do not hold.
tile.kernel @short_block(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n: 0 to 4194304) grid [(n + 63) floordiv 64] {
  %b = tile.block 0
  // expected-error @+1 {{kernel @short_block computes an index that may leave 16 bits: block.0; smaller limits of the kernel's sizes would prove that it does not}}
  %s = arith.index_cast %b : index to i16
  %i = arith.index_cast %s : i16 to index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A product of three sizes.
tile.kernel @product(%x: !tile.view<[1], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, a: 0 to 1099511627776) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %s = tile.size "a"
  // expected-error @+1 {{kernel @product computes an index that may leave 64 bits: a*a; smaller limits of the kernel's sizes would prove that it does not}}
  %p = arith.muli %s, %s : index
  %q = arith.muli %p, %i : index
  %t = tile.window %x at [%q] : !tile.view<[1], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A division by what may be zero.
tile.kernel @divided(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, k: 0 to 64) grid [(n + 63) floordiv 64] {
  %b = tile.block 0
  %z = tile.size "k"
  // expected-error @+1 {{kernel @divided computes an index, but it is not known that its divisor is positive: k-1 >= 0}}
  %q = arith.divui %b, %z : index
  %p = arith.muli %q, %z : index
  %r = arith.remui %b, %z : index
  %i = arith.addi %p, %r : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// An unsigned division of what may be negative.
tile.kernel @negative(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %b = tile.block 0
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %m = arith.subi %b, %one : index
  // expected-error @+1 {{kernel @negative computes an index, but it is not known that its dividend is not negative: block.0-1 >= 0}}
  %i = arith.divui %m, %two : index
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A loop that does not advance.
tile.kernel @no_step(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n, k: 0 to 4) grid [1] {
  %b = tile.block 0
  %z = arith.constant 0 : index
  %n = tile.size "(n + 63) floordiv 64"
  %k = tile.size "k"
  // expected-error @+1 {{kernel @no_step computes an index, but it is not known that its step is positive: k-1 >= 0}}
  scf.for %i = %z to %n step %k {
    %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
  }
}

// -----

//===-- One place for one element --------------------------------------------===//

// Stride 0: all rows are one.
// expected-error @+1 {{kernel @stride_zero writes 'y', but two of its indices may be one address: no order of its strides is known in which each steps over the axes before}}
tile.kernel @stride_zero(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write, strides [0, 1]>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write, strides [0, 1]>
}

// -----

// Rows that overlap by one element.
// expected-error @+1 {{kernel @overlapping_rows writes 'y', but two of its indices may be one address: no order of its strides is known in which each steps over the axes before}}
tile.kernel @overlapping_rows(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write, strides [n - 1, 1]>)
    sizes (m: 2 to 65536, n: 2 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write, strides [n - 1, 1]>
}

// -----

// A leading dimension that may be shorter than a row.
// expected-error @+1 {{kernel @short_rows writes 'y', but two of its indices may be one address: no order of its strides is known in which each steps over the axes before}}
tile.kernel @short_rows(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write, strides [ld, 1]>)
    sizes (m: 0 to 65536, n: 0 to 65536, ld: 1 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
  tile.store %t into %y[%i, %j] : tensor<16x16xf32>, !tile.view<[m, n], f32, write, strides [ld, 1]>
}

// -----

//===-- Whose piece it is ----------------------------------------------------===//

// A neighbour's piece of a view that is updated.
tile.kernel @neighbour(%y: !tile.view<[n], f32, update>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  // expected-error @+1 {{kernel @neighbour loads a piece of 'y' that this block does not store; another block may be writing it}}
  %a = tile.load %y[%z] : !tile.view<[n], f32, update> -> tensor<64xf32>
  tile.store %a into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, update>
}

// -----

// Another tile of it than is stored.
tile.kernel @wider(%y: !tile.view<[n], f32, update>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{kernel @wider loads a piece of 'y' that this block does not store; another block may be writing it}}
  %a = tile.load %y[%i] : !tile.view<[n], f32, update> -> tensor<128xf32>
  %s = tile.slice %a from [0] : tensor<128xf32> -> tensor<64xf32>
  tile.store %s into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, update>
}

// -----

// Loading from an output.
tile.kernel @load_output(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op loads from 'y', which the kernel may only write}}
  %t = tile.load %y[%i] : !tile.view<[n], f32, write> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// Storing into an input.
tile.kernel @store_input(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  // expected-error @+1 {{'tile.store' op stores into 'x', which the kernel may only read}}
  tile.store %t into %x[%i] : tensor<64xf32>, !tile.view<[n], f32>
}

// -----

// Loading what other blocks add to.
tile.kernel @load_accumulated(%y: !tile.view<[n], f32, accumulate>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op loads from 'y', which the kernel may only accumulate}}
  %t = tile.load %y[%i] : !tile.view<[n], f32, accumulate> -> tensor<64xf32>
  tile.atomic_add %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, accumulate>
}

// -----

// Storing into what other blocks add to.
tile.kernel @store_accumulated(%y: !tile.view<[n], f32, accumulate>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @+1 {{'tile.store' op stores into 'y', which the kernel may only accumulate}}
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, accumulate>
}

// -----

// Adding to an output that is written.
tile.kernel @add_output(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @+1 {{'tile.atomic_add' op adds into 'y', which the kernel may only write}}
  tile.atomic_add %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A window of a view that is updated.
tile.kernel @window_update(%y: !tile.view<[n], f32, update>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.window' op loads a window of 'y', which the kernel may only update}}
  %t = tile.window %y at [%i] : !tile.view<[n], f32, update> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, update>
}

// -----

// Minting pieces of an input.
tile.kernel @mint_input(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m, n, g) grid [g] {
  // expected-error @+1 {{'tile.each_piece' op mints pieces of a view that the kernel does not own (read)}}
  tile.each_piece %x by [16, 16] : !tile.view<[m, n], f32> {
  ^bb0(%i: index, %j: index):
  }
}

// -----

// Minting pieces in a grid of two axes.
tile.kernel @mint_grid(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  // expected-error @+1 {{'tile.each_piece' op deals pieces out to the blocks of one axis, but the grid has 2}}
  tile.each_piece %y by [16, 16] : !tile.view<[m, n], f32, write> {
  ^bb0(%i: index, %j: index):
  }
}

// -----

// Minting pieces in a loop would deal them out again.
tile.kernel @mint_loop(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m, n, g) grid [g] {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %k = %zero to %two step %one {
    // expected-error @+1 {{'tile.each_piece' op stands within another operation; its pieces would be dealt out again}}
    tile.each_piece %y by [16, 16] : !tile.view<[m, n], f32, write> {
    ^bb0(%i: index, %j: index):
    }
  }
}

// -----

// A raw store outside an unsafe region.
tile.kernel @raw(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @+1 {{'tile.raw_store' op expects parent op 'tile.unsafe'}}
  %token = tile.raw_store %t into %y at %i : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// An unsafe region without a reason.
tile.kernel @no_reason(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  // expected-error @+1 {{'tile.unsafe' op gives no reason why its accesses are right}}
  tile.unsafe " " {
  }
}

// -----

// A raw store into an input.
tile.kernel @raw_input(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.unsafe "nobody reads it" {
    // expected-error @+1 {{'tile.raw_store' op stores into 'x', which the kernel may only read}}
    %token = tile.raw_store %t into %x at %i : tensor<64xf32>, !tile.view<[n], f32>
  }
}

// -----

// Foreign memory.
tile.kernel @foreign(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  // expected-error @+1 {{'memref.alloc' op does not belong into a kernel; kernels are made of tile, arith, math, scf.for and scf.if}}
  %m = memref.alloc() : memref<4xf32>
}

// -----

// A call.
tile.kernel @call(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  // expected-error @+1 {{'func.call' op does not belong into a kernel; kernels are made of tile, arith, math, scf.for and scf.if}}
  func.call @f() : () -> ()
}

// -----

//===-- Sizes and types ------------------------------------------------------===//

// A size that the kernel does not have.
// expected-error @+1 {{'tile.kernel' op the grid mentions 'n', which is no size of the kernel}}
tile.kernel @unknown_size(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (m) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf32>
  tile.store %t into %y[%i] : tensor<64xf32>, !tile.view<[n], f32, write>
}

// -----

// A size twice.
// expected-error @+1 {{'tile.kernel' op names the size 'n' twice}}
tile.kernel @size_twice(%y: !tile.view<[n], f32, write>)
    sizes (n, n) grid [(n + 63) floordiv 64] {

}

// -----

// A size that no launch has.
tile.kernel @no_size(%y: !tile.view<[n], f32, write>)
    // expected-error @+1 {{custom op 'tile.kernel' no size 'n' is at least 5 and at most 3}}
    sizes (n: 5 to 3) grid [(n + 63) floordiv 64] {

}

// -----

// More than 2^40.
tile.kernel @too_large(%y: !tile.view<[n], f32, write>)
    // expected-error @+1 {{custom op 'tile.kernel' the size 'n' may not exceed 2^40}}
    sizes (n: 0 to 2199023255552) grid [(n + 63) floordiv 64] {

}

// -----

// Assumptions that contradict the limits.
// expected-error @+1 {{'tile.kernel' op no launch satisfies its sizes: the dimensions 'n' and '7' cannot be equal; because they are 'n' and '7'}}
tile.kernel @contradiction(%y: !tile.view<[n], f32, write>)
    sizes (n: 1 to 3) grid [(n + 63) floordiv 64] assume ["n == 7"] {

}

// -----

// No fact.
// expected-error @+1 {{'tile.kernel' op 'n < 7' is no fact about sizes; because a fact is written a == b or a >= b; try one of the two}}
tile.kernel @no_fact(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] assume ["n < 7"] {

}

// -----

// An axis that the grid does not have.
tile.kernel @no_axis(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  // expected-error @+1 {{'tile.block' op asks for axis 1 of a grid of 1}}
  %i = tile.block 1
}

// -----

// Fewer coordinates than axes.
tile.kernel @coordinates(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  // expected-error @+1 {{'tile.load' op gives 1 coordinates for a view of 2 axes}}
  %t = tile.load %x[%i] : !tile.view<[m, n], f32> -> tensor<16x16xf32>
}

// -----

// A tile of another rank.
tile.kernel @rank(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m: 0 to 65536, n: 0 to 65536) grid [(m + 15) floordiv 16, (n + 15) floordiv 16] {
  %i = tile.block 0
  %j = tile.block 1
  // expected-error @+1 {{'tile.load' op has a tile of 1 axes for a view of 2}}
  %t = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16xf32>
}

// -----

// Another element type.
tile.kernel @element(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op has elements of type 'f16', but the view has 'f32'}}
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<64xf16>
}

// -----

// A pad of another type.
tile.kernel @pad(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op pads a view of 'f32' with a value of type 'i32'}}
  %t = tile.load %x[%i] pad 1 : i32 : !tile.view<[n], f32> -> tensor<64xf32>
}

// -----

// A pad for whole tiles.
tile.kernel @pad_whole(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op pads a whole tile, which has nothing to pad}}
  %t = tile.load %x[%i] whole pad 1.0 : f32 : !tile.view<[n], f32> -> tensor<64xf32>
}

// -----

// A hint about an axis that is none.
tile.kernel @ahead_of_nothing(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %i = tile.block 0
  // expected-error @+1 {{'tile.load' op looks ahead on axis 1 of a view of 1}}
  %t = tile.load %x[%i] {ahead = 1 : i64} : !tile.view<[n], f32> -> tensor<64xf32>
}

// -----

// Matrices that do not meet.
tile.kernel @mma_extents(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<16x8xf32>
  %b = arith.constant dense<0.0> : tensor<16x16xf32>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{'tile.mma' op has extents that do not meet: 'tensor<16x8xf32>' times 'tensor<16x16xf32>' into 'tensor<16x16xf32>'}}
  %d = tile.mma %a, %b, %c : tensor<16x8xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// A product kept in its own, narrow type.
tile.kernel @mma_type(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  // expected-error @+1 {{'tile.mma' op has no product of 'f16' and 'f16' kept as 'f16'; f16, bf16 and f32 go into f32 or f64, f64 into f64, i8 into i32}}
  %d = tile.mma %a, %a, %a : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf16>
}

// -----

// A reduction that keeps the axis.
tile.kernel @reduce_shape(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{'tile.reduce' op leaves axis 1 of 'tensor<16x8xf32>' out, which is not 'tensor<16x1xf32>'}}
  %d = tile.reduce sum %a axis 1 : tensor<16x8xf32> -> tensor<16x1xf32>
}

// -----

// A reduction kept in a narrower type.
tile.kernel @reduce_type(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{'tile.reduce' op cannot keep a sum of 'f32' as 'f16'}}
  %d = tile.reduce sum %a axis 1 : tensor<16x8xf32> -> tensor<16xf16>
}

// -----

// A broadcast of an axis that is not 1.
tile.kernel @broadcast_axis(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<2x8xf32>
  // expected-error @+1 {{'tile.broadcast' op repeats an axis of 2 elements 16 times over}}
  %d = tile.broadcast %a : tensor<2x8xf32> -> tensor<16x8xf32>
}

// -----

// A reshape that loses elements.
tile.kernel @reshape(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<2x8xf32>
  // expected-error @+1 {{'tile.reshape' op cannot see 'tensor<2x8xf32>' as 'tensor<8xf32>'}}
  %d = tile.reshape %a : tensor<2x8xf32> -> tensor<8xf32>
}

// -----

// No permutation.
tile.kernel @transpose(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<2x8xf32>
  // expected-error @+1 {{'tile.transpose' op names each axis once: its order is no permutation}}
  %d = tile.transpose %a [0, 0] : tensor<2x8xf32> -> tensor<2x2xf32>
}

// -----

// A slice beyond the tile.
tile.kernel @slice(%y: !tile.view<[n], f32, write>)
    sizes (n) grid [(n + 63) floordiv 64] {
  %a = arith.constant dense<0.0> : tensor<8xf32>
  // expected-error @+1 {{'tile.slice' op reaches from 4 over 8 elements of axis 0, which has 8}}
  %d = tile.slice %a from [4] : tensor<8xf32> -> tensor<8xf32>
}

// -----

// A view of strings of bits.
// expected-error @+1 {{a view has elements of type i1, i8, i16, i32, i64, f16, bf16, f32 or f64, not 'i7'}}
tile.kernel @bits(%y: !tile.view<[n], i7, write>)
    sizes (n) grid [(n + 63) floordiv 64] {

}

// -----

// Strides of another rank.
// expected-error @+1 {{a view of 1 axes has 2 strides}}
tile.kernel @stride_rank(%y: !tile.view<[n], f32, write, strides [1, 1]>)
    sizes (n) grid [(n + 63) floordiv 64] {

}
