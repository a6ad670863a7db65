#!/usr/bin/env node
// tools/bundlers_test.mjs   takes the npm package of build/wasm/npm as strangers do, in a folder of its own: pages bundled by esbuild,
// webpack and vite answer in headless Chromium, TypeScript knows the types, and the examples of examples/npm run. Needs the network.
import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {finish, onPage, withBrowser} from '../player/tests/player_browser.mjs';
import {serve} from '../playground/serve.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kTools = ['esbuild@0.28', 'webpack@5', 'webpack-cli@6', 'vite@6', 'typescript@5', 'three@0.187', 'react@19', 'react-dom@19'];
const kBundle = ['--bundle', '--format=esm', '--platform=browser', '--loader:.wasm=file', '--jsx=automatic', '--log-level=warning'];
const kHead = '<!doctype html><link rel="icon" href="data:,">';
const folder = mkdtempSync(join(tmpdir(), 'tactus-bundlers-'));
const problems = [];

function run(program, args, {cwd = folder, environment = {}} = {}) {
  const done = spawnSync(program, args, {cwd, encoding: 'utf8', env: {...process.env, ...environment}});
  if (done.status !== 0) problems.push(`${program} ${args.join(' ')}: ${done.stdout}${done.stderr}`);
  return done.stdout;
}

function copyAll(from) {
  for (const name of readdirSync(join(root, from))) copyFileSync(join(root, from, name), join(folder, name));
}

function bundle() {
  run('npx', ['esbuild', 'addressed.mjs', ...kBundle, '--outfile=esbuild/bundle.js']);
  run('npx', ['webpack', '--mode=production', '--entry=./page.mjs', '--output-path=./webpack', '--output-filename=bundle.js']);
  writeFileSync(join(folder, 'index.html'), `${kHead}<script type="module" src="/page.mjs"></script>`);
  run('npx', ['vite', 'build', '--base=./', '--outDir=vite', '--logLevel=warn', '--configLoader=native', '--target=esnext']);
  run('npx', ['esbuild', 'game.mjs', ...kBundle, '--outfile=game.bundle.js']);
  run('npx', ['esbuild', 'react.jsx', ...kBundle, '--outfile=react.bundle.js']);
  for (const tool of ['esbuild', 'webpack'])
    writeFileSync(join(folder, tool, 'index.html'), `${kHead}<script type="module" src="bundle.js"></script>`);
  writeFileSync(join(folder, 'react.html'), `${kHead}<div id="page"></div><script type="module" src="react.bundle.js"></script>`);
}

async function visit(server) {
  await withBrowser({size: '900x600'}, async (browser) => {
    const look = (path, seen) => onPage(browser, {size: '900x600', server}, problems, async (page) => {
      page.setDefaultTimeout(30_000);
      await page.goto(`${server}${path}`);
      await seen(page);
    });
    for (const [tool, answer] of [['esbuild', 1], ['webpack', 0.2], ['vite', 0.2]]) {
      await look(`${tool}/index.html`, (page) =>
        page.waitForFunction((wanted) => Math.abs(globalThis.answer - wanted) < 1e-12, {}, answer));
    }
    await look('game.html', async (page) => {
      await page.waitForFunction(() => globalThis.game);
      const before = await page.evaluate(() => game.run.bodies().ids.length);
      for (const x of [0, 0.1, 0.2]) await page.evaluate((at) => game.shoot(at, 0.25), x);
      await page.waitForFunction(() => game.down.size > 0);
      if (await page.evaluate(() => game.run.bodies().ids.length) !== before + 3) problems.push('game: three balls are not there');
      if (process.argv[2]) await page.screenshot({path: join(process.argv[2], 'game.png')});
    });
    await look('react.html', async (page) => {
      await page.waitForFunction(() => /proved to lie between/.test(document.body.textContent));
      if (process.argv[2]) await page.screenshot({path: join(process.argv[2], 'react.png')});
    });
  });
}

const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], {cwd: join(root, 'build/wasm/npm')}).trim();
copyAll('tests/consumer/npm');
copyAll('tests/consumer/bundlers');
copyAll('examples/npm');
run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${packed}`, ...kTools]);
run('node', ['consumer.mjs']);
run('node', ['rollback.mjs']);
run('npx', ['tsc', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext', 'types.ts']);
mkdirSync(join(folder, 'esbuild'));
bundle();
const {server, address} = await serve(folder, 0);
await visit(address);
server.close();
rmSync(folder, {recursive: true, force: true});
finish(problems, 'esbuild, webpack, vite, TypeScript and the examples take the npm package');
