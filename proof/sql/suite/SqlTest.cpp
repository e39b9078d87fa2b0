#include "proof/sql/suite/Suite.h"

#include <sstream>

namespace imbrex::sql {
namespace {

struct Block {
  std::string head; // after ===
  std::string body;
  uint32_t line = 0; // of the body
};

std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<Block> blocksOf(std::string_view text) {
  std::vector<Block> blocks;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (uint32_t number = 1; std::getline(lines, line); ++number)
    if (line.starts_with("==="))
      blocks.push_back({trimmed(line.substr(3)), "", number + 1});
    else if (!blocks.empty())
      blocks.back().body += line + "\n";
  return blocks;
}

class Reader {
public:
  Reader(const std::string &file, const SuiteOptions &options)
      : file(file), semantics(options.semantics) {}

  Result<std::vector<SuiteCase>> run(std::string_view text) {
    std::vector<Block> blocks = blocksOf(text);
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Block &block = blocks[i];
      Status status;
      if (block.head == "schema" || block.head.starts_with("schema,"))
        status = readTables(block);
      else if (i + 1 < blocks.size() && blocks[i + 1].head == "and")
        status = readPair(block, blocks[i + 1]), ++i;
      else
        status = fault(block, "a pair without its second query", "=== and, and a query");
      if (!status)
        return status.takeError();
    }
    return std::move(cases);
  }

private:
  Error fault(const Block &block, std::string what, std::string remedy) const {
    return badInput(1062, std::move(what), "", std::move(remedy), {file, block.line - 1, 1});
  }

  /// Errors of texts in a block get the line of the file.
  static Error placed(Error error, const Block &block) {
    error.where.line += block.line - 1;
    return error;
  }

  Status readTables(const Block &block) {
    if (size_t comma = block.head.find(','); comma != std::string::npos) {
      std::string name = trimmed(block.head.substr(comma + 1));
      std::optional<Dialect> dialect = dialectOf(name);
      if (!dialect)
        return fault(block, "'" + name + "' is no dialect",
                     "standard, postgres, sqlite, mysql or calcite");
      semantics = Semantics::of(*dialect);
    }
    Result<Schema> read = readSchema(block.body, file, semantics);
    if (!read)
      return placed(read.takeError(), block);
    schema = read.take();
    catalog = std::make_shared<const Catalog>(schema.catalog);
    return {};
  }

  Status readPair(const Block &first, const Block &second) {
    size_t colon = first.head.rfind(':');
    std::string word = colon == std::string::npos ? "" : trimmed(first.head.substr(colon + 1));
    SuiteCase next;
    for (Answer answer : {Answer::Equivalent, Answer::NotEquivalent, Answer::Unknown})
      if (word == answerName(answer))
        next.expected = answer;
    if (!next.expected)
      return fault(first, "a pair without what is expected of it",
                   "=== NAME: equivalent, not equivalent or unknown");
    if (!catalog)
      return fault(first, "a pair before the first schema", "=== schema");
    next.name = trimmed(first.head.substr(0, colon));
    next.catalog = catalog;
    next.semantics = semantics;
    next.pair.originals = {first.body, second.body};
    for (const Block *block : {&first, &second}) {
      Result<BoundQuery> query = readQuery(block->body, file, schema, semantics);
      if (!query) {
        next.error = placed(query.takeError(), *block);
        break;
      }
      (block == &first ? next.pair.first : next.pair.second) = query->query;
      next.remarks.insert(next.remarks.end(), query->remarks.begin(), query->remarks.end());
    }
    cases.push_back(std::move(next));
    return {};
  }

  const std::string &file;
  Semantics semantics;
  Schema schema;
  std::shared_ptr<const Catalog> catalog;
  std::vector<SuiteCase> cases;
};

} // namespace

Result<std::vector<SuiteCase>> readSqlTest(std::string_view text, const std::string &file,
                                           const SuiteOptions &options) {
  return Reader(file, options).run(text);
}

} // namespace imbrex::sql
