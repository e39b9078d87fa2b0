#include "tools/common/Terminal.h"

#include "tools/common/Say.h"

#include <algorithm>
#include <chrono>
#include <sys/ioctl.h>
#include <unistd.h>

namespace imbrex::tools {

namespace {

/// Characters of UTF-8 text, each taken for a column wide.
size_t width(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Where further lines begin: behind the first gap of the line, if that leaves half of it.
size_t hangingIndent(std::string_view line, size_t columns) {
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return 0;
  const size_t gap = line.find("  ", first);
  const size_t text = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  const size_t indent = text == std::string_view::npos ? first : width(line.substr(0, text));
  return indent <= columns / 2 ? indent : std::min(first, columns / 2);
}

void wrapLine(std::string_view line, size_t columns, std::string &out) {
  const size_t indent = hangingIndent(line, columns);
  for (size_t filled = 0; filled + width(line) > columns;) {
    // The last blank in front of which the line fits, behind its first word.
    size_t end = std::string_view::npos, used = filled;
    for (size_t i = 0; i < line.size() && used <= columns; ++i) {
      if (line[i] == ' ' && line.find_first_not_of(' ') < i)
        end = i;
      used += (line[i] & 0xc0) != 0x80;
    }
    if (end == std::string_view::npos)
      end = line.find(' ', std::min(line.find_first_not_of(' '), line.size()));
    if (end == std::string_view::npos)
      break;
    const size_t next = line.find_first_not_of(' ', end);
    if (next == std::string_view::npos)
      break;
    out.append(line.substr(0, end)).append("\n").append(indent, ' ');
    line.remove_prefix(next);
    filled = indent;
  }
  out += line;
}

} // namespace

size_t terminalColumns() {
  winsize size{};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string wrapped(std::string_view text, size_t columns) {
  if (columns == 0)
    return std::string(text);
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    wrapLine(text.substr(begin, end - begin), columns, out);
    if (end < text.size())
      out += '\n';
    begin = end + 1;
  }
  return out;
}

Patience::Patience(std::string what) {
  if (!isatty(STDERR_FILENO))
    return;
  watch = std::thread([this, what = std::move(what)] {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(2), [this] { return done; }))
      warn("%s: still at work\n", what.c_str());
  });
}

Patience::~Patience() {
  {
    std::scoped_lock lock(mutex);
    done = true;
  }
  changed.notify_one();
  if (watch.joinable())
    watch.join();
}

} // namespace imbrex::tools
