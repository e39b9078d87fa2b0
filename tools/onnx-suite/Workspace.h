// A folder of its own in the temporary one, removed with its content.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace imbrex::suite {

class Workspace {
public:
  Workspace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "onnx-suite-XXXXXX").string();
    if (mkdtemp(pattern.data()))
      path = pattern;
  }
  ~Workspace() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  std::string path; // "" when it could not be made
};

} // namespace imbrex::suite
