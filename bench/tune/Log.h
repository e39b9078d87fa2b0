// Verdicts of a tuning, a line of JSON each, so that a run that was ended goes on.
#pragma once

#include "bench/tune/Tune.h"

#include <optional>

namespace imbrex::tune {

/// What a verdict is about.
struct Duel {
  Configuration leader, challenger;
  uint64_t leaderCode = 0, challengerCode = 0;
};

class Log {
public:
  /// Reads what is there. A last line that is cut short is dropped; any other that is no verdict is
  /// E0851, since it is somebody else's file. No file: remembers nothing.
  static Result<Log> open(const std::string &file, const std::string &name);
  /// The verdict of the same configurations, machine code and machine.
  std::optional<Verdict> find(const Duel &duel) const;
  /// Appends, so that it survives what comes next.
  Status add(const Duel &duel, const Verdict &verdict);
  /// How many lines were stale or dropped, in words.
  std::vector<std::string> remarks() const;

private:
  std::string file, name, machine;
  std::vector<std::pair<Duel, Verdict>> known;
  int64_t otherMachine = 0;
  mutable int64_t otherCode = 0;
  bool cut = false;
  uint64_t wholeBytes = 0; // without the line that is cut short
};

} // namespace imbrex::tune
