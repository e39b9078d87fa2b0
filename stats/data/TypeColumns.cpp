// Raw cells to typed columns.
#include "stats/data/Table.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace imbrex::stats {
namespace {

constexpr int32_t strangeCode = -2; // in no declared category
constexpr double missingNumber = std::numeric_limits<double>::quiet_NaN();

std::string quoted(std::string_view text) {
  bool cut = text.size() > 60;
  return "'" + std::string(text.substr(0, 60)) + (cut ? "…'" : "'");
}

std::string cellsSay(size_t count) {
  return count == 1 ? "" : " (and " + std::to_string(count - 1) + " more)";
}

class Typer {
public:
  Typer(RawTable &raw, const std::vector<ColumnSpec> &specs, const TypingOptions &options)
      : raw(raw), specs(specs), options(options) {}

  Status run(Table &table) {
    for (RawColumn &column : raw.columns)
      named[column.name].push_back(&column);
    for (const ColumnSpec &spec : specs)
      if (Status s = resolve(spec); !s)
        return s;
    if (Status s = chooseFormat(); !s)
      return s;
    for (size_t i = 0; i < specs.size(); ++i) {
      Column column{specs[i].name};
      if (Status s = type(specs[i], *sources[i], column); !s)
        return s;
      table.columns.push_back(std::move(column));
      if (--uses[sources[i]] == 0) // no other column comes from it
        std::vector<Cell>().swap(sources[i]->cells);
    }
    table.rows = raw.rows;
    table.report = raw.report;
    return {};
  }

private:
  Status resolve(const ColumnSpec &spec) {
    auto found = named.find(spec.name);
    if (found == named.end())
      return noColumn(spec);
    if (found->second.size() > 1)
      return badInput(1205, "two columns are called '" + spec.name + "'", "",
                      "other names, such as `AS` gives them in a query",
                      {raw.report.source, raw.isFile ? 1u : 0u, 0});
    sources.push_back(found->second.front());
    ++uses[sources.back()];
    return {};
  }

  Status noColumn(const ColumnSpec &spec) const {
    std::vector<std::string> names;
    for (const RawColumn &column : raw.columns)
      names.push_back(column.name);
    std::string near = nearestName(spec.name, names), list;
    for (const std::string &name : names)
      if (list.size() < 200)
        list += (list.empty() ? "" : ", ") + name;
    return badInput(1207, "the data has no column '" + spec.name + "'", "it has " + list,
                    near.empty() ? "the name of one of these" : "'" + near + "'",
                    {raw.report.source, raw.isFile ? 1u : 0u, 0});
  }

  bool isMissingWord(std::string_view text) const {
    return std::find(options.missingWords.begin(), options.missingWords.end(), text) !=
           options.missingWords.end();
  }

  bool isMissing(const Cell &cell, std::string_view text) const {
    return text.empty() || (!cell.quoted && isMissingWord(text));
  }

  /// Numbers that stand for missing values, such as -99: also when written -99.0.
  std::vector<double> missingCodes() const {
    std::vector<double> codes;
    for (const std::string &word : options.missingWords)
      if (std::optional<double> code = parseNumber(word, format))
        codes.push_back(*code);
    return codes;
  }

  bool looksNumeric(const RawColumn &source) const {
    bool any = false;
    for (size_t row = 0; row < raw.rows; ++row) {
      std::string_view text = trimmed(raw.cell(source, row));
      if (isMissing(source.cells[row], text))
        continue;
      if (numberHint(text) == NumberHint::NoNumber)
        return false;
      any = true;
    }
    return any;
  }

  /// Decimal and thousands marks are those of the file, not of a column: all numbers are looked at.
  Status chooseFormat() {
    std::array<size_t, 8> count{};
    std::array<std::pair<size_t, size_t>, 8> example{};
    for (size_t i = 0; i < specs.size(); ++i) {
      bool number = specs[i].kind == ColumnSpec::Kind::Number ||
                    (specs[i].kind == ColumnSpec::Kind::Inferred && looksNumeric(*sources[i]));
      isNumber.push_back(number);
      if (!number)
        continue;
      for (size_t row = 0; row < raw.rows; ++row) {
        std::string_view text = raw.cell(*sources[i], row);
        if (text.find_first_of(",.") == std::string_view::npos || allDotDecimal(text))
          continue;
        auto hint = static_cast<size_t>(numberHint(text));
        if (count[hint]++ == 0)
          example[hint] = {i, row};
      }
    }
    return decide(count, example);
  }

  /// The common case without the full analysis: digits, a dot, more or fewer than three digits.
  bool allDotDecimal(std::string_view text) {
    size_t dot = text.find('.');
    size_t after = text.size() - dot - 1;
    if (dot == std::string_view::npos || after == 3 || text.find(',') != std::string_view::npos ||
        text.find('.', dot + 1) != std::string_view::npos)
      return false;
    if (!parseNumber(text, {'.', 0}))
      return false;
    seenPoint = true;
    return true;
  }

  Status decide(std::array<size_t, 8> &count,
                const std::array<std::pair<size_t, size_t>, 8> &example) {
    auto has = [&](NumberHint h) { return count[static_cast<size_t>(h)] > 0; };
    auto at = [&](NumberHint h) {
      auto [spec, row] = example[static_cast<size_t>(h)];
      return quoted(trimmed(raw.cell(*sources[spec], row)));
    };
    bool point = seenPoint || has(NumberHint::Dot) || has(NumberHint::CommaThousands);
    bool comma = has(NumberHint::Comma) || has(NumberHint::DotThousands);
    ImportReport &report = raw.report;
    if (options.decimal) {
      format.decimal = *options.decimal;
      report.decimalReason = "declared";
    } else if (point && comma) {
      NumberHint which = has(NumberHint::Comma) ? NumberHint::Comma : NumberHint::DotThousands;
      auto [spec, row] = example[static_cast<size_t>(which)];
      return badInput(1211, "the data mixes decimal points and decimal commas",
                      at(which) + " has a comma for it, other numbers have a point",
                      "`decimal: \",\"` or `decimal: \".\"` in the study's data block",
                      raw.locate(*sources[spec], row));
    } else if (comma) {
      format.decimal = ',';
      report.decimalReason =
          "as in " + at(has(NumberHint::Comma) ? NumberHint::Comma : NumberHint::DotThousands);
    } else if (!point && has(NumberHint::EitherComma)) {
      ambiguous(at(NumberHint::EitherComma));
    } else if (!point && has(NumberHint::EitherDot) && report.delimiter == ';') {
      ambiguousPoint(at(NumberHint::EitherDot));
    } else if (point || has(NumberHint::EitherDot)) {
      report.decimalReason = "detected";
    }
    bool marks = format.decimal == '.'
                     ? has(NumberHint::CommaThousands) || has(NumberHint::EitherComma)
                     : has(NumberHint::DotThousands) || (has(NumberHint::EitherDot) && comma);
    if (options.thousands)
      format.thousands = *options.thousands;
    else if (marks)
      format.thousands = format.decimal == '.' ? ',' : '.';
    report.decimal = format.decimal;
    report.thousands = format.thousands;
    return {};
  }

  /// Only numbers such as 1,286: the delimiter tells what they are in most countries' files.
  void ambiguous(const std::string &example) {
    bool continental = raw.report.delimiter == ';' || raw.report.delimiter == '\t';
    format.decimal = continental ? ',' : '.';
    raw.report.decimalReason = "assumed";
    raw.report.notes.push_back(
        example + " may be written with a decimal comma or with a thousands mark: taken for " +
        (continental ? "a decimal comma, since the delimiter is no comma"
                     : "a thousands mark, since the delimiter is a comma") +
        "; `decimal:` in the study's data block decides");
  }

  /// Only numbers such as 1.286 where a comma could not delimit fields: perhaps since it is
  /// decimal.
  void ambiguousPoint(const std::string &example) {
    raw.report.decimalReason = "assumed";
    raw.report.notes.push_back(
        example + " may be written with a decimal point or with a thousands mark: taken for a "
                  "decimal point; `decimal:` and `thousands:` in the study's data block decide");
  }

  Status type(const ColumnSpec &spec, RawColumn &source, Column &column) {
    size_t index = static_cast<size_t>(&spec - specs.data());
    return isNumber[index] ? numbers(spec, source, column) : categories(spec, source, column);
  }

  Status numbers(const ColumnSpec &spec, RawColumn &source, Column &column) {
    column.kind = ColumnKind::Number;
    column.numbers.reserve(raw.rows);
    size_t bad = 0, firstBad = 0, outside = 0, firstOutside = 0;
    std::vector<double> codes = missingCodes();
    for (size_t row = 0; row < raw.rows; ++row) {
      std::string_view text = raw.cell(source, row);
      std::optional<double> value = parseNumber(text, format);
      bool code = value && std::find(codes.begin(), codes.end(), *value) != codes.end();
      if (!value || code) {
        column.numbers.push_back(missingNumber);
        if (code || trimmed(text).empty() || isMissingWord(trimmed(text)))
          ++column.missing;
        else if (bad++ == 0)
          firstBad = row;
        continue;
      }
      if ((spec.low && *value < *spec.low) || (spec.high && *value > *spec.high))
        if (outside++ == 0)
          firstOutside = row;
      column.numbers.push_back(*value);
    }
    if (bad)
      return badInput(1208,
                      quoted(trimmed(raw.cell(source, firstBad))) + " in column '" + spec.name +
                          "' is no number" + cellsSay(bad),
                      "the variable is declared with numbers; the decimal mark is '" +
                          std::string(1, format.decimal) + "'",
                      "correcting it, or `na: …` in the data block if it means a missing value",
                      raw.locate(source, firstBad));
    if (outside)
      return badInput(1210,
                      std::string(trimmed(raw.cell(source, firstOutside))) + " in column '" +
                          spec.name + "' is outside the declared range" + cellsSay(outside),
                      "", "correcting the value or the range", raw.locate(source, firstOutside));
    return {};
  }

  /// The code of a value among the declared ones: by its text, or as the same number (1 and 1.0).
  int32_t declaredCode(const ColumnSpec &spec, std::string_view text) const {
    for (size_t i = 0; i < spec.categories.size(); ++i)
      if (trimmed(spec.categories[i]) == text)
        return static_cast<int32_t>(i);
    if (std::optional<double> value = parseNumber(text, {format.decimal, 0}))
      for (size_t i = 0; i < spec.categories.size(); ++i)
        if (parseNumber(spec.categories[i], {'.', 0}) == value)
          return static_cast<int32_t>(i);
    return Column::missingCode;
  }

  Status categories(const ColumnSpec &spec, RawColumn &source, Column &column) {
    column.kind = ColumnKind::Category;
    column.categories = spec.categories;
    column.codes.reserve(raw.rows);
    // Quoted words are never missing, so the same text may have two meanings.
    std::array<std::unordered_map<std::string_view, int32_t>, 2> known;
    std::unordered_map<std::string_view, int32_t> labels;
    size_t strange = 0, firstStrange = 0;
    for (size_t row = 0; row < raw.rows; ++row) {
      std::string_view text = trimmed(raw.cell(source, row));
      const Cell &cell = source.cells[row];
      auto [entry, fresh] = known[cell.quoted].try_emplace(text, Column::missingCode);
      if (fresh)
        entry->second = code(spec, cell, text, labels, column.categories);
      if (entry->second == strangeCode && strange++ == 0)
        firstStrange = row;
      column.codes.push_back(entry->second);
      column.missing += entry->second == Column::missingCode;
    }
    return strange ? strangeValue(spec, source, firstStrange, strange) : Status();
  }

  int32_t code(const ColumnSpec &spec, const Cell &cell, std::string_view text,
               std::unordered_map<std::string_view, int32_t> &labels,
               std::vector<std::string> &categories) const {
    bool open = spec.categories.empty();
    int32_t found = open ? Column::missingCode : declaredCode(spec, text);
    if (found >= 0 || isMissing(cell, text))
      return found;
    if (!open)
      return spec.others == ColumnSpec::Others::Missing ? Column::missingCode : strangeCode;
    auto [label, fresh] = labels.try_emplace(text, static_cast<int32_t>(categories.size()));
    if (fresh)
      categories.emplace_back(text);
    return label->second;
  }

  Status strangeValue(const ColumnSpec &spec, const RawColumn &source, size_t row, size_t count) {
    std::string_view text = trimmed(raw.cell(source, row));
    std::string near = nearestName(text, spec.categories), list;
    for (const std::string &category : spec.categories)
      if (list.size() < 200)
        list += (list.empty() ? "" : ", ") + category;
    return badInput(1209,
                    quoted(text) + " in column '" + spec.name + "' is no declared category" +
                        cellsSay(count),
                    "the categories are " + list,
                    (near.empty() ? "declaring it" : "'" + near + "'") +
                        ", or `others missing` after the categories to leave such rows out",
                    raw.locate(source, row));
  }

  RawTable &raw;
  const std::vector<ColumnSpec> &specs;
  const TypingOptions &options;
  std::vector<RawColumn *> sources;
  std::unordered_map<std::string_view, std::vector<RawColumn *>> named;
  std::unordered_map<const RawColumn *, size_t> uses; // of a source, by columns still to come
  std::vector<bool> isNumber;
  NumberFormat format;
  bool seenPoint = false;
};

} // namespace

const Column *Table::find(std::string_view name) const {
  for (const Column &column : columns)
    if (column.name == name)
      return &column;
  return nullptr;
}

Result<Table> typeColumns(RawTable raw, const std::vector<ColumnSpec> &specs,
                          const TypingOptions &options) {
  Table table;
  if (Status s = Typer(raw, specs, options).run(table); !s)
    return s.takeError();
  return table;
}

} // namespace imbrex::stats
