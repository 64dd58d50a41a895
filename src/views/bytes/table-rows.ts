/** Which row of a table of the file a byte belongs to: symbol, relocation entry, section header, record of .BTF.ext. */
import {
  type CoreIndex,
  coreIndex,
  type RelocIndex,
  relocIndex,
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

export type TableRow =
  | { readonly kind: 'section-header'; readonly section: SectionIndex }
  | { readonly kind: 'symbol'; readonly symbol: SymbolIndex }
  | { readonly kind: 'relocation-entry'; readonly reloc: RelocIndex }
  | { readonly kind: 'core-record'; readonly core: CoreIndex }
  | { readonly kind: 'func-record' | 'line-record'; readonly row: number };

/** The row whose bytes hold `fileOffset`, `section` being the section around it; null where none does. */
export function tableRowAt(
  model: ObjectModel,
  section: SectionIndex | null,
  fileOffset: number,
): TableRow | null {
  if (section === null) return sectionHeaderAt(model, fileOffset);
  const { symbols, relocations, ext } = model;
  const symbol = rowIn(symbols.table, symbols.entryOffset, section, fileOffset);
  if (symbol !== null && fileOffset < (symbols.entryOffset[symbol] ?? 0) + symbols.entrySize) {
    return { kind: 'symbol', symbol: symbolIndex(symbol) };
  }
  const reloc = rowIn(relocations.relSection, relocations.entryOffset, section, fileOffset);
  if (reloc !== null) {
    const end = (relocations.entryOffset[reloc] ?? 0) + (relocations.entrySize[reloc] ?? 0);
    if (fileOffset < end) return { kind: 'relocation-entry', reloc: relocIndex(reloc) };
  }
  const core = recordAt(ext.core, fileOffset);
  if (core !== null) return { kind: 'core-record', core: coreIndex(core) };
  const func = recordAt(ext.func, fileOffset);
  if (func !== null) return { kind: 'func-record', row: func };
  const line = recordAt(ext.line, fileOffset);
  return line === null ? null : { kind: 'line-record', row: line };
}

function sectionHeaderAt(model: ObjectModel, fileOffset: number): TableRow | null {
  const { headerOffset, headerSize, count } = model.sections;
  if (count === 0 || headerSize === 0) return null;
  const row = Math.floor((fileOffset - (headerOffset[0] ?? 0)) / headerSize);
  return row >= 0 && row < count ? { kind: 'section-header', section: sectionIndex(row) } : null;
}

const runs = new WeakMap<object, Map<number, number>>();

/** Rows of one table stand together and in the order of the file: where each table begins. */
function firstRows(owner: Uint32Array): Map<number, number> {
  let first = runs.get(owner);
  if (first === undefined) {
    first = new Map();
    for (let row = 0; row < owner.length; row++) {
      const table = owner[row] ?? 0;
      if (row === 0 || owner[row - 1] !== table) first.set(table, row);
    }
    runs.set(owner, first);
  }
  return first;
}

/** The last row of `table` that begins at or before `fileOffset`; null where there is none. */
function rowIn(
  owner: Uint32Array,
  entryOffset: Float64Array,
  table: number,
  fileOffset: number,
): number | null {
  const first = firstRows(owner).get(table);
  if (first === undefined) return null;
  let low = first;
  let high = owner.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBehind = owner[middle] !== table || (entryOffset[middle] ?? 0) > fileOffset;
    if (isBehind) high = middle;
    else low = middle + 1;
  }
  return low === first ? null : low - 1;
}

type Records = {
  readonly count: number;
  readonly recordOffset: Float64Array;
  readonly recordSize: number;
};

function recordAt({ count, recordOffset, recordSize }: Records, fileOffset: number): number | null {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((recordOffset[middle] ?? 0) <= fileOffset) low = middle + 1;
    else high = middle;
  }
  const start = recordOffset[low - 1];
  return start !== undefined && fileOffset < start + recordSize ? low - 1 : null;
}
