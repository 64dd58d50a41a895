import { isLog, LOG_WINDOW } from '#formats/verifier-log/detect.ts';
import { openLog } from '#store/kernels/open-log.ts';
import { closeFile } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import { announce, fileNow, logOf } from '#store/session/session.ts';

/** Opens a pasted text if it is a log. */
export async function openPasted(text: string): Promise<void> {
  const encoder = new TextEncoder();
  const head = encoder.encode(text.slice(0, LOG_WINDOW));
  const tail = encoder.encode(text.slice(-LOG_WINDOW));
  if (await isLog(head, tail)) return void (await openLog(text));
  // The worker knows the rare forms, too.
  const id = await openLog(text, null, { activate: false, isSilent: true });
  if (logOf(fileNow(id)) !== null) return activate(id);
  closeFile(id);
  announce('The pasted text is not a log of a loader or of the verifier');
}
