#include "bench/sql/Options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace imbrex::sql::bench {

namespace {

bool assign(std::string *target, const char *text) {
  *target = text;
  return true;
}

template <class Number> bool assign(Number *target, const char *text) {
  const char *end = text + std::strlen(text);
  auto [rest, error] = std::from_chars(text, end, *target);
  return error == std::errc() && rest == end && text != end;
}

bool assign(bool *, const char *) { return false; }

} // namespace

bool OptionList::read(int count, char **words) const {
  bool good = true;
  for (int i = 1; i < count && good; ++i) {
    auto it = std::find_if(all.begin(), all.end(),
                           [&](const auto &option) { return option.first == words[i]; });
    if (it == all.end())
      good = false;
    else if (bool *const *flag = std::get_if<bool *>(&it->second))
      **flag = true;
    else
      good = ++i < count &&
             std::visit([&](auto *target) { return assign(target, words[i]); }, it->second);
  }
  if (!good)
    std::fprintf(stderr, "%s\n", usage.c_str());
  return good;
}

} // namespace imbrex::sql::bench
