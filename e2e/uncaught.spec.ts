/** Tests that an uncaught error fails a test, wherever in a browser it is thrown. */
import { expect } from '@playwright/test';
import { test } from './test.ts';

const THROW = 'setTimeout(() => { throw new Error("unexpected"); })';
const REJECT = 'void Promise.reject(new Error("unexpected"))';
const inWorker = (script: string) =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`;
const inFrame = (script: string) =>
  `Object.assign(document.body.appendChild(document.createElement('iframe')), {
    sandbox: 'allow-scripts', srcdoc: ${JSON.stringify(`<script>${script}</script>`)} })`;

const SCRIPTS: readonly (readonly [place: string, script: string])[] = [
  ['a page', THROW],
  ['a promise of a page', REJECT],
  ['a frame', inFrame(THROW.replaceAll('"', "'"))],
  ['a worker', inWorker(THROW)],
  ['a promise of a worker', inWorker(REJECT)],
  ['a worker of a worker', inWorker(inWorker(REJECT))],
];

for (const [place, script] of SCRIPTS) {
  test(`an uncaught error of ${place} is noticed`, async ({ page, uncaught }) => {
    await page.addScriptTag({ content: script });
    await expect.poll(() => uncaught.splice(0)).toEqual([expect.stringContaining('unexpected')]);
  });
}

test('an uncaught error of another context is noticed', async ({ browser, uncaught }) => {
  const page = await (await browser.newContext()).newPage();
  await page.addScriptTag({ content: THROW });
  await expect.poll(() => uncaught.splice(0)).toEqual([expect.stringContaining('unexpected')]);
});

test('an uncaught error fails a test that passes otherwise', async ({ page }) => {
  test.fail();
  await page.addScriptTag({ content: THROW });
});
