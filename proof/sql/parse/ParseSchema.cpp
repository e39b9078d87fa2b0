// CREATE TABLE, VIEW, FUNCTION, INDEX and ALTER TABLE ADD.
#include "proof/sql/parse/Parser.h"

namespace imbrex::sql {

ast::Statement Parser::parseStatement() {
  ast::Statement statement;
  statement.place = current().place;
  if (atSymbol("(") || atAnyWord({"SELECT", "WITH", "VALUES"})) {
    statement.query = parseQuery();
    return statement;
  }
  if (atWord("CREATE"))
    return parseCreate();
  if (atWord("ALTER")) {
    statement.kind = ast::StatementKind::Alter;
    statement.alter = parseAlterTable();
    return statement;
  }
  if (!atAnyWord({"DROP", "SET", "BEGIN", "COMMIT", "START", "PRAGMA", "USE", "COMMENT"}))
    expected("a query or CREATE TABLE, VIEW, INDEX or FUNCTION");
  statement.kind = ast::StatementKind::Nothing;
  skipStatement();
  return statement;
}

void Parser::skipStatement() {
  while (!atEnd() && !atSymbol(";"))
    take();
}

void Parser::skipIfNotExists() {
  if (acceptWord("IF")) {
    expectWord("NOT");
    expectWord("EXISTS");
  }
}

ast::Name Parser::parseTableName() {
  ast::Name name = parseName("a table");
  while (acceptSymbol("."))
    name = parseName("a table");
  return name;
}

ast::Statement Parser::parseCreate() {
  ast::Statement statement;
  statement.place = take().place;
  if (acceptWord("OR"))
    expectWord("REPLACE");
  for (std::string_view word : {"GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "UNLOGGED"})
    acceptWord(word);
  if (acceptWord("TABLE")) {
    statement.kind = ast::StatementKind::Table;
    statement.table = parseCreateTable();
  } else if (acceptWord("VIEW")) {
    statement.kind = ast::StatementKind::View;
    statement.view = parseCreateView();
  } else if (acceptWord("FUNCTION")) {
    statement.kind = ast::StatementKind::Function;
    statement.function = parseCreateFunction();
  } else if (acceptWords({"UNIQUE", "INDEX"})) {
    statement.kind = ast::StatementKind::Alter;
    statement.alter = parseCreateUniqueIndex();
  } else if (atAnyWord({"INDEX", "SCHEMA", "SEQUENCE", "EXTENSION"})) {
    statement.kind = ast::StatementKind::Nothing;
    skipStatement();
  } else {
    expected("TABLE, VIEW, INDEX or FUNCTION");
  }
  return statement;
}

ast::CreateTable Parser::parseCreateTable() {
  ast::CreateTable table;
  skipIfNotExists();
  table.name = parseTableName();
  if (atWord("AS"))
    notSupported("CREATE TABLE AS", current().place);
  expectSymbol("(");
  do
    if (!parseTableConstraint(table.keys, table.foreignKeys, table.checks))
      parseColumnDefinition(table);
  while (acceptSymbol(","));
  expectSymbol(")");
  do
    table.isStrict |= atAnyWord({"WITHOUT", "STRICT"});
  while (acceptSymbol(",") || acceptWord("STRICT") || acceptWords({"WITHOUT", "ROWID"}));
  skipStatement(); // other storage options
  return table;
}

/// [CONSTRAINT name] PRIMARY KEY | UNIQUE | FOREIGN KEY | CHECK | KEY (MySQL's word for an index).
bool Parser::parseTableConstraint(std::vector<ast::KeyDefinition> &keys,
                                  std::vector<ast::ForeignKeyDefinition> &foreignKeys,
                                  std::vector<ast::ExprPtr> &checks) {
  bool named = acceptWord("CONSTRAINT");
  if (named)
    parseName("the name of a constraint");
  if (acceptWords({"PRIMARY", "KEY"})) {
    keys.push_back({parseNameList(), true});
  } else if (atWord("UNIQUE") &&
             (isSymbol(peek(1), "(") || isWord(peek(1), "KEY") || isWord(peek(1), "INDEX"))) {
    take();
    if (!acceptWord("KEY"))
      acceptWord("INDEX");
    if (!atSymbol("("))
      parseName("the name of an index");
    keys.push_back({parseNameList(), false});
  } else if (acceptWords({"FOREIGN", "KEY"})) {
    foreignKeys.push_back(parseReferences(parseNameList()));
  } else if (acceptWord("CHECK")) {
    expectSymbol("(");
    checks.push_back(parseExpr());
    expectSymbol(")");
  } else if (!named && atAnyWord({"KEY", "INDEX"}) && peek(1).kind != TokenKind::Symbol &&
             isSymbol(peek(2), "(")) {
    position += 2;
    parseNameList();
  } else if (named) {
    expected("PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK");
  } else {
    return false;
  }
  return true;
}

ast::ForeignKeyDefinition Parser::parseReferences(std::vector<ast::Name> columns) {
  ast::ForeignKeyDefinition key;
  key.columns = std::move(columns);
  expectWord("REFERENCES");
  key.table = parseTableName();
  if (atSymbol("("))
    key.target = parseNameList();
  for (;;) {
    if (acceptWord("ON")) {
      take(); // DELETE or UPDATE
      if (!acceptWord("SET"))
        acceptWord("NO");
      take(); // CASCADE, RESTRICT, NULL, DEFAULT, ACTION
    } else if (acceptWord("MATCH")) {
      if (!acceptWord("SIMPLE"))
        notSupported("MATCH FULL and MATCH PARTIAL", current().place);
    } else if (acceptWords({"NOT", "DEFERRABLE"}) || acceptWord("DEFERRABLE")) {
    } else if (acceptWord("INITIALLY")) {
      take();
    } else {
      return key;
    }
  }
}

void Parser::parseColumnDefinition(ast::CreateTable &table) {
  ast::ColumnDefinition column;
  // "..." stands for any further columns: one column of a type of which only equality is known.
  if (atSymbol(".") && isSymbol(peek(1), ".") && isSymbol(peek(2), ".")) {
    column.name = {"...", true, current().place};
    column.type = {"REST", {}, current().place};
    column.notNull = true;
    position += 3;
    table.columns.push_back(std::move(column));
    return;
  }
  column.name = parseName("a column or a constraint");
  bool hasType = current().kind == TokenKind::QuotedName ||
                 (current().kind == TokenKind::Name &&
                  !atAnyWord({"NOT", "NULL", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "DEFAULT",
                              "CONSTRAINT", "COLLATE"}));
  column.type.place = column.name.place;
  if (hasType)
    column.type = parseType();
  for (;;) {
    if (acceptWord("CONSTRAINT")) {
      parseName("the name of a constraint");
    } else if (acceptWords({"NOT", "NULL"})) {
      column.notNull = true;
    } else if (acceptWord("NULL")) {
    } else if (acceptWords({"PRIMARY", "KEY"})) {
      table.keys.push_back({{column.name}, true});
      if (rules.dialect == Dialect::Sqlite && atWord("DESC"))
        notSupported("PRIMARY KEY DESC, which takes NULL", current().place);
      if (!acceptWord("ASC"))
        acceptWord("DESC");
    } else if (acceptWord("UNIQUE")) {
      acceptWord("KEY");
      table.keys.push_back({{column.name}, false});
    } else if (acceptWord("CHECK")) {
      expectSymbol("(");
      table.checks.push_back(parseExpr());
      expectSymbol(")");
    } else if (atWord("REFERENCES")) {
      table.foreignKeys.push_back(parseReferences({column.name}));
    } else if (acceptWord("DEFAULT")) {
      // At the level of comparisons, so that a following NOT NULL is not taken for an operator.
      parseExpr(rules.precedence.range);
    } else if (acceptWord("AUTOINCREMENT") || acceptWord("AUTO_INCREMENT")) {
    } else if (acceptWord("COMMENT")) {
      take();
    } else if (atWord("GENERATED") || atWord("COLLATE")) {
      notSupported(current().upper, current().place);
    } else {
      break;
    }
  }
  table.columns.push_back(std::move(column));
}

ast::CreateView Parser::parseCreateView() {
  ast::CreateView view;
  skipIfNotExists();
  view.name = parseTableName();
  if (atSymbol("("))
    view.columns = parseNameList();
  expectWord("AS");
  view.query = parseQuery();
  return view;
}

/// CREATE FUNCTION f(INTEGER, VARCHAR) RETURNS BOOLEAN [NOT NULL]: unknown, but a function.
ast::CreateFunction Parser::parseCreateFunction() {
  ast::CreateFunction function;
  function.name = parseTableName();
  expectSymbol("(");
  if (!atSymbol(")"))
    do {
      bool named = peek(1).kind == TokenKind::Name || peek(1).kind == TokenKind::QuotedName;
      if (named && !isWord(peek(1), "PRECISION") && !isWord(peek(1), "VARYING"))
        parseName("the name of a parameter");
      function.parameters.push_back(parseType());
    } while (acceptSymbol(","));
  expectSymbol(")");
  expectWord("RETURNS");
  function.result = parseType();
  function.notNull = acceptWords({"NOT", "NULL"});
  return function;
}

ast::AlterTable Parser::parseCreateUniqueIndex() {
  ast::AlterTable alter;
  skipIfNotExists();
  if (!atWord("ON"))
    parseName("the name of an index");
  expectWord("ON");
  alter.name = parseTableName();
  bool plain = true;
  ast::KeyDefinition key;
  expectSymbol("(");
  do {
    if (atName() && !isSymbol(peek(1), "("))
      key.columns.push_back(parseName("a column"));
    else
      plain = false, parseExpr();
    if (!acceptWord("ASC"))
      acceptWord("DESC");
  } while (acceptSymbol(","));
  expectSymbol(")");
  // An index over expressions or over some of the rows promises nothing about columns alone.
  if (plain && !atWord("WHERE"))
    alter.keys.push_back(std::move(key));
  skipStatement();
  return alter;
}

ast::AlterTable Parser::parseAlterTable() {
  ast::AlterTable alter;
  take();
  expectWord("TABLE");
  acceptWord("ONLY");
  alter.name = parseTableName();
  do {
    if (!acceptWord("ADD"))
      notSupported("ALTER TABLE other than ADD of a constraint", current().place);
    if (!parseTableConstraint(alter.keys, alter.foreignKeys, alter.checks))
      expected("a constraint");
  } while (acceptSymbol(","));
  return alter;
}

} // namespace imbrex::sql
