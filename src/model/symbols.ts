/** Symbols of all symbol tables of a file as columns, in file order. */
import { decodeName } from '#bytes/text.ts';
import { type Columns, newColumns } from './columns.ts';
import type { SymbolIndex } from './ids.ts';

const COLUMNS = {
  /** Offset of the symbol name in `names`. */
  nameOff: Uint32Array,
  value: BigUint64Array,
  size: BigUint64Array,
  info: Uint8Array,
  other: Uint8Array,
  /** Field `st_shndx` as stored. */
  shndx: Uint16Array,
  /** Section index (also for SHN_XINDEX); 0 for undefined, -1 for reserved or missing sections. */
  section: Int32Array,
  /** Index of the section that contains the symbol table of the symbol. */
  table: Uint32Array,
  /** Number of the symbol in its symbol table. Relocations use the number. */
  indexInTable: Uint32Array,
  /** File offset of the symbol table entry, which has `entrySize` bytes. */
  entryOffset: Float64Array,
};

export type SymbolTable = Columns<typeof COLUMNS> & {
  readonly count: number;
  /** String tables of all symbol tables, joined. */
  readonly names: Uint8Array;
  readonly entrySize: number;
};

/** Returns a table of `count` empty symbols. `entrySize` is in bytes. */
export function newSymbols(count: number, entrySize: number, names: Uint8Array): SymbolTable {
  return { count, names, entrySize, ...newColumns(COLUMNS, count) };
}

export const NO_SYMBOLS: SymbolTable = newSymbols(0, 24, new Uint8Array(0));

export const SymbolType = { NOTYPE: 0, OBJECT: 1, FUNC: 2, SECTION: 3, FILE: 4, TLS: 6 } as const;

/** Returns the name of a symbol; empty for a section symbol, whose name is that of the section. */
export function symbolName(symbols: SymbolTable, index: SymbolIndex): string {
  const off = symbols.nameOff[index];
  return off === undefined ? '' : decodeName(symbols.names, off);
}

/** Returns the type of a symbol (STT_*). */
export function symbolType(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) & 0xf;
}

/** Returns the binding of a symbol (STB_*): 0 local, 1 global, 2 weak. */
export function symbolBinding(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) >>> 4;
}
