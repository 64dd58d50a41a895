/** `btfscope FILE`: the page that the command serves shows that file, at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { AppPage } from './app-page.ts';

const COMMAND = fileURLToPath(new URL('../bin/btfscope.mjs', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../public/samples/kinds.bpf.o', import.meta.url));

test('btfscope FILE serves the page on that file, and ends when it is stopped', async ({
  page,
}) => {
  const child = spawn(process.execPath, [COMMAND, SAMPLE, '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let text = '';
    while (!text.endsWith('to stop.\n')) text += String((await once(child.stdout, 'data'))[0]);
    const address = /http:\S+/.exec(text)?.[0] ?? '';
    const app = new AppPage(page);
    await page.goto(address);
    await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
    await expect(page).toHaveTitle(/kinds\.bpf\.o/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // It is kept once its hash is known, which the address shows.
    await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await page.reload();
    await expect(page).toHaveTitle(/kinds\.bpf\.o/);
    // A link to any other file of this server asks as before.
    await page.goto(`${new URL(address).origin}${new URL(address).pathname}#/types?src=index.html`);
    await expect(page.getByRole('dialog')).toContainText('index.html');
    app.expectQuiet();
  } finally {
    child.kill('SIGINT');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
});
