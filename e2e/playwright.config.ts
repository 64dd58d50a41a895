/**
 * End-to-end tests of the page that `vite build` has written: only the built page has the content
 * security policy, the hashed files and the bundled workers of a release. One browser: Chromium
 * without a window (the headless shell if installed), except for tests tagged @window.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.mjs';

const port = process.env.PORT ?? '4173';
const address = `http://127.0.0.1:${port}/`;
/**
 * `npm test` leaves out tests tagged @long. `npm run test:long` runs those, and with the large
 * corpus also tests tagged @corpus, which `npm test` runs on testdata/.
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
// Chromium cannot use its sandbox as root, the usual user of a container.
if (process.getuid?.() === 0) args.push('--no-sandbox');

// Without a Chromium the file still loads, for tools that only read its imports; a test run then
// fails with Playwright's message. `node scripts/find-chromium.mjs` installs a browser.
const launch = (executablePath: string | null) => ({
  launchOptions: { ...(executablePath === null ? {} : { executablePath }), args },
});

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  workers: 2,
  // Playwright prints a test that passes on retry as flaky, so it is noticed but does not fail CI.
  retries: process.env.CI === undefined ? 0 : 1,
  // Two browsers on two busy cores: an action that takes 0.2 s alone may take seconds.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    baseURL: address,
    // Each test is a first visit; `offline.spec.ts` tests a second one.
    serviceWorkers: 'block',
    // Recording takes longer than the test; `npm run e2e -- FILE --trace on` records one.
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
