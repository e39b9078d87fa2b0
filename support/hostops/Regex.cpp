#include "support/hostops/Regex.h"

#include "support/hostops/Utf8.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

namespace imbrex {

using namespace hostops;
using Instruction = Regex::Instruction;
using Kind = Instruction::Kind;

static constexpr size_t kMaxInstructions = 100000;
static constexpr size_t kMaxRanges = 1 << 20;
static constexpr int kMaxDepth = 200, kMaxRepeat = 1000;
static constexpr uint32_t kLastCodePoint = 0x10ffff;

bool Regex::Set::contains(uint32_t c) const {
  return negated !=
         std::ranges::any_of(ranges, [&](const auto &r) { return c >= r.first && c <= r.second; });
}

namespace {

/// What a pattern says, before it is code.
struct Node {
  enum class Kind : uint8_t { Empty, Set, Edge, Sequence, Either, Repeat } kind = Kind::Empty;
  Regex::Set set;
  Instruction::Kind edge = Instruction::Kind::Begin;
  std::vector<std::unique_ptr<Node>> parts;
  int least = 0, most = -1; // -1: any number
};
using NodePtr = std::unique_ptr<Node>;

NodePtr node(Node::Kind kind) {
  auto n = std::make_unique<Node>();
  n->kind = kind;
  return n;
}

class Parser {
public:
  explicit Parser(std::string_view pattern) : pattern(pattern) {}

  NodePtr run() {
    NodePtr n = either(0);
    if (!failed && at < pattern.size())
      fail("')' without '('");
    return n;
  }
  std::optional<Error> failed;

private:
  NodePtr either(int depth);
  NodePtr sequence(int depth);
  NodePtr repeated(NodePtr n);
  NodePtr atom(int depth);
  NodePtr group(int depth);
  NodePtr escape();
  NodePtr setNode(Regex::Set set);
  bool bounds(int &least, int &most);
  bool flags();
  Regex::Set bracket();
  std::optional<Regex::Set> shorthand(uint32_t letter);
  std::optional<uint32_t> escapedCharacter();
  std::optional<uint32_t> hexadecimal();

  bool more() const { return at < pattern.size() && !failed; }
  bool next(std::string_view word) {
    if (!pattern.substr(at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }
  void fail(const std::string &why) {
    if (!failed)
      failed = badInput(242, "'" + std::string(pattern) + "' is no regular expression",
                        why + " at byte " + std::to_string(at));
  }

  std::string_view pattern;
  size_t at = 0;
  size_t ranges = 0; // of all sets
  bool ignoreCase = false, dotAll = false;
};

NodePtr Parser::either(int depth) {
  if (depth > kMaxDepth) {
    fail("groups nest more than " + std::to_string(kMaxDepth) + " deep");
    return node(Node::Kind::Empty);
  }
  const bool caseBefore = ignoreCase, dotBefore = dotAll; // flags end with their group
  NodePtr n = node(Node::Kind::Either);
  do
    n->parts.push_back(sequence(depth));
  while (more() && next("|"));
  ignoreCase = caseBefore, dotAll = dotBefore;
  return n->parts.size() == 1 ? std::move(n->parts[0]) : std::move(n);
}

NodePtr Parser::sequence(int depth) {
  NodePtr n = node(Node::Kind::Sequence);
  while (more() && pattern[at] != '|' && pattern[at] != ')')
    n->parts.push_back(repeated(atom(depth)));
  return n;
}

bool Parser::bounds(int &least, int &most) {
  const size_t before = at;
  auto number = [&](int &out) {
    const size_t start = at;
    for (out = 0; at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9'; ++at)
      out = std::min(out * 10 + (pattern[at] - '0'), kMaxRepeat + 1);
    return at > start;
  };
  if (next("{") && number(least)) {
    most = least;
    if (next(",") && !number(most))
      most = -1;
    if (next("}"))
      return true;
  }
  at = before; // a brace that bounds nothing is a letter
  return false;
}

NodePtr Parser::repeated(NodePtr n) {
  for (int times = 0; more(); ++times) {
    int least = 0, most = -1;
    if (next("*")) {
    } else if (next("+")) {
      least = 1;
    } else if (next("?")) {
      most = 1;
    } else if (!bounds(least, most)) {
      break;
    }
    if (least > kMaxRepeat || most > kMaxRepeat || (most >= 0 && most < least) || times > kMaxDepth)
      fail("a bad number of repetitions");
    (void)next("?"); // whether the longest or the shortest is meant makes no whole match
    NodePtr outer = node(Node::Kind::Repeat);
    outer->least = least, outer->most = most;
    outer->parts.push_back(std::move(n));
    n = std::move(outer);
  }
  return n;
}

NodePtr Parser::setNode(Regex::Set set) {
  if (ignoreCase) {
    const size_t count = set.ranges.size();
    for (size_t i = 0; i < count; ++i) {
      const auto [from, to] = set.ranges[i];
      for (uint32_t c = from; c <= to && c < 0x2000; ++c)
        for (uint32_t other : {lowerCase(c), upperCase(c)})
          if (other != c)
            set.ranges.emplace_back(other, other);
    }
  }
  if ((ranges += set.ranges.size()) > kMaxRanges)
    fail("so many classes of characters");
  NodePtr n = node(Node::Kind::Set);
  n->set = std::move(set);
  return n;
}

NodePtr Parser::atom(int depth) {
  auto edge = [](Kind kind) {
    NodePtr n = node(Node::Kind::Edge);
    n->edge = kind;
    return n;
  };
  if (next("("))
    return group(depth);
  if (next("["))
    return setNode(bracket());
  if (next("."))
    return setNode(dotAll ? Regex::Set{{}, true} : Regex::Set{{{'\n', '\n'}}, true});
  if (next("^"))
    return edge(Kind::Begin);
  if (next("$"))
    return edge(Kind::End);
  if (next("\\"))
    return escape();
  if (std::string_view("*+?").find(pattern[at]) != std::string_view::npos) {
    fail("a repetition of nothing");
    return node(Node::Kind::Empty);
  }
  const uint32_t c = nextCodePoint(pattern, at);
  return setNode({{{c, c}}, false});
}

/// Behind "(?": letters that hold until the group ends; true where a ':' follows them.
bool Parser::flags() {
  for (bool on = true; more();) {
    if (next("-"))
      on = false;
    else if (next("i"))
      ignoreCase = on;
    else if (next("s"))
      dotAll = on;
    else if (next("U"))
      continue; // the shortest first: no whole match depends on it
    else if (next(":"))
      return true;
    else if (pattern[at] == ')')
      return false;
    else
      fail("a flag or group that is not supported");
  }
  return false;
}

NodePtr Parser::group(int depth) {
  const bool caseBefore = ignoreCase, dotBefore = dotAll;
  if (next("?P<") || (pattern.substr(at).starts_with("?<") && next("?<"))) {
    const size_t end = pattern.find('>', at);
    if (end == std::string_view::npos)
      fail("a group's name does not end");
    else
      at = end + 1;
  } else if (next("?") && !flags()) { // the flags hold for what follows in the outer group
    if (!next(")"))
      fail("a group does not end");
    return node(Node::Kind::Empty);
  }
  NodePtr n = either(depth + 1);
  ignoreCase = caseBefore, dotAll = dotBefore;
  if (!failed && !next(")"))
    fail("a group does not end");
  return n;
}

std::optional<Regex::Set> Parser::shorthand(uint32_t letter) {
  Regex::Set set;
  switch (letter) {
  case 'd':
  case 'D':
    set.ranges = {{'0', '9'}};
    break;
  case 's':
  case 'S':
    set.ranges = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    break;
  case 'w':
  case 'W':
    set.ranges = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    break;
  default:
    return std::nullopt;
  }
  set.negated = letter < 'a';
  return set;
}

std::optional<uint32_t> Parser::hexadecimal() {
  auto digit = [&](uint32_t &value) {
    if (!more())
      return false;
    const char c = pattern[at];
    const int d = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
    if (d < 0)
      return false;
    ++at;
    value = std::min(value * 16 + static_cast<uint32_t>(d), kLastCodePoint + 1);
    return true;
  };
  uint32_t value = 0;
  if (next("{")) {
    while (digit(value)) {
    }
    return next("}") && value <= kLastCodePoint ? std::optional(value) : std::nullopt;
  }
  return digit(value) && digit(value) ? std::optional(value) : std::nullopt;
}

/// What follows a backslash, as one character; nothing (and it fails) for a letter without meaning.
std::optional<uint32_t> Parser::escapedCharacter() {
  if (!more()) {
    fail("a backslash at the end");
    return std::nullopt;
  }
  const uint32_t c = nextCodePoint(pattern, at);
  constexpr std::string_view kNamed = "afnrtv", kValues = "\a\f\n\r\t\v";
  if (c < 128)
    if (size_t k = kNamed.find(static_cast<char>(c)); k != std::string_view::npos)
      return static_cast<uint32_t>(kValues[k]);
  if (c == 'x') {
    auto value = hexadecimal();
    if (!value)
      fail("a bad hexadecimal character");
    return value;
  }
  const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (letter) {
    fail("an escape that is not supported");
    return std::nullopt;
  }
  return c;
}

NodePtr Parser::escape() {
  auto edge = [](Kind kind) {
    NodePtr n = node(Node::Kind::Edge);
    n->edge = kind;
    return n;
  };
  if (next("b"))
    return edge(Kind::WordEdge);
  if (next("B"))
    return edge(Kind::NoWordEdge);
  if (next("A"))
    return edge(Kind::Begin);
  if (next("z"))
    return edge(Kind::End);
  if (next("Q")) {
    NodePtr n = node(Node::Kind::Sequence);
    while (at < pattern.size() && !next("\\E")) {
      const uint32_t c = nextCodePoint(pattern, at);
      n->parts.push_back(setNode({{{c, c}}, false}));
    }
    return n;
  }
  if (at < pattern.size())
    if (auto set = shorthand(static_cast<uint8_t>(pattern[at]))) {
      ++at;
      return setNode(std::move(*set));
    }
  const uint32_t c = escapedCharacter().value_or(0);
  return setNode({{{c, c}}, false});
}

/// Everything but a set, as ranges.
static void addOpposite(Regex::Set &to, Regex::Set set) {
  std::ranges::sort(set.ranges);
  uint32_t from = 0;
  for (const auto &[first, last] : set.ranges) {
    if (first > from)
      to.ranges.emplace_back(from, first - 1);
    from = std::max(from, last + 1);
  }
  if (from <= kLastCodePoint)
    to.ranges.emplace_back(from, kLastCodePoint);
}

static std::optional<Regex::Set> namedClass(std::string_view name) {
  using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;
  const std::pair<std::string_view, Ranges> kClasses[] = {
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 127}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 31}, {127, 127}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  };
  for (const auto &[known, ranges] : kClasses)
    if (known == name)
      return Regex::Set{ranges, false};
  return std::nullopt;
}

Regex::Set Parser::bracket() {
  Regex::Set set;
  set.negated = next("^");
  auto include = [&](const Regex::Set &other, bool opposite) {
    if (opposite)
      addOpposite(set, other);
    else
      set.ranges.insert(set.ranges.end(), other.ranges.begin(), other.ranges.end());
  };
  for (bool first = true; more(); first = false) {
    if (!first && next("]"))
      return set;
    if (next("[:")) {
      const bool opposite = next("^");
      const size_t end = pattern.find(":]", at);
      auto named =
          end == std::string_view::npos ? std::nullopt : namedClass(pattern.substr(at, end - at));
      if (!named) {
        fail("a class of characters that is not known");
        return set;
      }
      at = end + 2;
      include(*named, opposite);
      continue;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size())
      if (auto short_ = shorthand(static_cast<uint8_t>(pattern[at + 1]))) {
        at += 2;
        include(*short_, short_->negated);
        continue;
      }
    auto character = [&]() -> uint32_t {
      return next("\\") ? escapedCharacter().value_or(0) : nextCodePoint(pattern, at);
    };
    const uint32_t from = character();
    uint32_t to = from;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      to = character();
    }
    if (to < from)
      fail("a range of characters is backwards");
    set.ranges.emplace_back(from, to);
  }
  fail("a class of characters does not end");
  return set;
}

/// Code of a pattern; false when there is too much of it.
class Emitter {
public:
  std::vector<Instruction> code;
  std::vector<Regex::Set> sets;

  bool emit(const Node &n) {
    if (code.size() > kMaxInstructions)
      return false;
    switch (n.kind) {
    case Node::Kind::Empty:
      return true;
    case Node::Kind::Set:
      return put({Kind::Set, setOf(n), 0});
    case Node::Kind::Edge:
      return put({n.edge, 0, 0});
    case Node::Kind::Sequence:
      return std::ranges::all_of(n.parts, [&](const NodePtr &p) { return emit(*p); });
    case Node::Kind::Either:
      return either(n);
    case Node::Kind::Repeat:
      return repeat(n);
    }
    return false;
  }

private:
  /// One for all repetitions.
  uint32_t setOf(const Node &n) {
    auto [it, isNew] = known.try_emplace(&n, static_cast<uint32_t>(sets.size()));
    if (isNew)
      sets.push_back(n.set);
    return it->second;
  }
  std::unordered_map<const Node *, uint32_t> known;

  uint32_t here() const { return static_cast<uint32_t>(code.size()); }
  bool put(Instruction i) {
    code.push_back(i);
    return code.size() <= kMaxInstructions;
  }

  bool either(const Node &n) {
    std::vector<uint32_t> ends;
    for (size_t k = 0; k < n.parts.size(); ++k) {
      const uint32_t split = here();
      if (k + 1 < n.parts.size() && !put({Kind::Split, split + 1, 0}))
        return false;
      if (!emit(*n.parts[k]))
        return false;
      if (k + 1 == n.parts.size())
        break;
      ends.push_back(here());
      put({Kind::Jump, 0, 0});
      code[split].b = here();
    }
    for (uint32_t end : ends)
      code[end].a = here();
    return true;
  }

  bool repeat(const Node &n) {
    for (int k = 0; k < n.least; ++k)
      if (!emit(*n.parts[0]))
        return false;
    if (n.most < 0) { // split body jump
      const uint32_t split = here();
      put({Kind::Split, split + 1, 0});
      if (!emit(*n.parts[0]))
        return false;
      put({Kind::Jump, split, 0});
      code[split].b = here();
      return true;
    }
    std::vector<uint32_t> splits;
    for (int k = n.least; k < n.most; ++k) {
      splits.push_back(here());
      put({Kind::Split, here() + 1, 0});
      if (!emit(*n.parts[0]))
        return false;
    }
    for (uint32_t split : splits)
      code[split].b = here();
    return true;
  }
};

bool isWord(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

} // namespace

Result<Regex> Regex::parse(std::string_view pattern) {
  Parser parser(pattern);
  NodePtr root = parser.run();
  if (parser.failed)
    return std::move(*parser.failed);
  Emitter emitter;
  if (!emitter.emit(*root))
    return badInput(242, "a regular expression is too large",
                    "it comes to more than " + std::to_string(kMaxInstructions) + " instructions");
  emitter.code.push_back({Kind::Match, 0, 0});
  Regex r;
  r.code = std::move(emitter.code);
  r.sets = std::move(emitter.sets);
  return r;
}

bool Regex::matchesWhole(std::string_view text) const {
  std::vector<uint32_t> now, then, open;
  std::vector<size_t> seen(code.size(), SIZE_MAX); // the step at which an instruction was reached
  size_t at = 0, step = 0;
  bool matched = false, wordBefore = false;
  auto reach = [&](uint32_t start, std::vector<uint32_t> &list) {
    size_t ahead = at;
    const bool end = at == text.size();
    const bool edge = wordBefore != (!end && isWord(nextCodePoint(text, ahead)));
    open = {start};
    while (!open.empty()) {
      const uint32_t pc = open.back();
      open.pop_back();
      if (seen[pc] == step)
        continue;
      seen[pc] = step;
      const Instruction &i = code[pc];
      switch (i.kind) {
      case Kind::Set:
        list.push_back(pc);
        break;
      case Kind::Split:
        open.push_back(i.b);
        [[fallthrough]];
      case Kind::Jump:
        open.push_back(i.a);
        break;
      case Kind::Match:
        matched |= end;
        break;
      default:
        if (i.kind == Kind::Begin      ? at == 0
            : i.kind == Kind::End      ? end
            : i.kind == Kind::WordEdge ? edge
                                       : !edge)
          open.push_back(pc + 1);
      }
    }
  };
  reach(0, now);
  while (at < text.size() && !now.empty()) {
    const uint32_t c = nextCodePoint(text, at);
    wordBefore = isWord(c);
    ++step;
    then.clear();
    for (uint32_t pc : now)
      if (sets[code[pc].a].contains(c))
        reach(pc + 1, then);
    std::swap(now, then);
  }
  return matched;
}

} // namespace imbrex
