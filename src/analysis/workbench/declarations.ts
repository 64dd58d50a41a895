/** Declarations that are typed or come in a link: their limits, and how a link names them. */
import type { Endian } from '#bytes/span.ts';
import type { SourceFile } from './sources.ts';

/** Beginning of a `file=` parameter that contains declarations. */
export const PREFIX = 'c1:';

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

/** Returns true for a `file=` parameter that contains declarations. */
export function isDeclarationsKey(key: string): boolean {
  return key.startsWith(PREFIX);
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
