// The host side of tile kernels: launch them, safely, on any device and any number of streams.
//
//   using namespace imbrex::launch;
//   Device cpu = Device::cpu();
//   Kernel add(…);                                           compiler/jit/Jit.h makes one
//   auto a = cpu.filled<float>({1000}, 1).take(), b = cpu.filled<float>({1000}, 2).take();
//   auto c = cpu.empty<float>({1000}).take();
//
//   auto sum = add(a.read(), b.read(), c.give()).sync();     Result<Tensor<float>>
//   sum->values();                                           a thousand threes
//
// Tensor.h     owners of memory, and three ways to lend it
// Kernel.h     a kernel as a function of loans; each launch is checked
// Operation.h  launches are lazy: sync, start, then, map, zip, on, shared
// Stream.h     devices, streams, events
// Graph.h      record once, replay often
// Task.h       co_await
//
// docs/guide/launch-kernels.md goes through it; README.md says why it is so.
#pragma once

#include "runtime/launch/Task.h"
