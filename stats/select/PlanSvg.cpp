// The decision tree as an image: questions in boxes, left for yes, right for no, tests below.
#include "stats/select/Plan.h"
#include "support/text/Markup.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

constexpr double boxWidth = 210, gap = 14, levelHeight = 110, lineHeight = 15, top = 50;
constexpr size_t lineLength = 32;

struct Box {
  std::vector<std::string> lines;
  double x = 0, y = 0; // centre, upper edge
  bool leaf = false;
  size_t parent = SIZE_MAX;
  const char *answer = "";
  double height() const { return static_cast<double>(lines.size()) * lineHeight + 12; }
};

std::vector<std::string> wrapped(const std::string &text) {
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + word.size() >= lineLength)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

class Layout {
public:
  double width = 0, height = 0;
  std::vector<Box> boxes;

  /// Leaves stand side by side; a question stands over the middle of its answers.
  double place(const PlanNode &node, size_t depth, size_t parent, const char *answer) {
    size_t index = boxes.size();
    boxes.emplace_back();
    double x;
    if (node.leaf()) {
      x = gap + boxWidth / 2 + static_cast<double>(leaves++) * (boxWidth + gap);
    } else {
      double left = place(*node.yes, depth + 1, index, "yes");
      double right = place(*node.no, depth + 1, index, "no");
      x = (left + right) / 2;
    }
    Box &box = boxes[index];
    box.x = x;
    box.y = top + static_cast<double>(depth) * levelHeight;
    box.leaf = node.leaf();
    box.parent = parent;
    box.answer = answer;
    box.lines = node.leaf() ? node.valid : wrapped(node.question + "?");
    if (box.lines.empty())
      box.lines = {"no test is valid:", "bootstrap"};
    width = std::max(width, x + boxWidth / 2 + gap);
    height = std::max(height, box.y + box.height() + gap);
    return x;
  }

private:
  size_t leaves = 0;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string drawn(const Box &box, const Layout &layout) {
  std::string out;
  if (box.parent != SIZE_MAX) {
    const Box &from = layout.boxes[box.parent];
    double y = from.y + from.height();
    out += "<path d=\"M" + number(from.x) + " " + number(y) + " L" + number(box.x) + " " +
           number(box.y) + "\" stroke=\"#666\" fill=\"none\"/>\n";
    double x = (from.x + box.x) / 2, middle = (y + box.y) / 2;
    out += "<rect x=\"" + number(x - 13) + "\" y=\"" + number(middle - 9) +
           "\" width=\"26\" height=\"17\" fill=\"#fff\"/>\n<text x=\"" + number(x) + "\" y=\"" +
           number(middle + 4) + "\" text-anchor=\"middle\" font-style=\"italic\" fill=\"#444\">" +
           box.answer + "</text>\n";
  }
  out += "<rect x=\"" + number(box.x - boxWidth / 2) + "\" y=\"" + number(box.y) + "\" width=\"" +
         number(boxWidth) + "\" height=\"" + number(box.height()) + "\" rx=\"5\" fill=\"" +
         (box.leaf ? "#e8f3e8" : "#eef2fa") + "\" stroke=\"#888\"/>\n";
  for (size_t i = 0; i < box.lines.size(); ++i)
    out += "<text x=\"" + number(box.x) + "\" y=\"" +
           number(box.y + lineHeight * static_cast<double>(i + 1)) + "\" text-anchor=\"middle\">" +
           escapeMarkup(box.lines[i]) + "</text>\n";
  return out;
}

} // namespace

std::string planSvg(const PlanNode &plan, const std::string &title) {
  Layout layout;
  layout.place(plan, 0, SIZE_MAX, "");
  double width = std::max(layout.width, 7.5 * static_cast<double>(title.size()) + 2 * gap);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) +
                    "\" height=\"" + number(layout.height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"" +
                    number(gap) + "\" y=\"28\" font-size=\"15\" font-weight=\"bold\">" +
                    escapeMarkup(title) + "</text>\n";
  for (const Box &box : layout.boxes)
    out += drawn(box, layout);
  return out + "</svg>\n";
}

} // namespace imbrex::stats
