/** Finds names of types, members, enumerators, sections and symbols, best matches first. */
import { memberBits } from '#analysis/types/member-bits.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { memberAt } from '#model/type-items.ts';
import { nameOf, sizeOrTypeOf, stringAt } from '#model/type-table.ts';
import type { Finder, TypeFinder } from './finder.ts';
import { pathFromNamed } from './holders.ts';
import {
  elementOf,
  enumeratorHit,
  type FindAnswer,
  type FindHit,
  hitOf,
  isCodeSymbol,
  isPlaceSymbol,
  memberHit,
  sectionHit,
  symbolHit,
  typeHit,
} from './make-hit.ts';
import { type MatchClass, matchName, needleOf } from './match-name.ts';
import { type NamePool, nameLength, searchPool } from './name-pool.ts';
import type { Scope, SizeTest } from './query.ts';
import { Ranking } from './ranking.ts';
import {
  ENUMERATOR,
  type Entry,
  eachEntry,
  entriesOf,
  entryBit,
  MEMBER,
  NameMarks,
} from './type-names.ts';

/** Weight of a hit by the kind of its name. A weight of 1 equals four more letters in the name. */
const WEIGHTS: Readonly<Record<number, number>> = {
  [BtfKind.STRUCT]: 0,
  [BtfKind.UNION]: 1,
  [BtfKind.INT]: 2,
  [BtfKind.ENUM]: 3,
  [BtfKind.ENUM64]: 3,
  [BtfKind.TYPEDEF]: 4,
  [BtfKind.FLOAT]: 4,
  [BtfKind.FUNC]: 6,
  [BtfKind.VAR]: 6,
  [BtfKind.DATASEC]: 7,
  [ENUMERATOR]: 8,
  [MEMBER]: 9,
  [BtfKind.FWD]: 11,
};
const REST_WEIGHT = 14;
const FUNCTION_WEIGHT = 5;
const SECTION_WEIGHT = 5;
const SYMBOL_WEIGHT = 10;

/** Returns a match's score, lower is better: match class, then kind and length of the name. */
function scoreOf(match: MatchClass, weight: number, length: number, breaks: number): number {
  return 220 * match + 4 * weight + Math.min(150, length + 12 * breaks);
}

const ALL_TYPES = ~(entryBit(MEMBER) | entryBit(ENUMERATOR)) >>> 0;

const SCOPE_BITS: Readonly<Partial<Record<Scope, number>>> = {
  any: 0xffffffff,
  type: ALL_TYPES,
  struct: entryBit(BtfKind.STRUCT),
  union: entryBit(BtfKind.UNION),
  enum: entryBit(BtfKind.ENUM) | entryBit(BtfKind.ENUM64),
  typedef: entryBit(BtfKind.TYPEDEF),
  func: entryBit(BtfKind.FUNC),
  var: entryBit(BtfKind.VAR),
  member: entryBit(MEMBER),
  enumerator: entryBit(ENUMERATOR),
};

type NameMatch = {
  readonly from: 'types' | 'sections' | 'symbols';
  /** Index of the name in its pool. */
  readonly at: number;
  /** Kind of entry as for `entryBit`; 0 for sections and symbols. */
  readonly what: number;
};

const NO_ENTRIES: ReturnType<typeof entriesOf> = new Map();

/** Maximum number of equally named members to list one by one; more become a single hit. */
const MAX_LISTED_MEMBERS = 2;

/** Returns at most `limit` hits for names in `scope` that match `text`. */
export function findNames(finder: Finder, scope: Scope, text: string, limit: number): FindAnswer {
  const needle = needleOf(text);
  const ranking = new Ranking<NameMatch>(limit);
  if (finder.types !== null) rankTypes(finder.types, needle, SCOPE_BITS[scope] ?? 0, ranking);
  if (scope === 'any' || scope === 'section') {
    rankPool(finder.sections, 'sections', needle, ranking, (row) =>
      row === 0 ? null : SECTION_WEIGHT,
    );
  }
  if (scope === 'any' || scope === 'symbol' || scope === 'func') {
    const { model } = finder;
    rankPool(finder.symbols, 'symbols', needle, ranking, (row) => symbolWeight(model, row, scope));
  }
  const best = ranking.best().map(({ value }) => value);
  const named = best.filter(({ from }) => from === 'types');
  const names = named.map(({ at }) => at);
  const wanted = named.reduce((bits, { what }) => bits | entryBit(what), 0);
  const entries = finder.types === null ? NO_ENTRIES : entriesOf(finder.types, names, wanted);
  const hits: FindHit[] = [];
  for (const match of best) {
    if (hits.length >= limit) break;
    const ofKind = (entries.get(match.at) ?? []).filter(({ what }) => what === match.what);
    append(hits, hitsOf(finder, match, ofKind, needle, scope, limit - hits.length));
  }
  return { hits: hits.slice(0, limit), total: Math.max(ranking.total, hits.length), problem: null };
}

function symbolWeight(model: ObjectModel, row: number, scope: Scope): number | null {
  const symbol = symbolIndex(row);
  if (!isPlaceSymbol(model, symbol)) return null;
  if (isCodeSymbol(model, symbol)) return FUNCTION_WEIGHT;
  return scope === 'func' ? null : SYMBOL_WEIGHT;
}

function rankTypes(
  { pool, has }: TypeFinder,
  needle: string,
  bits: number,
  ranking: Ranking<NameMatch>,
): void {
  if (bits === 0) return;
  searchPool(pool, needle, (at, match, breaks) => {
    let left = ((has[at] ?? 0) & bits) >>> 0;
    if (left === 0) return;
    const length = nameLength(pool, at);
    while (left !== 0) {
      const what = 31 - Math.clz32(left);
      left = (left & ~(1 << what)) >>> 0;
      const score = scoreOf(match, WEIGHTS[what] ?? REST_WEIGHT, length, breaks);
      if (ranking.passes(score)) ranking.add(score, { from: 'types', at, what });
    }
  });
}

function rankPool(
  pool: NamePool,
  from: 'sections' | 'symbols',
  needle: string,
  ranking: Ranking<NameMatch>,
  weightOf: (row: number) => number | null,
): void {
  searchPool(pool, needle, (at, match, breaks) => {
    const length = nameLength(pool, at);
    const weight = length === 0 ? null : weightOf(at);
    if (weight === null) return;
    const score = scoreOf(match, weight, length, breaks);
    if (ranking.passes(score)) ranking.add(score, { from, at, what: 0 });
  });
}

function hitsOf(
  { model, types }: Finder,
  { from, at, what }: NameMatch,
  entries: readonly Entry[],
  needle: string,
  scope: Scope,
  limit: number,
): FindHit[] {
  if (from === 'sections') return [sectionHit(model, at, needle)];
  if (from === 'symbols') return [symbolHit(model, symbolIndex(at), needle)];
  if (types === null) return [];
  if (what === MEMBER && scope !== 'member' && entries.length > MAX_LISTED_MEMBERS) {
    return [memberNameHit(types, at, entries.length, needle)];
  }
  return entries.slice(0, limit).flatMap((entry) => entryHit(types, entry, needle) ?? []);
}

function entryHit(finder: TypeFinder, { type, item, what }: Entry, needle: string): FindHit | null {
  const { types } = finder;
  if (what === ENUMERATOR) return enumeratorHit(types, type, item, needle);
  return what === MEMBER
    ? namedMemberHit(finder, type, item, needle)
    : typeHit(types, type, needle);
}

/** Returns the hit of member `item`, with its path from the enclosing named type. */
export function namedMemberHit(
  finder: TypeFinder,
  type: TypeId,
  item: number,
  needle: string,
): FindHit | null {
  const { types, holders } = finder;
  const { root, path } = pathFromNamed(types, holders, type, item);
  const before = nameOf(types, root) || '(anon)';
  return memberHit(types, { root, path, before, bitOffset: bitsTo(finder, root, path) }, needle);
}

/** Returns the bits from the start of `root` to the member that `path` leads to. */
function bitsTo({ types }: TypeFinder, root: number, path: readonly number[]): number {
  let bits = 0;
  let at = elementOf(types, typeId(root)).type;
  for (const index of path) {
    const member = memberAt(types, at, index);
    if (member === null) break;
    bits += memberBits(types, at, member).bitOffset;
    at = elementOf(types, member.type).type;
  }
  return bits;
}

function memberNameHit(finder: TypeFinder, name: number, count: number, needle: string): FindHit {
  const title = stringAt(finder.types, finder.nameOff[name] ?? 0);
  return hitOf('member-name', title, needle, {
    facts: { items: count },
    selection: null,
    refine: `*.${title}`,
  });
}

/** Kinds of types that store a size. */
const SIZED =
  entryBit(BtfKind.STRUCT) |
  entryBit(BtfKind.UNION) |
  entryBit(BtfKind.ENUM) |
  entryBit(BtfKind.ENUM64) |
  entryBit(BtfKind.INT) |
  entryBit(BtfKind.FLOAT) |
  entryBit(BtfKind.DATASEC);
const COMPOSITES = entryBit(BtfKind.STRUCT) | entryBit(BtfKind.UNION);

/** Returns the types whose names match `text`, largest first; equal sizes are in file order. */
export function findSizes(
  finder: TypeFinder,
  scope: Scope,
  text: string,
  size: SizeTest,
  limit: number,
): FindAnswer {
  const { types } = finder;
  const needle = needleOf(text);
  const bits = scope === 'any' ? COMPOSITES : (SCOPE_BITS[scope] ?? 0) & SIZED;
  const sized: { readonly id: number; readonly bytes: number }[] = [];
  eachEntry(types, new NameMarks(types, 1), bits, (_nameOff, id) => {
    const bytes = sizeOrTypeOf(types, typeId(id));
    if (!SIZE_TESTS[size.op](bytes, size.bytes)) return;
    if (needle !== '' && matchName(nameOf(types, typeId(id)), needle) === null) return;
    sized.push({ id, bytes });
  });
  sized.sort((a, b) => b.bytes - a.bytes || a.id - b.id);
  const hits = sized.slice(0, limit).map(({ id }) => typeHit(types, typeId(id), needle));
  return {
    hits,
    total: sized.length,
    problem: hits.length > 0 ? null : `No type has a size ${sizeText(size)}`,
  };
}

const SIZE_TESTS: Readonly<Record<SizeTest['op'], (size: number, bytes: number) => boolean>> = {
  '=': (size, bytes) => size === bytes,
  '<': (size, bytes) => size < bytes,
  '<=': (size, bytes) => size <= bytes,
  '>': (size, bytes) => size > bytes,
  '>=': (size, bytes) => size >= bytes,
};

function sizeText({ op, bytes }: SizeTest): string {
  return op === '=' ? `of ${bytes} bytes` : `${op} ${bytes} bytes`;
}
