#include "tools/onnx-suite/Runner.h"

#include "tools/onnx-suite/Compare.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace imbrex::suite {
using Clock = std::chrono::steady_clock;

// --- One case
// -----------------------------------------------------------------------------------------------

static Outcome ended(Verdict verdict, std::string reason) {
  Outcome o;
  o.verdict = verdict;
  o.reason = std::move(reason);
  return o;
}

static Outcome outcomeOf(const Error &e) {
  return ended(e.kind == ErrorKind::Unsupported ? Verdict::Unsupported : Verdict::Fail, e.str());
}

static Result<std::vector<HostTensor>> readAll(const std::vector<std::string> &paths,
                                               const std::vector<onnx::ValueInfo> &ports) {
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto file = onnx::mapFile(paths[i]);
    if (!file)
      return file.takeError();
    auto t = i < ports.size() ? onnx::readValueProto(file->bytes, ports[i].type, paths[i])
                              : onnx::readTensorProto(file->bytes, paths[i]);
    if (!t)
      return t.takeError();
    tensors.push_back(t.take());
  }
  return tensors;
}

/// k / n for element k of n, in the declared shape with 1 for sizes that are open.
static Result<HostTensor> ramp(const onnx::ValueInfo &port) {
  if (port.type.kind != onnx::ValueType::Kind::Tensor ||
      onnx::dtypeOf(port.type.elemType) != DType::F32)
    return unsupported(305, "a ramp of type " + port.type.str() + " is not supported");
  std::vector<int64_t> shape;
  for (const auto &d : port.type.dims)
    shape.push_back(d.kind == onnx::Dim::Kind::Value ? d.value : 1);
  HostTensor t(DType::F32, shape);
  float *data = t.mutableData<float>();
  for (int64_t k = 0; k < t.elems(); ++k)
    data[k] = static_cast<float>(static_cast<double>(k) / static_cast<double>(t.elems()));
  return t;
}

static Result<std::vector<HostTensor>> ramps(const onnx::Graph &graph) {
  std::vector<HostTensor> tensors;
  for (const auto &port : graph.inputs) {
    if (std::ranges::count(graph.initializers, port.name, &onnx::Tensor::name))
      continue;
    auto t = ramp(port);
    if (!t)
      return t.takeError();
    tensors.push_back(t.take());
  }
  return tensors;
}

static std::string compareAll(const std::vector<HostTensor> &actual,
                              const std::vector<HostTensor> &expected) {
  if (actual.size() != expected.size())
    return "it gives " + std::to_string(actual.size()) + " outputs, not " +
           std::to_string(expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    if (auto d = difference(actual[i], expected[i]))
      return "output " + std::to_string(i) + ": " + *d;
  return "";
}

/// Whether some output is not the same in every run.
static bool drawsAtRandom(const onnx::Graph &graph) {
  return std::ranges::any_of(graph.nodes, [](const onnx::Node &n) {
    return n.opType == "Bernoulli" || n.opType == "Multinomial" || n.opType == "Dropout" ||
           n.opType.starts_with("Random");
  });
}

/// As compareAll, of outputs that are drawn.
static std::string compareDraws(const std::vector<HostTensor> &actual,
                                const std::vector<HostTensor> &expected) {
  for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
    if (auto d = unlikeDraw(actual[i], expected[i]))
      return "output " + std::to_string(i) + ", drawn: " + *d;
  return actual.size() == expected.size() ? "" : compareAll(actual, expected);
}

Outcome runCase(const Case &c, Backend &backend) {
  auto model = onnx::readModel(c.model);
  if (!model)
    return outcomeOf(model.error());
  Outcome all = ended(Verdict::Pass, "");
  for (const auto &set : c.sets) {
    auto inputs = set.rampInputs ? ramps(model->graph) : readAll(set.inputs, model->graph.inputs);
    auto expected = readAll(set.outputs, model->graph.outputs);
    if (!inputs || !expected)
      return outcomeOf(!inputs ? inputs.error() : expected.error());
    auto outputs = backend.run(c.model, *inputs);
    if (!outputs)
      return outcomeOf(outputs.error());
    all.usedEvaluator |= outputs->usedEvaluator;
    all.usedHostOps |= outputs->usedHostOps;
    all.constantInputs |= outputs->constantInputs;
    all.reason = compareAll(outputs->tensors, *expected);
    if (!all.reason.empty() && drawsAtRandom(model->graph)) {
      all.random = true;
      all.reason = compareDraws(outputs->tensors, *expected);
    }
    if (!all.reason.empty()) {
      all.verdict = Verdict::Fail;
      return all;
    }
  }
  return all;
}

// --- Children
// -----------------------------------------------------------------------------------------------

namespace {

struct Child {
  size_t index = 0;
  pid_t pid = -1;
  int pipe = -1;
  std::string text;
  Clock::time_point deadline;
};

} // namespace

[[noreturn]] static void child(const Case &c, Backend &backend, int out,
                               const RunOptions &options) {
  rlimit space{rlim_t(options.bytes), rlim_t(options.bytes)};
#if !defined(__SANITIZE_ADDRESS__)
  setrlimit(RLIMIT_AS, &space);
#endif
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  Outcome o;
  try {
    o = runCase(c, backend);
  } catch (const std::exception &e) {
    o = ended(Verdict::Crash, std::string("it threw: ") + e.what());
  }
  std::string text = {char('0' + int(o.verdict)), o.usedEvaluator ? 'e' : '-',
                      o.usedHostOps ? 'h' : '-', o.constantInputs ? 'c' : '-',
                      o.random ? 'r' : '-'};
  std::ranges::replace(o.reason, '\n', ' ');
  text += o.reason.substr(0, 2000);
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(out, text.data() + at, text.size() - at);
    if (n <= 0)
      break;
    at += size_t(n);
  }
  _exit(0);
}

static Child start(size_t index, const Case &c, Backend &backend, const RunOptions &options) {
  int ends[2];
  Child k;
  k.index = index;
  k.deadline = Clock::now() + std::chrono::seconds(options.seconds);
  if (pipe(ends) != 0)
    return k;
  fflush(nullptr);
  k.pid = fork();
  if (k.pid == 0) {
    close(ends[0]);
    child(c, backend, ends[1], options);
  }
  close(ends[1]);
  k.pipe = ends[0];
  return k;
}

/// Reaps a child whose pipe has ended, or that has run out of time.
static Outcome finish(Child &k, bool late) {
  if (late && k.pid > 0)
    kill(k.pid, SIGKILL);
  int status = 0;
  if (k.pid > 0)
    waitpid(k.pid, &status, 0);
  if (k.pipe >= 0)
    close(k.pipe);
  if (late)
    return ended(Verdict::Timeout, "it did not end in time");
  if (k.pid <= 0)
    return ended(Verdict::Crash, "its process could not be started");
  if (k.text.size() < 5 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return ended(Verdict::Crash, WIFSIGNALED(status)
                                     ? std::string("it crashed: ") + strsignal(WTERMSIG(status))
                                     : "it ended without a result");
  return {Verdict(k.text[0] - '0'), k.text[1] == 'e', k.text[2] == 'h',
          k.text[3] == 'c',         k.text[4] == 'r', k.text.substr(5)};
}

/// Waits for output; true when the child's pipe has ended.
static void pollAll(std::vector<Child> &running, std::vector<bool> &ended) {
  std::vector<pollfd> fds;
  for (const auto &k : running)
    fds.push_back({k.pipe, POLLIN, 0});
  poll(fds.data(), fds.size(), 200);
  for (size_t i = 0; i < running.size(); ++i) {
    ended[i] = running[i].pipe < 0;
    if (!(fds[i].revents & (POLLIN | POLLHUP | POLLERR)))
      continue;
    char part[4096];
    ssize_t n = read(fds[i].fd, part, sizeof part);
    if (n > 0)
      running[i].text.append(part, size_t(n));
    else
      ended[i] = true;
  }
}

std::vector<Outcome> runAll(const std::vector<Case> &cases, Backend &backend,
                            const RunOptions &options, const std::function<void(size_t)> &done) {
  std::vector<Outcome> outcomes(cases.size());
  std::vector<Child> running;
  size_t next = 0, finished = 0;
  while (next < cases.size() || !running.empty()) {
    while (next < cases.size() && int64_t(running.size()) < std::max<int64_t>(options.jobs, 1)) {
      running.push_back(start(next, cases[next], backend, options));
      ++next;
    }
    std::vector<bool> ended(running.size(), false);
    pollAll(running, ended);
    for (size_t i = running.size(); i-- > 0;) {
      bool late = !ended[i] && Clock::now() > running[i].deadline;
      if (!ended[i] && !late)
        continue;
      outcomes[running[i].index] = finish(running[i], late);
      running.erase(running.begin() + ptrdiff_t(i));
      done(++finished);
    }
  }
  return outcomes;
}

} // namespace imbrex::suite
