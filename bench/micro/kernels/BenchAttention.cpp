// Our side of attention.py: runs the library's attention when told to, and says how long it took.
//
//   bench-attention FOLDER THREADS      then, a line each on standard input:
//     prefill KV_HEADS GROUP TOKENS PAST WIDTH    reads FOLDER/{q,k,v}.bin
//     decode KV_HEADS GROUP KEYS WIDTH            the same
//     run N                                       prints the seconds of one of N runs
//     save                                        writes FOLDER/o.bin
#include "bench/micro/kernels/LibraryKernel.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace imbrex::bench {
namespace {

/// One attention: a kernel, or two of which the second joins what the first left.
class Attention {
public:
  Attention(const std::string &folder, std::istringstream &line, bool isPrefill, Team &team,
            int threads) {
    int64_t kvHeads = 0, group = 0, length = 0, past = 0, width = 0;
    line >> kvHeads >> group >> length;
    if (isPrefill)
      line >> past;
    line >> width;
    const std::string suffix = "_" + std::to_string(width) + "_f32";
    SizeBindings sizes{{"kv_heads", kvHeads}, {"group", group}};
    SizeBindings first = sizes;
    if (isPrefill)
      first.insert({{"tokens", length}, {"past", past}, {"window", length + past}});
    else
      first["keys"] = length;
    kernels.push_back(std::make_unique<LibraryKernel>(
        (isPrefill ? "attention_prefill" : "attention_decode") + suffix, first, team, threads));
    for (const char *view : {"q", "k", "v"})
      read(folder + "/" + view + ".bin", kernels[0]->data(view), kernels[0]->bytes(view));
    *static_cast<float *>(kernels[0]->data("scale")) = 1 / std::sqrt(static_cast<float>(width));
    if (isPrefill)
      return;
    sizes["splits"] = kernels[0]->bytes("top") / 4 / kvHeads / group;
    std::map<std::string, void *> shared;
    for (const char *view : {"values", "top", "weight"})
      shared[view] = kernels[0]->data(view);
    kernels.push_back(std::make_unique<LibraryKernel>("attention_combine" + suffix, sizes, team,
                                                      threads, shared));
  }
  void run() {
    for (auto &k : kernels)
      k->run();
  }
  void save(const std::string &file) const {
    std::ofstream(file, std::ios::binary)
        .write(static_cast<const char *>(kernels.back()->data("o")), kernels.back()->bytes("o"));
  }

private:
  static void read(const std::string &file, void *to, int64_t bytes) {
    std::ifstream in(file, std::ios::binary);
    if (!in.read(static_cast<char *>(to), bytes))
      throw std::runtime_error(file + " is shorter than the view");
  }
  std::vector<std::unique_ptr<LibraryKernel>> kernels;
};

void serve(const std::string &folder, int threads) {
  Team team(threads);
  std::unique_ptr<Attention> attention;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string what;
    int calls = 1;
    line >> what;
    if (what == "prefill" || what == "decode") {
      attention = std::make_unique<Attention>(folder, line, what == "prefill", team, threads);
    } else if (!attention) {
      throw std::runtime_error("nothing to run yet");
    } else if (what == "save") {
      attention->save(folder + "/o.bin");
    } else if (what == "run" && line >> calls) {
      attention->run();
      const double start = seconds(threads);
      for (int i = 0; i < calls; ++i)
        attention->run();
      std::cout << (seconds(threads) - start) / calls << ' ';
    }
    std::cout << "done" << std::endl;
  }
}

} // namespace
} // namespace imbrex::bench

int main(int argc, char **argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: bench-attention FOLDER THREADS, with orders on standard input\n");
    return 2;
  }
  imbrex::bench::serve(argv[1], std::atoi(argv[2]));
  return 0;
}
