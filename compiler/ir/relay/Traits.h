// Traits of operations that stand in a relay.func (Traits.td).
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace imbrex::relay {

/// An operation of another dialect whose attribute `opens` names sizes that are known only after it
/// ran.
template <class ConcreteOp>
class BindsSymbols : public mlir::OpTrait::TraitBase<ConcreteOp, BindsSymbols> {};

} // namespace imbrex::relay
