// A report as blocks, before it becomes HTML or Markdown: what is said is decided once, how it
// looks by the writers.
#pragma once

#include "stats/select/Analyze.h"

#include <string>
#include <vector>

namespace imbrex::stats {

enum class BlockKind : uint8_t {
  Section,   // text: a hypothesis
  Heading,   // text: a part of it
  Verdict,   // text: the decision in a sentence
  Paragraph, // text
  Quote,     // text: a sentence to take over as it is
  Facts,     // rows of key and value
  Table,     // header and rows
  List,      // one item a row
  Picture,   // text: caption; svg
  Script,    // text: caption; code; language
};

struct Block {
  BlockKind kind;
  std::string text;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string code; // an SVG document, or a script
  std::string language;
  Decision decision = Decision::Undecided; // of a Verdict
  bool folded = false;                     // for those who want to know: closed in HTML
};

struct Document {
  std::string title;
  std::vector<Block> blocks;
};

enum class Scripts : uint8_t { LeaveOut, Include };

/// Everything the terminal report says, with pictures, and by choice the analyses as R and Python
/// scripts.
Document documentOf(const StudyAnalysis &analysis, const Study &study, const Table &table,
                    Scripts scripts);

/// Pictures that belong to a hypothesis: data, and normality where a valid test rests on it.
void addPictures(Document &document, const HypothesisAnalysis &analysis);

} // namespace imbrex::stats
