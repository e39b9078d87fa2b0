// The command lines of the programs of this folder.
//
//   return OptionList("bench-sql").value("--seconds S", seconds).flag("--verbose", verbose)
//       .read(count, words);
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace imbrex::sql::bench {

class OptionList {
public:
  explicit OptionList(std::string program) : usage(std::move(program)) {}

  /// `spelling` is the word and the name of its value. Targets outlive read().
  using Target = std::variant<std::string *, double *, int *, unsigned *, uint64_t *, bool *>;
  template <class T> OptionList &value(const std::string &spelling, T &target) {
    usage += " [" + spelling + "]";
    all.emplace_back(spelling.substr(0, spelling.find(' ')), &target);
    return *this;
  }
  OptionList &flag(const std::string &word, bool &target) { return value(word, target); }

  /// False: a word is none of these, lacks its value, or has one that is no number; what there is
  /// was printed.
  bool read(int count, char **words) const;

private:
  std::string usage;
  std::vector<std::pair<std::string, Target>> all;
};

} // namespace imbrex::sql::bench
