// What a certificate for Coq starts with: truth values, quantification, finite sums.
#include "proof/certificate/export/CoqPrelude.h"

namespace imbrex::certificate {

namespace {

const char *const Integers = R"(Ltac arith := lia.
Ltac testReal := fail.
Ltac mixed := fail.
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
(* Of relations between integers and between fractions that hold these integers. *)
Ltac mixed := try apply eq_IZR; repeat match goal with
  | H : _ = _ :> Z |- _ => apply (f_equal IZR) in H
  | H : (_ < _)%Z |- _ => apply IZR_lt in H
  | H : (_ <= _)%Z |- _ => apply IZR_le in H
  end; repeat match goal with
  | H : context [IZR (_ + _)] |- _ => rewrite plus_IZR in H
  | H : context [IZR (_ * _)] |- _ => rewrite mult_IZR in H
  end; rewrite ?plus_IZR, ?mult_IZR; first
  [ lra
  | match goal with H : _ <> _ :> R |- _ => apply H; lra end
  | match goal with H : _ <> _ :> Z |- _ => apply H, eq_IZR; rewrite ?plus_IZR, ?mult_IZR; lra end ].
)";

const char *const Prelude = R"(

Definition bool_ltb (a b : bool) : bool := (negb a && b)%bool.
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
Lemma and_fl : forall a b, a = false -> (a && b)%bool = false.
Proof. destruct a, b; auto. Qed.
Lemma and_fr : forall a b, b = false -> (a && b)%bool = false.
Proof. destruct a, b; auto. Qed.
Lemma and_same : forall {a b c d}, a = b -> c = d -> (a && c)%bool = (b && d)%bool.
Proof. congruence. Qed.
Lemma or_same : forall {a b c d}, a = b -> c = d -> (a || c)%bool = (b || d)%bool.
Proof. congruence. Qed.
Ltac relation := first
  [ arith | congruence | mixed
  | repeat match goal with H : context [negb ?b] |- _ => destruct b eqn:?; simpl in H | |- context [negb ?b] => destruct b eqn:?; simpl end; congruence ].
Ltac flipped := match goal with |- context [negb ?b] => destruct b; cbn [negb]; first [reflexivity | arith] end.
Ltac test := match goal with
  | |- (?a =? ?b)%Z = (?c =? ?d)%Z => destruct (Z.eqb_spec a b), (Z.eqb_spec c d); first [reflexivity | lia]
  | |- (?a <? ?b)%Z = (?c <? ?d)%Z => destruct (Z.ltb_spec a b), (Z.ltb_spec c d); first [reflexivity | lia]
  | |- (?a =? ?b)%Z = true => apply Z.eqb_eq; lia
  | |- (?a =? ?b)%Z = false => apply Z.eqb_neq; lia
  | |- (?a <? ?b)%Z = true => apply Z.ltb_lt; lia
  | |- (?a <? ?b)%Z = false => apply Z.ltb_ge; lia
  | |- Bool.eqb ?a ?a = true => destruct a; reflexivity
  | |- Bool.eqb ?a ?b = _ => destruct a, b; reflexivity
  | _ => testReal
  end.

)";

const char *const Lists = R"(
Ltac among := first [assumption | apply in_or_app; first [left; among | right; among]].
Definition bools := true :: false :: nil.
Lemma bools_all : forall b, In b bools.
Proof. destruct b; simpl; auto. Qed.
Lemma distinct : forall A (l : list A) (P : Prop), (forall m, NoDup m -> (forall x, In x l -> In x m) -> P) -> ~ ~ P.
Proof.
  intros A l. induction l as [|a l I]; intros P H N.
  - apply N, (H nil); [constructor|auto].
  - apply (I (forall m, NoDup m -> (forall x, In x (a :: l) -> In x m) -> P)); [|intro Q; apply (I P); [|exact N]].
    + intros m D S. exact H.
    + intros m D S. exfalso. assert (E : ~ ~ (In a m \/ ~ In a m)) by tauto. apply E. intros [Y|Z]; apply N.
      * apply (H m D). intros x [X|X]; [subst; exact Y|auto].
      * apply (H (a :: m)); [constructor; assumption|]. intros x [X|X]; [left; exact X|right; auto].
Qed.
Lemma product_distinct : forall A B (l : list A) (m : list B), NoDup l -> NoDup m -> NoDup (list_prod l m).
Proof.
  intros A B l m L M. induction L as [|a l N L I]; simpl; [constructor|].
  assert (D : forall n, NoDup n -> NoDup (map (fun y : B => (a, y)) n)).
  { intros n R. induction R as [|b n O R J]; simpl; constructor; [|exact J].
    intro Q. apply in_map_iff in Q. destruct Q as [y [E Y]]. congruence. }
  specialize (D m M). revert D.
  assert (O : forall q, In q (map (fun y : B => (a, y)) m) -> ~ In q (list_prod l m)).
  { intros [u v] Q R. apply in_map_iff in Q. destruct Q as [y [E Y]]. apply in_prod_iff in R. destruct R. congruence. }
  induction (map (fun y : B => (a, y)) m) as [|q n J]; simpl; intro D; [exact I|].
  inversion D; subst. constructor.
  - rewrite in_app_iff. intros [X|X]; [contradiction|]. exact (O q (or_introl eq_refl) X).
  - apply J; [|assumption]. intros r R. apply O. right. exact R.
Qed.
Lemma mapped_distinct : forall A B (q : A -> B) (p : B -> A) l, (forall x, p (q x) = x) -> NoDup l -> NoDup (map q l).
Proof.
  intros A B q p l E L. induction L as [|a l N L I]; simpl; constructor; [|exact I].
  intro Q. apply in_map_iff in Q. destruct Q as [y [F Y]]. apply N. rewrite <- (E a), <- F, E. exact Y.
Qed.
)";

const char *const Quantifiers = R"(
Section Certificate.
(* Is there a value that makes the function true? *)
Variable Ex : forall A : Type, (A -> bool) -> bool.
Hypothesis Ex_some : forall A (f : A -> bool) x, f x = true -> Ex A f = true.
Hypothesis Ex_value : forall A (f : A -> bool), Ex A f = true -> exists x, f x = true.
Lemma Ex_map : forall A B (f : A -> bool) (g : B -> bool) (p : B -> A) (q : A -> B),
  (forall x, p (q x) = x) -> (forall y, f (p y) = g y) -> Ex A f = Ex B g.
Proof.
  intros A B f g p q E H. destruct (cases (Ex A f)) as [X|X], (cases (Ex B g)) as [Y|Y]; try congruence.
  - destruct (Ex_value A f X) as [x F]. rewrite <- (E x), H in F. apply Ex_some in F. congruence.
  - destruct (Ex_value B g Y) as [y F]. rewrite <- H in F. apply Ex_some in F. congruence.
Qed.
Lemma Ex_same : forall A (f g : A -> bool), (forall x, f x = g x) -> Ex A f = Ex A g.
Proof. intros A f g H. apply (Ex_map A A f g (fun x => x) (fun x => x)); auto. Qed.
)";

const char *const OfZ = R"(Definition Z_same_dec := Z.eq_dec.
Definition Z_less_dec := Z_lt_dec.
Definition Z_le_refl := Z.le_refl.
Lemma Z_zero : forall a : Z, a = 0 \/ a <> 0.
Proof. intro a. destruct (Z.eq_dec a 0); auto. Qed.
Lemma Z_product : forall a b : Z, a * b = 0 -> a = 0 \/ b = 0.
Proof. intros a b H. apply Z.mul_eq_0. exact H. Qed.
)";

const char *const OfR = R"(Definition R_same_dec := Req_EM_T.
Definition R_less_dec := Rlt_dec.
Definition R_le_refl := Rle_refl.
Lemma R_zero : forall a : R, a = 0 \/ a <> 0.
Proof. intro a. destruct (Req_EM_T a 0); auto. Qed.
Lemma R_product : forall a b : R, a * b = 0 -> a = 0 \/ b = 0.
Proof. exact Rmult_integral. Qed.
)";

// Sums of numbers of the type #, called @Sum: what is not zero but on a list adds up over the list.
const char *const Sums =
    R"(Fixpoint @total A (f : A -> #) (l : list A) := match l with nil => 0 | x :: r => f x + @total A f r end.
Definition @within A (f : A -> #) (l : list A) := forall x, f x <> 0 -> In x l.
Definition @finite A (f : A -> #) := exists l, @within A f l.
Variable @Sum : forall A : Type, (A -> #) -> #.
Hypothesis @Sum_same : forall A (f g : A -> #), (forall x, f x = g x) -> @Sum A f = @Sum A g.
Hypothesis @Sum_total : forall A (f : A -> #) l, NoDup l -> @within A f l -> @Sum A f = @total A f l.
Lemma @total_in : forall A (f : A -> #) l, @total A f l <> 0 -> exists x, In x l /\ f x <> 0.
Proof.
  intros A f l. induction l as [|a l I]; simpl; intro H; [destruct (H eq_refl)|].
  destruct (#_zero (f a)) as [E|E]; [|exists a; auto].
  destruct I as [x [X Y]]; [intro Q; apply H; rewrite E, Q; ring|exists x; auto].
Qed.
Lemma @total_same : forall A (f g : A -> #) l, (forall x, f x = g x) -> @total A f l = @total A g l.
Proof. intros A f g l H. induction l as [|a l I]; simpl; [reflexivity|rewrite H, I; reflexivity]. Qed.
Lemma @total_map : forall A B (q : A -> B) (g : B -> #) l, @total B g (map q l) = @total A (fun x => g (q x)) l.
Proof. intros A B q g l. induction l as [|a l I]; simpl; [reflexivity|rewrite I; reflexivity]. Qed.
Lemma @total_app : forall A (f : A -> #) l m, @total A f (l ++ m) = @total A f l + @total A f m.
Proof. intros A f l m. induction l as [|a l I]; simpl; [|rewrite I]; ring. Qed.
Lemma @total_prod : forall A B (f : A * B -> #) l m, @total (A * B) f (list_prod l m) = @total A (fun a => @total B (fun b => f (a, b)) m) l.
Proof. intros A B f l m. induction l as [|a l I]; simpl; [reflexivity|]. rewrite @total_app, @total_map, I. reflexivity. Qed.
Lemma @total_plus : forall A (f g : A -> #) l, @total A (fun x => f x + g x) l = @total A f l + @total A g l.
Proof. intros A f g l. induction l as [|a l I]; simpl; [|rewrite I]; ring. Qed.
Lemma @total_scale : forall A c (f : A -> #) l, @total A (fun x => c * f x) l = c * @total A f l.
Proof. intros A c f l. induction l as [|a l I]; simpl; [|rewrite I]; ring. Qed.
(* An equation holds if it does whatever list without duplicates has all that l has. *)
Lemma @listed : forall A (l : list A) (a b : #), (forall m, NoDup m -> (forall x, In x l -> In x m) -> a = b) -> a = b.
Proof.
  intros A l a b H. destruct (#_zero (a - b)) as [E|E].
  - transitivity (a - b + b); [ring|rewrite E; ring].
  - exfalso. apply (distinct A l _ H). intro Q. apply E. rewrite Q. ring.
Qed.
Lemma @Sum_map : forall A B (f : A -> #) (g : B -> #) (p : B -> A) (q : A -> B),
  (forall x, p (q x) = x) -> (forall y, q (p y) = y) -> @finite B g -> (forall y, f (p y) = g y) -> @Sum A f = @Sum B g.
Proof.
  intros A B f g p q E F [l L] H. apply (@listed B l). intros m M S.
  rewrite (@Sum_total B g m M), (@Sum_total A f (map p m)), @total_map.
  - apply @total_same. exact H.
  - apply (mapped_distinct B A p q); assumption.
  - intros x X. rewrite <- (E x). apply in_map, S, L. rewrite <- H, E. exact X.
  - intros x X. apply S, L, X.
Qed.
Lemma @Sum_none : forall A (f : A -> #), (forall x, f x = 0) -> @Sum A f = 0.
Proof. intros A f H. rewrite (@Sum_total A f nil); [reflexivity|constructor|]. intros x X. destruct (X (H x)). Qed.
Lemma @Sum_unit : forall f : unit -> #, @Sum unit f = f tt.
Proof.
  intro f. rewrite (@Sum_total unit f (tt :: nil)); [simpl; ring|constructor; [intros []|constructor]|].
  intros [] _. left. reflexivity.
Qed.
Definition @isZero (a : #) := if #_same_dec a 0 then true else false.
Lemma @Sum_some : forall A (f : A -> #), @Sum A f <> 0 -> exists x, f x <> 0.
Proof.
  intros A f H. destruct (cases (Ex A (fun x => negb (@isZero (f x))))) as [E|E].
  - apply Ex_value in E. destruct E as [x X]. exists x. unfold @isZero in X. destruct (#_same_dec (f x) 0); [discriminate|assumption].
  - exfalso. apply H, @Sum_none. intro x. destruct (#_same_dec (f x) 0) as [Q|Q]; [exact Q|].
    rewrite (Ex_some A (fun x => negb (@isZero (f x))) x) in E; [discriminate|]. unfold @isZero. destruct (#_same_dec (f x) 0); [contradiction|reflexivity].
Qed.
Fixpoint @combined A (fs : list (# * (A -> #))) (x : A) := match fs with nil => 0 | (c, f) :: r => c * f x + @combined A r x end.
Fixpoint @Sums A (fs : list (# * (A -> #))) := match fs with nil => 0 | (c, f) :: r => c * @Sum A f + @Sums A r end.
Fixpoint @finites A (fs : list (# * (A -> #))) := match fs with nil => True | (c, f) :: r => @finite A f /\ @finites A r end.
Lemma @Sum_add : forall A (fs : list (# * (A -> #))), @finites A fs -> @finite A (@combined A fs) /\ @Sum A (@combined A fs) = @Sums A fs.
Proof.
  intros A fs. induction fs as [|[c f] r I]; simpl.
  - intros _. split; [exists nil; intros x X; destruct (X eq_refl)|apply @Sum_none; reflexivity].
  - intros [[l L] R]. destruct (I R) as [[k K] E]. rewrite <- E.
    assert (W : @within A (fun x => c * f x + @combined A r x) (l ++ k)).
    { intros x X. apply in_app_iff. destruct (#_zero (f x)) as [Q|Q]; [right|left; apply L, Q].
      apply K. intro Y. apply X. rewrite Q, Y. ring. }
    split; [exists (l ++ k); exact W|]. apply (@listed A (l ++ k)). intros m M S.
    rewrite (@Sum_total A _ m M), (@Sum_total A f m M), (@Sum_total A (@combined A r) m M), @total_plus, @total_scale; [reflexivity| | |];
      intros x X; apply S; [apply in_app_iff; right; apply K, X|apply in_app_iff; left; apply L, X|apply W, X].
Qed.
Lemma @Sum_zero : forall A (fs : list (# * (A -> #))), @finites A fs -> (forall x, @combined A fs x = 0) -> @Sums A fs = 0.
Proof. intros A fs F H. destruct (@Sum_add A fs F) as [_ E]. rewrite <- E. apply @Sum_none. exact H. Qed.
Lemma @Sum_nest : forall A B C (f : A -> #) (h : A -> B -> #) (i F1 : A -> #) (F2 : C -> #) (p : A * B -> C) (q : C -> A * B),
  (forall x, p (q x) = x) -> (forall y, q (p y) = y) -> @finite C F2 -> (forall a, F1 a = f a * i a) ->
  (forall a, @finite B (h a) -> i a = @Sum B (h a)) -> (forall a b, F2 (p (a, b)) = f a * h a b) -> @Sum A F1 = @Sum C F2.
Proof.
  intros A B C f h i F1 F2 p q E E' [l L] H1 Hi H2.
  set (F := fun ab : A * B => f (fst ab) * h (fst ab) (snd ab)).
  assert (W : @within (A * B) F (map q l)).
  { intros [a b] X. rewrite <- (E' (a, b)). apply in_map, L. rewrite H2. exact X. }
  rewrite (@Sum_map C (A * B) F2 F p q E E'); [|exists (map q l); exact W|intros [a b]; apply H2].
  apply (@listed A (map fst (map q l))). intros la Da La. apply (@listed B (map snd (map q l))). intros lb Db Lb.
  assert (Ka : forall a b, F (a, b) <> 0 -> In a la) by (intros a b X; apply La, (in_map fst _ (a, b)), W, X).
  assert (Kb : forall a b, F (a, b) <> 0 -> In b lb) by (intros a b X; apply Lb, (in_map snd _ (a, b)), W, X).
  assert (Z : forall a, F1 a = @total B (fun b => F (a, b)) lb).
  { intro a. rewrite H1. unfold F; simpl. rewrite @total_scale. destruct (#_zero (f a)) as [Q|Q]; [rewrite Q; ring|].
    assert (V : @within B (h a) lb).
    { intros b X. destruct (#_zero (F (a, b))) as [Y|Y]; [|apply (Kb a), Y].
      exfalso. unfold F in Y; simpl in Y. apply #_product in Y. destruct Y; contradiction. }
    rewrite Hi, (@Sum_total B (h a) lb Db V); [reflexivity|exists lb; exact V]. }
  rewrite (@Sum_total A F1 la Da), (@Sum_total (A * B) F (list_prod la lb)), @total_prod.
  - apply @total_same. exact Z.
  - apply product_distinct; assumption.
  - intros [a b] X. apply in_prod; [apply (Ka a b X)|apply (Kb a b X)].
  - intros a X. rewrite Z in X. apply @total_in in X. destruct X as [b [_ X]]. apply (Ka a b X).
Qed.
Lemma @Sum_point : forall A X C (f : A -> #) (v : A -> X) (F : C -> #) (p : A * X -> C) (q : C -> A * X),
  (forall x, p (q x) = x) -> (forall y, q (p y) = y) -> @finite A f -> (forall a, F (p (a, v a)) = f a) ->
  (forall a x, F (p (a, x)) <> 0 -> x = v a) -> @Sum C F = @Sum A f.
Proof.
  intros A X C f v F p q E E' [l L] H V. apply (@listed A l). intros m M S.
  rewrite (@Sum_total A f m M); [|intros a Y; apply S, L, Y].
  rewrite (@Sum_total C F (map (fun a => p (a, v a)) m)), @total_map; [apply @total_same; exact H| |].
  - apply (mapped_distinct A C _ (fun c => fst (q c))); [intro a; rewrite E'; reflexivity|exact M].
  - intros c Y. rewrite <- (E c) in *. destruct (q c) as [a x]. pose proof (V a x Y) as Q. subst x.
    apply (in_map (fun a => p (a, v a))), S, L. rewrite <- H. exact Y.
Qed.
Lemma @total_sign : forall A (f : A -> #) l, (forall x, 0 <= f x) -> 0 <= @total A f l /\ forall x, In x l -> f x <= @total A f l.
Proof.
  intros A f l H. induction l as [|a l [I J]]; simpl; [split; [apply #_le_refl|intros x []]|].
  pose proof (H a). split; [linear|]. intros x [Q|Q]; [subst; linear|specialize (J x Q); linear].
Qed.
Lemma @Sum_positive : forall A (g : A -> bool) (P : A -> #), @finite A (fun x => if g x then P x else 0) -> (forall x, g x = true -> 0 < P x) ->
  0 <= @Sum A (fun x => if g x then P x else 0) /\ (Ex A g = true -> 0 < @Sum A (fun x => if g x then P x else 0)) /\
  (Ex A g = false -> @Sum A (fun x => if g x then P x else 0) = 0).
Proof.
  intros A g P [l L] H. set (f := fun x => if g x then P x else 0) in *.
  assert (N : forall x, 0 <= f x) by (intro x; unfold f; destruct (g x) eqn:E; [specialize (H x E); linear|apply #_le_refl]).
  assert (B : forall c, (forall m, 0 <= @total A f m -> (forall x, In x l -> f x <= @total A f m) -> c <= @total A f m) -> c <= @Sum A f).
  { intros c K. destruct (#_less_dec (@Sum A f) c) as [Y|Y]; [|linear]. exfalso.
    apply (distinct A l False); [|auto]. intros m M S. rewrite (@Sum_total A f m M) in Y; [|intros x X; apply S, L, X].
    destruct (@total_sign A f m N) as [I J]. specialize (K m I). assert (c <= @total A f m) by (apply K; intros x X; apply J, S, X). linear. }
  split; [apply B; intros; assumption|split].
  - intro E. apply Ex_value in E. destruct E as [x X]. pose proof (H x X) as Q.
    assert (F : f x = P x) by (unfold f; rewrite X; reflexivity).
    assert (P x <= @Sum A f); [|linear]. apply B. intros m _ J. rewrite <- F. apply J, L. linear.
  - intro E. apply @Sum_none. intro x. unfold f. destruct (g x) eqn:G; [|reflexivity]. apply Ex_some in G. congruence.
Qed.
)";

const char *const Mixed =
    R"(Lemma IZR_Sum : forall A (f : A -> Z), finite A f -> IZR (Sum A f) = R_Sum A (fun x => IZR (f x)).
Proof.
  intros A f [l L]. apply (R_listed A l). intros m M S.
  rewrite (Sum_total A f m M), (R_Sum_total A _ m M).
  - clear. induction m as [|a m I]; simpl; [reflexivity|]. rewrite plus_IZR, I. reflexivity.
  - intros x X. apply S, L. intro Y. apply X. rewrite Y. reflexivity.
  - intros x X. apply S, L, X.
Qed.
)";

std::string sums(char type, const std::string &prefix) {
  std::string text;
  for (const char *c = Sums; *c != 0; ++c)
    text += *c == '@' ? prefix : *c == '#' ? std::string(1, type) : std::string(1, *c);
  return text;
}

} // namespace

std::string coqPrelude(Numbers numbers) {
  bool isReal = numbers == Numbers::Real;
  std::string text = "From Coq Require Import ZArith Bool Lia Btauto List.\n";
  text += std::string(isReal ? Reals : Integers) + "Open Scope Z_scope.\n" + Prelude +
          CoqRefutations + Lists + Quantifiers + OfZ + "Ltac linear := lia.\n" + sums('Z', "");
  if (isReal)
    text += std::string("Ltac linear ::= lra.\nOpen Scope R_scope.\n") + OfR + sums('R', "R_") +
            "Open Scope Z_scope.\n" + Mixed;
  return text;
}

} // namespace imbrex::certificate
