#include "support/hostops/Items.h"

namespace imbrex {

using Kind = HostOperand::Kind;

std::vector<HostFunction> itemFunctions() {
  const HostOperand any{}, place{Kind::Integer, 0, 1, true}, sequence{Kind::Item, 1, 1};
  const HostOperand strings{Kind::String}, words{Kind::String, 0, 1, true};
  auto row = [](std::string_view name, auto function, std::vector<HostOperand> operands,
                int64_t parameters, size_t results = 1) {
    return HostFunction{name, nullptr, std::move(operands), parameters, results, function};
  };
  return {
      row("concat_items", concatItems, {sequence}, 4),
      row("from_strings", fromStrings, {strings}, 1),
      row("item_of", itemOf, {any}, 0),
      row("map_labels", mapLabels, {any, {Kind::Any, 1, 1}, {Kind::Any, 1, 1}, {Kind::Any, 0, 1}},
          0),
      row("regex_full_match", regexFullMatch, {strings, {Kind::String, 0, 1}}, 0),
      row("sequence_at", sequenceAt, {sequence, {Kind::Integer, 0, 1}}, 2),
      row("sequence_erase", sequenceErase, {sequence, place}, 0),
      row("sequence_insert", sequenceInsert, {sequence, sequence, place}, 0),
      row("split_to_items", splitToItems, {{Kind::Any, 1}, place}, 2),
      row("string_concat", stringConcat, {strings, strings}, 0),
      row("string_normalize", stringNormalize, {{Kind::String, 1, 2}, words}, 2),
      row("string_split", stringSplit, {strings, words}, 1, 2),
      row("texts", textsOf, {{Kind::Integer, 1, 1}, {Kind::Integer, 1, 1}}, 0),
      row("to_strings", toStrings, {any}, 0),
      row("unique", unique, {any}, 3, 4),
      row("zip_map", zipMap, {{Kind::Float, 2, 2}, {Kind::Any, 1, 1}}, 0),
  };
}

} // namespace imbrex
