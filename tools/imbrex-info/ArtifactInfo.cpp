#include "runtime/api/imbrex.h"
#include "tools/common/Runtime.h"
#include "tools/imbrex-info/Info.h"

namespace imbrex::tools {

Result<Json> artifactInfo(const std::string &path) {
  Result<Module> module = Module::open(path);
  if (!module)
    return module.takeError();
  Result<Json> said = Json::parse(imbrex_module_info(module->handle()));
  if (!said)
    return internalError(711, "the runtime described " + path + " in words that are not JSON");
  Json info = Json::object().set("kind", "artifact");
  for (const std::string &key : said->keys())
    info.set(key, said->at(key));
  return info;
}

} // namespace imbrex::tools
