// Measures logs of the verifier: a million lines, a million steps, a text of 100 MB, plain and with a
// logger's prefix before each line. In Node, the processor time of each stage, compared with splitting
// the same text into strings; in the page, the time to the answer, and scrolling all lines.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBrowser } from './browser.mjs';
import { median } from './figures.mjs';
import { TEXTS, textOf } from './log-texts.mjs';
import { atRest, memoryReader } from './measure-memory.mjs';
import { scrollBesideEmpty } from './measure-scroll.mjs';
import { installProbe } from './page-probe.mjs';
import { shown } from './processes.mjs';
import { ask, slowDown } from './stage.mjs';
import { columns } from './table.mjs';

/** Most pages that open each text: each is measured at rest and scrolled, beside an empty page. */
const MAX_PAGES = 3;
/** Time in which the page must answer a log of a million lines. */
const GOAL_MS = 3000;
const STAGES = ['read', 'overview', 'answer', 'columns', 'state'];

export async function measureLog(stage) {
  await measureStages(stage);
  await measurePage(stage);
}

/** Reads each text `runs` times in new processes and prints a table. */
async function measureStages({ program, runs }) {
  const path = await program('scripts/bench/log-run.mjs');
  const rows = [['', 'lines', 'MB', 'steps', ...STAGES, 'all', '× split', 'MB held', 'MB peak']];
  for (const name of Object.keys(TEXTS)) {
    const all = Array.from({ length: runs }, () =>
      JSON.parse(execFileSync(process.execPath, ['--expose-gc', path, name], { encoding: 'utf8' })),
    );
    const [{ lines, bytes, steps }] = all;
    const sum = ({ times }) => STAGES.reduce((ms, key) => ms + times[key], 0);
    rows.push([
      name,
      lines.toLocaleString('en'),
      (bytes / 1e6).toFixed(0),
      steps.toLocaleString('en'),
      ...STAGES.map((key) => shown(median(all.map(({ times }) => times[key])))),
      shown(median(all.map(sum))),
      median(all.map((run) => sum(run) / run.times.split)).toFixed(1),
      (median(all.map(({ held }) => held)) / 1e6).toFixed(0),
      (median(all.map(({ peak }) => peak)) / 1e6).toFixed(0),
    ]);
  }
  console.log(`\nLogs of the verifier, ms of the processor, ${runs} runs, median\n`);
  console.log(columns(rows));
  console.log('split: decode().split() of the text; held: beside the text; peak: of the process');
}

/** Opens each text in new pages and prints a table. */
async function measurePage({ app, scratch, runs, throttle }) {
  const folder = await app();
  const rows = [
    ['in the page', 'answer ms', 'longest task ms', 'MB more', 'dropped', 'empty page', 'worst ms'],
  ];
  await onBrowser(folder, async (site) => {
    for (const name of Object.keys(TEXTS)) {
      const path = join(scratch, `${name}.log`);
      writeFileSync(path, textOf(name));
      const rounds = [];
      for (let run = 0; run < Math.min(runs, MAX_PAGES); run++) {
        console.error(`${name}, page ${run + 1}`);
        rounds.push(await measureFile(site, path, throttle));
      }
      const of = (key) => median(rounds.map((round) => round[key]));
      rows.push([
        name,
        shown(of('answered')),
        shown(of('longest')),
        (of('held') / 1e6).toFixed(0),
        of('dropped'),
        of('droppedEmpty'),
        shown(of('worst')),
      ]);
    }
  });
  console.log(`\n${columns(rows)}`);
  console.log(
    `answer: from the drop, goal ${GOAL_MS}; dropped: frames of 3 s of scrolling the lines`,
  );
}

async function measureFile({ browser, address }, path, throttle) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await slowDown(devtools, throttle);
    await context.addInitScript(installProbe);
    await page.goto(address);
    await ask(page, () => globalThis.benchProbe.ready);
    const bytesNow = await memoryReader(browser, page);
    const before = await atRest(devtools, bytesNow);
    await page.evaluate(() => globalThis.benchProbe.plantInput());
    await page.locator('#bench-input').setInputFiles(path);
    const { answered, longest } = await ask(page, answerTime);
    const held = (await atRest(devtools, bytesNow)) - before;
    await page.getByText('Lines', { exact: true }).click();
    const lines = '[role=grid][aria-label="Lines of the log"]';
    await page.locator(lines).getByText('instruction').first().waitFor();
    await page.locator(lines).press('Home');
    return {
      answered,
      longest,
      held,
      ...(await scrollBesideEmpty(throttle, page, devtools, lines)),
    };
  } finally {
    await context.close();
  }
}

/** Returns the time from the drop to the painted walk, and the longest task. Runs in the page. */
async function answerTime() {
  const { drop, watchLongTasks, whenShown } = globalThis.benchProbe;
  const stop = watchLongTasks();
  const said = whenShown(() =>
    document.querySelector('[aria-label="Answer"] h2')?.textContent.includes('may be NULL'),
  );
  const walked = whenShown(() => document.querySelector('[aria-label="Move in the walk"]'));
  const start = drop();
  const { paintedAt } = await said;
  await walked;
  return { answered: paintedAt - start, longest: stop() };
}
