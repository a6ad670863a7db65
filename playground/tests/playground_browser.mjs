// Actions on a page for the tests of the playground's pages. Every wait is for a state that a slow
// machine reaches too, and says what it waited for in vain.

const kPatience = 120_000; // milliseconds; a state that is reached at all is reached by then
const kLook = 50; // milliseconds between two looks

// Message, table and state of a page, for the message of a wait in vain.
async function shownBy(page) {
  const shown = await page.evaluate(() => {
    const {engine, view} = globalThis.tactusPage ?? {};
    const table = [...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join(' ')).join('; ');
    return {message: document.getElementById('message')?.textContent, table: table.slice(0, 300), unanswered: engine?.unanswered, dirty: view?.dirty};
  });
  return JSON.stringify(shown);
}

// A page that is being left for another one answers nothing: the condition does not hold yet.
async function holds(page, condition, values) {
  try {
    return await page.evaluate(condition, ...values);
  } catch (error) {
    if (/Execution context|Cannot find context/.test(error.message)) return false;
    throw error;
  }
}

/// Waits until `condition(...values)`, which runs in the page, holds.
export async function until(page, condition, ...values) {
  const start = Date.now();
  while (!(await holds(page, condition, values))) {
    if (Date.now() - start > kPatience) {
      throw new Error(`${page.url().slice(0, 80)}: waited ${kPatience / 1000} s in vain for ${condition} (${JSON.stringify(values)}); ` +
        `the page shows ${await shownBy(page)}`);
    }
    await new Promise((done) => setTimeout(done, kLook));
  }
}

/// Waits until the worker has answered everything that was asked, and the picture shows it. The page must not play.
export async function settle(page) {
  await until(page, () => globalThis.tactusPage.engine.quiet && !globalThis.tactusPage.view?.dirty);
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  await until(page, () => globalThis.tactusPage.engine.quiet);
}

/// Opens a page with a state and waits until it is ready.
export async function open(page, url, state = null) {
  await page.goto('about:blank');
  await page.goto(state ? `${url}#${encodeURIComponent(JSON.stringify(state))}` : url, {timeout: kPatience});
  await ready(page);
}

/// Waits until a page shows its first answer.
export async function ready(page) {
  await until(page, () => document.readyState === 'complete' && Boolean(globalThis.tactusPage?.engine) && 
    (document.querySelector('aside table tbody tr') !== null || Boolean(document.getElementById('profile-name')?.textContent)));
}

/// Presses a button that can be seen and reached; in one go, so that nothing moves between looking and pressing.
export async function press(page, selector) {
  const problem = await page.evaluate((which) => {
    const button = document.querySelector(which);
    if (!button) return 'is missing';
    button.scrollIntoView({block: 'center'});
    const box = button.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!button.contains(top)) return `is covered by ${top?.outerHTML.slice(0, 60)}`;
    if (button.disabled) return 'is switched off';
    button.click();
    return null;
  }, selector);
  if (problem) throw new Error(`${page.url().slice(0, 80)}: ${selector} ${problem}`);
}

/// Presses a button that leads to the page `name`, and waits until that one is ready. A navigation alone tells nothing: pages also
/// put their state into the address.
export async function follow(page, selector, name) {
  await press(page, selector);
  await until(page, (to) => location.pathname.endsWith(`/${to}.html`), name);
  await ready(page);
}

export const slide = (page, id, value) => page.$eval(`#${id}`, (input, to) => {
  input.value = to;
  input.dispatchEvent(new Event('input'));
}, value);

/// A hand that presses at a place of the page (CSS pixels), by mouse or by finger.
export function hand(page, touch) {
  return touch
    ? {down: ([x, y]) => page.touchscreen.touchStart(x, y), move: ([x, y]) => page.touchscreen.touchMove(x, y), up: () => page.touchscreen.touchEnd()}
    : {down: async ([x, y]) => { await page.mouse.move(x, y); await page.mouse.down(); }, move: ([x, y]) => page.mouse.move(x, y), up: () => page.mouse.up()};
}

export async function dragPixels(page, a, b, touch) {
  const {down, move, up} = hand(page, touch);
  await down(a);
  for (const t of [0.25, 0.5, 0.75, 1]) await move([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
  await up();
}

/// A press at a world point of a board, without a drag.
export async function tap(page, place, touch) {
  const [at] = await onBoard(page, [place]);
  await dragPixels(page, at, at, touch);
}

/// Chooses files as a visitor would.
export async function choose(page, paths) {
  await (await page.$('#files')).uploadFile(...paths);
}

/// Where world points of a page's board are on the page.
export const onBoard = (page, points) => page.evaluate((list) => {
  const {board} = globalThis.tactusPage;
  const box = board.canvas.getBoundingClientRect();
  return list.map((p) => board.toCanvas(p)).map(([x, y]) => [x + box.left, y + box.top]);
}, points);

/// From one world point of a board to another.
export async function drag(page, from, to, touch) {
  const [a, b] = await onBoard(page, [from, to]);
  await dragPixels(page, a, b, touch);
  await settle(page);
}

export const message = (page) => page.evaluate(() => (document.getElementById('message').hidden ? '' : document.getElementById('message').textContent));
export const values = (page, table) => page.$$eval(`#${table} tr`, (rows) => rows.map((row) => JSON.parse(row.dataset.values ?? 'null')));
export const text = (page, id) => page.$eval(`#${id}`, (element) => element.value ?? element.textContent);
