// The relay dialect: its C++ interface on one page. README.md gives the reasons, Ops.td the
// operations.
//
//   Writing a module (an importer):
//     auto module = ModuleOp::create(loc);  OpBuilder b(module.getBodyRegion());
//     auto f = FuncOp::create(b, loc, "main", FunctionType, {SymbolAttr::get(ctx, "n", 1, 64, 1)});
//     f.setArgNames({"x"});  b.setInsertionPointToStart(&f.entry());
//     Value w = constantOf(b, loc, hostTensor);
//     Result<ApplyOp> y = buildApply(b, loc, "conv", {f.entry().getArgument(0), w, Value()},
//     attrs); ReturnOp::create(b, loc, y->getResults());  setResultTypes(f);   // result types
//     follow the return
//
//   Reading one (a lowering):
//     DimFacts facts = factsAt(op);  Result<opmeaning::Program> p = programOf(apply, facts);
//     SmallVector<std::string> names = openSymbols(apply, *p);   // what the types call "$0", "$1",
//     …
#pragma once

#include "support/opmeaning/Operator.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace imbrex::relay {
class ReturnOp;
class YieldOp;
} // namespace imbrex::relay

#include "compiler/ir/relay/Dialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/ir/relay/Types.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/relay/Attrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/ir/relay/Ops.h.inc"

namespace imbrex::relay {

// --- Types
// -------------------------------------------------------------------------------------------------

/// i1 = Bool, iN = signed, uiN = unsigned, floats; Invalid for any other type.
DType toDType(mlir::Type element);
/// Precondition: not Invalid.
mlir::Type toMlirType(mlir::MLIRContext *context, DType type);
opmeaning::TensorType toMeaningType(TensorType type);
TensorType fromMeaningType(mlir::MLIRContext *context, const opmeaning::TensorType &type);
/// A value's type. Precondition: it is a relay tensor, as all values of this dialect are.
inline TensorType tensorType(mlir::Value value) { return llvm::cast<TensorType>(value.getType()); }

// --- Constants
// ---------------------------------------------------------------------------------------------

/// Up to 4 KiB the bytes are copied into the context; above, the attribute keeps the tensor's bytes
/// alive and shares them.
mlir::ElementsAttr toAttr(mlir::MLIRContext *context, const HostTensor &tensor);
/// Shares the attribute's bytes, which live as long as the context; copies a splat and packed
/// bools. E0553 for an attribute without numbers in it (its resource is missing, or of another
/// size).
Result<HostTensor> toHostTensor(mlir::ElementsAttr attr);
/// A relay.constant of `tensor` at the insertion point.
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location location, const HostTensor &tensor);
/// The relay.constant that defines `value`, seen through the operands of relay.fused; or null.
ConstantOp definingConstant(mlir::Value value);
/// A constant with more elements than this is data, not part of a shape: type relations do not see
/// it.
constexpr int64_t kMaxShapeElems = 4096;

// --- Attributes of relay.apply
// -----------------------------------------------------------------------------

/// Attribute values in MLIR's form: i64, f64, string, array<i64>, array<f64>, type.
mlir::Attribute toMlirAttr(mlir::MLIRContext *context, const opmeaning::AttrValue &value);
mlir::DictionaryAttr toDictionary(mlir::MLIRContext *context, const opmeaning::Attrs &attrs);
/// The inverse; E0554 for a value that is none of those.
Result<opmeaning::Attrs> toAttrs(mlir::DictionaryAttr dictionary);
/// The complete attributes. Precondition: `apply` is verified.
opmeaning::Attrs attrsOf(ApplyOp apply);

// --- Applying operators
// ------------------------------------------------------------------------------------

/// Applies operator `name` at the insertion point, which must lie in a relay.func. `operands` are
/// in the operator's order, null for one left out. Attributes need not be complete. Result types
/// are inferred; a size that is an element of an operand is opened by relay.open before, any other
/// size the operator computes gets a fresh name in `opens`. Errors: E0550 no such operator, E0520
/// with the type relation's reason, E0530-E0533 attributes and operand counts. Nothing is inserted
/// when it fails.
Result<ApplyOp> buildApply(mlir::OpBuilder &builder, mlir::Location location, llvm::StringRef name,
                           llvm::ArrayRef<mlir::Value> operands, opmeaning::Attrs attrs = {});
/// The same with facts at hand; an importer asks factsAt once and saves their construction per
/// node.
Result<ApplyOp> buildApply(mlir::OpBuilder &builder, mlir::Location location, llvm::StringRef name,
                           llvm::ArrayRef<mlir::Value> operands, opmeaning::Attrs attrs,
                           const DimFacts &facts);

/// What the operator sees: types, and the values of small constants.
std::vector<opmeaning::Operand> meaningOperands(ApplyOp apply);
/// The Program of a verified relay.apply. Its open dimensions keep their names "$0", …; openSymbols
/// says what the IR's types call them. E0555 for an operator without a Program (hooks).
Result<opmeaning::Program> programOf(ApplyOp apply, const DimFacts &facts);
/// The result types in IR symbols, derived anew. Error when the operator or its open sizes do not
/// fit.
Result<llvm::SmallVector<TensorType>> deriveTypes(ApplyOp apply, const DimFacts &facts);
/// The IR's symbol of each of program.opens.
llvm::SmallVector<std::string> openSymbols(ApplyOp apply, const opmeaning::Program &program);

// --- Symbols
// -----------------------------------------------------------------------------------------------

/// What is known of the symbols in the relay.func around `op` (or that `op` is).
DimFacts factsAt(mlir::Operation *op);
/// "hint", "hint1", …: a name that nothing in `func` binds and that is not in `taken`. Cost: linear
/// in the function.
std::string freshSymbol(FuncOp func, llvm::StringRef hint, llvm::ArrayRef<std::string> taken = {});
/// The symbols that types may mention after `op`: relay.open's, or the names in `opens`.
llvm::SmallVector<llvm::StringRef> symbolsBoundBy(mlir::Operation *op);
/// A function's attribute: the names in the model of symbols that had to be called otherwise, for
/// messages (`mod` is a word of the text form, `batch size` is no word).
inline constexpr llvm::StringLiteral kSymbolNames = "relay.symbol_names";
/// The symbols bound in `op`'s regions: a function's, or a loop's `entry`.
llvm::SmallVector<llvm::StringRef> symbolsBoundInside(mlir::Operation *op);

using Substitution = std::map<std::string, DimExpr, std::less<>>;
DimExpr substitute(const DimExpr &dim, const Substitution &symbols);
TensorType substitute(TensorType type, const Substitution &symbols);
/// Finds values of `free` symbols that turn each pattern into the actual type: a free symbol takes
/// its value where it is a whole dimension, and must do so somewhere. E0556 says which type does
/// not fit and why.
Result<Substitution> matchTypes(mlir::TypeRange patterns, mlir::TypeRange actual,
                                llvm::ArrayRef<llvm::StringRef> free);
/// Replaces symbols in every type of `func`: values, signature, and the facts and bindings that
/// name them (a symbol with a value is no longer bound: its relay.open and its place in `opens`
/// go).
void substituteSymbols(FuncOp func, const Substitution &symbols);
/// Derives all result types again after operands became constant: what was opened and now has a
/// value is replaced by it everywhere. True when something changed; an Error when the program turns
/// out wrong, as the type relation or a negative size says, with the operation's place. Cost: one
/// derivation an apply, and one walk a replaced size.
Result<bool> refineTypes(FuncOp func);
/// The place in a file, where there is one; and back.
FileLocation toFileLocation(mlir::Location location);
mlir::Location toMlirLocation(mlir::MLIRContext *context, const FileLocation &where);
/// Makes the function's result types those of its relay.return.
void setResultTypes(FuncOp func);

} // namespace imbrex::relay
