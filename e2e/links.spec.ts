/** Tests links: their contents, what they open in a new profile, and hostile links. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

/** Opens a file and selects a type. */
async function openType(page: Page, file: string, type: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample(file));
  await app.opened();
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill(type);
  await page
    .getByRole('option', { name: new RegExp(`\\b${type}\\b`) })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`type=struct:${type}$`));
  return app;
}

/** Opens the link dialog, chooses the kind of link `sort`, and returns the link. */
async function copyLink(page: Page, sort: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy link' });
  await dialog.getByRole('radio', { name: new RegExp(`^${sort}`) }).check();
  const link = dialog.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/#\//);
  return link.inputValue();
}

/** Opens an address in a new browser profile. */
async function openInNewProfile(
  browser: Browser,
  address: string,
): Promise<{ page: Page; app: AppPage }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const app = new AppPage(page);
  await page.goto(address);
  return { page, app };
}

const about = (page: Page) => page.getByRole('region', { name: 'About the link' });

test('a self-contained link shows the type in a fresh profile, in every view', async ({
  page,
  browser,
}) => {
  const app = await openType(page, 'exec_trace.bpf.o', 'task_struct');
  const link = await copyLink(page, 'Self-contained');
  const dialog = page.getByRole('dialog', { name: 'Copy link' });
  await expect(dialog).toContainText(
    /Contains struct task_struct with all types that it contains: \d+ types/,
  );
  await expect(dialog).toContainText(`${link.length} characters`);
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  expect(link.length).toBeLessThan(700);
  app.expectQuiet();

  const recipient = await openInNewProfile(browser, link);
  await expect(about(recipient.page)).toContainText(/carries \d+ types of exec_trace\.bpf\.o/);
  await expect(about(recipient.page)).toContainText('declaration');
  const panel = recipient.page.getByRole('tabpanel');
  await expect(panel).toContainText('struct task_struct {');
  await expect(panel).toContainText('72 bytes');
  await recipient.app.show('Text');
  await expect(panel).toContainText('real_parent');
  await recipient.app.show('Bytes');
  await expect(panel.getByRole('grid').first()).toBeVisible();
  await recipient.app.show('Graph');
  await expect(panel).toContainText('task_struct');
  // A reload needs no file, because the address contains the types.
  await recipient.page.reload();
  await expect(about(recipient.page)).toContainText('From a link');
  recipient.app.expectQuiet();
  await recipient.page.context().close();
});

test('a self-contained link carries a small file, and a reference link needs the file', {
  tag: '@long',
}, async ({ page, browser }) => {
  await openType(page, 'xdp_counter.bpf.o', 'counter');
  const whole = await copyLink(page, 'Whole file');
  const dialog = page.getByRole('dialog', { name: 'Copy link' });
  await dialog.getByRole('radio', { name: /^Reference/ }).check();
  const field = dialog.getByLabel('Link', { exact: true });
  await expect(field).toHaveValue(/file=[0-9a-f]{64}/);
  const reference = await field.inputValue();

  const carried = await openInNewProfile(browser, whole);
  await expect(about(carried.page)).toContainText('carries the whole file, xdp_counter.bpf.o');
  await expect(carried.app.tab('Code')).toBeVisible();
  carried.app.expectQuiet();
  await carried.page.context().close();

  const asked = await openInNewProfile(browser, reference);
  await expect(asked.page.getByRole('heading', { name: /This link needs/ })).toBeVisible();
  await asked.app.chooseFile(sample('xdp_counter.bpf.o'));
  await asked.app.opened();
  await expect(asked.page).toHaveURL(/#\/types\?file=[0-9a-f]{64}&name=xdp_counter\.bpf\.o/);
  await asked.page.context().close();
});

test('an embedded page shows the view alone and links to the whole page', { tag: '@long' }, async ({
  page,
  browser,
}) => {
  await openType(page, 'layout.bpf.o', 'careless');
  await copyLink(page, 'Self-contained');
  await page.getByRole('button', { name: 'Embed' }).click();
  const html = await page.getByLabel('HTML of the frame').inputValue();
  const address = /src="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(address).toContain('embed=1');

  const host = await (await browser.newContext()).newPage();
  await host.route('**/host.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>d</title>${html}` }),
  );
  await host.goto('./host.html');
  const frame = host.frameLocator('iframe');
  await expect(frame.getByRole('main')).toContainText('struct careless');
  await expect(frame.getByRole('tab', { name: 'Overview' })).toHaveCount(0);
  const whole = frame.getByRole('link', { name: 'Open in btfscope' });
  const popup = host.waitForEvent('popup');
  await whole.click();
  const opened = await popup;
  await expect(opened.getByRole('tab', { name: 'Types', exact: true })).toBeVisible();
  expect(opened.url()).not.toContain('embed');
  await host.context().close();
});

test('src= asks for confirmation and fetches only from its own server', async ({ page }) => {
  const app = new AppPage(page);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto('./#/types?src=samples/kinds.bpf.o&type=struct:integers');
  const dialog = page.getByRole('dialog', { name: 'Fetch this file?' });
  await expect(dialog).toContainText('/samples/kinds.bpf.o');
  await expect(dialog.getByRole('button', { name: 'Do not open' })).toBeFocused();
  expect(requestedPaths.filter((path) => path.endsWith('kinds.bpf.o'))).toEqual([]);
  await dialog.getByRole('button', { name: 'Do not open' }).click();
  await expect(page.getByRole('heading', { name: 'This link cannot be opened' })).toBeVisible();
  expect(requestedPaths.filter((path) => path.endsWith('kinds.bpf.o'))).toEqual([]);

  await page.goto('about:blank');
  await page.goto('./#/types?src=samples/kinds.bpf.o&type=struct:integers');
  await dialog.getByRole('button', { name: 'Open it' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('struct integers {');

  await page.goto('about:blank');
  await page.goto('./#/types?src=https://evil.example/x.o');
  await expect(page.getByRole('main')).toContainText(
    'This page requests files only from its own server',
  );
  app.expectQuiet();
});

test('another page passes a file once the user agrees', async ({ page, baseURL }) => {
  await page.route('http://ci.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>CI</title>' }),
  );
  await page.goto('http://ci.example/');
  const popup = page.waitForEvent('popup');
  const base64 = readFileSync(sample('layout.bpf.o')).toString('base64');
  const answer = page.evaluate(
    ([address, text]) =>
      new Promise<string>((resolve) => {
        const tab = window.open(address);
        window.addEventListener('message', ({ source, data }) => {
          if (source !== tab || tab === null) return;
          if (data.type !== 'btfscope:ready') return resolve(JSON.stringify(data));
          const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
          const at = '#/types?type=struct:careless';
          tab.postMessage({ type: 'btfscope:open', name: 'from-ci.o', bytes, at }, address);
        });
      }),
    [baseURL ?? '', base64] as const,
  );
  const opened = await popup;
  const dialog = opened.getByRole('dialog', { name: 'Open a file from another page?' });
  await expect(dialog).toContainText('http://ci.example');
  await expect(dialog).toContainText('from-ci.o');
  await dialog.getByRole('button', { name: 'Open it' }).click();
  await expect(opened.getByRole('tabpanel')).toContainText('struct careless {');
  expect(JSON.parse(await answer)).toEqual({ type: 'btfscope:opened', name: 'from-ci.o' });
});

test('a type that changed after the link was made is reported', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await page.goto('./#/types?file=sample:exec_trace.bpf.o&type=struct:task_struct&h=0000000');
  await expect(about(page)).toContainText('Same name, different layout: task_struct');
  await expect(page).toHaveURL(/type=struct:task_struct$/);
  await page.getByRole('button', { name: 'Hide link details' }).click();
  await expect(about(page)).toHaveCount(0);
  app.expectQuiet();
});

/** Broken links, with the sentence that the page must show. */
const HOSTILE: readonly (readonly [hash: string, says: RegExp])[] = [
  ['/types?file=btf1:AAAA', /cut or changed/],
  [`/types?file=btf1:${'A'.repeat(70_000)}`, /more than 64000 are not read/],
  ['/types?file=btf9:AAAA', /newer version of btfscope/],
  ['/types?file=bytes1:%00%ff', /cut or changed/],
  ['/types?file=javascript:alert(1)&name=%3Cscript%3Ealert(1)%3C/script%3E', /names no file/],
  ['/types?file=sample:..%2f..%2fsecret', /No example is named/],
  ['/types?src=javascript:alert(1)', /not a file address/],
  [
    '/types?file=sample:kinds.bpf.o&type=struct:%3Cimg%20src=x%20onerror=alert(1)%3E',
    /has no type/,
  ],
  [`/core?file=sample:kinds.bpf.o&base=${'f'.repeat(64)}&target=${'e'.repeat(64)}`, /is not open/],
];

test('a hostile link shows a sentence', async ({ page }) => {
  const app = new AppPage(page);
  page.on('dialog', () => expect('a dialog of a script').toBe(''));
  for (const [hash, says] of HOSTILE) {
    await page.goto('about:blank');
    await page.goto(`./#${hash}`);
    await expect(
      page.getByRole('main').or(about(page)).filter({ hasText: says }).first(),
      hash,
    ).toBeVisible();
  }
  app.expectQuiet();
});

test('the dialog is accessible', { tag: '@long' }, async ({ page }) => {
  const app = await openType(page, 'exec_trace.bpf.o', 'task_struct');
  await copyLink(page, 'Self-contained');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused();
  await copyLink(page, 'Self-contained');
  await page.getByRole('button', { name: 'Embed' }).click();
  await expect(page.getByLabel('HTML of the frame')).toBeVisible();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectAccessibleInEachLook(page, 'copy link');
  app.expectQuiet();
});
