/** SHA-256 of a file, read in pieces, so that a gigabyte needs no gigabyte. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Progress } from '#bytes/slices.ts';
import type { ByteSource } from '#bytes/source.ts';

/** Up to here the platform's own digest takes the bytes in one go; it is several times faster. */
const WHOLE_LIMIT = 64 * 1024 * 1024;
/** Some ten milliseconds of work: what the page asks meanwhile gets in between. */
const PIECE = 512 * 1024;

/** The digest in hex. Throws `AbortError` when `signal` says so. */
export async function sha256Of(
  source: ByteSource,
  context: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<string> {
  if (source.size <= WHOLE_LIMIT && globalThis.isSecureContext !== false) {
    const bytes = new Uint8Array(await source.read(0, source.size));
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  }
  const hash = sha256.create();
  for (let start = 0; start < source.size; start += PIECE) {
    context.signal.throwIfAborted();
    hash.update(await source.read(start, start + PIECE));
    context.onProgress({
      step: 'hashing',
      done: Math.min(start + PIECE, source.size),
      total: source.size,
    });
  }
  return bytesToHex(hash.digest());
}
