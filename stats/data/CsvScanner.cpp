#include "stats/data/CsvScanner.h"

#include <algorithm>
#include <array>

namespace imbrex::stats {
namespace {

/// Fields of each of the first records under `delimiter`, quotes respected.
std::vector<size_t> fieldCounts(std::string_view text, char delimiter) {
  std::vector<size_t> counts;
  size_t fields = 1;
  bool quoted = false, any = false;
  text = text.substr(0, 1 << 16);
  for (size_t i = 0; i < text.size() && counts.size() < 200; ++i) {
    char c = text[i];
    if (c == '"')
      quoted = !quoted;
    if (!quoted && (c == '\n' || c == '\r')) {
      if (any)
        counts.push_back(fields);
      fields = 1;
      any = false;
      continue;
    }
    any = true;
    fields += !quoted && c == delimiter;
  }
  // The last line may be cut off by the limit; it counts where it is all there is.
  if (any && (counts.empty() || text.size() < (1 << 16)))
    counts.push_back(fields);
  return counts;
}

constexpr std::array<char, 4> candidates{',', ';', '\t', '|'};

/// Where no delimiter makes all rows even: that under which the header has several fields and most
/// rows as many, so that the odd row can be named.
char delimiterOfMostRows(std::string_view text) {
  char best = 0;
  double most = 0.5;
  for (char candidate : candidates) {
    std::vector<size_t> counts = fieldCounts(text, candidate);
    if (counts.size() < 2 || counts[0] < 2)
      continue;
    auto same = static_cast<double>(std::count(counts.begin() + 1, counts.end(), counts[0]));
    if (double share = same / static_cast<double>(counts.size() - 1); share > most) {
      most = share;
      best = candidate;
    }
  }
  return best;
}

} // namespace

char detectDelimiter(std::string_view text) {
  char best = 0;
  size_t most = 1;
  for (char candidate : candidates) {
    std::vector<size_t> counts = fieldCounts(text, candidate);
    bool even = !counts.empty();
    for (size_t i = 1; i < counts.size(); ++i) // row names: the header may have one less
      even &= counts[i] == counts[counts.size() > 1 ? 1 : 0];
    if (even && counts.size() > 1)
      even = counts[0] == counts[1] || counts[0] + 1 == counts[1];
    // A header "x" over "0,5" is one column with decimal commas, not two.
    bool lonely = counts.size() > 1 && counts[0] == 1;
    if (even && !lonely && counts.back() > most) {
      most = counts.back();
      best = candidate;
    }
  }
  return best ? best : delimiterOfMostRows(text);
}

bool CsvScanner::fail(Error e) {
  error = std::move(e);
  at = text.size();
  return false;
}

/// At a line break: steps over it.
bool CsvScanner::endLine() {
  if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') {
    ++pairs;
    at += 2;
  } else {
    ++(text[at] == '\r' ? returns : lineFeeds);
    ++at;
  }
  ++line;
  return true;
}

void CsvScanner::skipLine() {
  while (at < text.size() && text[at] != '\n' && text[at] != '\r')
    ++at;
  if (at < text.size())
    endLine();
}

std::string CsvScanner::lineEnds() const {
  int kinds = (lineFeeds > 0) + (pairs > 0) + (returns > 0);
  return kinds > 1 ? "mixed" : pairs ? "CRLF" : returns ? "CR" : "LF";
}

bool CsvScanner::quotedField(Cell &cell) {
  uint32_t openLine = line;
  size_t in = ++at, out = in;
  while (true) {
    if (in >= text.size())
      return fail(badInput(1203, "a quoted field does not end", "its opening quote stands here",
                           "a closing quote, or two quotes for one inside the field",
                           {file, openLine, 0}));
    char c = text[in];
    if (c == '"') {
      if (in + 1 < text.size() && text[in + 1] == '"')
        ++in;
      else
        break;
    }
    if (c == '\n' || (c == '\r' && !(in + 1 < text.size() && text[in + 1] == '\n')))
      ++line;
    text[out++] = text[in++];
  }
  cell.offset = at;
  cell.length = std::min<uint64_t>(out - at, Cell::maxLength);
  cell.quoted = 1;
  bool tooLong = out - at > Cell::maxLength;
  for (; out < in; ++out) // what doubled quotes left over; no line break may appear twice
    text[out] = ' ';
  at = in + 1;
  if (tooLong)
    return fail(badInput(1206, "a field is longer than 8 MiB", "", "", {file, openLine, 0}));
  if (at < text.size() && text[at] != delimiter && text[at] != '\n' && text[at] != '\r')
    return fail(badInput(1203, "text follows the closing quote of a field", "",
                         "two quotes for one inside a quoted field", {file, line, 0}));
  return true;
}

bool CsvScanner::field(std::vector<Cell> &fields) {
  Cell cell{};
  if (at < text.size() && text[at] == '"') {
    if (!quotedField(cell))
      return false;
  } else {
    size_t start = at;
    const char *s = text.data();
    size_t n = text.size();
    char stop = delimiter ? delimiter : '\n';
    while (at < n && s[at] != stop && s[at] != '\n' && s[at] != '\r')
      ++at;
    if (at - start > Cell::maxLength)
      return fail(badInput(1206, "a field is longer than 8 MiB", "", "", {file, line, 0}));
    cell.offset = start;
    cell.length = at - start;
  }
  if (fields.size() > columnLimit)
    return fail(badInput(columnLimit >= 100'000 ? 1206 : 1204,
                         "a row has more than " + std::to_string(columnLimit) + " fields", "",
                         "another `delimiter:` in the study's data block", {file, line, 0}));
  fields.push_back(cell);
  return true;
}

bool CsvScanner::next(std::vector<Cell> &fields) {
  fields.clear();
  while (at < text.size() && (text[at] == '\n' || text[at] == '\r')) {
    ++blanks;
    endLine();
  }
  recordStart = line;
  while (at < text.size()) {
    if (!field(fields))
      return false;
    if (at >= text.size())
      return true;
    if (text[at] == '\n' || text[at] == '\r')
      return endLine();
    if (++at == text.size()) { // a delimiter at the very end: an empty last field
      Cell empty{};
      empty.offset = at;
      fields.push_back(empty);
    }
  }
  return !fields.empty();
}

} // namespace imbrex::stats
