// The memory plan as a picture: steps to the right, addresses upwards, a rectangle a tensor.
'use strict';

const PICTURE = {w: 1120, h: 420, left: 76, right: 16, top: 14, bottom: 42};

function niceStep(range, parts) {
  const raw = range / parts, power = 2 ** Math.floor(Math.log2(Math.max(1, raw)));
  return raw / power > 1.5 ? power * 2 : power;
}

function stepName(plan, step) {
  const s = plan.steps[step];
  return s ? s.name : '';
}

function tensorText(plan, tensor) {
  const writer = tensor.writer >= 0 ? stepName(plan, tensor.writer) : 'nothing';
  return [`${tensor.type}   ${tensor.bytes_text}`, `at ${tensor.offset_text}`, `written by ${writer} (step ${tensor.writer})`,
          `lives from step ${tensor.first} to ${tensor.last}`].join('\n');
}

/// Bytes of planned tensors that are alive at each step.
function aliveBytes(plan, tensors) {
  const change = new Array(plan.steps.length + 2).fill(0);
  for (const t of tensors) { change[t.first] += t.bytes; change[t.last + 1] -= t.bytes; }
  let now = 0;
  return change.slice(0, plan.steps.length).map(c => (now += c));
}

function drawPlan(plan, place) {
  const tensors = plan.tensors.filter(t => t.planned && t.bytes !== null && t.offset !== null);
  const own = plan.tensors.filter(t => !t.planned);
  const intro = [`Arena ${plan.arena_text}${plan.arena !== null && plan.symbolic ? ` (${bytesText(plan.arena)} for ${plan.example})` : ''}: ` +
                 `${plan.tensors.length - own.length} tensors in ${plan.steps.length} steps, ${plan.shared_pairs} pairs use the same bytes at different times.`];
  if (own.length) intro.push(`${own.length} tensors have storage of their own (what leaves the function, or has a size known only while running).`);
  place.append(html('p', {}, intro.join(' ')), html('p', {class: plan.problems.length ? 'bad' : 'good'},
      plan.problems.length ? `The plan checker found: ${plan.problems.join('; ')}` : 'Checked again from the bytecode: no tensor is read after its bytes were taken over.'));
  if (!tensors.length || !plan.steps.length) return;
  const top = Math.max(plan.arena || 0, ...tensors.map(t => t.offset + t.bytes)) || 1, steps = plan.steps.length;
  const P = PICTURE, X = step => P.left + (P.w - P.left - P.right) * step / steps;
  const Y = address => P.h - P.bottom - (P.h - P.top - P.bottom) * address / top;
  const picture = svg('svg', {viewBox: `0 0 ${P.w} ${P.h}`, class: 'memory', role: 'img', 'aria-label': 'memory plan', tabindex: 0});
  for (let at = 0, by = niceStep(top, 6); at <= top; at += by)
    picture.append(svg('line', {x1: P.left, x2: P.w - P.right, y1: Y(at), y2: Y(at), class: 'grid'}),
                   svg('text', {x: P.left - 8, y: Y(at) + 4, 'text-anchor': 'end'}, bytesText(at)));
  for (let at = 0, by = Math.max(1, niceStep(steps, 12)); at < steps; at += by)
    picture.append(svg('text', {x: X(at + 0.5), y: P.h - P.bottom + 18, 'text-anchor': 'middle'}, String(at)));
  picture.append(svg('text', {x: (P.left + P.w) / 2, y: P.h - 4, 'text-anchor': 'middle'}, 'step (launches in order)'));
  const alive = aliveBytes(plan, tensors);
  tensors.forEach((t, i) => {
    const kernel = t.writer >= 0 && plan.steps[t.writer].kernel !== null ? data.kernels[plan.steps[t.writer].kernel] : null;
    picture.append(svg('rect', {x: X(t.first).toFixed(1), y: Y(t.offset + t.bytes).toFixed(1), width: Math.max(1, X(t.last + 1) - X(t.first) - 0.6).toFixed(1),
        height: Math.max(1, Y(t.offset) - Y(t.offset + t.bytes) - 0.6).toFixed(1), class: `tensor ${kernel ? kernel.kind : 'host'}`,
        onpointermove: e => showTip(e, tensorText(plan, t)), onpointerleave: hideTip,
        onclick: () => kernel && goToKernel(kernel)}));
  });
  const line = alive.map((bytes, step) => `${X(step).toFixed(1)},${Y(bytes).toFixed(1)} ${X(step + 1).toFixed(1)},${Y(bytes).toFixed(1)}`).join(' ');
  picture.append(svg('polyline', {points: line, class: 'alive'}));
  place.append(picture, html('p', {class: 'quiet'}, `The line is what is alive: at most ${bytesText(Math.max(...alive))} at once, so ` +
      `${percentText(Math.max(...alive) / top)} of the arena. Point at a rectangle to see its tensor; click to find its operators.`));
}

const tip = document.getElementById('tip');
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const y = event.clientY + 18 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 18;
  tip.style.left = `${x}px`;
  tip.style.top = `${y}px`;
}
function hideTip() { tip.hidden = true; }

function fillMemory() {
  const place = document.getElementById('memory');
  data.plans.forEach((plan, i) => {
    if (data.plans.length > 1) place.append(html('h3', {}, `function ${data.functions[i].name}`));
    drawPlan(plan, place);
  });
}
