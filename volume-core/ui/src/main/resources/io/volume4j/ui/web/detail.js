// One volume or object whole.
import { h, text, badge, setBadge, panel, span, clock, words } from './dom.js';
import { detail } from './api.js';
import { chain } from './chain.js';
import { act } from './actions.js';

const LONG_PAUSE = 5000;

/** Steps with begin and end, in bursts that long pauses divide; the newest burst first. */
function bursts(timeline, now) {
  const steps = [];
  const open = [];
  for (const entry of timeline) {
    if (entry.moment === 'BEGAN') {
      const step = { action: entry.action, what: entry.what, attempt: entry.attempt, from: entry.at, to: now, state: 'working', error: '' };
      open.push(step);
      steps.push(step);
    } else {
      let at = open.findIndex((step) => step.action === entry.action && step.what === entry.what);
      if (at < 0) {
        steps.push({ action: entry.action, what: entry.what, attempt: entry.attempt, from: entry.at - entry.millis });
        open.push(steps[steps.length - 1]);
        at = open.length - 1;
      }
      const step = open.splice(at, 1)[0];
      Object.assign(step, { to: entry.at, millis: entry.millis, state: entry.moment === 'FAILED' ? 'failing' : 'ok', error: entry.error });
    }
  }
  const all = [];
  for (const step of steps) {
    const last = all[all.length - 1];
    if (!last || step.from - last.to > LONG_PAUSE) all.push({ from: step.from, to: step.to, steps: [step] });
    else { last.steps.push(step); last.to = Math.max(last.to, step.to); }
  }
  return all.reverse();
}

function waterfall(timeline) {
  const list = h('ol', { class: 'waterfall' });
  for (const burst of bursts(timeline, Date.now())) {
    const length = Math.max(1, burst.to - burst.from);
    list.append(h('li', { class: 'burst' }, `${clock(burst.from)}, ${burst.steps.length === 1 ? 'one step' : burst.steps.length + ' steps'} in ${span(length)}`));
    for (const step of burst.steps) {
      const bar = h('i', { class: step.state });
      bar.style.left = (step.from - burst.from) / length * 97 + '%';
      bar.style.width = (step.to - step.from) / length * 97 + '%';
      list.append(h('li', {}, h('span', { class: 'mono' }, clock(step.from)),
        h('span', { class: 'one', title: step.what }, badge(step.state, words(step.action) + (step.attempt > 1 ? ', try ' + step.attempt : ''))),
        h('span', { class: 'track', 'aria-hidden': 'true' }, bar), h('span', { class: 'number' }, span(step.millis === undefined ? step.to - step.from : step.millis)),
        step.error ? h('span', { class: 'why' }, step.error) : null));
    }
  }
  return list;
}

export class Detail {
  constructor(source, key) {
    this.source = source;
    this.key = key;
    this.name = h('h1', {}, key);
    this.state = badge('unknown', 'reading');
    this.crumb = h('p', { class: 'crumb' }, h('a', { href: '#/volumes' }, 'Volumes'), ' / ', source);
    this.picture = h('div', { class: 'body scroll', tabindex: '0', role: 'group', 'aria-label': 'Picture of the chain' });
    this.explain = h('p', { class: 'explain' });
    this.plan = h('ol', { class: 'steps' });
    this.planEmpty = h('p', { class: 'empty' }, 'Nothing would be done.');
    this.timeline = h('div', {});
    this.timelineEmpty = h('p', { class: 'empty' }, 'Nothing happened lately.');
    this.actions = h('div', { class: 'body' });
    this.actionsPanel = panel('Actions', h('span', { class: 'note' }, 'each asks before it does'), this.actions);
    this.actionsPanel.hidden = true;
    this.picturePanel = panel('From pod to mount', null, this.picture);
    this.problem = h('p', { class: 'warn', role: 'alert' });
    this.problem.hidden = true;
    this.element = h('div', {}, this.crumb, h('div', { class: 'title' }, this.name, this.state), this.problem,
      h('div', { class: 'stack' }, this.picturePanel,
        h('div', { class: 'half' },
          panel('Why it is as it is', null, h('div', { class: 'body' }, this.explain)),
          panel('What would be done', h('span', { class: 'note' }, 'a dry run, if every call succeeded'), h('div', { class: 'body' }, this.plan), this.planEmpty),
          this.actionsPanel),
        panel('Timeline', null, this.timeline, this.timelineEmpty)));
    this.read();
  }

  async read() {
    if (this.reading) { this.again = true; return; }
    this.reading = true;
    try {
      this.draw(await detail(this.source, this.key));
      this.problem.hidden = true;
    } catch (failure) {
      this.problem.hidden = false;
      text(this.problem, failure.message);
      setBadge(this.state, 'unknown', failure.status === 404 ? 'gone' : 'not known');
    } finally {
      this.reading = false;
    }
    if (this.again) { this.again = false; this.read(); }
  }

  draw(data) {
    const shown = JSON.stringify(data);
    if (shown === this.shown) return;
    this.shown = shown;
    if (data.row) {
      text(this.name, data.row.name);
      setBadge(this.state, data.row.state);
      text(this.crumb.lastChild, this.source + ' / ' + this.key);
    } else {
      setBadge(this.state, 'absent', 'not here any more');
    }
    this.picturePanel.hidden = !data.chain;
    if (data.chain) {
      const picture = chain(data.chain);
      picture.style.minWidth = picture.dataset.width * 0.86 + 'px';
      picture.style.maxWidth = picture.dataset.width + 'px';
      this.picture.replaceChildren(picture);
    }
    text(this.explain, data.explain);
    this.plan.replaceChildren(...data.plan.map((step) => h('li', {}, step)));
    this.plan.parentElement.hidden = !data.plan.length;
    this.planEmpty.hidden = !!data.plan.length;
    this.timeline.replaceChildren(waterfall(data.timeline));
    this.timelineEmpty.hidden = !!data.timeline.length;
  }

  show(data) {
    this.actionsPanel.hidden = !data.actions;
    if (data.actions && !this.actions.firstChild) this.offer();
    if (data.revision !== this.revision || Date.now() - (this.at || 0) > 2000) {
      this.revision = data.revision;
      this.at = Date.now();
      this.read();
    }
  }

  offer() {
    const button = (word, action) => h('button', { type: 'button', class: 'button', onclick: () => act(word, action) }, word);
    this.actions.append(button('Look again now', { action: 'reconcile', source: this.source, key: this.key }));
    if (this.key.startsWith('PersistentVolume/')) this.actions.append(' ', button('Release', { action: 'release', key: this.key }));
    if (this.key.startsWith('Node/')) this.actions.append(' ', button('Assert that it is fenced', { action: 'fence', node: this.key.split('/')[2], asks: 'evidence' }));
  }

  tick() {}
}
