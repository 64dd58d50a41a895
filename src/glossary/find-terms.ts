/** Finds terms in a short label: whole words, the longest spelling first. Pure text; total. */
import { TERM_IDS, TERM_NAMES, type TermId } from './term-names.ts';

/** A stretch of the label, and the term that it is, if it is one. */
export type LabelPiece = {
  /** From the start of the label, in UTF-16 units. */
  readonly start: number;
  readonly text: string;
  readonly term: TermId | null;
};

type Index = { readonly pattern: RegExp; readonly byName: ReadonlyMap<string, TermId> };

/** A longer text is no label: looking through it would take time on each drawing. */
const LONGEST = 200;

let built: Index | null = null;

/** Built when the first label is drawn. */
function index(): Index {
  built ??= build();
  return built;
}

function build(): Index {
  const byName = new Map(
    TERM_IDS.flatMap((id) => TERM_NAMES[id].map((name) => [keyOf(name), id] as const)),
  );
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  // A name does not begin or end inside a longer word: `.BTF` is no term in `.BTF.unknown`.
  return {
    pattern: new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?![\\w-]|\\.\\w)`, 'gi'),
    byName,
  };
}

/** Words may be written in either case; names with capitals of their own only as they are. */
function keyOf(name: string): string {
  return /[A-Z_]/.test(name.slice(1)) ? name : name.toLowerCase();
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The term that a whole text is the name of; null where it is none. */
export function termCalled(text: string): TermId | null {
  const { byName } = index();
  return byName.get(text) ?? byName.get(text.toLowerCase()) ?? null;
}

/** The label in pieces, terms and what stands between them, each term once. Joined they are the label. */
export function labelPieces(label: string): LabelPiece[] {
  const pieces: LabelPiece[] = [];
  const met = new Set<TermId>();
  let at = 0;
  const add = (end: number, term: TermId | null) => {
    if (end > at) pieces.push({ start: at, text: label.slice(at, end), term });
    at = end;
  };
  for (const match of label.length > LONGEST ? [] : label.matchAll(index().pattern)) {
    const term = termCalled(match[0]);
    if (term === null || met.has(term)) continue;
    met.add(term);
    add(match.index, null);
    add(match.index + match[0].length, term);
  }
  add(label.length, null);
  return pieces;
}
