#include "compiler/codegen/bytecode/SizeCode.h"

#include "compiler/MlirPch.h"

namespace imbrex::codegen {

using namespace mlir;

namespace {

class SizeCode {
public:
  SizeCode(OpBuilder &b, Location loc, Value in, function_ref<uint32_t(StringRef)> placeOf)
      : b(b), loc(loc), in(in), placeOf(placeOf) {}

  /// The size, and whether it is impossible.
  std::pair<Value, Value> emit(const DimExpr &e) {
    bad = constant(0, b.getI1Type());
    Value v = sum(e);
    note(compare(arith::CmpIPredicate::slt, v, 0));
    return {v, bad};
  }

  Value constant(int64_t v, Type type) {
    return arith::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, v));
  }
  Value place(Value base, uint32_t index) {
    Type ptr = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::GEPOp::create(b, loc, ptr, b.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

private:
  Value number(int64_t v) { return constant(v, b.getI64Type()); }
  void note(Value wrong) { bad = arith::OrIOp::create(b, loc, bad, wrong); }
  Value compare(arith::CmpIPredicate how, Value v, int64_t with) {
    return arith::CmpIOp::create(b, loc, how, v, number(with));
  }

  template <class Op> Value checked(Value l, Value r) {
    Type both = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI64Type(), b.getI1Type()});
    Value pair = Op::create(b, loc, both, l, r);
    note(LLVM::ExtractValueOp::create(b, loc, pair, ArrayRef<int64_t>{1}));
    return LLVM::ExtractValueOp::create(b, loc, pair, ArrayRef<int64_t>{0});
  }

  /// l floordiv r, or l mod r with the sign of r; r is replaced by 1 where it is not positive.
  Value divide(Value l, Value r, DimExpr::AtomKind kind) {
    Value wrong = compare(arith::CmpIPredicate::sle, r, 0);
    note(wrong);
    r = arith::SelectOp::create(b, loc, wrong, number(1), r);
    Value rest = arith::RemSIOp::create(b, loc, l, r);
    Value below = compare(arith::CmpIPredicate::slt, rest, 0);
    bool division = kind == DimExpr::AtomKind::FloorDiv;
    Value v = division ? Value(arith::DivSIOp::create(b, loc, l, r)) : rest;
    Value moved = division ? Value(arith::SubIOp::create(b, loc, v, number(1)))
                           : Value(arith::AddIOp::create(b, loc, v, r));
    return arith::SelectOp::create(b, loc, below, moved, v);
  }

  Value atom(const DimExpr::Atom &a) {
    if (a.kind == DimExpr::AtomKind::Symbol)
      return LLVM::LoadOp::create(b, loc, b.getI64Type(), place(in, placeOf(a.name)));
    Value l = sum(a.lhs), r = sum(a.rhs);
    if (a.kind == DimExpr::AtomKind::Min)
      return arith::MinSIOp::create(b, loc, l, r);
    if (a.kind == DimExpr::AtomKind::Max)
      return arith::MaxSIOp::create(b, loc, l, r);
    if (a.kind == DimExpr::AtomKind::Broadcast)
      return arith::SelectOp::create(b, loc, compare(arith::CmpIPredicate::eq, l, 1), r, l);
    return divide(l, r, a.kind);
  }

  Value sum(const DimExpr &e) {
    Value total;
    for (const auto &term : e.terms()) {
      Value product =
          term.coefficient == 1 && !term.factors.empty() ? Value() : number(term.coefficient);
      for (const auto &factor : term.factors) {
        Value v = atom(*factor);
        product = product ? checked<LLVM::SMulWithOverflowOp>(product, v) : v;
      }
      total = total ? checked<LLVM::SAddWithOverflowOp>(total, product) : product;
    }
    return total ? total : number(0);
  }

  OpBuilder &b;
  Location loc;
  Value in;
  function_ref<uint32_t(StringRef)> placeOf;
  Value bad;
};

} // namespace

std::vector<std::string> emitSizesFunction(ModuleOp kernels, StringRef name,
                                           ArrayRef<SizeOutput> outputs,
                                           function_ref<uint32_t(StringRef)> placeOf) {
  OpBuilder b(kernels.getContext());
  b.setInsertionPointToEnd(kernels.getBody());
  Location loc = NameLoc::get(b.getStringAttr(name));
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i32 = b.getI32Type();
  auto func = func::FuncOp::create(b, loc, name, b.getFunctionType({ptr, ptr}, {i32}));
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  SizeCode code(b, loc, entry->getArgument(0), placeOf);
  std::vector<std::string> checks;
  Value verdict = code.constant(0, i32);
  Value none = verdict;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    auto [size, bad] = code.emit(output.size);
    if (output.when == WhenImpossible::MinusOne) {
      size = arith::SelectOp::create(b, loc, bad, code.constant(-1, b.getI64Type()), size);
    } else {
      checks.push_back("the size " + output.size.str() + " is negative or cannot be computed");
      Value mine = code.constant(static_cast<int64_t>(checks.size()), i32);
      Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, verdict, none);
      Value here = arith::AndIOp::create(b, loc, bad, first);
      verdict = arith::SelectOp::create(b, loc, here, mine, verdict);
    }
    LLVM::StoreOp::create(b, loc, size,
                          code.place(entry->getArgument(1), static_cast<uint32_t>(i)));
  }
  func::ReturnOp::create(b, loc, verdict);
  return checks;
}

} // namespace imbrex::codegen
