// The events of a list of summands, in order.
#include "proof/certificate/elaborate/Elaborator.h"

namespace imbrex::certificate {

void Elaborator::event(const std::string &kind, Line &line) {
  auto numbers = [&] {
    std::vector<uint32_t> all;
    for (uint32_t i = line.count(); i > 0; --i)
      all.push_back(line.count());
    return all;
  };
  now = {};
  now.handles = numbers();
  now.results = numbers();
  now.guards = list(line);
  now.number = line.count();
  now.term = now.number == 0 ? 0 : at(ids, now.number);
  now.terms = list(line);
  now.names = variables(line);
  now.lemma = line.count();
  now.refutation = line.count();
  for (uint32_t i = line.count(); i > 0; --i) {
    Map map;
    map.hypothesis = line.count();
    for (uint32_t j = line.count(); j > 0; --j) {
      Name name = terms.name(line.next());
      map.values[name] = list(line);
    }
    now.maps.push_back(std::move(map));
  }
  if (kind == "close") {
    must(line.next() == "parts", "parts are expected");
    now.parts = parts(line);
  }
  must(!now.handles.empty(), "a summand is expected");
}

/// Steps that were waiting for this event.
void Elaborator::simplify(std::vector<Line> &steps, const std::string &kind, Summand &state) {
  must(steps.empty() || kind == "simplify" || kind == "close" || kind == "determine",
       "steps belong to a simplification");
  if (kind == "determine") {
    must(steps.size() == 1, "one elimination is expected");
    determine(state, steps[0]);
  } else {
    for (Line &own : steps) {
      std::string rule = own.next();
      step(rule, own, state, Scope::Sum);
    }
  }
  steps.clear();
}

void Elaborator::events(std::map<uint32_t, Summand> &summands, const std::vector<Id> &given,
                        const std::string &end) {
  live = &summands;
  context = given;
  closed.clear();
  std::vector<Line> steps;
  Line next = line();
  for (std::string kind = next.next(); kind != end; next = line(), kind = next.next()) {
    if (kind == "eliminate" || kind == "rewrite" || kind == "entail") {
      steps.push_back(next);
      steps.back().restart();
      continue;
    }
    event(kind, next);
    Summand &state = taken(now.handles[0]);
    if (kind != "split")
      fold(state);
    simplify(steps, kind, state);
    if (kind != "split")
      fold(state);
    const Summand before = state;
    if (kind == "choose" || kind == "case") {
      choose(before, kind == "case");
    } else if (kind == "split") {
      split(before);
    } else if (kind == "opened") {
      openSum(before);
    } else if (kind == "simplify") {
      must(now.guards.size() == 1, "a guard is expected");
      Summand other = before;
      other.guard = {now.guards[0]};
      change(0, state, other, Scope::Sum);
      if (now.guards[0] == terms.boolean(false)) {
        link(pointwise(0, {}, other.variables, {{1, now.guards[0], productOf(other.factors)}}));
        live->erase(now.handles[0]);
      }
    } else if (kind == "close") {
      close(before);
      closed.push_back(now.term);
      live->erase(now.handles[0]);
    } else if (kind == "drop") {
      drop(before);
    } else if (kind == "combine") {
      combineTwo();
    } else if (kind == "cancel") {
      cancel();
    } else if (kind == "group") {
      group();
    } else if (kind == "mean") {
      mean();
    } else {
      must(kind == "determine", "there is no such step");
    }
  }
  // Summands with the coefficient zero may be left.
  for (auto &[handle, summand] : summands)
    fold(summand);
  ending = next;
}

} // namespace imbrex::certificate
