/** Matches the lines of two types by name, then renamed and nameless lines by place. */
import { longestIncreasingSubsequence } from '#analysis/layout/placement.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { TypeLine } from './type-lines.ts';

/** A line of each side; -1 if a side has none. */
export type LinePair = {
  readonly a: number;
  readonly b: number;
  /** The line moved relative to the lines that kept their order. */
  readonly isReordered: boolean;
  /** A line that preceded this line in A is elsewhere in B. */
  readonly isAfterGap: boolean;
};

export type SameReference = (a: TypeLine, b: TypeLine) => boolean;

/** Returns all lines of both sides once, in the order of `b`; removed lines keep their place. */
export function alignLines(
  a: readonly TypeLine[],
  b: readonly TypeLine[],
  isSameReference: SameReference,
): LinePair[] {
  const match = new Matching(a, b);
  match.sameNamesAtStart();
  match.byKey(nameKey);
  match.containers();
  match.byKey(placeKey);
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

  /** Matches the equal names before the first difference: most lines of most types. */
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

  /** Pairs lines with the same key, in order, if `accepts` agrees. Keys include parents of `b`. */
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
      // Members of an unmatched line are matched by name only.
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

  /** Matches anonymous structs and unions by their members, inner types first. */
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
        // From last to first, so that the first remaining member decides.
        votes.set(line.parent, parent);
      }
    }
  }
}

/** Returns whether a line is matched by name; the result and target of a type need no name. */
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

/** Returns the key of a renamed line: the same place; the type is compared later. */
function renamedKey(line: TypeLine, parent: number): string | null {
  const { role, bitOffset, bitfieldSize, value, index } = line;
  if (role === 'enumerator') return `=${value}`;
  return `${role}:${parent}:${bitOffset ?? index}:${bitfieldSize}`;
}

/** Returns the pairs in the order of `b`; a removed line keeps its predecessor. */
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
