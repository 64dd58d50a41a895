/** Matches the lines of two types by name, remaining lines by the words of names, then by position. */
import { longestIncreasingSubsequence } from '#analysis/layout/placement.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { sharedWords } from './shared-words.ts';
import type { TypeLine } from './type-lines.ts';

/** Indexes of two matched lines; -1 for a side without a matching line. */
export type LinePair = {
  readonly a: number;
  readonly b: number;
  /** True if the line moved relative to the lines that kept their order. */
  readonly isReordered: boolean;
  /** True if a line that preceded this line in A has another position in B. */
  readonly isAfterGap: boolean;
};

export type SameReference = (a: TypeLine, b: TypeLine) => boolean;

/** Maximum lines of a side whose names are compared word by word. */
const MAX_COMPARED = 300;

/**
 * Returns the lines of both sides in B's order; a removed line follows its predecessor in A. `names`
 * returns the name of a line of either side.
 */
export function alignLines(
  a: readonly TypeLine[],
  b: readonly TypeLine[],
  isSameReference: SameReference,
  names: { readonly a: (line: TypeLine) => string; readonly b: (line: TypeLine) => string },
): LinePair[] {
  const match = new Matching(a, b);
  match.sameNamesAtStart();
  match.byKey(nameKey);
  match.containers();
  match.byKey(placeKey);
  match.byWords(isSameReference, names);
  match.byKey(renamedKey, isSameReference);
  return inOrder(match.ofA, match.ofB);
}

type KeyOf = (line: TypeLine, partnerOfParent: number) => string | null;

class Matching {
  readonly #a: readonly TypeLine[];
  readonly #b: readonly TypeLine[];
  readonly ofA: Int32Array;
  readonly ofB: Int32Array;

  constructor(a: readonly TypeLine[], b: readonly TypeLine[]) {
    this.#a = a;
    this.#b = b;
    this.ofA = new Int32Array(a.length).fill(-1);
    this.ofB = new Int32Array(b.length).fill(-1);
  }

  #match(a: number, b: number): void {
    this.ofA[a] = b;
    this.ofB[b] = a;
  }

  /** Matches lines with equal names up to the first difference: a fast path for most types. */
  sameNamesAtStart(): void {
    const end = Math.min(this.#a.length, this.#b.length);
    for (let i = 0; i < end; i++) {
      const line = this.#a[i];
      const inB = this.#b[i];
      if (line === undefined || inB === undefined) return;
      const { role, scope, nameId } = line;
      if (role !== inB.role || scope !== inB.scope || nameId !== inB.nameId) return;
      if (isMatchedByName(line)) this.#match(i, i);
    }
  }

  /** Matches the remaining lines that have equal keys and that `accepts` allows, in order. */
  byKey(keyOf: KeyOf, accepts: SameReference = () => true): void {
    if (!this.ofA.includes(-1) || !this.ofB.includes(-1)) return;
    const waiting = new Map<string, { readonly lines: number[]; next: number }>();
    for (const [i, line] of this.#b.entries()) {
      const key = this.ofB[i] === -1 ? keyOf(line, line.parent) : null;
      if (key === null) continue;
      getOrCreate(waiting, key, () => ({ lines: [], next: 0 })).lines.push(i);
    }
    for (const [i, line] of this.#a.entries()) {
      if (this.ofA[i] !== -1) continue;
      const parent = line.parent < 0 ? -1 : (this.ofA[line.parent] ?? -1);
      // A member of an unmatched anonymous type is matched by its name alone.
      const key = line.parent >= 0 && parent < 0 ? nameKey(line) : keyOf(line, parent);
      const candidates = key === null ? undefined : waiting.get(key);
      const inB = candidates?.lines[candidates.next];
      if (candidates === undefined || inB === undefined) continue;
      const target = this.#b[inB];
      if (target === undefined || !accepts(line, target)) continue;
      candidates.next++;
      this.#match(i, inB);
    }
  }

  /** Matches the remaining members and parameters whose names share most words, best first. */
  byWords(accepts: SameReference, names: Parameters<typeof alignLines>[3]): void {
    const rest = (lines: readonly TypeLine[], of: Int32Array) =>
      lines.flatMap((line, at) => {
        const isNamed = line.nameId !== 0 && (line.role === 'member' || line.role === 'param');
        return isNamed && of[at] === -1 ? [{ line, at }] : [];
      });
    const [before, after] = [rest(this.#a, this.ofA), rest(this.#b, this.ofB)];
    if (before.length > MAX_COMPARED || after.length > MAX_COMPARED) return;
    const textsOfB = after.map(({ line }) => names.b(line));
    const pairs: { readonly a: number; readonly b: number; readonly share: number }[] = [];
    for (const { line, at } of before) {
      const text = names.a(line);
      for (const [i, other] of after.entries()) {
        if (line.role !== other.line.role || line.scope !== other.line.scope) continue;
        const share = sharedWords(text, textsOfB[i] ?? '');
        if (share !== null && accepts(line, other.line)) pairs.push({ a: at, b: other.at, share });
      }
    }
    for (const pair of pairs.sort((x, y) => y.share - x.share)) {
      if (this.ofA[pair.a] === -1 && this.ofB[pair.b] === -1) this.#match(pair.a, pair.b);
    }
  }

  /** Matches anonymous structs and unions whose members match, inner types first. */
  containers(): void {
    const votes = new Map<number, number>();
    for (let i = this.#a.length - 1; i >= 0; i--) {
      const line = this.#a[i];
      if (line === undefined) continue;
      const isOpen = line.opens !== null && line.nameId === 0;
      const voted = votes.get(i) ?? -1;
      if (isOpen && this.ofA[i] === -1 && voted >= 0 && this.ofB[voted] === -1) {
        this.#match(i, voted);
      }
      const partner = this.ofA[i] ?? -1;
      const parent = this.#b[partner]?.parent ?? -1;
      const container = this.#b[parent];
      if (line.parent >= 0 && container?.opens != null && container.nameId === 0) {
        // Members are read from last to first, so that the first matched member decides.
        votes.set(line.parent, parent);
      }
    }
  }
}

/** Returns true for named lines, and for the result or target of a type: a type has only one. */
function isMatchedByName({ role, nameId }: TypeLine): boolean {
  return nameId !== 0 || role === 'return' || role === 'target';
}

function nameKey(line: TypeLine): string | null {
  return isMatchedByName(line) ? `${line.role}:${line.scope}:${line.nameId}` : null;
}

function placeKey(line: TypeLine, parent: number): string | null {
  const { role, nameId, bitOffset, bitfieldSize, index, opens } = line;
  if (nameId !== 0) return null;
  const place = bitOffset ?? index;
  return `${role}:${parent}:${place}:${bitfieldSize}:${opens === null ? 'closed' : 'open'}`;
}

/** Returns the position of a line as its key, for lines whose name may have changed. */
function renamedKey(line: TypeLine, parent: number): string | null {
  const { role, bitOffset, bitfieldSize, value, index } = line;
  if (role === 'enumerator') return `=${value}`;
  return `${role}:${parent}:${bitOffset ?? index}:${bitfieldSize}`;
}

/** Returns the pairs in B's order; a removed line follows its predecessor in A. */
function inOrder(ofA: Int32Array, ofB: Int32Array): LinePair[] {
  const matched = Array.from(ofA.keys()).filter((a) => (ofA[a] ?? -1) >= 0);
  const keptPartners = longestIncreasingSubsequence(matched.map((a) => ofA[a] ?? -1));
  const keepsOrder = new Set(matched.filter((a) => keptPartners.has(ofA[a] ?? -1)));
  const pairs: LinePair[] = [];
  let a = 0;
  let isAfterGap = false;
  const removed = () => {
    for (; ofA[a] === -1; a++) pairs.push({ a, b: -1, isReordered: false, isAfterGap: false });
  };
  const passTo = (end: number) => {
    for (removed(); a < end; a++, removed()) if (!keepsOrder.has(a)) isAfterGap = true;
  };
  removed();
  for (let b = 0; b < ofB.length; b++) {
    const partner = ofB[b] ?? -1;
    const isReordered = partner >= 0 && !keepsOrder.has(partner);
    if (partner >= 0 && !isReordered) {
      passTo(partner);
      a = partner + 1;
    }
    pairs.push({ a: partner, b, isReordered, isAfterGap });
    if (partner < 0 || isReordered) continue;
    isAfterGap = false;
    removed();
  }
  passTo(ofA.length);
  return pairs;
}
