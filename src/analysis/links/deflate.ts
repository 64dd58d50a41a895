/** Raw DEFLATE by the platform, and as text for an address. A cap holds while inflating. */
import { concatBytes } from '#bytes/concat.ts';

/** The bytes, deflated without header or checksum. */
export async function deflateRaw(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The inflated bytes; null when there are more than `limit` of them, or when they are no whole DEFLATE stream. */
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
    // The stream says no more than that: cut, or no DEFLATE at all.
    return null;
  }
}

/** Base64 with `-` and `_`, without padding: every character may stand in an address. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reverse of `toBase64Url`; null for other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}
