// What stands beside the graph: facts, remarks, the table of kernels, times, and the details of a block.
'use strict';

const list = (items, kind) => html('ul', {class: kind}, ...items.map(item => html('li', {}, item)));
const pair = (name, value) => html('tr', {}, html('th', {scope: 'row'}, name), html('td', {}, value));
const table = (head, rows) => html('table', {}, html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...rows));

function portTable(ports) {
  return html('table', {class: 'facts'}, html('tbody', {}, ...ports.map(port => pair(port.name, html('code', {}, port.type)))));
}

function fillFacts() {
  document.getElementById('inputs').append(portTable(data.inputs));
  document.getElementById('outputs').append(portTable(data.outputs));
  const symbols = data.symbols.map(s => pair(s.name,
      `${s.min} … ${s.max === null ? 'any' : s.max}${s.divisor > 1 ? `, multiples of ${s.divisor}` : ''}; read from axis ${s.axis} of ${data.inputs[s.input].name}, checked once at entry`));
  document.getElementById('symbols').append(symbols.length
      ? html('table', {class: 'facts'}, html('tbody', {}, ...symbols))
      : html('p', {class: 'quiet'}, 'All sizes are fixed.'));
  const s = data.sizes;
  document.getElementById('sizes').append(html('table', {class: 'facts'}, html('tbody', {},
      pair('artifact', bytesText(s.file_bytes)), pair('weights and constants', `${bytesText(s.constant_bytes)} in ${s.constants}`),
      pair('planned memory', data.plans[data.entry].arena_text),
      pair('kernels', `${data.kernels.length}, ${s.functions_of_code} of them different code`),
      pair('operators', `${data.nodes.length} after simplification, in ${kernelsOfGroup.size} groups with kernels`),
      pair('host operations', data.host_ops.join(', ') || 'none'))));
  document.getElementById('targets').append(table(
      ['target', 'needs', 'code'].map(t => html('th', {}, t)),
      data.variants.map(v => html('tr', {class: v.chosen ? 'chosen' : null}, html('td', {}, v.target + (v.chosen ? ' (this machine)' : '')),
                                  html('td', {}, v.features.join(' ')), html('td', {class: 'n'}, bytesText(v.bytes))))));
}

function fillRemarks() {
  const place = document.getElementById('remarks-list');
  if (!data.remarks.length) place.append(html('p', {class: 'quiet'}, 'None: no slow path, no fallback, no changed precision.'));
  const counted = new Map();
  data.remarks.forEach(r => counted.set(r.text, [...(counted.get(r.text) || []), r.at]));
  for (const [text, places] of counted) {
    const at = places.filter(Boolean);
    const item = html('details', {}, html('summary', {}, html('b', {}, `${places.length} × `), text));
    item.append(list(at.map(name => {
      const block = blocks.find(b => (b.names || []).includes(name) || b.name === name);
      return block ? html('button', {class: 'link', onclick: () => goTo(block)}, name) : name;
    })));
    place.append(at.length ? item : html('p', {}, text));
  }
  const rewrites = document.getElementById('rewrites-list');
  if (!data.rewrites.length) rewrites.append(html('p', {class: 'quiet'}, 'None was needed.'));
  const rules = new Map();
  data.rewrites.forEach(r => {
    const key = `${r.rule}\n${r.contract}`;
    rules.set(key, [...(rules.get(key) || []), r.node]);
  });
  if (rules.size)
    rewrites.append(table(['rule', 'contract', 'times', 'first at'].map(t => html('th', {}, t)),
        [...rules].map(([key, nodes]) => html('tr', {}, html('td', {}, key.split('\n')[0]), html('td', {}, key.split('\n')[1]),
                                               html('td', {class: 'n'}, String(nodes.length)), html('td', {}, nodes.find(Boolean) || '')))));
}

function goTo(block) {
  document.getElementById('graph-section').scrollIntoView();
  reveal(block, 1);
  canvas.focus({preventScroll: true});
}

const rate = (k, count) => k.time && count > 0 ? count * k.time.launches / (k.time.ns / 1e9) : 0;
const COLUMNS = [
  {title: 'kernel', text: k => k.name, key: k => k.index},
  {title: 'computes', text: k => k.sources.join(', ')},
  {title: 'form', text: k => k.form},
  {title: 'grid', text: k => k.grid === null ? 'by sizes' : String(k.grid), key: k => k.grid || 0, n: true},
  {title: 'operations', text: k => countText(k.flops), key: k => k.flops, n: true},
  {title: 'bytes', text: k => bytesText(k.bytes), key: k => k.bytes, n: true},
  {title: 'clamped reads', text: k => k.clamped_reads ? String(k.clamped_reads) : '', key: k => k.clamped_reads, n: true},
  {title: 'checks', text: k => k.checks.length ? String(k.checks.length) : '', key: k => k.checks.length, n: true},
];
const TIMES = [
  {title: 'time a run', text: k => k.time ? timeText(k.time.ns / data.profile.runs) : '', key: k => k.time ? k.time.ns : 0, n: true},
  {title: 'share', text: k => k.time ? percentText(k.time.ns / totalNs) : '', key: k => k.time ? k.time.ns : 0, n: true},
  {title: 'of register peak', text: k => rate(k, k.flops) && data.profile.register_flops ? percentText(rate(k, k.flops) / data.profile.register_flops) : '',
   key: k => rate(k, k.flops), n: true},
  {title: 'of copy bandwidth', text: k => rate(k, k.bytes) && data.profile.copy_bytes ? percentText(rate(k, k.bytes) / data.profile.copy_bytes) : '',
   key: k => rate(k, k.bytes), n: true},
];

function fillKernels() {
  const columns = data.profile ? [...COLUMNS.slice(0, 2), ...TIMES, ...COLUMNS.slice(2)] : COLUMNS;
  const body = html('tbody');
  let sorted = data.profile ? columns.indexOf(TIMES[0]) : 0, turned = Boolean(data.profile);
  const search = document.getElementById('kernel-search');
  function fill() {
    const words = search.value.toLowerCase().split(' ').filter(Boolean);
    const matches = k => words.every(w => [k.name, k.form, ...k.sources].some(t => t.toLowerCase().includes(w)));
    const column = columns[sorted], key = column.key || column.text;
    const rows = data.kernels.filter(matches);
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (turned ? -1 : 1) || a.index - b.index);
    body.replaceChildren(...rows.map(k => html('tr', {},
        ...columns.map((c, i) => html('td', {class: (c.n ? 'n' : '') + (c.title === 'form' ? ` tag ${k.kind}` : ''), title: c.title === 'checks' ? k.checks.join('\n') : null},
            i === 0 ? html('button', {class: 'link', onclick: () => goToKernel(k)}, k.name) : i === 1 ? shortSources(k) : c.text(k))))));
    heads.forEach((head, i) => head.setAttribute('aria-sort', i === sorted ? (turned ? 'descending' : 'ascending') : 'none'));
  }
  const heads = columns.map((c, i) => html('th', {class: c.n ? 'n' : null}, html('button', {onclick: () => {
    turned = sorted === i ? !turned : Boolean(c.n);
    sorted = i;
    fill();
  }}, c.title)));
  search.addEventListener('input', fill);
  fill();
  document.getElementById('kernel-table').append(html('table', {}, html('thead', {}, html('tr', {}, ...heads)), body));
}

function shortSources(k) {
  const text = k.sources.join(', ');
  return html('span', {title: k.sources.join('\n')}, text.length > 90 ? text.slice(0, 88) + '…' : text);
}

function goToKernel(kernel) {
  const block = blocks.find(b => b.group === kernel.group && b.kernels);
  if (block) goTo(block);
}

/// Bars of the slowest groups, with what the machine could do at that moment.
function fillTimes() {
  const place = document.getElementById('times');
  if (!data.profile) {
    place.append(html('p', {class: 'quiet'}, 'Not measured. imbrex explain --profile runs the model and fills this in.'));
    return;
  }
  const p = data.profile;
  place.append(html('p', {}, `${p.runs} runs of ${timeText(p.ns / p.runs)} on ${p.threads} threads, ${percentText(totalNs / p.ns)} of it in kernels. ` +
      `Beside them this machine computed ${countText(p.register_flops)}FLOP/s in registers and copied ${countText(p.copy_bytes)}B/s.`));
  const slow = blocks.filter(b => b.kernels && b.ns).sort((a, b) => b.ns - a.ns).slice(0, 30);
  const most = slow.length ? slow[0].ns : 1;
  place.append(html('div', {class: 'bars'}, ...slow.map(b => html('button', {class: 'bar-row', onclick: () => goTo(b)},
      html('span', {class: 'bar-name'}, `${b.title}  ${shorten((b.names || [])[0] || '', 40)}`),
      html('span', {class: 'bar-track'}, html('span', {class: `bar-fill ${b.kind}`, style: `width:${(100 * b.ns / most).toFixed(1)}%`})),
      html('span', {class: 'bar-time'}, `${timeText(b.ns)}  ${percentText(b.ns * p.runs / totalNs)}`)))));
}

function showDetails(block) {
  const place = document.getElementById('details');
  place.replaceChildren();
  place.hidden = !block;
  if (!block) return;
  place.append(html('button', {class: 'close', 'aria-label': 'close', onclick: () => select(null)}, '×'), html('h3', {}, block.title));
  const nodes = (block.nodes || []).map(i => data.nodes[i]);
  if (!nodes.length) place.append(html('p', {}, block.name), html('code', {}, block.types.join(', ')));
  for (const node of nodes.slice(0, 60))
    place.append(html('div', {class: 'op'}, html('b', {}, node.op), ' ', html('span', {class: 'quiet'}, node.name),
        node.attributes ? html('div', {class: 'attributes'}, node.attributes) : null,
        html('div', {}, ...node.results.map(type => html('code', {}, type)))));
  if (nodes.length > 60) place.append(html('p', {}, `… and ${nodes.length - 60} more`));
  const kernels = block.kernels || (block.group >= 0 && kernelsOfGroup.get(block.group)) || [];
  if (!kernels.length) return;
  place.append(html('h4', {}, kernels.length > 1 ? `${kernels.length} kernels` : 'one kernel'));
  for (const k of kernels)
    place.append(html('div', {class: 'op'}, html('b', {}, k.name), html('div', {class: `tag ${k.kind}`}, k.form),
        html('div', {class: 'quiet'}, [k.grid === null ? 'grid by sizes' : `grid ${k.grid}`, k.flops ? `${countText(k.flops)} operations` : '', bytesText(k.bytes)].filter(Boolean).join(', ')),
        k.time ? html('div', {class: 'time'}, `${timeText(k.time.ns / data.profile.runs)} a run, ${percentText(k.time.ns / totalNs)}`) : null,
        k.types.length ? html('div', {}, html('code', {}, `${k.types.slice(0, k.operands).join(', ')} → ${k.types.slice(k.operands).join(', ')}`)) : null,
        k.proven ? html('div', {class: 'quiet'}, 'proven for all sizes: in bounds, each element written once') : null,
        k.clamped_reads ? html('div', {class: 'check'}, `${k.clamped_reads} reads are not proven to lie in their tensor, and are clamped`) : null,
        ...k.checks.map(c => html('div', {class: 'check'}, `checks: ${c}`))));
  if (block.kernels && block.children.length) place.append(html('button', {onclick: () => toggle(block)}, 'open or close the group'));
}
