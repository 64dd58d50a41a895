/** What llvm-objdump names the places of a code section after. */
import { sectionBase } from '#analysis/objects/symbol-places.ts';
import { type SectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';

export type Label = {
  /** Bytes from the start of the section. */
  readonly offset: number;
  readonly name: string;
  /** Is what follows data, which is dumped and not decoded? */
  readonly data: boolean;
};

/**
 * The labels of a section by their place, one a place: of several symbols the
 * last by name. Where none stands at the start, the section's name does.
 */
export function labelsOf(model: ObjectModel, section: SectionIndex): readonly Label[] {
  const { symbols } = model;
  const base = sectionBase(model, section);
  const found: Label[] = [];
  for (let row = 0; row < symbols.count; row++) {
    if (symbols.section[row] !== section) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    const name = symbolName(symbols, symbol);
    if (name === '' || type === SymbolType.SECTION || type === SymbolType.FILE) continue;
    const offset = Number((symbols.value[row] ?? 0n) - base);
    found.push({ offset, name, data: type === SymbolType.OBJECT });
  }
  found.sort((a, b) => a.offset - b.offset || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (found[0]?.offset !== 0) {
    found.unshift({ offset: 0, name: sectionName(model.sections, section), data: false });
  }
  return found.filter(({ offset }, i) => offset !== found[i + 1]?.offset);
}

/**
 * ` <name+0x8>` of a jump to byte `target` of the section. A place before the
 * section counts as one far behind it, since the tool's addresses have no sign.
 */
export function labelText(labels: readonly Label[], target: number): string {
  let low = 0;
  let high = target < 0 ? labels.length : 0;
  if (target >= 0) {
    high = labels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((labels[middle]?.offset ?? 0) <= target) low = middle + 1;
      else high = middle;
    }
  }
  const label = labels[high - 1];
  if (label === undefined) return '';
  const distance = BigInt.asUintN(64, BigInt(target) - BigInt(label.offset));
  return ` <${label.name}${distance === 0n ? '' : `+0x${distance.toString(16)}`}>`;
}
