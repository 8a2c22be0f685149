// Small plots of the last five minutes.
import { s, h } from './dom.js';

const WIDTH = 360;
const HEIGHT = 92;
const LEFT = 46;
const TOP = 10;
const BOTTOM = 16;

const nice = (value) => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
};

const x = (place, count) => LEFT + (WIDTH - LEFT) * (place / Math.max(1, count - 1));
const y = (part) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - part);

const path = (values, part) => values.map((value, i) => (i ? 'L' : 'M') + x(i, values.length).toFixed(1) + ' ' + y(part(value)).toFixed(1)).join('');

function frame(label, top, middle, seconds, count, ...marks) {
  return s('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    s('line', { class: 'axis', x1: LEFT, x2: WIDTH, y1: y(0), y2: y(0) }),
    s('line', { class: 'axis', x1: LEFT, x2: WIDTH, y1: y(1), y2: y(1) }),
    ...marks,
    s('text', { x: LEFT - 6, y: y(1) + 4, 'text-anchor': 'end' }, top),
    s('text', { x: LEFT - 6, y: y(0.5) + 4, 'text-anchor': 'end' }, middle),
    s('text', { x: LEFT - 6, y: y(0) + 4, 'text-anchor': 'end' }, '0'),
    s('text', { x: LEFT, y: HEIGHT - 2 }, Math.round(seconds * count / 60) + ' min ago'),
    s('text', { x: WIDTH, y: HEIGHT - 2, 'text-anchor': 'end' }, 'now'));
}

/** Steps that ended in a second, failures in red. */
export function throughput(rates) {
  const top = nice(Math.max(1, ...rates.perSecond));
  const values = rates.perSecond;
  const line = path(values, (value) => value / top);
  const width = (WIDTH - LEFT) / values.length;
  const bad = rates.failedPerSecond.map((value, i) => value > 0
    ? s('rect', { class: 'bad', x: x(i, values.length) - width / 2, width: Math.max(1.5, width - 1), y: y(value / top), height: y(0) - y(value / top) }) : null);
  const last = values[values.length - 1];
  return frame(`Steps a second: ${last.toFixed(1)} now, ${Math.max(...values).toFixed(1)} at most in five minutes`, top, top / 2, rates.seconds, values.length,
    s('path', { class: 'area', d: line + `L${WIDTH} ${y(0)}L${LEFT} ${y(0)}Z` }), s('path', { class: 'line', d: line }), ...bad.filter(Boolean));
}

const FLOOR = 0.1;

/** Duration of steps, on a scale of powers of ten. */
export function latency(rates) {
  const top = 10 ** Math.ceil(Math.log10(Math.max(10, ...rates.p99)));
  const part = (value) => value <= FLOOR ? 0 : Math.log(value / FLOOR) / Math.log(top / FLOOR);
  const show = (value) => value >= 1000 ? value / 1000 + ' s' : +value.toPrecision(2) + ' ms';
  const last = rates.p99.length - 1;
  return frame(`Duration of steps: half within ${show(rates.p50[last])}, 99 of 100 within ${show(rates.p99[last])} now`,
    show(top), show(Math.sqrt(top * FLOOR)), rates.seconds, rates.p99.length,
    s('path', { class: 'second', d: path(rates.p99, part) }), s('path', { class: 'line', d: path(rates.p50, part) }));
}

export const key = (...entries) => h('p', { class: 'key' }, entries.map(([tone, word]) => h('span', { class: tone }, h('i', {}), word)));
