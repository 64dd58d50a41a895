/** Finds the offset of a symbol in its section, and the symbol at an offset. */
import { Derived, type Run, type Steps } from '#bytes/long-work.ts';
import { type SectionIndex, type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { type PlaceIndex, placeIndexSteps, rowFrom } from './place-index.ts';

/** Returns the address of the start of `section`: 0 in ELF object files. eCOFF symbols have addresses. */
export function sectionBase(model: ObjectModel, section: number): bigint {
  return model.fileType === 'relocatable' && model.format === 'elf'
    ? 0n
    : (model.sections.addr[section] ?? 0n);
}

/** Returns a symbol's offset in bytes in its section; it may be outside the section in damaged files. */
export function symbolOffset(model: ObjectModel, symbol: SymbolIndex): number {
  return Number(symbolDistance(model, symbol));
}

/** Returns `symbolOffset` exactly: in damaged files it has up to 64 bits. */
export function symbolDistance(model: ObjectModel, symbol: SymbolIndex): bigint {
  const section = model.symbols.section[symbol] ?? 0;
  return (model.symbols.value[symbol] ?? 0n) - sectionBase(model, section);
}

/** Index of named functions, variables and labels, without section and file symbols. */
const namedSymbols = new Derived((model: ObjectModel): Steps<PlaceIndex> => {
  const { symbols } = model;
  return placeIndexSteps(
    symbols.count,
    model.sections.count,
    (row) => {
      const type = symbolType(symbols, symbolIndex(row));
      const named = (symbols.nameOff[row] ?? 0) !== 0;
      const counts = named && type !== SymbolType.SECTION && type !== SymbolType.FILE;
      const section = symbols.section[row] ?? -1;
      return counts && section > 0 ? section : -1;
    },
    (row) => symbolOffset(model, symbolIndex(row)),
  );
});

/** Returns the resumable computation of the index for `symbolAt`, which visits all symbols. */
export function namedSymbolsRun(model: ObjectModel): Run<unknown> {
  return namedSymbols.runOf(model);
}

/** Maximum number of symbols before an offset that are checked for whether they cover it. */
const MAX_LOOKBACK = 64;

/**
 * Returns the symbol that begins at `offset` bytes of `section`, functions and variables before
 * labels; else a symbol whose size covers the offset; else null.
 */
export function symbolAt(
  model: ObjectModel,
  section: SectionIndex,
  offset: number,
): SymbolIndex | null {
  const { symbols } = model;
  const index = namedSymbols.of(model);
  const { rows, offsets, starts } = index;
  const after = rowFrom(index, section, offset + 1);
  const first = Math.max(starts[section] ?? 0, after - MAX_LOOKBACK);
  let label: SymbolIndex | null = null;
  for (let at = after - 1; at >= first; at--) {
    const symbol = symbolIndex(rows[at] ?? 0);
    if (symbolName(symbols, symbol) === '') continue;
    const start = offsets[at] ?? 0;
    const isLabel = symbolType(symbols, symbol) === SymbolType.NOTYPE;
    const covers = start === offset || start + Number(symbols.size[symbol] ?? 0n) > offset;
    if (covers && !isLabel) return symbol;
    if (covers) label ??= symbol;
  }
  return label;
}
