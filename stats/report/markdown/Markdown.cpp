#include "stats/report/markdown/Markdown.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

/// Characters that Markdown and its formulas would take for their own; control characters become
/// blanks.
std::string plain(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (std::string_view("|*_`<[]#\\&$~^").find(c) != std::string_view::npos)
      result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

std::string row(const std::vector<std::string> &cells) {
  std::string line = "|";
  for (const std::string &cell : cells)
    line += " " + plain(cell) + " |";
  return line + "\n";
}

std::string table(const Block &block) {
  std::vector<std::string> header = block.header;
  if (header.empty())
    header.resize(block.rows.empty() ? 0 : block.rows[0].size());
  std::string text = block.text.empty() ? "" : "**" + plain(block.text) + "**\n\n";
  text += row(header) + "|";
  for (size_t i = 0; i < header.size(); ++i)
    text += " --- |";
  text += "\n";
  for (const std::vector<std::string> &cells : block.rows)
    text += row(cells);
  return text + "\n";
}

/// A fence longer than any in the code.
std::string fenced(const Block &block) {
  std::string fence = "```";
  while (block.code.find(fence) != std::string::npos)
    fence += '`';
  return "**" + plain(block.text) + "**\n\n" + fence + block.language + "\n" + block.code + fence +
         "\n\n";
}

} // namespace

std::string markdownOf(const Document &document, const std::string &pictures) {
  std::string text = "# " + plain(document.title) + "\n\n";
  size_t picture = 0;
  for (const Block &block : document.blocks)
    switch (block.kind) {
    case BlockKind::Section:
      text += "## " + plain(block.text) + "\n\n";
      break;
    case BlockKind::Heading:
      text += "### " + plain(block.text) + "\n\n";
      break;
    case BlockKind::Verdict:
      text += "**" + plain(block.text) + "**\n\n";
      break;
    case BlockKind::Paragraph:
      text += plain(block.text) + "\n\n";
      break;
    case BlockKind::Quote:
      text += "> " + plain(block.text) + "\n\n";
      break;
    case BlockKind::Facts:
    case BlockKind::Table:
      text += table(block);
      break;
    case BlockKind::List:
      for (const std::vector<std::string> &cells : block.rows)
        text += "- " + plain(cells.at(0)) + "\n";
      text += "\n";
      break;
    case BlockKind::Picture:
      ++picture;
      text += pictures.empty() ? "*Picture: " + plain(block.text) + "*\n\n"
                               : "![" + plain(block.text) + "](" + pictures + "/" +
                                     std::to_string(picture) + ".svg)\n\n";
      break;
    case BlockKind::Script:
      text += fenced(block);
      break;
    }
  return text;
}

} // namespace imbrex::stats
