// One Program out of several, and the decision which definitions get memory.
//
// A group of operators arrives as Programs that read each other's outputs. append() joins them;
// inlineDefs() then substitutes definitions that only move or map elements into their readers, as
// far as that repeats no costly work. Each definition that is left becomes one kernel.
//
//   t[i] = a[i] + b[i];  y[i] = relu(t[i])        ->  y[i] = relu(a[i] + b[i])
//   t[i,j] = x[j,i];     y[i] = sum(k) t[i,k]     ->  y[i] = sum(k) x[k,i]
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

using opmeaning::Program;
using opmeaning::Source;

/// Reads an element of an operand or definition, as a scalar or as an index.
bool isRead(const opmeaning::Node *n);

/// Adds `part`'s definitions to `into`. operands[i] says what part's operand i is in `into`; absent
/// ones are nothing. Returns what each of part's outputs is in `into`.
std::vector<Source> append(Program &into, const Program &part,
                           const std::vector<std::optional<Source>> &operands);

/// Substitutes cheap or singly read definitions without a reduce into their readers and drops
/// definitions that nothing reads. Outputs stay, in order.
void inlineDefs(Program &program, const DimFacts &facts);

/// Removes definitions that no output, requirement or opened size needs.
void dropDead(Program &program);

/// Scalar operations per element of a definition's body, transcendental functions counted as 8;
/// reduces count their body once.
int64_t bodyCost(const opmeaning::Node *body);

/// Copies a scalar or index term into `into`, substituting variables and redirecting reads.
const opmeaning::Node *rewriteTerm(
    Program &into, const opmeaning::Node *root,
    const std::unordered_map<const opmeaning::Node *, const opmeaning::Node *> &variables,
    const std::function<const opmeaning::Node *(const opmeaning::Node *read,
                                                std::vector<const opmeaning::Node *> at)> &onRead);

/// New numbers for a program's definitions: place[i] is where definition i went.
struct Renumbering {
  Program &p;
  std::vector<uint32_t> place;

  opmeaning::Source of(opmeaning::Source s) const;
  /// The term, reading definitions by their new numbers.
  const opmeaning::Node *term(const opmeaning::Node *root) const;
  /// `defs`, renumbered already, become the program's; whatever else reads them follows.
  void finish(std::vector<opmeaning::Def> defs) const;
};

} // namespace imbrex::lower
