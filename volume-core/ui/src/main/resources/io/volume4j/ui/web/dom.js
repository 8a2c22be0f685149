// Elements, and lists of elements that keep their identity while their data changes.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Sets a text only if it changed, so that screen readers and selections are left alone. */
export function text(element, value) {
  const now = String(value);
  if (element.textContent !== now) element.textContent = now;
}

export function attr(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** One child for each item: kept by its key, made when new, removed when gone, in the order of the items. */
export function keyed(parent, items, key, make, update) {
  const kept = parent.keyed || (parent.keyed = new Map());
  const wanted = new Set();
  let place = parent.firstChild;
  for (const item of items) {
    const id = key(item);
    if (wanted.has(id)) continue;
    wanted.add(id);
    let child = kept.get(id);
    if (!child) {
      child = make(item);
      kept.set(id, child);
    }
    update(child, item);
    if (child === place) place = place.nextSibling;
    else parent.insertBefore(child, place);
  }
  for (const [id, child] of kept) {
    if (!wanted.has(id)) {
      child.remove();
      kept.delete(id);
    }
  }
}

const GLYPHS = {
  failing: ['M2 2l8 8M10 2l-8 8'],
  uncertain: ['M6 1l5 5-5 5-5-5z'],
  waiting: ['M6 1.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6', 'M6 3.6V6l1.6 1.2'],
  working: ['M10.8 6A4.8 4.8 0 1 1 6 1.2'],
  ok: ['M1.8 6.4l2.8 2.8 5.6-6.4'],
  absent: ['M2.5 6h7'],
  unknown: ['M2.5 6h7'],
};

export const WORDS = { failing: 'failing', uncertain: 'uncertain', waiting: 'waiting', working: 'working', ok: 'as it should be', absent: 'not there', unknown: 'unknown' };

export const glyph = (state) => s('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true' }, (GLYPHS[state] || GLYPHS.unknown).map((d) => s('path', { d })));

/** State as shape, colour and word. */
export function badge(state, word) {
  const element = h('span', { class: 'state ' + state }, glyph(state), h('span', {}, word || WORDS[state]));
  element.dataset.state = state;
  return element;
}

export function setBadge(element, state, word) {
  if (element.dataset.state !== state) {
    element.className = 'state ' + state;
    element.firstChild.replaceWith(glyph(state));
    element.dataset.state = state;
  }
  text(element.lastChild, word || WORDS[state]);
}

export const panel = (title, note, ...body) => h('section', { class: 'panel', 'aria-label': title }, h('div', { class: 'head' }, h('h2', {}, title), note), ...body);

/** 12 ms, 3.4 s, 2 min 5 s, 3 h 2 min. */
export function span(millis) {
  const value = Math.max(0, millis);
  if (value < 1) return value.toFixed(2) + ' ms';
  if (value < 10) return value.toFixed(1) + ' ms';
  if (value < 1000) return Math.round(value) + ' ms';
  if (value < 10000) return (value / 1000).toFixed(1) + ' s';
  const seconds = Math.round(value / 1000);
  if (seconds < 60) return seconds + ' s';
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ' + (seconds % 60) + ' s';
  return Math.floor(seconds / 3600) + ' h ' + Math.floor((seconds % 3600) / 60) + ' min';
}

export const clock = (millis) => new Date(millis).toLocaleTimeString([], { hour12: false, hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const bytes = (count) => {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
  return (unit === 0 ? value : value.toFixed(1)) + ' ' + units[unit];
};

/** MOUNT_DEVICE as people write it. */
export const words = (name) => name.toLowerCase().replaceAll('_', ' ');

/** A volume's id without the escapes of its parts; an object's key without empty parts. */
export const short = (key) => key.split('^').slice(1).join(' ') || key.replace('//', '/');

/** A long name without its middle: names that differ often differ at their ends. */
export const middle = (name, most) => name.length <= most ? name : name.slice(0, Math.ceil(most / 2) - 1) + '…' + name.slice(name.length - Math.floor(most / 2));

export const address = (source, key) => '#/volume/' + encodeURIComponent(source) + '/' + encodeURIComponent(key);
