// The site in headless Chromium, opened as files: the search finds pages without a server, pages fit a phone, light and dark.
//
//   node tools/site_browser_test.mjs FOLDER [--pictures FOLDER]
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {finish, onPage, option, withBrowser} from '../player/tests/player_browser.mjs';

const site = resolve(process.argv[2] ?? 'build/site');
const pictures = option('pictures', null);
const problems = [];
const address = (name) => pathToFileURL(`${site}/${name}`).href;
const expect = (holds, text) => { if (!holds) problems.push(text); };
const keep = (page, name) => pictures && page.screenshot({path: `${pictures}/${name}.png`});

await withBrowser({size: '1280x1000'}, async (browser) => {
  await onPage(browser, {size: '1280x1000'}, problems, async (page) => {
    await page.goto(address('index.html'));
    await page.type('.md-search__input', 'mimic');
    await page.waitForSelector('.md-search-result__item a');
    const found = await page.$$eval('.md-search-result__item a', (links) => links.map((link) => link.href));
    expect(found.some((link) => link.includes('docs/guide/robots.html')), `the search for mimic finds ${found}`);
    await keep(page, 'search');
  });
  const pages = ['index', 'gallery', 'docs/guide/coming-from', 'docs/algorithms/gjk', 'docs/results/speed'];
  for (const [look, size, touch] of [['desk', '1280x1000', false], ['phone', '390x844', true]]) {
    for (const dark of [false, true]) {
      await onPage(browser, {size, touch}, problems, async (page) => {
        // What an earlier page has chosen is forgotten.
        await page.evaluateOnNewDocument(() => localStorage.clear());
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]);
        for (const name of pages) {
          await page.goto(address(`${name}.html`));
          const state = await page.evaluate(() => ({
            scheme: document.body.getAttribute('data-md-color-scheme'),
            wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length,
          }));
          expect(state.scheme === (dark ? 'slate' : 'default'), `${name}: scheme ${state.scheme}`);
          expect(state.wide <= 0, `${name}, ${look}: ${state.wide} pixels too wide`);
          expect(state.broken === 0, `${name}: ${state.broken} pictures are broken`);
          await keep(page, `${name.replaceAll('/', '-')}-${look}-${dark ? 'dark' : 'light'}`);
        }
      });
    }
  }
});
finish(problems, 'site: search, desk and phone, light and dark');
