/**
 * Finds the target of a relocation entry. The target is the symbol; for a section symbol it is the
 * static variable or function at S + A. Source: "BPF LLVM Relocations", section "Relocation
 * Record": for static variables and functions the instruction has the section offset as A.
 */
import { variableAt } from '#analysis/types/datasecs.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { nameOf } from '#model/type-table.ts';
import { holdsMaps, holdsStrings } from './section-role.ts';
import { symbolAt, symbolDistance } from './symbol-places.ts';

export type RelocationTarget = {
  /** Name of the target, not escaped. */
  readonly name: string;
  readonly what: 'function' | 'variable' | 'section' | 'extern' | 'map' | 'string';
  /** Section of the target; null if this file does not define the target. */
  readonly section: SectionIndex | null;
  /** S + A, in bytes from the start of the section. */
  readonly offset: bigint;
};

/** Returns the target of an entry, or null for a symbol without section and name. */
export function relocationTarget(
  model: ObjectModel,
  symbol: SymbolIndex,
  addend: bigint,
): RelocationTarget | null {
  const { symbols } = model;
  const inSection = symbols.section[symbol] ?? 0;
  const name = symbolName(symbols, symbol);
  if (inSection <= 0) {
    return name === '' ? null : { name, what: 'extern', section: null, offset: addend };
  }
  const section = sectionIndex(inSection);
  const offset = symbolDistance(model, symbol) + addend;
  return symbolType(symbols, symbol) === SymbolType.SECTION
    ? inSectionAt(model, section, offset)
    : { name, what: symbolRole(model, symbol, section), section, offset };
}

function symbolRole(
  model: ObjectModel,
  symbol: SymbolIndex,
  section: SectionIndex,
): RelocationTarget['what'] {
  if (holdsMaps(model, section)) return 'map';
  const type = symbolType(model.symbols, symbol);
  if (type === SymbolType.FUNC) return 'function';
  return type === SymbolType.NOTYPE && isCode(model.sections, section) ? 'function' : 'variable';
}

function inSectionAt(model: ObjectModel, section: SectionIndex, offset: bigint): RelocationTarget {
  const name = sectionName(model.sections, section);
  const at = Number(offset);
  const symbol = symbolAt(model, section, at);
  if (symbol !== null) {
    const what = symbolRole(model, symbol, section);
    return { name: symbolName(model.symbols, symbol), what, section, offset };
  }
  const variable = model.types === null ? null : variableAt(model.types, name, at);
  const variableName = variable && model.types && nameOf(model.types, variable.type);
  if (variableName) return { name: variableName, what: 'variable', section, offset };
  return { name, what: holdsStrings(model, section) ? 'string' : 'section', section, offset };
}
