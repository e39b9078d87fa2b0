// Where outputs go: --output FOLDER for all of them, --output NAME=FILE.npy for one.
#pragma once

#include "tools/common/Runtime.h"

#include <string>
#include <utility>
#include <vector>

namespace imbrex::tools {

class Destinations {
public:
  /// E0726 for a text that has no such form, and for a second folder.
  static Result<Destinations> parse(const std::vector<std::string> &texts);

  /// E0726 when a file is meant for an output that the model does not have, when two outputs would
  /// go to one file, or when a file is one of `read`, which the run reads.
  Status check(const std::vector<Port> &ports, const std::vector<std::string> &read) const;

  /// The file for an output; "" for none. In a folder, '/' in a name becomes '_'.
  std::string of(std::string name) const;

  Status write(const std::vector<Port> &ports, const std::vector<HostTensor> &outputs) const;

private:
  std::string folder;
  std::vector<std::pair<std::string, std::string>> files;
};

} // namespace imbrex::tools
