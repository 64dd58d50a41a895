/**
 * Packs the contents of a link as text: three bytes of check sum and raw DEFLATE, in base64url.
 * Bounded on both sides: the text before it is decoded, what comes out of it while it
 * is inflated.
 */
import { concatBytes } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import { broken } from './columns.ts';
import { fnv1a } from './fnv.ts';

/** Most characters of packed contents. Browsers and chat servers accept more. */
export const MAX_CARRIED_LENGTH = 64_000;

const CHECK_BYTES = 3;

/** The check sum detects a changed letter, which DEFLATE does not. */
function checkOf(bytes: Uint8Array): Uint8Array {
  const hash = fnv1a(bytes);
  return Uint8Array.of(hash & 0xff, (hash >>> 8) & 0xff, (hash >>> 16) & 0xff);
}

/** Returns the bytes as text for an address. */
export async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(concatBytes([checkOf(bytes), await deflateRaw(bytes)]));
}

/** Returns the bytes of a packed text, at most `limit`. Throws `Malformed` with a sentence for the user. */
export async function unpacked(text: string, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length > MAX_CARRIED_LENGTH) {
    throw new Malformed({
      code: 'link.too-long',
      region: 'link',
      message: `This link carries ${text.length} characters; more than ${MAX_CARRIED_LENGTH} are not read`,
      span: null,
    });
  }
  const bytes = fromBase64Url(text);
  const inflated = bytes === null ? null : await inflateRaw(bytes.slice(CHECK_BYTES), limit);
  if (bytes === null || inflated === null) throw broken();
  const check = checkOf(inflated);
  if (check.some((byte, i) => byte !== bytes[i])) throw broken();
  return inflated;
}

/** Is it the key of a link that carries types or a file? The reader is loaded only then. */
export function isCarriedKey(key: string): boolean {
  return /^(btf|bytes)\d+:/.test(key);
}

/** Returns the bytes, deflated without header or checksum. */
export async function deflateRaw(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the inflated bytes; null if they are more than `limit`, or no whole DEFLATE stream. */
export async function inflateRaw(
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concatBytes(parts);
      length += value.length;
      if (length > limit) {
        await reader.cancel();
        return null;
      }
      parts.push(value);
    }
  } catch {
    // The stream does not tell a cut from invalid data.
    return null;
  }
}

/** Returns base64 with `-` and `_`, without padding: all characters are valid in an address. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reverses `toBase64Url`; null for other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}
