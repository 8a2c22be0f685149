// One volume from its pods to its mounts, as a picture whose parts change.
import { s, middle, WORDS } from './dom.js';

const WIDTH = 178;
const HEIGHT = 66;
const GAP = 38;
const ROW = 80;
const COLUMNS = ['Pod', 'Claim', 'PersistentVolume', 'Attachment', 'Device', 'Mount'];

const worse = ['failing', 'uncertain', 'working', 'waiting', 'absent', 'unknown', 'ok'];
const wire = (left, right) => worse[Math.min(worse.indexOf(left), worse.indexOf(right))];

function box(part, x, y) {
  return s('g', { class: part.state, transform: `translate(${x} ${y})` },
    s('title', {}, `${part.kind} ${part.name}: ${part.detail || WORDS[part.state]}`),
    s('rect', { width: WIDTH, height: HEIGHT, rx: 8 }),
    s('rect', { class: 'stripe', x: 0, y: 9, width: 4, height: HEIGHT - 18, rx: 2 }),
    s('text', { class: 'kind', x: 14, y: 18 }, part.kind),
    s('text', { class: 'name', x: 14, y: 37 }, middle(part.name, 17)),
    s('text', { class: 'detail', x: 14, y: 55 }, middle((part.detail || WORDS[part.state]).toLowerCase().replaceAll('_', ' '), 25)));
}

export function chain(parts) {
  const columns = COLUMNS.map((kind) => parts.filter((part) => part.kind === kind)).filter((column) => column.length);
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const width = columns.length * (WIDTH + GAP) - GAP + 4;
  const height = rows * ROW - ROW + HEIGHT + 4;
  const place = (column, row, count) => [column * (WIDTH + GAP) + 2, 2 + row * ROW + (rows - count) * ROW / 2];
  const wires = [];
  const boxes = [];
  columns.forEach((column, at) => column.forEach((part, row) => {
    const [x, y] = place(at, row, column.length);
    boxes.push(box(part, x, y));
    (columns[at + 1] || []).forEach((next, nextRow) => {
      if (column.length > 1 && columns[at + 1].length > 1 && row !== nextRow) return;
      const [nx, ny] = place(at + 1, nextRow, columns[at + 1].length);
      const from = x + WIDTH;
      const half = from + GAP / 2;
      wires.push(s('path', { class: 'wire ' + wire(part.state, next.state), d: `M${from} ${y + HEIGHT / 2}C${half} ${y + HEIGHT / 2} ${half} ${ny + HEIGHT / 2} ${nx} ${ny + HEIGHT / 2}` }));
    });
  }));
  const label = parts.map((part) => `${part.kind} ${part.name}: ${part.detail || WORDS[part.state]}`).join('; ');
  return s('svg', { class: 'chain', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, 'data-width': width }, ...wires, ...boxes);
}
