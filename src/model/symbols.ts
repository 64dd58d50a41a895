/** ELF symbols of all symbol tables of a file, as columns, in file order. */
import { decodeName } from '#bytes/text.ts';
import { type Columns, newColumns } from './columns.ts';
import type { SymbolIndex } from './ids.ts';

const COLUMNS = {
  /** Offsets into `names`. */
  nameOff: Uint32Array,
  value: BigUint64Array,
  size: BigUint64Array,
  info: Uint8Array,
  other: Uint8Array,
  /** `st_shndx` as stored, before SHN_XINDEX is followed. */
  shndx: Uint16Array,
  /** Section index, with SHN_XINDEX followed; 0 = undefined, -1 = reserved (ABS, COMMON …) or a missing section. */
  section: Int32Array,
  /** Section index of the row's symbol table. */
  table: Uint32Array,
  /** Row number inside its symbol table, as relocations count. */
  indexInTable: Uint32Array,
  /** File offset of each entry; `entrySize` bytes long. */
  entryOffset: Float64Array,
};

export type SymbolTable = Columns<typeof COLUMNS> & {
  readonly count: number;
  /** The linked string tables of all symbol tables, joined. */
  readonly names: Uint8Array;
  readonly entrySize: number;
};

/** Returns a table of `count` empty symbols. `entrySize` is in bytes. */
export function newSymbols(count: number, entrySize: number, names: Uint8Array): SymbolTable {
  return { count, names, entrySize, ...newColumns(COLUMNS, count) };
}

export const NO_SYMBOLS: SymbolTable = newSymbols(0, 24, new Uint8Array(0));

export const SymbolType = { NOTYPE: 0, OBJECT: 1, FUNC: 2, SECTION: 3, FILE: 4, TLS: 6 } as const;

/** Returns the symbol's name; empty for section symbols, which are named like their section. */
export function symbolName(symbols: SymbolTable, index: SymbolIndex): string {
  const off = symbols.nameOff[index];
  return off === undefined ? '' : decodeName(symbols.names, off);
}

/** Returns STT_* of the symbol. */
export function symbolType(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) & 0xf;
}

/** Returns STB_* of the symbol: 0 local, 1 global, 2 weak. */
export function symbolBinding(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) >>> 4;
}
