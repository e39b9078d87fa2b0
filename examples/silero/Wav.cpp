#include "examples/silero/Wav.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace imbrex::silero {
namespace {

constexpr uint32_t maxFileBytes = 1u << 30;
constexpr uint16_t pcm = 1;

void putLittle(std::string &out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(value >> (8 * i)));
}

uint32_t getLittle(std::string_view bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i)
    value |= uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

Error damaged(const std::string &name, std::string because) {
  return badInput(801, "cannot use the wave file", std::move(because),
                  "a file of 16-bit PCM with one channel", {name});
}

/// The body of the first chunk with this name; nothing where it is missing or reaches past the end.
std::optional<std::string_view> findChunk(std::string_view bytes, std::string_view wanted) {
  constexpr size_t headBytes = 8;
  size_t at = 12; // after RIFF, size, WAVE
  while (bytes.size() - at >= headBytes) {
    std::string_view name = bytes.substr(at, 4);
    size_t size = getLittle(bytes, at + 4, 4);
    at += headBytes;
    if (size > bytes.size() - at)
      return std::nullopt;
    if (name == wanted)
      return bytes.substr(at, size);
    at += std::min(size + size % 2, bytes.size() - at); // chunks start at even offsets
  }
  return std::nullopt;
}

} // namespace

std::string encodeWav(const Sound &sound) {
  const uint32_t dataBytes = static_cast<uint32_t>(sound.samples.size() * 2);
  std::string out = "RIFF";
  putLittle(out, 36 + dataBytes, 4);
  out += "WAVEfmt ";
  putLittle(out, 16, 4);
  putLittle(out, pcm, 2);
  putLittle(out, 1, 2); // channels
  putLittle(out, sound.rate, 4);
  putLittle(out, sound.rate * 2, 4); // bytes a second
  putLittle(out, 2, 2);              // bytes a frame
  putLittle(out, 16, 2);             // bits a sample
  out += "data";
  putLittle(out, dataBytes, 4);
  for (int16_t sample : sound.samples)
    putLittle(out, static_cast<uint16_t>(sample), 2);
  return out;
}

Result<Sound> decodeWav(std::string_view bytes, const std::string &name) {
  if (bytes.size() < 12 || bytes.substr(0, 4) != "RIFF" || bytes.substr(8, 4) != "WAVE")
    return damaged(name, "it does not start as a wave file does");
  std::optional<std::string_view> format = findChunk(bytes, "fmt ");
  std::optional<std::string_view> data = findChunk(bytes, "data");
  if (!format || format->size() < 16 || !data)
    return damaged(name, "its format or its samples are missing or cut off");
  if (getLittle(*format, 0, 2) != pcm || getLittle(*format, 14, 2) != 16)
    return damaged(name, "its samples are not 16-bit PCM");
  if (getLittle(*format, 2, 2) != 1)
    return damaged(name, "it has " + std::to_string(getLittle(*format, 2, 2)) + " channels");
  if (data->size() % 2)
    return damaged(name, "its last sample is cut off");
  Sound sound{getLittle(*format, 4, 4), std::vector<int16_t>(data->size() / 2)};
  for (size_t i = 0; i < sound.samples.size(); ++i)
    sound.samples[i] = static_cast<int16_t>(getLittle(*data, 2 * i, 2));
  return sound;
}

Result<Sound> readWav(const std::string &path) {
  std::error_code error;
  // A FIFO or a device has no end to read to.
  if (!std::filesystem::is_regular_file(path, error))
    return badInput(800, "cannot read '" + path + "'",
                    error ? error.message() : "it is no regular file", "a wave file");
  uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > maxFileBytes)
    return badInput(800, "cannot read '" + path + "'",
                    error ? error.message() : "it is larger than 1 GiB", "a shorter recording");
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size)))
    return badInput(800, "cannot read '" + path + "'", std::strerror(errno));
  return decodeWav(bytes, path);
}

Status writeWav(const std::string &path, const Sound &sound) {
  std::ofstream file(path, std::ios::binary);
  std::string bytes = encodeWav(sound);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    return badInput(800, "cannot write '" + path + "'", std::strerror(errno));
  return {};
}

} // namespace imbrex::silero
