#include "examples/silero/Wav.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace imbrex::silero {
namespace {

namespace fs = std::filesystem;

const Sound small{16000, {0, 1, -1, 32767, -32768}};

TEST(Wav, ReadsWhatItWrote) {
  std::string bytes = encodeWav(small);
  EXPECT_EQ(bytes.size(), 44u + 10u);
  Result<Sound> sound = decodeWav(bytes, "w");
  ASSERT_TRUE(sound.ok());
  EXPECT_EQ(sound->rate, 16000u);
  EXPECT_EQ(sound->samples, small.samples);
}

TEST(Wav, WritesTheStandardHeader) {
  std::string bytes = encodeWav({8000, {0x0102}});
  const unsigned char expected[] = {'R',  'I',  'F', 'F', 38,   0,    0, 0, 'W', 'A', 'V', 'E',
                                    'f',  'm',  't', ' ', 16,   0,    0, 0, 1,   0,   1,   0,
                                    0x40, 0x1F, 0,   0,   0x80, 0x3E, 0, 0, 2,   0,   16,  0,
                                    'd',  'a',  't', 'a', 2,    0,    0, 0, 2,   1};
  EXPECT_EQ(bytes, std::string(reinterpret_cast<const char *>(expected), sizeof expected));
}

TEST(Wav, SkipsChunksItDoesNotKnow) {
  std::string bytes = encodeWav(small);
  bytes.insert(36, std::string("LIST\3\0\0\0abc\0", 12)); // an odd size is padded
  Result<Sound> sound = decodeWav(bytes, "w");
  ASSERT_TRUE(sound.ok());
  EXPECT_EQ(sound->samples, small.samples);
}

TEST(Wav, RefusesEveryCutOffFile) {
  std::string bytes = encodeWav(small);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decodeWav(std::string_view(bytes).substr(0, size), "w").ok()) << size;
}

TEST(Wav, SaysWhatItDoesNotTake) {
  std::string stereo = encodeWav(small), floats = encodeWav(small), bits = encodeWav(small);
  stereo[22] = 2;
  floats[20] = 3;
  bits[34] = 24;
  Result<Sound> sound = decodeWav(stereo, "stereo.wav");
  ASSERT_FALSE(sound.ok());
  EXPECT_EQ(sound.error().str(),
            "stereo.wav: error[E0801]: cannot use the wave file; because it has 2 "
            "channels; try a file of 16-bit PCM with one channel");
  EXPECT_FALSE(decodeWav(floats, "w").ok());
  EXPECT_FALSE(decodeWav(bits, "w").ok());
}

TEST(Wav, RefusesSizesBeyondTheFile) {
  for (size_t field : {16u, 40u}) {
    std::string bytes = encodeWav(small);
    bytes.replace(field, 4, "\xFF\xFF\xFF\xFF");
    EXPECT_FALSE(decodeWav(bytes, "w").ok()) << field;
  }
}

TEST(Wav, RefusesPathsThatAreNoSoundFile) {
  std::string name = (fs::temp_directory_path() / "wav-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  fs::path folder = name;
  ASSERT_TRUE(writeWav(folder / "s.wav", small).ok());
  EXPECT_EQ(readWav(folder / "s.wav")->samples, small.samples);
  EXPECT_FALSE(readWav(folder / "none.wav").ok());
  EXPECT_FALSE(readWav(folder).ok());
  EXPECT_FALSE(readWav("/dev/zero").ok());
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(readWav(folder / "fifo").ok()); // and does not wait
  std::ofstream(folder / "huge");
  fs::resize_file(folder / "huge", 10ull << 30); // sparse
  EXPECT_FALSE(readWav(folder / "huge").ok());
  EXPECT_FALSE(writeWav(folder / "no/such/folder.wav", small).ok());
  fs::remove_all(folder);
}

} // namespace
} // namespace imbrex::silero
