// main() of a fuzz harness (LLVMFuzzerTestOneInput) where libFuzzer is not linked: runs every
// corpus file, then a fixed number of mutations of them from a fixed seed, so that the same build
// always runs the same inputs.
//
//   XFuzz [--execs N] [--seed S] FILE|DIRECTORY...
//
// Among the mutations are stretches repeated up to 1 MiB: what takes time or memory by the square
// of its input shows there. A crash ends the process by its signal, after the input was written to
// crash-TARGET.bin in the current directory. So does, with exit code 1, an input of at most 1 MiB
// that takes over kMaxSeconds of CPU time or raises the process's peak by over kMaxMebibytes. The
// last lines of a good run are `limits TARGET: …` and `fuzz TARGET: execs N, crashes 0`; exit code
// 0.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMaxBytes = 1 << 20; // larger corpus files run once and are not mutated

// What the signal handler writes; set before each run.
const uint8_t *currentData = nullptr;
size_t currentSize = 0;
char crashPath[256] = "crash.bin";

extern "C" void onCrash(int signal) {
  int fd = open(crashPath, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0) {
    if (write(fd, currentData, currentSize) < 0)
      std::signal(signal, SIG_DFL);
    close(fd);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// What one input of at most kMaxBytes may take. Sanitizers take several times the time, and their
// shadow is not the reader's memory.
constexpr double kMaxSeconds = kSanitized ? 10 : 1;
constexpr long kMaxMebibytes = kSanitized ? 2048 : 256;

double cpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

long peakKibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Runs inputs and remembers what the costliest of them took.
class Runner {
public:
  /// False when the input took more than it may; it is then written to crashPath.
  bool run(const Bytes &input) {
    // Exactly sized heap copy: a sanitizer sees reads past the end.
    Bytes copy(input);
    copy.shrink_to_fit();
    currentData = copy.data();
    currentSize = copy.size();
    long peak = peakKibibytes();
    double start = cpuSeconds();
    LLVMFuzzerTestOneInput(copy.data(), copy.size());
    double seconds = cpuSeconds() - start;
    long mebibytes = (peakKibibytes() - peak) / 1024;
    ++execs;
    slowest = std::max(slowest, seconds);
    largest = std::max(largest, mebibytes);
    if (copy.size() > kMaxBytes || (seconds <= kMaxSeconds && mebibytes <= kMaxMebibytes))
      return true;
    std::ofstream(crashPath, std::ios::binary)
        .write(reinterpret_cast<const char *>(copy.data()),
               static_cast<std::streamsize>(copy.size()));
    std::printf("too costly: %zu bytes took %.2f s and %ld MiB; written to %s\n", copy.size(),
                seconds, mebibytes, crashPath);
    return false;
  }

  /// The closing lines of a good run.
  void report(const char *target) const {
    std::printf("limits %s: slowest input %.0f ms, largest growth of memory %ld MiB\n", target,
                slowest * 1e3, largest);
    std::printf("fuzz %s: execs %zu, crashes 0\n", target, execs);
  }

private:
  size_t execs = 0;
  double slowest = 0;
  long largest = 0;
};

bool readFile(const std::filesystem::path &path, Bytes &out) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return false;
  out.assign(std::istreambuf_iterator<char>(in), {});
  return true;
}

class Mutator {
public:
  Mutator(const std::vector<Bytes> &corpus, uint64_t seed) : corpus(corpus), random(seed) {}

  Bytes next() {
    Bytes b = corpus[below(corpus.size())];
    for (size_t i = 1 + below(4); i > 0; --i)
      mutate(b);
    return b;
  }

private:
  const std::vector<Bytes> &corpus;
  std::mt19937_64 random;

  size_t below(size_t n) { return n ? static_cast<size_t>(random() % n) : 0; }

  void mutate(Bytes &b) {
    if (below(64) == 0)
      return repeat(b);
    switch (below(7)) {
    case 0: // flip a bit
      if (!b.empty())
        b[below(b.size())] ^= static_cast<uint8_t>(1u << below(8));
      return;
    case 1: // cut the end off
      b.resize(below(b.size() + 1));
      return;
    case 2:
      return splice(b);
    case 3:
      return number(b);
    case 4: // random bytes over a stretch
      if (!b.empty()) {
        size_t at = below(b.size()), count = 1 + below(std::min<size_t>(16, b.size() - at));
        for (size_t i = at; i < std::min(b.size(), at + count); ++i)
          b[i] = static_cast<uint8_t>(random());
      }
      return;
    case 5: // remove a stretch
      if (!b.empty()) {
        size_t at = below(b.size()), count = 1 + below(std::min<size_t>(32, b.size() - at));
        b.erase(b.begin() + static_cast<ptrdiff_t>(at),
                b.begin() + static_cast<ptrdiff_t>(std::min(b.size(), at + count)));
      }
      return;
    default: // insert random bytes
      if (b.size() < kMaxBytes) {
        Bytes extra(1 + below(16));
        for (uint8_t &x : extra)
          x = static_cast<uint8_t>(random());
        b.insert(b.begin() + static_cast<ptrdiff_t>(below(b.size() + 1)), extra.begin(),
                 extra.end());
      }
      return;
    }
  }

  /// The head of one input and the tail of another.
  void splice(Bytes &b) {
    const Bytes &other = corpus[below(corpus.size())];
    b.resize(below(b.size() + 1));
    size_t from = below(other.size() + 1);
    b.insert(b.end(), other.begin() + static_cast<ptrdiff_t>(from), other.end());
  }

  /// A stretch over and over, up to a size between 64 KiB and kMaxBytes.
  void repeat(Bytes &b) {
    if (b.empty())
      return;
    size_t at = 0, count = b.size(); // all of it, one time in four
    if (below(4) != 0) {
      at = below(b.size());
      count = 1 + below(std::min<size_t>(256, b.size() - at));
    }
    size_t total = kMaxBytes >> below(5);
    if (b.size() + count > total)
      return;
    Bytes extra;
    extra.reserve(total - b.size());
    while (b.size() + extra.size() + count <= total)
      extra.insert(extra.end(), b.begin() + static_cast<ptrdiff_t>(at),
                   b.begin() + static_cast<ptrdiff_t>(at + count));
    b.insert(b.begin() + static_cast<ptrdiff_t>(at), extra.begin(), extra.end());
  }

  /// An interesting number over a field of 1, 2, 4 or 8 bytes: what lengths and offsets break on.
  void number(Bytes &b) {
    constexpr std::array<uint64_t, 12> kNumbers = {0,
                                                   1,
                                                   0x7f,
                                                   0x80,
                                                   0xff,
                                                   0x7fff,
                                                   0xffff,
                                                   0x7fffffff,
                                                   0x80000000,
                                                   0xffffffff,
                                                   0x7fffffffffffffff,
                                                   0xffffffffffffffff};
    size_t width = size_t{1} << below(4);
    if (b.size() < width)
      return;
    uint64_t v = below(2) ? kNumbers[below(kNumbers.size())] : b.size() + below(64) - 32;
    std::memcpy(b.data() + below(b.size() - width + 1), &v, width);
  }
};

struct Options {
  size_t execs = 2000;
  uint64_t seed = 0x1234567;
  std::vector<std::filesystem::path> files;
};

bool parseNumber(const char *text, uint64_t &out) {
  char *end = nullptr;
  out = std::strtoull(text, &end, 10);
  return end != text && *end == 0;
}

/// False with a message on stderr.
bool parseOptions(int argc, char **argv, Options &o) {
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg == "--execs" || arg == "--seed") {
      uint64_t v = 0;
      if (i + 1 == argc || !parseNumber(argv[++i], v)) {
        std::fprintf(stderr, "error: %s needs a number\n", arg.c_str());
        return false;
      }
      (arg == "--execs" ? o.execs : o.seed) = v;
      continue;
    }
    std::error_code ec;
    if (std::filesystem::is_directory(arg, ec)) {
      for (const auto &e : std::filesystem::recursive_directory_iterator(arg, ec))
        if (e.is_regular_file())
          o.files.push_back(e.path());
    } else if (std::filesystem::exists(arg, ec)) {
      o.files.emplace_back(arg);
    } else {
      std::fprintf(stderr, "error: no such file or directory: %s\n", arg.c_str());
      return false;
    }
  }
  std::sort(o.files.begin(), o.files.end()); // directory order differs between machines
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  if (!parseOptions(argc, argv, o))
    return 2;
  std::string target = std::filesystem::path(argv[0]).filename().string();
  std::snprintf(crashPath, sizeof crashPath, "crash-%s.bin", target.c_str());
  for (int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
    std::signal(s, onCrash);

  std::vector<Bytes> corpus;
  Runner runner;
  for (const auto &file : o.files) {
    Bytes b;
    if (!readFile(file, b)) {
      std::fprintf(stderr, "error: cannot read %s\n", file.c_str());
      return 2;
    }
    if (!runner.run(b))
      return 1;
    if (b.size() <= kMaxBytes)
      corpus.push_back(std::move(b));
  }
  corpus.emplace_back(); // from nothing, too
  Mutator mutator(corpus, o.seed);
  for (size_t i = 0; i < o.execs; ++i)
    if (!runner.run(mutator.next()))
      return 1;
  runner.report(target.c_str());
  return 0;
}
