// The sub-commands of `imbrex tea`. Each takes the command line from its own name on.
#pragma once

#include "stats/language/ReadStudy.h"
#include "support/json/Json.h"

namespace imbrex::tools {

int teaCheck(int argc, char **argv);

/// Prints all errors of a study to stderr, as `error[…]` lines; false when there are any.
bool studyIsGood(const stats::ReadStudy &read);

/// How the data was read: rows, encoding, delimiter, decimal mark, missing values.
void printImport(const stats::Study &study, const stats::Table &table);
Json importJson(const stats::Table &table);

} // namespace imbrex::tools
