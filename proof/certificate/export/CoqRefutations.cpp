// The part of the prelude about refutations: a checker of unit propagation, proven once, so that a
// ground proof is a computation instead of a script.
#include "proof/certificate/export/CoqPrelude.h"

namespace imbrex::certificate {

const char *const CoqRefutations = R"(
Inductive tree (A : Type) := tip | br (l : tree A) (a : option A) (r : tree A).
Arguments tip {A}. Arguments br {A} l a r.
Fixpoint found {A} (t : tree A) (i : positive) : option A := match t with
  | tip => None
  | br l a r => match i with xH => a | xO i => found l i | xI i => found r i end
  end.
Fixpoint put {A} (i : positive) (v : A) (t : tree A) : tree A := match i, t with
  | xH, tip => br tip (Some v) tip
  | xH, br l _ r => br l (Some v) r
  | xO i, tip => br (put i v tip) None tip
  | xO i, br l a r => br (put i v l) a r
  | xI i, tip => br tip None (put i v tip)
  | xI i, br l a r => br l a (put i v r)
  end.
Lemma found_put : forall A (v w : A) i t j, found (put i v t) j = Some w -> (j = i /\ w = v) \/ found t j = Some w.
Proof.
  intros A v w i. induction i as [i I|i I|]; intros [|l a r] [j|j|]; simpl; intro H; auto; try discriminate;
    try (injection H; auto; fail); try (destruct (I _ _ H) as [[J K]|J]; [left; split; congruence|right; exact J]);
    try (destruct j; discriminate).
Qed.
Definition literal := (positive * bool)%type.
Definition clause := list literal.
Definition flip (l : literal) : literal := (fst l, negb (snd l)).
Definition truth (e : tree bool) (p : positive) : bool := match found e p with Some b => b | None => true end.
Definition valueOf (e : tree bool) (l : literal) : bool := if snd l then truth e (fst l) else negb (truth e (fst l)).
Fixpoint someOf (e : tree bool) (c : clause) : Prop := match c with
  | nil => False
  | (p, b) :: r => match r with nil => truth e p = b | _ => truth e p = b \/ someOf e r end
  end.
Lemma some_in : forall e c, someOf e c <-> exists l, In l c /\ truth e (fst l) = snd l.
Proof.
  intros e c. induction c as [|[p b] r I]; [simpl; split; [tauto|intros [l [[] _]]]|].
  assert (Q : someOf e ((p, b) :: r) <-> truth e p = b \/ someOf e r) by (destruct r; simpl; tauto).
  rewrite Q, I. clear. simpl. split.
  - intros [H|[l [J K]]]; [exists (p, b)|exists l]; auto.
  - intros [l [[J|J] K]]; [subst; auto|right; exists l; auto].
Qed.
(* A truth valueOf that is a conjunction or a disjunction of others. *)
Inductive gate := Gate (both : bool) (w : positive) (kids : clause).
Fixpoint joined (both : bool) (e : tree bool) (c : clause) : bool := match c with
  | nil => both
  | l :: r => match r with
    | nil => valueOf e l
    | _ => if both then (valueOf e l && joined both e r)%bool else (valueOf e l || joined both e r)%bool
    end
  end.
Definition opens (e : tree bool) (g : gate) : Prop := let (both, w, kids) := g in truth e w = joined both e kids.
Lemma joined_value : forall both e c, joined both e c = negb both -> exists l, In l c /\ valueOf e l = negb both.
Proof.
  intros both e c. induction c as [|l r I]; simpl; [destruct both; discriminate|]. intro H.
  assert (Q : valueOf e l = negb both \/ r <> nil /\ joined both e r = negb both).
  { destruct r as [|k r]; [auto|]. destruct both, (valueOf e l); cbn [andb orb negb] in *; auto; right; split; congruence. }
  destruct Q as [Q|[_ Q]]; [exists l; auto|]. destruct (I Q) as [k [J K]]. exists k. auto.
Qed.
Lemma joined_each : forall both e c l, joined both e c = both -> In l c -> valueOf e l = both.
Proof.
  intros both e c l. induction c as [|k r I]; simpl; [tauto|]. intros H [Q|Q].
  - subst. destruct r as [|m r]; [exact H|]. destruct both, (valueOf e l); cbn [andb orb] in H; congruence.
  - destruct r as [|m r]; [destruct Q|]. apply I; [|exact Q]. destruct both, (valueOf e k); cbn [andb orb] in H; congruence.
Qed.
Lemma value_holds : forall e l, valueOf e l = true <-> truth e (fst l) = snd l.
Proof. intros e [p [|]]; unfold valueOf; simpl; destruct (truth e p); simpl; split; congruence. Qed.
Lemma value_flip : forall e l, valueOf e (flip l) = negb (valueOf e l).
Proof. intros e [p [|]]; unfold valueOf; simpl; destruct (truth e p); reflexivity. Qed.

(* Connectives of groups, which have the same parts as one of all. *)
Fixpoint grouped (both : bool) (e : tree bool) (cs : list clause) : bool := match cs with
  | nil => both
  | c :: r => match r with
    | nil => joined both e c
    | _ => if both then (joined both e c && grouped both e r)%bool else (joined both e c || grouped both e r)%bool
    end
  end.
Lemma joined_both : forall both e c, joined both e c = both <-> forall l, In l c -> valueOf e l = both.
Proof.
  intros both e c. split; [intros H l; apply joined_each, H|]. intro H. destruct (joined both e c) eqn:Q, both; try reflexivity;
    apply joined_value in Q; destruct Q as [l [J K]]; rewrite (H l J) in K; discriminate.
Qed.
Lemma grouped_both : forall both e cs, grouped both e cs = both <-> forall l, In l (concat cs) -> valueOf e l = both.
Proof.
  intros both e cs. induction cs as [|c r I]; [simpl; tauto|].
  assert (Q : grouped both e (c :: r) = both <-> joined both e c = both /\ grouped both e r = both).
  { destruct r as [|d r]; [simpl; tauto|]. destruct both; cbn [grouped]; [apply andb_true_iff|apply orb_false_iff]. }
  rewrite Q, I, joined_both. simpl. split; [intros [H K] l J; apply in_app_iff in J; destruct J; auto|].
  intro H. split; intros l J; apply H, in_app_iff; auto.
Qed.
Definition sameLiteral (a b : literal) : bool := (Pos.eqb (fst a) (fst b) && Bool.eqb (snd a) (snd b))%bool.
Definition includes (c d : clause) : bool := forallb (fun l => existsb (sameLiteral l) d) c.
Lemma includes_in : forall c d l, includes c d = true -> In l c -> In l d.
Proof.
  intros c d [p b] H J. unfold includes in H. rewrite forallb_forall in H. apply H, existsb_exists in J. destruct J as [[q k] [J K]].
  unfold sameLiteral in K. simpl in K. apply andb_prop in K. destruct K as [K L]. apply Pos.eqb_eq in K. apply Bool.eqb_prop in L. subst. exact J.
Qed.
Lemma regrouped : forall both e cs d, (includes (concat cs) d && includes d (concat cs))%bool = true -> grouped both e cs = joined both e d.
Proof.
  intros both e cs d H. apply andb_prop in H. destruct H as [H K].
  assert (Q : grouped both e cs = both <-> joined both e d = both).
  { rewrite grouped_both, joined_both. split; intros J l L; apply J; [apply (includes_in d)|apply (includes_in (concat cs))]; assumption. }
  destruct (grouped both e cs), (joined both e d), both; try reflexivity; destruct Q as [Q R]; first [specialize (Q eq_refl)|specialize (R eq_refl)]; congruence.
Qed.

Definition isOpen (a : tree bool) (l : literal) : bool := match found a (fst l) with Some b => Bool.eqb b (snd l) | None => true end.
Fixpoint propagate (s : tree clause) (a : tree bool) (hints : list positive) : bool := match hints with
  | nil => false
  | h :: r => match found s h with
    | None => false
    | Some c => match filter (isOpen a) c with
      | nil => true
      | (p, b) :: nil => propagate s (put p b a) r
      | _ => propagate s a r
      end
    end
  end.
Lemma propagate_sound : forall e s, (forall i c, found s i = Some c -> someOf e c) ->
  forall hints a, (forall p b, found a p = Some b -> truth e p = b) -> propagate s a hints = true -> False.
Proof.
  intros e s S hints. induction hints as [|h r I]; intros a A; simpl; [discriminate|].
  destruct (found s h) as [c|] eqn:H; [|discriminate]. specialize (S h c H). apply some_in in S. destruct S as [[p b] [J K]].
  assert (Q : In (p, b) (filter (isOpen a) c)).
  { apply filter_In. split; [exact J|]. unfold isOpen. simpl in *. destruct (found a p) as [d|] eqn:G; [|reflexivity].
    rewrite (A p d G) in K. subst. apply Bool.eqb_reflx. }
  destruct (filter (isOpen a) c) as [|[q d] [|m l]]; [destruct Q| |apply I, A].
  apply I. intros i f F. apply found_put in F. destruct F as [[F G]|F]; [|apply A, F]. destruct Q as [Q|[]]. simpl in K. congruence.
Qed.
Fixpoint without (c : clause) : tree bool := match c with nil => tip | (p, b) :: r => put p (negb b) (without r) end.
Lemma derived : forall e s c hints, (forall i c, found s i = Some c -> someOf e c) -> propagate s (without c) hints = true -> someOf e c.
Proof.
  intros e s c hints S P. apply some_in.
  destruct (existsb (valueOf e) c) eqn:X; [apply existsb_exists in X; destruct X as [l [J K]]; exists l; split; [exact J|apply value_holds, K]|].
  exfalso. apply (propagate_sound e s S hints (without c)); [|exact P]. clear P. revert X.
  induction c as [|[p b] r I]; simpl; [discriminate|]. intros X i d G. apply orb_false_iff in X. destruct X as [X Y].
  apply found_put in G. destruct G as [[G H]|G]; [|apply I; assumption]. subst.
  unfold valueOf in X; simpl in X. destruct b, (truth e p); simpl in *; congruence.
Qed.
Inductive step := Part (g : positive) (l : literal) | Whole (g : positive) | Rup (c : clause) (hints : list positive).
Fixpoint derives (gs : tree gate) (s : tree clause) (next : positive) (steps : list step) : bool := match steps with
  | nil => false
  | Part g l :: r => match found gs g with
    | Some (Gate both w kids) => (existsb (sameLiteral l) kids && derives gs (put next ((w, negb both) :: (if both then l else flip l) :: nil) s) (Pos.succ next) r)%bool
    | None => false
    end
  | Whole g :: r => match found gs g with
    | Some (Gate both w kids) => derives gs (put next ((w, both) :: (if both then map flip kids else kids)) s) (Pos.succ next) r
    | None => false
    end
  | Rup c hints :: r => (propagate s (without c) hints && match c with nil => true | _ => derives gs (put next c s) (Pos.succ next) r end)%bool
  end.
Lemma derives_sound : forall e gs, (forall i g, found gs i = Some g -> opens e g) ->
  forall steps s next, (forall i c, found s i = Some c -> someOf e c) -> derives gs s next steps = true -> False.
Proof.
  intros e gs G steps. induction steps as [|[g l|g|c hints] r I]; intros s next S; simpl; [discriminate| | |].
  - destruct (found gs g) as [[both w kids]|] eqn:H; [|discriminate]. specialize (G g _ H). simpl in G. intro Q.
    apply andb_prop in Q. destruct Q as [Q R]. refine (I _ _ _ R). intros i c P. apply found_put in P. destruct P as [[_ P]|P]; [|exact (S i c P)].
    apply existsb_exists in Q. destruct Q as [[p b] [J K]]. apply andb_prop in K. destruct K as [K L].
    apply Pos.eqb_eq in K. apply Bool.eqb_prop in L. destruct l as [q d]. simpl in K, L. subst.
    apply some_in. destruct (cases (Bool.eqb (joined both e kids) both)) as [X|X].
    + apply Bool.eqb_prop in X. pose proof (joined_each both e kids (p, b) X J) as Y.
      exists (if both then (p, b) else flip (p, b)). split; [simpl; auto|]. apply value_holds. destruct both; [exact Y|rewrite value_flip, Y; reflexivity].
    + exists (w, negb both). split; [simpl; auto|]. simpl. rewrite G. apply Bool.eqb_false_iff in X. destruct (joined both e kids), both; simpl; congruence.
  - destruct (found gs g) as [[both w kids]|] eqn:H; [|discriminate]. specialize (G g _ H). simpl in G. intro R.
    refine (I _ _ _ R). intros i c P. apply found_put in P. destruct P as [[_ P]|P]; [|exact (S i c P)]. subst.
    apply some_in. destruct (cases (Bool.eqb (joined both e kids) both)) as [X|X].
    + apply Bool.eqb_prop in X. exists (w, both). split; [simpl; auto|]. simpl. congruence.
    + apply Bool.eqb_false_iff in X. assert (Y : joined both e kids = negb both) by (destruct (joined both e kids), both; simpl; congruence).
      apply joined_value in Y. destruct Y as [l [J K]]. exists (if both then flip l else l).
      split; [right; destruct both; [apply in_map|]; exact J|]. apply value_holds. destruct both; [rewrite value_flip, K; reflexivity|exact K].
  - intro Q. apply andb_prop in Q. destruct Q as [Q R]. apply (derived e s c hints S) in Q. destruct c as [|l c]; [exact Q|].
    refine (I _ _ _ R). intros i d P. apply found_put in P. destruct P as [[_ P]|P]; [subst; exact Q|exact (S i d P)].
Qed.
Fixpoint fill {A} (next : positive) (all : list A) (t : tree A) : tree A * positive := match all with
  | nil => (t, next)
  | a :: r => fill (Pos.succ next) r (put next a t)
  end.
Lemma fill_in : forall A (all : list A) next t i a, found (fst (fill next all t)) i = Some a -> In a all \/ found t i = Some a.
Proof.
  intros A all. induction all as [|b r I]; simpl; intros next t i a H; [auto|]. apply I in H. destruct H as [H|H]; [auto|].
  apply found_put in H. destruct H as [[_ H]|H]; auto.
Qed.
Fixpoint givenGates (e : tree bool) (gs : list gate) (P : Prop) : Prop := match gs with nil => P | g :: r => opens e g -> givenGates e r P end.
Fixpoint givenClauses (e : tree bool) (cs : list clause) (P : Prop) : Prop := match cs with nil => P | c :: r => someOf e c -> givenClauses e r P end.
Lemma givenGates_all : forall e gs (P : Prop), ((forall g, In g gs -> opens e g) -> P) -> givenGates e gs P.
Proof.
  intros e gs. induction gs as [|g r I]; simpl; intros P H; [apply H; intros _ []|]. intro G. apply I. intro K. apply H. intros k [Q|Q]; [subst; exact G|exact (K k Q)].
Qed.
Lemma given_all : forall e cs (P : Prop), ((forall c, In c cs -> someOf e c) -> P) -> givenClauses e cs P.
Proof.
  intros e cs. induction cs as [|c r I]; simpl; intros P H; [apply H; intros _ []|]. intro G. apply I. intro K. apply H. intros k [Q|Q]; [subst; exact G|exact (K k Q)].
Qed.
(* The clauses and "not p = b" are contradictory. *)
Definition refutes (gs : list gate) (p : positive) (b : bool) (cs : list clause) (steps : list step) : bool :=
  let (s, next) := fill 1 (((p, negb b) :: nil) :: cs) tip in derives (fst (fill 1 gs tip)) s next steps.
Lemma refuted : forall e gs p b cs steps, refutes gs p b cs steps = true -> givenGates e gs (givenClauses e cs (truth e p = b)).
Proof.
  intros e gs p b cs steps H. apply givenGates_all. intro G. apply given_all. intro C.
  destruct (cases (Bool.eqb (truth e p) b)) as [X|X]; [apply Bool.eqb_prop, X|exfalso]. apply Bool.eqb_false_iff in X.
  unfold refutes in H. destruct (fill 1 (((p, negb b) :: nil) :: cs) tip) as [s next] eqn:F.
  refine (derives_sound e _ _ steps s next _ H); [intros i g J; apply fill_in in J|intros i c J; replace s with (fst (fill 1 (((p, negb b) :: nil) :: cs) tip)) in J by (rewrite F; reflexivity); apply fill_in in J].
  - destruct J as [J|J]; [exact (G g J)|destruct i; discriminate].
  - destruct J as [[J|J]|J]; [subst; simpl; destruct (truth e p), b; simpl; congruence|exact (C c J)|destruct i; discriminate].
Qed.
Ltac refute proof := let T := type of proof in match T with ?A -> _ => exact_no_check (proof (eq_refl true <: A)) end.
)";

} // namespace imbrex::certificate
