// Small artifacts over the kernels of kernels.c, for tests, fuzzing and the Python test.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"

#include <string>
#include <vector>

namespace imbrex::testing {

/// A spec and what its spans borrow.
struct TestModel {
  std::string name;
  artifact::ArtifactSpec spec;

  std::vector<std::byte> bytes() const;
};

/// out = x + y, f32[4, 8]; output computed in place.
TestModel addModel();
/// out = a·b + a·b for a: f32[m, k], b: f32[k, n] with 1 ≤ m ≤ 1000, k a multiple of 2; a·b in
/// planned storage whose size a sizes function computes.
TestModel matmulModel();
/// out = row sums of x: f32[rows, 4]; a check fails on NaN.
TestModel rowSumModel();
/// out = flag ? x + x : x + c for x: f32[4] and a constant c = 10 …; both branches return planned
/// storage through an inner function.
TestModel branchModel();
/// out = x added to itself `count` times for a scalar count: i64[], in a loop over planned storage.
TestModel loopModel();
/// out = sums of the coordinates of x's non-zero places, i64[found]; `found` is known only when it
/// runs.
TestModel nonZeroModel();
/// out = tanh(x) and again = tanh(x) for f32[n], through ImxEnv's imports and through imx_imports.
TestModel tanhModel();
/// f(x) = f(x): recursion that does not end.
TestModel endlessModel();

std::vector<TestModel> allTestModels();

/// The kind of code variants for the machine that the tests are built for.
#if defined(__aarch64__)
inline constexpr const char *hostKind = "elf-aarch64";
#else
inline constexpr const char *hostKind = "elf-x86-64";
#endif

/// The shared object of kernels.c.
const std::vector<std::byte> &testKernels();

} // namespace imbrex::testing
