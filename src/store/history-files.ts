/** Files of earlier visits that the browser keeps, opened again. */
import { drawnName } from '#bytes/text.ts';
import { openFile } from './files.ts';
import { type Remembered, recall } from './remembered.ts';
import { announce } from './session.ts';

/** Opens a kept file; false, and a sentence in the status, where the browser no longer has it. */
export async function openRemembered({ sha256, name }: Remembered): Promise<boolean> {
  const kept = await recall(sha256);
  if (kept === null) {
    announce(`The browser no longer keeps ${drawnName(name)}`);
    return false;
  }
  await openFile(kept);
  return true;
}
