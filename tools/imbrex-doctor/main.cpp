// imbrex doctor: what was found on this machine. Links no LLVM.
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/common/TensorText.h"
#include "tools/imbrex-doctor/Machine.h"

#include <cstdio>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

std::string valueText(const std::string &key, const Json &value) {
  if (value.isNull())
    return "not found";
  if (key == "total" || key == "available" || key == "cgroup_limit" || key == "page" ||
      key == "models" || key == "kernels")
    return byteText(static_cast<uint64_t>(value.toInt()));
  if (!value.isArray())
    return value.toText();
  std::string text;
  for (const Json &item : value.items())
    text += (text.empty() ? "" : " ") + item.toText();
  return text;
}

void print(const Json &machine) {
  say("imbrex %s\n", machine.at("imbrex").toText().c_str());
  for (const char *section :
       {"system", "cpu", "threads", "memory", "programs", "engines", "cache"}) {
    say("%s\n", section);
    Json part = machine.at(section);
    for (const std::string &key : part.keys()) {
      // No quota and no limit is the usual state, not a lack of knowledge.
      bool none = part.at(key).isNull() && key.starts_with("cgroup_");
      say("  %-14s %s\n", key.c_str(), none ? "none" : valueText(key, part.at(key)).c_str());
    }
  }
  for (const Json &remark : machine.at("remarks").items())
    say("remark: %s\n", remark.toText().c_str());
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line("doctor",
                   "What was found on this machine: processor, threads, memory, programs, "
                   "optional engines, what is kept.");
  bool json = false;
  line.flag("--json", json, "print JSON");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Json machine = examineMachine();
    if (json)
      say("%s\n", machine.str().c_str());
    else
      print(machine);
    return ExitCode::Good;
  });
}
