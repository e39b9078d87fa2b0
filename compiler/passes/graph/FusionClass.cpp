#include "compiler/passes/graph/FusionClass.h"

using namespace mlir;

namespace imbrex::relay {

using opmeaning::DefClass;
using opmeaning::FnId;
using opmeaning::Node;
using opmeaning::Program;
using opmeaning::TermKind;

/// Costs more than a few cycles an element.
static bool isExpensive(FnId fn) {
  switch (fn) {
  case FnId::Neg:
  case FnId::Abs:
  case FnId::Sign:
  case FnId::Ceil:
  case FnId::Floor:
  case FnId::Round:
  case FnId::Trunc:
  case FnId::Not:
  case FnId::BitNot:
  case FnId::IsNaN:
  case FnId::IsInf:
  case FnId::IsPosInf:
  case FnId::IsNegInf:
  case FnId::Add:
  case FnId::Sub:
  case FnId::Mul:
  case FnId::Max:
  case FnId::Min:
  case FnId::And:
  case FnId::Or:
  case FnId::Xor:
  case FnId::BitAnd:
  case FnId::BitOr:
  case FnId::BitXor:
  case FnId::ShiftLeft:
  case FnId::ShiftRight:
  case FnId::Eq:
  case FnId::Ne:
  case FnId::Lt:
  case FnId::Le:
    return false;
  default:
    return true;
  }
}

/// A sum of variables times sizes: no division, remainder, choice or data.
static bool isAffine(const Node *index) {
  switch (index->kind) {
  case TermKind::IxVar:
  case TermKind::IxConst:
  case TermKind::IxDim:
    return true;
  case TermKind::IxAdd:
  case TermKind::IxSub:
  case TermKind::IxMul:
    return llvm::all_of(index->args, isAffine);
  default:
    return false;
  }
}

static bool isView(const Program &program) {
  if (program.defs.size() != 1 || !program.requirements.empty())
    return false;
  const Node *body = program.defs[0].body;
  if (body->kind == TermKind::VCast)
    body = body->args[0];
  return body->kind == TermKind::VRead && llvm::all_of(body->args, isAffine);
}

static bool isAtDistinctVariables(const Node *read) {
  llvm::SmallPtrSet<const Node *, 4> seen;
  return llvm::all_of(read->args, [&](const Node *index) {
    return index->kind == TermKind::IxVar && seen.insert(index).second;
  });
}

/// Counts element functions and reads of all definitions.
static void inspect(const Program &program, FusionClass &result) {
  result.operands.resize(program.operands.size());
  constexpr uint32_t kMaxChoices = 8; // each is evaluated for every element
  uint32_t choices = 0;
  auto visit = [&](const Node *node) {
    ++result.nodes;
    if (node->kind == TermKind::VApply && isExpensive(node->fn)) {
      ++result.expensive;
      result.cheap = false;
    }
    choices += node->kind == TermKind::VSelect;
    result.cheap &= choices <= kMaxChoices;
    bool reads = node->kind == TermKind::VRead || node->kind == TermKind::IxRead;
    if (!reads || node->source.kind != opmeaning::Source::Kind::Operand)
      return;
    OperandUse &use = result.operands[node->source.index];
    ++use.reads;
    use.eachOnce &= isAtDistinctVariables(node);
  };
  for (const opmeaning::Def &def : program.defs)
    opmeaning::walk(def.body, visit);
}

static FusionKind kindOf(const Program &program, const DimFacts &facts) {
  FusionKind kind = FusionKind::Elementwise;
  for (const opmeaning::Def &def : program.defs) {
    switch (opmeaning::classify(program, def, facts)) {
    case DefClass::Elementwise:
      break;
    case DefClass::Reindex:
      kind = std::max(kind, FusionKind::Reindex);
      break;
    case DefClass::Reduction:
      kind = std::max(kind, FusionKind::Reduction);
      break;
    case DefClass::Contraction:
      kind = FusionKind::Contraction;
      break;
    case DefClass::Host:
      return FusionKind::Opaque;
    }
  }
  return kind;
}

FusionClass classifyForFusion(ApplyOp apply, const DimFacts &facts) {
  FusionClass result;
  if (!apply.op().meaning || apply.getOpens())
    return result;
  Result<Program> program = programOf(apply, facts);
  if (!program)
    return result;
  result.kind = kindOf(*program, facts);
  bool alone = apply.op().effect != opmeaning::Effect::Pure || !program->opens.empty();
  if (result.kind != FusionKind::Opaque && alone)
    result.kind = FusionKind::Alone;
  result.movesOnly = isView(*program);
  inspect(*program, result);
  return result;
}

} // namespace imbrex::relay
