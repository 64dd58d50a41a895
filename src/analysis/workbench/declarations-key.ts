/**
 * Declarations as the text of a link's `file=`: `c1:` and the text, or `c1:be.` where
 * the BTF is big-endian. A dot is no letter of base64url, so that the two differ.
 */
import { textKey, textOfKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';

const LITTLE = 'c1:';
const BIG = 'c1:be.';

/** Longer texts are not compiled, not kept and not carried: nobody types them. Bytes of UTF-8. */
export const MAX_DECLARATIONS_BYTES = 1 << 16;

/** Input of the workbench. */
export type Declarations = { readonly text: string; readonly endian: Endian };

/** Does the text fit into the workbench? */
export function fitsWorkbench(text: string): boolean {
  if (3 * text.length <= MAX_DECLARATIONS_BYTES) return true;
  if (text.length > MAX_DECLARATIONS_BYTES) return false;
  return new TextEncoder().encode(text).length <= MAX_DECLARATIONS_BYTES;
}

/** Is it the key of a link that carries declarations? */
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
