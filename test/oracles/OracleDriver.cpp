// Reads requests, one JSON object a line, and prints the answer to each in one line.
#include "test/oracles/Registry.h"

#include <algorithm>
#include <iostream>
#include <string>

using namespace imbrex;

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    auto request = Json::parse(line);
    Json reply = request.ok() ? stats::oracles::answer(*request)
                              : Json::object().set("error", request.error().str());
    std::string text = reply.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cout << text << '\n';
  }
  return 0;
}
