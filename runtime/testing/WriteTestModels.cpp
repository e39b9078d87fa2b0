// Writes the test models as NAME.imx into a folder: the fuzz target's corpus and the Python test's
// models.
#include "runtime/module/format/ArtifactWriter.h"
#include "runtime/testing/TestModels.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: imbrex-write-test-models FOLDER\n");
    return 2;
  }
  for (const auto &m : imbrex::testing::allTestModels()) {
    auto written =
        imbrex::artifact::writeArtifact(m.spec, std::string(argv[1]) + "/" + m.name + ".imx");
    if (!written) {
      std::fprintf(stderr, "%s\n", written.error().str().c_str());
      return 2;
    }
  }
  return 0;
}
