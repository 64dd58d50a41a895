/** Rows of the table of symbols. */
import { symbolText } from '#analysis/objects/section-text.ts';
import { type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { symbolName } from '#model/symbols.ts';

export type SymbolRow = {
  readonly index: number;
  /** Raw text. */
  readonly name: string;
  readonly value: bigint;
  readonly type: string;
  readonly place: string;
};

/** Symbols that lie in no section, so that no view of a section shows them. */
export function hasLooseSymbols({ symbols }: ObjectModel): boolean {
  return symbols.count > 0 && symbols.table.every((section) => section === 0);
}

/** One symbol, ready to be drawn. */
function symbolRow(model: ObjectModel, symbol: SymbolIndex): SymbolRow {
  const { symbols } = model;
  return {
    index: symbol,
    name: symbolName(symbols, symbol),
    value: symbols.value[symbol] ?? 0n,
    ...symbolText(model, symbol),
  };
}

/** The row with this number; undefined outside. */
export function symbolRowAt(model: ObjectModel, index: number): SymbolRow | undefined {
  return index < model.symbols.count ? symbolRow(model, symbolIndex(index)) : undefined;
}
