// The passes over the relay dialect's graph. Each has a file of its own, whose header comment shows before and after.
#ifndef IMBREX_PASSES_GRAPH_TD
#define IMBREX_PASSES_GRAPH_TD

include "mlir/Pass/PassBase.td"

def FoldConstants : Pass<"relay-fold-constants", "::imbrex::relay::FuncOp"> {
  let summary = "computes what depends on constants only, and refines the types that follow";
  let constructor = "imbrex::relay::createFoldConstantsPass()";
  let options = [
    Option<"maxSteps", "max-steps", "int64_t", "50000000",
           "an operator that needs more element steps is left to run time">,
    Option<"maxBytes", "max-bytes", "int64_t", "65536",
           "a result may be this large, or twice as large as what it replaces">];
}

def FoldIf : Pass<"relay-fold-if", "::imbrex::relay::FuncOp"> {
  let summary = "replaces a relay.if with a constant condition by the chosen branch";
  let constructor = "imbrex::relay::createFoldIfPass()";
}

def ApplyRules : Pass<"relay-apply-rules", "::imbrex::relay::FuncOp"> {
  let summary = "rewrites the graph by the rules of *.rules";
  let constructor = "imbrex::relay::createApplyRulesPass({})";
  let options = [ListOption<"allow", "allow", "std::string", "licences of rules over the reals">];
}

def EliminateDeadCode : Pass<"relay-dce", "::imbrex::relay::FuncOp"> {
  let summary = "removes what no result depends on, and symbols that no type mentions";
  let constructor = "imbrex::relay::createEliminateDeadCodePass()";
}

def SplitConcats : Pass<"relay-split-concats", "::imbrex::relay::FuncOp"> {
  let summary = "makes a tree of a concatenation of many operands";
  let constructor = "imbrex::relay::createSplitConcatsPass()";
}

def FuseOps : Pass<"relay-fuse-ops", "::imbrex::relay::FuncOp"> {
  let summary = "forms relay.fused groups: what becomes one kernel";
  let constructor = "imbrex::relay::createFuseOpsPass()";
}

#endif
