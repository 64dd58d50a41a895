/** Reads the entries of a relocation section for their evaluation, with their addends. */
import { addTo } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { EM, STB } from '#formats/elf/constants.ts';
import {
  fieldBytes,
  isWholeField,
  type RelocationField,
  sizedField,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { machineRelocations } from '#formats/elf/relocations/tables.ts';
import { type RelocIndex, relocIndex, type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { symbolBinding } from '#model/symbols.ts';
import { addendAtPlace, inPlaceWord, joinedAddend, lowerHalfType } from './addends.ts';
import { relocationOffset } from './by-place.ts';
import { typesOfEntry, writingType } from './names.ts';
import type { RelocationRun } from './sections.ts';

/** An entry before its evaluation. */
export type Entry = {
  readonly reloc: RelocIndex;
  readonly types: readonly RelocationType[];
  readonly type: RelocationType | null;
  readonly field: RelocationField | null;
  readonly offset: bigint;
  readonly symbol: SymbolIndex | null;
  readonly endian: Endian;
  addend: bigint | null;
  pair: Entry | null;
  /** Address of the symbol, where the linker joined its part with an equal one. */
  joined: bigint | null;
};

/** Returns the entries of a relocation section. `bytes` are those of the relocated section. */
export function entriesOf(
  model: ObjectModel,
  run: RelocationRun,
  bytes: Uint8Array,
): readonly Entry[] {
  const entries = Array.from({ length: run.count }, (_, i) => entryOf(model, run.first + i));
  for (const entry of entries) readAddend(model, entry, bytes);
  if (model.machine?.number === EM.mips) joinHalves(model, entries);
  return entries;
}

function entryOf(model: ObjectModel, row: number): Entry {
  const { relocations, addressBits, endian } = model;
  const types = typesOfEntry(model, relocIndex(row));
  const type = writingType(types);
  const field = type?.field ? sizedField(type.field, addressBits) : null;
  const symbol = relocations.symbol[row] ?? -1;
  const isInsn = field !== null && !isWholeField(field) && field.coding !== 'uleb';
  const insnEndian = machineRelocations(model.machine?.number ?? 0)?.insnEndian ?? endian;
  const isExplicit = relocations.addendSource[row] === AddendSource.explicit;
  return {
    reloc: relocIndex(row),
    types,
    type,
    field,
    offset: BigInt(relocationOffset(model, relocIndex(row))),
    symbol: symbol < 0 || relocations.symbolNumber[row] === 0 ? null : symbolIndex(symbol),
    endian: isInsn ? insnEndian : endian,
    addend: isExplicit ? (relocations.addend[row] ?? 0n) : null,
    pair: null,
    joined: null,
  };
}

/** Returns the offset of an entry's place in `bytes`; -1 if it is outside. */
export function placeIn(bytes: Uint8Array, { offset }: Entry): number {
  return offset <= BigInt(bytes.length) ? Number(offset) : -1;
}

/** Sets an addend that is in the place. */
function readAddend(model: ObjectModel, entry: Entry, bytes: Uint8Array): void {
  const { type, field, endian } = entry;
  const machine = model.machine?.number ?? 0;
  if (type === null || field === null) return;
  const first = entry.types[0] ?? type;
  const at = placeIn(bytes, entry);
  if (entry.addend === null) {
    const addend = addendAtPlace(machine, first, first.field ?? field, bytes, at, endian);
    // The field of a jump to a local symbol is an offset in a region of 256 MiB.
    const isOffset = first.check.rule === 'jump' && isLocalSymbol(model, entry.symbol);
    entry.addend = isOffset && addend !== null ? BigInt.asUintN(28, addend) : addend;
  } else if (machine === EM.superh && isWholeField(field) && fieldBytes(field) === 4) {
    // GNU ld adds the word at the place, and for REL32 ignores the addend of the entry.
    const own = type.name === 'R_SH_REL32' ? 0n : entry.addend;
    entry.addend = own + inPlaceWord(bytes, at, endian);
  }
}

/** Returns true if the binding of a symbol is STB_LOCAL. */
export function isLocalSymbol({ symbols }: ObjectModel, symbol: SymbolIndex | null): boolean {
  return symbol !== null && symbolBinding(symbols, symbol) === STB.local;
}

/** Joins the addends of REL entries of MIPS that hold one half each. */
function joinHalves(model: ObjectModel, entries: readonly Entry[]): void {
  const open = new Map<string, Entry[]>();
  const low = new Map<string, Entry>();
  const { relocations } = model;
  for (const entry of entries) {
    const isImplicit = relocations.addendSource[entry.reloc] !== AddendSource.explicit;
    if (!isImplicit || entry.addend === null) continue;
    const number = entry.types[0]?.number ?? -1;
    const wanted = lowerHalfType(EM.mips, number, isLocalSymbol(model, entry.symbol));
    if (wanted !== null) {
      addTo(open, `${wanted} ${entry.symbol}`, entry);
      continue;
    }
    const key = `${number} ${entry.symbol}`;
    for (const high of open.get(key) ?? []) join(high, entry);
    if (open.delete(key) || !low.has(key)) low.set(key, entry);
  }
  // A half without a later partner uses an earlier one, as lld does; else its own bits only.
  for (const [key, halves] of open) for (const high of halves) join(high, low.get(key) ?? null);
}

/** Joins the addends of an upper half and its lower half. */
function join(high: Entry, low: Entry | null): void {
  if (high.addend === null) return;
  const bits = high.field !== null && high.field.adjust !== 0n ? high.addend >> 16n : high.addend;
  high.addend = joinedAddend(bits, low?.addend ?? 0n);
  high.pair = low;
}

/** Returns true for types that change what other entries wrote at the same place. */
export function isAccumulating({ type }: Entry): boolean {
  return /^R_(?:RISCV|LARCH)_(?:ADD|SUB|SET)(?:\d+|_ULEB128)$/.test(type?.name ?? '');
}
