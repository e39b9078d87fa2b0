// The only file of the runtime that sees FlatBuffers.
#include "runtime/module/ArtifactReader.h"
#include "runtime/module/format/Artifact_generated.h"
#include "runtime/module/format/Layout.h"

namespace imbrex::runtime {
namespace {

namespace fb = imbrex::artifact;
using namespace imbrex::artifact;

/// A FlatBuffer may refer to the same table many times, so a small file could unpack into much
/// memory. What is unpacked is counted against a budget; honest files stay far below it.
class Unpacker {
public:
  explicit Unpacker(uint64_t budget) : budget(budget) {}
  bool exhausted() const { return over; }

  std::string text(const flatbuffers::String *s) {
    return s && spend(s->size() + 32) ? s->str() : std::string();
  }

  template <class T, class Out, class Convert>
  void each(const flatbuffers::Vector<T> *list, std::vector<Out> &out, Convert convert) {
    if (!list || !spend(list->size() * sizeof(Out)))
      return;
    out.reserve(list->size());
    for (auto item : *list) {
      if (over)
        return;
      out.push_back(convert(item));
    }
  }

  void texts(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> *list,
             std::vector<std::string> &out) {
    each(list, out, [&](const flatbuffers::String *s) { return text(s); });
  }

  TypeSpec type(const fb::TensorType *t) {
    TypeSpec out;
    if (!t)
      return out;
    out.dtype = static_cast<DType>(t->dtype());
    each(t->dims(), out.dims,
         [&](const fb::Dim *d) { return DimSpec{size(d->size()), text(d->name())}; });
    return out;
  }

  static SizeSpec size(const fb::Size *s) {
    return s ? SizeSpec{s->value(), s->slot()} : SizeSpec{};
  }

  bool spend(uint64_t bytes) {
    over = over || bytes > budget;
    budget -= over ? 0 : bytes;
    return !over;
  }

private:
  uint64_t budget;
  bool over = false;
};

void edges(Unpacker &u, const flatbuffers::Vector<const fb::Edge *> *list,
           std::vector<EdgeSpec> &out) {
  u.each(list, out, [](const fb::Edge *e) { return EdgeSpec{e->node(), e->index()}; });
}

NodeSpec node(Unpacker &u, const fb::Node *n) {
  NodeSpec out;
  out.name = u.text(n->name());
  out.op = u.text(n->op());
  out.attributes = u.text(n->attributes());
  out.function = n->function();
  out.parent = n->parent();
  out.region = n->region();
  out.group = n->group();
  edges(u, n->operands(), out.operands);
  u.texts(n->results(), out.results);
  edges(u, n->yields(), out.yields);
  return out;
}

PortSpec port(Unpacker &u, const fb::Port *p) {
  return {u.text(p->name()), u.type(p->type()), p->donated()};
}

FunctionSpec function(Unpacker &u, const fb::Function *f) {
  FunctionSpec out;
  out.name = u.text(f->name());
  u.each(f->inputs(), out.inputs, [&](const fb::Port *p) { return port(u, p); });
  u.each(f->outputs(), out.outputs, [&](const fb::Port *p) { return port(u, p); });
  u.each(f->symbols(), out.symbols, [&](const fb::Symbol *s) {
    return SymbolSpec{u.text(s->name()), s->input(), s->axis(), s->lo(), s->hi(), s->divisor()};
  });
  out.sizes = f->sizes();
  out.sizeSlots = f->size_slots();
  out.registers = f->registers();
  out.arena = Unpacker::size(f->arena());
  u.each(f->code(), out.code, [](uint32_t word) { return word; });
  u.texts(f->slot_names(), out.slotNames);
  u.texts(f->facts(), out.facts);
  edges(u, f->results(), out.results);
  return out;
}

KernelSpec kernel(Unpacker &u, const fb::Kernel *k) {
  KernelSpec out;
  out.name = u.text(k->name());
  out.entry = u.text(k->entry());
  out.operands = k->operands();
  out.results = k->results();
  out.dims = k->dims();
  u.texts(k->checks(), out.checks);
  u.texts(k->sources(), out.sources);
  out.flops = k->flops();
  out.pure = k->pure();
  out.unaligned = k->unaligned();
  u.each(k->args(), out.args, [&](const fb::TensorType *t) { return u.type(t); });
  out.plan = u.text(k->plan());
  out.grid = k->grid();
  out.scratchBytes = k->scratch();
  u.each(k->aliases(), out.aliases,
         [](const fb::Alias *a) { return AliasSpec{a->result(), a->operand()}; });
  out.group = k->group();
  out.work = u.text(k->work());
  out.clampedReads = k->clamped_reads();
  out.proven = k->proven();
  out.form = u.text(k->form());
  u.each(k->gathered(), out.gathered, [](uint16_t operand) { return operand; });
  return out;
}

SizesSpec sizes(Unpacker &u, const fb::SizesFunction *s) {
  SizesSpec out{u.text(s->name()), u.text(s->entry()), s->inputs(), s->outputs(), {}};
  u.texts(s->checks(), out.checks);
  return out;
}

Error malformed(std::string why) {
  return badInput(106, "the artifact's metadata is malformed", std::move(why),
                  "compiling the model again");
}

/// The section's bytes; nothing when the index or the kind is wrong.
std::optional<std::span<const std::byte>> sectionOf(const SectionTable &table, int64_t index,
                                                    SectionKind kind) {
  if (index < 0 || static_cast<size_t>(index) >= table.sections.size())
    return std::nullopt;
  const auto &s = table.sections[static_cast<size_t>(index)];
  if (s.kind != static_cast<uint32_t>(kind))
    return std::nullopt;
  return s.bytes;
}

Status readConstants(Unpacker &u, const fb::Metadata *m, ReadArtifact &out) {
  bool good = true;
  u.each(m->constants(), out.spec.constants, [&](const fb::Constant *c) {
    ConstantSpec spec{u.text(c->name()), DType::Invalid, {}, {}};
    TypeSpec type = u.type(c->type());
    spec.dtype = type.dtype;
    spec.gathered = c->gathered();
    for (const DimSpec &d : type.dims) {
      good = good && d.size.isLiteral();
      spec.shape.push_back(d.size.value);
    }
    bool inside = c->offset() <= out.constants.size() &&
                  c->bytes() <= out.constants.size() - c->offset() &&
                  c->offset() % constantAlignment == 0;
    good = good && inside;
    if (inside)
      spec.bytes = out.constants.subspan(c->offset(), c->bytes());
    return spec;
  });
  if (!good)
    return malformed("a constant lies outside its section or has no literal type");
  return {};
}

Status readVariants(Unpacker &u, const fb::Metadata *m, const SectionTable &table,
                    ReadArtifact &out) {
  bool good = true;
  u.each(m->variants(), out.spec.variants, [&](const fb::CodeVariant *v) {
    VariantSpec spec{u.text(v->kind()), u.text(v->target()), {}, v->priority(), {}};
    u.texts(v->features(), spec.features);
    auto bytes = sectionOf(table, v->section(), SectionKind::Code);
    good = good && bytes;
    spec.code = bytes.value_or(std::span<const std::byte>());
    return spec;
  });
  if (!good)
    return malformed("a code variant refers to no code section");
  return {};
}

} // namespace

Result<ReadArtifact> readMetadata(const SectionTable &table) {
  auto section = sectionOf(table, 0, SectionKind::Metadata);
  if (!section)
    return malformed("the first section is something else");
  constexpr size_t limit = 256u << 20;
  if (section->size() < 16 || section->size() > limit)
    return malformed("it has " + std::to_string(section->size()) + " bytes");
  auto *data = reinterpret_cast<const uint8_t *>(section->data());
  auto tables = static_cast<flatbuffers::uoffset_t>(section->size() / 4);
  flatbuffers::Verifier verifier(data, section->size(), 16, tables);
  if (!fb::MetadataBufferHasIdentifier(data) || !fb::VerifyMetadataBuffer(verifier))
    return malformed("its structure is broken");

  const fb::Metadata *m = fb::GetMetadata(data);
  Unpacker u(section->size() * 64 + (1 << 20));
  ReadArtifact out;
  ArtifactSpec &spec = out.spec;
  spec.producer = u.text(m->producer());
  spec.model = u.text(m->model());
  spec.modelHash = u.text(m->model_hash());
  u.each(m->functions(), spec.functions, [&](const fb::Function *f) { return function(u, f); });
  spec.entry = m->entry();
  u.each(m->kernels(), spec.kernels, [&](const fb::Kernel *k) { return kernel(u, k); });
  u.each(m->sizes(), spec.sizes, [&](const fb::SizesFunction *s) { return sizes(u, s); });
  u.texts(m->imports(), spec.imports);
  u.texts(m->host_ops(), spec.hostOps);
  u.texts(m->remarks(), spec.remarks);
  u.each(m->nodes(), spec.nodes, [&](const fb::Node *n) { return node(u, n); });
  u.each(m->rewrites(), spec.rewrites, [&](const fb::Rewrite *r) {
    return RewriteSpec{u.text(r->rule()), u.text(r->contract()), u.text(r->node())};
  });
  spec.kernelAbi = m->kernel_abi();
  u.each(m->externals(), spec.externals, [&](const fb::External *e) {
    return ExternalSpec{u.text(e->name()), u.text(e->library()), e->state_section()};
  });
  if (m->constants_section() >= 0) {
    auto constants = sectionOf(table, m->constants_section(), SectionKind::Constants);
    if (!constants)
      return malformed("the constants refer to no constants section");
    out.constants = *constants;
  }
  if (Status s = readConstants(u, m, out); !s)
    return s.takeError();
  if (Status s = readVariants(u, m, table, out); !s)
    return s.takeError();
  if (u.exhausted())
    return malformed("it refers to the same parts too often");
  return out;
}

} // namespace imbrex::runtime
