// Signs in, listens, and shows the view that the address names.
import { h, text } from './dom.js';
import { session, summary } from './api.js';
import { Overview } from './overview.js';
import { List } from './list.js';
import { Detail } from './detail.js';

const main = document.getElementById('main');
const connection = document.getElementById('connection');
const q = document.getElementById('q');
let view = null;
let newest = null;
let events = null;
let taken = 0;
const OLD = 5; // seconds

function state(name, words) {
  connection.className = name;
  text(connection, words);
}

function signIn(message) {
  const token = h('input', { id: 'token', type: 'password', autocomplete: 'off', required: true });
  const problem = h('p', { class: 'error', role: 'alert' }, message || '');
  main.replaceChildren(h('form', { class: 'panel signin', onsubmit: async (event) => {
    event.preventDefault();
    try {
      await session(token.value.trim());
      await begin();
    } catch (failure) {
      text(problem, failure.message);
    }
  } }, h('h1', {}, 'Sign in'), h('p', {}, 'The token was printed when the live view started.'), h('label', { for: 'token' }, 'Token', token), problem,
  h('button', { class: 'button primary', type: 'submit' }, 'Look')));
  state('', 'signed out');
  token.focus();
}

function route() {
  const [path, query] = location.hash.slice(1).split('?');
  const parts = path.split('/').map(decodeURIComponent);
  for (const link of document.querySelectorAll('nav a')) {
    const current = link.getAttribute('href') === '#/' + (parts[1] === 'volume' ? 'volumes' : parts[1] || '');
    if (current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const wanted = decodeURIComponent(query || '');
  if (parts[1] === 'volumes') {
    if (document.activeElement !== q) q.value = wanted;
    if (view instanceof List) view.search(wanted);
    else open(new List(wanted));
  } else if (parts[1] === 'volume') {
    open(new Detail(parts[2], parts.slice(3).join('/')));
  } else {
    q.value = '';
    open(new Overview());
  }
}

function open(next) {
  view = next;
  main.replaceChildren(view.element);
  window.scrollTo(0, 0);
  if (newest) view.show(newest);
}

function take(data) {
  newest = data;
  taken = performance.now();
  text(document.getElementById('title'), data.title);
  document.title = (data.counts.failing ? '(' + data.counts.failing + ') ' : '') + data.title;
  if (view) view.show(data);
}

async function begin() {
  take(await summary());
  route();
  if (events) events.close();
  events = new EventSource('/api/stream');
  events.onopen = () => state('live', 'live');
  events.onmessage = (event) => { state('live', 'live'); take(JSON.parse(event.data)); };
  events.onerror = () => {
    state('lost', 'connection lost');
    if (events.readyState === EventSource.CLOSED) again();
  };
}

// A proxy answers for a view that starts again: the browser then gives up, and the page must not.
function again() {
  setTimeout(() => begin().catch((failure) => (failure.status === 401 ? signIn('') : again())), 2000);
}

async function start() {
  const token = location.hash.slice(1);
  if (token && !token.startsWith('/') && token !== 'main') {
    history.replaceState(null, '', location.pathname + '#/');
    await session(token).catch(() => null);
  }
  try {
    await begin();
  } catch (failure) {
    signIn(token && failure.status === 401 && !token.startsWith('/') ? failure.message : '');
  }
}

let typing = 0;
q.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => { location.hash = '#/volumes' + (q.value ? '?' + encodeURIComponent(q.value) : ''); }, 150);
});
document.getElementById('search').addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  const writes = ['INPUT', 'TEXTAREA'].includes(document.activeElement.tagName);
  if (event.key === '/' && !writes) { event.preventDefault(); q.focus(); q.select(); }
  if (event.key === 'Escape' && document.activeElement === q) main.focus();
});
window.addEventListener('hashchange', () => { if (newest && location.hash !== '#main') route(); });
setInterval(() => {
  if (view) view.tick();
  const age = Math.floor((performance.now() - taken) / 1000);
  if (age >= OLD && ['live', 'old'].includes(connection.className)) state('old', 'data is ' + age + ' s old');
}, 1000);
start();
