// Starts a real Chromium on the built app, which a local server serves.
import { chromium } from 'playwright';
import { ensureChromium } from '../find-chromium.mjs';
import { serve } from './site.mjs';

/** Passes `use` the browser and the address of the app in `folder`; stops both afterwards. */
export async function onBrowser(folder, use) {
  const site = await serve(folder);
  let browser = null;
  try {
    browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs() });
    await use({ browser, address: site.address });
  } finally {
    await browser?.close();
    await site.close();
  }
}

function chromiumArgs() {
  // Without the flag `performance.memory` is too coarse.
  const args = ['--enable-precise-memory-info', '--disable-background-networking'];
  // Chromium does not run its sandbox as root, the user in containers.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return args;
}
