// The options of `imbrex tea run` that write files.
#pragma once

#include "stats/select/Analyze.h"
#include "tools/common/CommandLine.h"

namespace imbrex::tools {

struct ReportFiles {
  std::string html, markdown, r, python; // paths; empty: not wanted

  void declare(CommandLine &line);
  /// E0792 when a file cannot be written.
  Status writeAll(const stats::StudyAnalysis &analysis, const stats::Study &study,
                  const stats::Table &table) const;
};

} // namespace imbrex::tools
