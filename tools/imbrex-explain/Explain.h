// What an artifact is, as data: what `imbrex explain --json` prints and its page draws.
#pragma once

#include "runtime/module/plan/SlotSizes.h"
#include "support/json/Json.h"

namespace imbrex::runtime {
class Module;
}

namespace imbrex::tools {

/// {"model", "producer", "inputs", "outputs", "symbols", "sizes", "variants", "functions", "entry",
/// "nodes", "kernels", "plans", "host_ops", "remarks", "rewrites"}. `values` are sizes of
/// open dimensions, for numbers and the picture of memory (exampleSizes fills in the others).
/// Linear in the artifact.
Json explainArtifact(runtime::Module &module, const runtime::SlotSizes::Values &values);

/// Sizes of the function's symbols: the given ones, and for others the smallest admitted one of 8
/// or more.
runtime::SlotSizes::Values exampleSizes(const artifact::FunctionSpec &function,
                                        const runtime::SlotSizes::Values &given);

/// The plan of one function (runtime/module/plan/CheckPlan.h).
Json explainPlan(const artifact::FunctionSpec &function, const artifact::ArtifactSpec &spec,
                 const runtime::SlotSizes::Values &values);

/// One self-contained HTML page of that data: no request leaves it, and no text of the model is
/// markup.
std::string pageOf(const Json &explanation);

} // namespace imbrex::tools
