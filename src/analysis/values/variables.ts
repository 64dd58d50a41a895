/**
 * Lists the variables of an object with offset, type and initial value. The offset of a global
 * variable comes from the symbol table, as in libbpf (`btf_fixup_datasec`): compilers write 0 in
 * BTF. Symbols without BTF are variables without a type.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { addTo } from '#bytes/cache.ts';
import { Derived, isRest, type Run, type Steps } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { STB } from '#formats/elf/constants.ts';
import {
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, type TypeTable, varLinkage } from '#model/type-table.ts';
import { decodeValue, type Value } from './decode.ts';
import {
  type InitialBytes,
  initialBytes,
  pointerTarget,
  type SectionBytes,
} from './object-data.ts';

export type Linkage = 'static' | 'global' | 'weak' | 'extern';

export type Variable = {
  /** Name of the variable, not escaped. */
  readonly name: string;
  /** Name of the DATASEC or section, not escaped. */
  readonly section: string;
  /** Index of this section; null if the file does not have it, as for `.ksyms` and `.kconfig`. */
  readonly sectionIndex: SectionIndex | null;
  readonly symbol: SymbolIndex | null;
  /** VAR of the variable; null for a symbol without BTF. */
  readonly varId: TypeId | null;
  /** Type of the VAR; null for a symbol without BTF. */
  readonly type: TypeId | null;
  /** Offset in bytes from the start of the section; null for an undefined variable. */
  readonly byteOffset: number | null;
  readonly byteSize: number;
  readonly linkage: Linkage;
};

/** C storage class by linkage, with a space at the end. */
export const STORAGE_CLASS: Readonly<Record<Linkage, string>> = {
  static: 'static ',
  global: '',
  weak: '__weak ',
  extern: 'extern ',
};

/** Name of the section with map definitions. */
const MAPS = '.maps';

/**
 * Returns all variables except maps: first the variables of BTF by DATASEC, then data symbols
 * without BTF in BPF objects. Externs (`.ksyms`, `.kconfig`) are included.
 */
export function variablesOf(model: ObjectModel): Variable[] {
  const symbols = dataSymbols(model);
  const found: Variable[] = [];
  const seen = new Set<SymbolIndex>();
  const t = model.types;
  if (t !== null) {
    for (const variable of btfVariables(model, t, symbols)) {
      if (variable.symbol !== null) seen.add(variable.symbol);
      if (variable.section !== MAPS) found.push(variable);
    }
  }
  return [...found, ...untyped(model, symbols, seen)];
}

/** Returns the variables of `.maps` in BTF order. Each defines a map. */
export function mapVariables(model: ObjectModel): Variable[] {
  const t = model.types;
  if (t === null) return [];
  return [...btfVariables(model, t, dataSymbols(model), MAPS)];
}

type DataSymbol = {
  readonly symbol: SymbolIndex;
  readonly name: string;
  readonly section: SectionIndex;
  readonly byteOffset: number;
  readonly isLocal: boolean;
};

type DataSymbols = {
  readonly all: readonly DataSymbol[];
  /** Data symbols by section and name. `byPlace` has them by section and offset. */
  readonly byName: ReadonlyMap<string, readonly DataSymbol[]>;
  readonly byPlace: ReadonlyMap<string, DataSymbol>;
  /** First section with each name. */
  readonly sections: ReadonlyMap<string, SectionIndex>;
  /** Names of undefined symbols. */
  readonly undefinedNames: ReadonlySet<string>;
};

const known = new Derived(findSymbols);

function dataSymbols(model: ObjectModel): DataSymbols {
  return known.of(model);
}

/** Returns the resumable part of listing variables and maps: it visits all symbols and sections. */
export function dataSymbolsRun(model: ObjectModel): Run<unknown> {
  return known.runOf(model);
}

function* findSymbols(model: ObjectModel): Steps<DataSymbols> {
  yield* loaderSections.runOf(model.sections).join();
  const { symbols, sections } = model;
  const all: DataSymbol[] = [];
  const byName = new Map<string, DataSymbol[]>();
  const byPlace = new Map<string, DataSymbol>();
  const undefinedNames = new Set<string>();
  for (let row = 0; row < symbols.count; row++) {
    if (isRest(row)) yield;
    const symbol = symbolIndex(row);
    const section = symbols.section[row] ?? 0;
    const type = symbolType(symbols, symbol);
    if (type !== SymbolType.OBJECT && type !== SymbolType.NOTYPE) continue;
    const name = symbolName(symbols, symbol);
    if (section === 0) undefinedNames.add(name);
    if (section <= 0 || name === '') continue;
    const byteOffset = symbolOffset(model, symbol);
    const isLocal = symbolBinding(symbols, symbol) === STB.local;
    const entry = { symbol, name, section: sectionIndex(section), byteOffset, isLocal };
    all.push(entry);
    addTo(byName, `${section} ${name}`, entry);
    const place = `${section} ${byteOffset}`;
    if (!byPlace.has(place) && type === SymbolType.OBJECT) byPlace.set(place, entry);
  }
  const datasecs = model.types === null ? null : datasecsOf(model.types);
  const bySection = new Map<string, SectionIndex>();
  for (let i = 1; datasecs !== null && datasecs.size > bySection.size && i < sections.count; i++) {
    if (isRest(i)) yield;
    const name = sectionName(sections, sectionIndex(i));
    if (datasecs.has(name) && !bySection.has(name)) bySection.set(name, sectionIndex(i));
  }
  return { all, byName, byPlace, sections: bySection, undefinedNames };
}

function* btfVariables(
  model: ObjectModel,
  t: TypeTable,
  symbols: DataSymbols,
  only: string | null = null,
): Generator<Variable> {
  for (const [section, datasec] of datasecsOf(t)) {
    if (only !== null && section !== only) continue;
    const inSection = symbols.sections.get(section) ?? null;
    for (const item of varSecinfosOf(t, datasec)) {
      // The DATASEC `.ksyms` also lists functions.
      if (kindOf(t, item.type) !== BtfKind.VAR) continue;
      yield typedVariable(model, t, symbols, { section, inSection, item });
    }
  }
}

type Listed = {
  readonly section: string;
  readonly inSection: SectionIndex | null;
  readonly item: VarSecinfo;
};

function typedVariable(
  model: ObjectModel,
  t: TypeTable,
  symbols: DataSymbols,
  { section, inSection, item }: Listed,
): Variable {
  const name = nameOf(t, item.type);
  const type = refOf(t, item.type);
  const stored = linkageOf(varLinkage(t, item.type));
  const symbol =
    inSection === null ? null : symbolOf(symbols, inSection, name, stored, item.offset);
  // GCC lists variables of other files as if this file defined them.
  const isElsewhere = symbol === null && stored === 'global' && symbols.undefinedNames.has(name);
  const linkage = isElsewhere ? 'extern' : stored;
  const isWeak = symbol !== null && symbolBinding(model.symbols, symbol.symbol) === STB.weak;
  // A file without symbols, such as a kernel's BTF, has offsets in BTF.
  const place = symbol?.byteOffset ?? item.offset;
  return {
    name,
    section,
    sectionIndex: inSection,
    symbol: symbol?.symbol ?? null,
    varId: item.type,
    type,
    byteOffset: inSection === null || linkage === 'extern' ? null : place,
    byteSize: item.size > 0 || type === null ? item.size : Number(sizeOf(t, type) ?? 0n),
    linkage: isWeak && linkage === 'global' ? 'weak' : linkage,
  };
}

function linkageOf(linkage: number): Linkage {
  if (linkage === 0) return 'static';
  return linkage === 2 ? 'extern' : 'global';
}

/** Finds the symbol of a variable: by name if global; by offset if static, as names may repeat. */
function symbolOf(
  symbols: DataSymbols,
  section: SectionIndex,
  name: string,
  linkage: Linkage,
  byteOffset: number,
): DataSymbol | null {
  const named = symbols.byName.get(`${section} ${name}`) ?? [];
  if (linkage !== 'static') return named.find((s) => !s.isLocal) ?? named[0] ?? null;
  const there = symbols.byPlace.get(`${section} ${byteOffset}`);
  const locals = named.filter((s) => s.isLocal);
  const atPlace = locals.find((s) => s.byteOffset === byteOffset);
  if (atPlace !== undefined) return atPlace;
  // A static variable in a function has a symbol named `function.name`.
  if (there?.isLocal === true && there.name.endsWith(`.${name}`)) return there;
  return locals.length === 1 ? (locals[0] ?? null) : null;
}

function untyped(
  model: ObjectModel,
  symbols: DataSymbols,
  seen: ReadonlySet<SymbolIndex>,
): Variable[] {
  if (!isBpf(model)) return [];
  return symbols.all
    .filter(({ symbol, section }) => {
      const name = sectionName(model.sections, section);
      return (
        !seen.has(symbol) &&
        symbolType(model.symbols, symbol) === SymbolType.OBJECT &&
        sectionRole(model, section) === 'data' &&
        name !== MAPS &&
        name !== 'maps'
      );
    })
    .map(({ symbol, name, section, byteOffset, isLocal }) => ({
      name,
      section: sectionName(model.sections, section),
      sectionIndex: section,
      symbol,
      varId: null,
      type: null,
      byteOffset,
      byteSize: Number(model.symbols.size[symbol] ?? 0n),
      linkage: isLocal
        ? 'static'
        : symbolBinding(model.symbols, symbol) === STB.weak
          ? 'weak'
          : 'global',
    }));
}

/** Returns the selection of a variable or map: its VAR, else its symbol, else null. */
export function selectionOfVariable({
  varId,
  symbol,
}: Pick<Variable, 'varId' | 'symbol'>): Selection | null {
  if (varId !== null) return typeSelection(varId);
  return symbol === null ? null : { kind: 'symbol', symbol };
}

/** Returns the initial bytes of a variable, or null for externs and for unloaded sections. */
export function variableBytes(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  { sectionIndex: section, byteOffset, byteSize }: Variable,
): InitialBytes | null {
  return section === null || byteOffset === null
    ? null
    : initialBytes(model, sectionBytes, section, byteOffset, byteSize);
}

/**
 * Returns a variable's initial value, with targets of pointers. Null for an extern, for a variable
 * without a type, and if the section is not loaded.
 */
export function variableValue(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  variable: Variable,
): Value | null {
  const { type, sectionIndex: section, byteOffset } = variable;
  const initial = variableBytes(model, sectionBytes, variable);
  if (model.types === null || type === null || section === null) return null;
  if (initial === null || byteOffset === null) return null;
  return decodeValue(model.types, type, initial.bytes, 0, {
    endian: model.endian,
    byteLength: initial.byteLength,
    pointers: {
      at: (at) => pointerTarget(model, sectionBytes, section, byteOffset + at),
      areIn: (start, end) =>
        relocationsInRange(model, section, byteOffset + start, byteOffset + end).length > 0,
    },
  });
}
