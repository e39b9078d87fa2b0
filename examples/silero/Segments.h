// From one probability a chunk to stretches of speech.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace imbrex::silero {

struct SegmentRules {
  float begin = 0.5f;    // speech begins at a chunk with this probability
  float end = 0.35f;     // and ends where it stays below this one
  size_t minSilence = 3; // for so many chunks
  size_t minSpeech = 8;  // shorter stretches are dropped
};

/// [begin, end) in chunks.
struct Segment {
  size_t begin, end;
  bool operator==(const Segment &) const = default;
};

std::vector<Segment> findSpeech(std::span<const float> probabilities, const SegmentRules & = {});

} // namespace imbrex::silero
