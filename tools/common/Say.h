// What the commands print. Text may hold names from models and data of strangers: nothing of it
// reaches a terminal as an order (support/text/Printable.h). The only writer to stdout in tools/.
#pragma once

#include <string_view>

namespace imbrex::tools {

/// printf to stdout; of what comes out, control characters but line breaks and tabs are escaped.
[[gnu::format(printf, 1, 2)]] void say(const char *format, ...);
/// The same to stderr.
[[gnu::format(printf, 1, 2)]] void warn(const char *format, ...);
/// Text as it is, without a format.
void sayText(std::string_view text);
/// And with a line break after it.
void sayLine(std::string_view text);

} // namespace imbrex::tools
