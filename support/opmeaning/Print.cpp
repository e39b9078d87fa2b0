// The printed form of Programs.
//
//   y[i0 < n, i1 < 8] : f32 = sum f32 (k0 < 4) %0[i0, k0] * %1[k0, i1]
//   require n = m : "the inner sizes differ"
//
// %N is operand N. Reads of definitions go by their names.
#include "support/opmeaning/Program.h"

#include <cmath>
#include <cstdio>

namespace imbrex::opmeaning {

namespace {

// Binding strengths, weakest first.
enum Level { Fold, Or, And, Compare, Sum, Product, Primary };

class Printer {
public:
  explicit Printer(const Program &p) : p(p) {}

  void bind(std::span<const Node *const> vars, char letter) {
    for (const Node *v : vars)
      names.emplace(v, letter + std::to_string(letter == 'i' ? outer++ : inner++));
  }
  std::string ranges(std::span<const Node *const> vars, std::span<const DimExpr> extents) {
    std::string s;
    for (size_t i = 0; i < vars.size(); ++i)
      s += (i ? ", " : "") + names[vars[i]] + " < " + extents[i].str();
    return s;
  }

  std::string text(const Node *n, Level level = Fold) {
    auto [s, own] = term(n);
    return own < level ? "(" + s + ")" : s;
  }

private:
  const Program &p;
  std::unordered_map<const Node *, std::string> names;
  int outer = 0, inner = 0;
  using Text = std::pair<std::string, Level>;

  std::string list(const std::vector<const Node *> &args, size_t from = 0) {
    std::string s;
    for (size_t i = from; i < args.size(); ++i)
      s += (i > from ? ", " : "") + text(args[i]);
    return s;
  }

  std::string read(const Node *n) {
    std::string s = n->source.kind == Source::Kind::Operand ? "%" + std::to_string(n->source.index)
                                                            : p.defs[n->source.index].name;
    return n->args.empty() ? s : s + "[" + list(n->args) + "]";
  }

  static std::string dimText(const DimExpr &d) {
    return d.constant() || d.asSymbol() ? d.str() : "(" + d.str() + ")";
  }

  Text index(const Node *n) {
    switch (n->kind) {
    case TermKind::IxVar: {
      auto it = names.find(n);
      return {it == names.end() ? "?" : it->second, Primary};
    }
    case TermKind::IxConst:
      return {std::to_string(n->number), n->number < 0 ? Product : Primary};
    case TermKind::IxDim:
      return {n->dim.str(), n->dim.asSymbol() ? Primary : Sum};
    case TermKind::IxAdd: {
      const Node *r = n->args[1];
      bool size = r->kind == TermKind::IxConst || r->kind == TermKind::IxDim;
      std::string s = size ? text(r) : text(r, Product);
      if (size && s[0] == '-')
        return {text(n->args[0], Sum) + " - " + s.substr(1), Sum};
      return {text(n->args[0], Sum) + " + " + s, Sum};
    }
    case TermKind::IxSub:
      return {text(n->args[0], Sum) + " - " + text(n->args[1], Product), Sum};
    case TermKind::IxMul:
      return {text(n->args[0], Primary) + "*" + dimText(n->dim), Product};
    case TermKind::IxFloorDiv:
      return {text(n->args[0], Primary) + " floordiv " + dimText(n->dim), Product};
    case TermKind::IxMod:
      return {text(n->args[0], Primary) + " mod " + dimText(n->dim), Product};
    case TermKind::IxMin:
      return {"min(" + list(n->args) + ")", Primary};
    case TermKind::IxMax:
      return {"max(" + list(n->args) + ")", Primary};
    case TermKind::IxSelect:
      return {"select(" + list(n->args) + ")", Primary};
    case TermKind::IxRead:
      return {read(n), Primary};
    default:
      return {"place(" + text(n->args[0]) + ")", Primary};
    }
  }

  Text guard(const Node *n) {
    constexpr const char *kCmp[] = {" = ", " != ", " < ", " <= "};
    switch (n->kind) {
    case TermKind::PTrue:
      return {"true", Primary};
    case TermKind::PCmp:
      return {text(n->args[0], Sum) + kCmp[static_cast<size_t>(n->cmp)] + text(n->args[1], Sum),
              Compare};
    case TermKind::PNot:
      if (n->args[0]->kind == TermKind::PTrue)
        return {"false", Primary};
      return {"not " + text(n->args[0], Primary), Compare};
    case TermKind::PAnd:
      return {text(n->args[0], And) + " and " + text(n->args[1], Compare), And};
    case TermKind::POr:
      return {text(n->args[0], Or) + " or " + text(n->args[1], And), Or};
    default:
      return {text(n->args[0], Compare), Compare};
    }
  }

  static std::string number(const Node *n) {
    if (n->type == DType::Bool)
      return n->number ? "true" : "false";
    if (!isFloat(n->type))
      return std::to_string(n->number);
    if (std::isnan(n->real))
      return "nan";
    if (std::isinf(n->real))
      return n->real < 0 ? "-inf" : "inf";
    // The shortest text that reads back as the same double.
    char s[40];
    for (int digits = 6; digits <= 17; ++digits) {
      std::snprintf(s, sizeof s, "%.*g", digits, n->real);
      if (std::strtod(s, nullptr) == n->real)
        break;
    }
    std::string out = s;
    return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
  }

  Text apply(const Node *n) {
    auto infix = [&](const char *op, Level own, Level right) -> Text {
      return {text(n->args[0], own) + op + text(n->args[1], right), own};
    };
    switch (n->fn) {
    case FnId::Add:
      return infix(" + ", Sum, Product);
    case FnId::Sub:
      return infix(" - ", Sum, Product);
    case FnId::Mul:
      return infix(" * ", Product, Primary);
    case FnId::Div:
      return infix(" / ", Product, Primary);
    case FnId::Neg:
      return {"-" + text(n->args[0], Primary), Product};
    default:
      return {std::string(info(n->fn).name) + "(" + list(n->args) + ")", Primary};
    }
  }

  Text fold(const Node *n) {
    constexpr const char *kRed[] = {"sum", "prod", "max", "min", "and", "or"};
    std::string s;
    if (n->kind == TermKind::VReduce)
      s = std::string(kRed[static_cast<size_t>(n->red)]) + " " + std::string(name(n->accumulator));
    else
      s = std::string("best(") + (n->best == Best::Max ? "max" : "min") +
          (n->tie == Tie::First ? ", first)" : ", last)");
    bind(n->vars, 'k');
    s += " (" + ranges(n->vars, n->extents) + ")";
    if (n->args[0]->kind != TermKind::PTrue)
      s += " where " + text(n->args[0]) + " :";
    return {s + " " + text(n->args[1], Sum), Fold};
  }

  Text term(const Node *n) {
    if (isIndex(n->kind))
      return index(n);
    if (isGuard(n->kind))
      return guard(n);
    switch (n->kind) {
    case TermKind::VConst:
      return {number(n), Primary};
    case TermKind::VCast:
    case TermKind::VFromIx:
    case TermKind::VFromPred:
      return {std::string(name(n->type)) + "(" + text(n->args[0]) + ")", Primary};
    case TermKind::VBits:
      return {"bits<" + std::string(name(n->type)) + ">(" + text(n->args[0]) + ")", Primary};
    case TermKind::VRead:
      return {read(n), Primary};
    case TermKind::VApply:
      return apply(n);
    case TermKind::VSelect:
      return {"select(" + list(n->args) + ")", Primary};
    case TermKind::VDetach:
      return {"detach(" + text(n->args[0]) + ")", Primary};
    default:
      return fold(n);
    }
  }
};

} // namespace

static std::string defText(const Program &p, const Def &d) {
  Printer print(p);
  print.bind(d.vars, 'i');
  std::string s = d.host ? "host " : "";
  s += d.name;
  if (!d.vars.empty())
    s += "[" + print.ranges(d.vars, d.type.dims) + "]";
  return s + " : " + std::string(name(d.type.type)) + " = " + print.text(d.body);
}

std::string Program::str() const {
  std::string out;
  for (const OpenDim &o : opens) {
    out += o.symbol + " = value(";
    out += o.source.kind == Source::Kind::Operand ? "%" + std::to_string(o.source.index)
                                                  : defs[o.source.index].name;
    for (int64_t i : o.at)
      out += ", " + std::to_string(i);
    out += ")\n";
  }
  for (const Require &r : requirements) {
    Printer print(*this);
    print.bind(r.vars, 'i');
    out += "require ";
    if (!r.vars.empty())
      out += "(" + print.ranges(r.vars, r.extents) + ") ";
    out += print.text(r.guard) + " : \"" + r.why + "\"\n";
  }
  for (const Def &d : defs)
    out += defText(*this, d) + "\n";
  out += "outputs";
  for (uint32_t o : outputs)
    out += (o == outputs.front() ? " " : ", ") + defs[o].name;
  return out + "\n";
}

} // namespace imbrex::opmeaning
