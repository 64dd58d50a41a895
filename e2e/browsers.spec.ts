/**
 * Tests the page in Debian's Firefox and WebKitGTK: from a server, without network, and as a single
 * HTML file. Skips browsers that are not installed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from '@playwright/test';
import { longUnless } from './app-page.ts';
import { serveCopies } from './serve-copies.ts';
import { test } from './test.ts';
import { type Browser, isInstalled, startFirefox, startWebKit } from './webdriver.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PACKED = fromRoot('e2e/fixtures/kinds.btf.xz');
const SINGLE = pathToFileURL(fromRoot('dist-single/btfscope.html')).href;

const BROWSERS = [
  { name: 'Firefox', start: startFirefox, needs: ['firefox-esr'], packages: 'firefox-esr' },
  {
    name: 'WebKitGTK',
    start: startWebKit,
    needs: ['WebKitWebDriver', 'xvfb-run'],
    packages: 'webkit2gtk-driver xvfb xauth',
  },
];

/** Waits until the status region contains the text. */
async function expectStatus(browser: Browser, text: string): Promise<void> {
  await browser.until(
    (wanted) =>
      [...document.querySelectorAll('[role=status]')].some((e) => e.textContent?.includes(wanted)),
    text,
  );
}

/** Waits until an element that matches the selector contains the text. */
async function expectText(browser: Browser, selector: string, text: string): Promise<void> {
  await browser.until(
    (of, wanted) => [...document.querySelectorAll(of)].some((e) => e.textContent?.includes(wanted)),
    selector,
    text,
  );
}

/** Clicks the first element that matches `selector` and has `name` as its label or text. */
async function click(browser: Browser, selector: string, name: string): Promise<void> {
  await browser.until(
    (of, wanted) => {
      const found = [...document.querySelectorAll<HTMLElement>(of)].find((element) =>
        (element.getAttribute('aria-label') ?? element.textContent ?? '').startsWith(wanted),
      );
      found?.click();
      return found !== undefined;
    },
    selector,
    name,
  );
}

/** Sets the hash of the page's address. */
async function goTo(browser: Browser, hash: string): Promise<void> {
  await browser.run((to) => {
    window.location.hash = to;
  }, hash);
}

async function ready(browser: Browser, address: string): Promise<void> {
  await browser.goto(address);
  await browser.until(() => document.querySelector('input[type=file]') !== null);
}

/**
 * Opens an example, all views, a lesson, the workbench, a link, and a file from disk. The workbench
 * keeps its text: each tour of one page needs another name for the struct that it declares.
 */
async function tour(browser: Browser, struct = 'away'): Promise<void> {
  await click(browser, 'button', 'All examples');
  await click(browser, 'button', 'Open example');
  await expectStatus(browser, 'Opened ');
  const tabs = () =>
    [...document.querySelectorAll<HTMLElement>('[role=tab]')].map((tab) => tab.textContent ?? '');
  const views = await browser.until(tabs);
  expect(views.length).toBeGreaterThan(9);
  for (const view of views) {
    await click(browser, '[role=tab]', view);
    await browser.until((wanted) => {
      const tab = document.querySelector('[role=tab][aria-selected=true]')?.textContent;
      const panel = document.querySelector('[role=tabpanel]')?.textContent ?? '';
      return tab === wanted && panel !== '' && !/^Loading|could not be drawn/.test(panel);
    }, view);
  }
  await goTo(browser, '#/?lesson=btf-header&at=version-and-flags');
  await expectText(browser, 'section', 'Step ');
  await browser.until(() => document.querySelector('[role=grid][aria-label=Bytes]') !== null);
  await goTo(browser, '#/types?file=sample:kinds.btf&type=struct:integers');
  await expectText(browser, 'h1, h2', 'integers');
  await goTo(browser, '#/');
  await click(browser, 'button', 'Open the workbench');
  await browser.until(() => document.querySelector('[aria-label="C declarations"]') !== null);
  await browser.type('[aria-label="C declarations"]', `\nstruct ${struct} { char c; long l; };`);
  await expectText(browser, '[role=tabpanel]', `STRUCT '${struct}' size=16 vlen=2`);
  await goTo(browser, '#/');
  await browser.type('input[type=file]', PACKED);
  await expectStatus(browser, 'Opened kinds.btf.xz: 95 types');
}

/** Ends a file's worker as a browser may do, and expects that the page starts a new one. */
async function loseWorker(browser: Browser): Promise<void> {
  await browser.run(() => {
    const { postMessage } = Worker.prototype;
    const kept = { last: null as Worker | null };
    Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
      kept.last = this;
      postMessage.apply(this, sent as Parameters<typeof postMessage>);
    };
    (window as unknown as { keptWorker: typeof kept }).keptWorker = kept;
  });
  await click(browser, '[role=tab]', 'Bytes');
  await click(browser, '[role=tab]', 'Types');
  await click(browser, '[role=radiogroup] label', 'Text');
  await browser.until(() => {
    const { keptWorker } = window as unknown as { keptWorker: { last: Worker | null } };
    keptWorker.last?.terminate();
    return keptWorker.last !== null;
  });
  // The worker may have answered before: this request is left without an answer.
  await click(browser, '[role=radiogroup] label', 'Raw');
  await expectStatus(browser, 'Worker restarted');
}

/** Tries requests from a Blob worker of the page. Returns those that reach another origin. */
async function requestsOfWorker(browser: Browser): Promise<readonly string[]> {
  const requests: string[] = [];
  const otherOrigin = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>((resolve) => otherOrigin.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(otherOrigin.address() as AddressInfo).port}`;
  const ended = await browser.run(
    (to) =>
      new Promise<string>((resolve) => {
        const script = `const done = [fetch('${to}/fetch'), import('${to}/import.js')];
          Promise.allSettled(done).then((all) => postMessage(all.map((one) => one.status).join()));`;
        const blob = new Blob([script], { type: 'text/javascript' });
        const worker = new Worker(URL.createObjectURL(blob), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(String(data));
        worker.onerror = () => resolve('no worker');
      }),
    address,
  );
  otherOrigin.close();
  expect(ended).toBe('rejected,rejected');
  return requests;
}

for (const { name, start, needs, packages } of BROWSERS) {
  test.describe(name, () => {
    test.skip(
      !needs.every(isInstalled),
      `${name} is not installed: apt-get install --no-install-recommends ${packages}`,
    );
    test.describe.configure({ timeout: 300_000 });

    test(`${name}: an example opens by its address`, longUnless('Firefox', name), async () => {
      const browser = await start();
      try {
        await serveCopies([''], async ({ address }) => {
          await ready(browser, address);
          await goTo(browser, '#/types?file=sample:kinds.btf&type=struct:integers');
          await expectStatus(browser, 'Opened kinds.btf: ');
          await expectText(browser, 'h1, h2', 'integers');
        });
      } finally {
        browser.close();
      }
    });

    test(`${name}: the served page, also with the network cut`, { tag: '@long' }, async () => {
      const browser = await start();
      try {
        await serveCopies([''], async ({ address, stop }) => {
          await ready(browser, address);
          test.info().annotations.push({ type: 'browser', description: browser.version });
          await tour(browser);
          await loseWorker(browser);
          expect(await requestsOfWorker(browser)).toEqual([]);
          await browser.until(async () => (await navigator.serviceWorker.ready) !== null);
          stop();
          await browser.goto('about:blank');
          await ready(browser, address);
          await tour(browser, 'offline');
        });
      } finally {
        browser.close();
      }
    });

    test(`${name}: the single-file page`, { tag: '@long' }, async () => {
      const browser = await start();
      try {
        await ready(browser, SINGLE);
        await tour(browser);
        await loseWorker(browser);
      } finally {
        browser.close();
      }
    });
  });
}
