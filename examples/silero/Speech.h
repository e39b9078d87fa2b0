// A sound that a voice detector has to work on, made from nothing: silence, noise and speech-like
// syllables.
//
// A syllable is a burst of noise and a vowel: pulses as from vocal cords, through four resonances
// of the vocal tract that glide from vowel to vowel (formant synthesis; Klatt, "Software for a
// cascade/parallel formant synthesizer", 1980, has the filter). The same sound on every run.
#pragma once

#include "examples/silero/Wav.h"

namespace imbrex::silero {

/// What the made sound holds, for the listing: [begin, end) in samples.
struct Passage {
  const char *what; // "silence", "noise" or "voice"
  size_t begin, end;
};

struct MadeSound {
  Sound sound;
  std::vector<Passage> passages;
};

/// 16 kHz, about 15 seconds.
MadeSound makeSpeech();

} // namespace imbrex::silero
