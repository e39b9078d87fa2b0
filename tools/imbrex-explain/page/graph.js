// The graph: blocks in layers, zoomed and panned; a click selects, a second one opens.
'use strict';

const view = {x: 0, y: 0, scale: 1, selected: null, w: 1, h: 1};
const canvas = document.getElementById('graph');
const world = svg('g'), miniFrame = svg('rect', {class: 'frame'}), mini = document.getElementById('mini');
canvas.append(world);

/// Widths of text in the fonts of page.css.
const pen = document.createElement('canvas').getContext('2d');
const FONTS = {title: "600 13px system-ui, 'DejaVu Sans', sans-serif", name: "11px system-ui, 'DejaVu Sans', sans-serif",
               type: "11px ui-monospace, 'DejaVu Sans Mono', monospace"};
function widthOf(text, kind) {
  pen.font = FONTS[kind] || FONTS.name;
  return pen.measureText(text).width;
}

function measure(block) {
  const lines = textLines(block);
  const widest = Math.max(widthOf(block.title, 'title') + (block.children.length ? 22 : 0), ...lines.map(l => widthOf(l.text, l.class)));
  return {w: Math.max(96, widest + 30), h: 26 + 15 * lines.length + (block.ns ? 8 : 0)};
}

function textLines(block) {
  const lines = [];
  if (block.name) lines.push({text: shorten(block.name, 46), class: 'name'});
  for (const type of block.types.slice(0, 2)) lines.push({text: shorten(type, 52), class: 'type'});
  if (block.types.length > 2) lines.push({text: `… and ${block.types.length - 2} more results`, class: 'type'});
  if (block.ns) lines.push({text: `${timeText(block.ns)}, ${percentText(block.ns * data.profile.runs / totalNs)}`, class: 'time'});
  return lines;
}

/// The child of `scope` that holds `block`; null when it lies elsewhere.
function childIn(scope, block) {
  while (block && block.parent !== scope) block = block.parent;
  return block;
}

/// Positions of everything inside an open block.
function arrange(block) {
  const items = block.children, place = new Map(items.map((child, i) => [child, i]));
  for (const child of items) {
    if (child.open && child.children.length) {
      const inner = arrange(child);
      child.w = Math.max(inner.w, measure(child).w) + 28;
      child.h = inner.h + 58;
      child.inset = (child.w - inner.w) / 2;
    } else {
      Object.assign(child, measure(child));
    }
  }
  const seen = new Map();
  for (const [from, to, type] of graph.edges) {
    const a = childIn(block, from), b = childIn(block, to);
    if (!a || !b || a === b || !place.has(a) || !place.has(b)) continue;
    const key = place.get(a) * items.length + place.get(b);
    if (seen.has(key)) { if (!seen.get(key).types.includes(type)) seen.get(key).types.push(type); continue; }
    seen.set(key, {from: place.get(a), to: place.get(b), types: [type]});
  }
  // Topological order: the data's, with ports first and last.
  const order = items.map((child, i) => i);
  block.edges = [...seen.values()].filter(e => e.from < e.to);
  const made = layout(order.map(i => items[i]), block.edges.map(e => [e.from, e.to]));
  block.edges.forEach((edge, i) => { edge.points = made.paths[i]; });
  return made;
}

function drawBlock(block, x, y) {
  const made = svg('g', {class: `block ${block.kind || 'view'}${view.selected === block ? ' selected' : ''}${block.open ? ' open' : ''}`,
                         transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, 'data-block': block.index});
  made.append(svg('rect', {width: block.w.toFixed(1), height: block.h.toFixed(1), rx: 7, class: 'box'}));
  made.append(svg('rect', {width: 5, height: (block.h - 12).toFixed(1), x: 5, y: 6, rx: 2.5, class: 'stripe'}));
  made.append(svg('text', {x: 17, y: 18, class: 'title'}, block.title));
  if (block.children.length) made.append(svg('text', {x: block.w - 16, y: 18, class: 'fold'}, block.open ? '−' : '+'));
  if (block.open && block.children.length) {
    made.append(svg('text', {x: 17, y: 33, class: 'name'}, block.name));
    const inner = svg('g', {transform: `translate(${block.inset.toFixed(1)} 44)`});
    drawInside(block, inner);
    made.append(inner);
    return made;
  }
  textLines(block).forEach((line, i) => made.append(svg('text', {x: 17, y: 34 + 15 * i, class: line.class}, line.text)));
  if (block.ns) {
    const share = block.ns * data.profile.runs / totalNs;
    made.append(svg('rect', {x: 17, y: block.h - 9, width: block.w - 29, height: 3, rx: 1.5, class: 'track'}));
    made.append(svg('rect', {x: 17, y: block.h - 9, width: Math.max(2, (block.w - 29) * Math.sqrt(share)).toFixed(1), height: 3, rx: 1.5, class: 'bar'}));
  }
  return made;
}

function drawInside(block, into) {
  for (const edge of block.edges)
    into.append(svg('path', {d: curve(edge.points), class: 'edge'}, svg('title', {}, edge.types.join('\n'))));
  for (const child of block.children) into.append(drawBlock(child, child.x, child.y));
}

function redraw() {
  const made = arrange(graph.root);
  view.w = made.w;
  view.h = made.h;
  world.replaceChildren();
  drawInside(graph.root, world);
  drawMini();
  move();
}

function move() {
  world.setAttribute('transform', `translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})`);
  canvas.classList.toggle('far', view.scale < 0.42);
  canvas.classList.toggle('veryfar', view.scale < 0.16);
  const box = canvas.getBoundingClientRect();
  for (const [name, value] of [['x', -view.x], ['y', -view.y], ['width', box.width], ['height', box.height]])
    miniFrame.setAttribute(name, (value / view.scale).toFixed(1));
}

/// The whole graph, small, with a frame around what is seen.
function drawMini() {
  mini.replaceChildren();
  mini.setAttribute('viewBox', `-20 -20 ${(view.w + 40).toFixed(1)} ${(view.h + 40).toFixed(1)}`);
  for (const child of graph.root.children)
    mini.append(svg('rect', {x: child.x.toFixed(1), y: child.y.toFixed(1), width: child.w.toFixed(1), height: child.h.toFixed(1),
                             class: `mini ${child.kind || 'view'}`}));
  mini.append(miniFrame);
}

function zoomAt(factor, cx, cy) {
  const scale = Math.min(3, Math.max(0.02, view.scale * factor));
  view.x = cx - (cx - view.x) * scale / view.scale;
  view.y = cy - (cy - view.y) * scale / view.scale;
  view.scale = scale;
  move();
}

function fit() {
  const box = canvas.getBoundingClientRect();
  view.scale = Math.min(1.2, (box.width - 40) / view.w, (box.height - 40) / view.h);
  view.x = (box.width - view.w * view.scale) / 2;
  view.y = (box.height - view.h * view.scale) / 2;
  move();
}

/// Readable, from the top: what a first look needs.
function home() {
  const box = canvas.getBoundingClientRect();
  view.scale = Math.min(1, Math.max(0.45, (box.width - 40) / view.w));
  const first = graph.root.children[0];
  view.x = box.width / 2 - (first ? first.x + first.w / 2 : 0) * view.scale;
  view.y = 24;
  move();
}

/// Where a block lies in the graph's coordinates.
function placeOf(block) {
  let x = block.x, y = block.y;
  for (let at = block.parent; at && at.parent; at = at.parent) { x += at.x + at.inset; y += at.y + 44; }
  return {x: x + block.w / 2, y: y + block.h / 2};
}

function reveal(block, scale) {
  for (let at = block.parent; at; at = at.parent) at.open = true;
  view.selected = block;
  redraw();
  const box = canvas.getBoundingClientRect(), at = placeOf(block);
  view.scale = Math.max(scale || 0.8, view.scale);
  view.x = box.width / 2 - at.x * view.scale;
  view.y = box.height / 2 - at.y * view.scale;
  move();
  showDetails(block);
}

function select(block) {
  view.selected = block;
  for (const made of world.querySelectorAll('.selected')) made.classList.remove('selected');
  if (block) world.querySelector(`[data-block="${block.index}"]`).classList.add('selected');
  showDetails(block);
}

/// Opens or closes a block; what was clicked stays where it is.
function toggle(block) {
  if (!block.children.length) return;
  const before = placeOf(block), top = before.y - block.h / 2;
  block.open = !block.open;
  redraw();
  const after = placeOf(block);
  view.x += (before.x - after.x) * view.scale;
  view.y += (top - (after.y - block.h / 2)) * view.scale;
  move();
}

function blockAt(target) {
  const made = target.closest && target.closest('[data-block]');
  return made ? blocks[Number(made.getAttribute('data-block'))] : null;
}

function listenToPointer() {
  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener('pointerdown', e => { pointers.set(e.pointerId, e); moved = 0; });
  window.addEventListener('pointerup', e => pointers.delete(e.pointerId));
  window.addEventListener('pointercancel', e => pointers.delete(e.pointerId));
  window.addEventListener('pointermove', e => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 2) {
      const other = [...pointers.values()].find(p => p.pointerId !== e.pointerId);
      const d = p => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
      const box = canvas.getBoundingClientRect();
      zoomAt(d(e) / Math.max(1, d(before)), other.clientX - box.x, other.clientY - box.y);
    } else {
      view.x += dx;
      view.y += dy;
      move();
    }
    pointers.set(e.pointerId, e);
  });
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoomAt(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), e.clientX - box.x, e.clientY - box.y);
  }, {passive: false});
  canvas.addEventListener('click', e => {
    if (moved > 6) return;
    const block = blockAt(e.target);
    if (block && view.selected === block) toggle(block);
    else select(block);
  });
  mini.addEventListener('click', e => {
    const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(mini.getScreenCTM().inverse());
    const box = canvas.getBoundingClientRect();
    view.x = box.width / 2 - at.x * view.scale;
    view.y = box.height / 2 - at.y * view.scale;
    move();
  });
}

function step(by) {
  const list = graph.root.children;
  const at = view.selected ? list.indexOf(childIn(graph.root, view.selected) || list[0]) : -by;
  reveal(list[Math.min(list.length - 1, Math.max(0, at + by))], view.scale);
}

function listenToKeys() {
  const box = () => canvas.getBoundingClientRect();
  const keys = {
    '+': () => zoomAt(1.25, box().width / 2, box().height / 2), '=': () => keys['+'](),
    '-': () => zoomAt(0.8, box().width / 2, box().height / 2),
    '0': fit, '1': home,
    ArrowLeft: () => { view.x += 60; move(); }, ArrowRight: () => { view.x -= 60; move(); },
    ArrowUp: () => { view.y += 60; move(); }, ArrowDown: () => { view.y -= 60; move(); },
    n: () => step(1), p: () => step(-1),
    Enter: () => view.selected && toggle(view.selected), ' ': () => keys.Enter(),
    Escape: () => select(null),
  };
  canvas.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
}
