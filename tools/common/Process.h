// Other programs of ours: where they are, and running them.
#pragma once

#include "support/Result.h"

#include <string>
#include <vector>

namespace imbrex::tools {

/// The folder of the running program, with links resolved. E0703 when the system does not tell.
Result<std::string> ownFolder();

/// Folders that hold the sub-commands: the program's own, then ../libexec/imbrex beside it.
std::vector<std::string> commandFolders();

/// The path of `imbrex-NAME`; E0704 when it is in none of the folders.
Result<std::string> findCommand(const std::string &name);

/// Runs a program with stdout going to stderr, and waits. The exit code, or E0705 when it could not
/// be started or was ended by a signal.
Result<int> runProgram(const std::string &path, const std::vector<std::string> &arguments);

/// The first line that a program prints; "" when it cannot be run.
std::string firstLineOf(const std::string &program, const std::vector<std::string> &arguments);

} // namespace imbrex::tools
