// What is not as it should be, what is under way, and how it goes.
import { h, text, attr, keyed, badge, setBadge, panel, span, clock, bytes, words, short, middle, address } from './dom.js';
import { throughput, latency, key } from './plots.js';

const STATES = [['failing', 'failing'], ['uncertain', 'uncertain'], ['waiting', 'waiting'], ['working', 'under way'], ['ok', 'as it should be']];

const cell = (...classes) => h('td', {}, ...classes.map((name) => h('span', { class: name })));

const table = (caption, columns, body) => h('table', {}, h('caption', { class: 'hidden' }, caption),
  h('colgroup', {}, columns.map(([, width]) => h('col', { width }))),
  h('thead', {}, h('tr', {}, columns.map(([name, , number]) => h('th', { scope: 'col', class: number ? 'number' : null }, name)))), body);

export class Overview {
  constructor() {
    this.states = h('div', { class: 'panel states' });
    this.attention = h('tbody');
    this.attentionEmpty = h('p', { class: 'empty' }, 'Everything is as it should be.');
    this.attentionTable = table('Volumes and objects that are not as they should be',
      [['state', '14%'], ['name', '26%'], ['why', '46%'], ['next try', '14%', true]], this.attention);
    this.attentionNote = h('a', { class: 'note', href: '#/volumes?state:failing,uncertain,waiting' }, 'all of them');
    this.calls = h('tbody');
    this.callsEmpty = h('p', { class: 'empty' }, 'No call is under way.');
    this.callsTable = table('Calls under way, those past their deadline first',
      [['state', '14%'], ['step', '16%'], ['of', '40%'], ['age, of its deadline', '30%']], this.calls);
    this.sources = h('div', { class: 'body' });
    this.plots = h('div', { class: 'body' });
    this.lanes = h('tbody');
    this.lanesEmpty = h('p', { class: 'empty' }, 'No lane is busy.');
    this.lanesTable = table('Calls by plugin', [['plugin', '46%'], ['runs', '16%', true], ['queued', '18%', true], ['written off', '20%', true]], this.lanes);
    this.slow = h('tbody');
    this.kinds = h('tbody');
    this.recent = h('tbody');
    this.element = h('div', {},
      h('h1', { class: 'hidden' }, 'Overview'),
      this.states,
      h('div', { class: 'overview' },
        h('div', { class: 'stack' },
          panel('Not as it should be', this.attentionNote, this.attentionTable, this.attentionEmpty),
          panel('Calls under way', null, this.callsTable, this.callsEmpty),
          panel('Latest steps', null, table('The steps that ended last', [['ended', '11%'], ['step', '19%'], ['of', '56%'], ['took', '14%', true]], this.recent)),
          panel('Slowest by time', null, table('Volumes and objects whose steps took longest together', [['volume or object', '64%'], ['steps', '22%', true], ['together', '14%', true]], this.slow))),

        h('div', { class: 'stack' },
          panel('Nodes and controllers', null, this.sources),
          panel('Steps', null, this.plots),
          panel('Plugin lanes', null, this.lanesTable, this.lanesEmpty),
          panel('By kind of step', null, table('Duration of steps by kind', [['kind', '34%'], ['number', '16%', true], ['failed', '14%', true], ['half', '18%', true], ['99 %', '18%', true]], this.kinds)))));
  }

  /** New data. */
  show(data) {
    this.data = data;
    keyed(this.states, STATES, ([state]) => state,
      ([state, word]) => h('a', { href: '#/volumes?state:' + state }, h('b', {}), h('span', {}, word)),
      (link, [state]) => {
        const count = data.counts[state];
        attr(link, 'class', state + (count ? '' : ' none'));
        text(link.firstChild, count.toLocaleString('en'));
      });
    this.showAttention(data.attention);
    this.showCalls(data);
    this.showSources(data.sources, data.at);
    this.plots.replaceChildren(throughput(data.rates), key(['working', 'steps a second'], ['failing', 'failed']),
      latency(data.rates), key(['working', 'half of the steps within'], ['waiting', '99 of 100 within']));
    this.showTables(data);
    this.tick();
  }

  showAttention(rows) {
    this.attentionTable.hidden = !rows.length;
    this.attentionEmpty.hidden = !!rows.length;
    keyed(this.attention, rows, (row) => row.source + '\n' + row.key, (row) => h('tr', {},
      h('td', {}, badge(row.state)),
      h('td', {}, h('a', { class: 'one', href: address(row.source, row.key) }), h('span', { class: 'sub' })),
      h('td', {}, h('span', { class: 'two' }), h('span', { class: 'sub two error' })),
      h('td', { class: 'number' })),
    (tr, row) => {
      const [state, name, why, next] = tr.children;
      setBadge(state.firstChild, row.state);
      const pods = row.wanted.join(', ');
      text(name.firstChild, pods || row.name);
      attr(name.firstChild, 'title', row.key);
      text(name.lastChild, [pods ? middle(row.name, 30) : row.type === 'Volume' ? 'no pod' : row.type + (row.namespace ? ' in ' + row.namespace : ''), row.source].join(' · '));
      text(why.firstChild, row.why);
      text(why.lastChild, row.error);
      next.dataset.next = row.nextTry;
      next.dataset.attempts = row.attempts;
    });
  }

  showCalls(data) {
    this.callsTable.hidden = !data.calls.length;
    this.callsEmpty.hidden = !!data.calls.length;
    keyed(this.calls, data.calls.slice(0, 40), (call) => call.source + call.id, (call) => h('tr', {},
      h('td', {}, badge('working')),
      cell('one', 'sub'),
      h('td', {}, h('a', { class: 'one', href: address(call.source, call.key) }), h('span', { class: 'sub' })),
      h('td', {}, h('div', { class: 'age' }, h('div', { class: 'bar' }, h('i', {})), h('span', {})))),
    (tr, call) => {
      const [state, step, of, age] = tr.children;
      const part = call.left === undefined ? 0 : call.age / Math.max(1, call.age + call.left);
      const tone = call.state === 'WRITTEN_OFF' ? 'uncertain' : part > 0.5 ? 'waiting' : 'working';
      setBadge(state.firstChild, tone, call.state === 'WRITTEN_OFF' ? 'written off' : call.state === 'QUEUED' ? 'queued' : part > 0.5 ? 'slow' : 'running');
      text(step.firstChild, words(call.kind));
      text(step.lastChild, call.attempt > 1 ? 'try ' + call.attempt : '');
      text(of.firstChild, middle(short(call.key), 44));
      attr(of.firstChild, 'title', call.key);
      text(of.lastChild, call.source);
      const bar = age.firstChild;
      bar.className = 'age ' + tone;
      bar.firstChild.firstChild.style.width = Math.min(100, call.state === 'WRITTEN_OFF' ? 100 : part * 100) + '%';
      text(bar.lastChild, span(call.age) + (call.left === undefined ? '' : ' of ' + span(call.age + call.left)));
    });
  }

  showSources(sources, at) {
    keyed(this.sources, sources, (source) => source.name, () => h('article', { class: 'source' },
      h('h3', {}, h('span', {}), badge('ok')), h('p', {}), h('p', {}), h('div', { class: 'meter', 'aria-hidden': 'true' })),
    (element, source) => {
      const [head, what, journal, meter] = element.children;
      text(head.firstChild, source.name);
      const silent = source.unansweredSince ? at - source.unansweredSince : 0;
      const health = source.health;
      if (silent > 1000) setBadge(head.lastChild, 'failing', 'silent for ' + span(silent));
      else if (!health) setBadge(head.lastChild, 'unknown', 'not asked yet');
      else if (!health.live) setBadge(head.lastChild, 'failing', 'not live');
      else if (!health.ready) setBadge(head.lastChild, 'waiting', 'not ready');
      else if (!health.leads) setBadge(head.lastChild, 'waiting', 'stands by');
      else setBadge(head.lastChild, 'ok', source.node ? 'works' : 'leads');
      const all = Object.values(source.counts).reduce((sum, count) => sum + count, 0);
      text(what, (source.node ? 'node · ' + all + ' volumes' : all ? 'controller · ' + all + ' objects' : 'controller')
        + (source.unread > 64 ? ' · ' + source.unread + ' to be read' : '')
        + (health && health.reasons.length ? ' · ' + health.reasons.join('; ') : ''));
      const log = source.journal;
      journal.hidden = !log;
      if (log) {
        text(journal, 'journal ' + bytes(log.bytes) + (log.syncs ? ' · sync ' + span(log.p50) + ', 99 % ' + span(log.p99) : '')
          + (log.queued ? ' · ' + log.queued + ' queued' : '') + (log.outOfSpace ? ' · OUT OF SPACE' : '') + (log.awaitingSnapshot ? ' · a write failed' : ''));
        attr(journal, 'class', log.outOfSpace || log.awaitingSnapshot ? 'error' : null);
      }
      keyed(meter, STATES.filter(([state]) => source.counts[state]), ([state]) => state, ([state]) => h('i', { class: state }),
        (part, [state]) => { part.style.flexGrow = source.counts[state]; });
    });
  }

  showTables(data) {
    this.lanesTable.hidden = !data.lanes.length;
    this.lanesEmpty.hidden = !!data.lanes.length;
    keyed(this.lanes, data.lanes, (lane) => lane.source + '\n' + lane.plugin, () => h('tr', {}, cell('one', 'sub'), h('td', { class: 'number' }), h('td', { class: 'number' }), h('td', { class: 'number' })),
      (tr, lane) => {
        text(tr.children[0].firstChild, lane.plugin || 'all plugins');
        text(tr.children[0].lastChild, lane.source);
        text(tr.children[1], lane.running);
        text(tr.children[2], lane.queued);
        text(tr.children[3], lane.writtenOff);
        attr(tr.children[3], 'class', lane.writtenOff ? 'number error' : 'number');
      });
    keyed(this.slow, data.slow, (slow) => slow.source + '\n' + slow.key, (slow) => h('tr', {},
      h('td', {}, h('a', { class: 'one', href: address(slow.source, slow.key), title: slow.key }), h('span', { class: 'sub' })), h('td', { class: 'number' }), h('td', { class: 'number' })),
    (tr, slow) => {
      text(tr.children[0].firstChild, middle(short(slow.key), 56));
      text(tr.children[0].lastChild, slow.source);
      text(tr.children[1], slow.steps + (slow.failed ? ' (' + slow.failed + ' failed)' : ''));
      text(tr.children[2], span(slow.millis));
    });
    keyed(this.kinds, data.kinds, (kind) => kind.kind, () => h('tr', {}, h('td', {}), ...[1, 2, 3, 4].map(() => h('td', { class: 'number' }))),
      (tr, kind) => [words(kind.kind), kind.count, kind.failed, span(kind.p50), span(kind.p99)].forEach((value, i) => text(tr.children[i], value)));
    keyed(this.recent, data.recent.slice(0, 12), (step) => [step.source, step.kind, step.key, step.at - Math.round(step.millis)].join('\n'), (step) => h('tr', {},
      h('td', {}), h('td', {}, badge(step.failure ? 'failing' : 'ok', words(step.kind))), h('td', {}, h('a', { class: 'one', href: address(step.source, step.key), title: step.key }, middle(short(step.key), 52)), h('span', { class: 'sub error' }, step.failure)), h('td', { class: 'number' }, span(step.millis))),
    (tr, step) => { if (!tr.children[0].textContent) text(tr.children[0], clock(step.at)); });
  }

  /** Once a second: times that run by themselves. */
  tick() {
    if (!this.data) return;
    for (const tr of this.attention.children) {
      const next = tr.children[3];
      const at = Number(next.dataset.next);
      const tries = Number(next.dataset.attempts);
      text(next, at ? 'in ' + span(Math.max(0, Math.ceil((at - Date.now()) / 1000) * 1000)) : tries ? 'now' : '');
      attr(next, 'title', tries ? tries + ' failed tries in a row' : null);
    }
  }
}
