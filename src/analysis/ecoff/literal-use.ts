/**
 * Linker relaxation of a literal and its uses: Tru64 UNIX Object File Specification, 4.3.4.6 and
 * 4.3.4.7. The prologue of a called function is assumed to have length 0.
 */
import type { Rewriting } from '#analysis/objects/relocation-facts.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { LITUSE, R, type RelocationTable, relocationAt } from '#formats/ecoff/relocations.ts';
import { type Group, tableFacts } from './groups.ts';
import { headerGp, type Layout, sectionMove } from './layout.ts';
import { halvesOf } from './patch.ts';
import { LDAH, relocateMembers } from './relocate.ts';
import type { EntryRow } from './rows.ts';
import { sitesOf, wordAt } from './sites.ts';

/** Instruction before and after relaxation; `after` is null for an unchanged instruction. */
export type Rewrite = {
  /** Index of the instruction's entry in the relocation table. */
  readonly n: number;
  /** Address of the instruction in the layout. */
  readonly address: bigint;
  readonly before: number;
  readonly after: number | null;
};

export type LiteralUse = {
  /**
   * `gp16`: one instruction reaches the datum from gp. `gp32`: an ldah replaces the load. `branch`:
   * a bsr replaces the jump. `several`: only the uses in range change. `none`: the distance is too
   * large for any change.
   */
  readonly kind: 'gp16' | 'gp32' | 'branch' | 'several' | 'none';
  /** `new_lit`: content of the literal's slot in .lita after relocation. */
  readonly literal: bigint;
  readonly rewrites: readonly Rewrite[];
};

const UNOP = 0x2ffe0000;
const BSR = 0x34;
const GP_REGISTER = 29;

/** Returns the relaxation of a `literal` group; null if instructions or slot are missing. */
export function literalUseOf(
  file: EcoffFile,
  table: RelocationTable,
  group: Group,
  layout: Layout,
): LiteralUse | null {
  const section = file.sections[table.section];
  const [first] = group.members;
  if (section === undefined || first === undefined) return null;
  const [load] = relocateMembers(file, table, layout, [first]);
  if (load === undefined || load.before === null) return null;
  const delta = BigInt(tableFacts(file, table).gpDelta[first] ?? 0);
  const literal = literalAt(file, layout, headerGp(file) + delta + load.before);
  if (literal === null) return null;

  const rewrites: Rewrite[] = [];
  for (const n of group.members) {
    const { rVaddr } = relocationAt(table, n);
    const word = wordAt(file, section, rVaddr);
    if (word === null) return null;
    rewrites.push({ n, address: rVaddr + sectionMove(layout, section), before: word, after: null });
  }
  return choose(table, literal, layout.gp + delta, rewrites);
}

function choose(
  table: RelocationTable,
  literal: bigint,
  gp: bigint,
  rewrites: readonly Rewrite[],
): LiteralUse {
  const [load, ...uses] = rewrites;
  const none: LiteralUse = { kind: 'none', literal, rewrites };
  const [only] = uses;
  if (load === undefined || only === undefined) return none;
  if (uses.length > 1) {
    const after = uses.map((use) => nearUse(table, use, literal, gp) ?? use);
    if (after.every((use) => use.after === null)) return none;
    return { kind: 'several', literal, rewrites: [load, ...after] };
  }
  const near = nearUse(table, only, literal, gp);
  if (near !== null) {
    const kind = subtypeOf(table, only) === LITUSE.jsr ? 'branch' : 'gp16';
    return { kind, literal, rewrites: [{ ...load, after: UNOP }, near] };
  }
  if (subtypeOf(table, only) !== LITUSE.base) return none;
  const far = farBase(load, only, literal, gp);
  return far === null ? none : { kind: 'gp32', literal, rewrites: far };
}

function subtypeOf(table: RelocationTable, use: Rewrite): number {
  return relocationAt(table, use.n).rSymndx;
}

/** Returns a use as one instruction without the literal; null if the target is out of range. */
function nearUse(
  table: RelocationTable,
  use: Rewrite,
  literal: bigint,
  gp: bigint,
): Rewrite | null {
  switch (subtypeOf(table, use)) {
    case LITUSE.base: {
      const distance = baseDistance(use, literal, gp);
      if (BigInt.asIntN(16, distance) !== distance) return null;
      return { ...use, after: withBase(use.before, GP_REGISTER, distance) };
    }
    case LITUSE.jsr: {
      const displacement = (literal - (use.address + 4n)) >> 2n;
      if (BigInt.asIntN(21, displacement) !== displacement) return null;
      const branch = ((BSR << 26) | (use.before & 0x03e00000)) >>> 0;
      return { ...use, after: (branch | Number(BigInt.asUintN(21, displacement))) >>> 0 };
    }
    default:
      return null;
  }
}

/** Returns the distance from gp to the datum, including the instruction's signed low 16 bits. */
function baseDistance(use: Rewrite, literal: bigint, gp: bigint): bigint {
  return literal + BigInt((use.before << 16) >> 16) - gp;
}

/** Returns load and use as an ldah and an instruction with the low half; null beyond 32 bits. */
function farBase(
  load: Rewrite,
  use: Rewrite,
  literal: bigint,
  gp: bigint,
): readonly Rewrite[] | null {
  const distance = baseDistance(use, literal, gp);
  if (BigInt.asIntN(32, distance + 32768n) !== distance + 32768n) return null;
  const { high, low } = halvesOf(distance);
  const register = (load.before >>> 21) & 31;
  const ldah = ((LDAH << 26) | (register << 21) | (GP_REGISTER << 16) | Number(high)) >>> 0;
  return [
    { ...load, after: ldah },
    { ...use, after: withBase(use.before, register, low) },
  ];
}

function withBase(word: number, register: number, displacement: bigint): number {
  const low = Number(BigInt.asUintN(16, displacement));
  return ((word & 0xffe00000) | (register << 16) | low) >>> 0;
}

/** Returns a slot's content after relocation; `slot` is its old address. null if unknown. */
function literalAt(file: EcoffFile, layout: Layout, slot: bigint): bigint | null {
  for (const table of file.relocations) {
    const section = file.sections[table.section];
    if (section?.name !== '.lita') continue;
    const n = slotEntry(table, slot);
    if (n >= 0) return relocateMembers(file, table, layout, [n])[0]?.results?.meant ?? null;
    const raw = sitesOf(file, section, {
      ...relocationAt(table, 0),
      rVaddr: slot,
      rType: R.refquad,
    });
    return raw[0]?.found?.fieldValue ?? null;
  }
  return null;
}

/** Returns the index of the entry that patches the slot, or -1. */
function slotEntry(table: RelocationTable, slot: bigint): number {
  for (let n = 0; n < table.count; n++) {
    if (table.rVaddr[n] === slot && relocationAt(table, n).rType === R.refquad) return n;
  }
  return -1;
}

const WORDS: Readonly<Record<LiteralUse['kind'], string>> = {
  gp16: 'The datum lies within 16 bits of gp: the use addresses it from gp, and the load is not needed. The linker does so from -O1 on, in a final link, and makes the LITUSE an IMMED GP16.',
  gp32: 'The datum lies within 32 bits of gp: an ldah replaces the load and saves a memory access.',
  branch:
    'The procedure is in branch range. Three actions are possible: a bsr replaces the jump, it skips the prologue if the callee needs no gp, and the load is removed. The prologue is kept here. Not for weak symbols in a dynamic executable, hidden ones in a shared library, or unresolved ones.',
  several:
    'The uses in range no longer need the loaded address. The load stays: other LITUSE entries allow a bsr and the skip of a prologue, but not the removal of the load. A tool that proves the register dead afterwards could remove it too.',
  none: 'No relaxation: the target is too far away in this layout.',
};

/** Returns the relaxation of the entry's group in `layout`, or null. */
export function rewritingOf(row: EntryRow, layout: Layout): Rewriting | null {
  const { file, table, n } = row;
  const { groups, groupOf } = tableFacts(file, table);
  const group = groups[groupOf[n] ?? -1];
  if (group?.kind !== 'literal' || group.members.length < 2) return null;
  const use = literalUseOf(file, table, group, layout);
  if (use === null) return null;
  return {
    words: WORDS[use.kind],
    insns: use.rewrites.map(({ address, before, after }) => ({ address, before, after })),
  };
}
