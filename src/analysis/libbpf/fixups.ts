/**
 * The BTF of an object after the rewrites of `bpf_object__open`. libbpf fills in sizes of sections
 * and places of variables and externs, which compilers leave open and the kernel refuses. While
 * loading, libbpf also removes kinds that an old kernel does not know, and makes hidden functions
 * static. Source: libbpf 1.8, libbpf.c: bpf_object_open, bpf_object__collect_externs,
 * bpf_object_fixup_btf, btf_fixup_datasec, find_elf_sec_sz.
 */
import { kindWord } from '#analysis/core/access-text.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { memoized } from '#bytes/cache.ts';
import { BTF_TYPE_SIZE, BtfKind, Linkage } from '#formats/btf/kinds.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type SymbolIndex, sectionIndex, symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import { type SymbolTable, SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { paramsOf, type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import {
  infoOf,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
} from '#model/type-table.ts';
import {
  collectExterns,
  type Externs,
  isVisible,
  KCONFIG,
  type KconfigOption,
  KSYMS,
  layOutKconfig,
} from './externs.ts';
import {
  copyForLoader,
  firstInt32,
  type LoadedCopy,
  type Rewrite,
  shortName,
} from './fixup-copy.ts';
import { type Failure, failed, failedSilently } from './outcome.ts';

export type Loaded = {
  /** BTF that the kernel gets: always a copy, even if nothing is rewritten. */
  readonly blob: Uint8Array;
  /** Types of `blob`: ids are those of the file, and may be followed by a variable of libbpf. */
  readonly types: TypeTable;
  readonly rewrites: readonly Rewrite[];
  /** Number of rewrites that `rewrites` does not list. */
  readonly moreRewrites: number;
  /** Reason why libbpf stops, as a sentence with raw names; null if it does not stop. */
  readonly stopped: string | null;
  /** The failure of opening the object, if it is not that of an extern; else null. */
  readonly failure: Failure | null;
};

/** Returns the BTF of an ELF object after libbpf's rewrites; null for split BTF or no BTF. */
export const asLoaded = memoized(({ types, sections, symbols }: ObjectModel): Loaded | null => {
  if (types === null || types.split) return null;
  const ksyms = datasecsOf(types).get(KSYMS) ?? null;
  const variables = visibleVariables(sections, symbols);
  if (variables === null) {
    const stopped = 'The file has no symbol table.';
    const failure = failedSilently('ENOENT', stopped);
    return { types, blob: types.blob.slice(), rewrites: [], moreRewrites: 0, stopped, failure };
  }
  const { copy, dummy } = copyForLoader(types, ksyms);
  const { table, rewrites, more } = copy;
  // After a stop the rest is rewritten, too: its faults are those that follow.
  const stops = [
    rewriteExterns(copy, collectExterns({ types: table, sections, symbols }), dummy),
    rewriteDatasecs(copy, { sections, symbols, variables }),
  ];
  const stop = stops.find((one) => one !== null);
  return {
    types: table,
    blob: table.blob,
    rewrites,
    moreRewrites: more,
    stopped: stop?.sentence ?? null,
    failure: stop?.failure ?? null,
  };
});

/** Returns the types of an object as libbpf reads them after its rewrites; null without. */
export function openedTypes(model: ObjectModel): TypeTable | null {
  return asLoaded(model)?.types ?? null;
}

/** The reason why libbpf stops: its failure, and a sentence with raw names. */
type Stop = { readonly failure: Failure; readonly sentence: string };

function silentStop(errno: string, sentence: string): Stop {
  return { failure: failedSilently(errno, sentence), sentence };
}

/** Returns global and weak variables by name; null without `.symtab`. Source: find_elf_var_sym. */
function visibleVariables(
  sections: SectionTable,
  symbols: SymbolTable,
): ReadonlyMap<string, SymbolIndex> | null {
  if (!sections.type.includes(SHT.symtab)) return null;
  const variables = new Map<string, SymbolIndex>();
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const isIn = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    if (!isIn || !isVisible(symbols, symbol) || symbolType(symbols, symbol) !== SymbolType.OBJECT)
      continue;
    const name = symbolName(symbols, symbol);
    if (!variables.has(name)) variables.set(name, symbol);
  }
  return variables;
}

const INT_BYTES = 4;

/** Rewrites externs to variables with offsets. Returns the reason why libbpf stops, or null. */
function rewriteExterns(
  copy: LoadedCopy,
  { list, failure, sentence, unsized }: Externs,
  dummy: TypeId | null,
): Stop | null {
  if (failure !== null) return { failure, sentence };
  if (unsized !== null) return null;
  const options = list.flatMap(({ name, kconfig }) =>
    kconfig === null ? [] : { name, ...kconfig },
  );
  const known = new Set(list.map(({ name }) => name));
  const ksyms = list.findLast(({ kconfig }) => kconfig === null);
  const stop = ksyms === undefined ? null : rewriteKsyms(copy, ksyms.section, known, dummy);
  const option = list.findLast(({ kconfig }) => kconfig !== null);
  return stop ?? (option === undefined ? null : rewriteKconfig(copy, option.section, options));
}

/** Makes each extern a global int, at consecutive offsets; functions become `dummy_ksym`. */
function rewriteKsyms(
  copy: LoadedCopy,
  section: TypeId,
  known: ReadonlySet<string>,
  dummy: TypeId | null,
): Stop | null {
  const t = copy.table;
  const int = firstInt32(t);
  const items = varSecinfosOf(t, section);
  for (const { index, type } of items) {
    const name = nameOf(t, type);
    const shown = shortName(name);
    const kind = kindOf(t, type);
    if (!known.has(name)) return unknownExtern(KSYMS, kindWord(kind), name);
    if (kind === BtfKind.FUNC) rewriteFunc(copy, section, index, type, dummy);
    else if (kind !== BtfKind.VAR) {
      return silentStop('EINVAL', `${KSYMS} lists ${shown}, no variable or function.`);
    } else {
      const target = copy.offsetIn(type, 8);
      const linkage = copy.offsetIn(type, BTF_TYPE_SIZE);
      copy.setWord(type, linkage, Linkage.global, () => `libbpf makes the extern ${shown} global.`);
      copy.setWord(type, target, int, () => `libbpf gives the extern ${shown} the type int.`);
    }
    const offset = copy.itemOffset(section, 12, index, 1);
    const size = copy.itemOffset(section, 12, index, 2);
    const place = () => `libbpf gives ${shown} a place of 4 bytes in ${KSYMS}.`;
    copy.setWord(section, offset, INT_BYTES * index, place);
    copy.setWord(section, size, INT_BYTES, place);
  }
  const total = INT_BYTES * items.length;
  const sentence = () => `libbpf counts 4 bytes for each extern in ${KSYMS}.`;
  copy.setWord(section, copy.offsetIn(section, 8), total, sentence);
  return null;
}

/** Returns the stop at a listed extern that has no symbol. `kind` is libbpf's word. */
function unknownExtern(section: string, kind: string, name: string): Stop {
  return {
    failure: failed('ESRCH', `failed to find extern definition for BTF ${kind} '${name}'`),
    sentence: `${section} lists ${shortName(name)}, for which there is no symbol.`,
  };
}

function rewriteFunc(
  copy: LoadedCopy,
  section: TypeId,
  index: number,
  func: TypeId,
  dummy: TypeId | null,
): void {
  const t = copy.table;
  const name = copy.nameFor(func);
  const proto = typeId(sizeOrTypeOf(t, func));
  const replacement = dummy ?? typeId(0);
  for (const param of paramsOf(t, proto)) {
    if (param.type === 0 || param.nameOff !== 0) continue;
    const nameOff = copy.itemOffset(proto, 8, param.index, 0);
    const sentence = () =>
      `libbpf names argument ${param.index + 1} of ${name}, which has no name.`;
    copy.setWord(proto, nameOff, nameOffOf(t, replacement), sentence);
  }
  const type = copy.itemOffset(section, 12, index, 0);
  const inPlace = () => `libbpf lists its own variable in place of ${name}.`;
  copy.setWord(section, type, replacement, inPlace);
  const info = ((infoOf(t, func) & ~0xffff) | Linkage.global) >>> 0;
  const sentence = () => `libbpf makes the extern function ${name} global.`;
  copy.setWord(func, copy.offsetIn(func, 4), info, sentence);
}

function rewriteKconfig(
  copy: LoadedCopy,
  section: TypeId,
  externs: readonly KconfigOption[],
): Stop | null {
  const t = copy.table;
  const { places, size } = layOutKconfig(externs);
  const sizeSentence = () => `libbpf lays out ${KCONFIG} and computes its size.`;
  copy.setWord(section, copy.offsetIn(section, 8), size, sizeSentence);
  for (const { index, type } of varSecinfosOf(t, section)) {
    const name = nameOf(t, type);
    const shown = shortName(name);
    const place = places.get(name);
    if (place === undefined) return unknownExtern(KCONFIG, 'var', name);
    if (kindOf(t, type) !== BtfKind.VAR) {
      return silentStop('EINVAL', `${KCONFIG} lists ${shown}, no variable.`);
    }
    const linkage = copy.offsetIn(type, BTF_TYPE_SIZE);
    copy.setWord(type, linkage, Linkage.global, () => `libbpf makes the extern ${shown} global.`);
    const sentence = () => `libbpf gives ${shown} its place in ${KCONFIG}.`;
    copy.setWord(section, copy.itemOffset(section, 12, index, 1), place, sentence);
  }
  return null;
}

/** Values of STV_INTERNAL and STV_HIDDEN. */
const HIDDEN_VISIBILITIES = [1, 2];

type ElfPlaces = {
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  /** Symbols of global and weak variables, by name. */
  readonly variables: ReadonlyMap<string, SymbolIndex>;
};

/** Rewrites sizes and offsets of all DATASECs. Returns the first stop, or null. */
function rewriteDatasecs(copy: LoadedCopy, elf: ElfPlaces): Stop | null {
  const sizes = sectionSizes(elf.sections);
  let first: Stop | null = null;
  for (let n = 1; n <= lastId(copy.table); n++) {
    const id = typeId(n);
    if (kindOf(copy.table, id) !== BtfKind.DATASEC) continue;
    const name = nameOf(copy.table, id);
    const stop = name === KCONFIG || name === KSYMS ? null : rewriteDatasec(copy, elf, sizes, id);
    first ??= stop;
    sortVariables(copy, id);
  }
  return first;
}

/** Returns the size of the first section with each name. */
function sectionSizes(sections: SectionTable): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (let i = 1; i < sections.count; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (!sizes.has(name)) sizes.set(name, Number((sections.declaredSize[i] ?? 0n) & 0xffffffffn));
  }
  return sizes;
}

function rewriteDatasec(
  copy: LoadedCopy,
  elf: ElfPlaces,
  sizes: ReadonlyMap<string, number>,
  id: TypeId,
): Stop | null {
  const t = copy.table;
  const name = nameOf(t, id);
  const isEmpty = sizeOrTypeOf(t, id) === 0;
  if (isEmpty) {
    const size = sizes.get(name) ?? 0;
    if (size === 0) {
      const sentence = `The size of section ${copy.nameFor(id)} cannot be found in the ELF file.`;
      return silentStop('ENOENT', sentence);
    }
    const sentence = () => `libbpf takes the size of ${copy.nameFor(id)} from the ELF section.`;
    copy.setWord(id, copy.offsetIn(id, 8), size, sentence);
  }
  let first: Stop | null = null;
  for (const item of varSecinfosOf(t, id)) {
    const stop = rewriteVariable(copy, elf, { id, item, isEmpty });
    first ??= stop;
  }
  return first;
}

type Listed = {
  /** DATASEC that lists the variable. */
  readonly id: TypeId;
  readonly item: VarSecinfo;
  /** True if the compiler left the size of the DATASEC and its offsets 0. */
  readonly isEmpty: boolean;
};

function rewriteVariable(
  copy: LoadedCopy,
  elf: ElfPlaces,
  { id, item, isEmpty }: Listed,
): Stop | null {
  const t = copy.table;
  if (kindOf(t, item.type) !== BtfKind.VAR) {
    return silentStop('EINVAL', `${copy.nameFor(id)} lists type ${item.type}, no variable.`);
  }
  const linkage = varLinkage(t, item.type);
  if (linkage === Linkage.static || linkage === Linkage.extern) return null;
  const symbol = elf.variables.get(nameOf(t, item.type));
  if (symbol === undefined) {
    const sentence = `There is no symbol for the variable ${copy.nameFor(item.type)} of ${copy.nameFor(id)}.`;
    return silentStop('ENOENT', sentence);
  }
  if (isEmpty) placeVariable(copy, elf, id, item, symbol);
  hideVariable(copy, elf, item.type, symbol);
  return null;
}

function placeVariable(
  copy: LoadedCopy,
  { symbols }: ElfPlaces,
  id: TypeId,
  { index, type }: VarSecinfo,
  symbol: SymbolIndex,
): void {
  const offset = Number((symbols.value[symbol] ?? 0n) & 0xffffffffn);
  const sentence = () => `libbpf takes the place of ${copy.nameFor(type)} from its symbol.`;
  copy.setWord(id, copy.itemOffset(id, 12, index, 1), offset, sentence);
}

function hideVariable(
  copy: LoadedCopy,
  { symbols }: ElfPlaces,
  type: TypeId,
  symbol: SymbolIndex,
): void {
  if (!HIDDEN_VISIBILITIES.includes((symbols.other[symbol] ?? 0) & 3)) return;
  const sentence = () => `The symbol of ${copy.nameFor(type)} is hidden: libbpf makes it static.`;
  copy.setWord(type, copy.offsetIn(type, BTF_TYPE_SIZE), Linkage.static, sentence);
}

function sortVariables(copy: LoadedCopy, id: TypeId): void {
  const items = varSecinfosOf(copy.table, id);
  // libbpf sorts by the difference of offsets, as a signed 32-bit number.
  const sorted = [...items].sort((a, b) => (a.offset - b.offset) | 0);
  if (sorted.every(({ index }, place) => index === place)) return;
  copy.reorderItems(id, sorted);
}
