#include "proof/certificate/export/Coq.h"

#include "proof/certificate/export/CoqGround.h"
#include "proof/certificate/export/CoqPrelude.h"

#include <algorithm>

namespace imbrex::certificate {

namespace {

using check::Line;

using Rule = void (CoqGround::*)(uint32_t number, Id formula, Line line);

const std::map<std::string, Rule> Rules{
    {"axiom", &CoqGround::hypothesis},    {"count", &CoqGround::hypothesis},
    {"instance", &CoqGround::instance},   {"introduce", &CoqGround::introduce},
    {"eliminate", &CoqGround::eliminate}, {"add", &CoqGround::add},
    {"nest", &CoqGround::nest},           {"point", &CoqGround::point},
    {"rename", &CoqGround::rename},       {"positive", &CoqGround::positive},
    {"collect", &CoqGround::collect},     {"member", &CoqGround::member},
    {"extreme", &CoqGround::extreme}};

class Coq : public check::Observer {
public:
  void step(Terms &own, const std::map<uint32_t, Id> &numbers, Line line,
            uint32_t theorem) override {
    if (!script)
      script = std::make_unique<CoqGround>(own);
    script->read(numbers);
    std::string kind = line.next();
    if (kind == "claim") {
      line.next();
      Id first = script->term(line), second = script->term(line);
      end(own, first, second, line.count());
      return;
    }
    if (theorem == NoTheorem) {
      steps.push_back(line);
      steps.back().restart();
      return;
    }
    uint32_t number = line.count();
    if (kind == "ground" || kind == "refutation") {
      script->ground(number, line, steps);
    } else {
      auto it = Rules.find(kind);
      if (it == Rules.end())
        throw Rejection{"the rule '" + kind + "' has no counterpart"};
      (*script.*it->second)(number, theorem, line);
    }
    steps.clear();
  }

  std::string text;

private:
  void end(Terms &terms, Id first, Id second, uint32_t theorem) {
    CoqTerms &coq = script->coq;
    CoqTerms::Components all = coq.free(first), more = coq.free(second);
    all.insert(more.begin(), more.end());
    std::string x = coq.call(first), y = coq.call(second), by = script->use(theorem);
    std::string claim = all.empty() ? "" : "forall" + coq.binders(all) + ", ";
    Id equal = terms.equal(first, second);
    if (script->formula(theorem) != equal)
      throw Rejection{"queries compared as sets have no counterpart"};
    std::string proof =
        "intros. pose proof " + by + " as E. " + script->opened(equal, "E") + " lia.";
    if (equal == terms.boolean(true))
      proof = "reflexivity.";
    text = coqPrelude(coq.hasReals ? Numbers::Real : Numbers::Whole) + script->text() +
           "Theorem equal_queries : " + claim + x + " = " + y + ".\nProof. " + proof +
           " Qed.\nEnd Certificate.\nPrint Assumptions equal_queries.\n";
  }

  std::unique_ptr<CoqGround> script;
  std::vector<Line> steps;
};

} // namespace

Result<std::string> coq(std::string_view certificate) {
  Coq seen;
  check::Outcome outcome = check::check(certificate, {}, &seen);
  if (!outcome.accepted)
    return unsupported(1145, "the certificate has no counterpart in Coq", outcome.why);
  return seen.text;
}

bool isAcceptedByCoq(std::string_view output) {
  if (output == "Closed under the global context\n")
    return true;
  // Names of axioms start lines; what they say is indented.
  if (!output.starts_with("Axioms:\n"))
    return false;
  output.remove_prefix(8);
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    if (!line.starts_with(" ") && !line.starts_with("ClassicalDedekindReals.sig_") &&
        !line.starts_with("FunctionalExtensionality.functional_extensionality_dep"))
      return false;
  }
  return true;
}

} // namespace imbrex::certificate
