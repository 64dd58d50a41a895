/** Packs the contents of a link as base64url: a checksum of three bytes, then raw DEFLATE. */
import { concatBytes } from '#bytes/arrays.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import { Malformed } from '#bytes/issue.ts';
import { broken } from './columns.ts';

/** Maximum characters of packed contents. Browsers and chat servers accept longer addresses. */
export const MAX_CARRIED_LENGTH = 64_000;

const CHECK_BYTES = 3;

/** Returns the checksum of bytes. It detects a changed letter, which DEFLATE does not. */
function checkOf(bytes: Uint8Array): Uint8Array {
  const hash = fnv1a(bytes);
  return Uint8Array.of(hash & 0xff, (hash >>> 8) & 0xff, (hash >>> 16) & 0xff);
}

/** Returns bytes packed as text for an address. */
export async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(concatBytes([checkOf(bytes), await deflateRaw(bytes)]));
}

/** Returns the bytes of a packed text, at most `limit`. Throws `Malformed` for other text. */
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

/** Returns `bytes` deflated, without the header and checksum of zlib. */
export async function deflateRaw(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the inflated bytes; null if they are invalid or more than `limit`. */
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
    // A stream reports cut data and invalid data by the same error.
    return null;
  }
}

/** Returns base64 without padding, with `-` and `_`, for use in an address. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the bytes that `toBase64Url` encoded; null for other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/** Maximum length of a packed text in UTF-8 bytes. */
const MAX_TEXT_BYTES = 1 << 19;

/** Returns `prefix` (`md1:` for a lesson) and the packed text; null for a text that is too long. */
export async function textKey(prefix: string, text: string): Promise<string | null> {
  const bytes = Uint8Array.from(new TextEncoder().encode(text));
  if (bytes.length > MAX_TEXT_BYTES) return null;
  const key = prefix + (await packed(bytes));
  return key.length <= MAX_CARRIED_LENGTH ? key : null;
}

/** Returns the text behind `prefix` in a key. Throws `Malformed` with a sentence for the user. */
export async function textOfKey(prefix: string, key: string): Promise<string> {
  const bytes = await unpacked(key.slice(prefix.length), MAX_TEXT_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Malformed({
      code: 'link.text',
      region: 'link',
      message: 'The link does not contain text',
      span: null,
    });
  }
}
