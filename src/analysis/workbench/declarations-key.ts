/**
 * The `file=` parameter of a link that contains declarations: `c1:`, then `be.` for big-endian BTF,
 * then `f.` if the text has local headers, then the text. The text is base64url, which has no dot, so
 * the forms differ. With headers the text is JSON: the program, then name and text of each header.
 */
import { textKey, textOfKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { PREFIX } from './declarations-prefix.ts';
import type { SourceFile } from './sources.ts';

const BIG = 'be.';
const FILES = 'f.';

/** Maximum UTF-8 bytes of all texts. Longer texts are not compiled, stored or put into a link. */
export const MAX_DECLARATIONS_BYTES = 1_000_000;
/** Maximum number of local headers. */
export const MAX_HEADERS = 200;

export type Declarations = {
  readonly text: string;
  readonly endian: Endian;
  /** Local headers that the text can include; absent for none. */
  readonly headers?: readonly SourceFile[];
};

/** Returns true if the texts have at most `MAX_DECLARATIONS_BYTES`. */
export function fitsWorkbench({ text, headers = [] }: Omit<Declarations, 'endian'>): boolean {
  if (headers.length > MAX_HEADERS) return false;
  const texts = [text, ...headers.flatMap((header) => [header.name, header.text])];
  const length = texts.reduce((sum, each) => sum + each.length, 0);
  if (3 * length <= MAX_DECLARATIONS_BYTES) return true;
  if (length > MAX_DECLARATIONS_BYTES) return false;
  const encoder = new TextEncoder();
  return (
    texts.reduce((sum, each) => sum + encoder.encode(each).length, 0) <= MAX_DECLARATIONS_BYTES
  );
}

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

/** Returns headers from pairs of name and text, or null for other values. */
export function headersOf(pairs: readonly unknown[]): SourceFile[] | null {
  const headers: SourceFile[] = [];
  for (const pair of pairs) {
    const [name, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name !== 'string' || typeof text !== 'string') return null;
    headers.push({ name, text });
  }
  return headers;
}

function refused(code: string, message: string): Malformed {
  return new Malformed({ code, region: 'link', message, span: null });
}
