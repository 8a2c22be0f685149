// Actions: the operator's token, what will happen, and only then the deed.
import { h } from './dom.js';
import { ask, confirm } from './api.js';

let token = '';

function show(title, ...body) {
  const dialog = document.getElementById('dialog');
  dialog.replaceChildren(h('h2', { id: 'dialog-title' }, title), ...body);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

const close = () => document.getElementById('dialog').close();
const failed = (title, failure) => {
  if (failure.status === 401) token = '';
  show(title, h('p', { class: 'error', role: 'alert' }, failure.message), h('div', { class: 'buttons' }, h('button', { class: 'button', type: 'button', onclick: close }, 'Close')));
};

async function meaning(title, action) {
  try {
    const asked = await ask(action, token);
    show(title, h('p', {}, asked.meaning),
      h('div', { class: 'buttons' }, h('button', { class: 'button', type: 'button', onclick: close }, 'Do nothing'),
        h('button', { class: 'button danger', type: 'button', onclick: () => done(title, asked.ticket) }, title)));
  } catch (failure) {
    failed(title, failure);
  }
}

async function done(title, ticket) {
  try {
    const result = await confirm(ticket, token);
    show(title, h('p', { role: 'status', class: result.done ? '' : 'error' }, result.result),
      h('div', { class: 'buttons' }, h('button', { class: 'button', type: 'button', onclick: close }, 'Close')));
  } catch (failure) {
    failed(title, failure);
  }
}

/** Asks for what is missing, then says what will happen. */
export function act(title, action) {
  const secret = token ? null : h('input', { type: 'password', autocomplete: 'off', required: true, id: 'operator' });
  const evidence = action.asks ? h('input', { required: true, id: 'evidence' }) : null;
  if (!secret && !evidence) {
    meaning(title, action);
    return;
  }
  const dialog = show(title, h('form', { onsubmit: (event) => {
    event.preventDefault();
    if (secret) token = secret.value.trim();
    meaning(title, evidence ? { ...action, evidence: evidence.value } : action);
  } },
  evidence ? h('label', { for: 'evidence' }, 'Who knows that the node is cut off, and how', evidence) : null,
  secret ? h('label', { for: 'operator' }, 'Operator token, printed when the view started', secret) : null,
  h('div', { class: 'buttons' }, h('button', { class: 'button', type: 'button', onclick: close }, 'Do nothing'), h('button', { class: 'button primary', type: 'submit' }, 'Say what will happen'))));
  dialog.querySelector('input').focus();
}
