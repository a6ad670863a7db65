#!/usr/bin/env node
// playground/serve.mjs FOLDER [PORT]   serves a folder of static files to this machine, and says the address.
import {createReadStream, existsSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, resolve, sep} from 'node:path';

const folder = resolve(process.argv[2] ?? '.');
const port = Number(process.argv[3] ?? 8017);
const kTypes = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm'};

createServer((request, response) => {
  const path = resolve(join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname)));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
  if (!(file + sep).startsWith(folder + sep) || !existsSync(file)) return response.writeHead(404).end('not found');
  response.writeHead(200, {'content-type': kTypes[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache'});
  createReadStream(file).pipe(response);
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/  (Ctrl-C ends)`))
  .on('error', (error) => {
    console.error(`playground/serve.mjs: port ${port}: ${error.message}; another one: make playground PORT=8018`);
    process.exit(1);
  });
