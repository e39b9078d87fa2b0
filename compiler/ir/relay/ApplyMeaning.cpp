#include "compiler/ir/relay/ApplyMeaning.h"

#include "compiler/ir/relay/Scope.h"
#include "compiler/ir/relay/Syntax.h"
#include "support/opmeaning/Sizes.h"

#include <set>

using namespace mlir;

namespace imbrex::relay {

/// The elements of a tensor of sizes; nothing for any other value.
static std::optional<std::vector<DimExpr>> sizesIn(Value value) {
  auto apply = outerValue(value).getDefiningOp<ApplyOp>();
  if (!apply || apply.getOperatorName() != "sizes")
    return std::nullopt;
  std::vector<opmeaning::TensorType> types;
  for (Value operand : apply.getInputs())
    types.push_back(toMeaningType(tensorType(operand)));
  auto elements = opmeaning::elementsOfSizes(types, attrsOf(apply));
  return elements ? std::optional(elements.take()) : std::nullopt;
}

static opmeaning::Operand meaningOperand(Value value) {
  if (!value)
    return opmeaning::Operand::absent();
  opmeaning::Operand operand = opmeaning::Operand::of(toMeaningType(tensorType(value)));
  ConstantOp constant = definingConstant(value);
  // A text's number differs from run to run: no program may hold one.
  if (constant && constant.getValue().getNumElements() <= kMaxShapeElems &&
      !isReference(operand.type.type))
    if (Result<HostTensor> tensor = toHostTensor(constant.getValue()))
      operand.constant = tensor.take();
  if (!constant && operand.type.dims.size() <= 1 && isInteger(operand.type.type))
    operand.sizes = sizesIn(value);
  return operand;
}

std::vector<opmeaning::Operand> meaningOperands(ArrayRef<Value> operands) {
  std::vector<opmeaning::Operand> all;
  for (Value value : operands)
    all.push_back(meaningOperand(value));
  return all;
}

std::vector<opmeaning::Operand> meaningOperands(ApplyOp apply) {
  return meaningOperands(apply.operatorOperands());
}

/// The open sizes of an operator with hooks: the "$" symbols of its types, in order of name.
static std::vector<OpenSize> opensOfHooks(const std::vector<opmeaning::TensorType> &types) {
  std::set<std::string> names;
  for (const opmeaning::TensorType &type : types)
    for (const DimExpr &dim : type.dims)
      for (const std::string &name : dim.symbols())
        if (name.starts_with("$"))
          names.insert(name);
  std::vector<OpenSize> opens;
  for (const std::string &name : names)
    opens.push_back({name, std::nullopt, {}});
  return opens;
}

Result<AppliedMeaning> applyMeaning(const opmeaning::Operator &op,
                                    const std::vector<opmeaning::Operand> &operands,
                                    const opmeaning::Attrs &attrs, const DimFacts &facts) {
  AppliedMeaning result;
  if (!op.meaning) {
    auto types = opmeaning::typesOf(op, operands, attrs, facts);
    if (!types)
      return types.takeError();
    result.types = types.take();
    result.opens = opensOfHooks(result.types);
    return result;
  }
  Result<opmeaning::Program> program = opmeaning::meaningOf(op, operands, attrs, facts);
  if (!program)
    return program.takeError();
  result.types = program->outputTypes();
  for (const opmeaning::OpenDim &open : program->opens) {
    bool isOperand = open.source.kind == opmeaning::Source::Kind::Operand;
    result.opens.push_back({open.symbol,
                            isOperand ? std::optional<uint32_t>(open.source.index) : std::nullopt,
                            open.at});
  }
  result.program = program.take();
  return result;
}

static const opmeaning::Operator *lookup(ApplyOp apply) {
  StringRef name = apply.getOperatorName();
  return opmeaning::findOperator(std::string_view(name.data(), name.size()));
}

const opmeaning::Operator &ApplyOp::op() { return *lookup(*this); }

SmallVector<Value> ApplyOp::operatorOperands() {
  SmallVector<Value> all(getInputs());
  if (auto absent = getAbsent())
    for (int32_t position : *absent)
      if (position >= 0 && position <= static_cast<int32_t>(all.size()))
        all.insert(all.begin() + position, Value());
  return all;
}

/// The IR's names of `opens`: of a relay.open for an operand's element, else the next of the
/// apply's own.
static Result<SmallVector<std::string>> namesOfOpens(ApplyOp apply, ArrayRef<OpenSize> opens) {
  SmallVector<StringRef> own = namesOf(apply.getOpens());
  SmallVector<Value> operands = apply.operatorOperands();
  SmallVector<std::string> names;
  size_t used = 0;
  for (const OpenSize &open : opens) {
    if (!open.operand) {
      if (used == own.size())
        return badInput(552, "a result has a size that the operator computes when it runs",
                        "'opens' names " + std::to_string(own.size()) +
                            " such sizes and there are more",
                        "opens(…) with a name for each");
      names.push_back(own[used++].str());
      continue;
    }
    Value tensor = outerValue(operands[*open.operand]);
    OpenOp found = findOpen(tensor, open.at, apply->getBlock());
    if (!found)
      return badInput(552,
                      "a result's size is an element of operand " + std::to_string(*open.operand),
                      "its value is known only at run time and no relay.open names it",
                      "a relay.open of that element before this operation");
    names.push_back(found.getSymbol().str());
  }
  if (used != own.size())
    return badInput(552, "'opens' names " + std::to_string(own.size()) + " sizes",
                    "the operator computes " + std::to_string(used));
  return names;
}

Result<SmallVector<TensorType>> deriveTypes(ApplyOp apply, const DimFacts &facts) {
  Result<opmeaning::Attrs> attrs = toAttrs(apply.getOperatorAttrs());
  if (!attrs)
    return attrs.takeError();
  Result<AppliedMeaning> meaning = applyMeaning(apply.op(), meaningOperands(apply), *attrs, facts);
  if (!meaning)
    return meaning.takeError();
  Result<SmallVector<std::string>> names = namesOfOpens(apply, meaning->opens);
  if (!names)
    return names.takeError();
  Substitution rename;
  for (auto [open, name] : llvm::zip_equal(meaning->opens, *names))
    rename.emplace(open.symbol, DimExpr::symbol(name));
  SmallVector<TensorType> types;
  for (opmeaning::TensorType &type : meaning->types) {
    for (DimExpr &dim : type.dims)
      dim = substitute(dim, rename);
    types.push_back(fromMeaningType(apply.getContext(), type));
  }
  return types;
}

Result<opmeaning::Program> programOf(ApplyOp apply, const DimFacts &facts) {
  if (!apply.op().meaning)
    return unsupported(555, "operator '" + apply.getOperatorName().str() + "' has no index form",
                       "it is run by a host operator");
  return opmeaning::meaningOf(apply.op(), meaningOperands(apply), attrsOf(apply), facts);
}

SmallVector<std::string> openSymbols(ApplyOp apply, const opmeaning::Program &program) {
  std::vector<OpenSize> opens;
  for (const opmeaning::OpenDim &open : program.opens) {
    bool isOperand = open.source.kind == opmeaning::Source::Kind::Operand;
    opens.push_back({open.symbol,
                     isOperand ? std::optional<uint32_t>(open.source.index) : std::nullopt,
                     open.at});
  }
  Result<SmallVector<std::string>> names = namesOfOpens(apply, opens);
  assert(names.ok() && "verified operators have names for all sizes");
  return names.take();
}

} // namespace imbrex::relay
