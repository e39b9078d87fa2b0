#include "runtime/module/plan/SlotSizes.h"

namespace imbrex::runtime {

using artifact::FunctionSpec;
using artifact::SizeSpec;
using bytecode::SizeWords;

SlotSizes::SlotSizes(const FunctionSpec &f) {
  for (uint32_t i = 0; i < f.sizeSlots; ++i) {
    const bool named = i < f.slotNames.size() && f.slotNames[i].size() <= 4096;
    Result<DimExpr> size = named ? DimExpr::parse(f.slotNames[i]) : badInput(107, "no name");
    const bool good = size && size->valid() && !size->constant();
    slots.push_back(good ? *size : DimExpr::symbol("slot" + std::to_string(i)));
    if (i >= f.symbols.size() || !slots[i].asSymbol())
      continue;
    const artifact::SymbolSpec &s = f.symbols[i];
    shownNames[std::string(*slots[i].asSymbol())] = s.name;
    // A contradiction says that no input is admitted: then nothing is known, which is safe.
    (void)known.add(*slots[i].asSymbol(), {.lo = s.lo, .hi = s.hi, .divisor = s.divisor});
  }
  for (const std::string &fact : f.facts) {
    const size_t equals = fact.find(" = ");
    if (equals == fact.npos || fact.size() > 4096)
      continue;
    Result<DimExpr> a = DimExpr::parse(fact.substr(0, equals));
    Result<DimExpr> b = DimExpr::parse(fact.substr(equals + 3));
    if (a && b && a->valid() && b->valid())
      (void)known.addEquality(*a, *b);
  }
}

DimExpr SlotSizes::of(SizeSpec size) const {
  return size.isLiteral() ? DimExpr(size.value) : slots[static_cast<size_t>(size.slot)];
}

DimExpr SlotSizes::of(SizeWords size) const {
  return size.isSlot() ? slots[size.low] : DimExpr(size.literal());
}

DimExpr SlotSizes::bytes(DType type, const std::vector<SizeWords> &dims) const {
  DimExpr bytes = byteSize(type);
  for (SizeWords d : dims)
    bytes = bytes * of(d);
  return bytes;
}

std::string SlotSizes::shown(const DimExpr &size) const {
  if (!size.valid())
    return "?";
  return size
      .substitute([&](std::string_view symbol) -> std::optional<DimExpr> {
        auto it = shownNames.find(symbol);
        return it == shownNames.end() || it->second.empty()
                   ? std::nullopt
                   : std::optional(DimExpr::symbol(it->second));
      })
      .str();
}

std::optional<int64_t> SlotSizes::evaluate(const DimExpr &size, const Values &values) const {
  Values own;
  for (const std::string &symbol : size.symbols()) {
    auto name = shownNames.find(symbol);
    auto value = name == shownNames.end() ? values.end() : values.find(name->second);
    if (value == values.end())
      return std::nullopt;
    own[symbol] = value->second;
  }
  Result<int64_t> number = size.evaluate(own);
  return number ? std::optional(*number) : std::nullopt;
}

} // namespace imbrex::runtime
