#include "compiler/passes/lower/KernelFrame.h"

#include "compiler/passes/lower/EmitFunctions.h"

namespace imbrex::lower {

using namespace mlir;

/// sizeof(ImxView) and the place of `data` in it (runtime/abi/kernel.h).
static constexpr int64_t kViewBytes = 32;
/// The place of `scratch` in ImxEnv.
static constexpr int64_t kScratchAt = 8;

/// Loads from `base` + bytes.
static Value loadAt(OpBuilder &b, Location loc, Value base, int64_t bytes, Type type) {
  Value at = LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base,
                                 ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
  return LLVM::LoadOp::create(b, loc, type, at);
}

KernelFrame::KernelFrame(ModuleOp module, StringRef name, size_t pointers,
                         std::vector<std::string> symbols, Scratch scratch)
    : b(module.getContext()), location(NameLoc::get(b.getStringAttr(name))),
      names(std::move(symbols)) {
  b.setInsertionPointToEnd(module.getBody());
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type(), i32 = b.getI32Type();

  const size_t lent = scratch == Scratch::Lent ? 1 : 0;
  SmallVector<Type> inner(pointers + lent, ptr);
  inner.append(names.size() + 2, i64);
  std::string bodyName = (name + ".body").str();
  body = func::FuncOp::create(b, location, bodyName, b.getFunctionType(inner, {i32}));
  body.setPrivate();
  SmallVector<DictionaryAttr> argAttrs(inner.size(), b.getDictionaryAttr({}));
  std::fill_n(argAttrs.begin(), pointers + lent,
              b.getDictionaryAttr({b.getNamedAttr("llvm.noalias", b.getUnitAttr()),
                                   b.getNamedAttr("llvm.nonnull", b.getUnitAttr()),
                                   b.getNamedAttr("llvm.align", b.getI64IntegerAttr(64))}));
  body.setAllArgAttrs(argAttrs);

  auto entry =
      func::FuncOp::create(b, location, name, b.getFunctionType({ptr, ptr, ptr, i64, i64}, {i32}));
  Block *block = entry.addEntryBlock();
  b.setInsertionPointToStart(block);
  SmallVector<Value> args;
  for (size_t i = 0; i < pointers; ++i)
    args.push_back(loadAt(b, location, block->getArgument(1), int64_t(i) * kViewBytes, ptr));
  if (lent)
    args.push_back(loadAt(b, location, block->getArgument(0), kScratchAt, ptr));
  for (size_t i = 0; i < names.size(); ++i)
    args.push_back(loadAt(b, location, block->getArgument(2), int64_t(i) * 8, i64));
  args.append({block->getArgument(3), block->getArgument(4)});
  auto call = func::CallOp::create(b, location, body, args);
  func::ReturnOp::create(b, location, call.getResults());

  Block *start = body.addEntryBlock();
  b.setInsertionPointToStart(start);
  auto asIndex = [&](size_t i) {
    return arith::IndexCastOp::create(b, location, b.getIndexType(), start->getArgument(i));
  };
  Value begin = asIndex(inner.size() - 2), end = asIndex(inner.size() - 1);
  Value one = arith::ConstantIndexOp::create(b, location, 1);
  Value good = arith::ConstantOp::create(b, location, b.getI32IntegerAttr(0));
  loop = scf::ForOp::create(b, location, begin, end, one, ValueRange{good});
  b.setInsertionPointToStart(loop.getBody());
  point = loop.getInductionVar();
  status = loop.getRegionIterArgs()[0];
}

Value KernelFrame::symbol(StringRef name) {
  size_t pointers = body.getNumArguments() - names.size() - 2;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) {
      OpBuilder at(loop);
      return arith::IndexCastOp::create(at, location, at.getIndexType(),
                                        body.getArgument(pointers + i));
    }
  llvm_unreachable("a symbol that the kernel does not take");
}

Value KernelFrame::flat(size_t i, DType type, Value elems) {
  return flat(body.getArgument(static_cast<unsigned>(i)), storageType(b.getContext(), type), elems);
}

Value KernelFrame::flat(Value data, Type element, Value elems) {
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto memref = MemRefType::get({ShapedType::kDynamic}, element);
  auto array = LLVM::LLVMArrayType::get(i64, 1);
  auto descriptor = LLVM::LLVMStructType::getLiteral(b.getContext(), {ptr, ptr, i64, array, array});
  auto number = [&](int64_t v) {
    return Value(LLVM::ConstantOp::create(b, location, i64, b.getI64IntegerAttr(v)));
  };
  Value d = LLVM::PoisonOp::create(b, location, descriptor);
  auto set = [&](Value v, ArrayRef<int64_t> at) {
    d = LLVM::InsertValueOp::create(b, location, d, v, at);
  };
  set(data, {0});
  set(data, {1});
  set(number(0), {2});
  set(arith::IndexCastOp::create(b, location, i64, elems), {3, 0});
  set(number(1), {4, 0});
  return UnrealizedConversionCastOp::create(b, location, TypeRange{memref}, ValueRange{d})
      .getResult(0);
}

void KernelFrame::failIf(Value bad, int32_t id) {
  Value failed = arith::ConstantOp::create(b, location, b.getI32IntegerAttr(id + 1));
  status = arith::SelectOp::create(b, location, bad, failed, status);
}

void KernelFrame::failWith(Value code) {
  Value zero = arith::ConstantOp::create(b, location, b.getI32IntegerAttr(0));
  Value good = arith::CmpIOp::create(b, location, arith::CmpIPredicate::eq, status, zero);
  status = arith::SelectOp::create(b, location, good, code, status);
}

void KernelFrame::close(llvm::function_ref<void()> behind) {
  scf::YieldOp::create(b, location, ValueRange{status});
  b.setInsertionPointAfter(loop);
  if (behind)
    behind();
  func::ReturnOp::create(b, location, loop.getResults());
}

} // namespace imbrex::lower
