/** Questions that read a file's bytes at once, asked again until the bytes have come. */
import type { ReadBytes } from '#analysis/fields/field.ts';
import { bytesNow } from '#store/bytes-cache.ts';
import { type FileId, session } from '#store/session.ts';

/** Pages that one question may need, one after the other. */
const MAX_ROUNDS = 16;
const ROUND_MS = 1500;

/** What `ask` gives once all the bytes that it reads of the file are here; what it gives without them where they do not come. */
export async function withBytes<T>(id: FileId, ask: (read: ReadBytes) => T): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isWhole = true;
    const before = session.getState().bytesVersion;
    const found = ask((start, end) => {
      const bytes = bytesNow(id, start, end);
      if (bytes === null) isWhole = false;
      return bytes;
    });
    if (isWhole || !(await moreBytes(before))) return found;
  }
  return ask((start, end) => bytesNow(id, start, end));
}

/** Settles when bytes have come since `before`; false where none do. */
function moreBytes(before: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasCome: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(hasCome);
    };
    const timer = setTimeout(() => settle(false), ROUND_MS);
    const stop = session.subscribe(({ bytesVersion }) => {
      if (bytesVersion !== before) settle(true);
    });
    if (session.getState().bytesVersion !== before) settle(true);
  });
}
