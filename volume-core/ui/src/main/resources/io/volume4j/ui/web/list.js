// All volumes and objects: only the rows in sight are asked for and drawn.
import { h, text, attr, keyed, badge, setBadge, middle, address } from './dom.js';
import { rows } from './api.js';

const ROW = 44;
const PAGE = 100;
const STATES = ['failing', 'uncertain', 'waiting', 'working', 'ok'];

export class List {
  constructor(query) {
    this.query = query;
    this.total = 0;
    this.revision = -1;
    this.pages = new Map();
    this.asked = new Set();
    this.chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'States' });
    this.space = h('div', { role: 'rowgroup', class: 'space' });
    this.scroll = h('div', { class: 'list', tabindex: '0', role: 'table', 'aria-label': 'Volumes and objects', onscroll: () => this.draw() },
      h('div', { role: 'rowgroup', class: 'top' }, h('div', { class: 'columns', role: 'row' }, ['state', 'name', 'pods', 'node or controller', 'attached · device', 'why'].map((name) => h('span', { role: 'columnheader' }, name)))), this.space);
    this.count = h('span', { class: 'note', role: 'status' });
    this.empty = h('p', { class: 'empty' }, 'Nothing matches.');
    this.element = h('section', { class: 'panel', 'aria-label': 'Volumes' },
      h('div', { class: 'head' }, h('h1', {}, 'Volumes'), this.count), this.chips,
      this.empty, this.scroll);
    this.drawChips();
    this.fetch(0);
  }

  drawChips() {
    const chosen = (/(?:^|\s)state:(\S+)/.exec(this.query) || ['', ''])[1].split(',');
    keyed(this.chips, STATES, (state) => state, (state) => h('button', { type: 'button', class: state, onclick: () => this.toggle(state) }, badge(state)),
      (button, state) => attr(button, 'aria-pressed', chosen.includes(state)));
  }

  toggle(state) {
    const chosen = new Set((/(?:^|\s)state:(\S+)/.exec(this.query) || ['', ''])[1].split(',').filter(Boolean));
    if (!chosen.delete(state)) chosen.add(state);
    const rest = this.query.replace(/(^|\s)state:\S+/, '').trim();
    const now = (rest + (chosen.size ? ' state:' + [...chosen].join(',') : '')).trim();
    location.hash = '#/volumes' + (now ? '?' + encodeURIComponent(now) : '');
  }

  /** Another query: from the top. */
  search(query) {
    if (query === this.query) return;
    this.query = query;
    this.pages.clear();
    this.scroll.scrollTop = 0;
    this.drawChips();
    this.fetch(0);
  }

  /** Something changed: what is in sight is asked for again. */
  show(data) {
    if (data.revision !== this.revision) this.inSight().forEach((page) => this.fetch(page));
  }

  inSight() {
    const first = Math.floor(this.scroll.scrollTop / ROW / PAGE);
    const last = Math.floor((this.scroll.scrollTop + this.scroll.clientHeight) / ROW / PAGE);
    return first === last ? [first] : [first, last];
  }

  async fetch(page) {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    const query = this.query;
    try {
      const found = await rows(query, page * PAGE, PAGE);
      if (query !== this.query) return;
      this.total = found.total;
      this.revision = found.revision;
      this.pages.set(page, found.rows);
      if (this.pages.size > 20) this.pages.delete(this.pages.keys().next().value);
    } finally {
      this.asked.delete(page);
    }
    if (query !== this.query) this.fetch(0);
    else this.draw();
  }

  draw() {
    text(this.count, this.total.toLocaleString('en') + (this.query ? ' match' : ' in all'));
    this.empty.hidden = this.total > 0;
    this.scroll.hidden = this.total === 0;
    attr(this.scroll, 'aria-rowcount', this.total);
    this.space.style.height = this.total * ROW + 'px';
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - 5);
    const last = Math.min(this.total, Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / ROW) + 5);
    const seen = [];
    for (let i = first; i < last; i++) {
      const page = this.pages.get(Math.floor(i / PAGE));
      if (page && page[i % PAGE]) seen.push([i, page[i % PAGE]]);
      else if (!page) this.fetch(Math.floor(i / PAGE));
    }
    keyed(this.space, seen, ([, row]) => row.source + '\n' + row.key, ([, row]) => h('div', { class: 'row', role: 'row' },
      h('span', { role: 'cell' }, badge(row.state)), h('span', { role: 'cell' }, h('a', { href: address(row.source, row.key) })), ...[1, 2, 3, 4].map(() => h('span', { role: 'cell' }))),
    (element, [place, row]) => {
      const [state, name, pods, source, there, why] = element.children;
      element.style.transform = `translateY(${place * ROW}px)`;
      attr(element, 'aria-rowindex', place + 1);
      setBadge(state.firstChild, row.state);
      text(name.firstChild, middle(row.name, 30));
      attr(name.firstChild, 'title', row.key);
      text(pods, row.type === 'Volume' ? row.wanted.join(', ') || 'no pod' : row.type + (row.namespace ? ' in ' + row.namespace : ''));
      text(source, row.source + (row.plugin ? ' · ' + row.plugin : ''));
      text(there, row.attach ? (row.attach + ' · ' + row.device).toLowerCase().replaceAll('_', ' ') : '');
      text(why, row.error || row.why);
      attr(why, 'title', row.error || row.why || null);
      attr(why, 'class', row.error ? 'error' : null);
    });
  }

  tick() {}
}
