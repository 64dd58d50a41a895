/** Tests the built library in a page of another origin, and in a worker of that page. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { test } from './test.ts';

const ORIGIN = 'https://library.example';
const FILES = new Map([
  ['/kernel.btf', '../public/samples/kernel.btf'],
  ['/object.o', '../public/samples/exec_trace.bpf.o'],
]);
const WORKER = `
import * as btfscope from '/dist-lib/lib/main.js';
onmessage = async ({ data }) => {
  const [kernel, object] = await Promise.all(data.map((file) => btfscope.open(file)));
  const results = await btfscope.resolveCore(object, kernel);
  postMessage([kernel.name, kernel.types.count, results.length]);
};
`;

test('the library opens files in a page and in a worker', async ({ page }) => {
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<p>Library' });
    const contentType = 'text/javascript';
    if (pathname === '/worker.js') return route.fulfill({ contentType, body: WORKER });
    const path = FILES.get(pathname) ?? `..${pathname}`;
    const body = await readFile(fileURLToPath(new URL(path, import.meta.url)));
    return route.fulfill({
      contentType: pathname.endsWith('.js') ? contentType : 'text/plain',
      body,
    });
  });
  await page.goto(`${ORIGIN}/`);

  const inPage = await page.evaluate(async () => {
    const address: string = '/dist-lib/lib/main.js';
    const { open, declarationText } = await import(address);
    const bytes = await (await fetch('/kernel.btf')).blob();
    const { types } = await open(new File([bytes], 'kernel.btf'));
    return [types.count, declarationText(types.find('list_head'))];
  });
  expect(inPage).toEqual([
    82,
    'struct list_head {\n\tstruct list_head *next;\n\tstruct list_head *prev;\n};',
  ]);

  const inWorker = await page.evaluate(async () => {
    const files = ['kernel.btf', 'object.o'].map(
      async (name) => new File([await (await fetch(`/${name}`)).blob()], name),
    );
    const worker = new Worker('/worker.js', { type: 'module' });
    const answer = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.postMessage(await Promise.all(files));
    return await answer;
  });
  expect(inWorker).toEqual(['kernel.btf', 82, 34]);
});
