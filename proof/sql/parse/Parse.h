// SQL text to a syntax tree. Reads one dialect (DialectRules.h). Errors say file:line:col. Text
// that nests over ast::MaxDepth levels is refused (E1002), so nothing that walks the tree can run
// out of stack. Linear in the text, except for a bounded look-ahead at parentheses.
#pragma once

#include "proof/sql/parse/Ast.h"

namespace imbrex::sql {

/// All statements of a text, separated by semicolons. INSERT and the like are refused.
Result<std::vector<ast::Statement>> parseStatements(std::string_view text, const std::string &file,
                                                    const DialectRules &rules);

/// A text that holds one query, with or without a semicolon.
Result<ast::QueryPtr> parseQuery(std::string_view text, const std::string &file,
                                 const DialectRules &rules);

} // namespace imbrex::sql
