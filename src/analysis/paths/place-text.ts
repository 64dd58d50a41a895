/**
 * What a person writes for the two ends of a path: `task_struct`, `struct inode`,
 * `sk_family`, `*.pid`, `sock.sk_rcvbuf`, or the key of a link, `struct:foo~1`.
 */
import { formatTypeKey, parseTypeKey, type TypeKey } from '#analysis/types/type-key.ts';

export type PlaceText = {
  /** The type part; null for `*.field`. */
  readonly type:
    | { readonly by: 'key'; readonly key: TypeKey }
    /** `keyword` is null where none stands before the name. */
    | { readonly by: 'name'; readonly name: string; readonly keyword: string | null }
    | null;
  /** What stands behind the first dot or arrow, as written: `mm.pgd`; empty for a type. */
  readonly field: string;
};

const KEYWORDS = /^(struct|union|enum|typedef)\s+(?=\S)/;
const MAX_LENGTH = 1024;

/** Reads one end of a question; null for blank text. Any text is legal. */
export function parsePlace(text: string): PlaceText | null {
  const trimmed = text.slice(0, MAX_LENGTH).trim();
  if (trimmed === '') return null;
  const at = trimmed.search(/\.|->/);
  const head = at < 0 ? trimmed : trimmed.slice(0, at).trim();
  const field = at < 0 ? '' : trimmed.slice(at).replace(/^(\.|->)\s*/, '');
  if (head === '*' || head === '') return { type: null, field };
  const key = parseTypeKey(head);
  if (key !== null) return { type: { by: 'key', key }, field };
  const keyword = KEYWORDS.exec(head);
  const name = keyword === null ? head : head.slice(keyword[0].length);
  return { type: { by: 'name', name, keyword: keyword?.[1] ?? null }, field };
}

/** How a type is asked for: by its name where that is plain and the first of its sort, else by its key. */
export function placeOfType(key: TypeKey): string {
  const plain = key.ordinal === 0 && /^[A-Za-z_]\w*$/.test(key.name);
  const isPlainKind = key.kind === 'struct' || key.kind === 'typedef';
  // A dot or an arrow would begin a field.
  return plain && isPlainKind
    ? key.name
    : formatTypeKey(key).replaceAll('.', '%2E').replaceAll('-', '%2D');
}

export type QuestionText = {
  readonly from: string;
  readonly to: string;
  /** Are paths by container_of wanted, too? */
  readonly around: boolean;
};

const AROUND = 'container_of';

/** A question as one text: `task_struct>sk_family`, `sock>tcp_sock>container_of`. */
export function formatQuestion({ from, to, around }: QuestionText): string {
  return [from.trim(), to.trim(), ...(around ? [AROUND] : [])].join('>');
}

/** The reverse of `formatQuestion`. Keys of types hold no `>`; `->` belongs to the place. */
export function parseQuestion(text: string): QuestionText {
  const [from = '', to = '', around = ''] = text.split(/(?<!-)>/).map((part) => part.trim());
  return { from, to, around: around === AROUND };
}
