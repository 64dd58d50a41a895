/** What a BPF object brings along, by libbpf's rules: programs, maps, global variables, its licence. */
import { decodeName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import {
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { type Member, membersOf, varSecinfosOf } from '#model/type-items.ts';
import { arrayData, kindOf, nameOf, refOf, type TypeTable } from '#model/type-table.ts';
import { datasecsOf } from './datasecs.ts';
import { type FunctionRange, functionsOf } from './functions.ts';
import { MAP_TYPES } from './map-types.ts';
import { programType } from './program-types.ts';
import { sizeOf } from './sizes.ts';
import { stripped } from './strip.ts';
import { typeExpression } from './type-name.ts';

export type ProgramSection = {
  readonly section: SectionIndex;
  /** Raw text: escape it when drawn. */
  readonly sectionName: string;
  /** Its programs, by place. */
  readonly functions: readonly FunctionRange[];
  /** What libbpf makes of the section's name: `kprobe`, `xdp`; empty where it knows no such name. */
  readonly kind: string;
  /** What follows in the name: the function, tracepoint or cgroup hook. Raw text. */
  readonly attachTo: string;
};

/** Sections with programs, in the order of the file. */
export function programsOf(model: ObjectModel): ProgramSection[] {
  const bySection = new Map<SectionIndex, FunctionRange[]>();
  for (const func of functionsOf(model)) {
    if (!func.isProgram) continue;
    const functions = bySection.get(func.section);
    if (functions === undefined) bySection.set(func.section, [func]);
    else functions.push(func);
  }
  return Array.from(bySection, ([section, functions]) => {
    const name = sectionName(model.sections, section);
    return { section, sectionName: name, functions, ...programType(name) };
  });
}

export type MapField = { readonly label: string; readonly value: string };

export type BpfMap = {
  /** Raw text: escape it when drawn. */
  readonly name: string;
  readonly symbol: SymbolIndex | null;
  /** `.maps`: defined in BTF. `maps`: by a struct in the section, as before 2019. `data`: libbpf makes it from a section of variables. */
  readonly section: '.maps' | 'maps' | 'data';
  /** The section that it comes from; null where the file has BTF for it and no such section. */
  readonly sectionIndex: SectionIndex | null;
  /** `type`, `key`, `value`, `max_entries` …; empty where the file does not tell. Values are raw text. */
  readonly definition: readonly MapField[];
};

/** All maps that libbpf would create: defined ones first, then those of sections of variables. */
export function mapsOf(model: ObjectModel): BpfMap[] {
  if (!isBpf(model)) return [];
  const symbols = mapSymbols(model);
  return [...btfMaps(model, symbols), ...oldMaps(model, symbols), ...dataMaps(model)];
}

/** `BPF_MAP_TYPE_HASH` …; a number without a name as it is. */
export function mapTypeName(type: number): string {
  const name = MAP_TYPES[type];
  return name === undefined ? `map type ${type}` : `BPF_MAP_TYPE_${name}`;
}

type MapSymbol = {
  readonly symbol: SymbolIndex;
  readonly name: string;
  readonly section: SectionIndex;
};

/** Symbols in `.maps` and `maps`, by place in the symbol table. */
function mapSymbols(model: ObjectModel): MapSymbol[] {
  const { symbols, sections } = model;
  const names = new Map<number, string>();
  for (let i = 1; i < sections.count; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (name === '.maps' || name === 'maps') names.set(i, name);
  }
  const found: MapSymbol[] = [];
  for (let row = 0; names.size > 0 && row < symbols.count; row++) {
    const section = symbols.section[row] ?? 0;
    if (!names.has(section)) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    const name = symbolName(symbols, symbol);
    if (name === '' || (type !== SymbolType.OBJECT && type !== SymbolType.NOTYPE)) continue;
    found.push({ symbol, name, section: sectionIndex(section) });
  }
  return found;
}

function btfMaps(model: ObjectModel, symbols: readonly MapSymbol[]): BpfMap[] {
  const inSection = new Map(
    symbols
      .filter((s) => sectionName(model.sections, s.section) === '.maps')
      .map((s) => [s.name, s]),
  );
  const t = model.types;
  const datasec = t === null ? undefined : datasecsOf(t).get('.maps');
  const maps: BpfMap[] = [];
  for (const { type } of t === null || datasec === undefined ? [] : varSecinfosOf(t, datasec)) {
    if (t === null) break;
    const name = nameOf(t, type);
    const symbol = inSection.get(name);
    inSection.delete(name);
    maps.push({
      name,
      symbol: symbol?.symbol ?? null,
      section: '.maps',
      sectionIndex: symbol?.section ?? null,
      definition: mapDefinition(t, refOf(t, type)),
    });
  }
  // Without BTF there is nothing but their names.
  for (const { symbol, name, section } of inSection.values()) {
    maps.push({ name, symbol, section: '.maps', sectionIndex: section, definition: [] });
  }
  return maps;
}

function oldMaps(model: ObjectModel, symbols: readonly MapSymbol[]): BpfMap[] {
  return symbols
    .filter((s) => sectionName(model.sections, s.section) === 'maps')
    .map(({ symbol, name, section }) => ({
      name,
      symbol,
      section: 'maps',
      sectionIndex: section,
      definition: [],
    }));
}

const DATA_SECTION = /^\.(?:data|rodata|bss)(?:\.|$)|^\.kconfig$/;

/** One array map of one element for each section of variables, as libbpf makes it when it loads the object. */
function dataMaps(model: ObjectModel): BpfMap[] {
  const { sections } = model;
  const maps: BpfMap[] = [];
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const name = sectionName(sections, section);
    const size = sections.declaredSize[i] ?? 0n;
    if (!DATA_SECTION.test(name) || size === 0n || ((sections.flags[i] ?? 0n) & 2n) === 0n)
      continue;
    // String literals that the compiler merges; libbpf makes no map of them.
    if (name.startsWith('.rodata.str') || name.startsWith('.rodata.cst')) continue;
    maps.push({
      name,
      symbol: null,
      section: 'data',
      sectionIndex: section,
      definition: [
        { label: 'type', value: mapTypeName(2) },
        { label: 'key_size', value: '4' },
        { label: 'value_size', value: `${size}` },
        { label: 'max_entries', value: '1' },
      ],
    });
  }
  return maps;
}

/** Members of the struct behind a map's variable: `__uint` is the length of an array, `__type` what a pointer points at. */
function mapDefinition(t: TypeTable, varType: TypeId | null): MapField[] {
  const struct = varType === null ? null : stripped(t, varType);
  if (struct === null || kindOf(t, struct) !== BtfKind.STRUCT) return [];
  return membersOf(t, struct).flatMap((member) => mapField(t, member));
}

function mapField(t: TypeTable, member: Member): MapField[] {
  const id = stripped(t, member.type);
  const label = member.name;
  if (kindOf(t, id) === BtfKind.ARRAY) {
    // `values` is an array of pointers: the maps, or programs, that this one holds at first.
    const elem = typeExpression(t, arrayData(t, id).elemType);
    return [{ label, value: label === 'values' ? elem : `${arrayData(t, id).nelems}` }];
  }
  const target = kindOf(t, id) === BtfKind.PTR ? refOf(t, id) : null;
  if (target === null) return [{ label, value: typeExpression(t, member.type) }];
  const pointee = stripped(t, target);
  if (label !== 'key' && label !== 'value' && kindOf(t, pointee) === BtfKind.ARRAY) {
    const { nelems } = arrayData(t, pointee);
    return [{ label, value: label === 'type' ? mapTypeName(nelems) : `${nelems}` }];
  }
  const size = sizeOf(t, target);
  const bytes = size === null ? '' : `, ${size} ${size === 1n ? 'byte' : 'bytes'}`;
  return [{ label, value: `${typeExpression(t, target)}${bytes}` }];
}

/** The section named `license`; null where there is none. */
export function licenseSection(model: ObjectModel): SectionIndex | null {
  for (let i = 1; i < model.sections.count; i++) {
    if (sectionName(model.sections, sectionIndex(i)) === 'license') return sectionIndex(i);
  }
  return null;
}

/** The licence that the kernel is told, out of the bytes of `licenseSection`. Null where there is none. Raw text. */
export function licenseOf(model: ObjectModel, sectionBytes: Uint8Array): string | null {
  return licenseSection(model) === null || sectionBytes.length === 0
    ? null
    : decodeName(sectionBytes, 0);
}

export type GlobalVariable = {
  /** Raw text: escape it when drawn. */
  readonly name: string;
  /** Name of its section. Raw text. */
  readonly section: string;
  readonly type: TypeId;
};

/** The variables that BTF lists by section, those of `.maps` left out: they are maps. */
export function globalsOf(model: ObjectModel): GlobalVariable[] {
  const t = model.types;
  if (t === null || !isBpf(model)) return [];
  return Array.from(datasecsOf(t)).flatMap(([section, datasec]) =>
    section === '.maps'
      ? []
      : varSecinfosOf(t, datasec).map(({ type }) => ({ name: nameOf(t, type), section, type })),
  );
}
