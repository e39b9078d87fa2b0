#include "stats/report/svg/Common.h"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace imbrex::stats {
namespace {

constexpr size_t styles = 5;

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

} // namespace

std::string shares(const std::vector<std::vector<double>> &counts,
                   const std::vector<std::string> &rows, const std::vector<std::string> &columns,
                   const Labels &labels) {
  constexpr double bar = 28, gap = 12, left = 130, width = 380;
  double height = 66 + (bar + gap) * static_cast<double>(rows.size());
  Canvas canvas(left + width + 90, height, labels.title);
  canvas.text({left, 20}, labels.y + ":", Anchor::Start, "name");
  double x = left + 16 + 7 * static_cast<double>(labels.y.size());
  for (size_t j = 0; j < columns.size(); ++j) {
    canvas.rect({x, 10}, 11, 11, "b" + std::to_string(j % styles));
    canvas.text({x + 16, 20}, columns[j], Anchor::Start);
    x += 34 + 7 * static_cast<double>(columns[j].size());
  }
  canvas.text({left - 10, 20}, labels.x, Anchor::End, "name");
  for (size_t i = 0; i < rows.size(); ++i) {
    double y = 36 + (bar + gap) * static_cast<double>(i), from = left;
    double total = std::accumulate(counts[i].begin(), counts[i].end(), 0.0);
    canvas.text({left - 10, y + bar / 2 + 4}, rows[i], Anchor::End);
    canvas.text({left + width + 8, y + bar / 2 + 4}, "n = " + tickText(total, 1), Anchor::Start);
    for (size_t j = 0; j < counts[i].size() && total > 0; ++j) {
      double part = width * counts[i][j] / total;
      canvas.rect({from, y}, part, bar, "b" + std::to_string(j % styles));
      if (part > 64)
        canvas.text({from + part / 2, y + bar / 2 + 4},
                    tickText(counts[i][j], 1) + " (" + percent(counts[i][j] / total) + ")",
                    Anchor::Middle);
      from += part;
    }
  }
  canvas.text({left + width / 2, height - 10}, "share of " + labels.y, Anchor::Middle, "name");
  return canvas.finish();
}

} // namespace imbrex::stats
