/** Keeps who has what in one file, and serves the page that shows it. */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');

const file = process.env.LENT_FILE ?? 'lent.json';
const page = readFileSync(join(__dirname, 'public', 'index.html'));

createServer(async (request, response) => {
  const { method, url } = request;
  if (method === 'GET' && url === '/') return send(response, 200, page, 'text/html; charset=utf-8');
  if (method === 'GET' && url === '/things') return send(response, 200, load());
  if (method === 'POST' && url === '/things') return add(response, await bodyOf(request));
  send(response, 404, { error: 'There is nothing here.' });
}).listen(process.env.PORT ?? 3000, '127.0.0.1');

function add(response, { thing, to }) {
  const list = load();
  const id = 1 + Math.max(0, ...list.map((entry) => entry.id));
  const entry = { id, thing, to, since: new Date().toISOString().slice(0, 10) };
  save([entry, ...list]);
  send(response, 201, entry);
}

function load() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Whole or not at all: a computer in a hall is switched off at any moment. */
function save(list) {
  writeFileSync(`${file}.new`, JSON.stringify(list));
  renameSync(`${file}.new`, file);
}

async function bodyOf(request) {
  let text = '';
  for await (const piece of request) text += piece;
  return JSON.parse(text || '{}');
}

function send(response, status, body, type = 'application/json') {
  response.writeHead(status, { 'content-type': type });
  response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
