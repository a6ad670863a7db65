#!/usr/bin/env node
// tools/axe_test.mjs PLAYER_PAGE.html   fetches axe-core from the registry into a folder of its own and asks it about all pages of
// build/playground and about a recording's page, with a body chosen, on a desk and on a phone, light and dark. Needs the network.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {finish, onPage, withBrowser} from '../player/tests/player_browser.mjs';

const kPatience = 60_000; // milliseconds until a page shows what it has
const kTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const kBroken = '<html><body><img src="data:,"><button></button></body></html>';

const recording = process.argv[2];
if (!recording) {
  console.error('usage: axe_test.mjs PLAYER_PAGE.html');
  process.exit(2);
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'tactus-axe-'));
const problems = [];

async function faults(page, axe) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate((tags) => window.axe.run(document, {runOnly: tags}), kTags);
  return violations.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({html}) => html.slice(0, 100)).join(' | ')}`);
}

try {
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, 'axe-core@4'], {stdio: 'inherit'});
  const axe = readFileSync(join(folder, 'node_modules/axe-core/axe.min.js'), 'utf8');
  const pages = readdirSync(join(root, 'build/playground')).filter((name) => name.endsWith('.html'));
  const addresses = [...pages.map((name) => pathToFileURL(join(root, 'build/playground', name)).href), `${pathToFileURL(resolve(recording)).href}#t=end&body=12`];
  await withBrowser({size: '1280x800'}, async (browser) => {
    await onPage(browser, {size: '1280x800'}, problems, async (page) => {
      await page.setContent(kBroken);
      if ((await faults(page, axe)).length < 2) problems.push('a page without names has no faults');
    });
    for (const [size, touch, scheme] of [['1280x800', false, 'light'], ['390x800', true, 'dark']]) {
      await onPage(browser, {size, touch}, problems, async (page) => {
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}, {name: 'prefers-reduced-motion', value: 'reduce'}]);
        for (const address of addresses) {
          await page.goto('about:blank');
          await page.goto(address, {timeout: kPatience});
          await page.waitForFunction(() => !window.tactusPage || window.tactusPage.engine.quiet, {timeout: kPatience});
          const name = address.replace(/.*\//, '');
          problems.push(...(await faults(page, axe)).map((fault) => `${name} (${size}, ${scheme}): ${fault}`));
        }
      });
    }
  });
} finally {
  rmSync(folder, {recursive: true, force: true});
}
finish(problems, `axe-core finds no fault in ${readdirSync(join(root, 'build/playground')).filter((name) => name.endsWith('.html')).length + 1} pages`);
