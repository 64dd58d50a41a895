/**
 * End-to-end tests of the built page: `vite build` must have run. Built, because
 * only that page has the content security policy, the hashed files and the
 * bundled workers that people get. One browser: a real Chromium, without its window
 * (the headless shell, where there is one) but for the tests tagged @window.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.mjs';

const port = process.env.PORT ?? '4173';
const address = `http://127.0.0.1:${port}/`;
/**
 * `npm test` leaves out tests tagged @long. `npm run test:long` runs those, and with the large corpus
 * tests tagged @corpus, which `npm test` ran on testdata/.
 */
const isLong = process.env.BTFSCOPE_LONG !== undefined;
const LONG = process.env.BTFSCOPE_CORPUS === undefined ? /@long/ : /@long|@corpus/;

const args = [
  // The tests draw no 3D; software OpenGL costs more than drawing without.
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
// Chromium refuses its sandbox to root, which containers run as.
if (process.getuid?.() === 0) args.push('--no-sandbox');

// Without one this file is still read, by tools that only want to know what it imports;
// Playwright then says that its own is missing. `node scripts/find-chromium.mjs` gets one.
const launch = (executablePath: string | null) => ({
  launchOptions: { ...(executablePath === null ? {} : { executablePath }), args },
});

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  workers: 2,
  // A test that passes when tried again is printed as flaky: it is seen, and does not stop a landing.
  retries: process.env.CI === undefined ? 0 : 1,
  // Two browsers on two busy cores: what takes 0.2 s alone may take seconds.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    baseURL: address,
    // Each test is a first visit; `offline.spec.ts` tests a second.
    serviceWorkers: 'block',
    // Recording costs more than the test: `npm run e2e -- FILE --trace on` to look at one.
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
