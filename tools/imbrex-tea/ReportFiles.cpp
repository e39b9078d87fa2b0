// Reports and scripts as files.
#include "tools/imbrex-tea/ReportFiles.h"
#include "stats/report/document/Repeat.h"
#include "stats/report/html/Html.h"
#include "stats/report/markdown/Markdown.h"
#include "tools/common/Files.h"

#include <filesystem>

namespace imbrex::tools {
namespace {

/// Pictures beside the page: FILE.md has FILE-pictures/1.svg, ….
Status writeMarkdown(const std::string &path, const stats::Document &document) {
  std::filesystem::path folder =
      std::filesystem::path(path).replace_extension().string() + "-pictures";
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  size_t number = 0;
  for (const stats::Block &block : document.blocks)
    if (block.kind == stats::BlockKind::Picture)
      if (Status s = writeText((folder / (std::to_string(++number) + ".svg")).string(), block.code);
          !s)
        return s;
  return writeText(path, stats::markdownOf(document, folder.filename().string()));
}

} // namespace

void ReportFiles::declare(CommandLine &line) {
  line.option("--html FILE", html, "also write the report as one HTML page, with pictures")
      .option("--markdown FILE", markdown,
              "also write it as Markdown, pictures in a folder beside it")
      .option("--export-r FILE", r, "also write the analysis as a self-checking R script")
      .option("--export-python FILE", python, "the same for Python: NumPy, SciPy, statsmodels");
}

Status ReportFiles::writeAll(const stats::StudyAnalysis &analysis, const stats::Study &study,
                             const stats::Table &table) const {
  if (!html.empty() || !markdown.empty()) {
    stats::Document document = stats::documentOf(analysis, study, table, stats::Scripts::Include);
    if (!html.empty())
      if (Status s = writeText(html, stats::htmlOf(document)); !s)
        return s;
    if (!markdown.empty())
      if (Status s = writeMarkdown(markdown, document); !s)
        return s;
  }
  if (r.empty() && python.empty())
    return {};
  std::vector<stats::Analysis> repeated = stats::analysesOf(analysis);
  if (!r.empty())
    if (Status s = writeText(r, stats::exportScript(stats::Language::R, repeated).text); !s)
      return s;
  return python.empty()
             ? Status()
             : writeText(python, stats::exportScript(stats::Language::Python, repeated).text);
}

} // namespace imbrex::tools
