#include "support/text/Markup.h"

namespace imbrex {

std::string escapeMarkup(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      result += ' ';
    else
      result += c;
  }
  return result;
}

std::string escapeScriptData(std::string_view json) {
  std::string result;
  for (char c : json) // such characters stand in strings only
    if (c == '<')
      result += "\\u003c";
    else if (c == '>')
      result += "\\u003e";
    else if (c == '&')
      result += "\\u0026";
    else
      result += c;
  return result;
}

} // namespace imbrex
