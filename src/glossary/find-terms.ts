/** Finds glossary terms in a short label. Only whole words match, and the longest spelling wins. */
import { TERM_IDS, TERM_NAMES, type TermId } from './term-names.ts';

/** A part of a label; `term` is null if the part is plain text. */
export type LabelPiece = {
  /** Offset in the label, in UTF-16 units. */
  readonly start: number;
  readonly text: string;
  readonly term: TermId | null;
};

type Index = { readonly pattern: RegExp; readonly byName: ReadonlyMap<string, TermId> };

/** Maximum length of a label that is searched for terms, because every drawing searches it. */
const MAX_LABEL = 200;

let cachedIndex: Index | null = null;

/** Returns the index of all spellings. The first drawn label builds it. */
function index(): Index {
  cachedIndex ??= build();
  return cachedIndex;
}

function build(): Index {
  const byName = new Map(
    TERM_IDS.flatMap((id) => TERM_NAMES[id].map((name) => [keyOf(name), id] as const)),
  );
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  // A term is not part of a longer word: `.BTF.unknown` does not contain the term `.BTF`.
  return {
    pattern: new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?![\\w-]|\\.\\w)`, 'gi'),
    byName,
  };
}

/** Returns the index key of a spelling: lower case unless it has a capital after its start. */
function keyOf(name: string): string {
  return /[A-Z_]/.test(name.slice(1)) ? name : name.toLowerCase();
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Returns the term that has `text` as a spelling; null if there is none. */
export function termCalled(text: string): TermId | null {
  const { byName } = index();
  return byName.get(text) ?? byName.get(text.toLowerCase()) ?? null;
}

/** Splits a label into terms and plain text. Later occurrences of the same term are plain text. */
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
