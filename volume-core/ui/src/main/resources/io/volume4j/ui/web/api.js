// What the server is asked.

async function answer(response) {
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.error || 'the view does not answer'), { status: response.status });
  return body;
}

const get = async (path) => answer(await fetch(path, { credentials: 'same-origin' }));

const post = async (path, body, token) => answer(await fetch(path, {
  method: 'POST', credentials: 'same-origin', body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: 'Bearer ' + token } : {}) },
}));

export const session = (token) => post('/api/session', { token });
export const summary = () => get('/api/summary');
export const rows = (query, offset, limit) => get(`/api/rows?q=${encodeURIComponent(query)}&offset=${offset}&limit=${limit}`);
export const detail = (source, key) => get(`/api/detail?source=${encodeURIComponent(source)}&key=${encodeURIComponent(key)}`);
export const ask = (action, token) => post('/api/ask', action, token);
export const confirm = (ticket, token) => post('/api/confirm', { ticket }, token);
