// Statistical procedures by name, callable with arguments in JSON: what the comparison with other
// software runs.
//
// A family of procedures has one file XCases.cpp with a function that adds its procedures, listed
// below.
#pragma once

#include "stats/procedures/TestResult.h"
#include "support/json/Json.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace imbrex::stats::oracles {

using Run = std::function<TestResult(const Json &arguments)>;
using Registry = std::map<std::string, Run>;

void addNumeric(Registry &registry);
void addGroups(Registry &registry);
void addAnova(Registry &registry);
void addAssumptions(Registry &registry);
void addRegression(Registry &registry);
void addAssociation(Registry &registry);
void addCategorical(Registry &registry);
void addPosthoc(Registry &registry);
void addResampling(Registry &registry);
const Registry &allProcedures();

std::vector<double> numbersOf(const Json &array);
std::vector<std::vector<double>> groupsOf(const Json &arrays);

/// Every number of a result under a flat key: "outcome", "U", "df0", "p", "p.less", "estimate",
/// "ci.low", "effect.A12", "effect.A12.low", "analysis of variance/wool/F", ".../p",
/// ".../estimate", ".../ci.low".
Json flatten(const TestResult &result);

/// Runs {"procedure": …, "arguments": …}; an object with "error" when there is no such procedure.
Json answer(const Json &request);

} // namespace imbrex::stats::oracles
