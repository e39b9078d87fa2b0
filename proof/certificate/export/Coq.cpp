#include "proof/certificate/export/Coq.h"

#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

namespace {

using check::Line;

const char *const Integers = R"(Ltac arith := lia.
Ltac testReal := fail.
)";

const char *const Reals = R"(From Coq Require Import Reals Lra.
Ltac arith := first [lia | lra].
Definition Reqb (a b : R) : bool := if Req_EM_T a b then true else false.
Definition Rltb (a b : R) : bool := if Rlt_dec a b then true else false.
Lemma Reqb_eq : forall a b, Reqb a b = true <-> a = b.
Proof. intros. unfold Reqb. destruct (Req_EM_T a b); split; congruence. Qed.
Lemma Reqb_neq : forall a b, Reqb a b = false <-> a <> b.
Proof. intros. unfold Reqb. destruct (Req_EM_T a b); split; congruence. Qed.
Lemma Rltb_lt : forall a b, Rltb a b = true <-> (a < b)%R.
Proof. intros. unfold Rltb. destruct (Rlt_dec a b); split; intro; try assumption; try reflexivity; try discriminate; contradiction. Qed.
Lemma Rltb_ge : forall a b, Rltb a b = false <-> (b <= a)%R.
Proof. intros. unfold Rltb. destruct (Rlt_dec a b); split; intro; try reflexivity; try discriminate; lra. Qed.
Ltac testReal := match goal with
  | |- Reqb ?a ?b = Reqb ?c ?d => unfold Reqb; destruct (Req_EM_T a b), (Req_EM_T c d); first [reflexivity | lra]
  | |- Rltb ?a ?b = Rltb ?c ?d => unfold Rltb; destruct (Rlt_dec a b), (Rlt_dec c d); first [reflexivity | lra]
  | |- Reqb _ _ = true => apply Reqb_eq; lra
  | |- Reqb _ _ = false => apply Reqb_neq; lra
  | |- Rltb _ _ = true => apply Rltb_lt; lra
  | |- Rltb _ _ = false => apply Rltb_ge; lra
  end.
)";

const char *const RealSums = R"(Variable SumR : forall A : Type, (A -> R) -> R.
Hypothesis SumR_same : forall A (f g : A -> R), (forall x, f x = g x) -> SumR A f = SumR A g.
)";

const char *const Prelude = R"(

Lemma cases : forall b, b = true \/ b = false.
Proof. destruct b; auto. Qed.
Lemma clash : forall b, b = true -> b = false -> False.
Proof. congruence. Qed.
Lemma neg_t : forall b, negb b = true -> b = false.
Proof. destruct b; auto. Qed.
Lemma neg_f : forall b, negb b = false -> b = true.
Proof. destruct b; auto. Qed.
Lemma neg_ti : forall b, b = false -> negb b = true.
Proof. destruct b; auto. Qed.
Lemma neg_fi : forall b, b = true -> negb b = false.
Proof. destruct b; auto. Qed.
Lemma and_l : forall a b, (a && b)%bool = true -> a = true.
Proof. destruct a, b; auto. Qed.
Lemma and_r : forall a b, (a && b)%bool = true -> b = true.
Proof. destruct a, b; auto. Qed.
Lemma and_i : forall a b, a = true -> b = true -> (a && b)%bool = true.
Proof. destruct a, b; auto. Qed.
Lemma or_l : forall a b, a = true -> (a || b)%bool = true.
Proof. destruct a, b; auto. Qed.
Lemma or_r : forall a b, b = true -> (a || b)%bool = true.
Proof. destruct a, b; auto. Qed.
Lemma or_fl : forall a b, (a || b)%bool = false -> a = false.
Proof. destruct a, b; auto. Qed.
Lemma or_fr : forall a b, (a || b)%bool = false -> b = false.
Proof. destruct a, b; auto. Qed.
Lemma or_fi : forall a b, a = false -> b = false -> (a || b)%bool = false.
Proof. destruct a, b; auto. Qed.
Ltac relation := first
  [ arith | congruence
  | repeat match goal with H : context [negb ?b] |- _ => destruct b eqn:?; simpl in H end; congruence ].
Ltac test := match goal with
  | |- (?a =? ?b)%Z = (?c =? ?d)%Z => destruct (Z.eqb_spec a b), (Z.eqb_spec c d); first [reflexivity | lia]
  | |- (?a <? ?b)%Z = (?c <? ?d)%Z => destruct (Z.ltb_spec a b), (Z.ltb_spec c d); first [reflexivity | lia]
  | |- (?a =? ?b)%Z = true => apply Z.eqb_eq; lia
  | |- (?a =? ?b)%Z = false => apply Z.eqb_neq; lia
  | |- (?a <? ?b)%Z = true => apply Z.ltb_lt; lia
  | |- (?a <? ?b)%Z = false => apply Z.ltb_ge; lia
  | _ => testReal
  end.

Section Certificate.
(* Is there a value that makes the function true? *)
Variable Ex : forall A : Type, (A -> bool) -> bool.
Hypothesis Ex_some : forall A (f : A -> bool) x, f x = true -> Ex A f = true.
Hypothesis Ex_value : forall A (f : A -> bool), Ex A f = true -> exists x, f x = true.
(* A number for each function; of sums no more is used here. *)
Variable Sum : forall A : Type, (A -> Z) -> Z.
Hypothesis Sum_same : forall A (f g : A -> Z), (forall x, f x = g x) -> Sum A f = Sum A g.
Lemma Ex_same : forall A (f g : A -> bool), (forall x, f x = g x) -> Ex A f = Ex A g.
Proof.
  intros A f g H. destruct (cases (Ex A f)) as [E|E], (cases (Ex A g)) as [F|F]; try congruence.
  - destruct (Ex_value A f E) as [x Hx]. rewrite H in Hx. apply Ex_some in Hx. congruence.
  - destruct (Ex_value A g F) as [x Hx]. rewrite <- H in Hx. apply Ex_some in Hx. congruence.
Qed.
)";

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
    if (kind == "ground" || kind == "refutation")
      script->ground(number, line, steps);
    else if (kind == "axiom")
      script->hypothesis(number, theorem);
    else if (kind == "count")
      script->hypothesis(number, theorem);
    else if (kind == "instance")
      script->instance(number, theorem, line);
    else if (kind == "introduce")
      script->introduce(number, theorem, line);
    else if (kind == "eliminate")
      script->eliminate(number, theorem, line);
    else
      throw Rejection{"the rule '" + kind + "' has no counterpart"};
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
    text = "From Coq Require Import ZArith Bool Lia Btauto.\n" +
           std::string(coq.hasReals ? Reals : Integers) + "Open Scope Z_scope.\n" + Prelude +
           (coq.hasReals ? RealSums : "") + script->text() + "Theorem equal_queries : " + claim +
           x + " = " + y + ".\nProof. " + proof +
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
