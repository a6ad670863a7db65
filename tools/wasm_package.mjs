#!/usr/bin/env node
// tools/wasm_package.mjs   makes the npm package in build/wasm/npm from what emscripten left in build/wasm/bindings/wasm.
// The compiled modules receive the hash of all that is in the package, and the scripts beside them the same one: pages and modules go together.
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'build/wasm/bindings/wasm');
const source = join(root, 'bindings/wasm');
const folder = join(root, 'build/wasm/npm');
// The largest of what a page fetches of each module, gzipped, in bytes.
const kModules = {
  tactus_queries: {most: 360000, scripts: ['tactus_queries.mjs', 'queries.mjs', 'fields.mjs', 'memory.mjs', 'loading.mjs']},
  tactus_worlds: {most: 600000, scripts: ['tactus_worlds.mjs', 'worlds.mjs', 'queries.mjs', 'fields.mjs', 'memory.mjs', 'loading.mjs']},
  tactus: {most: 1350000, scripts: ['tactus.mjs', 'queries.mjs', 'fields.mjs', 'memory.mjs', 'loading.mjs']},
};

function leb128(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return [...bytes, number];
}

// A custom section: id 0, size, name, content.
function withSection(wasm, name, content) {
  const body = Buffer.from([name.length, ...Buffer.from(name), ...Buffer.from(content)]);
  return Buffer.concat([wasm, Buffer.from([0, ...leb128(body.length)]), body]);
}

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const names = Object.keys(kModules);
const wasm = names.map((name) => readFileSync(join(built, `${name}_module.wasm`)));
const made = names.map((name) => readFileSync(join(built, `${name}_module.mjs`)));
const scripts = readdirSync(source).filter((name) => name.endsWith('.mjs')).sort();
const parts = [...wasm, ...made, ...scripts.map((name) => readFileSync(join(source, name)))];
const hash = parts.reduce((sum, bytes) => sum.update(bytes), createHash('sha256')).digest('hex').slice(0, 16);
names.forEach((name, i) => {
  writeFileSync(join(folder, `${name}_module.wasm`), withSection(wasm[i], 'tactus-hash', hash));
  writeFileSync(join(folder, `${name}_module.mjs`), made[i]);
});
writeFileSync(join(folder, 'tactus_hash.mjs'), `export const contentHash = '${hash}';\n`);
for (const name of [...scripts, 'tactus.d.ts', 'tactus_queries.d.ts', 'tactus_worlds.d.ts', 'README.md'])
  copyFileSync(join(source, name), join(folder, name));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
const version = /TACTUS_VERSION "(.*)"/.exec(readFileSync(join(root, 'include/tactus/version.hpp'), 'utf8'))[1];
const description = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({...description, version}, null, 2)}\n`);

console.log(`build/wasm/npm: build ${hash}; gzipped, kB:`);
for (const [name, {most, scripts: own}] of Object.entries(kModules)) {
  const fetched = [`${name}_module.wasm`, `${name}_module.mjs`, ...own].map((file) => readFileSync(join(folder, file)));
  const gzipped = fetched.reduce((sum, bytes) => sum + gzipSync(bytes, {level: 9}).length, 0);
  console.log(`  ${name}: ${(gzipped / 1000).toFixed(0)}, at most ${most / 1000}`);
  if (gzipped > most) process.exitCode = 1;
}
if (process.exitCode === 1) console.error('a module is larger than it may be');
