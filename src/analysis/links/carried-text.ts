/** Text that a link carries: a lesson (`md1:`), declarations (`c1:`). The number is the version of the format. */
import { Malformed } from '#bytes/issue.ts';
import { MAX_CARRIED_LENGTH, packed, unpacked } from './packed.ts';

/** Bytes that a text may have, as UTF-8. */
const MAX_TEXT_BYTES = 1 << 19;

/** `prefix` and the text behind it, for an address; null when it is more than a link carries. */
export async function textKey(prefix: string, text: string): Promise<string | null> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_TEXT_BYTES) return null;
  const key = prefix + (await packed(bytes));
  return key.length <= MAX_CARRIED_LENGTH ? key : null;
}

/** The text of a key that begins with `prefix`. Throws `Malformed` with a sentence for a person. */
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
