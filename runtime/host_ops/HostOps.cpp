#include "runtime/host_ops/HostOps.h"

#include "runtime/host_ops/NonZero.h"

namespace imbrex::runtime {
namespace {

struct Entry {
  std::string_view name;
  HostOpFn fn;
};
constexpr Entry table[] = {{"non_zero", nonZero}};

} // namespace

HostOpFn hostOpByName(std::string_view name) {
  for (const Entry &e : table)
    if (e.name == name)
      return e.fn;
  return nullptr;
}

std::vector<std::string_view> hostOpNames() {
  std::vector<std::string_view> names;
  for (const Entry &e : table)
    names.push_back(e.name);
  return names;
}

} // namespace imbrex::runtime
