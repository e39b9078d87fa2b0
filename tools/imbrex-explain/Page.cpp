#include "support/text/Markup.h"
#include "support/text/Printable.h"
#include "tools/imbrex-explain/Explain.h"
#include "tools/imbrex-explain/PageTexts.h"

#include <map>

namespace imbrex::tools {

/// Each "@name@" of the page once, from left to right; what is put in is not looked at again.
static std::string filled(std::string_view page,
                          const std::map<std::string, std::string, std::less<>> &values) {
  std::string out;
  while (!page.empty()) {
    const size_t start = page.find('@');
    const size_t end = start == page.npos ? page.npos : page.find('@', start + 1);
    auto value =
        end == page.npos ? values.end() : values.find(page.substr(start + 1, end - start - 1));
    const size_t taken = value == values.end() ? std::min(start, page.size() - 1) + 1 : start;
    out += page.substr(0, taken);
    if (value != values.end())
      out += value->second;
    page.remove_prefix(value == values.end() ? taken : end + 1);
  }
  return out;
}

std::string pageOf(const Json &explanation) {
  const std::string model = explanation.at("model").toText();
  std::string script;
  for (std::string_view text :
       {page::layout, page::model, page::graph, page::tables, page::memory, page::main})
    script += text;
  return filled(page::page,
                {{"title", escapeMarkup(printable("What Imbrex made of " + model))},
                 {"subtitle", escapeMarkup(printable(explanation.at("producer").toText()))},
                 {"style", std::string(page::style)},
                 {"script", script},
                 {"data", escapeScriptData(explanation.str())}});
}

} // namespace imbrex::tools
