/** ELF symbols of all symbol tables of a file, as columns, in file order. */
import { decodeName } from '#bytes/text.ts';
import type { SymbolIndex } from './ids.ts';

export type SymbolTable = {
  readonly count: number;
  /** Offsets into `names`, which joins the string tables that the symbol tables link to. */
  readonly nameOff: Uint32Array;
  readonly names: Uint8Array;
  readonly value: BigUint64Array;
  readonly size: BigUint64Array;
  readonly info: Uint8Array;
  readonly other: Uint8Array;
  /** `st_shndx` as stored, before SHN_XINDEX is followed. */
  readonly shndx: Uint16Array;
  /** The section, with SHN_XINDEX followed; 0 = undefined, -1 = reserved (ABS, COMMON …) or no such section. */
  readonly section: Int32Array;
  /** The section index of the symbol table that each row came from. */
  readonly table: Uint32Array;
  /** Row number inside its own symbol table, as relocations count. */
  readonly indexInTable: Uint32Array;
  /** File offset of each entry; `entrySize` bytes long. */
  readonly entryOffset: Float64Array;
  readonly entrySize: number;
};

/** A table of `count` symbols, to be filled. `entrySize` in bytes. */
export function newSymbols(count: number, entrySize: number, names: Uint8Array): SymbolTable {
  return {
    count,
    nameOff: new Uint32Array(count),
    names,
    value: new BigUint64Array(count),
    size: new BigUint64Array(count),
    info: new Uint8Array(count),
    other: new Uint8Array(count),
    shndx: new Uint16Array(count),
    section: new Int32Array(count),
    table: new Uint32Array(count),
    indexInTable: new Uint32Array(count),
    entryOffset: new Float64Array(count),
    entrySize,
  };
}

export const NO_SYMBOLS: SymbolTable = newSymbols(0, 24, new Uint8Array(0));

export const SymbolType = { NOTYPE: 0, OBJECT: 1, FUNC: 2, SECTION: 3, FILE: 4, TLS: 6 } as const;

/** The symbol's own name; empty for section symbols, whose name is that of their section. */
export function symbolName(symbols: SymbolTable, index: SymbolIndex): string {
  const off = symbols.nameOff[index];
  return off === undefined ? '' : decodeName(symbols.names, off);
}

/** STT_* of the symbol. */
export function symbolType(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) & 0xf;
}

/** STB_* of the symbol: 0 local, 1 global, 2 weak. */
export function symbolBinding(symbols: SymbolTable, index: SymbolIndex): number {
  return (symbols.info[index] ?? 0) >>> 4;
}
