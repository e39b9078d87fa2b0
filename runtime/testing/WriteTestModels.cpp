// Writes the test models as NAME.imx into a folder: the fuzz target's corpus and the Python test's
// models.
#include "runtime/module/format/ArtifactWriter.h"
#include "runtime/module/format/Layout.h"
#include "runtime/testing/TestModels.h"

#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

void writeMetadataSection(const imbrex::testing::TestModel &model, const std::string &path) {
  std::vector<std::byte> file = model.bytes();
  imbrex::artifact::SectionRecord s;
  std::memcpy(&s, file.data() + sizeof(imbrex::artifact::FileHeader), sizeof s);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(file.data() + s.offset),
             static_cast<std::streamsize>(s.size));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: imbrex-write-test-models FOLDER\n");
    return 2;
  }
  for (const auto &m : imbrex::testing::allTestModels()) {
    std::string stem = std::string(argv[1]) + "/" + m.name;
    writeMetadataSection(m, stem + ".metadata");
    auto written = imbrex::artifact::writeArtifact(m.spec, stem + ".imx");
    if (!written) {
      std::fprintf(stderr, "%s\n", written.error().str().c_str());
      return 2;
    }
  }
  return 0;
}
