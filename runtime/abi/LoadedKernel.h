// A kernel in machine code, ready to be launched: what a compiler hands to the host side.
#pragma once

#include "runtime/abi/LaunchContract.h"

#include <memory>

namespace imbrex {

struct LoadedKernel {
  LaunchContract contract;
  std::string target;              // the kind of device it is code for: "cpu"
  const void *code = nullptr;      // on the CPU an ImxKernelFn
  uint64_t scratchBytes = 0;       // that each thread needs
  std::vector<std::string> checks; // why each check in the kernel fails, by its number
  std::vector<const void *> imports;
  std::shared_ptr<const void> library; // keeps the code loaded
  uint64_t codeHash = 0;               // of the machine code
};

} // namespace imbrex
