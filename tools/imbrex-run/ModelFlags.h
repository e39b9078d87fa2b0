// The flags shared by the commands that run a model and compile it first unless it is an artifact:
// run, bench, explain, verify.
#pragma once

#include "tools/common/Cache.h"
#include "tools/common/CommandLine.h"
#include "tools/imbrex-run/Inputs.h"

namespace imbrex::tools {

struct ModelFlags {
  std::vector<std::string> dims, shapes, licences, forbidden, customOps;

  /// Adds --dim, --input-shape, --allow, --forbid and --custom-ops to `line`.
  void declare(CommandLine &line);
};

struct PreparedModel {
  Compiled artifact;
  DimSizes dims; // of inputs that are made up
};

/// Loads the libraries of operators, and compiles `model` unless it is an artifact. --dim goes to
/// the compiler; for an artifact, and for a dimension that another --dim bounds, it is a size of
/// inputs that are made up. Errors are E0140 and E0141 of libraries, E0710 when the model cannot be
/// read, E0721 for a --dim of no form, and those of artifactOf; what the compiler refuses is an
/// exit code in the artifact.
Result<PreparedModel> prepareModel(const std::string &model, const ModelFlags &flags);

} // namespace imbrex::tools
