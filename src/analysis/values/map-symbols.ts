/** Symbols that stand on a map's definition. */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';

/** What a symbol says of a map by itself. */
export type MapSymbol = {
  /** Raw text. */
  readonly name: string;
  readonly symbol: SymbolIndex;
  readonly sectionIndex: SectionIndex;
  /** Bytes from the start of the section. */
  readonly byteOffset: number;
  readonly byteSize: number;
  readonly linkage: 'static' | 'global';
};

/** Those with a name in the sections called `wanted` of a BPF object, by place in the symbol table. */
export function mapSymbols(model: ObjectModel, wanted: '.maps' | 'maps'): MapSymbol[] {
  const { symbols, sections } = model;
  const wantedSections = new Set<number>(isBpf(model) ? loaderSections.of(sections)[wanted] : []);
  const found: MapSymbol[] = [];
  for (let row = 0; wantedSections.size > 0 && row < symbols.count; row++) {
    const section = symbols.section[row] ?? 0;
    if (!wantedSections.has(section)) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    if (type !== SymbolType.OBJECT && type !== SymbolType.NOTYPE) continue;
    const name = symbolName(symbols, symbol);
    if (name === '') continue;
    found.push({
      name,
      symbol,
      sectionIndex: sectionIndex(section),
      byteOffset: symbolOffset(model, symbol),
      byteSize: Number(symbols.size[symbol] ?? 0n),
      linkage: symbolBinding(symbols, symbol) === 0 ? 'static' : 'global',
    });
  }
  return found;
}
