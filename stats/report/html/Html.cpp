#include "stats/report/html/Html.h"

#include "support/text/Markup.h"

namespace imbrex::stats {
namespace {

constexpr const char *style = R"css(
:root{color-scheme:light}
body{font:16px/1.5 system-ui,'DejaVu Sans',sans-serif;color:#1c1c1c;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.5rem}h2{font-size:1.25rem;margin-top:2.6rem;border-top:1px solid #ddd;padding-top:1.2rem}
h3{font-size:1rem;margin:1.6rem 0 .4rem}
.verdict{padding:.7rem 1rem;border-left:5px solid #888;background:#f4f4f4;font-weight:600}
.supported{border-color:#3d8b5f;background:#eef6f1}.not-supported{border-color:#c8553d;background:#fbf0ed}
blockquote{margin:.8rem 0;padding:.5rem 1rem;background:#f2f5f9;border-left:5px solid #33658a}
table{border-collapse:collapse;margin:.6rem 0;font-size:.92rem}
td,th{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #eee}
th{font-weight:600;border-bottom:1px solid #bbb}.facts td:first-child{color:#555;white-space:nowrap}
.numbers td:not(:nth-child(-n+2)),.numbers td:only-of-type{white-space:nowrap}
.indent{padding-left:1.2rem}figure{display:inline-block;margin:.6rem 1.2rem .6rem 0;vertical-align:top}
figcaption{font-size:.82rem;color:#555;max-width:26rem}svg{max-width:100%;height:auto}
details{margin:.8rem 0}summary{cursor:pointer;font-weight:600}
pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.8rem;line-height:1.35}
.scroll{overflow-x:auto}
@media print{details{display:none}}
)css";

std::string cell(const std::string &text, const char *tag) {
  bool indent = text.starts_with("   ");
  return std::string("<") + tag + (indent ? " class=\"indent\"" : "") + ">" + escapeMarkup(text) +
         "</" + tag + ">";
}

std::string table(const Block &block, const char *kind) {
  std::string html = "<div class=\"scroll\"><table class=\"" + std::string(kind) + "\">\n";
  if (block.kind == BlockKind::Table && !block.text.empty())
    html += "<caption style=\"text-align:left;font-weight:600\">" + escapeMarkup(block.text) +
            "</caption>\n";
  if (!block.header.empty()) {
    html += "<tr>";
    for (const std::string &text : block.header)
      html += cell(text, "th");
    html += "</tr>\n";
  }
  for (const std::vector<std::string> &row : block.rows) {
    html += "<tr>";
    for (const std::string &text : row)
      html += cell(text, "td");
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string list(const Block &block) {
  std::string html = "<ul>\n";
  for (const std::vector<std::string> &row : block.rows)
    html += "<li>" + escapeMarkup(row.at(0)) + "</li>\n";
  return html + "</ul>\n";
}

const char *verdictClass(Decision decision) {
  return decision == Decision::Supported      ? "verdict supported"
         : decision == Decision::NotSupported ? "verdict not-supported"
                                              : "verdict";
}

std::string folded(const Block &block, const std::string &inner) {
  return block.folded ? "<details><summary>" + escapeMarkup(block.text) + "</summary>\n" + inner +
                            "</details>\n"
                      : inner;
}

std::string htmlOf(const Block &block) {
  std::string text = escapeMarkup(block.text);
  switch (block.kind) {
  case BlockKind::Section:
    return "<h2>" + text + "</h2>\n";
  case BlockKind::Heading:
    return "<h3>" + text + "</h3>\n";
  case BlockKind::Verdict:
    return std::string("<p class=\"") + verdictClass(block.decision) + "\">" + text + "</p>\n";
  case BlockKind::Paragraph:
    return "<p>" + text + "</p>\n";
  case BlockKind::Quote:
    return "<blockquote>" + text + "</blockquote>\n";
  case BlockKind::Facts:
    return folded(block, table(block, "facts"));
  case BlockKind::Table:
    return folded(block, table(block, "numbers"));
  case BlockKind::List:
    return list(block);
  case BlockKind::Picture:
    return "<figure>\n" + block.code + "<figcaption>" + text + "</figcaption></figure>\n";
  case BlockKind::Script:
    return folded(block, "<pre><code class=\"language-" + block.language + "\">" +
                             escapeMarkup(block.code) + "</code></pre>\n");
  }
  return {};
}

} // namespace

std::string htmlOf(const Document &document) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escapeMarkup(document.title) + "</title>\n<style>" + style +
      "</style>\n</head>\n<body>\n<h1>" + escapeMarkup(document.title) + "</h1>\n";
  for (const Block &block : document.blocks)
    html += htmlOf(block);
  return html + "</body>\n</html>\n";
}

} // namespace imbrex::stats
