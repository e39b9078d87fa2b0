#include "tools/imbrex-run/Outputs.h"

#include "formats/npy/Npy.h"
#include "tools/common/Files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace imbrex::tools {

Result<Destinations> Destinations::parse(const std::vector<std::string> &texts) {
  Destinations destinations;
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    if (equals == 0 || text.empty())
      return badInput(726, "'" + text + "' is no place for outputs", "",
                      "--output NAME=FILE.npy or --output FOLDER");
    if (equals != std::string::npos)
      destinations.files.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    else if (destinations.folder.empty())
      destinations.folder = text;
    else
      return badInput(726, "two folders for the outputs",
                      "they are " + destinations.folder + " and " + text, "one --output FOLDER");
  }
  return destinations;
}

Status Destinations::check(const std::vector<Port> &ports,
                           const std::vector<std::string> &read) const {
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string &name = files[i].first;
    if (std::none_of(ports.begin(), ports.end(), [&](const Port &p) { return p.name == name; }))
      return badInput(726, "the model has no output '" + name + "'", "", "imbrex info MODEL");
    for (size_t k = 0; k < i; ++k)
      if (files[k].first == name)
        return badInput(726, "two files for the output '" + name + "'",
                        "they are " + files[k].second + " and " + files[i].second,
                        "one --output for it");
  }
  std::map<std::filesystem::path, std::string> taken;
  for (const Port &port : ports) {
    std::string file = of(port.name);
    if (file.empty())
      continue;
    auto [other, fresh] = taken.emplace(std::filesystem::path(file).lexically_normal(), port.name);
    if (!fresh)
      return badInput(726, "two outputs would go to " + file,
                      "they are '" + other->second + "' and '" + port.name + "'",
                      "--output '" + port.name + "=FILE.npy'");
    for (const std::string &input : read)
      if (isSameFile(file, input))
        return badInput(726, "the output '" + port.name + "' would go to " + file,
                        "the run reads that file", "another name");
  }
  return {};
}

std::string Destinations::of(std::string name) const {
  for (const auto &[output, file] : files)
    if (output == name)
      return file;
  if (folder.empty())
    return "";
  std::replace(name.begin(), name.end(), '/', '_');
  return folder + "/" + name + ".npy";
}

/// A file appears under its name when it is whole; a full disk leaves what was there before.
/// Devices and pipes are written to as they are.
static Status writeWhole(const std::string &file, const HostTensor &tensor) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status there = fs::status(file, failure);
  if (fs::exists(there) && !fs::is_regular_file(there))
    return npy::write(file, tensor);
  const fs::path target = fs::exists(there) ? fs::canonical(file, failure) : fs::path(file);
  const std::string unfinished = target.string() + "." + std::to_string(getpid());
  Status status = npy::write(unfinished, tensor);
  if (status) {
    fs::rename(unfinished, target, failure);
    if (!failure)
      return {};
    status = badInput(726, "cannot write " + file, failure.message());
  }
  fs::remove(unfinished, failure);
  return status;
}

Status Destinations::write(const std::vector<Port> &ports,
                           const std::vector<HostTensor> &outputs) const {
  std::error_code failure;
  if (!folder.empty())
    std::filesystem::create_directories(folder, failure);
  for (size_t i = 0; i < ports.size(); ++i)
    if (std::string file = of(ports[i].name); !file.empty())
      if (Status status = writeWhole(file, outputs[i]); !status)
        return status;
  return {};
}

} // namespace imbrex::tools
