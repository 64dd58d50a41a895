/** Tries to break the content security policy of the built page. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, type Page, type Worker } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { test } from './test.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SINGLE = fromRoot('dist-single/btfscope.html');

const BUILT = { name: 'the built page', path: fromRoot('dist/index.html'), address: './' };
const PAGES = [
  BUILT,
  { name: 'the single-file page', path: SINGLE, address: pathToFileURL(SINGLE).href },
];

/** Runs the script `trick` in the page; returns its error or its result. */
async function runTrick(page: Page, trick: string): Promise<string> {
  return await page.evaluate(async (name) => {
    const attempts: Record<string, () => unknown> = {
      markup: () => {
        document.createElement('p').innerHTML = '<b>bold</b>';
      },
      'parsed page': () => new DOMParser().parseFromString('<p>', 'text/html'),
      'a function of text': () => new Function('return 1'),
      'a timer of text': () => setTimeout('1' as never),
      'a worker from elsewhere': () => new Worker('https://example.org/assets/a.js'),
      'a worker of text': () => new Worker('data:text/javascript,1'),
      'a script element': () => {
        document.createElement('script').src = './assets/../a.js';
      },
      'another policy': () =>
        (
          globalThis as never as {
            trustedTypes: { createPolicy(name: string, rules: object): void };
          }
        ).trustedTypes.createPolicy('mine', {}),
      'a request to elsewhere': () => fetch('https://example.org/'),
      'a beacon': () => navigator.sendBeacon('https://example.org/', 'x') || 'refused',
      'a form': () => {
        const form = document.createElement('form');
        form.action = 'https://example.org/';
        document.body.append(form);
        form.submit();
        return 'sent';
      },
      'a frame': async () => {
        const frame = document.createElement('iframe');
        frame.src = 'https://example.org/';
        const refused = new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', () => resolve('refused'), {
            once: true,
          });
        });
        document.body.append(frame);
        return await refused;
      },
      'a picture from elsewhere': async () => {
        const refused = new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', () => resolve('refused'), {
            once: true,
          });
        });
        new Image().src = 'https://example.org/a.png';
        return await refused;
      },
    };
    try {
      // Runs in a timer: parts of the policy do not apply to scripts that the test calls directly.
      await new Promise((resolve) => setTimeout(resolve));
      return `passed: ${String(await attempts[name]?.())}`;
    } catch (error) {
      return `threw: ${error instanceof Error ? error.name : String(error)}`;
    }
  }, trick);
}

const THROWS = [
  'markup',
  'parsed page',
  'a function of text',
  'a timer of text',
  'a worker from elsewhere',
  'a worker of text',
  'a script element',
  'another policy',
  'a request to elsewhere',
];
const REFUSED = ['a frame', 'a picture from elsewhere'];

for (const { name, path, address } of PAGES) {
  test(
    `${name} is shown as text and causes no request`,
    longUnless(BUILT.name, name),
    async ({ page }) => {
      await page.goto(address);
      const sentUrls = new Set<string>();
      page.on('request', (request) => sentUrls.add(request.url()));
      // A request that the policy blocks is reported as sent and then as failed.
      page.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'csp') sentUrls.delete(request.url());
      });
      for (const trick of THROWS) {
        expect
          .soft(await runTrick(page, trick), trick)
          .toMatch(/^threw: (TypeError|EvalError|SecurityError)/);
      }
      for (const trick of REFUSED) {
        expect.soft(await runTrick(page, trick), trick).toBe('passed: refused');
      }
      await runTrick(page, 'a form');
      await expect
        .poll(() => [...sentUrls].filter((url) => url.includes('example.org')))
        .toEqual([]);
      // The page is still there: the form has not been sent.
      expect(await page.evaluate(() => document.title)).toBe('btfscope');
    },
  );

  test(`${name} states the policy before any script`, longUnless(BUILT.name, name), () => {
    const html = readFileSync(path, 'utf8');
    const policy = html.indexOf('http-equiv="Content-Security-Policy"');
    expect(policy).toBeGreaterThan(0);
    for (const first of ['<script', '<link', '<style']) {
      const at = html.indexOf(first);
      expect(at < 0 || at > policy, first).toBe(true);
    }
  });
}

/** Global names that give a worker access to the network, storage or other tabs. */
const DOORS = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource'],
  ...['importScripts', 'Worker', 'SharedWorker', 'BroadcastChannel', 'FontFace', 'fonts'],
  ...['indexedDB', 'caches', 'CacheStorage', 'Cache', 'cookieStore', 'Notification'],
  ...['webkitRequestFileSystem', 'StorageManager', 'ServiceWorkerRegistration', 'WebAssembly'],
];
const NAVIGATOR_DOORS = ['sendBeacon', 'serviceWorker', 'storage', 'usb', 'serial', 'hid', 'gpu'];

/** Returns the names that a worker can still use (own or inherited) or assign again. */
function openDoors(worker: Worker): Promise<string[]> {
  return worker.evaluate(
    ([names, ofNavigator]) => {
      const openNames: string[] = [];
      const look = (prefix: string, start: object, wanted: readonly string[]) => {
        for (const name of wanted) {
          for (let of: object | null = start; of !== null; of = Object.getPrototypeOf(of)) {
            const held = Object.getOwnPropertyDescriptor(of, name);
            if (held !== undefined && !('value' in held && held.value === undefined)) {
              openNames.push(`${prefix}${name}`);
            }
          }
        }
      };
      look('', globalThis, names);
      look('navigator.', navigator, ofNavigator);
      return openNames;
    },
    [DOORS, NAVIGATOR_DOORS] as const,
  );
}

for (const { name, address } of PAGES) {
  test(
    `the file workers of ${name} reach no network`,
    longUnless(BUILT.name, name),
    async ({ page }) => {
      const requests: string[] = [];
      const otherOrigin = createServer((request, response) => {
        requests.push(request.url ?? '');
        response.writeHead(200, {
          'access-control-allow-origin': '*',
          'content-type': 'text/javascript',
        });
        response.end('export const read = 1;');
      });
      await new Promise<void>((resolve) => otherOrigin.listen(0, '127.0.0.1', resolve));
      const elsewhere = `http://127.0.0.1:${(otherOrigin.address() as AddressInfo).port}`;
      const app = new AppPage(page);
      try {
        await page.goto(address);
        await app.chooseFile(fromRoot('e2e/fixtures/kinds.btf.xz'));
        expect((await app.opened()).types).toBe(95);
        app.expectQuiet();
        expect(page.workers().length).toBeGreaterThan(0);
        for (const worker of page.workers()) {
          // Repeats the check: a new worker may not have removed the names yet.
          await expect.poll(() => openDoors(worker)).toEqual([]);
          const outcome = await worker.evaluate(async (target) => {
            // In a timer: parts of the policy do not apply to scripts that the test calls.
            await new Promise((resolve) => setTimeout(resolve));
            const runTrick = async (attempt: () => unknown) => {
              try {
                await attempt();
                return 'passed';
              } catch {
                return 'refused';
              }
            };
            return [
              await runTrick(() => fetch(`${target}/fetch`)),
              await runTrick(() => new WebSocket(`${target}/socket`)),
              await runTrick(() => import(`${target}/import.js`)),
              await runTrick(() => new Function('return 1')()),
            ];
          }, elsewhere);
          expect.soft(outcome).toEqual(['refused', 'refused', 'refused', 'refused']);
        }
        expect(requests).toEqual([]);
      } finally {
        otherOrigin.close();
      }
    },
  );
}

test('every feature that uses workers works under the policy', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(fromRoot('public/samples/kinds.btf'));
  expect((await app.opened()).types).toBe(95);
  app.expectQuiet();
});

test('docs/hosting.md has the headers under which the built page works', { tag: '@long' }, async ({
  page,
}) => {
  const built = readFileSync(fromRoot('dist/index.html'), 'utf8');
  const inPage = /Content-Security-Policy" content="([^"]+)"/
    .exec(built)?.[1]
    ?.replaceAll('&#39;', "'");
  const hosting = readFileSync(fromRoot('docs/hosting.md'), 'utf8');
  const named = [hosting, readFileSync(fromRoot('container/btfscope.conf'), 'utf8')].flatMap(
    (text) => [...text.matchAll(/Content-Security-Policy "([^"]+)"/g)].map(([, policy]) => policy),
  );
  expect(named).toEqual(Array(3).fill(`${inPage}; frame-src 'self'; frame-ancestors 'self'`));
  const nginx = [...hosting.matchAll(/add_header (\S+) "?([^";]+|[^"]+)"? always;/g)];
  expect(nginx.map(([, name]) => name)).toHaveLength(3);
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers() };
    for (const [, name = '', value = ''] of nginx) headers[name.toLowerCase()] = value;
    await route.fulfill({ response, headers });
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(fromRoot('e2e/fixtures/kinds.btf.xz'));
  expect((await app.opened()).types).toBe(95);
  app.expectQuiet();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a frame of another origin stores no typed text', async ({ page, baseURL }) => {
  const storedItems = () =>
    page.evaluate(() => JSON.stringify(Object.entries(localStorage).sort()));
  await page.goto('./');
  await page.getByRole('button', { name: 'Open the workbench' }).click();
  await page.getByRole('textbox', { name: 'C declarations' }).fill('struct other { int b; };');
  await expect(page).toHaveURL(/file=c1:/);
  const { hash } = new URL(page.url());
  await page.getByRole('textbox', { name: 'C declarations' }).fill('struct mine { int a; };');
  await expect.poll(storedItems).toContain('struct mine');
  const before = await storedItems();
  const places = [hash, '#/?lesson=btf-header&at=version-and-flags'];
  const host = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const frames = places.map(
      (place) => `<iframe width="900" height="600" src="${baseURL}${place}"></iframe>`,
    );
    response.end(`<!doctype html>${frames.join('')}`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  const workbench = page.frameLocator('iframe').nth(0);
  await workbench.getByRole('textbox', { name: 'C declarations' }).fill('struct more { long c; };');
  await expect(workbench.getByRole('main')).toContainText("STRUCT 'more'");
  await expect(page.frameLocator('iframe').nth(1).getByRole('main')).toContainText('BTF header');
  host.close();
  await page.goto('./');
  expect(await storedItems()).toBe(before);
});

test('a frame of another origin has no start page and no button that removes', {
  tag: '@long',
}, async ({ page, baseURL }) => {
  const frames = ['', '#/', '#/types?file=sample:kinds.btf'].map(
    (hash) => `<iframe src="${baseURL}${hash}"></iframe>`,
  );
  // A real server: a page that the test provides cannot load frames from the loopback address.
  const host = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html>${frames.join('')}`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  for (const at of [0, 1, 2]) {
    const frame = page.frameLocator('iframe').nth(at);
    await expect(frame.getByRole('link', { name: 'Open in btfscope' })).toBeVisible();
    await expect(frame.getByRole('main')).toContainText(at === 2 ? '95 types' : 'no file');
    await expect(frame.getByRole('button', { name: /Open file|Remove|workbench/ })).toHaveCount(0);
  }
  host.close();
});
