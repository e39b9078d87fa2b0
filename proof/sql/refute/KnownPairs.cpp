#include "proof/sql/refute/KnownPairs.h"

#include <fstream>
#include <map>
#include <sstream>

namespace imbrex::sql {

namespace {

Error damaged(const std::string &path, uint32_t line, std::string what) {
  return badInput(1121, std::move(what), {}, {}, {path, line, 1});
}

std::vector<std::string> words(const std::string &line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;)
    result.push_back(word);
  return result;
}

} // namespace

Result<std::vector<KnownPair>> readKnownPairs(const std::string &path) {
  std::ifstream in(path);
  if (!in)
    return badInput(1121, "the file of pairs '" + path + "' cannot be read");
  std::map<std::string, std::string> schemas;
  std::vector<KnownPair> pairs;
  uint32_t number = 0;
  auto next = [&](std::string &line) { return ++number, bool(std::getline(in, line)); };
  for (std::string line; next(line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::vector<std::string> head = words(line);
    if (head[0] == "schema" && head.size() == 2) {
      std::string &text = schemas[head[1]];
      while (next(line) && !line.empty())
        text += line + "\n";
      continue;
    }
    if (head[0] != "pair" || head.size() < 3 || (head[2] != "equal" && head[2] != "different"))
      return damaged(path, number, "a schema or a pair is expected");
    KnownPair pair;
    pair.id = head[1];
    pair.equal = head[2] == "equal";
    std::string schema = "shop";
    for (size_t i = 3; i + 1 < head.size(); i += 2) {
      if (head[i] == "on")
        schema = head[i + 1];
      else if (head[i] == "dialect" && dialectOf(head[i + 1]))
        pair.dialect = *dialectOf(head[i + 1]);
      else
        return damaged(path, number, "a pair with '" + head[i] + "'");
    }
    if (!schemas.count(schema) || !next(pair.first) || !next(pair.second))
      return damaged(path, number, "a pair without its schema or its two queries");
    pair.schema = schemas[schema];
    pairs.push_back(pair);
  }
  return pairs;
}

} // namespace imbrex::sql
