// Runs tile kernels in text form compiled and interpreted, and compares: on memory with guard
// pages, with the grid in several ranges, for each CPU level that this machine has.
#pragma once

#include "compiler/codegen/tile-cpu/HostKernels.h"
#include "compiler/codegen/tile-cpu/LowerTile.h"
#include "compiler/reference/TileInterpreter.h"

namespace imbrex::codegen::test {

struct Compare {
  double relative = 1e-5; // of floats; other elements must be equal
  double absolute = 1e-6;
  int64_t smallest = -8, largest = 8; // of the inputs, whole numbers and quarters of them
};

/// A module of one kernel for one or several sets of sizes.
class TileCase {
public:
  enum class Levels { All, Best }; // of those that this machine has
  explicit TileCase(const std::string &text, Levels levels = Levels::All);
  /// Runs both ways at these sizes and expects the same contents of every view. `given` replaces a
  /// view's random elements.
  void run(const tile::SizeValues &sizes, const Compare &compare = {},
           const std::map<size_t, tile::ViewBytes> &given = {});
  /// Elements by view, in row-major order of the storage.
  using Elements = std::map<std::string, std::vector<double>>;
  /// Runs the best variant of this machine: the elements of all views afterwards. Views that
  /// `inputs` does not name begin as zeros.
  Elements compute(const tile::SizeValues &sizes, const Elements &inputs);
  tile::KernelOp kernel() { return *module->getOps<tile::KernelOp>().begin(); }

private:
  struct Outcome {
    int32_t status = 0;
    std::vector<tile::ViewBytes> views;
  };
  /// Runs with the grid in two ranges, the second first.
  Outcome execute(const HostKernels &code, const tile::SizeValues &sizes,
                  const std::vector<tile::ViewBytes> &inputs);
  void runOn(const HostKernels &code, const tile::SizeValues &sizes, const Compare &compare,
             const std::vector<tile::ViewBytes> &inputs,
             const std::vector<tile::ViewBytes> &expected, int32_t failedCheck);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<HostKernels> variants;
  std::vector<std::string> names;
};

} // namespace imbrex::codegen::test
