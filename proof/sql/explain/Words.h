// Terms of the prover in the words of the schema: rows are called by their table, cells by their
// column.
//
//   in:0(x) and (x = col:1.1(y)) and in:1(y)
//   each row c1 of customer, each row i1 of invoice, where i1.customer = c1.id
//
// `customer[k]` is the row of customer with that key. For people only: nothing reads it again.
#pragma once

#include "proof/sql/prove/Translate.h"

namespace imbrex::sql {

class Words {
public:
  Words(Pool &pool, const Catalog &catalog, const Translator &translator)
      : pool(pool), catalog(catalog), translator(translator) {}

  /// The rows that a summand of a bag stands for. Names of rows are new for each one.
  std::string ofTerm(const BagTerm &term, const std::vector<Column> &columns);
  /// Tables of which the summand has a row of its own.
  std::vector<uint32_t> tablesOf(const BagTerm &term) const;

private:
  struct Atom {
    uint32_t table;
    bool counts; // a multiplicity of whole rows
  };
  std::optional<Atom> atomOf(Id id) const;
  std::vector<std::string> nameRows(Id guard);
  void nameRow(const Atom &atom, const std::vector<Id> &arguments, const std::string &alias);
  std::string quantified(Id guard, const std::vector<Variable> &variables, const std::string &each);

  std::string formula(Id id);
  std::string negated(Id id);
  std::string conjunction(Id id);
  std::string exists(Id id, bool holds);
  std::string value(Id id);
  std::string cell(const SymbolicCell &cell);
  std::string comparison(Id difference, const char *op);
  std::string linear(const std::vector<std::pair<algebra::Number, Id>> &parts,
                     algebra::Number constant);
  std::string apply(Id id);
  std::string tableCell(const std::string &name, const std::vector<Id> &arguments);
  std::string call(const std::string &name, const std::vector<Id> &arguments);
  std::string sum(Id id);
  std::string collection(Id id);

  Pool &pool;
  const Catalog &catalog;
  const Translator &translator;
  std::map<Id, std::string> names;                                  // of components
  std::map<std::pair<uint32_t, std::vector<Id>>, std::string> rows; // by table and key
  std::map<std::string, unsigned> used;                             // aliases by first letter
  std::vector<std::pair<std::string, Id>> fixed; // cells of rows just named that are no variables
  unsigned values = 0;
};

} // namespace imbrex::sql
