#include "examples/magika/Features.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace imbrex::magika {
namespace {

/// Something that can be read at an offset; gives fewer bytes only where the contents end.
struct Source {
  uint64_t size;
  std::function<Result<std::string>(uint64_t offset, size_t count)> read;
};

constexpr std::string_view whiteSpace = " \t\n\r\v\f";

std::string_view dropLeading(std::string_view bytes) {
  return bytes.substr(std::min(bytes.find_first_not_of(whiteSpace), bytes.size()));
}

std::string_view dropTrailing(std::string_view bytes) {
  size_t last = bytes.find_last_not_of(whiteSpace);
  return last == std::string_view::npos ? std::string_view() : bytes.substr(0, last + 1);
}

void copyTokens(std::string_view bytes, int32_t *out) {
  std::transform(bytes.begin(), bytes.end(), out,
                 [](char c) { return static_cast<int32_t>(static_cast<unsigned char>(c)); });
}

std::vector<int32_t> makeTokens(std::string_view first, std::string_view last,
                                const FeatureConfig &config) {
  std::vector<int32_t> tokens(size_t{config.beginSize} + config.endSize, config.padding);
  first = dropLeading(first);
  first = first.substr(0, config.beginSize);
  copyTokens(first, tokens.data());
  last = dropTrailing(last);
  if (last.size() > config.endSize)
    last.remove_prefix(last.size() - config.endSize);
  copyTokens(last, tokens.data() + tokens.size() - last.size());
  return tokens;
}

Features answered(std::string label, std::string note = {}) {
  return {{}, std::move(label), std::move(note)};
}

/// Too little for the model: text if it decodes, else unknown.
Features fromFewBytes(std::string_view bytes) {
  return answered(isUtf8(bytes) ? "txt" : "unknown", "too few bytes for the model");
}

Result<Features> fromSource(const Source &source, const FeatureConfig &config) {
  if (source.size == 0)
    return answered("empty");
  size_t count = static_cast<size_t>(std::min<uint64_t>(source.size, config.blockSize));
  Result<std::string> first = source.read(0, count);
  if (!first)
    return first.takeError();
  if (source.size < config.minimumSize)
    return fromFewBytes(*first);
  Result<std::string> last = source.read(source.size - count, count);
  if (!last)
    return last.takeError();
  Features features{makeTokens(*first, *last, config), {}, {}};
  if (features.tokens[config.minimumSize - 1] == config.padding)
    return fromFewBytes(*first);
  return features;
}

Error cannotRead(const std::string &path, int error) {
  const char *remedy = error == ENOENT   ? "the path of an existing file"
                       : error == EACCES ? "a user who may read the file"
                                         : "";
  return badInput(21, "cannot read '" + path + "'", std::strerror(error), remedy);
}

const char *kindName(mode_t mode) {
  return S_ISFIFO(mode)   ? "a FIFO"
         : S_ISSOCK(mode) ? "a socket"
         : S_ISCHR(mode)  ? "a character device"
         : S_ISBLK(mode)  ? "a block device"
                          : "not a regular file";
}

/// The answer for a path that is no regular file.
std::optional<Features> fromKind(mode_t mode) {
  if (S_ISREG(mode))
    return std::nullopt;
  if (S_ISDIR(mode))
    return answered("directory");
  if (S_ISLNK(mode))
    return answered("symlink");
  return answered("unknown", std::string(kindName(mode)) + ": not read");
}

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      close(fd);
  }
};

Result<std::string> readAt(int fd, const std::string &path, uint64_t offset, size_t count) {
  std::string bytes(count, '\0');
  size_t done = 0;
  while (done < count) {
    ssize_t got = pread(fd, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannotRead(path, errno);
    if (got == 0) // shorter than announced, as under /sys
      break;
    done += static_cast<size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

} // namespace

Result<Features> featuresOfFile(const std::string &path, const FeatureConfig &config,
                                Symlinks symlinks) {
  struct stat info;
  if ((symlinks == Symlinks::Name ? lstat : stat)(path.c_str(), &info) != 0)
    return cannotRead(path, errno);
  // Before opening, because opening a device may already do something.
  if (std::optional<Features> answer = fromKind(info.st_mode))
    return *answer;
  // Not blocking, in case the path has become a FIFO meanwhile.
  Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.fd < 0 || fstat(file.fd, &info) != 0)
    return cannotRead(path, errno);
  if (std::optional<Features> answer = fromKind(info.st_mode))
    return *answer;
  Source source{static_cast<uint64_t>(info.st_size), [&](uint64_t offset, size_t count) {
                  return readAt(file.fd, path, offset, count);
                }};
  return fromSource(source, config);
}

Features featuresOfBytes(std::string_view bytes, const FeatureConfig &config) {
  Source source{bytes.size(), [&](uint64_t offset, size_t count) -> Result<std::string> {
                  return std::string(bytes.substr(offset, count));
                }};
  return fromSource(source, config).take(); // memory cannot fail to be read
}

bool isUtf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    auto byte = [&](size_t at) -> uint32_t {
      return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
    };
    uint32_t lead = byte(i);
    size_t tail = lead < 0x80 ? 0 : lead < 0xC2 ? 4 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (tail == 4 || lead > 0xF4)
      return false;
    uint32_t code = tail ? lead & (0x3F >> tail) : lead;
    for (size_t k = 1; k <= tail; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80)
        return false;
      code = code << 6 | (byte(i + k) & 0x3F);
    }
    static constexpr uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (code < smallest[tail] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
      return false;
    i += tail + 1;
  }
  return true;
}

} // namespace imbrex::magika
