/** Text in a link: a lesson (`md1:`), declarations (`c1:`). The number is the version of the format. */
import { Malformed } from '#bytes/issue.ts';
import { MAX_CARRIED_LENGTH, packed, unpacked } from './packed.ts';

/** UTF-8 bytes of a text. */
const MAX_TEXT_BYTES = 1 << 19;

/** Returns `prefix` and the packed text for an address; null if it is too long for a link. */
export async function textKey(prefix: string, text: string): Promise<string | null> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_TEXT_BYTES) return null;
  const key = prefix + (await packed(bytes));
  return key.length <= MAX_CARRIED_LENGTH ? key : null;
}

/** Returns the text of a key with `prefix`. Throws `Malformed` with a sentence for the user. */
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
