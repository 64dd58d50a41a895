/**
 * Tests the VS Code extension with its page. A test page is the host of the webview, as VS Code's
 * `pre/index.html` (`vs/workbench/contrib/webview/browser`) is. The extension runs with a fake VS
 * Code API.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type FrameLocator, type Page } from '@playwright/test';
import { type FakeEditor, type FakePanel, fakeEditor } from '../editors/vscode/src/fake-api.ts';
import { test } from './test.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const sample = (name: string) => readFileSync(fromRoot(`public/samples/${name}`));

const FILES = new Map<string, Uint8Array>([
  ...['xdp_counter.bpf.o', 'exec_trace.bpf.o', 'layout.bpf.o', 'kernel.btf'].map(
    (name) => [`/work/${name}`, sample(name)] as const,
  ),
  ['/work/broken.o', new Uint8Array(200).fill(7)],
  ['/work/src/xdp_counter.bpf.c', sample('src/xdp_counter.bpf.c')],
  ['/work/src/exec_trace.bpf.c', sample('src/exec_trace.bpf.c')],
]);

// Not at the top level: Playwright also loads this file in runs that skip its tests.
test.beforeAll(() => {
  FILES.set('/extension/dist/btfscope.html', readFileSync(fromRoot('dist-single/btfscope.html')));
});

type ShownEditor = {
  readonly editor: FakeEditor;
  readonly panel: FakePanel;
  readonly view: FrameLocator;
  /** Errors, and all requests except the one for the host page. */
  readonly noise: readonly string[];
};

/** Opens a file in an editor. The editor's webview is a frame of `page`. */
async function openInEditor(page: Page, path: string): Promise<ShownEditor> {
  const noise: string[] = [];
  page.on('console', (message) => message.type() === 'error' && noise.push(message.text()));
  const onSent = async (message: unknown) => {
    const { bytes, ...rest } = message as { readonly bytes?: unknown };
    // Sends the message as JSON and its typed array separately, as VS Code does.
    const isTypedArray = bytes instanceof Uint8Array;
    const base64 = isTypedArray ? Buffer.from(bytes).toString('base64') : null;
    await page.evaluate(
      ([text, data]) => {
        const sent = JSON.parse(text) as Record<string, unknown>;
        if (data !== null) sent.bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        document.querySelector('iframe')?.contentWindow?.postMessage(sent, window.origin);
      },
      [JSON.stringify(isTypedArray ? rest : message), base64] as const,
    );
  };
  const editor = fakeEditor(FILES, { onSent });
  const panel = await editor.open(path);
  await page.exposeFunction('toExtension', (message: unknown) => panel.say(message));
  for (const name of ['host.html', 'fake.html']) {
    await page.route(`**/${name}`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>host</title>' }),
    );
  }
  await page.goto('./host.html');
  page.on('request', (request) => {
    if (!/^blob:|\/fake\.html$/.test(request.url())) noise.push(request.url());
  });
  await page.evaluate(async (html) => {
    type Host = { toExtension(message: unknown): void };
    window.addEventListener('message', ({ data }) => {
      const host = window as unknown as Host;
      if (data?.command === 'onmessage') host.toExtension(data.data.message);
    });
    const frame = document.createElement('iframe');
    frame.title = 'webview';
    frame.setAttribute('sandbox', 'allow-same-origin allow-scripts allow-forms allow-downloads');
    frame.src = './fake.html';
    frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0';
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    const script = parsed.createElement('script');
    script.textContent = `
      globalThis.acquireVsCodeApi = (() => {
        const post = window.parent.postMessage.bind(window.parent);
        let acquired = false;
        return () => {
          if (acquired) throw new Error('An instance of the VS Code API has already been acquired');
          acquired = true;
          return Object.freeze({
            postMessage: (message) => post({ command: 'onmessage', data: { message } }, '*'),
          });
        };
      })();
      delete window.parent;
      delete window.top;
      delete window.frameElement;`;
    parsed.head.prepend(script);
    const inner = frame.contentDocument;
    inner?.open();
    inner?.write(`<!DOCTYPE html>\n${parsed.documentElement.outerHTML}`);
    inner?.close();
  }, panel.html());
  const view = page.frameLocator('iframe');
  await expect(
    view.getByRole('status').filter({ hasText: new RegExp(`(Opened|open) ${basename(path)}`) }),
  ).toBeAttached();
  return { editor, panel, view, noise };
}

test('the built extension starts, and imports only the API of VS Code', () => {
  const editor = fakeEditor(FILES);
  const code = readFileSync(fromRoot('editors/vscode/dist/extension.cjs'), 'utf8');
  const importedModules: string[] = [];
  const built: { activate?: (context: unknown) => void } = {};
  const load = (name: string) => {
    importedModules.push(name);
    return editor.api;
  };
  new Function('require', 'exports', code)(load, built);
  const before = editor.context.subscriptions.length;
  built.activate?.(editor.context);
  expect(importedModules).toEqual(['vscode']);
  expect(editor.context.subscriptions).toHaveLength(2 * before);
  const page = readFileSync(fromRoot('editors/vscode/dist/btfscope.html'), 'utf8');
  expect(page).toMatch(/^<!doctype html>/);
});

test('a file is shown whole, without a question, a copy or a request', async ({ page }) => {
  const { panel, view, noise, editor } = await openInEditor(page, '/work/xdp_counter.bpf.o');
  await expect(view.getByRole('tab', { name: 'Types', exact: true })).toBeVisible();
  await expect(view.getByRole('tab', { name: 'Code', exact: true })).toBeVisible();
  await expect(view.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => panel.sent.length).toBe(2);

  const theme = () => page.frames()[1]?.evaluate(() => document.documentElement.dataset.theme);
  expect(await theme()).toBe('dark');
  editor.setTheme(editor.api.ColorThemeKind.Light);
  await expect.poll(theme).toBe('light');
  const kept = await page.frames()[1]?.evaluate(async () => {
    const stores = await indexedDB.databases();
    return [...stores.map(({ name }) => name), ...Object.keys(localStorage)];
  });
  expect(kept?.filter((name) => /bytes|theme/.test(name ?? ''))).toEqual([]);
  expect(noise).toEqual([]);
});

test('the source of an instruction, a relocation and a CO-RE record opens in the editor', async ({
  page,
}) => {
  const { editor, view, noise } = await openInEditor(page, '/work/exec_trace.bpf.o');
  const source = view.getByRole('button', { name: 'Open source' });
  await view.getByRole('tab', { name: 'Code', exact: true }).click();
  await view.getByRole('grid').getByText('exec_trace.bpf.c').first().click();
  await source.first().click();
  await expect.poll(() => editor.shown.length).toBe(1);

  await view.getByRole('tab', { name: /^Relocations/ }).click();
  await view.getByRole('grid').getByRole('row').nth(1).click();
  await source.first().click();
  await expect.poll(() => editor.shown.length).toBe(2);

  await view.getByRole('tab', { name: /^CO-RE/ }).click();
  await view.getByRole('grid', { name: 'CO-RE relocations' }).getByRole('row').nth(1).click();
  await source.first().click();
  await expect.poll(() => editor.shown.length).toBe(3);
  for (const place of editor.shown) {
    const [, path = '', line = '0'] = /^(.*):(\d+):\d+$/.exec(place) ?? [];
    expect(path).toBe('/work/src/exec_trace.bpf.c');
    const lines = sample('src/exec_trace.bpf.c').toString().split('\n');
    expect(lines[Number(line) - 1]?.trim()).toMatch(/\S/);
  }
  expect(noise).toEqual([]);
});

test('Compare with… shows the two files side by side', async ({ page }) => {
  const { editor, view, noise } = await openInEditor(page, '/work/exec_trace.bpf.o');
  editor.chosen = '/work/layout.bpf.o';
  await editor.run('btfscope.compareWith', '/work/exec_trace.bpf.o');
  await expect(view.getByRole('tab', { name: 'Compare', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(view.getByRole('tabpanel')).toContainText('layout.bpf.o');
  await expect(view.getByRole('tabpanel')).toContainText('careless');
  editor.chosen = '/work/broken.o';
  await editor.run('btfscope.compareWith', '/work/exec_trace.bpf.o');
  await expect
    .poll(() => editor.errors)
    .toEqual(['btfscope cannot compare: it could not be opened.']);
  expect(noise).toEqual([]);
});

test('the page says which file cannot be read', async ({ page }) => {
  const { editor, view } = await openInEditor(page, '/work/broken.o');
  await expect(view.getByRole('main')).toContainText('broken.o');
  expect(editor.errors).toEqual([]);
});
