/** Where symbols lie, and which symbol lies at a place. */
import { Derived, type Run, type Steps } from '#bytes/steps.ts';
import { type SectionIndex, type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { type PlaceIndex, placeIndexSteps, rowFrom } from './place-index.ts';

/** `e_type` as the model names it where offsets count from the start of sections. */
const RELOCATABLE = 'relocatable';

/** What to take off an address to get an offset in `section`: nothing in an ELF object file. In eCOFF every value is an address. */
export function sectionBase(model: ObjectModel, section: number): bigint {
  return model.fileType === RELOCATABLE && model.format === 'elf'
    ? 0n
    : (model.sections.addr[section] ?? 0n);
}

/** Bytes from the start of its section to the symbol; below 0 or past its end where the file says so. */
export function symbolOffset(model: ObjectModel, symbol: SymbolIndex): number {
  const section = model.symbols.section[symbol] ?? 0;
  return Number((model.symbols.value[symbol] ?? 0n) - sectionBase(model, section));
}

/** Functions, variables and labels with a name; no section and file symbols. */
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

/** The work that `symbolAt` waits for: it goes over all symbols. */
export function namedSymbolsRun(model: ObjectModel): Run<unknown> {
  return namedSymbols.runOf(model);
}

/** Symbols that begin before the place but end before it, too, are passed over; no more than these. */
const MAX_LOOKBACK = 64;

/**
 * The symbol at `offset` bytes of `section`: one that begins there, a function or
 * variable before a label, else one whose size reaches over it. Null where none does.
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
