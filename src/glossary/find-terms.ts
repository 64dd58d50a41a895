/** Finds terms in a short label: whole words, the longest spelling first. */
import { TERM_IDS, TERM_NAMES, type TermId } from './term-names.ts';

/** A part of a label; `term` is null if the part is plain text. */
export type LabelPiece = {
  /** From the start of the label, in UTF-16 units. */
  readonly start: number;
  readonly text: string;
  readonly term: TermId | null;
};

type Index = { readonly pattern: RegExp; readonly byName: ReadonlyMap<string, TermId> };

/** Characters. Longer texts are not searched: the search runs at each drawing. */
const MAX_LABEL = 200;

let cachedIndex: Index | null = null;

/** Returns the index, which is built when the first label is drawn. */
function index(): Index {
  cachedIndex ??= build();
  return cachedIndex;
}

function build(): Index {
  const byName = new Map(
    TERM_IDS.flatMap((id) => TERM_NAMES[id].map((name) => [keyOf(name), id] as const)),
  );
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  // A term does not begin or end inside a longer word: `.BTF.unknown` does not contain the term `.BTF`.
  return {
    pattern: new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?![\\w-]|\\.\\w)`, 'gi'),
    byName,
  };
}

/** Returns the key of a spelling: lower case, unless the spelling has a capital after its first character. */
function keyOf(name: string): string {
  return /[A-Z_]/.test(name.slice(1)) ? name : name.toLowerCase();
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Returns the term that has `text` as a spelling; null if no term has. */
export function termCalled(text: string): TermId | null {
  const { byName } = index();
  return byName.get(text) ?? byName.get(text.toLowerCase()) ?? null;
}

/** Cuts a label into terms and the texts between them. Only the first occurrence of a term is a piece of its own. */
export function labelPieces(label: string): LabelPiece[] {
  const pieces: LabelPiece[] = [];
  const terms = new Set<TermId>();
  let at = 0;
  const add = (end: number, term: TermId | null) => {
    if (end > at) pieces.push({ start: at, text: label.slice(at, end), term });
    at = end;
  };
  for (const match of label.length > MAX_LABEL ? [] : label.matchAll(index().pattern)) {
    const term = termCalled(match[0]);
    if (term === null || terms.has(term)) continue;
    terms.add(term);
    add(match.index, null);
    add(match.index + match[0].length, term);
  }
  add(label.length, null);
  return pieces;
}
