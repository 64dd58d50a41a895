// Starts Chromium and a server for the built app.
import { chromium } from 'playwright';
import { ensureChromium } from '../find-chromium.mjs';
import { serve } from './site.mjs';

/** Calls `use` with the browser and the address of the app in `folder`, then stops both. */
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
  // Without this flag `performance.memory` is not exact enough.
  const args = ['--enable-precise-memory-info', '--disable-background-networking'];
  // Chromium cannot use its sandbox as root, which is usual in containers.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return args;
}
