/**
 * Declarations in the `file=` of a link: `c1:` and the text, or `c1:be.` and the text for big-endian
 * BTF. base64url has no dot, so that the prefixes differ.
 */
import { textKey, textOfKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';

const LITTLE = 'c1:';
const BIG = 'c1:be.';

/** Limit of a text in bytes of UTF-8; longer texts are neither compiled nor stored nor put in links. */
export const MAX_DECLARATIONS_BYTES = 1 << 16;

export type Declarations = { readonly text: string; readonly endian: Endian };

/** Returns true for a text of at most `MAX_DECLARATIONS_BYTES`. */
export function fitsWorkbench(text: string): boolean {
  if (3 * text.length <= MAX_DECLARATIONS_BYTES) return true;
  if (text.length > MAX_DECLARATIONS_BYTES) return false;
  return new TextEncoder().encode(text).length <= MAX_DECLARATIONS_BYTES;
}

/** Returns true for the key of a link that carries declarations. */
export function isDeclarationsKey(key: string): boolean {
  return key.startsWith(LITTLE);
}

/** Returns the key of the declarations; null if they are too long for a link. */
export function declarationsKey({ text, endian }: Declarations): Promise<string | null> {
  if (!fitsWorkbench(text)) return Promise.resolve(null);
  return textKey(endian === 'big' ? BIG : LITTLE, text);
}

/** Returns the declarations of a key. Throws `Malformed` with a sentence for the user. */
export async function declarationsOfKey(key: string): Promise<Declarations> {
  const isBig = key.startsWith(BIG);
  const text = await textOfKey(isBig ? BIG : LITTLE, key);
  if (!fitsWorkbench(text)) {
    throw new Malformed({
      code: 'link.too-long',
      region: 'link',
      message: `This link carries declarations of more than ${MAX_DECLARATIONS_BYTES} bytes, which are not read`,
      span: null,
    });
  }
  return { text, endian: isBig ? 'big' : 'little' };
}
