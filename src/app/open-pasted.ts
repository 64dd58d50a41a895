import { isLog, LOG_WINDOW } from '#formats/verifier-log/detect.ts';
import { openLog } from '#store/kernels/open-log.ts';
import { announce } from '#store/session/session.ts';

const loadForms = async () => (await import('#analysis/log/failures.ts')).isLogLine;

/** Opens a pasted text if it is a log. */
export async function openPasted(text: string): Promise<void> {
  const encoder = new TextEncoder();
  const head = encoder.encode(text.slice(0, LOG_WINDOW));
  const tail = encoder.encode(text.slice(-LOG_WINDOW));
  if (await isLog(head, tail, loadForms)) await openLog(text);
  else announce('The pasted text is not a log of a loader or of the verifier');
}
