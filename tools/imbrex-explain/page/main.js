// Fills the page, listens, and opens it where its address says: #graph, #fit, #kernels, …
'use strict';

function fillSearch() {
  const search = document.getElementById('search'), found = document.getElementById('found');
  search.addEventListener('input', () => {
    const text = search.value.toLowerCase();
    const hits = text ? blocks.filter(b => b.parent && (`${b.title} ${b.name}`.toLowerCase().includes(text))) : [];
    found.replaceChildren(...hits.slice(0, 40).map(b => html('button', {class: 'hit', onclick: () => {
      found.replaceChildren();
      reveal(b, 1);
    }}, html('b', {}, b.title), ` ${shorten(b.name || '', 60)}`)));
    if (hits.length > 40) found.append(html('div', {class: 'quiet'}, `and ${hits.length - 40} more`));
  });
  search.addEventListener('keydown', e => {
    if (e.key === 'Escape') { search.value = ''; found.replaceChildren(); canvas.focus(); }
    if (e.key === 'Enter' && found.firstChild && found.firstChild.click) found.firstChild.click();
  });
  document.addEventListener('keydown', e => {
    if (e.key !== '/' || ['INPUT', 'TEXTAREA'].includes(document.activeElement.tagName)) return;
    e.preventDefault();
    search.focus();
  });
}

function listenToButtons() {
  const centre = factor => () => { const box = canvas.getBoundingClientRect(); zoomAt(factor, box.width / 2, box.height / 2); };
  const openAll = open => () => {
    blocks.forEach(b => { if (b.parent && b.children.length) b.open = open; });
    redraw();
    home();
  };
  const actions = {'zoom-in': centre(1.25), 'zoom-out': centre(0.8), 'zoom-fit': fit, 'zoom-home': home,
                   'open-all': openAll(true), 'close-all': openAll(false)};
  for (const [id, action] of Object.entries(actions)) document.getElementById(id).addEventListener('click', action);
  document.getElementById('theme').addEventListener('click', () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
}

function openAt(hash) {
  const words = hash.replace('#', '').split(',');
  if (words.includes('dark')) document.documentElement.dataset.theme = 'dark';
  if (words.includes('open')) document.getElementById('open-all').click();
  if (words.includes('fit')) fit();
  const at = words.find(w => /^block\d+$/.test(w));
  if (at && blocks[Number(at.slice(5))]) reveal(blocks[Number(at.slice(5))], 1);
  const section = document.getElementById(words[0]);
  if (section) section.scrollIntoView();
}

fillFacts();
fillRemarks();
fillKernels();
fillTimes();
fillMemory();
fillSearch();
redraw();
home();
listenToPointer();
listenToKeys();
listenToButtons();
openAt(location.hash);
window.addEventListener('resize', move);
document.documentElement.dataset.ready = `${blocks.length} blocks, ${data.kernels.length} kernels`;
