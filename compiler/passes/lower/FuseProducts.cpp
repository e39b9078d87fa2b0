#include "compiler/passes/lower/FuseProducts.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/TileEpilogue.h"

#include <set>

namespace imbrex::lower {

using namespace opmeaning;

ProductFusion fuseProducts(Program &p, const DimFacts &facts) {
  const size_t count = p.defs.size();
  ProductFusion f{std::vector<std::optional<TileProduct>>(count),
                  std::vector<std::optional<uint32_t>>(count),
                  std::vector<std::optional<uint32_t>>(count)};
  std::vector<std::set<uint32_t>> readers(count);
  std::vector<bool> kept(count);
  auto keep = [&](const Node *root) {
    walk(root, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        kept[n->source.index] = true;
    });
  };
  for (uint32_t i = 0; i < count; ++i)
    walk(p.defs[i].body, [&](const Node *n) {
      if (isRead(n) && n->source.kind == Source::Kind::Def)
        readers[n->source.index].insert(i);
    });
  for (uint32_t o : p.outputs)
    kept[o] = true;
  for (const Require &r : p.requirements)
    keep(r.guard);
  for (const OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      kept[o.source.index] = true;
  for (uint32_t i = 0; i < count; ++i) {
    f.products[i] = tileProductOf(p, p.defs[i], facts);
    if (!f.products[i] || kept[i] || readers[i].size() != 1)
      continue;
    const uint32_t reader = *readers[i].begin();
    if (!f.productOf[reader] && epilogueOf(p, facts, i, *f.products[i], p.defs[reader])) {
      f.readerOf[i] = reader;
      f.productOf[reader] = i;
    }
  }
  return f;
}

} // namespace imbrex::lower
