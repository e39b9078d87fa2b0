// Layered layout of a directed acyclic graph: Sugiyama's steps, small.
//
//   layout(items, edges): items [{w, h}] in topological order, edges [[from, to]]
//   gives items x, y (top left), edges' points, and the size of all.
'use strict';

const GAP_X = 22, GAP_Y = 40, MOST_DUMMIES = 6000;

/// Longest path from above; what nothing feeds stands right above what it feeds first.
function ranksOf(count, edges) {
  const rank = new Array(count).fill(0), fed = new Array(count).fill(false);
  const into = Array.from({length: count}, () => []);
  edges.forEach(([from, to]) => { into[to].push(from); fed[to] = true; });
  for (let i = 0; i < count; ++i)
    for (const from of into[i]) rank[i] = Math.max(rank[i], rank[from] + 1);
  const first = new Array(count).fill(Infinity);
  edges.forEach(([from, to]) => { first[from] = Math.min(first[from], rank[to]); });
  for (let i = 0; i < count; ++i)
    if (!fed[i] && first[i] < Infinity) rank[i] = first[i] - 1;
  return rank;
}

/// Points of the fixed order `cells` [{w, want}] that keep their distances and are as near as can be
/// to what each wants: pools of neighbours that push each other share their mean.
function placeInOrder(cells) {
  const pools = [];
  let offset = 0;
  for (const cell of cells) {
    cell.offset = offset + cell.w / 2;
    offset += cell.w + GAP_X;
    const weight = cell.weight || 1;
    let pool = {sum: (cell.want - cell.offset) * weight, weight, cells: [cell]};
    while (pools.length && pools[pools.length - 1].sum / pools[pools.length - 1].weight > pool.sum / pool.weight) {
      const before = pools.pop();
      before.cells.push(...pool.cells);
      pool = {sum: before.sum + pool.sum, weight: before.weight + pool.weight, cells: before.cells};
    }
    pools.push(pool);
  }
  for (const pool of pools)
    for (const cell of pool.cells) cell.x = pool.sum / pool.weight + cell.offset;
}

/// Items and the bends of long edges, by layer, and who touches whom.
function makeLayers(items, edges) {
  const rank = ranksOf(items.length, edges);
  const cells = items.map((item, i) => ({w: item.w, h: item.h, rank: rank[i], up: [], down: []}));
  let dummies = 0;
  const chains = edges.map(([from, to]) => {
    const chain = [cells[from]];
    const bends = rank[to] - rank[from] - 1;
    if (bends > 0 && dummies + bends <= MOST_DUMMIES)
      for (let r = rank[from] + 1; r < rank[to]; ++r, ++dummies) {
        const cell = {w: 6, h: 0, rank: r, up: [], down: [], dummy: true};
        cells.push(cell);
        chain.push(cell);
      }
    chain.push(cells[to]);
    for (let i = 1; i < chain.length; ++i) {
      chain[i - 1].down.push(chain[i]);
      chain[i].up.push(chain[i - 1]);
    }
    return chain;
  });
  const layers = [];
  for (const cell of cells) (layers[cell.rank] = layers[cell.rank] || []).push(cell);
  for (let r = 0; r < layers.length; ++r) layers[r] = layers[r] || [];
  return {cells, chains, layers};
}

function number(layer) { layer.forEach((cell, i) => { cell.at = i; }); }

/// Fewer crossings: each layer in the order of its neighbours' middles, down and up again.
function orderLayers(layers) {
  layers.forEach(number);
  for (let sweep = 0; sweep < 10; ++sweep) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      for (const cell of layer) {
        const near = down ? cell.up : cell.down;
        cell.key = near.length ? near.reduce((s, n) => s + n.at, 0) / near.length : cell.at;
      }
      layer.sort((a, b) => a.key - b.key || a.at - b.at);
      number(layer);
    }
  }
}

function placeLayers(layers) {
  // A chain of items goes straight down and long edges swing around it: bends pull an item little, and each other much.
  const pull = (cell, near) => near.dummy ? (cell.dummy ? 1 : 0.06) : cell.dummy ? 0.3 : 1;
  const mean = (cell, list) => list.reduce((s, n) => s + n.x * pull(cell, n), 0) / list.reduce((s, n) => s + pull(cell, n), 0);
  for (const layer of layers) {
    layer.forEach(cell => { cell.want = 0; });
    placeInOrder(layer);
  }
  for (let sweep = 0; sweep < 40; ++sweep) {
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      for (const cell of layer) {
        const near = sweep > 30 ? [...cell.up, ...cell.down] : sweep % 2 ? cell.down : cell.up;
        cell.want = near.length ? mean(cell, near) : cell.x;
        cell.weight = cell.dummy ? 1 : 12; // bends give way
      }
      placeInOrder(layer);
    }
  }
}

function layout(items, edges) {
  if (!items.length) return {w: 40, h: 20, paths: []};
  const {cells, chains, layers} = makeLayers(items, edges);
  orderLayers(layers);
  placeLayers(layers);
  let y = 0;
  for (const layer of layers) {
    const h = Math.max(0, ...layer.map(c => c.h));
    layer.forEach(cell => { cell.y = y; cell.layer = h; });
    y += h + (h ? GAP_Y : GAP_Y / 2);
  }
  const left = Math.min(...cells.map(c => c.x - c.w / 2));
  const right = Math.max(...cells.map(c => c.x + c.w / 2));
  cells.forEach(cell => { cell.x -= left; });
  items.forEach((item, i) => { item.x = cells[i].x - item.w / 2; item.y = cells[i].y; });
  const paths = chains.map(chain => {
    const points = [];
    chain.forEach((cell, i) => {
      if (i > 0) points.push([cell.x, cell.y]);
      if (i + 1 < chain.length) points.push([cell.x, cell.y + (cell.dummy ? cell.layer : cell.h)]);
    });
    return points;
  });
  return {w: right - left, h: y - GAP_Y, paths};
}

/// A curve through points that leaves and arrives upright.
function curve(points) {
  let d = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  for (let i = 1; i < points.length; ++i) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i], middle = (y0 + y1) / 2;
    d += Math.abs(x0 - x1) < 0.5
        ? `L${x1.toFixed(1)} ${y1.toFixed(1)}`
        : `C${x0.toFixed(1)} ${middle.toFixed(1)} ${x1.toFixed(1)} ${middle.toFixed(1)} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
  }
  return d;
}
