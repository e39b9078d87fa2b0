#include "examples/silero/Segments.h"

namespace imbrex::silero {

std::vector<Segment> findSpeech(std::span<const float> probabilities, const SegmentRules &rules) {
  std::vector<Segment> segments;
  bool speaking = false;
  Segment current{0, 0};
  auto close = [&] {
    if (current.end - current.begin >= rules.minSpeech)
      segments.push_back(current);
    speaking = false;
  };
  for (size_t chunk = 0; chunk < probabilities.size(); ++chunk) {
    if (!speaking && probabilities[chunk] >= rules.begin) {
      current.begin = chunk;
      speaking = true;
    }
    if (!speaking)
      continue;
    if (probabilities[chunk] >= rules.end)
      current.end = chunk + 1; // the last chunk that counts as speech
    else if (chunk + 1 - current.end >= rules.minSilence)
      close();
  }
  if (speaking)
    close();
  return segments;
}

} // namespace imbrex::silero
