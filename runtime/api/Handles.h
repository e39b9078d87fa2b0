// What is behind the opaque pointers of imbrex.h, and how errors become statuses.
#pragma once

#include "runtime/api/imbrex.h"
#include "runtime/vm/Context.h"

#include <cstring>
#include <new>

/// A port as C sees it; pointers stay valid as long as the module.
struct ImbrexPortStore {
  std::vector<int64_t> shape;
  std::vector<const char *> names;
};

struct ImbrexModule {
  std::shared_ptr<imbrex::runtime::Module> module;
  std::vector<ImbrexPortStore> inputs, outputs;
};

struct ImbrexContext {
  std::unique_ptr<imbrex::runtime::Context> context;
};

namespace imbrex::runtime {

/// Records the thread's last error and returns its status.
ImbrexStatus report(const Error &error);
/// A wrong use of the interface: E0200.
ImbrexStatus misuse(const char *what);

/// Runs `body`, which returns an ImbrexStatus; no exception crosses the C boundary.
template <class Body> ImbrexStatus guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return report(badInput(250, "no memory"));
  } catch (...) {
    return report(internalError(270, "an unexpected exception"));
  }
}

/// The caller's struct as far as both sides know it; the rest stays zero.
template <class Options> Options readOptions(const Options *options) {
  Options known{};
  if (options)
    std::memcpy(&known, options, options->size < sizeof(Options) ? options->size : sizeof(Options));
  return known;
}

} // namespace imbrex::runtime
