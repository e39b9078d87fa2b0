// Operators from the user's shared libraries (imbrex_custom_ops.h). What a library brings becomes a
// host function, "custom LIBRARY DOMAIN.NAME SINCE", known to the whole process; models and
// artifacts call it as any other.
#pragma once

#include "support/customops/imbrex_custom_ops.h"
#include "support/hostops/HostOps.h"

namespace imbrex::customops {

/// One attribute of a node; only the list of its kind is set.
struct Attribute {
  std::string name;
  ImxOpAttributeKind kind = IMX_ATTRIBUTE_INTS;
  std::vector<int64_t> ints;
  std::vector<double> reals;
  std::string text;
};

/// The attributes of a node, and which of its operands are left out, as one word of ASCII.
std::string encode(const std::vector<Attribute> &attributes, const std::vector<bool> &absent);
struct Given {
  std::vector<Attribute> attributes;
  std::vector<bool> absent; // by operand
};
/// E0242 for a text that encode did not make.
Result<Given> decode(std::string_view text);

/// A type with open sizes: negative numbers, equal ones for equal sizes, -1 for another.
struct OpenType {
  DType type = DType::Invalid; // Invalid: left out
  std::vector<int64_t> shape;
};

/// Loads a library and makes its operators known. It stays loaded. A library of that file name that
/// was loaded before is replaced for what is compiled or created from now on. E0140 when it cannot
/// be loaded, E0141 when it is none of ours or of another version.
Status load(const std::string &path);

/// The host function for an operator of a domain at a version; nothing when no library has it.
std::optional<std::string> functionFor(const std::string &domain, const std::string &name,
                                       int64_t version);
/// "custom …": a name that functionFor gives.
bool isCustom(std::string_view function);
/// "com.example.SoftCap (version 1) of libexample.so".
std::string describe(std::string_view function);

/// The types of the outputs. E0142 with the library's reason; E0143 when its answer makes no sense.
Result<std::vector<OpenType>> inferTypes(std::string_view function, const Given &given,
                                         const std::vector<OpenType> &operands);
/// How many outputs it has; 0 for an unknown function.
int outputsOf(std::string_view function);

} // namespace imbrex::customops
