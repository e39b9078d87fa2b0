// Runs verified bytecode (runtime/abi/bytecode.h). One instance per context.
#pragma once

#include "runtime/core/Arena.h"
#include "runtime/core/Objects.h"
#include "runtime/device/Device.h"
#include "runtime/host_ops/HostOps.h"
#include "runtime/module/Module.h"
#include "runtime/vm/EntryPlan.h"
#include "runtime/vm/Observer.h"

namespace imbrex::runtime {

/// A tensor of the caller. Strides in elements; empty: dense row-major.
struct InputTensor {
  DType type = DType::Invalid;
  std::span<const int64_t> shape;
  std::span<const int64_t> stride;
  const void *data = nullptr;
};

/// Memory of the caller for a result (data set; dense), or the result's memory (data null before
/// the run).
struct OutputTensor {
  DType type = DType::Invalid;
  std::vector<int64_t> shape;
  void *data = nullptr;
  StorageRef storage; // set by the run when data was null
};

class Interpreter final : ReleaseListener {
public:
  /// The module's executable and the host operations were resolved before. `device` and `module`
  /// outlive this.
  Interpreter(const Module &module, const Executable &code, std::vector<const HostFunction *> hostOps,
              Device &device, Prefault prefault);

  /// One run of the entry function. On failure `outputs` is unchanged, except that memory which the
  /// caller gave may hold parts of a result.
  Status run(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs);

  void observe(const Observer &callbacks) { observer = callbacks; }
  const Counters &counters() const { return counts; }

private:
  /// An activation of a function. Registers and size slots lie on shared stacks.
  struct Frame {
    const artifact::FunctionSpec *function;
    size_t pc = 0;
    size_t registers = 0;
    size_t slots = 0;
    Arena::Frame arena;
    size_t resultsAt = 0; // word in the caller's code: count and registers of the results
  };

  // Interpreter.cpp: control.
  bool enter(const artifact::FunctionSpec &function, std::span<const Value> inputs);
  void leave();
  void unwind();
  bool loop();
  bool step();
  bool jumpIfZero();
  bool callFunction();
  bool finishReturn(bool &done);
  bool runSizes(uint32_t index);
  bool setSlot();

  // Tensors.cpp: instructions that make or read tensors.
  bool makeConstant();
  bool makePlanned();
  bool makeAllocated();
  bool reshape();
  bool readElement();
  bool shapeOf();
  bool scalarOf(const Value &value, uint64_t place, int64_t &out);
  Tensor *newTensor(DType type, std::span<const int64_t> shape);
  Tensor *copyOf(const Tensor &tensor);

  // CallHostOp.cpp, Launch.cpp
  bool runHostOp();
  void collectItems();
  Value rowInPlace(const HostFunction &function, const Value &x, std::span<Tensor *const> operands);
  Tensor *appended(const Tensor &x, const Tensor &row);
  bool launch();
  bool checkArguments(const artifact::KernelSpec &kernel);
  bool planLaunch(uint32_t kernel, LaunchRequest &request);

  // Binding.cpp: the caller's tensors, and every function's entry checks.
  bool makeInputs(std::span<const InputTensor> inputs, std::span<const OutputTensor> outputs,
                  std::vector<Value> &values);
  /// Whether a run may write the caller's memory of an input while it is read.
  enum class Overlap : uint8_t { None, WithOutput };
  Tensor *importInput(size_t index, const InputTensor &input, Overlap overlap);
  bool bind(const Frame &frame);
  bool bindSymbols(const Frame &frame);
  bool checkInputShapes(const Frame &frame);
  bool checkGiven(std::span<const OutputTensor> outputs);
  bool exportOutputs(std::span<OutputTensor> outputs);
  bool checkOutput(size_t index, const Tensor &tensor, const OutputTensor &output);
  bool exportOutput(size_t index, OutputTensor &output);
  // Items.cpp: strings and items of the caller.
  Tensor *importItems(size_t index, const InputTensor &input);
  bool exportItems(size_t index, OutputTensor &output);

  void released(uint64_t storage, uint64_t bytes) override;
  bool fail(Error error) {
    failure = std::move(error);
    return false;
  }
  bool noMemory(uint64_t bytes);

  // Reading the current instruction.
  Frame &top() { return frames.back(); }
  uint32_t word() { return top().function->code[top().pc++]; }
  int64_t size();
  int64_t sizeOf(artifact::SizeSpec s, const Frame &frame) const {
    return s.isLiteral() ? s.value : slots[frame.slots + static_cast<size_t>(s.slot)];
  }
  void sizeList(std::vector<int64_t> &out);
  Value &reg(uint32_t index) { return registers[top().registers + index]; }

  const Module &module;
  const artifact::ArtifactSpec &spec;
  const Executable &code;
  std::vector<const HostFunction *> hostOps;
  Device &device;
  EntryPlan plan;
  Observer observer;
  Counters counts;
  uint64_t lastStorage = 0;

  Arena arena;
  std::vector<Value> registers;
  std::vector<int64_t> slots;
  std::vector<Frame> frames;
  std::vector<Value> results;    // of the entry function
  static constexpr int64_t kLeastHeap = 1 << 20;
  ItemHeap heap; // strings and items of the run
  int64_t heapLimit = kLeastHeap;
  std::span<OutputTensor> given; // of the running call

  // Reused by every instruction.
  std::vector<int64_t> shape;
  std::vector<int64_t> dims;
  std::vector<ImxView> args;
  std::vector<uint64_t> storages; // of args, for the observer
  Error failure;
};

} // namespace imbrex::runtime
