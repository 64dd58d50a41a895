/** Tests `<btf-type>` and its frame: on pages of another origin, and on the page of examples. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

/** The same address as in e2e/playwright.config.ts. */
const SITE = `http://127.0.0.1:${process.env.PORT ?? '4173'}/`;
const EXAMPLES = readFileSync(
  fileURLToPath(new URL('../dist/embed.html', import.meta.url)),
  'utf8',
);
/** Links of the page of examples, read from its HTML file. */
const LINKS = [...EXAMPLES.matchAll(/href="\.\/(#[^"]+)"/g)].map(([, hash = '']) => hash);
const [LIST_HEAD = '', , SK_BUFF = ''] = LINKS;

/**
 * Serves `html` on another origin while `work` runs. Its policy allows frames and scripts of `site`
 * only.
 */
async function withHost(html: string, work: (address: string) => Promise<void>, frames = SITE) {
  const host = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': `default-src 'none'; script-src ${SITE}; frame-src ${frames}; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    response.end(`<!doctype html><title>A post</title>${html}`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  } finally {
    host.close();
    host.closeAllConnections();
  }
}

const SCRIPT = `<script async src="${SITE}btfscope-embed.js"></script>`;
const elementOf = (hash: string, attributes = '') =>
  `<btf-type ${attributes}><a href="${SITE}${hash}">struct in btfscope</a></btf-type>`;

/** Collects the console errors of a page and its frames. */
function noiseOf(page: Page): string[] {
  const noise: string[] = [];
  page.on('console', (message) => message.type() === 'error' && noise.push(message.text()));
  return noise;
}

/** Returns how much of the frame's content is hidden below its end, in CSS pixels. */
function hiddenHeight(frame: Locator): Promise<number> {
  return frame
    .contentFrame()
    .getByRole('article')
    .evaluate((article) => {
      const scroller = article.parentElement?.parentElement;
      if (!scroller) throw new Error('the type has no scroller');
      return Math.round(article.getBoundingClientRect().height) - scroller.clientHeight;
    });
}

test('an element on a page of another origin shows the whole type of its link', async ({
  page,
}) => {
  const noise = noiseOf(page);
  const html = `${SCRIPT}${elementOf(LIST_HEAD)}${SCRIPT}`;
  await withHost(html, async (address) => {
    await page.goto('about:blank');
    await page.goto(address);
    const frame = page.locator('iframe');
    await expect(frame).toHaveAttribute('title', 'struct in btfscope');
    await expect(page.getByRole('link', { name: 'struct in btfscope' })).toBeHidden();
    const inside = frame.contentFrame();
    await expect(inside.getByRole('main')).toContainText('struct list_head *prev;');
    await expect(inside.getByRole('searchbox')).toHaveCount(0);
    await expect.poll(() => hiddenHeight(frame)).toBe(0);

    const before = await frame.evaluate((element) => element.clientHeight);
    await inside.getByRole('radio', { name: 'Layout' }).check({ force: true });
    await expect.poll(() => frame.evaluate((element) => element.clientHeight)).not.toBe(before);
    await expect.poll(() => hiddenHeight(frame)).toBe(0);

    const popup = page.waitForEvent('popup');
    await inside.getByRole('link', { name: 'Open in btfscope' }).click();
    const opened = await popup;
    await expect(opened.getByRole('tab', { name: 'Types', exact: true })).toBeVisible();
    expect(opened.url()).not.toContain('embed');
    // The page opens outside of the frame's sandbox, so it has a normal origin.
    expect(await opened.evaluate(() => window.origin)).toBe(new URL(SITE).origin);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
  });
  expect(noise).toEqual([]);
});

test('neither page can read the other, and the frame sends only its height', async ({ page }) => {
  const html = `${SCRIPT}${elementOf(LIST_HEAD)}`;
  await withHost(html, async (address) => {
    await page.goto(address);
    const frame = page.locator('iframe');
    await expect(frame.contentFrame().getByRole('main')).toContainText('list_head');
    await expect.poll(() => hiddenHeight(frame)).toBe(0);
    const inside = page.frames().find((other) => other.parentFrame() !== null);
    const refusal = () => {
      try {
        return `read: ${window.parent.document.title}`;
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(await inside?.evaluate(refusal)).toBe('SecurityError');
    expect(
      await frame.evaluate((element) => (element as HTMLIFrameElement).contentDocument),
    ).toBeNull();
    expect(await inside?.evaluate(() => document.referrer)).toBe('');

    const heightOf = () => frame.evaluate((element) => element.style.height);
    const before = await heightOf();
    await page.evaluate(async () => {
      const heard = new Promise((resolve) => window.addEventListener('message', resolve));
      window.postMessage({ type: 'btfscope:size', height: 5 }, '*');
      await heard;
    });
    expect(await heightOf()).toBe(before);
    for (const height of [-1, 0, '7', Number.NaN, null, undefined]) {
      await inside?.evaluate((wrong) => {
        window.parent.postMessage({ type: 'btfscope:size', height: wrong }, '*');
      }, height);
    }
    await inside?.evaluate(() => {
      window.parent.postMessage(null, '*');
      window.parent.postMessage({ type: 'btfscope:size', height: 1e9 }, '*');
    });
    await expect.poll(heightOf).toBe('20002px');
  });
});

test('the frame has the theme of the attribute, otherwise the reader’s theme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const html = `${SCRIPT}${elementOf(LIST_HEAD)}${elementOf(LIST_HEAD, 'theme="light"')}`;
  await withHost(html, async (address) => {
    await page.goto(address);
    const ground = (at: number) =>
      page
        .locator('iframe')
        .nth(at)
        .contentFrame()
        .getByRole('article')
        .evaluate((article) => getComputedStyle(article).color);
    const [dark, light] = ['rgb(231, 235, 244)', 'rgb(23, 27, 34)'];
    await expect.poll(() => ground(0)).toBe(dark);
    await expect.poll(() => ground(1)).toBe(light);
    const entries = await page.evaluate(() => history.length);
    await page
      .locator('btf-type')
      .nth(1)
      .evaluate((element) => {
        element.setAttribute('theme', 'dark');
      });
    await expect.poll(() => ground(1)).toBe(dark);
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => ground(0)).toBe(light);
    await expect.poll(() => ground(1)).toBe(dark);
  });
});

test('the link stays if the frame is refused or the address is no page', async ({ page }) => {
  const script = `<btf-type><a href="javascript:alert(1)#/types?file=x">bad</a></btf-type>`;
  const html = `${SCRIPT}${elementOf(LIST_HEAD)}${script}`;
  const work = async (address: string) => {
    await page.goto(address);
    await expect(page.locator('iframe')).toHaveCount(1);
    await expect(page.getByRole('link', { name: 'struct in btfscope' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'bad' })).toBeVisible();
    await expect(page.locator('iframe')).toBeHidden();
  };
  await withHost(html, work, "'none'");
});

/** Returns the number of files in the browser's storage. This function runs in the page. */
async function numberOfKept(): Promise<number> {
  const stores = await indexedDB.databases();
  const name = 'btfscope-files';
  // Does not open a missing database, because that would create it.
  if (!stores.some((store) => store.name === name)) return 0;
  return await new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const { result } = opening;
      const [store = ''] = result.objectStoreNames;
      const counting = result.transaction(store).objectStore(store).count();
      counting.onsuccess = () => {
        result.close();
        resolve(counting.result);
      };
    };
  });
}

test('the script defines no globals in the page, and the frame hides the height of a stored file', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(fileURLToPath(new URL('../public/samples/layout.bpf.o', import.meta.url)));
  await app.opened();
  await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
  await expect.poll(() => page.evaluate(numberOfKept)).toBe(1);
  const hash = `${new URL(page.url()).hash.replace('#/overview', '#/types')}&type=struct:careless`;
  // This page has the same origin as btfscope, so the browser has the file in its storage.
  await page.route('**/host.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: elementOf(hash.replaceAll('&', '&amp;')),
    }),
  );
  await page.goto('./host.html');
  const before = await page.evaluate(() => Object.getOwnPropertyNames(window));
  await page.addScriptTag({ url: `${SITE}btfscope-embed.js` });
  const after = await page.evaluate(() => Object.getOwnPropertyNames(window));
  expect(after.filter((name) => !before.includes(name) && Number.isNaN(Number(name)))).toEqual([]);
  const frame = page.locator('iframe');
  await expect(frame.contentFrame().getByRole('article')).toContainText('struct careless');
  expect(await frame.evaluate((element) => element.style.height)).toBe('');
});

test('the examples open, and their links have the stated lengths', { tag: '@long' }, async ({
  page,
}) => {
  const noise = noiseOf(page);
  expect(LINKS).toHaveLength(4);
  expect(SK_BUFF).toContain('sk_buff');
  await page.goto('./embed.html');
  const says = ['struct list_head {', 'struct xdp_md {', 'cachelines', 'BPF_MAP_TYPE_HASH'];
  for (const [at, text] of says.entries()) {
    const frame = page.locator('iframe').nth(at);
    // Scrolls to the frame, because browsers do not draw frames that are not visible.
    await page.locator('btf-type').nth(at).scrollIntoViewIfNeeded();
    await expect(frame.contentFrame().getByRole('article')).toContainText(text);
    await expect(frame.contentFrame().getByLabel('About the link')).toHaveCount(0);
  }
  expect(noise).toEqual([]);
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use({ ...look, contextOptions: { reducedMotion: 'reduce' } });
    test('the examples and a frame are accessible', { tag: '@long' }, async ({ page }) => {
      await page.goto('./embed.html');
      await expect(page.locator('iframe').first()).toBeVisible();
      await expectAccessible(page, 'the examples');
      for (const hash of [LIST_HEAD, SK_BUFF]) {
        await page.goto('about:blank');
        await page.goto(`./${hash.replaceAll('&amp;', '&').replace('?', '?embed=1&')}`);
        await expect(page.getByRole('article')).toBeVisible();
        await expect(page.getByRole('link', { name: 'Open in btfscope' })).toBeVisible();
        await expectAccessible(page, hash.slice(-40));
      }
    });
  });
}
