/** Computes the results of entries for a layout: Tru64 UNIX Object File Specification, 4.3.4. */
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  type Relocation,
  type RelocationTable,
  relocationAt,
} from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { isStackType, MAX_STACK } from './expression.ts';
import { tableFacts } from './groups.ts';
import { headerGp, type Layout, sectionMove, sectionMoves, trackedValue } from './layout.ts';
import { formulaOf } from './relocation-formulas.ts';
import { type Results, resultsOf, type Terms } from './results.ts';
import { type Site, sitesOf, wordAt } from './sites.ts';

/** Rule that the result of an entry breaks. */
export type Problem =
  | 'does not fit'
  | 'is not a multiple of 4'
  | 'needs a value that is not set'
  | 'points outside the raw data'
  | 'has no partner'
  | 'does not name an lda and an ldah'
  | 'underflows the stack'
  | 'overflows the stack';

export type Outcome = {
  /** Index of the entry in its relocation table. */
  readonly n: number;
  readonly entry: Relocation;
  /** `r_vaddr` moved to the section's address in the layout. */
  readonly newAddress: bigint;
  /** Stored field or displacement, signed; null for an entry without a field. */
  readonly before: bigint | null;
  /** Results before they are cut to the field; null if they cannot be computed. */
  readonly results: Results | null;
  /** Terms of the formula; null if the entry has no formula or a term is unknown. */
  readonly terms: Terms | null;
  /** Sites to patch: one site, or the high and the low half of a pair. */
  readonly sites: readonly Site[];
  /** Operand, and top of the stack after the entry, as unsigned 64 bits; null for other entries. */
  readonly stack: { readonly operand: bigint | null; readonly top: bigint | null } | null;
  /** gp from a GPVALUE entry on, in the old and the new layout; null for other entries. */
  readonly gp: { readonly old: bigint; readonly new: bigint } | null;
  readonly problem: Problem | null;
};

export const LDA = 0x08;
export const LDAH = 0x09;

/** Returns outcomes of the entries `members`, which are ascending and contain whole expressions. */
export function relocateMembers(
  file: EcoffFile,
  table: RelocationTable,
  layout: Layout,
  members: readonly number[],
): readonly Outcome[] {
  const section = file.sections[table.section];
  if (section === undefined) return [];
  const { gpDelta, highOf } = tableFacts(file, table);
  const moves = getOrCreate(movesUnder(layout), file, () => sectionMoves(file, layout));
  const stack: (bigint | null)[] = [];
  return members.map((n) => {
    const entry = relocationAt(table, n);
    const delta = BigInt(gpDelta[n] ?? 0);
    const place: Place = {
      file,
      layout,
      moves,
      section,
      n,
      entry,
      oldGp: headerGp(file) + delta,
      newGp: layout.gp + delta,
      high: highOf.get(n) ?? null,
    };
    return isStackType(entry.rType) ? stackOutcome(place, stack) : plainOutcome(place);
  });
}

/** Section moves by layout and file, cached since callers request one entry at a time. */
const movesUnder = memoized((_: Layout) => new WeakMap<EcoffFile, ReadonlyMap<string, bigint>>());

/** Entry and the inputs from which its outcome is computed. */
type Place = {
  readonly file: EcoffFile;
  readonly layout: Layout;
  readonly moves: ReadonlyMap<string, bigint>;
  readonly section: SectionHeader;
  readonly n: number;
  readonly entry: Relocation;
  readonly oldGp: bigint;
  readonly newGp: bigint;
  /** High-half entry of a low-half entry; null for other entries. */
  readonly high: Relocation | null;
};

function blank({ layout, section, n, entry }: Place): Outcome {
  return {
    n,
    entry,
    newAddress: BigInt.asUintN(64, entry.rVaddr + sectionMove(layout, section)),
    before: null,
    results: null,
    terms: null,
    sites: [],
    stack: null,
    gp: null,
    problem: null,
  };
}

function plainOutcome(place: Place): Outcome {
  const { file, layout, moves, section, entry } = place;
  const outcome = blank(place);
  if (entry.rType === R.gpvalue) return { ...outcome, gp: { old: place.oldGp, new: place.newGp } };
  const isPatched = entry.rType === R.gpdisp || PATCHED.has(entry.rType);
  if (!isPatched) return outcome;

  const pair = sitesToPatch(place);
  if (typeof pair === 'string') return { ...outcome, problem: pair };
  const before = fieldOf(pair.sites);
  if (before === null) return { ...outcome, problem: 'points outside the raw data' };
  const tracked = entry.rType === R.gpdisp ? 0n : trackedValue(file, layout, moves, entry);
  const known = { ...outcome, before, sites: pair.sites };
  if (tracked === null) return { ...known, problem: 'needs a value that is not set' };
  const terms: Terms = {
    rType: entry.rType,
    rExtern: entry.rExtern,
    rVaddr: entry.rVaddr,
    field: before,
    tracked,
    thisOldScnAddr: section.sVaddr,
    thisNewScnAddr: section.sVaddr + sectionMove(layout, section),
    oldGp: place.oldGp,
    newGp: place.newGp,
    isHighFirst: pair.isHighFirst,
    isPartialLink: layout.link === 'partial',
  };
  const results = resultsOf(formulaOf(entry, terms.isPartialLink), terms);
  const isAligned = !BRANCHES.has(entry.rType) || !entry.rExtern || tracked % 4n === 0n;
  const problem = isAligned ? fitProblem(entry, results?.meant ?? 0n) : 'is not a multiple of 4';
  return { ...known, results, terms, problem };
}

const BRANCHES: ReadonlySet<number> = new Set([R.braddr, R.hint]);
const PATCHED: ReadonlySet<number> = new Set([
  ...[R.reflong, R.refquad, R.gprel32, R.literal, R.braddr, R.hint],
  ...[R.srel16, R.srel32, R.srel64, R.gprellow, R.tlsLiteral, R.tlsLow],
]);

/** Returns the sites of an entry; for a pair the high half, then the low half. */
function sitesToPatch(
  place: Place,
): { readonly sites: readonly Site[]; readonly isHighFirst: boolean } | Problem {
  const { file, section, entry, high } = place;
  const sites = sitesOf(file, section, entry);
  if (entry.rType === R.gpdisp) {
    const [first, second] = sites.map((site) => wordAt(file, section, site.vaddr));
    if (first === undefined || second === undefined || first === null || second === null) {
      return 'points outside the raw data';
    }
    const isHighFirst = first >>> 26 === LDAH;
    const [a, b] = [first >>> 26, second >>> 26];
    const isPair = (a === LDAH && b === LDA) || (a === LDA && b === LDAH);
    if (!isPair) return 'does not name an lda and an ldah';
    return { sites: isHighFirst ? sites : [...sites].reverse(), isHighFirst };
  }
  if (entry.rType === R.gprellow || entry.rType === R.tlsLow) {
    if (high === null) return 'has no partner';
    return { sites: [...sitesOf(file, section, high), ...sites], isHighFirst: true };
  }
  return { sites, isHighFirst: true };
}

/** Returns the signed field (of a pair: 65536 * high + low); null if bytes are missing. */
function fieldOf(sites: readonly Site[]): bigint | null {
  let value = 0n;
  for (const { found, bitLength } of sites) {
    if (found === null) return null;
    value = value * 65536n + BigInt.asIntN(bitLength, found.fieldValue);
  }
  return value;
}

/** Width in bits of the signed result, by entry type. Other types have no limit. */
const SIGNED_BITS = new Map<number, number>([
  [R.gprel32, 32],
  [R.literal, 16],
  [R.tlsLiteral, 16],
  [R.gpdisp, 32],
  [R.braddr, 21],
  [R.srel16, 16],
  [R.srel32, 32],
  [R.gprellow, 32],
  [R.tlsLow, 32],
]);

/** Types whose result is split over ldah and lda: the signed low half shifts the range. */
const IN_HALVES: ReadonlySet<number> = new Set([R.gpdisp, R.gprellow, R.tlsLow]);

function fitProblem(entry: Relocation, value: bigint): Problem | null {
  if (entry.rType === R.reflong) {
    // A 32-bit address is valid as a signed or as an unsigned number.
    const fits = BigInt.asIntN(32, value) === value || BigInt.asUintN(32, value) === value;
    return fits ? null : 'does not fit';
  }
  const bits = SIGNED_BITS.get(entry.rType);
  if (bits === undefined) return null;
  const limit = (1n << BigInt(bits - 1)) - (IN_HALVES.has(entry.rType) ? 32768n : 0n);
  return value < limit && BigInt.asIntN(bits, value) === value ? null : 'does not fit';
}

/** Returns the outcome of a stack entry. Stack values that depend on unknown operands are null. */
function stackOutcome(place: Place, stack: (bigint | null)[]): Outcome {
  const { file, layout, moves, entry } = place;
  const outcome = blank(place);
  if (entry.rType === R.opPush && stack.length >= MAX_STACK) {
    return { ...outcome, problem: 'overflows the stack' };
  }
  const top = entry.rType === R.opPush ? null : stack.pop();
  if (top === undefined) return { ...outcome, problem: 'underflows the stack' };
  if (entry.rType === R.opStore) return storeOutcome(place, outcome, top);

  const tracked = trackedValue(file, layout, moves, entry);
  // A local operand is the address in r_vaddr, which moves with its section, or a fixed constant.
  const operand =
    tracked === null ? null : BigInt.asUintN(64, tracked + (entry.rExtern ? 0n : entry.rVaddr));
  const next = entry.rType === R.opPush ? operand : combined(entry, top, operand);
  stack.push(next);
  return {
    ...outcome,
    stack: { operand, top: next },
    problem: operand === null ? 'needs a value that is not set' : null,
  };
}

function storeOutcome(place: Place, outcome: Outcome, value: bigint | null): Outcome {
  const { file, section, entry } = place;
  const sites = sitesOf(file, section, entry);
  const before = sites[0]?.found?.fieldValue ?? null;
  const stored = { ...outcome, before, sites, stack: { operand: null, top: value } };
  if (value === null) return { ...stored, problem: 'needs a value that is not set' };
  return {
    ...stored,
    // For r_size 0, ld leaves the stored bytes unchanged.
    results: { document: value, ld: entry.rSize === 0 ? before : value, meant: value },
    problem: before === null ? 'points outside the raw data' : null,
  };
}

function combined(entry: Relocation, top: bigint | null, operand: bigint | null): bigint | null {
  if (top === null || operand === null) return null;
  return entry.rType === R.opPsub ? BigInt.asUintN(64, top - operand) : shifted(top, operand);
}

/** Shifts without sign, as GNU BFD does; the document does not define the shift. */
function shifted(value: bigint, bits: bigint): bigint {
  return bits > 63n ? 0n : value >> bits;
}

/** Outcomes by layout, computed on request: a view shows about 40 of many thousand entries. */
const outcomes = memoized((_: Layout) => new Map<RelocationTable, Map<number, Outcome>>());

/** Returns the outcome of entry `n` in `layout`; null if the entry does not exist. */
export function outcomeAt(
  file: EcoffFile,
  table: RelocationTable,
  layout: Layout,
  n: number,
): Outcome | null {
  const known = getOrCreate(outcomes(layout), table, () => new Map<number, Outcome>());
  const cached = known.get(n);
  if (cached !== undefined) return cached;
  if (n < 0 || n >= table.count) return null;
  for (const outcome of relocateMembers(file, table, layout, membersWith(file, table, n))) {
    known.set(outcome.n, outcome);
  }
  return known.get(n) ?? null;
}

function membersWith(file: EcoffFile, table: RelocationTable, n: number): readonly number[] {
  if (!isStackType((table.bits[n] ?? 0) & 0xff)) return [n];
  const { groups, groupOf } = tableFacts(file, table);
  return groups[groupOf[n] ?? -1]?.members ?? [n];
}
