// Names of types, as five engines write them.
#include "proof/sql/bind/Binder.h"

#include <unordered_map>

namespace imbrex::sql {

static BaseType baseOf(const std::string &name) {
  static const std::unordered_map<std::string, BaseType> bases = {
      {"INT", BaseType::Int},
      {"INTEGER", BaseType::Int},
      {"SMALLINT", BaseType::Int},
      {"TINYINT", BaseType::Int},
      {"MEDIUMINT", BaseType::Int},
      {"BIGINT", BaseType::Int},
      {"INT2", BaseType::Int},
      {"INT4", BaseType::Int},
      {"INT8", BaseType::Int},
      {"SERIAL", BaseType::Int},
      {"BIGSERIAL", BaseType::Int},
      {"SIGNED", BaseType::Int},
      {"UNSIGNED", BaseType::Int},
      {"DECIMAL", BaseType::Number},
      {"DEC", BaseType::Number},
      {"NUMERIC", BaseType::Number},
      {"NUMBER", BaseType::Number},
      {"REAL", BaseType::Number},
      {"FLOAT", BaseType::Number},
      {"FLOAT4", BaseType::Number},
      {"FLOAT8", BaseType::Number},
      {"DOUBLE", BaseType::Number},
      {"DOUBLE PRECISION", BaseType::Number},
      {"CHAR", BaseType::Text},
      {"CHARACTER", BaseType::Text},
      {"CHAR VARYING", BaseType::Text},
      {"CHARACTER VARYING", BaseType::Text},
      {"VARCHAR", BaseType::Text},
      {"VARCHAR2", BaseType::Text},
      {"NCHAR", BaseType::Text},
      {"NVARCHAR", BaseType::Text},
      {"BPCHAR", BaseType::Text},
      {"TEXT", BaseType::Text},
      {"TINYTEXT", BaseType::Text},
      {"MEDIUMTEXT", BaseType::Text},
      {"LONGTEXT", BaseType::Text},
      {"STRING", BaseType::Text},
      {"CLOB", BaseType::Text},
      {"BOOL", BaseType::Bool},
      {"BOOLEAN", BaseType::Bool},
      {"DATE", BaseType::Date},
      {"TIME", BaseType::Time},
      {"TIMESTAMP", BaseType::Timestamp},
      {"DATETIME", BaseType::Timestamp},
  };
  auto found = bases.find(name);
  if (found != bases.end())
    return found->second;
  return name.starts_with("INTERVAL") ? BaseType::Interval : BaseType::Other;
}

Type Binder::declaredType(const ast::TypeName &type) const {
  Type result{baseOf(type.name)};
  if (result.base == BaseType::Other)
    result.name = type.name.empty() ? "ANY" : type.name;
  return result;
}

/// Is CAST to this type a function that loses nothing of any value of `from`, errors aside?
bool Binder::keepsEveryValue(const Type &from, const ast::TypeName &to) const {
  Type target = declaredType(to);
  if (target.base == BaseType::Other || to.parameters.empty())
    return true;
  if (target.base == BaseType::Number)
    return from.base == BaseType::Int;
  if (target.base == BaseType::Int) // INT(11) of MySQL: a width for display
    return true;
  // Timestamps have whole seconds in Calcite unless they say otherwise.
  bool wholeSeconds = rules.dialect == Dialect::Calcite && from.base == BaseType::Timestamp;
  return target.base == BaseType::Timestamp && (from.base == BaseType::Date || wholeSeconds);
}

} // namespace imbrex::sql
