/**
 * The `file=` parameter of a link that contains declarations: `c1:`, then `be.` for big-endian BTF,
 * then `f.` if the text has local headers, then the text. The text is base64url, which has no dot, so
 * the forms differ. With headers the text is JSON: the program, then name and text of each header.
 */
import { textKey, textOfKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import {
  type Declarations,
  fitsWorkbench,
  headersOf,
  MAX_DECLARATIONS_BYTES,
  MAX_HEADERS,
  PREFIX,
} from './declarations.ts';
import type { SourceFile } from './sources.ts';

const BIG = 'be.';
const FILES = 'f.';

/** Returns the `file=` parameter for declarations, or null if they are too long for a link. */
export function declarationsKey(declarations: Declarations): Promise<string | null> {
  if (!fitsWorkbench(declarations)) return Promise.resolve(null);
  const { text, endian, headers = [] } = declarations;
  const prefix = PREFIX + (endian === 'big' ? BIG : '');
  if (headers.length === 0) return textKey(prefix, text);
  const files = [text, ...headers.map((header) => [header.name, header.text])];
  return textKey(prefix + FILES, JSON.stringify(files));
}

/** Returns the declarations in a `file=`. Throws `Malformed` with a sentence for the user. */
export async function declarationsOfKey(key: string): Promise<Declarations> {
  const [prefix = PREFIX, big, files] = /^c1:(be\.)?(f\.)?/.exec(key) ?? [];
  const carried = await textOfKey(prefix, key);
  const endian: Endian = big === undefined ? 'little' : 'big';
  const declarations: Declarations =
    files === undefined ? { text: carried, endian } : { ...filesOf(carried), endian };
  if (fitsWorkbench(declarations)) return declarations;
  throw refused(
    'link.too-long',
    `This link carries declarations of more than ${MAX_DECLARATIONS_BYTES} bytes, or more than ${MAX_HEADERS} headers`,
  );
}

/** Returns the program and its headers. Throws `Malformed` for text of another form. */
function filesOf(carried: string): { readonly text: string; readonly headers: SourceFile[] } {
  let json: unknown = null;
  try {
    json = JSON.parse(carried);
  } catch {
    // The text is no JSON: refused below.
  }
  const [text, ...pairs] = Array.isArray(json) ? (json as unknown[]) : [];
  const headers = headersOf(pairs);
  if (typeof text === 'string' && headers !== null) return { text, headers };
  throw refused('link.text', 'The link does not contain a program and its headers');
}

function refused(code: string, message: string): Malformed {
  return new Malformed({ code, region: 'link', message, span: null });
}
