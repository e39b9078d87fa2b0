// Steps on lists of summands.
#include "proof/certificate/write/Writer.h"

namespace imbrex::certificate {

using namespace algebra;

namespace {

using Kind = SumEvent::Kind;

std::string handles(const std::vector<uint32_t> &all) {
  std::string text = std::to_string(all.size());
  for (uint32_t handle : all)
    text += " " + std::to_string(handle);
  return text;
}

const char *nameOf(Kind kind) {
  constexpr const char *names[] = {"choose",  "split",  "opened", "simplify", "close", "drop",
                                   "combine", "cancel", "group",  "mean",     "case",  "determine"};
  return names[size_t(kind)];
}

} // namespace

void Writer::sumLemma(Entry entry, const BinderLemma &lemma) {
  std::string steps = events(lemma.events, lemma.handle, {lemma.guard, lemma.value});
  std::string guard = term(lemma.guard), value = term(lemma.value), result = term(lemma.result);
  std::vector<Id> all{lemma.result};
  for (const SumEvent &event : lemma.events)
    if (event.kind == Kind::Close)
      all.push_back(event.term);
  need(noHypothesis, all);
  line("sum " + std::to_string(entry) + " " + variables(lemma.variables) + " " + guard + " " +
       value + " " + std::to_string(lemma.handle));
  out += steps;
  line("result " + result);
}

std::string Writer::events(const std::vector<SumEvent> &all, uint32_t handle,
                           const std::vector<Id> &start) {
  std::string text;
  std::map<uint32_t, std::vector<Id>> states{{handle, start}}; // guards and factors
  for (const SumEvent &event : all) {
    std::vector<Id> before;
    for (uint32_t handle : event.handles)
      before.insert(before.end(), states[handle].begin(), states[handle].end());
    for (size_t i = 0; i < event.results.size(); ++i) {
      std::vector<Id> &state = states[event.results[i]];
      state = before;
      if (i < event.guards.size())
        state.push_back(event.guards[i]);
      state.insert(state.end(), event.terms.begin(), event.terms.end());
      if (event.term)
        state.push_back(event.term);
    }
    std::vector<Id> related = before;
    related.insert(related.end(), event.terms.begin(), event.terms.end());
    related.insert(related.end(), event.guards.begin(), event.guards.end());
    if (event.term)
      related.push_back(event.term);
    need(noHypothesis, related);
    for (Entry under : event.hypotheses)
      need(under, related);
    std::string steps = chain(event.chain, related, {});
    if (!event.chain.empty()) {
      std::vector<Id> &state = states[event.handles[0]];
      state = event.chain.back().guard;
      state.insert(state.end(), event.chain.back().payload.begin(),
                   event.chain.back().payload.end());
    }
    std::string own = this->event(event);
    text += steps + own + "\n";
  }
  return text;
}

std::string Writer::event(const SumEvent &event) {
  std::string by = lemma(event.lemma), refuted = refutation(event.refutation), maps, more;
  for (size_t i = 0; i < event.maps.size(); ++i) {
    std::string under = i < event.hypotheses.size() ? hypothesis(event.hypotheses[i]) : "0";
    maps += " " + under + " " + std::to_string(event.maps[i].size());
    for (const auto &[key, values] : event.maps[i])
      maps += " x" + std::to_string(key) + " " + list(values);
  }
  std::string term = event.term ? this->term(event.term) : "0", terms = list(event.terms),
              guards = list(event.guards);
  if (event.kind == Kind::Close)
    more = " " + parts(event.parts);
  return std::string(nameOf(event.kind)) + " " + handles(event.handles) + " " +
         handles(event.results) + " " + guards + " " + term + " " + terms + " " +
         variables(event.names) + " " + by + " " + refuted + " " +
         std::to_string(event.maps.size()) + maps + more;
}

} // namespace imbrex::certificate
