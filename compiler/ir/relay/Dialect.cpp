// Registration of the relay dialect, and what concerns no single operation.
#include "compiler/ir/relay/Relay.h"

using namespace mlir;

#include "compiler/ir/relay/Dialect.cpp.inc"

namespace imbrex::relay {

void RelayDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/ir/relay/Ops.cpp.inc"
      >();
}

Operation *RelayDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             mlir::Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !isa<TensorType>(type))
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}

static LogicalResult verifyNameAttr(Operation *op, NamedAttribute attr, StringRef what) {
  if (attr.getName() != "relay.name")
    return op->emitError() << "unknown attribute '" << attr.getName().getValue() << "' of " << what;
  if (!isa<StringAttr>(attr.getValue()))
    return op->emitError() << "relay.name of " << what << " must be a string";
  return success();
}

LogicalResult RelayDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index,
                                                     NamedAttribute attr) {
  return verifyNameAttr(op, attr, "argument " + std::to_string(index));
}

LogicalResult RelayDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned index,
                                                        NamedAttribute attr) {
  return verifyNameAttr(op, attr, "result " + std::to_string(index));
}

} // namespace imbrex::relay
