/** Input and results of the evaluation of relocation entries. */
import type { Endian } from '#bytes/span.ts';
import type { RelocationField } from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import type { RelocIndex, SymbolIndex } from '#model/ids.ts';
import type { Overflow, ValueRange } from './checks.ts';

/** Kinds of GOT entries in formulas. */
export const SLOTS = [
  'GE',
  'GTPR',
  'GTLSGD',
  'GTLSLD',
  'GDTPR',
  'GDESC',
  'GOTPAGE',
  'PLTE',
] as const;

export type Slot = (typeof SLOTS)[number];

/** A request for the address of a GOT entry or a PLT slot. */
export type SlotRequest = {
  readonly slot: Slot;
  readonly symbol: SymbolIndex | null;
  /** S and A; null if unknown. */
  readonly s: bigint | null;
  readonly a: bigint;
  /** True if the entry may hold the address of a page with the symbol. */
  readonly isPaged: boolean;
  /** Returns how many places of the linked file hold what the entry at this address gives. */
  readonly score: (entry: bigint) => number;
};

/** Addresses of a link. Each function returns null for an unknown address. */
export type LinkAddresses = {
  /** Returns the address of byte `offset` of a section of the object. */
  readonly place: (section: number, offset: bigint) => bigint | null;
  /** Returns the address of a symbol; for Thumb functions with bit 0. */
  readonly symbol: (symbol: SymbolIndex) => bigint | null;
  /**
   * Returns the address of a symbol in a section whose equal parts the linker joined; null for other
   * symbols. That of a section symbol depends on the addend.
   */
  readonly joinedSymbol: (symbol: SymbolIndex, addend: bigint) => bigint | null;
  /** Returns the size of a symbol in bytes. */
  readonly size: (symbol: SymbolIndex) => bigint | null;
  /** Returns the address of a base: `GOT`, `TOC`, `GP`, `TPB`, `DTPB`, `SDA`, `SB`. */
  readonly base: (name: string, symbol: SymbolIndex | null) => bigint | null;
  readonly slot: (request: SlotRequest) => bigint | null;
  /** Returns the distance in bytes from a function to the entry point of calls in its module. */
  readonly localEntry: (symbol: SymbolIndex) => bigint;
  /** Returns the bytes of a place in the linked file. */
  readonly linkedBytes: (section: number, offset: bigint, length: number) => Uint8Array | null;
  /** Returns the entry that the dynamic linker applies to a place, as text; null if there is none. */
  readonly dynamic: (section: number, offset: bigint) => string | null;
};

export type EvaluatedRelocation = {
  readonly reloc: RelocIndex;
  /** Types of the entry: one, or up to three in MIPS64. */
  readonly types: readonly RelocationType[];
  /** Type that writes: the last one of MIPS64. Null if no type of the entry is known. */
  readonly type: RelocationType | null;
  /** Formula of the whole entry without spaces; empty if there is none or it is unknown. */
  readonly formula: string;
  readonly a: bigint | null;
  readonly s: bigint | null;
  readonly p: bigint | null;
  /** Values of the formula's terms; null for unknown ones. */
  readonly terms: ReadonlyMap<string, bigint | null>;
  /** Result; of a group, the result after its last entry. */
  readonly value: bigint | null;
  readonly field: RelocationField | null;
  /** Byte order of the place. */
  readonly endian: Endian;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly range: ValueRange | null;
  readonly overflow: Overflow | null;
  /** Second place of Alpha's GPDISP. */
  readonly second: SecondPlace | null;
  /** Entries that are applied to one place one after another; null for other entries. */
  readonly group: readonly RelocIndex[] | null;
  /** Entry with the other half of the addend or the value; null for other entries. */
  readonly pair: RelocIndex | null;
  /** Why the value is unknown; empty if it is known or if there is none by design. */
  readonly why: string;
};

export type SecondPlace = {
  readonly offset: bigint;
  readonly before: Uint8Array;
  readonly after: Uint8Array | null;
};
