// tile-kernel: kernels that are written, proven, compiled and launched in one program. The guide
// docs/guide/launch-kernels.md goes through it step by step.
//
// Exit codes: 0 each step did what it should, 1 one did not.
#include "compiler/jit/Jit.h"
#include "runtime/launch/Launch.h"

#include <cmath>
#include <cstdio>

using namespace imbrex;
using namespace imbrex::launch;

namespace {

//===-- Kernels: what one block computes ------------------------------------===//

/// y[n] = a * x[n] + y[n]
void axpy(edsl::Kernel &k) {
  edsl::Size n = k.size("n");
  edsl::Input a = k.input("a", DType::F32, {1}), x = k.input("x", DType::F32, {n});
  edsl::Output y = k.inOut("y", DType::F32, {n});
  edsl::Piece p = k.own(y, {1024});
  p.store(a.load({0}, {1}) * x.load(p) + p.load());
}

/// y[n] = exp(-x[n]²)
void bell(edsl::Kernel &k) {
  edsl::Size n = k.size("n");
  edsl::Input x = k.input("x", DType::F32, {n});
  edsl::Output y = k.output("y", DType::F32, {n});
  edsl::Piece p = k.own(y, {1024});
  edsl::Tile t = x.load(p);
  p.store(exp(-(t * t)));
}

/// y[n] = x[n] of a longer x: that it is long enough, each launch checks.
void head(edsl::Kernel &k) {
  edsl::Size n = k.size("n"), m = k.size("m");
  edsl::Input x = k.input("x", DType::F32, {m});
  edsl::Output y = k.output("y", DType::F32, {n});
  edsl::Piece p = k.own(y, {1024});
  p.store(x.load({p[0]}, {1024}));
}

/// As bell, with the tile that is one too far.
void wrong(edsl::Kernel &k) {
  edsl::Size n = k.size("n");
  edsl::Input x = k.input("x", DType::F32, {n});
  edsl::Output y = k.output("y", DType::F32, {n});
  edsl::Piece p = k.own(y, {1024});
  p.store(x.load({p[0] + 1}, {1024}));
}

//===-- Steps ---------------------------------------------------------------===//

constexpr int64_t kSize = 10000;

struct Program {
  Kernel axpy, bell, head;
  Device cpu;
  Tensor<float> x, a; // ones, and one two
};

int steps = 0, good = 0;

void step(const char *title, bool asItShould, const std::string &said) {
  ++steps;
  good += asItShould;
  std::printf("%s\n  %s%s\n", title, said.c_str(), asItShould ? "" : "   <- NOT AS IT SHOULD BE");
}

std::string number(double v) { return std::to_string(v); }
template <class T> std::string said(const Result<T> &r) {
  return r ? std::string("went through") : r.error().str();
}

/// Gives a tensor to a launch and gets it back.
void sync(Program &p) {
  auto y = p.bell(p.x.read(), p.cpu.empty<float>({kSize}).take().give()).sync();
  const float last = y ? y->values()->back() : 0;
  step("1. bell(x.read(), y.give()).sync()", std::fabs(last - std::exp(-1.0f)) < 1e-6f,
       "the last element is " + number(last));
}

/// A chain over two streams: the second waits for what the first one writes.
void streams(Program &p) {
  auto y = p.cpu.empty<float>({kSize}).take(), z = p.cpu.filled<float>({kSize}, 1).take();
  Stream one = p.cpu.stream(), two = p.cpu.stream();
  Status s;
  if (auto r = p.bell(p.x.read(), y.write()).start(one); !r)
    s = r.takeError();
  if (auto r = p.axpy(p.a.read(), y.read(), z.write()).start(two); !r && s)
    s = r.takeError();
  auto values = z.values(); // waits for both
  step("2. two streams, one after the other because of y",
       s && values && std::fabs(values->back() - (2 * std::exp(-1.0f) + 1)) < 1e-5f,
       values ? "z ends with " + number(values->back()) : said(values));
}

/// Two writers of one tensor, or a writer beside a reader, are refused.
void borrows(Program &p) {
  auto y = p.cpu.filled<float>({kSize}, 1).take();
  auto reader = y.read();
  auto r = p.bell(p.x.read(), y.write()).sync();
  step("3. writing what somebody reads", !r && r.error().code == 285, said(r));
}

/// What the proof left to the launch.
void checks(Program &p) {
  auto longer = p.cpu.empty<float>({2 * kSize}).take();
  auto r = p.head(p.x.read(), longer.write()).sync();
  step("4. a fact that the proof asks for", !r && r.error().code == 282, said(r));
}

/// Recorded once, replayed with other values.
void graphs(Program &p) {
  auto graph = p.bell(p.x.read(), p.cpu.empty<float>({kSize}).take().give())
                   .then([&](Tensor<float> y) {
                     return p.bell(y.read(), p.cpu.empty<float>({kSize}).take().give());
                   })
                   .graph();
  bool right = graph && graph->kernels() == 2;
  float last = 0;
  for (int i = 0; i < 3 && right; ++i) {
    right = p.x.assign(std::vector<float>(kSize, static_cast<float>(i))).ok() &&
            graph->replay().sync().ok();
    auto values = graph->value().values();
    last = right && values ? values->back() : -1;
    const float inner = std::exp(-static_cast<float>(i * i));
    right = std::fabs(last - std::exp(-inner * inner)) < 1e-6f;
  }
  step("5. a graph of two kernels, replayed three times", right, "ends with " + number(last));
}

Task<float> twice(Program &p, Tensor<float> y) {
  auto first = co_await p.axpy(p.a.read(), p.x.read(), y.give());
  if (!first)
    co_return first.takeError();
  auto second = co_await p.axpy(p.a.read(), p.x.read(), first->give());
  if (!second)
    co_return second.takeError();
  co_return second->values()->front();
}

void tasks(Program &p) {
  auto r = twice(p, p.cpu.filled<float>({kSize}, 1).take()).sync();
  step("6. co_await", r && *r == 9, r ? "1 + 2*2 + 2*2 = " + number(*r) : said(r));
}

void refused() {
  auto r = jit::compile("wrong", wrong);
  step("7. a kernel that would leave its input does not compile", !r && r.error().code == 566,
       r ? said(r) : r.error().what);
}

} // namespace

int main() {
  auto compiled = jit::compile({{"axpy", axpy}, {"bell", bell}, {"head", head}});
  if (!compiled) {
    std::fprintf(stderr, "%s\n", compiled.error().str().c_str());
    return 1;
  }
  auto &k = *compiled;
  Device cpu = Device::cpu();
  Program p{Kernel(k[0]),
            Kernel(k[1]),
            Kernel(k[2]),
            cpu,
            cpu.filled<float>({kSize}, 1).take(),
            cpu.filled<float>({1}, 2).take()};
  sync(p);
  streams(p);
  borrows(p);
  checks(p);
  graphs(p);
  tasks(p);
  refused();
  std::printf("tile-kernel: %d of %d steps as they should be\n", good, steps);
  return good == steps ? 0 : 1;
}
