// A kernel of the library, compiled for this machine, on memory in huge pages.
#pragma once

#include "bench/micro/kernels/Machine.h"
#include "compiler/codegen/tile-cpu/HostKernels.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace imbrex::bench {

class LibraryKernel {
public:
  /// `shared`: memory that other kernels have, by view. Throws what does not fit.
  LibraryKernel(const std::string &name, const SizeBindings &sizes, Team &team, int threads,
                const std::map<std::string, void *> &shared = {});

  bool has(const std::string &view) const;
  void *data(const std::string &view) const { return views.at(place(view)).data; }
  int64_t bytes(const std::string &view) const { return sizesInBytes.at(place(view)); }
  /// Of all views.
  int64_t bytes() const;
  /// Ones and small numbers in all memory of its own: for times, which do not depend on them as
  /// long as none is subnormal.
  void fill();
  /// The whole grid, in one range a thread.
  void run();
  void writeCode(const std::string &to) const;

private:
  size_t place(const std::string &view) const;

  codegen::HostKernels code;
  Team &team;
  int threads;
  std::vector<OperandShape> shapes;
  std::vector<ImxView> views;
  std::vector<int64_t> sizesInBytes;
  std::vector<std::unique_ptr<Arena>> memory, scratch; // memory: null where it is shared
  codegen::HostLaunch launch;
};

} // namespace imbrex::bench
