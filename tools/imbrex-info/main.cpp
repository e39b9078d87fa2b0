// imbrex info: what a model or an artifact holds. Links no LLVM.
#include "support/text/Printable.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Files.h"
#include "tools/common/Say.h"
#include "tools/common/TensorText.h"
#include "tools/imbrex-info/Info.h"

#include <cstdio>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

bool isByteCount(const std::string &key) { return key.ends_with("bytes") || key == "size"; }

/// Up to some sixty characters of a list, and how many there are where that is not all; --json has
/// the rest.
std::string listText(const Json &list) {
  std::string text;
  std::vector<Json> items = list.items();
  for (const Json &item : items) {
    std::string next = (text.empty() ? "" : " ") + printable(item.toText());
    if (!text.empty() && text.size() + next.size() > 60)
      return text + " … (" + std::to_string(items.size()) + ")";
    text += next;
  }
  return text;
}

std::string scalarText(const std::string &key, const Json &value) {
  if (value.isArray())
    return listText(value);
  return isByteCount(key) ? byteText(static_cast<uint64_t>(value.toInt()))
                          : printable(value.toText());
}

/// "[n,?,4]": a size is a number, a name, or null where it has none.
std::string shapeText(const Json &shape) {
  std::vector<std::string> sizes;
  for (const Json &size : shape.items())
    sizes.push_back(size.isNull() ? "?" : printable(size.toText()));
  return "[" + joined(sizes, ",") + "]";
}

/// One line for an item of a list: an object's values side by side, with names for all but the
/// first.
std::string itemText(const Json &item) {
  if (!item.isObject())
    return printable(item.toText());
  if (!item.at("dtype").isNull() && item.at("shape").isArray())
    return printable(item.at("name").toText()) + "  " + item.at("dtype").toText() +
           shapeText(item.at("shape"));
  std::string text;
  int place = 0;
  for (const std::string &key : item.keys()) {
    Json value = item.at(key);
    if (value.isArray() && value.items().empty())
      continue;
    text += (place == 0 ? "" : "  ") + (place == 0 || key == "type" ? "" : key + " ") +
            scalarText(key, value);
    ++place;
  }
  return text;
}

void print(const Json &info) {
  for (const std::string &key : info.keys()) {
    Json value = info.at(key);
    if (value.isArray() && !value.items().empty()) {
      say("%s\n", printable(key).c_str());
      for (const Json &item : value.items())
        say("  %s\n", itemText(item).c_str());
    } else if (value.isObject() && !value.keys().empty()) {
      say("%s\n", printable(key).c_str());
      const std::vector<std::string> names = value.keys();
      const std::vector<Json> values = value.values();
      for (size_t i = 0; i < names.size(); ++i)
        say("  %-24s %s\n", printable(names[i]).c_str(), scalarText(names[i], values[i]).c_str());
    } else if (!value.isArray() && !value.isObject() && !value.toText().empty()) {
      say("%-14s %s\n", key.c_str(), scalarText(key, value).c_str());
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line("info", "What a model holds: inputs, outputs, dimensions, operators, sizes.");
  std::string path;
  bool json = false;
  line.positional("MODEL", path, ".onnx model or .imx artifact").flag("--json", json, "print JSON");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Result<ModelKind> kind = modelKindOf(path);
    if (!kind)
      return kind.takeError();
    Result<Json> info = *kind == ModelKind::Artifact ? artifactInfo(path) : onnxInfo(path);
    if (!info)
      return info.takeError();
    if (json)
      say("%s\n", info->str().c_str());
    else
      print(*info);
    return ExitCode::Good;
  });
}
