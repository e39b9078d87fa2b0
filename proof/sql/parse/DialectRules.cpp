#include "proof/sql/parse/DialectRules.h"

namespace imbrex::sql {

static DialectRules standard() {
  DialectRules rules;
  rules.backtickNames = rules.bracketNames = true;
  rules.limitComma = rules.top = rules.qualify = rules.emptyValues = true;
  rules.unnamed = UnnamedColumns::Postgres;
  return rules;
}

static DialectRules postgres() {
  DialectRules rules;
  rules.folding = NameFolding::Lower;
  rules.unnamed = UnnamedColumns::Postgres;
  rules.subqueryWithoutAlias = false;
  return rules;
}

static DialectRules sqlite() {
  DialectRules rules;
  rules.folding = NameFolding::Insensitive;
  rules.precedence = {50, 50, 60, 50, 100};
  rules.backtickNames = rules.bracketNames = rules.limitComma = true;
  rules.aliasInHaving = rules.numbersAreConditions = true;
  return rules;
}

static DialectRules mySql() {
  DialectRules rules;
  rules.folding = NameFolding::Insensitive;
  rules.precedence = {50, 50, 50, 50, 10};
  rules.backtickNames = rules.doubleQuotedText = rules.backslashEscapes = true;
  rules.limitComma = rules.pipesAreOr = rules.aliasInHaving = true;
  rules.numbersAreConditions = rules.castsTextImplicitly = true;
  rules.subqueryWithoutAlias = false;
  return rules;
}

static DialectRules calcite() {
  DialectRules rules;
  rules.unnamed = UnnamedColumns::Calcite;
  rules.dollarNames = rules.emptyValues = rules.qualify = true;
  rules.groupByPosition = false;
  rules.castsTextImplicitly = rules.averageOfIntegersIsInteger = true;
  rules.repairsNames = rules.ordersOperands = true;
  return rules;
}

DialectRules DialectRules::of(Dialect dialect) {
  DialectRules rules = dialect == Dialect::Postgres  ? postgres()
                       : dialect == Dialect::Sqlite  ? sqlite()
                       : dialect == Dialect::MySql   ? mySql()
                       : dialect == Dialect::Calcite ? calcite()
                                                     : standard();
  rules.dialect = dialect;
  return rules;
}

} // namespace imbrex::sql
