#include "tools/imbrex-bench/Profile.h"

#include "runtime/module/Module.h"
#include "runtime/module/plan/KernelWork.h"
#include "support/text/Printable.h"
#include "tools/common/Files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

namespace imbrex::bench {

using Clock = std::chrono::steady_clock;

namespace {

/// Takes down launches while the model runs.
struct Recorder {
  std::map<std::string, size_t, std::less<>> places;
  std::vector<KernelTime> kernels;
  std::vector<Launch> launches;
  Clock::time_point runBegan;

  static void launched(void *user, const char *kernel, int64_t ns) {
    auto &self = *static_cast<Recorder *>(user);
    auto it = self.places.find(std::string_view(kernel));
    if (it == self.places.end()) {
      it = self.places.emplace(kernel, self.kernels.size()).first;
      self.kernels.push_back({.name = kernel});
    }
    KernelTime &k = self.kernels[it->second];
    ++k.launches;
    k.ns += ns;
    const auto since = std::chrono::nanoseconds(Clock::now() - self.runBegan).count();
    self.launches.push_back({it->second, since - ns, ns});
  }
};

/// Nodes, operations and bytes of each kernel, from what the artifact says of itself, for these
/// inputs.
void describe(std::vector<KernelTime> &kernels, const artifact::ArtifactSpec &spec,
              const runtime::SlotSizes::Values &values) {
  const runtime::SlotSizes sizes(spec.functions[spec.entry]);
  std::map<std::string, const artifact::KernelSpec *> known;
  for (const artifact::KernelSpec &k : spec.kernels)
    known.emplace(k.name, &k);
  for (KernelTime &k : kernels) {
    auto it = known.find(k.name);
    if (it == known.end())
      continue;
    k.sources = it->second->sources;
    const runtime::KernelWork work = runtime::workOf(*it->second, sizes, values);
    k.flops = work.flops;
    k.bytes = work.bytes;
  }
}

/// "12.3" or nothing where the quantity is not known.
std::string number(const char *format, double value, bool known) {
  if (!known)
    return "";
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

struct Rates {
  double flops = 0, bytes = 0; // a second; 0: not known
};
Rates ratesOf(const KernelTime &k) {
  if (k.ns == 0)
    return {};
  const double perSecond = 1e9 * static_cast<double>(k.launches) / static_cast<double>(k.ns);
  return {static_cast<double>(k.flops) * perSecond,
          k.bytes > 0 ? static_cast<double>(k.bytes) * perSecond : 0};
}

} // namespace

Result<Profile> profile(const Subject &subject, const Plan &plan) {
  auto context = tools::Context::create(subject.module, subject.threads);
  if (!context)
    return context.takeError();
  for (int i = 0; i < 2; ++i)
    if (auto warm = context->run(subject.inputs); !warm)
      return warm.takeError();
  Profile out;
  out.threads =
      subject.threads > 0 ? subject.threads : static_cast<int>(std::thread::hardware_concurrency());
  out.ceilings = probe(out.threads);
  Recorder recorder;
  ImbrexObserver observer = {};
  observer.size = sizeof observer;
  observer.user = &recorder;
  observer.after_launch = &Recorder::launched;
  if (Status s = context->observe(&observer); !s)
    return s.takeError();
  const auto began = Clock::now();
  const double budget = plan.leastSeconds * static_cast<double>(plan.pairs);
  do {
    recorder.launches.clear();
    recorder.runBegan = Clock::now();
    if (auto outputs = context->run(subject.inputs); !outputs)
      return outputs.takeError();
    out.ns += std::chrono::nanoseconds(Clock::now() - recorder.runBegan).count();
    ++out.runs;
  } while (std::chrono::duration<double>(Clock::now() - began).count() < budget);
  if (Status s = context->observe(nullptr); !s)
    return s.takeError();
  auto inside = runtime::Module::open(subject.module.path(), {});
  if (!inside)
    return inside.takeError();
  describe(recorder.kernels, (*inside)->spec(), tools::dimSizes(subject.module, subject.inputs));
  out.launches = std::move(recorder.launches);
  std::vector<size_t> order(recorder.kernels.size()), places(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t i) { return recorder.kernels[i].ns; });
  for (size_t i = 0; i < order.size(); ++i) {
    places[order[i]] = i;
    out.kernels.push_back(std::move(recorder.kernels[order[i]]));
  }
  for (Launch &l : out.launches)
    l.kernel = places[l.kernel];
  return out;
}

std::string toText(const Profile &p, size_t most) {
  const double runs = static_cast<double>(p.runs);
  int64_t inKernels = 0;
  for (const KernelTime &k : p.kernels)
    inKernels += k.ns;
  char line[400];
  std::snprintf(line, sizeof line,
                "%lld run%s of %.3f ms on average, %.1f %% in kernels, %d thread%s; registers do "
                "%.0f GFLOP/s now, "
                "copying %.1f GB/s\n",
                static_cast<long long>(p.runs), p.runs == 1 ? "" : "s",
                static_cast<double>(p.ns) / runs / 1e6,
                100.0 * static_cast<double>(inKernels) / static_cast<double>(p.ns), p.threads,
                p.threads == 1 ? "" : "s", p.ceilings.flops / 1e9, p.ceilings.bytes / 1e9);
  std::string out = line;
  std::snprintf(line, sizeof line, "%10s %6s %5s %9s %6s %9s %6s  %s\n", "us a run", "share",
                "times", "GFLOP/s", "peak", "GB/s", "copy", "nodes");
  out += line;
  for (size_t i = 0; i < std::min(most, p.kernels.size()); ++i) {
    const KernelTime &k = p.kernels[i];
    const Rates r = ratesOf(k);
    std::snprintf(
        line, sizeof line, "%10.1f %5.1f%% %5lld %9s %6s %9s %6s  ",
        static_cast<double>(k.ns) / runs / 1e3,
        100.0 * static_cast<double>(k.ns) / static_cast<double>(inKernels),
        static_cast<long long>(k.launches / p.runs),
        number("%.1f", r.flops / 1e9, r.flops > 0).c_str(),
        number("%.0f%%", 100 * r.flops / p.ceilings.flops, r.flops > 0 && p.ceilings.flops > 0)
            .c_str(),
        number("%.1f", r.bytes / 1e9, r.bytes > 0).c_str(),
        number("%.0f%%", 100 * r.bytes / p.ceilings.bytes, r.bytes > 0 && p.ceilings.bytes > 0)
            .c_str());
    out += line + printable(k.sources.empty() ? k.name : k.sources[0]);
    out += (k.sources.size() > 1 ? " … (" + std::to_string(k.sources.size()) + ")\n" : "\n");
  }
  if (p.kernels.size() > most)
    out += "… and " + std::to_string(p.kernels.size() - most) + " more\n";
  return out;
}

Json toJson(const Profile &p) {
  Json kernels = Json::array();
  for (const KernelTime &k : p.kernels)
    kernels.push(Json::object()
                     .set("name", k.name)
                     .set("sources", k.sources)
                     .set("launches", k.launches)
                     .set("ns", k.ns)
                     .set("flops", k.flops)
                     .set("bytes", k.bytes));
  return Json::object()
      .set("runs", p.runs)
      .set("ns", p.ns)
      .set("threads", int64_t(p.threads))
      .set("register_flops", p.ceilings.flops)
      .set("copy_bytes", p.ceilings.bytes)
      .set("kernels", kernels);
}

std::string toChromeTrace(const Profile &p) {
  Json events = Json::array();
  for (const Launch &l : p.launches) {
    const KernelTime &k = p.kernels[l.kernel];
    events.push(Json::object()
                    .set("name", k.sources.empty() ? k.name : tools::joined(k.sources, ", "))
                    .set("ph", "X")
                    .set("ts", static_cast<double>(l.beginNs) / 1e3)
                    .set("dur", static_cast<double>(l.ns) / 1e3)
                    .set("pid", int64_t(1))
                    .set("tid", int64_t(1))
                    .set("args", Json::object().set("kernel", k.name).set("flops", k.flops)));
  }
  return Json::object().set("traceEvents", events).str();
}

} // namespace imbrex::bench
