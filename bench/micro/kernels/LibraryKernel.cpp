#include "bench/micro/kernels/LibraryKernel.h"

#include "kernels/Library.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace imbrex::bench {

static codegen::HostKernels compiled(const std::string &name) {
  for (const edsl::NamedKernel &kernel : kernels::library())
    if (kernel.name == name) {
      edsl::TraceReport report;
      auto text = edsl::traceKernels({kernel}, report);
      auto target = codegen::cpuTargets("cpu:native");
      if (!text || !target)
        throw std::runtime_error("cannot make " + name);
      auto code = codegen::HostKernels::compileText(*text, target->front());
      if (!code)
        throw std::runtime_error(code.error().str());
      return code.take();
    }
  throw std::runtime_error("no kernel " + name);
}

LibraryKernel::LibraryKernel(const std::string &name, const SizeBindings &sizes, Team &team,
                             int threads, const std::map<std::string, void *> &shared)
    : code(compiled(name)), team(team), threads(threads) {
  const LaunchContract &contract = code.records().front().contract;
  auto found = operandShapes(contract, sizes);
  if (!found)
    throw std::runtime_error(found.error().str());
  shapes = found.take();
  for (size_t i = 0; i < shapes.size(); ++i) {
    int64_t bytes = byteSize(contract.views[i].type);
    for (int64_t e : shapes[i].shape)
      bytes *= e;
    sizesInBytes.push_back(bytes);
    auto given = shared.find(contract.views[i].name);
    memory.push_back(given == shared.end() ? std::make_unique<Arena>(static_cast<size_t>(bytes))
                                           : nullptr);
    views.push_back({memory[i] ? memory[i]->as<void>() : given->second, shapes[i].shape.data(),
                     shapes[i].strides.data(), static_cast<int32_t>(shapes[i].shape.size()),
                     static_cast<uint32_t>(contract.views[i].type)});
  }
  auto admitted = code.launch(name, views, sizes);
  if (!admitted)
    throw std::runtime_error(admitted.error().str());
  launch = admitted.take();
  for (int t = 0; t < threads; ++t)
    scratch.push_back(std::make_unique<Arena>(launch.scratchBytes));
}

bool LibraryKernel::has(const std::string &view) const {
  return std::ranges::any_of(code.records().front().contract.views,
                             [&](const auto &v) { return v.name == view; });
}

size_t LibraryKernel::place(const std::string &view) const {
  const auto &all = code.records().front().contract.views;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == view)
      return i;
  throw std::runtime_error("no view " + view);
}

int64_t LibraryKernel::bytes() const {
  return std::accumulate(sizesInBytes.begin(), sizesInBytes.end(), int64_t(0));
}

void LibraryKernel::fill() {
  const float one = 1;
  for (size_t i = 0; i < views.size(); ++i) {
    if (!memory[i])
      continue;
    const auto type = static_cast<DType>(views[i].dtype);
    char *at = memory[i]->as<char>();
    for (int64_t b = 0; b < sizesInBytes[i]; b += byteSize(type)) {
      if (type == DType::F32)
        std::memcpy(at + b, &one, 4);
      else if (type == DType::F16)
        std::memcpy(at + b, "\0\x3c", 2);
      else if (type == DType::BF16)
        std::memcpy(at + b, "\x80\x3f", 2);
      else
        at[b] = static_cast<char>(b * 7 % 251 % 16);
    }
  }
}

void LibraryKernel::run() {
  team.each([&](int t) {
    ImxEnv env{};
    env.abi_version = IMX_ABI_VERSION;
    env.size = sizeof(ImxEnv);
    env.scratch = scratch[static_cast<size_t>(t)]->as<void>();
    env.scratch_bytes = launch.scratchBytes;
    const int64_t points = launch.admitted.points;
    launch.run(env, points * t / threads, points * (t + 1) / threads);
  });
}

void LibraryKernel::writeCode(const std::string &to) const {
  if (FILE *f = to.empty() ? nullptr : fopen(to.c_str(), "wb")) {
    fwrite(code.elf().data(), 1, code.elf().size(), f);
    fclose(f);
  }
}

} // namespace imbrex::bench
