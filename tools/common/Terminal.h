// Whoever sits at a terminal: lines that end at words, and a word when something takes long.
// Programs that read the output get it as it is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace imbrex::tools {

/// Columns of the terminal that stdout is; 0 where it is none.
size_t terminalColumns();

/// Breaks lines of more than `columns` characters at blanks; 0 breaks none. What follows stands
/// under the text behind the first gap of two and more blanks, or under the first word. A word that
/// is longer than a line stays whole. Linear.
std::string wrapped(std::string_view text, size_t columns);

/// While it lives: after two seconds, once, a line on stderr that says that `what` is still at
/// work. Silent where stderr is no terminal.
class Patience {
public:
  explicit Patience(std::string what);
  ~Patience();
  Patience(const Patience &) = delete;
  Patience &operator=(const Patience &) = delete;

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread watch;
};

} // namespace imbrex::tools
