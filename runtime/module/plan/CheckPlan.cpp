#include "runtime/module/plan/CheckPlan.h"

#include "runtime/module/BytecodeVerifier.h"

#include <algorithm>
#include <set>

namespace imbrex::runtime {

using artifact::ArtifactSpec;
using artifact::FunctionSpec;
using bytecode::Op;

namespace {

/// Of the bytes of what a register may be. Joined paths have the worse.
enum class Bytes : uint8_t { Good, Unwritten, Taken };

struct Register {
  std::vector<uint32_t> sites; // sorted: what it may be; empty: no storage that this function made
  Bytes bytes = Bytes::Good;
  bool operator==(const Register &) const = default;
};
using State = std::vector<Register>;

/// An instruction, where it stands.
struct Place {
  Instruction instruction{};
  uint32_t word = 0;
  int64_t site = -1; // of Planned and Allocate: index of its tensor
  int64_t step = -1;
  uint32_t before = 0; // steps before it
};

class Examiner {
public:
  Examiner(const FunctionSpec &f, const ArtifactSpec &spec) : f(f), spec(spec), sizes(f) {
    plan.arena = sizes.of(f.arena);
  }

  FunctionPlan run() {
    decodeAll();
    checkPlaces();
    follow();
    extendOverLoops();
    countSharing();
    return std::move(plan);
  }

private:
  static constexpr uint64_t workLimit = 1ull << 27;
  static constexpr size_t mostProblems = 20;

  void problem(const Place &at, const std::string &why) {
    const std::string text =
        "function '" + f.name + "', word " + std::to_string(at.word) + ": " + why;
    if (plan.problems.size() < mostProblems && reported.insert(text).second)
      plan.problems.push_back(text);
  }

  std::string typeText(DType type, const std::vector<bytecode::SizeWords> &dims) const {
    std::string text = std::string(name(type)) + "[";
    for (size_t i = 0; i < dims.size(); ++i)
      text += (i ? ", " : "") + sizes.shown(sizes.of(dims[i]));
    return text + "]";
  }

  void decodeAll() {
    for (size_t at = 0; at < f.code.size();) {
      Place place;
      place.word = static_cast<uint32_t>(at);
      if (!decode(f.code, at, place.instruction))
        break; // verified before
      const Instruction &i = place.instruction;
      place.before = static_cast<uint32_t>(plan.steps.size());
      if (i.op == Op::Planned || i.op == Op::Allocate)
        place.site = addTensor(i);
      if (i.op == Op::Launch || i.op == Op::HostOp || i.op == Op::Call) {
        place.step = static_cast<int64_t>(plan.steps.size());
        plan.steps.push_back({i.op, i.plain[0], {}});
      }
      placeAt[place.word] = places.size();
      places.push_back(std::move(place));
    }
  }

  int64_t addTensor(const Instruction &i) {
    const bool planned = i.op == Op::Planned;
    const size_t list = planned ? 1 : 0; // a list of none is not there
    const auto dims = list < i.sizes.size() ? i.sizes[list] : std::vector<bytecode::SizeWords>();
    const auto type = static_cast<DType>(i.plain[0]);
    PlanTensor t;
    t.type = typeText(type, dims);
    t.planned = planned;
    t.bytes = sizes.bytes(type, dims);
    if (planned)
      t.offset = sizes.of(i.sizes[0][0]);
    t.first = static_cast<uint32_t>(plan.steps.size());
    t.last = t.first;
    plan.tensors.push_back(std::move(t));
    return static_cast<int64_t>(plan.tensors.size()) - 1;
  }

  void checkPlaces() {
    for (const Place &p : places) {
      if (p.site < 0 || !plan.tensors[size_t(p.site)].planned)
        continue;
      const PlanTensor &t = plan.tensors[size_t(p.site)];
      const DimFacts &facts = sizes.facts();
      if (!t.offset.valid() || !t.bytes.valid() || !facts.provenAtLeast(t.offset, 0) ||
          !facts.provenAtLeast(plan.arena - t.offset - t.bytes, 0))
        problem(p, t.type + " is not proven to lie in the arena");
      else if (!facts.provenMultiple(t.offset, 64))
        problem(p, t.type + " is not proven to be aligned to 64 bytes");
    }
  }

  /// Sites are tensors; the same, made by an earlier execution of the instruction, has a number of
  /// its own above them.
  size_t tensorOf(uint32_t site) const { return site % plan.tensors.size(); }

  bool apart(uint32_t x, uint32_t y) {
    const size_t a = tensorOf(x), b = tensorOf(y);
    const PlanTensor &s = plan.tensors[a], &t = plan.tensors[b];
    if (!s.planned || !t.planned)
      return x != y;
    if (a == b)
      return false;
    auto [known, fresh] = proofs.try_emplace(std::minmax(a, b), false);
    if (fresh)
      known->second = sizes.facts().provenAtLeast(t.offset - s.offset - s.bytes, 0) ||
                      sizes.facts().provenAtLeast(s.offset - t.offset - t.bytes, 0);
    return known->second;
  }

  void read(const Place &p, const State &state, uint32_t r) {
    const Register &value = state[r];
    const auto lastStep = static_cast<uint32_t>(plan.steps.empty() ? 0 : plan.steps.size() - 1);
    for (uint32_t site : value.sites) {
      const auto index = static_cast<uint32_t>(tensorOf(site));
      PlanTensor &t = plan.tensors[index];
      t.last = std::max(t.last, std::min(p.before, lastStep));
      if (p.step < 0)
        continue;
      auto &reads = plan.steps[size_t(p.step)].reads;
      if (std::find(reads.begin(), reads.end(), index) == reads.end())
        reads.push_back(index);
    }
    if (value.bytes == Bytes::Unwritten)
      problem(p, "register " + std::to_string(r) + " is read before anything wrote it");
    if (value.bytes == Bytes::Taken)
      problem(p, "register " + std::to_string(r) +
                     " is read after another tensor took its bytes over");
  }

  /// Fresh storage in register `r`; other registers keep what an earlier execution made.
  void make(const Place &p, State &state, uint32_t r) {
    const auto site = static_cast<uint32_t>(p.site);
    const auto old = site + static_cast<uint32_t>(plan.tensors.size());
    for (Register &other : state)
      if (auto it = std::find(other.sites.begin(), other.sites.end(), site);
          it != other.sites.end()) {
        other.sites.erase(it);
        if (std::find(other.sites.begin(), other.sites.end(), old) == other.sites.end())
          other.sites.push_back(old);
      }
    state[r] = {{site}, Bytes::Unwritten};
  }

  void write(const Place &p, State &state, uint32_t r) {
    const std::vector<uint32_t> targets = state[r].sites;
    if (targets.size() != 1) {
      // None: a donated input, which lies in nobody's way.
      if (!targets.empty())
        problem(p, "register " + std::to_string(r) +
                       ", which is written, may be one of several tensors");
      return;
    }
    if (state[r].bytes != Bytes::Unwritten)
      problem(p, "register " + std::to_string(r) + " is written a second time");
    PlanTensor &t = plan.tensors[tensorOf(targets[0])];
    if (p.step >= 0)
      t.writer = t.writer < 0 ? p.step : t.writer;
    for (Register &other : state) {
      if (other.sites == targets) {
        other.bytes = Bytes::Good;
        continue;
      }
      for (uint32_t site : other.sites)
        if (!apart(site, targets[0]))
          other.bytes = Bytes::Taken;
    }
  }

  void launch(const Place &p, State &state) {
    const Instruction &i = p.instruction;
    const artifact::KernelSpec &k = spec.kernels[i.plain[0]];
    const size_t operands = i.counts[0];
    for (size_t n = operands; n < i.reads.size(); ++n) {
      for (uint32_t target : state[i.reads[n]].sites) {
        for (size_t m = 0; m < n; ++m) {
          const artifact::AliasSpec alias{static_cast<uint16_t>(n - operands),
                                          static_cast<uint16_t>(m)};
          if (m < operands &&
              std::find(k.aliases.begin(), k.aliases.end(), alias) != k.aliases.end())
            continue;
          for (uint32_t site : state[i.reads[m]].sites)
            if (site == target || !apart(site, target))
              problem(p, "a result of '" + k.name + "' shares bytes with " +
                             (m < operands ? "an operand" : "another result"));
        }
      }
    }
    for (size_t n = operands; n < i.reads.size(); ++n)
      write(p, state, i.reads[n]);
  }

  /// What a host operation or a call made: storage of its own, or, of a call, what it was given.
  void results(const Place &p, State &state) {
    Register made;
    if (p.instruction.op == Op::Call)
      for (uint32_t r : p.instruction.reads)
        for (uint32_t site : state[r].sites)
          if (std::find(made.sites.begin(), made.sites.end(), site) == made.sites.end())
            made.sites.push_back(site);
    std::sort(made.sites.begin(), made.sites.end());
    for (uint32_t r : p.instruction.writes)
      state[r] = made;
  }

  void step(const Place &p, State &state) {
    const Instruction &i = p.instruction;
    const size_t readers = i.op == Op::Launch ? i.counts[0] : i.reads.size();
    // The others read no bytes.
    if (i.op != Op::Release && i.op != Op::Move && i.op != Op::Reshape && i.op != Op::ShapeOf)
      for (size_t n = 0; n < readers; ++n)
        read(p, state, i.reads[n]);
    switch (i.op) {
    case Op::Planned:
    case Op::Allocate:
      return make(p, state, i.writes[0]);
    case Op::Launch:
      return launch(p, state);
    case Op::Move:
    case Op::Reshape:
      state[i.writes[0]] = Register(state[i.reads[0]]);
      return;
    case Op::Release:
      state[i.reads[0]] = {};
      return;
    default:
      return results(p, state);
    }
  }

  static bool join(State &into, const State &from) {
    bool changed = false;
    for (size_t r = 0; r < into.size(); ++r) {
      Register &a = into[r];
      const Register &b = from[r];
      if (a == b)
        continue;
      std::vector<uint32_t> both;
      std::set_union(a.sites.begin(), a.sites.end(), b.sites.begin(), b.sites.end(),
                     std::back_inserter(both));
      const Bytes bytes = std::max(a.bytes, b.bytes);
      changed |= both != a.sites || bytes != a.bytes;
      a = {std::move(both), bytes};
    }
    return changed;
  }

  void enter(size_t place, State state) {
    for (Register &r : state)
      std::sort(r.sites.begin(), r.sites.end());
    auto [it, fresh] = entry.try_emplace(place, state);
    if (fresh || join(it->second, state))
      work.insert(place);
  }

  /// Straight code from `at` to the next jump or join.
  void followFrom(size_t at, State state) {
    for (;; ++at) {
      const Place &p = places[at];
      done += state.size() + 1;
      step(p, state);
      const Op op = p.instruction.op;
      if (op == Op::Return)
        return;
      if (op == Op::Jump || op == Op::BranchIfZero)
        enter(placeAt[p.instruction.plain[0]], state);
      if (op == Op::Jump)
        return;
      if (op == Op::BranchIfZero || targets.count(at + 1))
        return enter(at + 1, std::move(state));
    }
  }

  void follow() {
    for (const Place &p : places)
      if (p.instruction.op == Op::Jump || p.instruction.op == Op::BranchIfZero)
        targets.insert(placeAt[p.instruction.plain[0]]);
    if (places.empty())
      return;
    enter(0, State(f.registers));
    while (!work.empty()) {
      const size_t at = *work.begin();
      work.erase(work.begin());
      followFrom(at, entry[at]);
      if (done > workLimit) {
        problem(places[at], "the function is too large to be checked");
        return;
      }
    }
  }

  static uint32_t stepsBefore(const std::vector<Place> &places, size_t place) {
    while (place < places.size() && places[place].step < 0)
      ++place;
    return place < places.size() ? static_cast<uint32_t>(places[place].step) : UINT32_MAX;
  }

  /// What is made before a loop and read in it is needed until the loop ends.
  void extendOverLoops() {
    const auto last = static_cast<uint32_t>(plan.steps.empty() ? 0 : plan.steps.size() - 1);
    for (size_t at = 0; at < places.size(); ++at) {
      const Instruction &i = places[at].instruction;
      if (i.op != Op::Jump && i.op != Op::BranchIfZero)
        continue;
      const size_t head = placeAt[i.plain[0]];
      if (head > at)
        continue;
      const uint32_t first = stepsBefore(places, head),
                     end = std::min(stepsBefore(places, at), last);
      for (PlanTensor &t : plan.tensors)
        if (t.first < first && t.last >= first && t.last < end)
          t.last = end;
    }
  }

  void countSharing() {
    for (auto [pair, isApart] : proofs)
      plan.sharedPairs += !isApart;
  }

  const FunctionSpec &f;
  const ArtifactSpec &spec;
  SlotSizes sizes;
  FunctionPlan plan;
  std::vector<Place> places;
  std::map<uint32_t, size_t> placeAt; // by word
  std::set<size_t> targets;
  std::map<size_t, State> entry;
  std::set<size_t> work;
  std::map<std::pair<size_t, size_t>, bool> proofs;
  std::set<std::string> reported;
  uint64_t done = 0;
};

} // namespace

FunctionPlan examinePlan(const FunctionSpec &f, const ArtifactSpec &spec) {
  return Examiner(f, spec).run();
}

} // namespace imbrex::runtime
