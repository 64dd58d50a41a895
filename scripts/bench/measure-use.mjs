// Uses a page as a user does, and measures each step: load, drop, filter, select, tabs, scroll.
import { VIEW_TITLES } from './figures.mjs';
import { mainThreadTimes, TRACED } from './main-thread.mjs';
import { measureScroll } from './measure-scroll.mjs';
import { ask, closerLookDone, onStage } from './stage.mjs';

const QUERY = 'task_struct';
const STROKE_PATIENCE_MS = 5000;
/**
 * Time in ms without a change after which a tab counts as shown. The measured time ends at the last
 * change.
 */
const QUIET_MS = 250;
const PAIRED_MEMBERS = 5;

export async function measureUse(setup, measured) {
  await onStage(setup, async ({ page, devtools, firstPaint, ready, readMs }) => {
    await setup.browser.startTracing(page, { categories: TRACED });
    const add = (key, value) => measured.add(key, value, readMs);
    add('read', readMs);
    add('firstPaint', firstPaint);
    add('ready', ready);

    const { opened, listed } = await dropTimes(page, setup.input.name);
    add('opened', opened);
    add('listed', listed);
    await closerLookDone(page, setup.input.sha256);

    const [first, ...next] = await strokeTimes(page);
    if (first !== null) add('firstStroke', first);
    for (const stroke of next) if (stroke !== null) add('nextStrokes', stroke);

    const detail = await selectTime(page);
    if (detail !== null) {
      add('select', detail);
      for (const drawn of await pairTimes(page)) add('pair', drawn);
    }
    add('firstText', await textTime(page));
    // Opens all tabs twice: the first time each view loads its script and builds its indexes.
    for (const title of VIEW_TITLES) {
      add('firstLooks', (await tabTimes(page, title, 'firstLooks')).first);
    }
    for (const title of VIEW_TITLES) {
      const { first, last } = await tabTimes(page, title, `tab ${title}`);
      add(`tab ${title}`, first);
      add('tabsAtRest', last);
      measured.add(`nodes ${title}`, await page.evaluate(shownNodes));
    }

    for (const stroke of await paletteTimes(page)) add('palette', stroke);

    const trace = JSON.parse((await setup.browser.stopTracing()).toString());
    for (const [key, ms] of mainThreadTimes(trace)) measured.add(`main ${key}`, ms);

    await page.getByRole('tab', { name: 'Types', exact: true }).click();
    await filterBox(page).fill('');
    await ask(
      page,
      (name) => globalThis.benchProbe.whenShown(() => globalThis.benchProbe.listsAllOf(name)),
      setup.input.name,
    );
    await measureScroll(setup, { page, devtools, add });
  });
}

function dropTimes(page, fileName) {
  return ask(
    page,
    async (name) => {
      const { drop, listsAllOf, openedSentence, span, whenShown } = globalThis.benchProbe;
      const said = whenShown(() => openedSentence(name) !== null);
      const filled = whenShown(() => listsAllOf(name));
      const start = drop();
      const [opened, listed] = await Promise.all([said, filled]);
      span('listed', start, listed.paintedAt);
      return { opened: opened.at - start, listed: listed.paintedAt - start };
    },
    fileName,
  );
}

const filterBox = (page) => page.getByRole('searchbox', { name: 'Filter types', exact: true });

/** Measures from each key's input event to the painted list; null if the list stays the same. */
async function strokeTimes(page) {
  await filterBox(page).click();
  const times = [];
  for (const [i, key] of [...QUERY].entries()) {
    await page.evaluate(
      (figure) => {
        const { arm, listOfTypes, typeRowCount } = globalThis.benchProbe;
        const firstRow = () => listOfTypes()?.querySelector('[role=option]')?.textContent;
        const [list, count, row] = [listOfTypes(), typeRowCount(), firstRow()];
        const isOther = () =>
          listOfTypes() !== list || typeRowCount() !== count || firstRow() !== row;
        arm('input', isOther, 0, figure);
      },
      i === 0 ? 'firstStroke' : 'nextStrokes',
    );
    await page.keyboard.press(key);
    times.push(
      await page.evaluate((patience) => {
        const late = new Promise((resolve) => setTimeout(resolve, patience, null));
        return Promise.race([globalThis.benchProbe.armedTime(), late]).then(
          (times) => times?.first ?? null,
        );
      }, STROKE_PATIENCE_MS),
    );
  }
  if (times.every((time) => time === null)) throw new Error('no key changed the list of types');
  return times;
}

/** Waits until nothing in the page has changed for `QUIET_MS`. */
function waitForRest(page) {
  return ask(page, (quietMs) => globalThis.benchProbe.whenShown(() => true, quietMs), QUIET_MS);
}

/**
 * Measures from a click on a struct to its heading and members; null if the file lacks the struct.
 */
async function selectTime(page) {
  await filterBox(page).fill(`struct ${QUERY}`);
  await waitForRest(page);
  const row = page.getByRole('option', { name: new RegExp(`^STRUCT ${QUERY}(?!\\w)`) }).first();
  if ((await row.count()) === 0) return null;
  await page.evaluate((name) => {
    const panel = globalThis.benchProbe.shownView();
    const isShown = () => {
      const headings = [...panel.querySelectorAll('h2')];
      const members = panel.querySelector('[role=grid][aria-label="Members"] [role=gridcell]');
      return headings.some((heading) => heading.textContent.includes(name)) && members !== null;
    };
    globalThis.benchProbe.arm('click', isShown, 0, 'select');
  }, QUERY);
  await row.click();
  return (await ask(page, () => globalThis.benchProbe.armedTime())).first;
}

/**
 * Measures from a click on a member of the struct until its bytes are selected in the second pane.
 */
async function pairTimes(page) {
  await page.getByRole('button', { name: 'Bytes beside', exact: true }).click();
  await waitForRest(page);
  const times = [];
  for (let row = 2; row < 2 + PAIRED_MEMBERS; row++) {
    await page.evaluate(() => {
      const lit = () =>
        document
          .querySelector('[data-pane="second"] [role=gridcell][aria-selected=true]')
          ?.getAttribute('data-offset') ?? null;
      const before = lit();
      globalThis.benchProbe.arm('click', () => lit() !== null && lit() !== before, 0, 'pair');
    });
    const members = page.locator('[role=grid][aria-label=Members]');
    await members.locator(`[data-row="${row}"] [role=gridcell]`).first().click();
    times.push((await ask(page, () => globalThis.benchProbe.armedTime())).first);
    await waitForRest(page);
  }
  await page.getByRole('button', { name: 'Close the second pane', exact: true }).click();
  return times;
}

/** Measures from a click on Text (in C) to the first lines. */
async function textTime(page) {
  await page.evaluate(() => {
    const isShown = () => {
      const text = globalThis.benchProbe.shownView()?.textContent ?? '';
      return text.includes('#ifndef __VMLINUX_H__');
    };
    globalThis.benchProbe.arm('click', isShown, 0, 'firstText');
  });
  await page.getByRole('radiogroup', { name: 'Types', exact: true }).getByText('Text').click();
  const { first } = await ask(page, () => globalThis.benchProbe.armedTime());
  await page
    .getByRole('radiogroup', { name: 'Types', exact: true })
    .getByText(/^Types/)
    .click();
  return first;
}

/**
 * Measures from pressing a tab's button to the first frame of its view, and to the last change.
 * Tabs open when the button is pressed, not when it is released.
 */
async function tabTimes(page, title, figure) {
  await page.evaluate(
    ([label, quietMs, key]) => {
      globalThis.benchProbe.arm(
        'pointerdown',
        () => {
          const tab = document.querySelector('[role=tab][aria-selected=true]');
          const text = globalThis.benchProbe.shownView()?.textContent ?? '';
          return tab?.textContent.startsWith(label) && text !== '' && !text.startsWith('Loading ');
        },
        quietMs,
        key,
      );
    },
    [title, QUIET_MS, figure],
  );
  await page.getByRole('tab', { name: title, exact: true }).click();
  return ask(page, () => globalThis.benchProbe.armedTime());
}

/** Returns the number of elements in the shown view. Runs in the page. */
function shownNodes() {
  const all = globalThis.benchProbe.shownView().querySelectorAll('*');
  return all.length;
}

/** Measures from each key in the palette to the painted results. */
async function paletteTimes(page) {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Find anything', exact: true });
  await box.waitFor();
  await waitForRest(page);
  const times = [];
  for (const key of QUERY) {
    await page.evaluate(() => {
      const resultsNow = () =>
        document.querySelector('[role=listbox][aria-label=Found]')?.textContent;
      const before = resultsNow();
      globalThis.benchProbe.arm('input', () => resultsNow() !== before, 0, 'palette');
    });
    await page.keyboard.press(key);
    const late = new Promise((resolve) => setTimeout(resolve, 1000, null));
    const shown = ask(page, () => globalThis.benchProbe.armedTime()).catch(() => null);
    const time = await Promise.race([shown, late]);
    if (time !== null) times.push(time.first);
  }
  await page.keyboard.press('Escape');
  return times;
}
