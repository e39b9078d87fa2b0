// Calls of functions: those that engines know, and those that are given by their values.
#include "proof/sql/engine/Printer.h"

#include <map>

namespace imbrex::sql::print {

/// YEAR, MONTH or DAY of a date.
std::string Printer::extract(const Expr &e) {
  const auto *unit = std::get_if<std::string>(&e.operands[0]->value);
  static const std::map<std::string, std::string> formats = {
      {"YEAR", "'%Y'"}, {"MONTH", "'%m'"}, {"DAY", "'%d'"}};
  auto format = unit ? formats.find(*unit) : formats.end();
  if (format == formats.end() || e.operands[1]->type.base != BaseType::Date)
    return refuse("EXTRACT of something other than year, month or day of a date");
  std::string date = expr(*e.operands[1]);
  return sqlite() ? "CAST(STRFTIME(" + format->second + ", " + date + ") AS INTEGER)"
                  : "CAST(EXTRACT(" + *unit + " FROM " + date + ") AS BIGINT)";
}

/// Operators of bits. SQLite has no XOR.
std::string Printer::bits(const Expr &e) {
  std::string a = expr(*e.operands[0]), b = expr(*e.operands[1]);
  if (e.operands[0]->type.base != BaseType::Int || e.operands[1]->type.base != BaseType::Int)
    return refuse("the function " + e.name);
  if (e.name == "BITXOR")
    return sqlite() ? "((" + a + " | " + b + ") - (" + a + " & " + b + "))"
                    : "(" + a + " # " + b + ")";
  return "(" + a + (e.name == "BITAND" ? " & " : " | ") + b + ")";
}

/// CASE WHEN the arguments are those of a row THEN its value.
std::string Printer::lookUp(const Expr &e, const FunctionTable &table) {
  const char *is = sqlite() ? " IS " : " IS NOT DISTINCT FROM ";
  Texts arguments = exprs(e.operands);
  std::string text = "(CASE";
  for (const auto &[values, result] : table.rows) {
    Texts conditions{"TRUE"};
    for (size_t i = 0; i < values.size() && i < arguments.size(); ++i)
      conditions.push_back(arguments[i] + is + printValue(values[i], e.operands[i]->type, engine));
    if (conditions.size() > 1)
      conditions.erase(conditions.begin());
    text += " WHEN " + join(conditions, " AND ") + " THEN " + printValue(result, e.type, engine);
  }
  return text + " ELSE " + printValue(Value(), e.type, engine) + " END)";
}

std::string Printer::function(const Expr &e) {
  if (auto table = meaning.functions.find(e.name); table != meaning.functions.end())
    return lookUp(e, table->second);
  if (e.name == "EXTRACT" && e.operands.size() == 2)
    return extract(e);
  if ((e.name == "BITAND" || e.name == "BITOR" || e.name == "BITXOR") && e.operands.size() == 2)
    return bits(e);
  // On runs without an error the condition holds.
  if (e.name == "$THROW_UNLESS")
    return "TRUE";
  constexpr std::string_view cut = "CAST TO VARCHAR(";
  if (e.name.starts_with(cut) && e.operands[0]->type.base == BaseType::Text) {
    std::string length = e.name.substr(cut.size(), e.name.size() - cut.size() - 1);
    bool ignores = semantics.dialect == Dialect::Sqlite;
    return ignores ? expr(*e.operands[0])
                   : "SUBSTR(" + expr(*e.operands[0]) + ", 1, " + length + ")";
  }
  if (e.name == "TRIM" && e.operands.size() == 2 && !sqlite())
    return "BTRIM(" + join(exprs(e.operands), ", ") + ")";
  static const std::map<std::string, std::string> names = {
      {"UPPER", "UPPER"},      {"LOWER", "LOWER"},        {"ABS", "ABS"},
      {"LENGTH", "LENGTH"},    {"CHAR_LENGTH", "LENGTH"}, {"CHARACTER_LENGTH", "LENGTH"},
      {"LTRIM", "LTRIM"},      {"RTRIM", "RTRIM"},        {"TRIM", "TRIM"},
      {"SUBSTRING", "SUBSTR"}, {"SUBSTR", "SUBSTR"}};
  auto found = names.find(e.name);
  if (found == names.end())
    return refuse("the function " + e.name);
  return found->second + "(" + join(exprs(e.operands), ", ") + ")";
}

} // namespace imbrex::sql::print
