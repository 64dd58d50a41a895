/**
 * End-to-end tests of the page as `vite build` writes it. Only the built page has the content
 * security policy, hashed files and bundled workers. The tests use Chromium without a window; those
 * tagged @window use a window.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.mjs';

const port = process.env.PORT ?? '4173';
const address = `http://127.0.0.1:${port}/`;
/**
 * `npm test` leaves out tests tagged @long, which `npm run test:long` runs. Tests tagged @corpus
 * run in `npm test` on testdata/, and in `npm run test:long` on the large corpus.
 */
const isLong = process.env.BTFSCOPE_LONG !== undefined;
const LONG = process.env.BTFSCOPE_CORPUS === undefined ? /@long/ : /@long|@corpus/;

const args = [
  // Software OpenGL is slower than drawing without a GPU, and no test draws 3D.
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
// As root, which is usual in containers, Chromium cannot use its sandbox.
if (process.getuid?.() === 0) args.push('--no-sandbox');

// Does not fail without Chromium, because other tools read this file for its imports. A test run
// then fails with Playwright's message. `node scripts/find-chromium.mjs` installs a browser.
const launch = (executablePath: string | null) => ({
  launchOptions: { ...(executablePath === null ? {} : { executablePath }), args },
});

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  workers: 2,
  // A test that passes on its second try is printed as flaky and does not fail CI.
  retries: process.env.CI === undefined ? 0 : 1,
  // Long limit: on two busy cores an action of 0.2 s can take seconds.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    baseURL: address,
    // Each test is a first visit. Only `offline.spec.ts` uses the service worker.
    serviceWorkers: 'block',
    // No trace: recording takes longer than the test. `npm run e2e -- FILE --trace on` records.
    trace: process.env.CI === undefined ? 'off' : 'on-first-retry',
  },
  projects: [
    {
      name: 'shell',
      ...(isLong ? { grep: LONG, grepInvert: /@window/ } : { grepInvert: /@long|@window/ }),
      use: launch(findChromium({ mayBeShell: true })),
    },
    ...(isLong ? [{ name: 'window', grep: /@window/, use: launch(findChromium()) }] : []),
  ],
  webServer: {
    command: 'node node_modules/vite/bin/vite.js preview',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PORT: port },
    url: address,
    reuseExistingServer: false,
  },
});
