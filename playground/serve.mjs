#!/usr/bin/env node
// playground/serve.mjs FOLDER [PORT]   serves a folder of static files to this machine, and says the address.
import {createReadStream, existsSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, resolve, sep} from 'node:path';
import {fileURLToPath} from 'node:url';

const kTypes = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm'};

/// Serves a folder at a port of this machine (0: any free one): the server, and its address.
export function serve(root, port) {
  const folder = resolve(root);
  return new Promise((done, fail) => {
    const server = createServer((request, response) => {
      const path = resolve(join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname)));
      const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
      if (!(file + sep).startsWith(folder + sep) || !existsSync(file)) return response.writeHead(404).end('not found');
      response.writeHead(200, {'content-type': kTypes[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache'});
      createReadStream(file).pipe(response);
    }).listen(port, '127.0.0.1', () => done({server, address: `http://127.0.0.1:${server.address().port}/`})).on('error', fail);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[3] ?? 8017);
  try {
    console.log(`${(await serve(process.argv[2] ?? '.', port)).address}  (Ctrl-C ends)`);
  } catch (error) {
    console.error(`playground/serve.mjs: port ${port}: ${error.message}; another one: make playground PORT=8018`);
    process.exit(1);
  }
}
