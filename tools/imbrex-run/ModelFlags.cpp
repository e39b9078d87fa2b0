#include "tools/imbrex-run/ModelFlags.h"

#include "tools/common/Files.h"
#include "tools/common/ModelOptions.h"
#include "tools/common/TensorText.h"

#include <set>

namespace imbrex::tools {

namespace {

/// Bounds go to the compiler; so does a size, unless the dimension has bounds.
Status divideDims(const std::vector<std::string> &texts, std::vector<std::string> &compiler,
                  DimSizes &sizes) {
  std::vector<DimOption> all;
  std::set<std::string> bounded;
  for (const std::string &text : texts) {
    Result<std::vector<DimOption>> dims = parseDimOption(text);
    if (!dims)
      return dims.takeError();
    for (DimOption &dim : *dims) {
      if (dim.low != dim.high)
        bounded.insert(dim.name);
      all.push_back(std::move(dim));
    }
  }
  for (const DimOption &dim : all)
    if (dim.low != dim.high || !bounded.contains(dim.name))
      compiler.insert(compiler.end(), {"--dim", dim.name + "=" + dim.sizes()});
    else if (Status status = parseDim(dim.name + "=" + dim.sizes(), sizes); !status)
      return status;
  return {};
}

} // namespace

void ModelFlags::declare(CommandLine &line) {
  line.option("--dim NAME=SIZE", dims,
              "compile an .onnx model for this size of a dimension, or for NAME=LOW..HIGH or "
              "NAME=LOW..HIGH%DIVISOR; of an artifact or beside such bounds, the size in inputs "
              "that are made up (several with commas, or again for each)")
      .option(
          "--input-shape NAME=1x3x224", shapes,
          "compile an .onnx model for this shape of an input; NAME= for a scalar (again for each)")
      .option("--allow LICENCE", licences,
              "compile an .onnx model with rewrites of this licence (again for each)")
      .option("--forbid GRANT", forbidden,
              "compile an .onnx model without what the float contract grants: winograd")
      .option("--custom-ops LIBRARY", customOps,
              "a shared library with operators of your own (again for each)");
}

Result<PreparedModel> prepareModel(const std::string &model, const ModelFlags &flags) {
  Result<ModelKind> kind = modelKindOf(model);
  if (!kind)
    return kind.takeError();
  PreparedModel prepared;
  std::vector<std::string> arguments;
  for (const std::string &shape : flags.shapes)
    arguments.insert(arguments.end(), {"--input-shape", shape});
  if (*kind == ModelKind::Artifact) { // which names its libraries itself
    for (const std::string &text : flags.dims)
      if (Status status = parseDim(text, prepared.dims); !status)
        return status.takeError();
  } else {
    if (Status status = divideDims(flags.dims, arguments, prepared.dims); !status)
      return status.takeError();
    for (const std::string &library : flags.customOps)
      arguments.insert(arguments.end(), {"--custom-ops", library});
  }
  for (const std::string &licence : flags.licences)
    arguments.insert(arguments.end(), {"--allow", licence});
  for (const std::string &grant : flags.forbidden)
    arguments.insert(arguments.end(), {"--forbid", grant});
  if (Status loaded = loadCustomOps(flags.customOps); !loaded)
    return loaded.takeError();
  Result<Compiled> artifact = artifactOf(model, arguments, isUndamaged);
  if (!artifact)
    return artifact.takeError();
  prepared.artifact = artifact.take();
  return prepared;
}

} // namespace imbrex::tools
