// What follows `hypothesis`:
//
//   Illiteracy, Life Exp                     related in some way
//   Prob by So                               the groups of So differ in Prob
//   Prob by So: 1 > 0                        … in this direction
//   Score by Group: A > B > C, A = C within 2    a partial order
//   Prob by So: 1 > 1.5 * 0                  a scaled difference
//   Score by Group given Age                 with a covariate
//   Mpg ~ -Wt + Hp                           linear, with signs
//   Score > 50                               against a constant
//   Position, Creativity: Position: 1 > 6    the published form
#include "stats/language/LineReader.h"
#include "stats/language/ReadStudy.h"

namespace imbrex::stats {
namespace {

std::optional<Order> takeOrder(LineReader &in) {
  if (in.take(">"))
    return Order::Greater;
  if (in.take("<"))
    return Order::Less;
  if (in.take("!="))
    return Order::Different;
  if (in.take("==") || in.take("="))
    return Order::Equal;
  return std::nullopt;
}

/// `A > B > 1.5 * C`: each neighbouring pair is a comparison.
void readChain(LineReader &in, Hypothesis &h) {
  Place place = in.place();
  std::string left = in.name("a category", {"within", "given"});
  bool any = false;
  while (in.ok()) {
    std::optional<Order> order = takeOrder(in);
    if (!order)
      break;
    any = true;
    Comparison c{left, "", *order};
    c.place = place;
    place = in.place();
    c.right = in.name("a category", {"within", "given"});
    if (in.nextIs("*")) {
      std::optional<double> factor = parseNumber(c.right, {});
      if (!factor || *factor <= 0)
        in.failAt(place, 1236, "the factor before '*' is no positive number",
                  "'" + c.right + "' stands here");
      in.take("*");
      c.factor = factor.value_or(1);
      c.right = in.name("a category", {"within", "given"});
    }
    if (in.takeWord("within"))
      c.margin = in.number("the margin after 'within'");
    left = c.right;
    h.comparisons.push_back(std::move(c));
  }
  if (!any && in.ok())
    in.fail(1231, "a comparison is missing after category '" + left + "'", "",
            "'" + left + " > OTHER', '<', '!=' or '='");
}

/// After the colon; the name of the variable may be repeated, as in the published programs.
void readComparisons(LineReader &in, Hypothesis &h) {
  LineReader ahead = in;
  std::string first = ahead.name("a category", {"within", "given"});
  if (ahead.ok() && ahead.take(":")) {
    h.compared = first;
    in = ahead;
  }
  do
    readChain(in, h);
  while (in.ok() && in.take(","));
}

void readTerms(LineReader &in, Hypothesis &h) {
  h.form = HypothesisForm::Linear;
  do {
    LinearTerm term;
    if (in.take("-"))
      term.trend = Trend::Negative;
    else if (in.take("+"))
      term.trend = Trend::Positive;
    term.variable = in.name("a variable", {"given"});
    h.variables.push_back(term.variable);
    h.terms.push_back(std::move(term));
    // `y ~ a - b` reads as a negative trend of b.
  } while (in.ok() && (in.nextIs("-") || (in.take("+"))));
}

} // namespace

Hypothesis readHypothesis(LineReader &in) {
  Hypothesis h;
  h.place = in.place();
  bool minus = in.take("-"); // `-y ~ x` means `y ~ -x`
  if (!minus)
    in.take("+");
  std::vector<std::string> first = in.names("a variable", {"by", "given"});
  if (first.size() == 1 && in.take("~")) {
    h.outcome = first[0];
    readTerms(in, h);
    if (minus && h.terms.size() == 1)
      h.terms[0].trend = h.terms[0].trend == Trend::Negative ? Trend::Positive : Trend::Negative;
    else if (minus)
      in.failAt(h.place, 1237, "a sign on the left needs a single term on the right");
  } else if (minus) {
    in.failAt(h.place, 1237, "a sign is only possible in a linear hypothesis", "", "y ~ -x");
  } else if (first.size() == 1 && in.takeWord("by")) {
    h.form = HypothesisForm::Groups;
    h.outcome = first[0];
    h.variables = in.names("a variable", {"given"});
  } else if (std::optional<Order> order = first.size() == 1 ? takeOrder(in) : std::nullopt) {
    h.form = HypothesisForm::Constant;
    h.outcome = first[0];
    h.order = *order;
    h.constant = in.number("the constant");
  } else {
    h.variables = first;
    if (first.size() == 1 && in.ok())
      in.fail(1237, "the hypothesis names only one variable", "",
              "'" + first[0] + " by GROUP', '" + first[0] + " ~ OTHER' or '" + first[0] +
                  ", OTHER'");
  }
  if (in.takeWord("given"))
    h.given = in.names("a covariate");
  if (in.take(":"))
    readComparisons(in, h);
  in.expectEnd();
  return h;
}

Result<Hypothesis> parseHypothesis(std::string_view text, const std::string &file, Place place) {
  LexedText lexed = lexTea(text, file);
  if (!lexed.errors.empty())
    return lexed.errors[0];
  if (lexed.lines.size() != 1)
    return badInput(1237, "a hypothesis is one line", "", "", {file, place.line, place.column});
  for (Token &token : lexed.lines[0].tokens)
    if (place.line) {
      token.line = place.line;
      token.column += place.column;
    }
  LineReader in(lexed.lines[0].tokens, file);
  Hypothesis h = readHypothesis(in);
  if (!in.ok())
    return in.takeError();
  return h;
}

} // namespace imbrex::stats
