// Opens pages that `tactus simulate` wrote in headless Chromium, which is $CHROMIUM or /usr/bin/chromium.
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../package.json', import.meta.url));
const puppeteer = require('puppeteer-core');

const kFrames = 2; // animation frames in which a change shows
const kPatience = 120_000; // milliseconds for the page to show its first picture

/// The value that follows --name on the command line.
export function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

/// Calls visit(browser) with a browser that is started for it.
export async function withBrowser({size, flags = []}, visit) {
  const profile = mkdtempSync(join(tmpdir(), 'tactus-browser-'));
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    userDataDir: profile,
    protocolTimeout: kPatience,
    timeout: kPatience,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
      '--disable-accelerated-2d-canvas', '--disable-gpu-rasterization', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', `--window-size=${size.replace('x', ',')}`, ...flags],
  });
  try {
    await visit(browser);
  } finally {
    await browser.close();
    rmSync(profile, {recursive: true, force: true});
  }
}

/// Calls visit(page) with an empty page of `size` ("WxH"). Errors and warnings on its console and any use of the network but
/// addresses that begin with `server` go to `problems`, as does what `visit` throws.
export async function onPage(browser, {size, touch = false, server = 'file:'}, problems, visit) {
  const [width, height] = size.split('x').map(Number);
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(kPatience);
    await page.setViewport({width, height, hasTouch: touch, isMobile: touch});
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url()) && !request.url().startsWith(server)) problems.push(`network: ${request.url()}`);
    });
    await visit(page);
  } catch (error) {
    problems.push(error.message);
  } finally {
    await page.close();
  }
}

/// As `onPage`, with a browser of its own.
export async function withPage({size, flags, ...look}, problems, visit) {
  try {
    await withBrowser({size, flags}, (browser) => onPage(browser, {size, ...look}, problems, visit));
  } catch (error) {
    problems.push(error.message);
  }
}

/// Opens a page's file anew with an anchor ("#t=0").
export async function open(page, file, anchor) {
  await page.goto('about:blank');
  await page.goto(pathToFileURL(resolve(file)).href + anchor, {timeout: kPatience});
  await page.waitForFunction(() => document.getElementById('time').textContent !== '', {timeout: kPatience});
  await frames(page);
}

/// Shows another anchor on a page that is open, as a new link would.
export async function follow(page, anchor) {
  await page.evaluate((hash) => {
    history.replaceState(null, '', '#');
    location.hash = hash;
  }, anchor);
  await frames(page);
}

/// Waits for animation frames, however long software rendering takes for them.
export function frames(page, count = kFrames) {
  return page.evaluate((n) => new Promise((done) => {
    const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
    next(n);
  }), count);
}

/// Ends the program: says what failed, or that all is well.
export function finish(problems, well) {
  for (const problem of problems) console.error(`FAILED ${problem}`);
  if (problems.length === 0 && well) console.log(well);
  process.exit(problems.length === 0 ? 0 : 1);
}
