#include "compiler/passes/lower/TileKernel.h"

#include "compiler/passes/lower/TileEpilogue.h"
#include "compiler/passes/lower/TileKernelText.h"
#include "compiler/passes/tile/Passes.h"

#include "mlir/Parser/Parser.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

namespace {

/// Puts the epilogue between the sum and its store, and gives the store the shape of the piece.
void finishStore(tile::KernelOp kernel, Program &p, const DimFacts &facts, const Epilogue *epilogue,
                 ArrayRef<int64_t> piece) {
  tile::StoreOp store;
  DenseMap<int64_t, Value> loaded;
  kernel.walk([&](Operation *op) {
    if (auto s = dyn_cast<tile::StoreOp>(op))
      store = s;
    if (auto i = op->getAttrOfType<IntegerAttr>("operand")) {
      loaded[i.getInt()] = op->getResult(0);
      op->removeAttr("operand");
    }
  });
  OpBuilder b(store);
  Value value = store.getValue();
  auto type = cast<RankedTensorType>(value.getType());
  if (epilogue) {
    SmallVector<Value> values;
    for (auto [i, read] : llvm::enumerate(epilogue->reads))
      values.push_back(read.isProduct ? value : loaded.at(static_cast<int64_t>(i)));
    value = emitEpilogue(b, store.getLoc(), p, facts, *epilogue, values, type);
  }
  auto whole = RankedTensorType::get(piece, type.getElementType());
  if (whole != type)
    value = tile::ReshapeOp::create(b, store.getLoc(), whole, value);
  store.getValueMutable().assign(value);
}

} // namespace

Result<KernelRecord> buildTileKernel(ModuleOp module, Program &p, uint32_t product,
                                     const TileProduct &form, std::optional<uint32_t> reader,
                                     const DimFacts &facts, StringRef name) {
  KernelRecord record;
  record.name = name.str();
  const uint32_t result = reader.value_or(product);
  record.results = {result};
  record.isTile = true;
  const Def out = p.defs[product];
  std::optional<Epilogue> epilogue;
  if (reader)
    epilogue = epilogueOf(p, facts, product, form, p.defs[*reader]);
  const std::vector<EpilogueRead> reads = epilogue ? epilogue->reads : std::vector<EpilogueRead>();
  KernelText text(p, out, form, facts, reads);
  const std::string source = text.write(record.name, record);
  record.operands = text.operands();
  record.grid = text.gridSize();
  const TileSizes &t = text.tileSizes();
  DimExpr points = form.n * form.m;
  for (size_t i = 0; i < form.outer; ++i)
    points = points * out.type.dims[i];
  record.work = points * form.k * form.window[0].taps * form.window[1].taps * 2;
  record.flops = record.work.constant().value_or(0);
  const auto kind = form.kind;
  using Kind = TileProduct::Kind;
  record.form = std::string(kind == Kind::Product                             ? "contraction"
                            : kind == Kind::Depthwise                         ? "depthwise"
                            : kind == Kind::Largest || kind == Kind::Smallest ? "extremes"
                                                                              : "Winograd step") +
                ": tile kernel, " + std::to_string(t.m) + "x" + std::to_string(t.n) + "x" +
                std::to_string(t.k);

  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (first.empty())
      first = d.str();
  });
  // The store fits its view once the epilogue stands before it.
  auto parsed = parseSourceString<ModuleOp>(
      source, ParserConfig(module.getContext(), /*verifyAfterParse=*/false));
  if (!parsed)
    return internalError(601, "the kernel " + record.name + " cannot be read: " + first);
  auto kernel = *parsed->getOps<tile::KernelOp>().begin();
  finishStore(kernel, p, facts, epilogue ? &*epilogue : nullptr, text.storedShape);
  if (failed(mlir::verify(*parsed)))
    return internalError(601, "the kernel " + record.name + " is not valid: " + first);
  auto report = tile::verifyKernel(kernel);
  if (failed(report))
    return internalError(601, "the kernel " + record.name + " is not proven: " + first);
  if (report->launchChecks || report->inKernelChecks || report->unsafeRegions)
    return internalError(601, "the kernel " + record.name + " is proven under conditions only");
  kernel->remove();
  module.push_back(kernel);
  return record;
}

} // namespace imbrex::lower
