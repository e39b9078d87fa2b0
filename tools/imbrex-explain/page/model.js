// The data of the page, with what follows from it: blocks of operators, their kernels and times.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const EDGE = {input: -1, argument: -2, constant: -3, absent: -4};

const html = (tag, attributes = {}, ...children) => element(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
    element(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
/// Text becomes text nodes, never markup.
function element(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null) made.setAttribute(name, value);
  for (const child of children)
    if (child !== null && child !== undefined) made.append(child);
  return made;
}

function bytesText(n) {
  if (n === null || n === undefined || n < 0) return '';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let u = 0;
  while (n >= 1024 && u < 4) { n /= 1024; ++u; }
  return (u && n < 100 ? n.toFixed(1) : Math.round(n)) + ' ' + units[u];
}
function countText(n) {
  if (!n) return '';
  const units = ['', ' k', ' M', ' G', ' T'];
  let u = 0;
  while (n >= 1000 && u < 4) { n /= 1000; ++u; }
  return (u && n < 100 ? n.toFixed(1) : Math.round(n)) + units[u];
}
function timeText(ns) {
  return ns >= 1e6 ? (ns / 1e6).toFixed(2) + ' ms' : ns >= 1e3 ? (ns / 1e3).toFixed(1) + ' µs' : Math.round(ns) + ' ns';
}
const percentText = share => (100 * share).toFixed(share < 0.1 ? 1 : 0) + ' %';
const shorten = (text, most) => text.length > most ? '…' + text.slice(text.length - most + 1) : text;

/// The colour of an operator: what its costliest kernel is.
const KINDS = ['contraction', 'reduction', 'search', 'elementwise', 'reindex', 'check', 'host', 'control', 'port'];
const kindOf = form => KINDS.find(kind => (form || '').startsWith(kind)) || 'host';

/// Kernels with their times, by group.
const kernelsOfGroup = new Map();
const totalNs = data.profile ? data.profile.kernels.reduce((sum, k) => sum + k.ns, 0) : 0;
const timeOf = new Map((data.profile ? data.profile.kernels : []).map(k => [k.name, k]));
data.kernels.forEach((kernel, index) => {
  kernel.index = index;
  kernel.kind = kindOf(kernel.form);
  kernel.time = timeOf.get(kernel.name);
  if (kernel.group < 0) return;
  if (!kernelsOfGroup.has(kernel.group)) kernelsOfGroup.set(kernel.group, []);
  kernelsOfGroup.get(kernel.group).push(kernel);
});

function kindOfGroup(group) {
  const kernels = kernelsOfGroup.get(group) || [];
  for (const kind of KINDS)
    if (kernels.some(k => k.kind === kind)) return kind;
  return 'view';
}
const nsOf = kernels => kernels.reduce((sum, k) => sum + (k.time ? k.time.ns / data.profile.runs : 0), 0);

/// The tree of blocks. A block is a group of operators, or one that is no group's: a port, or an
/// `if`, `loop` or `call` with blocks inside.
const blocks = [];
function addBlock(block) {
  block.index = blocks.length;
  block.children = [];
  block.open = false;
  if (block.parent) block.parent.children.push(block);
  blocks.push(block);
  return block;
}

function buildBlocks() {
  const root = addBlock({name: '', kind: 'root', parent: null});
  root.open = true;
  data.functions.forEach((f, i) => { f.block = i === data.entry ? root : null; });
  const blockOfNode = [], blockOfGroup = new Map(), argumentsOf = new Map();
  const ports = data.inputs.map((port, i) =>
      addBlock({name: port.name, title: 'input', kind: 'port', types: [port.type], parent: root, input: i}));
  data.nodes.forEach((node, i) => {
    const scope = node.parent >= 0 ? blockOfNode[node.parent] : functionBlock(node.function, root);
    if (node.group < 0) {
      blockOfNode[i] = addBlock({name: node.name, title: node.op, kind: 'control', types: node.results, nodes: [i],
                                 parent: scope, group: -1});
      return;
    }
    if (!blockOfGroup.has(node.group))
      blockOfGroup.set(node.group, addBlock({name: '', kind: '', nodes: [], parent: scope, group: node.group}));
    const block = blockOfGroup.get(node.group);
    block.nodes.push(i);
    blockOfNode[i] = addBlock({name: node.name, title: node.op, kind: 'operator', types: node.results, nodes: [i],
                               parent: block, group: node.group});
  });
  const used = new Set();
  data.nodes.forEach((node, i) => [...node.operands, ...node.yields].forEach(([from]) => {
    if (from >= 0 && data.nodes[from].group !== node.group) used.add(from);
  }));
  data.functions.forEach(f => f.results.forEach(([from]) => used.add(from)));
  for (const [group, block] of blockOfGroup) describeGroup(block, group, used);
  const outputs = data.outputs.map((port, i) =>
      addBlock({name: port.name, title: 'output', kind: 'port', types: [port.type], parent: root, output: i}));
  const edges = [];
  data.nodes.forEach((node, i) => node.operands.forEach(([from, index]) => {
    if (from >= 0) edges.push([blockOfNode[from], blockOfNode[i], data.nodes[from].results[index]]);
    else if (from === EDGE.input && node.function === data.entry)
      edges.push([ports[index], blockOfNode[i], data.inputs[index].type]);
  }));
  data.functions[data.entry].results.forEach(([from, index], i) => {
    if (from >= 0) edges.push([blockOfNode[from], outputs[i], data.nodes[from].results[index]]);
    else if (from === EDGE.input) edges.push([ports[index], outputs[i], data.inputs[index].type]);
  });
  return {root, edges};
}

/// Functions that are called stand below the entry's graph, closed.
function functionBlock(index, root) {
  const f = data.functions[index];
  if (!f.block) f.block = addBlock({name: f.name, title: 'function', kind: 'control', types: [], nodes: [], parent: root, group: -1});
  return f.block;
}

function describeGroup(block, group, used) {
  const nodes = block.nodes.map(i => data.nodes[i]);
  const kinds = [...new Set(nodes.map(n => n.op))];
  block.title = kinds.slice(0, 4).join(' + ') + (kinds.length > 4 ? ' + …' : '');
  block.name = nodes.length > 1 ? `${nodes.length} operators` : nodes[0].name;
  block.names = nodes.map(n => n.name).filter(Boolean);
  block.types = block.nodes.filter(i => used.has(i)).flatMap(i => data.nodes[i].results);
  block.kernels = kernelsOfGroup.get(group) || [];
  block.kind = nodes.every(n => data.host_ops.includes(n.op)) ? 'host' : kindOfGroup(group);
  block.ns = data.profile ? nsOf(block.kernels) : 0;
  if (block.children.length === 1) { // nothing to open
    block.single = block.children[0];
    block.children = [];
  }
}
const graph = buildBlocks();
