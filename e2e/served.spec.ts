/** Checks that `btfscope FILE` serves a page that shows the file at once. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const COMMAND = fromRoot('bin/btfscope.mjs');
const SAMPLE = fromRoot('public/samples/kinds.bpf.o');

/** Runs the command, calls `use` with its output up to `end`, then stops the command. */
async function whileServed(
  words: readonly string[],
  end: string,
  use: (printed: string) => Promise<void>,
  feed: (child: ChildProcessWithoutNullStreams) => void = () => undefined,
): Promise<void> {
  const args = [COMMAND, ...words, '--no-open', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.pipe(process.stderr);
  feed(child);
  try {
    let text = '';
    while (!text.endsWith(end)) text += String((await once(child.stdout, 'data'))[0]);
    await use(text);
  } finally {
    child.kill('SIGINT');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
}

test('btfscope FILE serves the page on that file, and ends when it is stopped', async ({
  page,
}) => {
  await whileServed([SAMPLE], 'to stop.\n', async (printed) => {
    const address = /http:\S+/.exec(printed)?.[0] ?? '';
    const app = new AppPage(page);
    await page.goto(address);
    await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
    await expect(page).toHaveTitle(/kinds\.bpf\.o/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // Waits for the hash in the address: the browser stores the file only after that.
    await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await page.reload();
    await expect(page).toHaveTitle(/kinds\.bpf\.o/);
    // The page still asks before it opens another file of this server.
    await page.goto(`${new URL(address).origin}${new URL(address).pathname}#/types?src=index.html`);
    await expect(page.getByRole('dialog')).toContainText('index.html');
    app.expectQuiet();
  });
});

test('btfscope open FILE --json prints the address of the page on a packed file', async ({
  page,
}) => {
  const file = fromRoot('e2e/fixtures/kinds.btf.xz');
  await whileServed(['open', file, '--json'], '}\n', async (printed) => {
    const { name, address }: { readonly name: string; readonly address: string } =
      JSON.parse(printed);
    expect(name).toBe('kinds.btf.xz');
    const app = new AppPage(page);
    await page.goto(address);
    expect(await app.opened()).toMatchObject({ name: 'kinds.btf.xz', types: 95 });
    app.expectQuiet();
  });
});

test('btfscope - serves the page on standard input', async ({ page }) => {
  const input = createReadStream(fromRoot('public/samples/kinds.btf'));
  await whileServed(
    ['-'],
    'to stop.\n',
    async (printed) => {
      const app = new AppPage(page);
      await page.goto(/http:\S+/.exec(printed)?.[0] ?? '');
      expect(await app.opened()).toMatchObject({ types: 95 });
      await app.show('Types');
      await expect(page.getByRole('listbox', { name: 'Types' })).toContainText('all_kinds');
      app.expectQuiet();
    },
    ({ stdin }) => input.pipe(stdin),
  );
});

test('btfscope FILE(MEMBER) serves the page on a member of an archive', async ({ page }) => {
  const archive = fromRoot('testdata/archives/gnu.tar');
  await whileServed([`${archive}(lib/module.btf)`], 'to stop.\n', async (printed) => {
    const app = new AppPage(page);
    await page.goto(/http:\S+/.exec(printed)?.[0] ?? '');
    expect(await app.opened()).toMatchObject({ name: 'lib/module.btf' });
    app.expectQuiet();
  });
});
