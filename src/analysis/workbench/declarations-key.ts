/**
 * The `file=` parameter of a link that contains declarations: `c1:` and the text, or `c1:be.` and
 * the text for big-endian BTF. The text is base64url, which has no dot, so the two forms differ.
 */
import { textKey, textOfKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';

const LITTLE = 'c1:';
const BIG = 'c1:be.';

/** Maximum UTF-8 bytes of a text. A longer text is not compiled, stored or put into a link. */
export const MAX_DECLARATIONS_BYTES = 1 << 16;

export type Declarations = { readonly text: string; readonly endian: Endian };

/** Returns true if the text has at most `MAX_DECLARATIONS_BYTES`. */
export function fitsWorkbench(text: string): boolean {
  if (3 * text.length <= MAX_DECLARATIONS_BYTES) return true;
  if (text.length > MAX_DECLARATIONS_BYTES) return false;
  return new TextEncoder().encode(text).length <= MAX_DECLARATIONS_BYTES;
}

/** Returns true for a `file=` parameter that contains declarations. */
export function isDeclarationsKey(key: string): boolean {
  return key.startsWith(LITTLE);
}

/** Returns the `file=` parameter for declarations, or null if they are too long for a link. */
export function declarationsKey({ text, endian }: Declarations): Promise<string | null> {
  if (!fitsWorkbench(text)) return Promise.resolve(null);
  return textKey(endian === 'big' ? BIG : LITTLE, text);
}

/** Returns the declarations in a `file=`. Throws `Malformed` with a sentence for the user. */
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
