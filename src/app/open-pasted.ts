import { isLogLine } from '#analysis/log/failures.ts';
import { isLog, LOG_WINDOW } from '#formats/verifier-log/detect.ts';
import { openLog } from '#store/kernels/open-log.ts';
import { announce } from '#store/session/session.ts';

/** Opens a pasted text if it is a log. */
export async function openPasted(text: string): Promise<void> {
  const encoder = new TextEncoder();
  const head = encoder.encode(text.slice(0, LOG_WINDOW));
  const tail = encoder.encode(text.slice(-LOG_WINDOW));
  if (isLog(head, tail, isLogLine)) await openLog(text);
  else announce('The pasted text is not a log of a loader or of the verifier');
}
